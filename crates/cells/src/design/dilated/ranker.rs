//! Which head of a strong switch is given which edge, as a balanced tree of adders.

use super::{Hardware, Heads, Unused, bit, part, slice};
use crate::cells::{RankCountSpec, RankEdgeSpec, RankMatchSpec};
use crate::design::tree::{Ranks, rank_bits};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};

fn one(bit: impl Into<Part>, bits: u32) -> Expr {
    Expr::Concat(vec![Part::Const { value: 0, bits: bits - 1 }, bit.into()])
}

/// Adds a strong switch's ranker for edges that are used once.
pub(super) fn add(hardware: &Hardware, module: &mut Module, clk: Net, rst: Net, heads: &Heads) {
    let (bundle, inputs) = (hardware.bundle(), heads.take.lanes());
    let bits = rank_bits(bundle);
    let mut ranks = Vec::new();
    for (x, wants) in (0..).zip(&heads.want) {
        let used = module.net(Kind::Wires, format!("used{x}"), bits);
        let mut terms = vec![Expr::from(used)];
        terms.extend((0..inputs).map(|input| one(wants.lane(input), bits)));
        let mut sums = Ranks { module, name: format!("sum{x}"), bits, count: 0 }.prefix(&terms);
        let total = sums.pop().expect("there is a term");
        module.instances.push(
            Instance::new(format!("u_used{x}"), Of::cell(RankCountSpec { bits }))
                .input("clk_i", clk)
                .input("rst_i", rst)
                .input("total_i", total)
                .output("used_o", used),
        );
        ranks.push(sums);
    }
    for input in 0..inputs {
        module.instances.push(
            Instance::new(format!("u_edge_{input}"), Of::cell(RankEdgeSpec { edges: bundle, bits }))
                .input("want0_i", heads.want[0].lane(input))
                .input("want1_i", heads.want[1].lane(input))
                .input("rank0_i", ranks[0][input as usize].clone())
                .input("rank1_i", ranks[1][input as usize].clone())
                .output("take_o", heads.take.lane(input))
                .output("edge_o", heads.edge.lane(input)),
        );
    }
}

/// For each term how many come before it.
fn before(adders: &mut Ranks, terms: &[Expr]) -> Vec<Expr> {
    let none = Expr::constant(0, adders.bits);
    let behind = &terms[..terms.len() - 1];
    [none].into_iter().chain(if behind.is_empty() { Vec::new() } else { adders.prefix(behind) }).collect()
}

/// Adds a strong switch's ranker for edges that are released: the head of rank k is given the k-th edge that nobody has.
pub(super) fn add_released(hardware: &Hardware, module: &mut Module, heads: &Heads, unused: &Unused) {
    let (bundle, inputs) = (hardware.bundle(), heads.take.lanes());
    let bits = rank_bits(bundle);
    let mut ranks = |name: &str, x: usize, terms: Vec<Expr>| {
        before(&mut Ranks { module, name: format!("{name}{x}"), bits, count: 0 }, &terms)
    };
    let [(rank0, place0), (rank1, place1)] = [0, 1].map(|x| {
        let wants = (0..inputs).map(|input| one(heads.want[x].lane(input), bits)).collect();
        let free = (0..bundle).map(|e| one(part(unused.free[x], e), bits)).collect();
        (ranks("sum", x, wants), ranks("place", x, free))
    });
    let picks = [0, 1].map(|x| module.bundle(Kind::Wires, format!("pick{x}"), inputs * bundle, 1));
    let picked = module.bundle(Kind::Wires, "picked", inputs * bundle, 1);
    for (input, e) in (0..inputs).flat_map(|input| (0..bundle).map(move |e| (input, e))) {
        let at = input * bundle + e;
        module.instances.push(
            Instance::new(format!("u_match_{input}_{e}"), Of::cell(RankMatchSpec { bits }))
                .input("want0_i", heads.want[0].lane(input))
                .input("want1_i", heads.want[1].lane(input))
                .input("rank0_i", rank0[input as usize].clone())
                .input("rank1_i", rank1[input as usize].clone())
                .input("free0_i", bit(unused.free[0], e))
                .input("free1_i", bit(unused.free[1], e))
                .input("place0_i", place0[e as usize].clone())
                .input("place1_i", place1[e as usize].clone())
                .output("given0_o", picks[0].lane(at))
                .output("given1_o", picks[1].lane(at)),
        );
        module.assigns.push((picked.lane(at), Expr::Any(picks.map(|pick| pick.lane(at).into()).to_vec())));
    }
    for input in 0..inputs {
        module.assigns.push((heads.edge.lane(input), slice(picked, input * bundle, bundle)));
        module.assigns.push((heads.take.lane(input), Expr::Any(vec![heads.edge.lane(input).into()])));
    }
    for (x, pick) in picks.into_iter().enumerate() {
        let gave = module.bundle(Kind::Wires, format!("gave{x}"), bundle, 1);
        for e in 0..bundle {
            let any = Expr::Any((0..inputs).map(|input| pick.lane(input * bundle + e).into()).collect());
            module.assigns.push((gave.lane(e), any));
        }
        module.assigns.push((unused.given[x], slice(gave, 0, bundle)));
    }
}

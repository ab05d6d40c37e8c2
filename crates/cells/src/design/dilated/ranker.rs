//! Which head of a strong switch is given which edge, as a balanced tree of adders.

use super::{Hardware, Heads};
use crate::cells::{RankCountSpec, RankEdgeSpec};
use crate::design::tree::{Ranks, rank_bits};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};

/// Adds a strong switch's ranker.
pub(super) fn add(hardware: &Hardware, module: &mut Module, clk: Net, rst: Net, heads: &Heads) {
    let (bundle, inputs) = (hardware.bundle(), heads.take.lanes());
    let bits = rank_bits(bundle);
    let mut ranks = Vec::new();
    for (x, wants) in (0..).zip(&heads.want) {
        let used = module.net(Kind::Wires, format!("used{x}"), bits);
        let mut terms = vec![Expr::from(used)];
        terms.extend((0..inputs).map(|input| {
            let none = Part::Const { value: 0, bits: bits - 1 };
            Expr::Concat(vec![none, wants.lane(input).into()])
        }));
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

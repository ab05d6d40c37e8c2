//! Which head of a strong switch is given which edge, as a balanced tree of adders.

use super::{Hardware, Heads};
use crate::cells::{RankAdderSpec, RankCountSpec, RankEdgeSpec};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};

/// Bits of a rank: those of an edge's number, and one on top that says it is too large.
pub(super) fn rank_bits(bundle: u32) -> u32 {
    bundle.next_power_of_two().ilog2().max(1) + 1
}

/// Adders of a module, which are numbered.
struct Adders<'a> {
    module: &'a mut Module,
    bundle: u32,
    bits: u32,
    count: u32,
}

impl Adders<'_> {
    fn sum(&mut self, left: Expr, right: Expr) -> Expr {
        let name = format!("sum{}_{}", self.bundle, self.count);
        self.count += 1;
        let sum = self.module.net(Kind::Wires, &name, self.bits);
        self.module.instances.push(
            Instance::new(format!("u_{name}"), Of::cell(RankAdderSpec { bits: self.bits }))
                .input("left_i", left)
                .input("right_i", right)
                .output("sum_o", sum),
        );
        sum.into()
    }

    /// The sums of the first, of the first two, and so on, in about 2·log₂ of their number steps.
    fn prefix(&mut self, terms: &[Expr]) -> Vec<Expr> {
        let [first, _, ..] = terms else { return terms.to_vec() };
        let pairs: Vec<Expr> =
            terms.chunks_exact(2).map(|pair| self.sum(pair[0].clone(), pair[1].clone())).collect();
        let even = self.prefix(&pairs);
        let mut sums = vec![first.clone()];
        for (at, sum) in even.into_iter().enumerate() {
            sums.push(sum.clone());
            if let Some(next) = terms.get(2 * at + 2) {
                sums.push(self.sum(sum, next.clone()));
            }
        }
        sums
    }
}

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
        let mut sums = Adders { module, bundle: x, bits, count: 0 }.prefix(&terms);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_hold_every_edge() {
        assert_eq!([1, 2, 3, 4, 5, 6, 8, 9].map(rank_bits), [2, 2, 3, 3, 4, 4, 4, 5]);
    }

    /// The longest way through adders from a term to a sum.
    #[test]
    fn the_tree_is_no_chain() {
        for terms in 2..40u32 {
            let mut module = Module::new("m", vec![]);
            let term = module.bundle(Kind::Wires, "term", terms, 4);
            let mut adders = Adders { module: &mut module, bundle: 0, bits: 4, count: 0 };
            let sums = adders.prefix(&(0..terms).map(|at| term.lane(at).into()).collect::<Vec<_>>());
            assert_eq!(sums.len() as u32, terms);
            assert!(adders.count <= 2 * terms);
            let mut depth = vec![0u32; module.signals.len()];
            for adder in &module.instances {
                let from = adder
                    .inputs
                    .iter()
                    .map(|(_, lanes)| lanes[0].as_net().map_or(0, |net| depth[net.signal.index()]));
                let deepest = from.max().unwrap_or(0);
                let sum = adder.outputs[0].1[0].expect("a sum is used").signal;
                depth[sum.index()] = deepest + 1;
            }
            let limit = 2 * terms.next_power_of_two().ilog2();
            assert!(*depth.iter().max().unwrap_or(&0) <= limit, "{terms}: {depth:?}");
        }
    }
}

//! Balanced trees of cells.

use crate::cells::RankAdderSpec;
use crate::netlist::{Expr, Instance, Kind, Module, Of};

/// Joins neighbours until one is left, so that no way is longer than the logarithm of their number. There is at least one.
pub(super) fn reduce<T>(mut items: Vec<T>, mut join: impl FnMut(T, T) -> T) -> T {
    while items.len() > 1 {
        let mut pairs = items.into_iter();
        let mut joined = Vec::new();
        while let Some(left) = pairs.next() {
            joined.push(match pairs.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        items = joined;
    }
    items.pop().expect("a tree has a leaf")
}

/// Bits of a rank below `ranks`: those of its number, and one on top that says it is too large.
pub(super) fn rank_bits(ranks: u32) -> u32 {
    ranks.next_power_of_two().ilog2().max(1) + 1
}

/// The adders of ranks of a module, which are numbered behind a name.
pub(super) struct Ranks<'a> {
    pub module: &'a mut Module,
    /// The first part of their names.
    pub name: String,
    pub bits: u32,
    pub count: u32,
}

impl Ranks<'_> {
    fn sum(&mut self, left: Expr, right: Expr) -> Expr {
        let name = format!("{}_{}", self.name, self.count);
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
    pub fn prefix(&mut self, terms: &[Expr]) -> Vec<Expr> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined() {
        let join = |left: String, right: String| format!("({left}{right})");
        let joined = |count: usize| reduce((0..count).map(|at| at.to_string()).collect(), join);
        assert_eq!([1, 2, 3, 5].map(joined), ["0", "(01)", "((01)2)", "(((01)(23))4)"]);
    }

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
            let mut adders = Ranks { module: &mut module, name: "sum".into(), bits: 4, count: 0 };
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

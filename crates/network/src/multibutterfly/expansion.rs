//! How many outputs of a side some inputs of a splitter reach: what the paper's (α, β)-expansion is about. Every set of
//! k ≤ αM inputs must reach βk outputs on each side, at least (section 2).

use super::{MultiButterfly, Node, SplitterSide};
use crate::ids::RowIdx;

/// The fewest outputs that a set of inputs of a size was found to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// k: inputs in the set.
    pub inputs: u32,
    /// The fewest outputs of any such set, or of those that were looked at.
    pub outputs: u32,
    /// No set reaches fewer. Otherwise one may.
    pub exact: bool,
}

/// Starts of greedy sets, spread over the inputs.
const STARTS: u32 = 32;

/// The expansion β that the neighbour property needs with d ports of which R are committed: more than this for every set of up
/// to αM inputs. (Lemma 1: δ ≥ (2β − d − R + 1) / (d − R + 1) must be positive.)
pub fn needed(degree: u32, committed: u32) -> f64 {
    f64::from((degree + committed).saturating_sub(1)) / 2.0
}

/// The fewest outputs that `inputs` inputs of a side of a splitter reach. Sets grow greedily from inputs spread over the
/// splitter, each time by the input with the fewest new outputs, which finds smaller reaches than sets drawn at random; then
/// all sets are searched, those left out that cannot reach fewer, as long as `budget` steps suffice.
///
/// # Panics
///
/// If the splitter has fewer inputs, or there are none.
pub fn reach(network: &MultiButterfly, side: SplitterSide, inputs: u32, budget: u64) -> Reach {
    let shape = network.shape();
    let all = shape.inputs(side.column);
    assert!((1..=all).contains(&inputs), "{inputs} of {all} inputs");
    let first = shape.output_rows(side).start;
    let ends = |input: u32| {
        let node = Node { column: side.column, row: RowIdx(shape.input_rows(side).start + input) };
        network.ends(node, side.side).iter().map(move |end| (end - first) as usize)
    };
    let ends: Vec<Vec<usize>> = (0..all).map(|input| ends(input).collect()).collect();
    let mut search = Search {
        ends: &ends,
        used: vec![0; shape.outputs(side.column) as usize],
        best: u32::MAX,
        left: budget,
    };
    let stride = (all / STARTS).max(1);
    for start in (0..all).step_by(stride as usize) {
        search.best = search.best.min(search.greedy(start as usize, inputs));
    }
    let exact = search.all(0, inputs, 0);
    Reach { inputs, outputs: search.best, exact }
}

/// Sets of inputs.
struct Search<'a> {
    /// Of every input the outputs that it reaches.
    ends: &'a [Vec<usize>],
    /// How many inputs of the set reach each output.
    used: Vec<u32>,
    best: u32,
    /// Steps that are left.
    left: u64,
}

impl Search<'_> {
    fn new_outputs(&self, input: usize) -> u32 {
        self.ends[input].iter().filter(|&&output| self.used[output] == 0).count() as u32
    }

    fn add(&mut self, input: usize) {
        self.ends[input].iter().for_each(|&output| self.used[output] += 1);
    }

    fn remove(&mut self, input: usize) {
        self.ends[input].iter().for_each(|&output| self.used[output] -= 1);
    }

    /// Outputs of the greedy set of a size.
    fn greedy(&mut self, start: usize, size: u32) -> u32 {
        let mut set = vec![start];
        let mut reached = self.new_outputs(start);
        self.add(start);
        while (set.len() as u32) < size {
            let others = (0..self.ends.len()).filter(|input| !set.contains(input));
            let next = others.min_by_key(|&input| self.new_outputs(input)).expect("sets are not larger");
            reached += self.new_outputs(next);
            self.add(next);
            set.push(next);
        }
        set.into_iter().for_each(|input| self.remove(input));
        reached
    }

    /// Goes through all sets that add `size` of the inputs from `from` on to what reaches `reached` outputs already. Gives
    /// whether it came to an end.
    fn all(&mut self, from: usize, size: u32, reached: u32) -> bool {
        if reached >= self.best {
            return true; // more inputs reach no fewer
        }
        if size == 0 {
            self.best = reached;
            return true;
        }
        for input in from..=self.ends.len() - size as usize {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let new = self.new_outputs(input);
            self.add(input);
            let end = self.all(input + 1, size - 1, reached + new);
            self.remove(input);
            if !end {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::cyclic;
    use super::*;

    const SIDE: SplitterSide = SplitterSide { column: 0, number: 0, side: 0 };

    /// Inputs i and i + m of the cyclic wiring reach the same d outputs, and neighbours one more: k reach ⌈k / 2⌉ + d − 1.
    #[test]
    fn neighbours_reach_the_fewest_outputs() {
        let network = cyclic(16, 3);
        for inputs in 1..=16u32 {
            let expected = (inputs.div_ceil(2) + 2).min(8);
            let exact = reach(&network, SIDE, inputs, 1 << 20);
            assert_eq!(exact, Reach { inputs, outputs: expected, exact: true });
            let sampled = reach(&network, SIDE, inputs, 0);
            assert!(!sampled.exact);
            assert!(sampled.outputs >= expected);
        }
    }

    /// By going through all sets one by one.
    #[test]
    fn the_search_leaves_out_nothing() {
        let network = cyclic(8, 2);
        for inputs in 1..=8u32 {
            let sets = (0u32..256).filter(|set| set.count_ones() == inputs);
            let reached = sets.map(|set| {
                let inputs = (0..8).filter(|input| set >> input & 1 == 1);
                let outputs = inputs.flat_map(|row| network.ends(Node { column: 0, row: RowIdx(row) }, 0));
                outputs.fold(0u32, |all, output| all | 1 << output).count_ones()
            });
            assert_eq!(reach(&network, SIDE, inputs, 1 << 20).outputs, reached.min().unwrap());
        }
    }

    #[test]
    fn the_paper_needs_more_than_half_of_d_and_r() {
        assert_eq!(needed(40, 8), 23.5); // it takes 24
        assert_eq!(needed(4, 2), 2.5);
    }
}

//! The fewest switches of a streamed permutation that is linear on the bits of a word's number (F. Serre, T. Holenstein and
//! M. Püschel, "Optimal circuits for streamed linear permutations using RAM", FPGA 2016).
//!
//! A word's number has n = t + k bits: its cycle (t bits) above its lane (k bits). The matrix is cut accordingly,
//! P = [[P4, P3], [P2, P1]]: P4 makes cycle from cycle, P3 cycle from lane, P2 lane from cycle, P1 lane from lane. A *switching
//! network* keeps cycles, [[1, 0], [L, M]], and costs rk L columns of switches. A *bank of memories* keeps lanes, [[A, B], [0, 1]].
//!
//! # One bank between two networks
//!
//! Choose a k × t matrix X for the network in front: the bank then has A = P4 + P3·X, which must be invertible, and the network
//! behind it L = (P2 + P1·X)·A⁻¹, so that the columns number rk X + rk (P2 + P1·X). Let T and K be the vectors without a
//! lane and without a cycle, T' and K' those that P sends to T and to K. The graph Γ = {(x, Xx)} has t dimensions, meets K and
//! K' in 0 only (A is invertible), and
//!
//! ```text
//! columns = 2t - dim(Γ ∩ T) - dim(Γ ∩ T').
//! ```
//!
//! So Γ should lie in T and T' as far as possible. [`one_bank`] builds it: first T ∩ T', then vectors of T, of T', and any others,
//! each outside two proper subspaces. There always is such a vector, since two proper subspaces are never the whole space. The
//! result reaches the bound max(rk P2, n - rk P1 - rk P4).
//!
//! # Two banks around one network
//!
//! The network needs rk P2 columns ([`two_banks`]).

use crate::gf2::{Matrix, Space, common, ones};

/// A linear permutation of the words of a data set, cut into cycle and lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The whole matrix.
    pub matrix: Matrix,
    /// Bits of a lane.
    pub lane_bits: u32,
    /// Bits of a cycle.
    pub cycle_bits: u32,
    /// Cycle from cycle.
    pub p4: Matrix,
    /// Cycle from lane.
    pub p3: Matrix,
    /// Lane from cycle.
    pub p2: Matrix,
    /// Lane from lane.
    pub p1: Matrix,
}

/// A switching network: the lane becomes `from_cycle`·cycle + `from_lane`·lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switching {
    /// Lane from cycle; its rank is the number of columns.
    pub from_cycle: Matrix,
    /// Lane from lane, invertible.
    pub from_lane: Matrix,
}

/// A bank of memories: the cycle becomes `from_cycle`·cycle + `from_lane`·lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storing {
    /// Cycle from cycle, invertible.
    pub from_cycle: Matrix,
    /// Cycle from lane.
    pub from_lane: Matrix,
}

impl Blocks {
    /// Cuts a matrix; lanes have the `lane_bits` least significant bits of a word's number.
    pub fn new(matrix: Matrix, lane_bits: u32) -> Self {
        let (k, t) = (lane_bits, matrix.columns() - lane_bits);
        let block = |low, height, left, width| matrix.block(low, height, left, width);
        let (p4, p3, p2, p1) = (block(k, t, k, t), block(k, t, 0, k), block(0, k, k, t), block(0, k, 0, k));
        Blocks { lane_bits, cycle_bits: t, p4, p3, p2, p1, matrix }
    }

    /// The fewest columns of switches with one bank of memories between two networks.
    pub fn columns_one_bank(&self) -> u32 {
        let n = self.lane_bits + self.cycle_bits;
        self.p2.rank().max(n - self.p1.rank() - self.p4.rank())
    }

    /// The fewest columns of switches with one network between two banks of memories.
    pub fn columns_two_banks(&self) -> u32 {
        self.p2.rank()
    }
}

impl Switching {
    /// Columns of switches.
    pub fn columns(&self) -> u32 {
        self.from_cycle.rank()
    }

    /// Where a word goes.
    pub fn lane(&self, cycle: u64, lane: u64) -> u64 {
        self.from_cycle.apply(cycle) ^ self.from_lane.apply(lane)
    }
}

impl Storing {
    /// When a word leaves.
    pub fn cycle(&self, cycle: u64, lane: u64) -> u64 {
        self.from_cycle.apply(cycle) ^ self.from_lane.apply(lane)
    }

    /// The bank that turns these back.
    pub fn inverse(&self) -> Storing {
        let from_cycle = self.from_cycle.inverse().expect("a bank's matrix is invertible");
        let from_lane = from_cycle.times(&self.from_lane);
        Storing { from_cycle, from_lane }
    }
}

/// One bank between two networks: the first network, the bank, the second network.
pub fn one_bank(blocks: &Blocks) -> (Switching, Storing, Switching) {
    let (k, t) = (blocks.lane_bits, blocks.cycle_bits);
    let x = front(blocks);
    let a = blocks.p4.plus(&blocks.p3.times(&x));
    let undo = a.inverse().expect("the graph meets K' in 0 only");
    let behind = blocks.p2.plus(&blocks.p1.times(&x)).times(&undo);
    let lanes = blocks.p1.plus(&behind.times(&blocks.p3));
    debug_assert_eq!((x.height(), x.columns()), (k, t));
    let first = Switching { from_cycle: x, from_lane: Matrix::identity(k) };
    let bank = Storing { from_cycle: a, from_lane: blocks.p3.clone() };
    (first, bank, Switching { from_cycle: behind, from_lane: lanes })
}

/// The matrix of the network in front: the graph Γ of the module's text.
fn front(blocks: &Blocks) -> Matrix {
    let (k, t) = (blocks.lane_bits, blocks.cycle_bits);
    let undo = blocks.matrix.inverse().expect("a permutation can be undone");
    let lanes: Vec<u64> = (0..k).map(|bit| 1 << bit).collect();
    let cycles: Vec<u64> = (k..k + t).map(|bit| 1 << bit).collect();
    let before = |images: &[u64]| -> Vec<u64> { images.iter().map(|&v| undo.apply(v)).collect() };
    let (lanes_after, cycles_after) = (before(&lanes), before(&cycles));
    // Γ + K, Γ + K', and the graph itself.
    let (mut near, mut far) = (Space::spanned_by(&lanes), Space::spanned_by(&lanes_after));
    let mut graph: Vec<u64> = Vec::new();
    let mut take = |vector: u64, near: &mut Space, far: &mut Space| {
        assert!(near.add(vector) && far.add(vector), "a vector outside both");
        graph.push(vector);
    };
    for vector in common(&cycles, &cycles_after) {
        take(vector, &mut near, &mut far);
    }
    // Vectors of T, at first outside T' + K, so that as few as possible stand in the way of those of T' that follow.
    let mut aside = Space::spanned_by(&[&cycles_after[..], &lanes[..]].concat());
    aside = Space::spanned_by(&common(&cycles, aside.basis()));
    while let Some(vector) = outside(&cycles, &far, &aside).or_else(|| outside(&cycles, &far, &far)) {
        take(vector, &mut near, &mut far);
        aside.add(vector);
    }
    let all: Vec<u64> = (0..k + t).map(|bit| 1 << bit).collect();
    for source in [&cycles_after, &all] {
        while let Some(vector) = outside(source, &near, &far) {
            take(vector, &mut near, &mut far);
        }
    }
    assert_eq!(graph.len() as u32, t, "a graph over all cycles");
    // The graph as a matrix: the cycles of its vectors made to single bits.
    let cycle_of = Matrix::of_images(&graph.iter().map(|v| v >> k).collect::<Vec<_>>(), t);
    let lane_of = Matrix::of_images(&graph.iter().map(|v| v & ones(k)).collect::<Vec<_>>(), k);
    lane_of.times(&cycle_of.inverse().expect("the graph meets K in 0 only"))
}

/// A vector in the span of `source` outside two spaces, unless one of them holds all of it.
fn outside(source: &[u64], one: &Space, other: &Space) -> Option<u64> {
    let a = *source.iter().find(|&&vector| !one.holds(vector))?;
    let b = *source.iter().find(|&&vector| !other.holds(vector))?;
    // If each lies in the other space, their sum lies in neither.
    [a, b, a ^ b].into_iter().find(|&vector| !one.holds(vector) && !other.holds(vector))
}

/// Two banks around one network: the first bank, the network, the second bank.
pub fn two_banks(blocks: &Blocks) -> (Storing, Switching, Storing) {
    let (k, t) = (blocks.lane_bits, blocks.cycle_bits);
    // The lane behind the network is P2·cycle + M·lane with M = P1 + P2·Y, which must be invertible: Y sends what P1 makes 0 to
    // what P2 makes the missing part of the lanes.
    let kernel = blocks.p1.kernel();
    let mut reached = Space::spanned_by(&blocks.p1.images());
    let missing: Vec<u64> =
        blocks.p2.images().into_iter().filter(|&image| reached.add(image)).take(kernel.len()).collect();
    let mut basis = kernel.clone();
    let mut spanned = Space::spanned_by(&kernel);
    basis.extend((0..k).map(|bit| 1 << bit).filter(|&vector| spanned.add(vector)));
    let cycle = |at: usize| missing.get(at).map_or(0, |&m| blocks.p2.preimage(m).expect("an image of P2"));
    let wanted: Vec<u64> = (0..k as usize).map(cycle).collect();
    let coordinates = Matrix::of_images(&basis, k).inverse().expect("a basis");
    let y = Matrix::of_images(&wanted, t).times(&coordinates);
    let lanes = blocks.p1.plus(&blocks.p2.times(&y));
    let undo = lanes.inverse().expect("P1 and P2 together reach every lane");
    let last = blocks.p3.plus(&blocks.p4.times(&y)).times(&undo);
    let cycles = blocks.p4.plus(&last.times(&blocks.p2));
    let first = Storing { from_cycle: Matrix::identity(t), from_lane: y };
    let network = Switching { from_cycle: blocks.p2.clone(), from_lane: lanes };
    (first, network, Storing { from_cycle: cycles, from_lane: last })
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_traffic::random::SplitMix64;

    /// A random invertible matrix; `rank` bounds the rank of a block to meet the rare cases.
    fn invertible(random: &mut SplitMix64, size: u32) -> Matrix {
        loop {
            // Products with few ones have blocks of low rank more often than random ones.
            let sparse = random.next().is_multiple_of(2);
            let row = |bit: u32, random: &mut SplitMix64| match sparse {
                true => 1 << bit | if random.next().is_multiple_of(3) { 1 << random.below(size) } else { 0 },
                false => random.next() & ones(size),
            };
            let mut rows: Vec<u64> = (0..size).map(|bit| row(bit, random)).collect();
            random.shuffle(&mut rows);
            let matrix = Matrix::new(rows, size);
            if matrix.rank() == size {
                return matrix;
            }
        }
    }

    /// Every word through the parts of both forms.
    fn run(blocks: &Blocks) {
        let (k, n) = (blocks.lane_bits, blocks.lane_bits + blocks.cycle_bits);
        let (front, bank, behind) = one_bank(blocks);
        let (first, network, last) = two_banks(blocks);
        for switching in [&front, &behind, &network] {
            assert_eq!(switching.from_lane.rank(), k, "lanes stay apart");
        }
        for bank in [&bank, &first, &last] {
            assert!(bank.from_cycle.inverse().is_some());
        }
        for word in 0..1u64 << n {
            let (cycle, lane) = (word >> k, word & ones(k));
            let due = blocks.matrix.apply(word);
            let lane_in = front.lane(cycle, lane);
            let cycle_out = bank.cycle(cycle, lane_in);
            assert_eq!(bank.inverse().cycle(cycle_out, lane_in), cycle);
            assert_eq!(cycle_out << k | behind.lane(cycle_out, lane_in), due);
            let between = first.cycle(cycle, lane);
            let lane_out = network.lane(between, lane);
            assert_eq!(last.cycle(between, lane_out) << k | lane_out, due);
        }
        assert_eq!(front.columns() + behind.columns(), blocks.columns_one_bank());
        assert_eq!(network.columns(), blocks.columns_two_banks());
    }

    #[test]
    fn a_thousand_random_matrices_take_the_fewest_columns_and_bring_every_word_to_its_place() {
        let mut random = SplitMix64(36);
        let mut by_ranks = 0;
        for case in 0..1000 {
            let n = 2 + case % 9;
            let lane_bits = 1 + random.below(n - 1);
            let blocks = Blocks::new(invertible(&mut random, n), lane_bits);
            by_ranks += u32::from(blocks.columns_one_bank() > blocks.columns_two_banks());
            run(&blocks);
        }
        assert!(by_ranks > 50, "{by_ranks} cases in which the ranks of P1 and P4 decide");
    }

    #[test]
    fn large_matrices_are_cut_too() {
        let mut random = SplitMix64(5);
        for n in [40, 63, 64] {
            let matrix = invertible(&mut random, n);
            let blocks = Blocks::new(matrix, n / 2);
            let (front, _, behind) = one_bank(&blocks);
            assert_eq!(front.columns() + behind.columns(), blocks.columns_one_bank());
            assert_eq!(two_banks(&blocks).1.columns(), blocks.columns_two_banks());
        }
    }
}

//! A demand in exactly h rounds: the words are the edges of a bipartite multigraph, and its edges take h colours (D. König, 1916).
//!
//! Edges between the same terminals are kept as one with a count. The graph is made regular, every node with d edges. An even d is
//! halved: half of every count goes to either side, and of the odd ones one edge remains, which Euler tours deal to the sides in turn
//! (H. Gabow, 1976). If no count is odd the sides are equal and one is coloured for both. From an odd d a perfect matching is taken, as
//! often as its smallest count: random walks find it (A. Goel, M. Kapralov and S. Khanna, "Perfect matchings in O(n log n) time in
//! regular bipartite graphs", 2010), with a fixed seed, so the result is always the same. A part of a graph that has more rounds
//! than edges is [peeled](crate::peel) instead: each configuration then uses up an edge.

use crate::demand::Demand;
use crate::matching::NONE;
use crate::peel::{Held, peel, stuffed};
use frit_traffic::random::SplitMix64;

/// Words between two terminals.
#[derive(Clone, Copy, Debug)]
struct Edge {
    left: u16,
    right: u16,
    count: u32,
}

/// A regular graph, its edges in order of left nodes, and how often it is to be coloured.
struct Part {
    edges: Vec<Edge>,
    degree: u32,
    times: u32,
}

/// Permutations that are held for h rounds in all, so that every pair of terminals is joined in at least as many rounds as it has
/// words. A permutation may stand in the list twice.
pub fn colour(demand: &Demand) -> Vec<Held> {
    let (n, degree) = (demand.terminals() as usize, demand.h());
    let full = stuffed(n, demand.matrix(), degree);
    let cell = |(at, &count): (usize, &u32)| Edge { left: (at / n) as u16, right: (at % n) as u16, count };
    let edges = full.iter().enumerate().filter(|(_, count)| **count > 0).map(cell).collect();
    let mut colouring = Colouring::new(n);
    let mut parts = vec![Part { edges, degree, times: 1 }];
    while let Some(part) = parts.pop() {
        colouring.step(part, &mut parts);
    }
    colouring.held
}

/// What all parts share: results, and room that is used again.
struct Colouring {
    n: usize,
    random: SplitMix64,
    held: Vec<Held>,
    /// Where the edges of each right node begin, among `of_right`.
    start: Vec<u32>,
    of_right: Vec<u32>,
    next_left: Vec<u32>,
    next_right: Vec<u32>,
}

/// An edge that no tour used yet; then, to which side it went.
const UNUSED: u8 = 2;

impl Colouring {
    fn new(n: usize) -> Self {
        let zeros = || vec![0; n + 1];
        let (next_left, next_right, start) = (zeros(), zeros(), zeros());
        Colouring { n, random: SplitMix64(1), held: vec![], start, of_right: vec![], next_left, next_right }
    }

    /// Colours a part, or replaces it by smaller ones.
    fn step(&mut self, part: Part, parts: &mut Vec<Part>) {
        let Part { edges, degree, times } = part;
        if degree == 0 {
            return;
        }
        if edges.len() == self.n {
            let to = edges.iter().map(|edge| edge.right).collect();
            self.held.push(Held { to, hold: degree * times });
        } else if degree as usize > edges.len() {
            let mut weights = vec![0; self.n * self.n];
            for edge in &edges {
                weights[usize::from(edge.left) * self.n + usize::from(edge.right)] = edge.count;
            }
            let peeled = peel(self.n, &mut weights, degree);
            self.held.extend(peeled.into_iter().map(|held| Held { hold: held.hold * times, ..held }));
        } else if degree % 2 == 1 {
            let (to, hold, edges) = self.matched(edges, degree);
            self.held.push(Held { to, hold: hold * times });
            parts.push(Part { edges, degree: degree - hold, times });
        } else {
            match self.halved(&edges) {
                None => {
                    let half = |edge: Edge| Edge { count: edge.count / 2, ..edge };
                    let edges = edges.into_iter().map(half).collect();
                    parts.push(Part { edges, degree: degree / 2, times: 2 * times });
                }
                Some([one, other]) => {
                    parts.push(Part { edges: one, degree: degree / 2, times });
                    parts.push(Part { edges: other, degree: degree / 2, times });
                }
            }
        }
    }

    /// Two graphs of half the degree, or `None` if they are the same one.
    fn halved(&mut self, edges: &[Edge]) -> Option<[Vec<Edge>; 2]> {
        let odd: Vec<(u16, u16)> =
            edges.iter().filter(|edge| edge.count % 2 == 1).map(|edge| (edge.left, edge.right)).collect();
        if odd.is_empty() {
            return None;
        }
        let sides = self.tours(&odd);
        let mut side_of_odd = sides.into_iter();
        let mut halves = [Vec::with_capacity(edges.len()), Vec::with_capacity(edges.len())];
        for edge in edges {
            let more = match edge.count % 2 {
                1 => side_of_odd.next(),
                _ => None,
            };
            for (side, half) in (0u8..).zip(&mut halves) {
                let count = edge.count / 2 + u32::from(more == Some(side));
                if count > 0 {
                    half.push(Edge { count, ..*edge });
                }
            }
        }
        Some(halves)
    }

    /// Walks along every edge once: side 0 from left to right, side 1 back. Every node has an even number of edges, so a walk ends
    /// where it began, and of the edges of a node half are walked in each direction.
    fn tours(&mut self, edges: &[(u16, u16)]) -> Vec<u8> {
        let n = self.n;
        self.start[..=n].fill(0);
        self.next_left[..=n].fill(0);
        for &(left, right) in edges {
            self.start[usize::from(right) + 1] += 1;
            self.next_left[usize::from(left) + 1] += 1;
        }
        for node in 0..n {
            self.start[node + 1] += self.start[node];
            self.next_left[node + 1] += self.next_left[node];
        }
        self.next_right.copy_from_slice(&self.start);
        self.of_right.clear();
        self.of_right.resize(edges.len(), 0);
        for (at, &(_, right)) in edges.iter().enumerate() {
            let next = &mut self.next_right[usize::from(right)];
            self.of_right[*next as usize] = at as u32;
            *next += 1;
        }
        self.next_right.copy_from_slice(&self.start);
        let mut side = vec![UNUSED; edges.len()];
        for (first, &(start, _)) in edges.iter().enumerate() {
            if side[first] != UNUSED {
                continue;
            }
            let mut left = start;
            loop {
                // Edges of a left node stand side by side.
                let next = &mut self.next_left[usize::from(left)];
                while edges.get(*next as usize).is_some_and(|edge| edge.0 == left)
                    && side[*next as usize] != UNUSED
                {
                    *next += 1;
                }
                let Some(&(_, right)) = edges.get(*next as usize).filter(|edge| edge.0 == left) else { break };
                side[*next as usize] = 0;
                *next += 1;
                let next = &mut self.next_right[usize::from(right)];
                while side[self.of_right[*next as usize] as usize] != UNUSED {
                    *next += 1;
                }
                let back = self.of_right[*next as usize] as usize;
                side[back] = 1;
                *next += 1;
                left = edges[back].0;
            }
        }
        side
    }

    /// A perfect matching, how often it can be taken, and what is left then.
    fn matched(&mut self, mut edges: Vec<Edge>, degree: u32) -> (Vec<u16>, u32, Vec<Edge>) {
        let n = self.n;
        // The sum of the counts before each edge: those of left node l begin at l · degree.
        let mut sums = Vec::with_capacity(edges.len());
        let mut sum = 0u64;
        let mut first = vec![0usize; n + 1];
        for (at, edge) in edges.iter().enumerate() {
            sums.push(sum);
            sum += u64::from(edge.count);
            first[usize::from(edge.left) + 1] = at + 1;
        }
        let mut edge_of_right = vec![NONE; n];
        let mut place = vec![NONE; n];
        let mut walk: Vec<(u32, u16)> = Vec::new();
        for start in 0..n as u16 {
            walk.clear();
            let mut at = start;
            loop {
                let node = usize::from(at);
                let drawn = node as u64 * u64::from(degree) + u64::from(self.random.below(degree));
                let range = first[node]..first[node + 1];
                let edge = range.start + sums[range].partition_point(|&sum| sum <= drawn) - 1;
                let right = edges[edge].right;
                if edge_of_right[usize::from(right)] == edge as u32 {
                    continue;
                }
                // A walk that comes back to a node leaves the loop out.
                if place[node] != NONE {
                    let length = place[node] as usize;
                    walk.drain(length..).for_each(|(_, node)| place[usize::from(node)] = NONE);
                }
                place[node] = walk.len() as u32;
                walk.push((edge as u32, at));
                match edge_of_right[usize::from(right)] {
                    NONE => break,
                    other => at = edges[other as usize].left,
                }
            }
            for &(edge, node) in &walk {
                place[usize::from(node)] = NONE;
                edge_of_right[usize::from(edges[edge as usize].right)] = edge;
            }
        }
        let hold = edge_of_right.iter().map(|&edge| edges[edge as usize].count).min().unwrap_or(degree);
        let mut to = vec![0; n];
        for &edge in &edge_of_right {
            let edge = &mut edges[edge as usize];
            to[usize::from(edge.left)] = edge.right;
            edge.count -= hold;
        }
        edges.retain(|edge| edge.count > 0);
        (to, hold, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Kind, generate};
    use proptest::prelude::*;

    /// What the permutations carry is enough, in h rounds.
    fn fits(demand: &Demand, held: &[Held]) -> bool {
        let n = demand.terminals() as usize;
        let mut room = vec![0u64; n * n];
        for Held { to, hold } in held {
            let mut seen = vec![false; n];
            for (source, &to) in to.iter().enumerate() {
                if std::mem::replace(&mut seen[usize::from(to)], true) {
                    return false;
                }
                room[source * n + usize::from(to)] += u64::from(*hold);
            }
        }
        let rounds: u64 = held.iter().map(|held| u64::from(held.hold)).sum();
        rounds == u64::from(demand.h())
            && room.iter().zip(demand.matrix()).all(|(&room, &words)| room >= u64::from(words))
    }

    proptest! {
        #[test]
        fn any_demand_fits_into_h_rounds(n in 2u64..40, words in 0u32..3000, kind in 0usize..5, seed in any::<u64>()) {
            let kinds = [
                Kind::Uniform { words },
                Kind::Zipf { words, exponent: 1.3 },
                Kind::HotSpot { words, hot: 1, percent: 60 },
                Kind::Sparse { pairs: 2, words: words + 1 },
                Kind::BlockDiagonal { words, block: 2 },
            ];
            let demand = generate(&kinds[kind], n, seed).unwrap();
            prop_assert!(fits(&demand, &colour(&demand)));
        }
    }

    #[test]
    fn a_configuration_that_is_held_is_one_entry() {
        // A permutation of 1000 words a source; and the four terminals of the example.
        let one = generate(&Kind::Sparse { pairs: 1, words: 1000 }, 64, 3).unwrap();
        assert_eq!(colour(&one).len(), 1);
        let few = Demand::from_list(4, [(0, 1, 100), (1, 0, 1), (2, 3, 1), (3, 2, 1)]).unwrap();
        let held = colour(&few);
        assert!(fits(&few, &held));
        assert_eq!(held.len(), 1, "{held:?}");
    }

    #[test]
    fn a_permutation_or_a_round_less_is_noticed() {
        let demand = generate(&Kind::Uniform { words: 40 }, 8, 1).unwrap();
        let held = colour(&demand);
        let mut short = held.clone();
        short[0].hold -= 1;
        assert!(!fits(&demand, &short));
        let mut wrong = held;
        wrong[0].to[0] = wrong[0].to[1];
        assert!(!fits(&demand, &wrong));
    }
}

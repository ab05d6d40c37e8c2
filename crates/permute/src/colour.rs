//! Edge colouring of regular bipartite graphs (D. König, 1916): the edges of a graph in which every node has d edges take d
//! colours, so that the edges of a node have different ones.
//!
//! An even degree is halved: an Euler tour of all edges takes them alternately there and back, and either half of the edges is
//! regular. From an odd degree a perfect matching is taken, found by random walks (A. Goel, M. Kapralov and S. Khanna, "Perfect
//! matchings in O(n log n) time in regular bipartite graphs", 2010; the walks have a fixed seed, so the result is always the same).

use frit_traffic::random::SplitMix64;

/// The colour of each edge (left node, right node) of a graph with `nodes` nodes on either side, each with `degree` edges.
///
/// # Panics
///
/// If a node has another number of edges.
pub fn colour(nodes: u32, degree: u32, edges: &[(u32, u32)]) -> Vec<u32> {
    for side in [0, 1] {
        let mut count = vec![0; nodes as usize];
        edges.iter().for_each(|edge| count[[edge.0, edge.1][side] as usize] += 1);
        assert!(count.iter().all(|&count| count == degree), "a regular graph of degree {degree}");
    }
    let mut colours = vec![0; edges.len()];
    let mut tasks = vec![((0..edges.len() as u32).collect::<Vec<u32>>(), degree, 0)];
    while let Some((part, degree, first)) = tasks.pop() {
        if degree == 1 {
            part.iter().for_each(|&edge| colours[edge as usize] = first);
        } else if degree % 2 == 1 {
            let (matching, rest) = matched(nodes, degree, edges, &part);
            matching.iter().for_each(|&edge| colours[edge as usize] = first);
            tasks.push((rest, degree - 1, first + 1));
        } else {
            let (one, other) = halved(nodes, edges, &part);
            tasks.push((one, degree / 2, first));
            tasks.push((other, degree / 2, first + degree / 2));
        }
    }
    colours
}

/// The edges of each node; left nodes first.
fn incident(nodes: u32, edges: &[(u32, u32)], part: &[u32]) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); 2 * nodes as usize];
    for &edge in part {
        let (left, right) = edges[edge as usize];
        of[left as usize].push(edge);
        of[(nodes + right) as usize].push(edge);
    }
    of
}

/// Edges walked from left to right, and from right to left, on tours that use each edge once.
fn halved(nodes: u32, edges: &[(u32, u32)], part: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut of = incident(nodes, edges, part);
    let mut used = vec![false; edges.len()];
    let (mut there, mut back) = (Vec::new(), Vec::new());
    for start in 0..nodes as usize {
        let mut at = start;
        // Every node has an even number of edges, so a walk ends where it began.
        while let Some(edge) = of[at].pop() {
            if std::mem::replace(&mut used[edge as usize], true) {
                continue;
            }
            let (left, right) = edges[edge as usize];
            if at < nodes as usize {
                there.push(edge);
                at = (nodes + right) as usize;
            } else {
                back.push(edge);
                at = left as usize;
            }
        }
    }
    (there, back)
}

/// A perfect matching, and the other edges.
fn matched(nodes: u32, degree: u32, edges: &[(u32, u32)], part: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let of = incident(nodes, edges, part);
    let mut random = SplitMix64(1);
    let mut of_right: Vec<Option<u32>> = vec![None; nodes as usize];
    for left in 0..nodes {
        // The edges of the walk, and the place on it of each left node.
        let mut walk: Vec<u32> = Vec::new();
        let mut place: std::collections::BTreeMap<u32, usize> = [(left, 0)].into();
        let mut at = left;
        loop {
            let edge = of[at as usize][random.below(degree) as usize];
            let right = edges[edge as usize].1;
            if of_right[right as usize] == Some(edge) {
                continue;
            }
            walk.push(edge);
            let Some(other) = of_right[right as usize] else { break };
            at = edges[other as usize].0;
            match place.get(&at) {
                // A loop of the walk is left out.
                Some(&length) => {
                    walk.truncate(length);
                    place.retain(|_, its| *its <= length);
                }
                None => {
                    place.insert(at, walk.len());
                }
            }
        }
        walk.iter().for_each(|&edge| of_right[edges[edge as usize].1 as usize] = Some(edge));
    }
    let matching: Vec<u32> = of_right.into_iter().flatten().collect();
    let mut taken = vec![false; edges.len()];
    matching.iter().for_each(|&edge| taken[edge as usize] = true);
    let rest = part.iter().copied().filter(|&edge| !taken[edge as usize]).collect();
    (matching, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn edges_of_a_node_have_different_colours(nodes in 1u32..40, degree in 1u32..13, seed in any::<u64>()) {
            let mut random = SplitMix64(seed);
            // Edges of a random order of words: word i joins cycle i / d with cycle j / d.
            let order = random.permutation(nodes * degree);
            let edges: Vec<(u32, u32)> =
                order.iter().enumerate().map(|(i, j)| (i as u32 / degree, j / degree)).collect();
            let colours = colour(nodes, degree, &edges);
            for side in [0, 1] {
                let mut seen = vec![false; (nodes * degree) as usize];
                for (edge, &colour) in edges.iter().zip(&colours) {
                    prop_assert!(colour < degree);
                    let place = [edge.0, edge.1][side] * degree + colour;
                    prop_assert!(!std::mem::replace(&mut seen[place as usize], true));
                }
            }
        }
    }
}

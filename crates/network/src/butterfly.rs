//! The Butterfly and the Butterfly–Butterfly ("Realizing the right Latin square on the Butterfly–Butterfly",
//! Definition III.1).

use crate::Refusal;
use crate::network::{MAX_TERMINALS, Network};

/// The n-stage Butterfly with `terminals = 2^n` inputs, n ≥ 2.
///
/// After node stage `e - 1` comes edge stage `e = 1..n-1`: output port `p` of node `v` goes to the node equal to `v`
/// but with bit `n - 1 - e` set to `p` (edge stage 1 touches the most significant node bit), on the side given by
/// the old value of that bit.
pub fn butterfly(terminals: u64) -> Result<Network, Refusal> {
    let n = bits("the Butterfly", terminals)?;
    Network::new("butterfly", terminals as u32, columns(n, &edge_stages(n)))
}

/// Two Butterflies that share their middle stage: `2n - 1` stages, edge stages `1..n-1` twice.
pub fn butterfly_butterfly(terminals: u64) -> Result<Network, Refusal> {
    let n = bits("the Butterfly-Butterfly", terminals)?;
    let once = edge_stages(n);
    Network::new("butterfly-butterfly", terminals as u32, columns(n, &[once.clone(), once].concat()))
}

/// Two whole Butterflies, the outputs of the first wired straight to the inputs of the second: `2n` stages, as one
/// Butterfly that is passed twice.
pub fn butterfly_planes(terminals: u64) -> Result<Network, Refusal> {
    let plane = butterfly(terminals)?;
    let n = plane.stages() as usize;
    // The inputs and outputs of a Butterfly are its ports, so the first column of the second plane joins the two.
    let links = plane.links()[..n].iter().chain(plane.links()).cloned().collect();
    Network::new("butterfly-planes", plane.terminals(), links)
}

/// log2 of the number of terminals, if it is a power of two that a builder takes; else a refusal in the name of `fabric`.
pub fn bits(fabric: &str, terminals: u64) -> Result<u32, Refusal> {
    if terminals.is_power_of_two() && (4..=MAX_TERMINALS).contains(&terminals) {
        return Ok(terminals.trailing_zeros());
    }
    let clamped = terminals.clamp(4, MAX_TERMINALS);
    let above = clamped.next_power_of_two();
    let nearest = if above > clamped && clamped - above / 2 < above - clamped { above / 2 } else { above };
    Err(Refusal::size(fabric, terminals, "a power of two from 4 to 1048576", nearest, ""))
}

/// The edge stages of one Butterfly, 1 … n - 1.
pub(crate) fn edge_stages(n: u32) -> Vec<u32> {
    (1..n).collect()
}

/// The link columns of a network whose edge stages are these, in this order.
pub(crate) fn columns(n: u32, edges: &[u32]) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..1u32 << n).collect();
    let mut links = vec![identity.clone()];
    links.extend(edges.iter().map(|&e| (0..1u32 << n).map(|port| edge(n, e, port)).collect::<Vec<u32>>()));
    links.push(identity);
    links
}

/// Where output port `port` of node stage `e - 1` leads.
fn edge(n: u32, e: u32, port: u32) -> u32 {
    let (node, side) = (port / 2, port % 2);
    let bit = n - 1 - e;
    let old = node >> bit & 1;
    let next = node & !(1 << bit) | side << bit;
    2 * next + old
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::StageIdx;

    #[test]
    fn sizes_that_do_not_exist_are_refused_with_the_nearest() {
        for (given, nearest) in
            [(0, 4), (3, 4), (7, 8), (5, 4), (24, 32), (17, 16), (u64::MAX, MAX_TERMINALS)]
        {
            assert_eq!(butterfly(given).unwrap_err().nearest(), Some(nearest), "for {given}");
        }
    }

    #[test]
    fn the_first_edge_stage_swaps_the_most_significant_node_bit() {
        let network = butterfly(16).unwrap();
        // node 0b101, output 0: bit 2 becomes 0, entered on side 1
        assert_eq!(network.link(StageIdx(1))[0b1010], 0b0011);
        // node 0b101, output 1: stays in row 0b101, entered on side 1
        assert_eq!(network.link(StageIdx(1))[0b1011], 0b1011);
        // last edge stage touches bit 0
        assert_eq!(network.link(StageIdx(3))[0b1010], 0b1001);
    }

    #[test]
    fn shapes() {
        for n in 2..=10 {
            let size = 1u64 << n;
            let (single, double) = (butterfly(size).unwrap(), butterfly_butterfly(size).unwrap());
            let planes = butterfly_planes(size).unwrap();
            assert_eq!(planes.links()[..n as usize], single.links()[..n as usize]);
            assert_eq!(planes.links()[n as usize..], *single.links());
            assert_eq!(single.stages(), n);
            assert_eq!(double.stages(), 2 * n - 1);
            assert_eq!(double.switches(), (2 * n as u64 - 1) * size / 2);
            assert_eq!(double.links()[1..n as usize], single.links()[1..n as usize]);
            assert_eq!(double.links()[n as usize..2 * n as usize - 1], single.links()[1..n as usize]);
        }
    }

    #[test]
    fn one_butterfly_joins_every_input_to_every_output() {
        let network = butterfly(32).unwrap();
        for input in 0..32u32 {
            let mut reached: Vec<u32> = vec![network.link(StageIdx(0))[input as usize]];
            for stage in 1..=network.stages() {
                let link = network.link(StageIdx(stage));
                reached = reached.iter().flat_map(|&p| [link[p as usize], link[p as usize ^ 1]]).collect();
            }
            reached.sort_unstable();
            assert_eq!(reached, (0..32).collect::<Vec<_>>(), "from {input}");
        }
    }
}

//! The Beneš network: a Butterfly and the inverse one behind it, sharing their middle stage ("Mathematical Theory of
//! Connecting Networks and Telephone Traffic", V. E. Beneš, 1965, chapter 3).

use crate::Refusal;
use crate::butterfly::{bits, columns, edge_stages};
use crate::network::Network;

/// The Beneš network with `terminals = 2^n` inputs, n ≥ 2: `2n - 1` stages, edge stages 1 … n-1 and then n-1 … 1 of the
/// [Butterfly](crate::butterfly::butterfly).
///
/// It is recursive: edge stage 1 joins output side s of every switch of stage 0 to half s of the ports (s is the most
/// significant bit of a port), each half is a Beneš network of half the size, and the last edge stage joins half s
/// to input side s of every switch of the last stage. Inside its half switch v is met at port v rotated left by one bit.
pub fn benes(terminals: u64) -> Result<Network, Refusal> {
    let n = bits("the Benes network", terminals)?;
    let there = edge_stages(n);
    let back = there.iter().rev().copied();
    let edges: Vec<u32> = there.iter().copied().chain(back).collect();
    Network::new("benes", terminals as u32, columns(n, &edges))
}

/// The Beneš network with [groups](Network::grouped) of stages, columns of 4×4 switches: the three middle stages, and then two by two to both
/// ends. An end of one stage is left over if n is odd.
pub fn benes_radix4(terminals: u64) -> Result<Network, Refusal> {
    let grouped = benes(terminals)?.grouped(radix4_groups(terminals.ilog2()));
    Ok(grouped.expect("the middle of a Beneš network, and two stages of its halves, have 4 lanes"))
}

/// The stages of each group of the network with 2^n terminals, n ≥ 2.
pub fn radix4_groups(n: u32) -> Vec<u32> {
    let end = std::iter::repeat_n(2, (n - 2) as usize / 2);
    let left = (n % 2 == 1).then_some(1);
    left.into_iter().chain(end.clone()).chain([3]).chain(end).chain(left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::StageIdx;

    #[test]
    fn groups_of_four_lanes_reach_from_the_middle_to_the_ends() {
        let sizes = |n: u32| benes_radix4(1 << n).unwrap().group_sizes().to_vec();
        assert_eq!(sizes(2), [3]);
        assert_eq!(sizes(3), [1, 3, 1]);
        assert_eq!(sizes(4), [2, 3, 2]);
        assert_eq!(sizes(5), [1, 2, 3, 2, 1]);
        assert_eq!(sizes(6), [2, 2, 3, 2, 2]);
        assert_eq!(sizes(10).iter().sum::<u32>(), 19);
    }

    #[test]
    fn the_halves_are_benes_networks_of_half_the_size() {
        for n in 3..=10 {
            let (whole, half) = (benes(1 << n).unwrap(), benes(1 << (n - 1)).unwrap());
            assert_eq!(whole.stages(), 2 * n - 1);
            let size = 1u32 << (n - 1);
            // Column c of the half is column c + 1 of the whole, in both halves, between the first and the last.
            for column in 1..half.stages() {
                for port in 0..size {
                    let inner = half.link(StageIdx(column))[port as usize];
                    let outer = whole.link(StageIdx(column + 1));
                    assert_eq!(outer[port as usize], inner);
                    assert_eq!(outer[(port + size) as usize], inner + size);
                }
            }
        }
    }

    #[test]
    fn each_switch_of_the_ends_has_one_wire_to_each_half() {
        for n in 2..=10u32 {
            let network = benes(1 << n).unwrap();
            let half = 1u32 << (n - 1);
            let (first, last) = (network.link(StageIdx(1)), network.sources(StageIdx(2 * n - 2)));
            for switch in 0..half {
                let rotated = (switch << 1 & (half - 1)) | switch >> (n - 2);
                for side in 0..2 {
                    let port = (2 * switch + side) as usize;
                    assert_eq!(first[port], side * half + rotated);
                    assert_eq!(last[port], side * half + rotated);
                }
            }
        }
    }

    #[test]
    fn the_second_half_mirrors_the_first() {
        let network = benes(32).unwrap();
        let stages = network.stages();
        for column in 0..=stages {
            assert_eq!(network.link(StageIdx(column)), network.sources(StageIdx(stages - column)));
        }
    }
}

//! The general shuffle-exchange network (GSEN) for any even number of terminals.

use crate::Refusal;
use crate::network::{MAX_TERMINALS, Network};

/// The general shuffle-exchange network on `terminals` lanes, any even number ≥ 4: with 2^n < N ≤ 2^(n+1), n + 1
/// stages; before every stage port `i` moves to `(2i + ⌊2i/N⌋) mod N`.
///
/// Source: the thesis on all-to-all personalized exchange in generalized shuffle-exchange networks, chapter 2.
pub fn shuffle_exchange(terminals: u64) -> Result<Network, Refusal> {
    if !terminals.is_multiple_of(2) || !(4..=MAX_TERMINALS).contains(&terminals) {
        let clamped = terminals.clamp(4, MAX_TERMINALS);
        let nearest = clamped + clamped % 2;
        let fabric = "the general shuffle-exchange network";
        return Err(Refusal::size(fabric, terminals, "an even number from 4 to 1048576", nearest, ""));
    }
    let shuffle: Vec<u32> =
        (0..terminals).map(|i| ((2 * i + 2 * i / terminals) % terminals) as u32).collect();
    let mut links = vec![shuffle; stages(terminals) as usize];
    links.push((0..terminals as u32).collect());
    Network::new("general-shuffle-exchange", terminals as u32, links)
}

/// Stages of the network with this many terminals: ⌈log2 N⌉.
pub fn stages(terminals: u64) -> u32 {
    (terminals - 1).ilog2() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::StageIdx;

    #[test]
    fn the_shuffle_of_ten() {
        let network = shuffle_exchange(10).unwrap();
        assert_eq!(network.stages(), 4);
        for stage in 0..4 {
            assert_eq!(network.link(StageIdx(stage)), [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]);
        }
        assert_eq!(network.link(StageIdx(4)), (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn stages_grow_by_one_at_each_power_of_two() {
        for (terminals, expected) in [(4, 2), (6, 3), (8, 3), (10, 4), (16, 4), (18, 5), (32, 5), (34, 6)] {
            assert_eq!(shuffle_exchange(terminals).unwrap().stages(), expected, "N = {terminals}");
        }
    }

    #[test]
    fn every_even_size_is_wired_once() {
        for terminals in (4..=300).step_by(2) {
            shuffle_exchange(terminals).unwrap();
        }
    }

    #[test]
    fn odd_and_tiny_sizes_are_refused() {
        for (given, nearest) in [(0, 4), (2, 4), (3, 4), (7, 8), (9, 10)] {
            assert_eq!(shuffle_exchange(given).unwrap_err().nearest(), Some(nearest));
        }
    }
}

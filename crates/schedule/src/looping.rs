//! The looping algorithm: switch settings of the Beneš network for any permutation (D. C. Opferman and N. T. Tsao-Wu,
//! "On a class of rearrangeable switching networks", Bell System Technical Journal 50, 1971).
//!
//! Inputs that share a switch of the first stage must take different halves of the network, and so must outputs that
//! share a switch of the last. Following these two rules in turn runs through loops of inputs and outputs, and each
//! loop can be settled by choosing the half of one input. What is left is a permutation in each half.

use frit_network::{Refusal, StageIdx, SwitchIdx, SwitchState, refuse};

/// The states `[stage][switch]` that take input i of the Beneš network to output `permutation[i]`. The first input of each
/// loop takes the upper half, so that the identity is straight everywhere. Time and memory O(N log N).
///
/// # Panics
///
/// If an output is missing: [`frit_traffic::permutation::parse`] gives permutations.
pub fn settings(permutation: &[u32]) -> Result<Vec<Vec<SwitchState>>, Refusal> {
    settings_choosing(permutation, |_| false)
}

/// A switch of a loop, and whether it is crossed if the first input of the loop takes the upper half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfLoop {
    /// Its stage.
    pub stage: StageIdx,
    /// Which switch of the stage.
    pub switch: SwitchIdx,
    /// Whether it is crossed then; otherwise if the loop is turned.
    pub cross: bool,
}

/// The same; `turned` says of each loop, whose switches it is given, whether its first input takes the lower half. The outer loops come
/// before the inner ones, which depend on them.
///
/// # Panics
///
/// As [`settings`].
pub fn settings_choosing(
    permutation: &[u32],
    mut turned: impl FnMut(&[OfLoop]) -> bool,
) -> Result<Vec<Vec<SwitchState>>, Refusal> {
    let terminals = permutation.len();
    if !terminals.is_power_of_two() || terminals < 4 {
        refuse!(
            "a permutation of {terminals} terminals does not fit the Benes network; its number of terminals is a power of two, at least 4"
        );
    }
    let n = terminals.trailing_zeros() as usize;
    let last = 2 * n - 2;
    let mut states = vec![vec![SwitchState::Straight; terminals / 2]; last + 1];
    // The permutations of the blocks of 2^m ports side by side, each in the numbers of its block.
    let mut blocks = permutation.to_vec();
    for level in 0..n - 1 {
        let size = terminals >> level;
        let mut halves = vec![0; terminals];
        for start in (0..terminals).step_by(size) {
            let block = &blocks[start..start + size];
            let upper = sides(
                block,
                |[input, output]| {
                    let of_loop = |stage: usize, port: usize| OfLoop {
                        stage: StageIdx(stage as u32),
                        switch: SwitchIdx((start / 2 + port / 2) as u32),
                        cross: port % 2 == 1,
                    };
                    [of_loop(level, input), of_loop(last - level, output)]
                },
                &mut turned,
            );
            for (input, &output) in block.iter().enumerate() {
                let half = !upper[input];
                // The upper input of a switch says where it is set, and so does the upper output.
                if input % 2 == 0 {
                    states[level][start / 2 + input / 2] = SwitchState::from_bit(half);
                }
                if output % 2 == 0 {
                    states[last - level][start / 2 + output as usize / 2] = SwitchState::from_bit(half);
                }
                let port = |switch: usize| (switch << 1 & (size / 2 - 1)) | (switch / (size / 4));
                halves[start + half as usize * (size / 2) + port(input / 2)] =
                    port(output as usize / 2) as u32;
            }
        }
        blocks = halves;
    }
    for (switch, pair) in blocks.chunks_exact(2).enumerate() {
        states[n - 1][switch] = SwitchState::from_bit(pair[0] == 1);
    }
    Ok(states)
}

/// For every input of a block whether its message takes the upper half. `switches`: the switches of an input and its output.
fn sides(
    permutation: &[u32],
    switches: impl Fn([usize; 2]) -> [OfLoop; 2],
    turned: &mut impl FnMut(&[OfLoop]) -> bool,
) -> Vec<bool> {
    const NONE: u32 = u32::MAX;
    let mut source_of = vec![NONE; permutation.len()];
    for (input, &output) in permutation.iter().enumerate() {
        source_of[output as usize] = input as u32;
    }
    let mut upper = vec![false; permutation.len()];
    let mut settled = vec![false; permutation.len()];
    let (mut pairs, mut of_loop) = (Vec::new(), Vec::new());
    for start in 0..permutation.len() {
        let mut input = start;
        pairs.clear();
        of_loop.clear();
        while !settled[input] {
            // This input takes one half, the source of the output beside its own the other.
            let output = permutation[input] as usize;
            let beside = source_of[output ^ 1];
            assert!(beside != NONE, "not a permutation: output {} is missing", output ^ 1);
            (settled[input], settled[beside as usize]) = (true, true);
            pairs.push([input, beside as usize]);
            of_loop.extend(switches([input, output]));
            input = beside as usize ^ 1;
        }
        if !pairs.is_empty() {
            let turned = turned(&of_loop);
            pairs.iter().for_each(|&[input, beside]| (upper[input], upper[beside]) = (!turned, turned));
        }
    }
    upper
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::route_settings;
    use frit_network::{Network, benes};
    use frit_traffic::random::SplitMix64;
    use proptest::prelude::*;

    /// Routes the settings on the bare network.
    fn routed(network: &Network, states: &[Vec<SwitchState>]) -> Vec<u32> {
        route_settings(network, states).destinations
    }

    /// All permutations, by Heap's algorithm.
    fn all(count: usize, mut see: impl FnMut(&[u32])) {
        let mut permutation: Vec<u32> = (0..count as u32).collect();
        let mut turns = vec![0; count];
        see(&permutation);
        let mut at = 1;
        while at < count {
            if turns[at] < at {
                permutation.swap(if at % 2 == 0 { 0 } else { turns[at] }, at);
                see(&permutation);
                turns[at] += 1;
                at = 1;
            } else {
                turns[at] = 0;
                at += 1;
            }
        }
    }

    #[test]
    fn every_permutation_of_four_and_of_eight_is_routed() {
        for (count, expected) in [(4, 24), (8, 40320)] {
            let network = benes(count as u64).unwrap();
            let mut seen = std::collections::BTreeSet::new();
            all(count, |permutation| {
                let states = settings(permutation).unwrap();
                assert_eq!(routed(&network, &states), permutation);
                seen.insert(permutation.to_vec());
            });
            assert_eq!(seen.len(), expected);
        }
    }

    #[test]
    fn one_wrong_switch_is_seen() {
        // The yardstick of the test above: any one switch set otherwise gives another permutation.
        let network = benes(8).unwrap();
        let permutation = [3, 7, 4, 0, 2, 6, 1, 5];
        let states = settings(&permutation).unwrap();
        for stage in 0..states.len() {
            for switch in 0..4 {
                let mut wrong = states.clone();
                wrong[stage][switch] = SwitchState::from_bit(!wrong[stage][switch].bit());
                assert_ne!(routed(&network, &wrong), permutation);
            }
        }
    }

    #[test]
    fn the_identity_is_straight() {
        let identity: Vec<u32> = (0..64).collect();
        let states = settings(&identity).unwrap();
        assert!(states.iter().flatten().all(|&state| state == SwitchState::Straight));
    }

    #[test]
    fn other_sizes_are_refused() {
        for count in [0, 1, 2, 3, 6, 12] {
            let permutation: Vec<u32> = (0..count).collect();
            let text = settings(&permutation).unwrap_err().to_string();
            assert!(text.starts_with(&format!("a permutation of {count} terminals does not fit the Benes")));
        }
    }

    fn shuffled(count: usize, seed: u64) -> Vec<u32> {
        let mut permutation: Vec<u32> = (0..count as u32).collect();
        let mut random = SplitMix64(seed);
        for i in (1..count).rev() {
            permutation.swap(i, (random.next() % (i as u64 + 1)) as usize);
        }
        permutation
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn random_permutations_up_to_4096_are_routed(n in 2u32..=12, seed in any::<u64>()) {
            let permutation = shuffled(1 << n, seed);
            let network = benes(1 << n).unwrap();
            prop_assert_eq!(routed(&network, &settings(&permutation).unwrap()), permutation);
        }
    }

    #[test]
    fn a_random_permutation_of_4096_is_routed() {
        let permutation = shuffled(4096, 1);
        assert_eq!(routed(&benes(4096).unwrap(), &settings(&permutation).unwrap()), permutation);
    }
}

//! Which permutations one Butterfly can route: the test by conflict windows.
//!
//! For j = 1 … n - 1 the window W_j = s_{n-j} … s_1 d_{n-1} … d_{n-j} over all sources must hold N different values;
//! two equal rows are two inputs that want the same output at node stage j - 1. (Latin square of rotations on the
//! Butterfly-Butterfly, section III.)

use crate::route::Conflict;
use frit_network::{StageIdx, SwitchIdx};

/// What [`windows`] can refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a permutation of {given} terminals: the Butterfly needs a power of two, at least 4")]
pub struct NotASize {
    /// Terminals given.
    pub given: usize,
}

/// Tests a permutation by its conflict windows: `Ok(None)` when one Butterfly routes it, else the conflict of the
/// smallest stage and switch.
pub fn windows(permutation: &[u32]) -> Result<Option<Conflict>, NotASize> {
    let count = permutation.len();
    if !count.is_power_of_two() || count < 4 {
        return Err(NotASize { given: count });
    }
    let n = count.trailing_zeros();
    // The last stage cannot conflict: its window is the whole destination, and a permutation repeats none.
    for j in 1..n {
        let window = |source: u32| {
            let from_source = source >> 1 & ((1 << (n - j)) - 1);
            from_source << j | permutation[source as usize] >> (n - j)
        };
        let mut seen: Vec<Option<u32>> = vec![None; count];
        let mut first: Option<Conflict> = None;
        for source in 0..count as u32 {
            if let Some(other) = seen[window(source) as usize].replace(source) {
                let found = conflict(n, j, [other, source], permutation);
                if first.is_none_or(|f| found.switch < f.switch) {
                    first = Some(found);
                }
            }
        }
        if first.is_some() {
            return Ok(first);
        }
    }
    Ok(None)
}

/// The place where two inputs with equal windows meet: node stage j - 1.
fn conflict(n: u32, j: u32, inputs: [u32; 2], permutation: &[u32]) -> Conflict {
    // By node stage j - 1 the j - 1 most significant node bits have become the first label bits.
    let stage = j - 1;
    let node = inputs[0] >> 1;
    let low = node & ((1u32 << (n - 1 - stage)) - 1);
    let high = permutation[inputs[0] as usize] >> (n - stage);
    Conflict {
        round: 0,
        stage: StageIdx(stage),
        switch: SwitchIdx(high << (n - 1 - stage) | low),
        inputs,
        wanted: permutation[inputs[0] as usize] >> (n - j) & 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::route_labels;
    use frit_network::butterfly;
    use proptest::prelude::*;

    fn routed(permutation: &[u32]) -> Option<Conflict> {
        let network = butterfly(permutation.len() as u64).unwrap();
        let n = network.stages();
        route_labels(&network, 0, |lane, stage| permutation[lane as usize] >> (n - 1 - stage) & 1 == 1).err()
    }

    fn agrees(permutation: &[u32]) {
        let (by_windows, by_routing) = (windows(permutation).unwrap(), routed(permutation));
        let place = |c: Conflict| {
            let mut inputs = c.inputs;
            inputs.sort();
            (c.stage, c.switch, inputs, c.wanted)
        };
        assert_eq!(by_windows.map(place), by_routing.map(place), "{permutation:?}");
    }

    #[test]
    fn all_permutations_of_four() {
        let mut admissible = 0;
        for p in 0..256u32 {
            let permutation: Vec<u32> = (0..4).map(|i| p >> (2 * i) & 3).collect();
            let mut sorted = permutation.clone();
            sorted.sort();
            if sorted == [0, 1, 2, 3] {
                agrees(&permutation);
                admissible += windows(&permutation).unwrap().is_none() as u32;
            }
        }
        assert_eq!(admissible, 16); // 4 switches, 2^4 settings, all different
    }

    #[test]
    fn rotations_and_the_identity_conflict() {
        for order in 0..16u32 {
            let rotation: Vec<u32> = (0..16).map(|i| (i + order) % 16).collect();
            assert!(windows(&rotation).unwrap().is_some(), "no MIN routes a rotation: order {order}");
            agrees(&rotation);
        }
    }

    proptest! {
        #[test]
        fn windows_agree_with_routing(n in 2u32..7, seed in any::<u64>()) {
            let mut permutation: Vec<u32> = (0..1 << n).collect();
            let mut random = frit_traffic::random::SplitMix64(seed);
            for i in (1..permutation.len()).rev() {
                permutation.swap(i, (random.next() % (i as u64 + 1)) as usize);
            }
            agrees(&permutation);
        }

        #[test]
        fn random_settings_give_admissible_permutations(n in 2u32..7, seed in any::<u64>()) {
            let network = butterfly(1 << n).unwrap();
            let random = std::cell::RefCell::new(frit_traffic::random::SplitMix64(seed));
            let routed = crate::route::route_states(&network, |_, _| {
                frit_network::SwitchState::from_bit(random.borrow_mut().next() & 1 == 1)
            });
            prop_assert_eq!(windows(&routed.destinations).unwrap(), None);
            agrees(&routed.destinations);
        }
    }
}

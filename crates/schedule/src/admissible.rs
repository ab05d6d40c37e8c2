//! Which permutations one Butterfly can route: the test by conflict windows.
//!
//! For j = 1 … n - 1 the window W_j = s_{n-j} … s_1 d_{n-1} … d_{n-j} over all sources must hold N different values;
//! two equal rows are two inputs that want the same output at node stage j - 1. (Latin square of rotations on the
//! Butterfly-Butterfly, section III.)

use frit_network::{Refusal, StageIdx, SwitchIdx, refuse};

/// Inputs whose messages want the same output of a switch, in the order of stages, switches and outputs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// The node stage, one less than the window.
    pub stage: StageIdx,
    /// The switch.
    pub switch: SwitchIdx,
    /// The output that they want: 0 or 1.
    pub wanted: u32,
    /// The inputs of the network, two or more.
    pub inputs: Vec<u32>,
}

/// Lists the conflicts of a permutation, by its conflict windows. The list is empty if one Butterfly routes the permutation.
///
/// After a conflict both messages go on, as in the paper's Figure 3, so later stages are tested, too.
pub fn windows(permutation: &[u32]) -> Result<Vec<Meeting>, Refusal> {
    let count = permutation.len();
    if !count.is_power_of_two() || count < 4 {
        refuse!(
            "a permutation of {count} terminals does not fit the Butterfly; its number of terminals is a power of two, at least 4"
        );
    }
    let n = count.trailing_zeros();
    let mut meetings = Vec::new();
    // The last stage cannot conflict: its window is the whole destination, and a permutation repeats none.
    for j in 1..n {
        let mut rows: Vec<Vec<u32>> = vec![vec![]; count];
        for source in 0..count as u32 {
            let from_source = source >> 1 & ((1 << (n - j)) - 1);
            rows[(from_source << j | permutation[source as usize] >> (n - j)) as usize].push(source);
        }
        let equal = rows.into_iter().filter(|inputs| inputs.len() > 1);
        meetings.extend(equal.map(|inputs| meeting(n, j, inputs, permutation)));
    }
    meetings.sort();
    Ok(meetings)
}

/// The place where inputs with equal windows meet: node stage j - 1.
fn meeting(n: u32, j: u32, inputs: Vec<u32>, permutation: &[u32]) -> Meeting {
    // By node stage j - 1 the j - 1 most significant node bits have become the first label bits.
    let stage = j - 1;
    let node = inputs[0] >> 1;
    let low = node & ((1u32 << (n - 1 - stage)) - 1);
    let destination = permutation[inputs[0] as usize];
    let high = destination >> (n - stage);
    Meeting {
        stage: StageIdx(stage),
        switch: SwitchIdx(high << (n - 1 - stage) | low),
        wanted: destination >> (n - j) & 1,
        inputs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Conflict, forced, route_labels};
    use frit_network::butterfly;
    use frit_network::{LaneIdx, RoundIdx};
    use proptest::prelude::*;

    /// What windows say, and what comes of routing.
    fn both(permutation: &[u32]) -> Vec<Meeting> {
        let network = butterfly(permutation.len() as u64).unwrap();
        let n = network.stages();
        let bit = |lane: LaneIdx, stage: StageIdx| permutation[lane.idx()] >> (n - 1 - stage.0) & 1 == 1;
        let windows = windows(permutation).unwrap();
        assert_eq!(windows, forced(&network, bit).meetings(), "{permutation:?}");
        // The first is where routing stops.
        let first = route_labels(&network, RoundIdx(0), bit).err();
        let place = |c: &Conflict| (c.stage, c.switch, c.wanted);
        let met = windows.first().map(|m| (m.stage, m.switch, m.wanted));
        match (first.as_ref().map(place), met) {
            // Both inputs of a switch may be wanted by two: then either may be named.
            (Some((stage, switch, _)), Some(met)) => assert_eq!((stage, switch), (met.0, met.1)),
            (first, met) => assert_eq!(first, met, "{permutation:?}"),
        }
        windows
    }

    #[test]
    fn the_papers_example() {
        // Figure 3 of "Realizing the right Latin square on the Butterfly-Butterfly"; the text names W1, the rest is by hand.
        let met = both(&[0, 14, 2, 12, 4, 10, 6, 8, 7, 3, 5, 11, 9, 13, 1, 15]);
        let inputs: Vec<(u32, &[u32])> = met.iter().map(|m| (m.stage.0, m.inputs.as_slice())).collect();
        assert_eq!(inputs, [(0, &[8, 9][..]), (0, &[12, 13]), (1, &[0, 9]), (1, &[5, 12])]);
        assert_eq!((met[0].switch.0, met[0].wanted, met[1].switch.0, met[1].wanted), (4, 0, 6, 1));
    }

    #[test]
    fn all_permutations_of_four() {
        let mut admissible = 0;
        for p in 0..256u32 {
            let permutation: Vec<u32> = (0..4).map(|i| p >> (2 * i) & 3).collect();
            let mut sorted = permutation.clone();
            sorted.sort();
            if sorted == [0, 1, 2, 3] {
                admissible += both(&permutation).is_empty() as u32;
            }
        }
        assert_eq!(admissible, 16); // 4 switches, 2^4 settings, all different
    }

    #[test]
    fn rotations_and_the_identity_conflict() {
        for order in 0..16u32 {
            let rotation: Vec<u32> = (0..16).map(|i| (i + order) % 16).collect();
            assert!(!both(&rotation).is_empty(), "no MIN routes a rotation: order {order}");
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
            both(&permutation);
        }

        #[test]
        fn random_settings_give_admissible_permutations(n in 2u32..7, seed in any::<u64>()) {
            let network = butterfly(1 << n).unwrap();
            let random = std::cell::RefCell::new(frit_traffic::random::SplitMix64(seed));
            let routed = crate::route::route_states(&network, |_, _| {
                frit_network::SwitchState::from_bit(random.borrow_mut().next() & 1 == 1)
            });
            prop_assert_eq!(both(&routed.destinations), []);
        }
    }
}

//! RLS and LLS on the Butterfly–Butterfly: the Latin squares of all right (left) rotations, self-routed by labels
//! that every terminal computes from its own number.

use crate::plan::{Control, Figures, Plan, Request, ScheduleError};
use crate::systems::OptionSpec;
use frit_network::butterfly_butterfly;

/// Where this comes from.
pub const SOURCE: &str = "Latin square of rotations on the Butterfly-Butterfly, Algorithm 1 and Remark V.1";

/// Which way the rotations turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Round k sends i to (i - k) mod N (RLS).
    Right,
    /// Round k sends i to (i + k) mod N (LLS): the right rotation of order N - k.
    Left,
}

/// Whether the two Butterflies that a message passes share their middle stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Middle {
    /// They do: the bit for it is the last of the intermediate terminal, and the first of the destination is dropped.
    Shared,
    /// They do not: the label has all 2n bits.
    Whole,
}

/// The labels of Algorithm 1: the n bits of an intermediate terminal, then the n - 1 low bits of the destination, or all
/// n of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotationLabels {
    /// log2 N.
    pub n: u32,
    /// Which way the rotations turn.
    pub direction: Direction,
    /// Whether the destination's first bit is dropped.
    pub middle: Middle,
}

impl RotationLabels {
    fn modulo(self, x: u64) -> u64 {
        x & ((1 << self.n) - 1)
    }

    /// The order of the right rotation that `round` runs.
    fn right_order(self, round: u32) -> u64 {
        match self.direction {
            Direction::Right => round as u64,
            Direction::Left => self.modulo((1u64 << self.n) - round as u64),
        }
    }

    /// The destination of `source` in `round`.
    pub fn destination(self, round: u32, source: u32) -> u32 {
        self.modulo((source as u64).wrapping_sub(self.right_order(round))) as u32
    }

    /// The intermediate terminal m: π̂((i - k) mod N) for even k, π̂((N/2 - i + k - 1) mod N) for odd k.
    pub fn intermediate(self, round: u32, source: u32) -> u32 {
        let (i, k, half) = (source as u64, self.right_order(round), 1u64 << (self.n - 1));
        let x =
            if k % 2 == 0 { i.wrapping_sub(k) } else { half.wrapping_sub(i).wrapping_add(k).wrapping_sub(1) };
        self.pi_hat(self.modulo(x)) as u32
    }

    /// π̂(x) = x if (x < N/2) == (x even), else N - 1 - x.
    fn pi_hat(self, x: u64) -> u64 {
        let low = x < 1 << (self.n - 1);
        if low == x.is_multiple_of(2) { x } else { self.modulo(!x) }
    }

    /// Bits of the destination that a label has behind the intermediate terminal.
    pub fn destination_bits(self) -> u32 {
        match self.middle {
            Middle::Shared => self.n - 1,
            Middle::Whole => self.n,
        }
    }

    /// The 2n - 1 or 2n label bits, the first stage's bit the most significant.
    pub fn label(self, round: u32, source: u32) -> u64 {
        let low = self.destination_bits();
        let destination = self.destination(round, source) as u64 & ((1 << low) - 1);
        (self.intermediate(round, source) as u64) << low | destination
    }
}

/// The option that says which way the rotations turn.
pub const DIRECTION: OptionSpec = OptionSpec {
    name: "direction",
    values: &["right", "left"],
    help: "rotations in the order of the right (RLS) or the left (LLS) Latin square",
    compared: false,
};

/// The value of [`DIRECTION`] in a request.
pub(crate) fn direction(request: &Request) -> Direction {
    if request.options[DIRECTION.name] == "left" { Direction::Left } else { Direction::Right }
}

/// The plan of RLS or LLS.
pub fn plan(request: &Request) -> Result<Plan, ScheduleError> {
    let network = butterfly_butterfly(request.terminals)?;
    let n = request.terminals.trailing_zeros();
    let direction = direction(request);
    let (rounds, stages) = (network.terminals(), network.stages());
    let figures = Figures {
        drivers: rounds.into(),
        label_bits: stages,
        ..Figures::full_outputs(rounds, stages, SOURCE)
    };
    let labels = RotationLabels { n, direction, middle: Middle::Shared };
    Ok(Plan::new("rls", &request.options, network, rounds, Control::Labels(labels), figures))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::route_round;
    use frit_network::{StageIdx, SwitchState};

    fn rls(n: u64) -> Plan {
        crate::plan(&Request::new("rls", n)).unwrap()
    }

    #[test]
    fn the_papers_intermediate_row() {
        let labels = RotationLabels { n: 4, direction: Direction::Right, middle: Middle::Shared };
        let row: Vec<u32> = (0..16).map(|i| labels.intermediate(1, i)).collect();
        assert_eq!(row, [7, 8, 6, 10, 4, 12, 2, 14, 0, 15, 1, 13, 3, 11, 5, 9]);
    }

    #[test]
    fn the_dropped_bit_is_the_last_of_the_intermediate() {
        for n in 2..=8 {
            let labels = RotationLabels { n, direction: Direction::Right, middle: Middle::Shared };
            for round in 0..1 << n {
                for source in 0..1 << n {
                    let top = labels.destination(round, source) >> (n - 1);
                    assert_eq!(labels.intermediate(round, source) & 1, top);
                }
            }
        }
    }

    #[test]
    fn every_rotation_is_routed_without_conflict_and_the_second_butterfly_hardly_changes() {
        for n in [4, 8, 16, 32, 64] {
            let plan = rls(n);
            let middle = n.trailing_zeros() as usize;
            let identity = route_round(&plan, 0).unwrap();
            assert!(identity.states[0].iter().all(|&s| s == SwitchState::Straight));
            for round in 0..plan.rounds {
                let routed = route_round(&plan, round).unwrap();
                for (source, &destination) in routed.destinations.iter().enumerate() {
                    assert_eq!(destination as u64, (source as u64 + n - round as u64) % n);
                }
                for stage in middle..plan.network.stages() as usize {
                    let complemented = round % 2 == 1 && stage == middle;
                    for (a, b) in routed.states[stage].iter().zip(&identity.states[stage]) {
                        assert_eq!((a != b), complemented, "N={n} round {round} {}", StageIdx(stage as u32));
                    }
                }
            }
        }
    }

    #[test]
    fn left_rotations_are_the_right_ones_in_reverse() {
        let left = crate::plan(&Request::new("rls", 16).with("direction", "left")).unwrap();
        let right = rls(16);
        for round in 0..16 {
            for lane in 0..16 {
                assert_eq!(left.destination(round, lane), (lane + round) % 16);
                assert_eq!(left.label(round, lane), right.label((16 - round) % 16, lane));
            }
        }
    }

    #[test]
    fn cycles() {
        assert_eq!([4, 8, 16, 32, 64].map(|n| rls(n).cycles()), [6, 12, 22, 40, 74]);
    }
}

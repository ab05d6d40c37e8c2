//! What an arrival is compared with.

use super::arrived::{Arrived, Halved, MAX_LANE_BITS};
use super::plane::{Vector, WORDS, any, gather, plane, planes_per_vector, repeat, spread};
use super::rotation::Rotations;
use super::shuffle::{self, Backwards};
use super::window::Windows;
use frit_schedule::rotation::RotationLabels;
use frit_schedule::stage_control::{Rule, StageControl};
use frit_schedule::systolic::Systolic;
use frit_schedule::window::WindowLabels;
use frit_schedule::{Control, Labels, Phases, Plan};

/// Who is expected at an output, under a plan's control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected<'a> {
    /// Rotations: by arithmetic.
    Rotated(RotationLabels),
    /// Labels of a window: by arithmetic.
    Windowed(WindowLabels),
    /// The systolic control: by the routing word of the round.
    Systolic(&'a Systolic),
    /// The XOR method, on a network that rotates the number of a sender to the right by so many bits.
    Xor(u32),
    /// Stage control on the general shuffle-exchange network: by following its words backwards.
    Shuffled(StageControl),
    /// Whom the schedule names, lane by lane, or the prepare phase has noted.
    Noted,
}

impl<'a> Expected<'a> {
    /// What holds for a plan.
    pub fn of(plan: &'a Plan) -> Expected<'a> {
        if let Some(control) = shuffle::rule(plan) {
            return Expected::Shuffled(control);
        }
        match &plan.control {
            Control::Labels(Labels::Rotations(rule)) => Expected::Rotated(*rule),
            Control::Labels(Labels::Windows(rule)) => Expected::Windowed(*rule),
            _ if plan.phases == Phases::PrepareAndSend => Expected::Noted,
            Control::Systolic(rule) => Expected::Systolic(rule),
            // The rule is for numbers of n + 1 bits.
            Control::Stages(StageControl { n, rule: Rule::Xor { rotation } })
                if plan.network.lanes().checked_shr(n + 1) == Some(1) =>
            {
                Expected::Xor(*rotation)
            }
            Control::Stages(_) | Control::Table(_) => Expected::Noted,
        }
    }
}

/// Where [`Check::arrived`] works: numbers of lanes.
#[repr(align(64))]
pub(super) struct Numbers {
    source: [Vector; MAX_LANE_BITS],
    /// Room for what is expected.
    room: Halved,
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers { source: [[0; 8]; MAX_LANE_BITS], room: [[0; 8]; 2 * MAX_LANE_BITS] }
    }
}

/// How the arrivals of a batch are checked; the first planes of a row are the number of the lane that sent it.
pub(super) enum Check<'a, const W: usize> {
    /// The sender rotated by the round is the output.
    Rotated(&'a Rotations<W>),
    /// The sender is the one that the round has for the output.
    Windowed(&'a Windows<W>),
    /// The routing word of the round leads from the sender to the output.
    Systolic(&'a RoutingWords<W>),
    /// The sender, its bits rotated by a constant, XOR the round is the output.
    Xor(&'a RoundBits<W>),
    /// The words of the stages lead from the sender to the output.
    Shuffled(Backwards<'a>),
    /// The prepare phase: what arrives is noted, a plane per bit and output lane.
    Note(&'a mut [u64]),
    /// The phase behind it: a source queued its message of a round for the output at which its number was noted, so
    /// what arrives must be the number noted.
    Noted(&'a [u64]),
}

impl<const W: usize> Check<'_, W> {
    /// What is to be said of what arrives in some rows, no more than planes fit in a vector, at `outputs`, their lanes.
    /// Bits that belong to no row are undefined.
    #[inline(always)]
    pub fn arrived(
        &mut self,
        rows: &[&[Vector]],
        source_bits: usize,
        outputs: &[u32],
        numbers: &mut Numbers,
    ) -> Arrived {
        let size = source_bits * W;
        let noted = |lane: u32| lane as usize * size..(lane as usize + 1) * size;
        let Numbers { source, room } = numbers;
        let output = |bit| spread::<W>(|place| outputs[place] >> bit & 1 == 1);
        let source = side_by_side::<W>(rows, source_bits, source);
        match self {
            Check::Rotated(rotations) => rotations.astray(source, output, room).into(),
            Check::Windowed(windows) => windows.astray(source, outputs, room).into(),
            Check::Systolic(words) => words.astray(source, output, room).into(),
            Check::Xor(rounds) => rounds.astray(source, output).into(),
            Check::Shuffled(words) => words.arrived(source, output, room),
            Check::Note(notes) => {
                for (row, &lane) in rows.iter().zip(outputs) {
                    notes[noted(lane)].copy_from_slice(&row.as_flattened()[..size]);
                }
                Arrived::default()
            }
            Check::Noted(notes) => {
                let mut astray: Vector = [0; 8];
                for ((row, &lane), astray) in rows.iter().zip(outputs).zip(astray.chunks_exact_mut(W)) {
                    let arrived = row.as_flattened().chunks_exact(W);
                    for (arrived, noted) in arrived.zip(notes[noted(lane)].chunks_exact(W)) {
                        for ((astray, arrived), noted) in astray.iter_mut().zip(arrived).zip(noted) {
                            *astray |= arrived ^ noted;
                        }
                    }
                }
                astray.into()
            }
        }
    }
}

/// The first planes of some rows, those at one place in one vector.
#[inline(always)]
fn side_by_side<'a, const W: usize>(
    rows: &[&'a [Vector]],
    bits: usize,
    vectors: &'a mut [Vector; MAX_LANE_BITS],
) -> &'a [Vector] {
    if W == WORDS {
        return &rows[0][..bits];
    }
    debug_assert!(rows.len() <= planes_per_vector::<W>());
    for (place, row) in rows.iter().enumerate() {
        for (bit, vector) in vectors[..bits].iter_mut().enumerate() {
            vector[place * W..][..W].copy_from_slice(&plane::<W>(row, bit));
        }
    }
    &vectors[..bits]
}

/// The systolic routing words of a batch: bit j of the words in vector j.
pub(super) struct RoutingWords<const W: usize>(Vec<Vector>);

impl<const W: usize> RoutingWords<W> {
    /// Of rounds `first`, `first + 1`, …
    pub fn new(rule: &Systolic, first: u32, rounds: u32) -> Self {
        let word = |round: u32| rule.routing_word((first + round) as u64);
        let plane = |bit: u32| gather::<W>(rounds, |round| word(round) >> bit & 1 == 1);
        RoutingWords((0..rule.dimension()).map(|bit| repeat(&plane(bit))).collect())
    }

    /// Marks the lanes of `source` whose message is not addressed to their lane of `output`. Let a be the word, or for down = 1 its
    /// complement: lane 2s + down goes to lane 2 (s XOR a) + a_last. `room` is scratch space.
    #[inline(always)]
    fn astray(&self, source: &[Vector], output: impl Fn(usize) -> Vector, room: &mut [Vector]) -> Vector {
        let (down, expected) = (source[0], &mut room[..source.len()]);
        expected.copy_from_slice(source);
        expected[0] = self.0[0];
        for (expected, word) in expected[1..].iter_mut().zip(&self.0) {
            *expected = std::array::from_fn(|w| expected[w] ^ word[w]);
        }
        any(expected, |bit, expected| {
            let output = output(bit);
            std::array::from_fn(|w| expected[w] ^ down[w] ^ output[w])
        })
    }
}

/// The numbers of the rounds of a batch under the XOR method: bit j of the rounds in vector j.
pub(super) struct RoundBits<const W: usize> {
    rounds: Vec<Vector>,
    /// Bits by which the network rotates the number of a sender to the right.
    rotation: usize,
}

impl<const W: usize> RoundBits<W> {
    /// Of rounds `first`, `first + 1`, … of numbers of `bits` bits.
    pub fn new(bits: u32, rotation: u32, first: u32, rounds: u32) -> Self {
        let plane = |bit: u32| gather::<W>(rounds, |round| (first + round) >> bit & 1 == 1);
        let rounds = (0..bits).map(|bit| repeat(&plane(bit))).collect();
        RoundBits { rounds, rotation: rotation as usize }
    }

    /// Marks the lanes of `source` whose message is not addressed to their lane of `output`.
    #[inline(always)]
    fn astray(&self, source: &[Vector], output: impl Fn(usize) -> Vector) -> Vector {
        let mut astray = [0; 8];
        for (bit, round) in self.rounds.iter().enumerate() {
            let (source, output) = (source[(bit + self.rotation) % self.rounds.len()], output(bit));
            astray = std::array::from_fn(|w| astray[w] | source[w] ^ round[w] ^ output[w]);
        }
        astray
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::{LaneIdx, RoundIdx};
    use frit_schedule::de_bruijn::DeBruijn;
    use frit_schedule::stage_control::{Rule, StageControl};

    /// A bit of numbers that stand side by side.
    fn bits_of(numbers: &[u32; 8], bit: usize) -> Vector {
        spread::<1>(|place| numbers[place] >> bit & 1 == 1)
    }

    #[test]
    fn systolic_destinations_are_those_of_the_schedule() {
        for order in 1..=7 {
            let rule = Systolic::new(DeBruijn::prefer_one(order).unwrap());
            let (bits, rounds) = (order + 2, rule.period().min(64));
            for first in [0, rule.period() - rounds] {
                let words = RoutingWords::<1>::new(&rule, first, rounds);
                for lane in 0..1u32 << bits {
                    let lanes: [u32; 8] = std::array::from_fn(|more| lane ^ more as u32);
                    let source: Vec<_> = (0..bits as usize).map(|bit| bits_of(&lanes, bit)).collect();
                    for round in 0..rounds {
                        let right =
                            lanes.map(|lane| rule.destination((first + round) as u64, LaneIdx(lane)).0);
                        let astray = |outputs: &[u32; 8]| {
                            let output = |bit| bits_of(outputs, bit);
                            let mut room = [[0; 8]; MAX_LANE_BITS];
                            words.astray(&source, output, &mut room).map(|word| word >> round & 1)
                        };
                        assert_eq!(astray(&right), [0; 8]);
                        for wrong in [1, 2, 1 << (bits - 1)] {
                            assert_eq!(astray(&right.map(|lane| lane ^ wrong)), [1; 8]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn destinations_of_the_xor_method_are_those_of_the_schedule() {
        for (bits, rotation) in (2..=8).flat_map(|bits| [(bits, 0), (bits, 1)]) {
            let rule = StageControl { n: bits - 1, rule: Rule::Xor { rotation } };
            let network = frit_network::butterfly(1 << bits).unwrap(); // the rule is a formula and does not look at it
            let rounds = (1u32 << bits).min(64);
            for first in [0, (1 << bits) - rounds] {
                let words = RoundBits::<1>::new(bits, rotation, first, rounds);
                for lane in 0..1u32 << bits {
                    let lanes: [u32; 8] = std::array::from_fn(|more| (lane ^ more as u32) % (1 << bits));
                    let source: Vec<_> = (0..bits as usize).map(|bit| bits_of(&lanes, bit)).collect();
                    for round in 0..rounds {
                        let right = lanes
                            .map(|lane| rule.destination(&network, RoundIdx(first + round), LaneIdx(lane)).0);
                        let astray = |outputs: &[u32; 8]| {
                            let output = |bit| bits_of(outputs, bit);
                            words.astray(&source, output).map(|word| word >> round & 1)
                        };
                        assert_eq!(astray(&right), [0; 8]);
                        for wrong in [1, 2, 1 << (bits - 1)] {
                            assert_eq!(astray(&right.map(|output| output ^ wrong)), [1; 8]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_arrival_that_was_not_noted_is_astray() {
        let mut notes = vec![0; 4];
        let row = |source: [u64; 2]| [[source[0], source[1], 0, 0, 0, 0, 0, 0]];
        let check = |check: &mut Check<1>, source, lane| {
            check.arrived(&[&row(source)], 2, &[lane; 8], &mut Numbers::default()).astray[0]
        };
        assert_eq!(check(&mut Check::Note(&mut notes), [0b0110, 0b1010], 1), 0);
        assert_eq!(check(&mut Check::Noted(&notes), [0b0110, 0b1010], 1), 0);
        assert_eq!(check(&mut Check::Noted(&notes), [0b0111, 0b0010], 1), 0b1001);
        assert_eq!(check(&mut Check::Noted(&notes), [0b0110, 0b1010], 0), 0b1110);
    }
}

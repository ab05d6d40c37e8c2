//! Stage control on the general shuffle-exchange network: who arrives, found from the output backwards.
//!
//! A stage takes a message from place p of N to q = 2p - N·c + T: c = 1 in the upper half (p >= N/2), and the low bit T is c
//! XOR the state of the switch, since N is even. So q gives T, the state gives c = T XOR state, and p = ⌊q/2⌋ + c·N/2.
//! With the bits of all m = ⌈log2 N⌉ stages as numbers T and C, the first stage's highest, source s comes to
//! d = 2^m·s - N·C + T.
//!
//! That says how often a pair (s, d) comes. T is known mod N, and 2^m < 2N: T has one value or two, N apart. Either is one
//! path, whose states are T XOR C. So in the 2^m rounds whose words are all the numbers of m bits each pair comes once
//! with T < N, and perhaps again with T >= N.
//!
//! In ATA-2, with N = 2^n + 2 and m = n + 1, the words of all rounds but the last two begin with 0. Their first stage is the
//! bare shuffle, s to σ, and the n others lead from σ to d = 2^n·σ - N·C + T with T < 2^n < N: one value, one path, one
//! round. What the last two rounds bring is compared with that ([`alternating_rounds_are_new`]).
//!
//! Source: the thesis on general shuffle-exchange networks, sections 3 and 4; the way back is ours, and is held to the
//! schedule by the tests.

use super::arrived::{Arrived, Halved};
use super::plane::{Vector, any, majority, select, splat};
use frit_network::{LaneIdx, RoundIdx, StageIdx, shuffle_exchange};
use frit_schedule::stage_control::{Rule, StageControl};
use frit_schedule::{Control, Plan};
use std::ops::Range;

/// The rule of a plan whose switches stage control sets, if its network is the general shuffle-exchange network.
pub(super) fn rule(plan: &Plan) -> Option<StageControl> {
    let Control::Stages(control) = plan.control else { return None };
    let network = &plan.network;
    let named = control.n + 1 == network.stages() && matches!(control.rule, Rule::Counter | Rule::Ata2);
    let shuffles =
        || shuffle_exchange(network.lanes().into()).is_ok_and(|shuffle| shuffle.links() == network.links());
    (named && network.lanes() == network.terminals() && shuffles()).then_some(control)
}

/// Whether `rounds` are all the words that the stages can have.
pub(super) fn all_words(control: StageControl, rounds: &Range<u32>) -> bool {
    control.rule == Rule::Counter && *rounds == (0..1 << (control.n + 1))
}

/// Whether no pair comes twice in `rounds`, as far as that is known without looking at pairs.
pub(super) fn repeats_no_pair(plan: &Plan, control: StageControl, rounds: Range<u32>) -> bool {
    match control.rule {
        // T has one value.
        Rule::Counter => plan.network.terminals() == 1 << (control.n + 1),
        Rule::Ata2 => alternating_rounds_are_new(plan, control, rounds),
        Rule::Xor { .. } | Rule::Turn => false,
    }
}

/// Whether what the alternating rounds of ATA-2 bring comes in no other round.
fn alternating_rounds_are_new(plan: &Plan, control: StageControl, rounds: Range<u32>) -> bool {
    let lanes = u64::from(plan.network.lanes());
    let first = plan.network.link(StageIdx(0));
    let mut others: Vec<Vec<u32>> = Vec::new();
    rounds.filter(|&round| control.alternates(RoundIdx(round))).all(|round| {
        let reached: Vec<u32> =
            LaneIdx::all(plan.network.lanes()).map(|s| plan.destination(RoundIdx(round), s).0).collect();
        let new = first.iter().zip(&reached).enumerate().all(|(s, (&sigma, &d))| {
            let from = (u64::from(sigma) << control.n) % lanes;
            let tag = (u64::from(d) + lanes - from) % lanes;
            tag >> control.n != 0 && others.iter().all(|other| other[s] != d)
        });
        others.push(reached);
        new
    })
}

/// The control of a batch, to be followed backwards.
pub(super) struct Backwards<'a> {
    terminals: u32,
    /// For each stage the bits for even and for odd switches.
    masks: &'a [[Vector; 2]],
    /// The bits of N/2 from the lowest 1 on, as many as a lane's number has there.
    half: Vec<Vector>,
    /// N/2 is 2^k + 1: there are k + 2 stages.
    two_ones: bool,
}

impl<'a> Backwards<'a> {
    /// Of `terminals`, with a pair of masks per stage.
    pub fn new(terminals: u32, masks: &'a [[Vector; 2]]) -> Self {
        let half = terminals / 2;
        let two_ones = half % 2 == 1 && half.count_ones() == 2;
        let bits = half.trailing_zeros()..masks.len() as u32; // ⌈log2 N⌉ of stages as of bits
        let half = bits.map(|bit| splat(half >> bit & 1 == 1)).collect();
        Backwards { terminals, masks, half, two_ones }
    }

    /// What is to be said of messages of the lanes in `source` at those in `output`.
    #[inline(always)]
    pub fn arrived(&self, source: &[Vector], output: impl Fn(usize) -> Vector, room: &mut Halved) -> Arrived {
        if self.two_ones {
            return self.arrived_by_two_ones(source, output, room);
        }
        let (bits, stages) = (source.len(), self.masks.len());
        for (bit, port) in room[..bits].iter_mut().enumerate() {
            *port = output(bit);
        }
        room[bits..bits + stages].fill([0; 8]);
        let mut below: Vector = [0; 8];
        // A number loses its lowest bit at each stage: it begins one place further.
        for (at, [even, odd]) in self.masks.iter().rev().enumerate() {
            let tag = room[at];
            let state = select(&room[at + 1], even, odd);
            let upper: Vector = std::array::from_fn(|w| tag[w] ^ state[w]);
            let end = at + 1 + bits;
            add_where(&mut room[end - self.half.len()..end], &self.half, &upper);
            let bit = splat(self.terminals >> at & 1 == 1);
            // Of two numbers the highest bit that differs says which is less, so the last word counts.
            below = std::array::from_fn(|w| below[w] & !(bit[w] ^ tag[w]) | bit[w] & !tag[w]);
        }
        let mut arrived = Arrived::from(any(&mut room[stages..][..bits], |bit, expected| {
            std::array::from_fn(|w| expected[w] ^ source[bit][w])
        }));
        if !self.terminals.is_power_of_two() {
            arrived.again = below.map(|below| !below);
        }
        arrived
    }
}

impl Backwards<'_> {
    /// The same where N/2 is 2^k + 1, as in ATA-2: beside its highest bits a number grows by 1 or 0 at a stage. These are added up,
    /// and carried through the number once, at its end.
    #[inline(always)]
    fn arrived_by_two_ones(
        &self,
        source: &[Vector],
        output: impl Fn(usize) -> Vector,
        room: &mut Halved,
    ) -> Arrived {
        let bits = source.len();
        for (bit, port) in room[..bits].iter_mut().enumerate() {
            *port = output(bit);
        }
        room[bits] = [0; 8];
        // What is not added yet: 0, 1 or 2.
        let mut more: [Vector; 2] = [[0; 8]; 2];
        let mut below: Vector = [0; 8];
        for (at, [even, odd]) in self.masks.iter().rev().enumerate() {
            let (low, high) = (room[at], room[at + 1]);
            let tag: Vector = std::array::from_fn(|w| low[w] ^ more[0][w]);
            let carry: Vector = std::array::from_fn(|w| low[w] & more[0][w] | more[1][w]);
            let switch: Vector = std::array::from_fn(|w| high[w] ^ carry[w]);
            let state = select(&switch, even, odd);
            let upper: Vector = std::array::from_fn(|w| tag[w] ^ state[w]);
            more =
                [std::array::from_fn(|w| carry[w] ^ upper[w]), std::array::from_fn(|w| carry[w] & upper[w])];
            let top = room[at + bits - 1];
            room[at + bits - 1] = std::array::from_fn(|w| top[w] ^ upper[w]);
            room[at + bits] = std::array::from_fn(|w| top[w] & upper[w]);
            let bit = splat(self.terminals >> at & 1 == 1);
            below = std::array::from_fn(|w| below[w] & !(bit[w] ^ tag[w]) | bit[w] & !tag[w]);
        }
        // A 2 is a 1 at the next bit.
        let ([mut more, mut carry], mut astray) = (more, [0; 8]);
        for (expected, source) in room[self.masks.len()..][..bits].iter().zip(source) {
            astray = std::array::from_fn(|w| astray[w] | expected[w] ^ more[w] ^ source[w]);
            more = std::array::from_fn(|w| expected[w] & more[w] | carry[w]);
            carry = [0; 8];
        }
        let mut arrived = Arrived::from(astray);
        arrived.again = below.map(|below| !below);
        arrived
    }
}

/// Adds `more`, in the rounds of `mask`, to numbers that it does not carry beyond their highest bit.
#[inline(always)]
fn add_where(numbers: &mut [Vector], more: &[Vector], mask: &Vector) {
    let mut carry: Vector = [0; 8];
    for (number, more) in numbers.iter_mut().zip(more) {
        let more: Vector = std::array::from_fn(|w| more[w] & mask[w]);
        let sum = std::array::from_fn(|w| number[w] ^ more[w] ^ carry[w]);
        carry = majority(number, &more, &carry);
        *number = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::arrived::MAX_LANE_BITS;
    use crate::fast::plane::gather;
    use frit_network::{LaneIdx, Network, SwitchIdx};
    use frit_schedule::Request;
    use std::collections::BTreeSet;

    fn plan(terminals: u64, algorithm: &str) -> Plan {
        frit_schedule::plan(&Request::new("gsen", terminals).with("algorithm", algorithm)).unwrap()
    }

    fn plans() -> impl Iterator<Item = Plan> {
        let counters = (4..=130).step_by(2).map(|terminals| plan(terminals, "stage-control"));
        counters.chain((2..=7).map(|n| plan((1 << n) + 2, "ata2")))
    }

    fn masks(plan: &Plan, control: StageControl, first: u32) -> Vec<[Vector; 2]> {
        let of = |stage, switch| {
            gather::<8>((plan.rounds - first).min(512), |round| {
                control.state(RoundIdx(first + round), StageIdx(stage), SwitchIdx(switch)).bit()
            })
        };
        (0..plan.network.stages()).map(|stage| [of(stage, 0), of(stage, 1)]).collect()
    }

    /// The bits of a lane's number, the same in every round.
    fn planes(plan: &Plan, lane: LaneIdx) -> Vec<Vector> {
        (0..plan.lane_bits()).map(|bit| splat(lane.0 >> bit & 1 == 1)).collect()
    }

    #[test]
    fn the_way_back_is_that_of_the_schedule() {
        for plan in plans() {
            let (control, terminals) = (rule(&plan).unwrap(), plan.network.terminals());
            let masks = masks(&plan, control, 0);
            let backwards = Backwards::new(terminals, &masks);
            for lane in LaneIdx::all(terminals) {
                let source = planes(&plan, lane);
                for output in 0..terminals {
                    let astray = backwards
                        .arrived(
                            &source,
                            |bit| splat(output >> bit & 1 == 1),
                            &mut [[0; 8]; 2 * MAX_LANE_BITS],
                        )
                        .astray;
                    for round in 0..plan.rounds {
                        let expected =
                            control.destination(&plan.network, RoundIdx(round), lane) != LaneIdx(output);
                        assert_eq!(astray[round as usize / 64] >> (round % 64) & 1 == 1, expected);
                    }
                }
            }
        }
    }

    #[test]
    fn each_pair_comes_once_with_a_tag_below_n() {
        for plan in plans().filter(|plan| !plan.network.terminals().is_power_of_two()) {
            let (control, terminals) = (rule(&plan).unwrap(), plan.network.terminals());
            if !all_words(control, &(0..plan.rounds)) {
                continue;
            }
            let masks = masks(&plan, control, 0);
            let backwards = Backwards::new(terminals, &masks);
            let (mut once, mut repeated) = (BTreeSet::new(), 0);
            for output in 0..terminals {
                let source = planes(&plan, LaneIdx(0));
                let again = backwards
                    .arrived(&source, |bit| splat(output >> bit & 1 == 1), &mut [[0; 8]; 2 * MAX_LANE_BITS])
                    .again;
                for round in 0..plan.rounds {
                    let mut lanes = 0..terminals;
                    let source = lanes.find(|&s| {
                        control.destination(&plan.network, RoundIdx(round), LaneIdx(s)) == LaneIdx(output)
                    });
                    match again[round as usize / 64] >> (round % 64) & 1 {
                        0 => assert!(once.insert((source, output)), "N = {terminals}"),
                        _ => repeated += 1,
                    }
                }
            }
            assert_eq!(once.len(), terminals as usize * terminals as usize);
            assert_eq!(repeated, plan.rounds as usize * terminals as usize - once.len());
        }
    }

    #[test]
    fn repeated_pairs_are_not_overlooked() {
        let repeats = |plan: &Plan, rounds: Range<u32>| {
            let mut seen = BTreeSet::new();
            let lanes = 0..plan.network.lanes();
            rounds
                .flat_map(|round| lanes.clone().map(move |s| (round, s)))
                .any(|(round, s)| !seen.insert((s, plan.destination(RoundIdx(round), LaneIdx(s)))))
        };
        for plan in plans() {
            let (control, whole) = (rule(&plan).unwrap(), 0..plan.rounds);
            if repeats_no_pair(&plan, control, whole.clone()) {
                assert!(!repeats(&plan, whole));
            } else {
                assert!(control.rule == Rule::Counter && repeats(&plan, whole));
            }
        }
        // Every round more repeats what has come.
        let plan = plan(18, "ata2");
        let control = rule(&plan).unwrap();
        for round in 18..24 {
            let plan = Plan { rounds: round + 1, ..plan.clone() };
            assert!(repeats(&plan, 0..round + 1));
            assert!(!repeats_no_pair(&plan, control, 0..round + 1), "round {round}");
        }
    }

    #[test]
    fn the_rule_is_for_this_network_only() {
        let plan = plan(18, "ata2");
        assert!(rule(&plan).is_some());
        let mut links = plan.network.links().to_vec();
        links[3].swap(2, 5);
        let network = Network::new("miswired", 18, links).unwrap();
        assert!(rule(&Plan { network, ..plan.clone() }).is_none());
        let xor = frit_schedule::plan(&Request::new("xor", 16)).unwrap();
        assert!(rule(&xor).is_none());
    }
}

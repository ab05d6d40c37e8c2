//! Packets of an h-relation: what stands in buffers leaves one by one, in the same rounds again and again.
//!
//! A batch is some rounds of one repetition. A buffer is a number for each lane and round, its bits in planes; the lanes whose
//! number is not 0 send a packet, and the number becomes one less. Every packet takes a bit with it that says that it is there, from
//! which its arrival is known. Where none is sent an empty message with the lane's label passes: it goes where no packet of a flawless
//! round goes, and a round with a conflict is not one that is reported from here.

use super::check::Expected;
use super::plane::{Plane, WORDS, count, gather, none};
use super::run::{Fast, batch};
use super::worker::{Memory, Worker};
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::Plan;

/// What is still to be sent.
pub(crate) struct Buffers {
    /// Words of a plane.
    words: usize,
    /// Bits of a number.
    bits: usize,
    lanes: usize,
    /// By batch, lane, and bit of the number.
    planes: Vec<u64>,
}

impl Buffers {
    /// Puts packets into the buffer of a lane and a round.
    pub fn put(&mut self, round: RoundIdx, lane: LaneIdx, packets: u32) {
        let batch = round.idx() / (64 * self.words);
        let first = (batch * self.lanes + lane.idx()) * self.bits * self.words;
        let word = first + round.idx() / 64 % self.words;
        for bit in (0..self.bits).filter(|bit| packets >> bit & 1 == 1) {
            self.planes[word + bit * self.words] |= 1 << (round.0 % 64);
        }
    }

    /// The planes of a batch.
    fn batch(&mut self, batch: usize) -> &mut [u64] {
        let size = self.lanes * self.bits * self.words;
        &mut self.planes[batch * size..][..size]
    }
}

/// What was sent, and has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    pub packets: u64,
    /// The last step in which one was sent.
    pub last: u64,
    /// The sum over the packets of the step in which each was sent.
    pub waits: u128,
}

/// Rounds of a plan that repeat, and the packets that they bring.
pub(crate) struct Repetitions<'a> {
    fast: Fast<'a>,
    buffers: Buffers,
}

impl<'a> Repetitions<'a> {
    /// Repeats all rounds of a plan. No buffer gets more than `largest` packets. Returns None if only the reference engine runs the plan.
    pub fn new(plan: &'a Plan, largest: u32) -> Option<Self> {
        let fast = Fast::new(plan, 0..plan.rounds).filter(|fast| fast.expected != Expected::Noted)?;
        let (words, bits, lanes) =
            (fast.words, largest.max(1).ilog2() as usize + 1, plan.network.lanes() as usize);
        let planes = vec![0; (plan.rounds as usize).div_ceil(64 * words) * lanes * bits * words];
        Some(Repetitions { fast, buffers: Buffers { words, bits, lanes, planes } })
    }

    /// The buffers, to be filled.
    pub fn buffers(&mut self) -> &mut Buffers {
        &mut self.buffers
    }

    /// Sends all packets. None unless no switch had a conflict and every packet arrived where it should. `tick` is told the first
    /// step of each batch.
    pub fn run(self, tick: &mut dyn FnMut(u64)) -> Option<Sent> {
        match self.fast.words {
            1 => self.run_words::<1>(tick),
            2 => self.run_words::<2>(tick),
            4 => self.run_words::<4>(tick),
            _ => self.run_words::<WORDS>(tick),
        }
    }

    fn run_words<const W: usize>(mut self, tick: &mut dyn FnMut(u64)) -> Option<Sent> {
        let Fast { plan, rounds, order, expected, .. } = &self.fast;
        let mut worker = Worker::<W>::of_packets(plan, order, *expected, Memory::default());
        let mut present = vec![0; self.buffers.lanes * W];
        // Bit b of the place of each round in a batch.
        let places: [Plane<W>; 9] =
            std::array::from_fn(|bit| gather(64 * W as u32, |round| round >> bit & 1 == 1));
        let mut sent = Sent::default();
        for repetition in 0.. {
            let before = sent.packets;
            for number in 0.. {
                let Some(rounds) = batch(rounds, W, number) else { break };
                let first = repetition * plan.period() + plan.injected_at(RoundIdx(rounds.start));
                let (bits, buffers) = (self.buffers.bits, self.buffers.batch(number as usize));
                let taken = take(buffers, bits, &mut present, &places);
                if taken.packets == 0 {
                    continue;
                }
                tick(first);
                let passed = worker.send(rounds, &present);
                if !none(&passed.conflict) || !none(&passed.astray) || passed.arrived != taken.packets {
                    return None;
                }
                sent.packets += taken.packets;
                sent.waits += u128::from(taken.packets) * u128::from(first) + taken.waits;
                sent.last = first + taken.last;
            }
            if sent.packets == before {
                break;
            }
        }
        Some(sent)
    }
}

/// Takes a packet from every buffer of a batch that has one, and notes where. Steps are counted from the first round of the batch.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx+avx2+bmi1+bmi2",
    "x86_64+avx+avx2+bmi1+bmi2"
))]
fn take<const W: usize>(
    buffers: &mut [u64],
    bits: usize,
    present: &mut [u64],
    places: &[Plane<W>; 9],
) -> Sent {
    let (mut sent, mut any) = (Sent::default(), [0; W]);
    for (buffer, present) in buffers.chunks_exact_mut(bits * W).zip(present.as_chunks_mut::<W>().0) {
        let planes = buffer.as_chunks_mut::<W>().0;
        *present = planes.iter().fold([0; W], |any, plane| std::array::from_fn(|w| any[w] | plane[w]));
        let mut borrow = *present;
        for plane in planes {
            let bit = *plane;
            *plane = std::array::from_fn(|w| bit[w] ^ borrow[w]);
            borrow = std::array::from_fn(|w| borrow[w] & !bit[w]);
        }
        any = std::array::from_fn(|w| any[w] | present[w]);
        sent.packets += count(present);
        for (bit, place) in places.iter().enumerate() {
            let there: Plane<W> = std::array::from_fn(|w| present[w] & place[w]);
            sent.waits += u128::from(count(&there)) << bit;
        }
    }
    let last = any.iter().rposition(|&word| word != 0);
    sent.last = last.map_or(0, |word| 64 * word as u64 + u64::from(any[word].ilog2()));
    sent
}

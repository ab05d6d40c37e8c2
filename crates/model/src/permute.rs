//! A streamed permutation beat by beat: when each beat leaves, and with which words.
//!
//! The words of a beat follow from the order of the plan, not from its settings and addresses, so a mistake in these is a difference.
//! When a beat leaves follows from the contract: a bank of memories decides to read beat h of a data set a cycle after beat h + wait was
//! known to be written, or behind the end of the data set; the beat is in the queue at the output a fixed time later. Beats come in and
//! decisions are made while fewer places of the queue than its limit are taken; a decision takes a place.

use frit_permute::Streamed;
use frit_permute::parts::Temporal;
use frit_permute::script::{Beat, Phase, block, draw, hexadecimal, limit, phases, seed};
use std::collections::VecDeque;

/// A bank of memories: the decisions to read.
struct Bank {
    /// Beats by which reading stays behind.
    wait: u64,
    /// Beats of a data set.
    cycles: u64,
    /// Beats written, and read.
    written: u64,
    read: u64,
    /// Whether decisions are made: `advance` of some cycles ago.
    open: bool,
    /// Whether it was decided to read a beat.
    decided: bool,
}

impl Bank {
    fn new(memory: &Temporal, cycles: u32) -> Self {
        let (wait, cycles) = (memory.wait.into(), cycles.into());
        Bank { wait, cycles, written: 0, read: 0, open: false, decided: false }
    }

    /// A cycle, in which a beat is known to be written or not: whether it was decided in the cycle before to read a beat.
    fn cycle(&mut self, wrote: bool) -> bool {
        let before = self.decided;
        self.written += u64::from(wrote);
        // The beat that must have been written before the next one is read.
        let set = self.read / self.cycles;
        let needed = (self.read + self.wait).min((set + 1) * self.cycles - 1);
        self.decided = self.open && self.written > needed;
        self.read += u64::from(self.decided);
        before
    }
}

/// All phases of [`frit_permute::script`] for words of `width` bits: each beat that leaves. What goes with a word stands above it.
pub fn run(plan: &Streamed, width: u32) -> Vec<Beat> {
    let (sources, width) = (plan.order.sources(), plan.word_bits(width));
    let mut beats = Vec::new();
    for (at, phase) in phases(plan).into_iter().enumerate() {
        for (number, cycle) in leaving(plan, at, phase) {
            let (cycles, lanes) = (u64::from(plan.cycles), u64::from(plan.lanes));
            let (set, place) = (number / cycles, number % cycles);
            let words = |lane: u32, part: u32| {
                let source = sources[(place * lanes) as usize + lane as usize];
                block(at as u64, set, source.into(), part.into())
            };
            let data = hexadecimal(plan.lanes, width, words);
            beats.push(Beat { phase: at, cycle, last: place + 1 == cycles, data });
        }
    }
    beats
}

/// The beats that leave in a phase, by their number, and the cycle of each.
fn leaving(plan: &Streamed, at: usize, phase: Phase) -> Vec<(u64, u64)> {
    let mut banks: Vec<Bank> = plan.memories().map(|memory| Bank::new(memory, plan.cycles)).collect();
    let mut flight: VecDeque<bool> = std::iter::repeat_n(false, plan.flight() as usize).collect();
    let limit_taken = plan.queue().1;
    let (mut taken, mut left) = (0, 0);
    let (mut offering, mut came, mut advance) = (false, false, true);
    // Places taken; beats stored; whether the output shows a beat; whether one left its place in the cycle before.
    let (mut places, mut stored, mut shown, mut freed) = (0u32, 0u32, false, false);
    let mut state = seed(at);
    let mut found = Vec::new();
    for cycle in 0..limit(plan, phase) {
        state = draw(state);
        offering |= taken < phase.beats && state & 0xff < phase.pace.offering;
        let ready = state >> 8 & 0xff < phase.pace.taking;
        if shown && ready {
            found.push((left, cycle));
            left += 1;
        }
        let enters = advance && offering;
        if enters {
            offering = false;
            taken += 1;
        }
        let decided = banks.iter_mut().fold(came, |wrote, bank| bank.cycle(wrote));
        flight.push_back(decided);
        let comes = flight.pop_front() == Some(true);
        let moves = stored > 0 && (!shown || ready);
        shown = moves || (shown && !ready);
        stored = stored + u32::from(comes) - u32::from(moves);
        let open = places < limit_taken;
        places = places + u32::from(decided) - u32::from(freed);
        freed = moves;
        came = enters;
        let gate = std::mem::replace(&mut advance, open);
        banks.iter_mut().fold(gate, |gate, bank| std::mem::replace(&mut bank.open, gate));
        if phase.cut.map_or(left == phase.beats, |cut| taken >= cut) {
            break;
        }
    }
    found
}

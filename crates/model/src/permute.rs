//! A streamed permutation beat by beat: when each beat leaves, and with which words.
//!
//! The words of a beat follow from the order of the plan, not from its settings and addresses, so a mistake in these is a difference.
//! When a beat leaves follows from the contract: the stream moves on as a whole, unless two beats wait at the output; a bank of memories
//! gives beat h of a data set a cycle after beat h + wait was written, or behind the end of the data set.

use frit_permute::Streamed;
use frit_permute::parts::Part;
use frit_permute::script::{Beat, Phase, block, draw, hexadecimal, limit, phases, seed};
use std::collections::VecDeque;

/// A part as a beat sees it.
enum Passage {
    /// Columns of switches: whether there is a beat in each.
    Columns(VecDeque<bool>),
    /// A bank of memories.
    Bank {
        /// Beats by which reading stays behind.
        wait: u64,
        /// Beats of a data set.
        cycles: u64,
        /// Beats written, and read.
        written: u64,
        read: u64,
        /// Whether the memories show a beat at their output.
        shown: bool,
        /// Whether a beat is being read.
        reading: bool,
    },
}

impl Passage {
    /// One move of the stream: whether a beat comes out, of what comes in.
    fn advance(&mut self, beat: bool) -> bool {
        match self {
            Passage::Columns(columns) => {
                columns.push_back(beat);
                columns.pop_front().unwrap_or(beat)
            }
            Passage::Bank { wait, cycles, written, read, shown, reading } => {
                let out = *shown;
                *shown = *reading;
                *written += u64::from(beat);
                // The beat that must have been written before the next one is read.
                let set = *read / *cycles;
                let needed = (*read + *wait).min((set + 1) * *cycles - 1);
                *reading = *written > needed;
                *read += u64::from(*reading);
                out
            }
        }
    }
}

/// All phases of [`frit_permute::script`] for words of `width` bits: each beat that leaves.
pub fn run(plan: &Streamed, width: u32) -> Vec<Beat> {
    let sources = plan.order.sources();
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
    let passage = |part: &Part| match part {
        Part::Spatial(network) => {
            Passage::Columns(std::iter::repeat_n(false, network.stages() as usize).collect())
        }
        Part::Temporal(memory) => Passage::Bank {
            wait: memory.wait.into(),
            cycles: plan.cycles.into(),
            written: 0,
            read: 0,
            shown: false,
            reading: false,
        },
    };
    let mut passages: Vec<Passage> = plan.parts.iter().map(passage).collect();
    let (mut taken, mut left, mut waiting) = (0, 0, 0u32);
    let mut offering = false;
    let mut state = seed(at);
    let mut found = Vec::new();
    for cycle in 0..limit(plan, phase) {
        state = draw(state);
        offering |= taken < phase.beats && state & 0xff < phase.pace.offering;
        let ready = state >> 8 & 0xff < phase.pace.taking;
        // Two beats at the output stop the stream.
        let moves = waiting < 2;
        if waiting > 0 && ready {
            found.push((left, cycle));
            left += 1;
            waiting -= 1;
        }
        if moves {
            let entering = std::mem::take(&mut offering);
            taken += u64::from(entering);
            waiting += u32::from(passages.iter_mut().fold(entering, |beat, passage| passage.advance(beat)));
        }
        if phase.cut.map_or(left == phase.beats, |cut| taken >= cut) {
            break;
        }
    }
    found
}

//! A streamed permutation beat by beat: when each beat leaves, and with which words.
//!
//! The words of a beat follow from the order of the plan, not from its settings and addresses, so a mistake in these is a difference.
//! When a beat leaves follows from the contract: a bank of memories decides to read beat h of a data set a cycle after beat h + wait was
//! known to be written, or behind the end of the data set; the beat is in the queue at the output a fixed time later. Beats come in and
//! decisions are made while fewer places of the queue than its limit are taken; a decision takes a place. Where sizes are loaded, a data set
//! is read when all of it is written, and begins when the one before the last has been read.

use frit_permute::Streamed;
use frit_permute::parts::Temporal;
use frit_permute::script::{Beat, Phase, Sets, block, draw, hexadecimal, limit, phases, seed, sizes};
use std::collections::VecDeque;

/// A bank of memories: the decisions to read.
struct Bank {
    /// Beats by which reading stays behind.
    wait: u64,
    /// How beats belong to data sets.
    sets: Sets,
    /// Beats written, and read.
    written: u64,
    read: u64,
    /// Whether decisions are made: `advance` of some cycles ago.
    open: bool,
    /// Whether it was decided to read a beat.
    decided: bool,
}

impl Bank {
    fn new(memory: &Temporal, sets: Sets) -> Self {
        Bank { wait: memory.wait.into(), sets, written: 0, read: 0, open: false, decided: false }
    }

    /// A cycle, in which a beat is known to be written or not: whether it was decided in the cycle before to read a beat.
    fn cycle(&mut self, wrote: bool) -> bool {
        let before = self.decided;
        self.written += u64::from(wrote);
        // The beat that must have been written before the next one is read.
        let place = self.sets.place(self.read);
        let last = self.read - place.cycle + place.cycles - 1;
        let needed = (self.read + self.wait).min(last);
        self.decided = self.open && self.written > needed;
        self.read += u64::from(self.decided);
        before
    }
}

/// All phases of [`frit_permute::script`] for words of `width` bits: each beat that leaves. What goes with a word stands above it.
pub fn run(plan: &Streamed, width: u32) -> Vec<Beat> {
    let (sets, width) = (Sets::of(plan), plan.word_bits(width));
    let orders: Vec<Vec<u32>> = match sizes(plan) {
        all if all.is_empty() => vec![plan.order.sources()],
        all => all.into_iter().map(|(rows, columns)| plan.of_size(rows, columns).order.sources()).collect(),
    };
    let mut beats = Vec::new();
    for (at, phase) in phases(plan).into_iter().enumerate() {
        for (number, cycle) in leaving(plan, at, phase) {
            let place = sets.place(number);
            let sources = &orders[(place.set % orders.len() as u64) as usize];
            let words = |lane: u32, part: u32| {
                let source = sources[(place.cycle * u64::from(plan.lanes)) as usize + lane as usize];
                block(at as u64, place.set, source.into(), part.into())
            };
            let data = hexadecimal(plan.lanes, width, words);
            beats.push(Beat { phase: at, cycle, last: place.cycle + 1 == place.cycles, data });
        }
    }
    beats
}

/// The beats that leave in a phase, by their number, and the cycle of each.
fn leaving(plan: &Streamed, at: usize, phase: Phase) -> Vec<(u64, u64)> {
    let sets = Sets::of(plan);
    let mut banks: Vec<Bank> = plan.memories().map(|memory| Bank::new(memory, sets.clone())).collect();
    let loaded = plan.largest().is_some();
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
        // A size is taken in the cycle before; a page is free when the data set that was there has been read.
        let place = sets.place(taken);
        let may_begin =
            place.cycle > 0 || (cycle > 0 && banks[0].read >= sets.before(place.set.saturating_sub(1)));
        let enters = advance && offering && (may_begin || !loaded);
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

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::options::Request;
    use frit_permute::script::{PAUSING, STEADY};

    /// The cycles in which the beats of a set leave.
    fn cycles(found: &[(u64, u64)], sets: &Sets, set: u64) -> Vec<u64> {
        found.iter().filter(|(beat, _)| sets.place(*beat).set == set).map(|&(_, cycle)| cycle).collect()
    }

    #[test]
    fn loaded_matrices_of_one_size_leave_without_a_gap_and_a_small_one_waits_for_a_large_one() {
        let request =
            Request::new("transpose", 4).with("rows", "16").with("cols", "16").with("dims", "runtime");
        let plan = frit_permute::streamed(&request).unwrap();
        let sets = Sets::of(&plan);
        let whole = Phase { pace: STEADY, beats: sets.round(), cut: None };
        let found = leaving(&plan, 0, whole);
        assert_eq!(found.len() as u64, sets.round());
        // Matrices 5, 6 and 7 have the largest size.
        let largest: Vec<u64> = (5..8).flat_map(|set| cycles(&found, &sets, set)).collect();
        assert_eq!(largest.len(), 3 * 64);
        assert!(largest.windows(2).all(|pair| pair[1] == pair[0] + 1), "{largest:?}");
        // Matrix 0 has 64 beats, 1 and 2 have 4, 3 has 16. Matrix 3 enters when matrix 1 has been read, long after its beats are offered.
        let [small, next] = [2, 3].map(|set| cycles(&found, &sets, set));
        assert!(next[0] > small[3] + 4, "{small:?} {next:?}");
        assert!(leaving(&plan, 0, Phase { pace: PAUSING, ..whole }).len() as u64 == sets.round());
    }
}

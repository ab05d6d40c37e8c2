//! Inputs drawn at random, 64 runs at a time: a violation many cycles behind the reset, which bounded model checking reaches only
//! slowly, shows mostly in some seconds. In 64 runs an eighth of the inputs are mostly 0 and an eighth mostly 1, others each time.

use super::aiger::{Aig, Literal};

/// How the inputs are drawn.
pub struct Stimuli<'a> {
    /// The inputs that are high in the first cycle and hardly ever later, as resets are.
    pub rare: &'a [u32],
    /// Cycles of a run.
    pub cycles: u64,
    /// Times 64 runs.
    pub batches: u64,
}

/// The inputs of the shortest of these runs with which the output rises, none if it never does. The same graph, the same runs.
pub fn counterexample(aig: &Aig, bad: Literal, stimuli: &Stimuli) -> Option<Vec<Vec<bool>>> {
    let mut best = None;
    let mut cycles = stimuli.cycles;
    for batch in 0..stimuli.batches {
        if let Some((length, lane)) = run(aig, bad, &Stimuli { cycles, ..*stimuli }, batch, |_| ()) {
            cycles = length - 1;
            best = Some((length, lane, batch));
        }
    }
    let (length, lane, batch) = best?;
    let mut inputs = Vec::new();
    let take = |words: &[u64]| inputs.push(words.iter().map(|word| word >> lane & 1 == 1).collect());
    run(aig, bad, &Stimuli { cycles: length, ..*stimuli }, batch, take);
    Some(inputs)
}

/// The cycles of the first violation and in which of 64 runs; what is drawn is shown cycle by cycle.
fn run(
    aig: &Aig,
    bad: Literal,
    stimuli: &Stimuli,
    batch: u64,
    mut show: impl FnMut(&[u64]),
) -> Option<(u64, u32)> {
    let mut random = 0x9e37_79b9_7f4a_7c15 ^ (batch + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
    let mut values = vec![0u64; aig.variables() as usize];
    let mut next = vec![0u64; aig.latches.len()];
    let kinds: Vec<u64> = (0..aig.inputs).map(|_| draw(&mut random) >> 8 & 7).collect();
    for cycle in 0..stimuli.cycles {
        for input in 0..aig.inputs {
            let mut all = |count| (0..count).fold(u64::MAX, |word, _| word & draw(&mut random));
            let word = match (stimuli.rare.contains(&input), kinds[input as usize]) {
                (true, _) if cycle == 0 => u64::MAX,
                (true, _) => all(10),
                (false, 0) => all(3),
                (false, 1) => !all(3),
                (false, _) => all(1),
            };
            values[1 + input as usize] = word;
        }
        show(&values[1..=aig.inputs as usize]);
        let first = 1 + aig.inputs as usize;
        values[first..first + next.len()].copy_from_slice(&next);
        for (at, &[a, b]) in (aig.first_and() as usize..).zip(&aig.ands) {
            values[at] = literal(&values, a) & literal(&values, b);
        }
        let risen = literal(&values, bad);
        if risen != 0 {
            return Some((cycle + 1, risen.trailing_zeros()));
        }
        for (latch, value) in aig.latches.iter().zip(&mut next) {
            *value = literal(&values, latch.next);
        }
    }
    None
}

fn literal(values: &[u64], literal: Literal) -> u64 {
    values[literal as usize / 2] ^ (literal as u64 & 1).wrapping_neg()
}

/// xorshift64.
fn draw(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[cfg(test)]
mod tests {
    use super::super::aiger::Latch;
    use super::*;

    /// Five registers behind an input: the output rises when it was high in five cycles.
    fn chain() -> (Aig, Literal) {
        let mut aig = Aig { inputs: 2, latches: vec![Latch { next: 0 }; 5], ..Aig::default() };
        let go = aig.and(aig.input(0) ^ 1, aig.input(1));
        let mut before = go;
        for at in 0..5 {
            aig.latches[at as usize].next = before;
            before = aig.and(aig.latch(at), go);
        }
        (aig, before)
    }

    #[test]
    fn a_violation_behind_a_reset_is_found() {
        let (aig, bad) = chain();
        let stimuli = Stimuli { rare: &[0], cycles: 40, batches: 4 };
        let inputs = counterexample(&aig, bad, &stimuli).unwrap();
        // A cycle of reset, five, and the one in which the output rises.
        assert_eq!(inputs.len(), 7, "{inputs:?}");
        assert!(inputs[0][0] && inputs[1..].iter().all(|cycle| !cycle[0] && cycle[1]));
        assert_eq!(counterexample(&aig, bad, &stimuli), Some(inputs));
    }

    #[test]
    fn what_never_rises_is_not_found() {
        let (aig, _) = chain();
        assert_eq!(counterexample(&aig, 0, &Stimuli { rare: &[], cycles: 40, batches: 4 }), None);
    }
}

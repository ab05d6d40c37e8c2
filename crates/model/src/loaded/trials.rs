//! What the emitted testbench does besides the phases that all engines run: run lengths with each bit at several places of both banks, and programs
//! that are drawn, with pauses, starts that come too early, resets, damage and words that go astray.

use crate::loaded::script::{Phase, STEADY, beats, drawn, phase};
use frit_demand::loadable::{Job, Loadable};
use frit_demand::program::{Entry, MAX_RUN, RUN_BITS};
use frit_network::Refusal;
use frit_traffic::random::SplitMix64;

/// The phases of the testbench alone.
///
/// # Errors
///
/// If a program does not fit the memory.
pub fn trials(on: &Loadable) -> Result<Vec<Phase>, Refusal> {
    let n = on.shape().terminals();
    let places = if n <= 16 { on.shape().entries().min(4) as u32 } else { 1 };
    let mut phases = vec![whole_runs(on)?, longest(on, &[4100], 1)?, each_place(on)?];
    for kind in 0..DAMAGES {
        phases.push(damage(on, kind)?);
    }
    phases.push(all_astray(on)?);
    for bank in 0..2 {
        for place in 0..places {
            for bit in 2..RUN_BITS {
                phases.push(long_run(on, bank, place, bit)?);
            }
        }
    }
    let mut random = SplitMix64(u64::from(n) << 32 | on.shape().entries());
    for _ in 0..(512 / n).clamp(8, 64) {
        phases.push(any(on, &mut random)?);
    }
    Ok(phases)
}

/// Phases that the testbench runs only if it is asked to, since each takes 2^16 cycles and more.
///
/// # Errors
///
/// If a program does not fit the memory.
pub fn long(on: &Loadable) -> Result<Vec<Phase>, Refusal> {
    let n = on.shape().terminals();
    if n > 8 {
        return Ok(vec![longest(on, &[MAX_RUN], 1)?]);
    }
    // In a small design a bit of a length that is wrong only where another one is 1 is looked for in each place, an odd and an even number of
    // cycles after it was written.
    let mut runs = vec![MAX_RUN; on.shape().entries().min(4) as usize];
    let mut phases = vec![longest(on, &runs, 2)?];
    runs[0] -= 1;
    phases.push(longest(on, &runs, 2)?);
    // The count of rounds goes on while nothing runs. Here it is about to reach two when the first entry begins.
    let job = drawn(on, 4, &[5, 3])?;
    let start = |early| Phase {
        starting: 0,
        early: Some(early),
        ..phase("a start after a very long pause", &[&job])
    };
    phases.extend((u64::from(MAX_RUN) - 5..u64::from(MAX_RUN) - 2).map(start));
    Ok(phases)
}

/// Runs that are counted to their end.
fn whole_runs(on: &Loadable) -> Result<Phase, Refusal> {
    let jobs = [drawn(on, 1, &[300, 150])?, drawn(on, 2, &[85, 170])?];
    Ok(phase("long runs to their end", &[&jobs[0], &jobs[1]]))
}

/// Very long runs to their ends, in so many banks, in which nobody has a word.
fn longest(on: &Loadable, runs: &[u32], banks: u32) -> Result<Phase, Refusal> {
    let mut job = drawn(on, 3, runs)?;
    job.words.fill(0);
    Ok(phase("a very long run to its end", &vec![&job; banks as usize]))
}

/// A damaged program before a whole one, and again.
fn damage(on: &Loadable, kind: u32) -> Result<Phase, Refusal> {
    let mut random = SplitMix64(u64::from(kind) + 77);
    let (mut words, mut stream) = (Vec::new(), Vec::new());
    for seed in 0..2 {
        let job = drawn(on, 30 + seed, &[2, 1])?;
        let good = job.program.words();
        stream.extend(beats(&damaged(on, &good, kind, &mut random)));
        stream.extend(beats(&good));
        words.push(job.words);
    }
    let what = "a damaged program before a whole one";
    Ok(Phase { what, beats: stream, offering: STEADY, starting: STEADY, early: None, words, cut: None })
}

/// Four programs that fill the banks, or 64 entries of them, with runs of two rounds and more.
fn each_place(on: &Loadable) -> Result<Phase, Refusal> {
    let entries = on.shape().entries().min(64) as u32;
    let runs = |program: u32| (0..entries).map(|entry| 2 + (entry + program) % 3).collect::<Vec<u32>>();
    let jobs = (0..4)
        .map(|program| drawn(on, u64::from(program) + 9, &runs(program)))
        .collect::<Result<Vec<Job>, _>>()?;
    let jobs: Vec<&Job> = jobs.iter().collect();
    Ok(phase("four programs of all entries", &jobs))
}

/// A run length with this bit at a place of a bank, of which a reset ends all but the first rounds; the entries behind it have all bits.
fn long_run(on: &Loadable, bank: u32, place: u32, bit: u32) -> Result<Phase, Refusal> {
    let mut runs = vec![2; place as usize];
    // The runs of two and three rounds that the fetch knows, and a bit more.
    runs.push((1 << bit) + 2 + (place + bank) % 2);
    runs.resize(on.shape().entries().min(4) as usize, MAX_RUN);
    let long = drawn(on, (u64::from(bit) << 2 | u64::from(place)) << 1 | u64::from(bank), &runs)?;
    let first = drawn(on, bit.into(), &[1])?;
    let jobs: Vec<&Job> = [&first; 1].into_iter().take(bank as usize).chain([&long]).collect();
    let programs: usize = jobs.iter().map(|job| job.program.words().len()).sum();
    let cut = programs as u64 + 18 + 2 * u64::from(place) + u64::from(on.shape().latency());
    Ok(Phase { cut: Some(cut), ..phase("a reset in the middle of a long run at each place", &jobs) })
}

/// A few programs, some of them damaged, with pauses of any kind, and perhaps a reset or destinations to which the settings do not lead.
fn any(on: &Loadable, random: &mut SplitMix64) -> Result<Phase, Refusal> {
    let (n, entries) = (on.shape().terminals(), on.shape().entries().min(6) as u32);
    let mut below = |bound: u32| random.below(bound);
    let pauses = [STEADY, 150, 50];
    let (offering, starting) = (pauses[below(3) as usize], pauses[below(3) as usize]);
    let early = (below(4) == 0).then(|| below(16).into());
    let cut = (below(3) == 0).then(|| (20 + below(60)).into());
    let astray = below(4) == 0;
    let (mut words, mut stream) = (Vec::new(), Vec::new());
    for _ in 0..1 + random.below(3) {
        let count = 1 + random.below(entries);
        let runs = |random: &mut SplitMix64| [1, 1, 2, 3, 4 + random.below(12)][random.below(5) as usize];
        let states: Vec<Entry> = (0..count)
            .map(|_| {
                let run = runs(random);
                let state = on.drawn(random, run);
                let to = match astray {
                    true => (0..n).map(|_| random.below(n) as u16).collect(),
                    false => state.to,
                };
                Entry { to, ..state }
            })
            .collect();
        let job = Job::filled(on.shape(), states.into_iter())?;
        let good = job.program.words();
        if random.below(3) == 0 {
            stream.extend(beats(&damaged(on, &good, random.below(DAMAGES), random)));
        }
        stream.extend(beats(&good));
        words.push(job.words);
    }
    let what = "drawn programs, pauses and damage";
    Ok(Phase { what, beats: stream, offering, starting, early, words, cut })
}

/// Words that all go astray, until a reset comes: what is seen of them then must be forgotten.
fn all_astray(on: &Loadable) -> Result<Phase, Refusal> {
    let mut entry = on.drawn(&mut SplitMix64(41), 40);
    entry.to.rotate_left(1);
    let job = Job::filled(on.shape(), [entry].into_iter())?;
    let cut = job.program.words().len() as u64 + 16 + u64::from(on.shape().latency());
    Ok(Phase { cut: Some(cut), ..phase("a reset while every word goes astray", &[&job]) })
}

const DAMAGES: u32 = 9;

/// A program with a mistake of this kind.
fn damaged(on: &Loadable, good: &[u32], kind: u32, random: &mut SplitMix64) -> Vec<u32> {
    let (length, beats) = (good.len() as u32, on.shape().beats());
    let mut words = good.to_vec();
    match kind {
        0 => words.truncate(1 + random.below(length - 1) as usize),
        1 => words.extend((0..=random.below(3)).map(|at| good[at as usize % good.len()])),
        2 => words[0] = if random.below(2) == 0 { 0 } else { on.shape().entries() as u32 + 1 },
        3 => words[0] = good[0] % on.shape().entries() as u32 + 1,
        // What is dropped looks like a whole program.
        4 => words.insert(0, 0),
        5 => drop(words.splice(0..0, [0, MAX_RUN])),
        // A head alone, which no bank has room for.
        6 => words = vec![[0, on.shape().entries() as u32 + 1][random.below(2) as usize]],
        // A program that is too long, whose last word looks like the head of the rest.
        7 => {
            words[length as usize - 1] = good[0];
            words.extend_from_slice(&good[1..]);
        }
        _ => words[(1 + beats * random.below(good[0])) as usize] &= !MAX_RUN,
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loaded::{LoadedMark, run};
    use frit_demand::program::Shape;

    #[test]
    fn a_drawn_phase_has_an_error_if_a_program_is_damaged_and_loads_all_others() {
        for entries in [2, 4, 16] {
            let on = Loadable::benes(Shape::new(4, entries).unwrap());
            let phases = trials(&on).unwrap();
            let ran = run(&on, 8, &phases);
            let mut errors = [0; 4];
            for (phase, ran) in phases.iter().zip(&ran) {
                let seen = |what| ran.events.iter().filter(|event| event.what == what).count();
                let programs = phase.beats.iter().filter(|beat| beat.last).count();
                let damaged = programs - phase.words.len();
                if phase.cut.is_none() {
                    assert_eq!(seen(LoadedMark::Start), phase.words.len(), "{}", phase.what);
                    assert_eq!(seen(LoadedMark::Load), usize::from(damaged > 0), "{}", phase.what);
                }
                errors[3] += seen(LoadedMark::Stray);
                errors[0] += seen(LoadedMark::Load);
                errors[1] += seen(LoadedMark::Early);
                errors[2] += usize::from(phase.cut.is_some() && seen(LoadedMark::Word) > 0);
            }
            assert!(errors[0] > 9 && errors[1] > 3 && errors[2] > 28 && errors[3] > 5, "{errors:?}");
        }
    }
}

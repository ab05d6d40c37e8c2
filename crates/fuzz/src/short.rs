//! The short run that the tests make.

use crate::mutate::LONGEST;
use crate::{Answer, Scratch, SplitMix64, Target, corpus};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Runs a target on its corpus and on so many changes of it, always the same ones. Gives what does not hold, each with the
/// input: its name, or the file in `keep` in which it is kept.
pub fn run(target: &Target, scratch: &Scratch, seed: u64, changes: u32, keep: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let inputs = corpus::inputs(target);
    let mut taken = 0;
    for (name, input) in &inputs {
        match fault(target, scratch, input) {
            Ok(answer) => taken += u32::from(answer == Answer::Taken),
            Err(fault) => faults.push(format!("{}/{name}: {fault}", target.name)),
        }
    }
    if taken == 0 {
        faults.push(format!("no input of {} is taken: its changes say little", target.name));
    }
    let mut random = SplitMix64(seed);
    for number in 0..changes {
        let mut input = inputs[random.below(inputs.len() as u32) as usize].1.clone();
        for _ in 0..=random.below(3) {
            (target.mutate)(&mut input, &mut random);
            input.truncate(LONGEST);
        }
        if let Err(fault) = fault(target, scratch, &input) {
            let path = keep.join(format!("fritillary-fuzz-{}-{number}", target.name));
            let kept = std::fs::write(&path, &input)
                .map_or_else(|error| error.to_string(), |()| path.display().to_string());
            faults.push(format!("{}, seed {seed}, number {number} ({kept}): {fault}", target.name));
            break;
        }
    }
    faults
}

/// What becomes of an input; a panic is a fault.
fn fault(target: &Target, scratch: &Scratch, input: &[u8]) -> Result<Answer, String> {
    let run = catch_unwind(AssertUnwindSafe(|| target.run(scratch, input)));
    run.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(format!("a panic: {}", text.unwrap_or_else(|| "see above".into())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::refused_text;

    /// A reader with four mistakes.
    fn broken(_: &Scratch, input: &[u8]) -> crate::Outcome {
        match input.first() {
            Some(b'p') => panic!("on purpose"),
            Some(b'm') => Ok(vec![1u8; 80 << 20])
                .map(|bytes| [Answer::Taken, Answer::Refused][usize::from(bytes[9] == 0)]),
            Some(b'e') => refused_text("\u{1b}[2J", &[]),
            Some(b'l') => refused_text("there is a mistake", &["line "]),
            Some(b'n') => refused_text(&"x".repeat(5000), &[]),
            _ => Ok(Answer::Taken),
        }
    }

    /// One test, since the memory that is counted is that of the process.
    #[test]
    fn what_does_not_hold_is_found_and_kept_with_its_seed() {
        let target = Target { name: "sequence", about: "", check: broken, mutate: |_, _| {}, memory_mib: 64 };
        let text = |input: &[u8]| fault(&target, &Scratch::new(), input).unwrap_err();
        assert_eq!(text(b"p"), "a panic: see above");
        assert!(text(b"m").contains("MiB for 1 bytes; 64 are allowed"), "{}", text(b"m"));
        assert!(text(b"e").starts_with("an error with a raw '\\u{1b}'"));
        assert!(text(b"l").starts_with("an error that does not say where"));
        assert!(text(b"n").starts_with("an error of 5000 characters"));
        assert_eq!(fault(&target, &Scratch::new(), b"x"), Ok(Answer::Taken));

        let change: fn(&mut Vec<u8>, &mut SplitMix64) = |input, _| *input = b"e".to_vec();
        let target = Target { name: "sequence", about: "", check: broken, mutate: change, memory_mib: 64 };
        let keep = tempfile::tempdir().unwrap();
        let faults = run(&target, &Scratch::new(), 7, 3, keep.path());
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("seed 7, number 0"), "{}", faults[0]);
        assert_eq!(std::fs::read(keep.path().join("fritillary-fuzz-sequence-0")).unwrap(), b"e");
    }
}

//! Fuzzing of everything that reads files of others: one [`Target`] for each reader, with what must hold whatever its input
//! is, and a mutation that knows the input's form. docs/fuzz.md describes how they are run.
//!
//! A target's [`check`](Target::run) says whether an input was taken or refused; a finding is an `Err` with what does not
//! hold, a panic, a thread that runs too long, or memory out of all proportion.

pub mod corpus;
mod mutate;
mod rules;
mod scratch;
pub mod short;
mod targets;
mod wave;

pub use frit_traffic::random::SplitMix64;
pub use rules::{Answer, Outcome};
pub use scratch::Scratch;
pub use targets::{COMMANDS, TARGETS};

use peak_alloc::PeakAlloc;
use std::time::Duration;

/// Counts what is allocated.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A reader, and how it is fuzzed.
pub struct Target {
    /// Its name, and that of its folder in `corpus`.
    pub name: &'static str,
    /// What is read, and what is checked of it.
    pub about: &'static str,
    check: fn(&Scratch, &[u8]) -> Outcome,
    /// Changes an input in a way that its form suggests; what it leaves need not be valid.
    pub mutate: fn(&mut Vec<u8>, &mut SplitMix64),
    /// MiB that reading one input may take beside those of the limits that are documented.
    memory_mib: usize,
}

/// The longest that one input may keep a core busy.
const TIME: Duration = Duration::from_secs(10);

impl Target {
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().chain(COMMANDS).find(|target| target.name == name)
    }

    /// Reads one input.
    ///
    /// # Errors
    ///
    /// What should hold and does not.
    pub fn run(&self, scratch: &Scratch, input: &[u8]) -> Outcome {
        MEMORY.reset_peak_usage();
        let (before, start) = (MEMORY.current_usage(), rules::cpu_time());
        let answer = (self.check)(scratch, input)?;
        let mib = MEMORY.peak_usage().saturating_sub(before) >> 20;
        if mib > self.memory_mib {
            return Err(format!("{mib} MiB for {} bytes; {} are allowed", input.len(), self.memory_mib));
        }
        let time = rules::cpu_time().saturating_sub(start);
        if time > TIME {
            return Err(format!("{time:?} for {} bytes; {TIME:?} are allowed", input.len()));
        }
        Ok(answer)
    }
}

//! What holds for every reader.

use std::error::Error;
use std::time::Duration;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Taken,
    /// It was refused, with an error that is fit to be shown.
    Refused,
}

/// What became of an input, or what should hold and does not.
pub type Outcome = Result<Answer, String>;

/// The most characters of an error: one quotes a file, it does not repeat it.
const LONGEST: usize = 2000;

/// An error as the command prints it.
pub(crate) fn shown(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    text
}

/// Checks an error: it is short, nothing in it is obeyed by a terminal, and it has one of the words that say where.
pub(crate) fn refused(error: &dyn Error, places: &[&str]) -> Outcome {
    refused_text(&shown(error), places)
}

pub(crate) fn refused_text(text: &str, places: &[&str]) -> Outcome {
    if text.chars().count() > LONGEST {
        let start: String = text.chars().take(100).collect();
        return Err(format!("an error of {} characters: {start:?} ...", text.chars().count()));
    }
    if let Some(raw) = text.chars().find(|c| c.is_control() && *c != '\n') {
        return Err(format!("an error with a raw {raw:?}: {text:?}"));
    }
    if !places.is_empty() && !places.iter().any(|place| text.contains(place)) {
        return Err(format!("an error that does not say where: {text:?}"));
    }
    Ok(Answer::Refused)
}

/// Checks that two things are equal that must be.
pub(crate) fn equal<T: PartialEq + std::fmt::Debug>(what: &str, a: &T, b: &T) -> Result<(), String> {
    if a == b {
        return Ok(());
    }
    let [a, b] = [a, b].map(|value| format!("{value:?}").chars().take(400).collect::<String>());
    Err(format!("{what}: {a} is not {b}"))
}

/// What this thread has spent on a core.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Duration {
    Duration::ZERO
}

//! What a campaign found.

use super::Engine;
use std::path::PathBuf;
use std::time::Duration;

/// The first place where an engine and the reference disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDifference {
    /// The run, where a design has several: prepare runs first, then the one that carries the messages.
    pub run: u32,
    /// The cycle of the run.
    pub cycle: u64,
    /// The signal, or what else differs.
    pub signal: String,
    /// What the reference says.
    pub expected: String,
    /// What the engine says.
    pub got: String,
}

impl FirstDifference {
    /// Of a design that has one run.
    pub fn new(cycle: u64, signal: &str, expected: impl ToString, got: impl ToString) -> Self {
        let (expected, got) = (expected.to_string(), got.to_string());
        FirstDifference { run: 0, cycle, signal: signal.into(), expected, got }
    }
}

/// Whether an engine ran, and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State<K, D> {
    Ran {
        /// What is told of it.
        kept: K,
        /// The first difference from the reference.
        first_difference: Option<D>,
        wave: Option<PathBuf>,
        /// Time of each part.
        times: Vec<(&'static str, Duration)>,
    },
    /// It did not run.
    NotRun { why: String },
}

impl<K, D> State<K, D> {
    /// Why it did not run; `None` if it did.
    pub fn not_run(&self) -> Option<&str> {
        match self {
            State::Ran { .. } => None,
            State::NotRun { why } => Some(why),
        }
    }
}

/// An engine and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineReport<E, K, D> {
    pub engine: E,
    pub state: State<K, D>,
}

impl<E, K, D> EngineReport<E, K, D> {
    /// Whether it ran and agrees with the reference; `None` if it did not run.
    pub fn agrees(&self) -> Option<bool> {
        match &self.state {
            State::Ran { first_difference, .. } => Some(first_difference.is_none()),
            State::NotRun { .. } => None,
        }
    }
}

/// What a campaign found.
#[derive(Clone, Debug)]
pub struct Report<E, R, K, D> {
    /// What the engines were compared with.
    pub reference: R,
    pub engines: Vec<EngineReport<E, K, D>>,
    /// Time to write the design.
    pub generate: Duration,
    pub total: Duration,
}

impl<E: Engine, R, K, D> Report<E, R, K, D> {
    /// No engine disagrees; one that did not run does not.
    pub fn agrees(&self) -> bool {
        self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }
}

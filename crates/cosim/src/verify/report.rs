//! What `verify` found.

use super::Engine;
use super::engines::Ran;
use frit_cells::netlist::print::Style;
use frit_traffic::trace::Run;
use std::path::PathBuf;
use std::time::Duration;

/// The first place where an engine and the model disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDifference {
    /// The run: prepare runs first, then the one that carries the messages.
    pub run: u32,
    /// The cycle of the run.
    pub cycle: u64,
    /// The signal, or what else differs.
    pub signal: String,
    /// What the model says.
    pub expected: String,
    /// What the engine says.
    pub got: String,
}

/// Whether an engine ran, and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It ran.
    Ran {
        /// Cycle of the last delivery as the engine counted it.
        cycles: u64,
        /// The first difference from the model.
        first_difference: Option<FirstDifference>,
        /// Its waveform.
        wave: Option<PathBuf>,
        /// Time of each part.
        times: Vec<(&'static str, Duration)>,
    },
    /// It did not run.
    NotRun {
        /// Why.
        why: String,
    },
}

/// An engine and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineReport {
    /// The engine.
    pub engine: Engine,
    /// How it went.
    pub state: State,
}

impl EngineReport {
    pub(super) fn reference(ran: &Ran) -> Self {
        EngineReport {
            engine: Engine::Model,
            state: State::Ran {
                cycles: ran.run.cycles,
                first_difference: None,
                wave: ran.wave.clone(),
                times: ran.times.clone(),
            },
        }
    }

    /// Whether it ran and agrees with the model; `None` if it did not run.
    pub fn agrees(&self) -> Option<bool> {
        match &self.state {
            State::Ran { first_difference, .. } => Some(first_difference.is_none()),
            State::NotRun { .. } => None,
        }
    }
}

/// What `verify` found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the design.
    pub design: String,
    /// How its Verilog was written.
    pub style: Style,
    /// The model's counts.
    pub run: Run,
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Time to build and write the design.
    pub generate: Duration,
    /// Time in all.
    pub total: Duration,
}

impl Report {
    /// No engine disagrees, and the model itself delivered everything.
    pub fn agrees(&self) -> bool {
        self.run.ok() && self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }

    /// How an engine went.
    pub fn engine(&self, engine: Engine) -> Option<&EngineReport> {
        self.engines.iter().find(|report| report.engine == engine)
    }
}

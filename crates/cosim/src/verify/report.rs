//! What `verify` found.

use super::Engine;
use crate::campaign::{self, FirstDifference};
use frit_cells::netlist::print::Style;
use frit_traffic::trace::Run;
use std::time::Duration;

/// An engine and how it went: of one that ran, the cycle of the last delivery as it counted it.
pub type EngineReport = campaign::EngineReport<Engine, u64, FirstDifference>;

/// Whether an engine ran, and how it went.
pub type State = campaign::State<u64, FirstDifference>;

/// What was found of a design of which each engine counts one figure.
#[derive(Clone, Debug)]
pub struct CountedReport {
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Time to write the design.
    pub generate: Duration,
    pub total: Duration,
}

impl CountedReport {
    /// No engine disagrees.
    pub fn agrees(&self) -> bool {
        self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }
}

/// What `verify` found.
#[derive(Clone, Debug)]
pub struct ExchangeReport {
    pub design: String,
    /// How its Verilog was written.
    pub style: Style,
    pub run: Run,
    /// Whether the model ran with faults: then messages may be missing.
    pub faulty: bool,
    /// The counts of every engine that ran, the model's first.
    pub counts: Vec<(Engine, Run)>,
    /// The engines, the model first.
    pub engines: Vec<EngineReport>,
    /// Time to build and write the design.
    pub generate: Duration,
    pub total: Duration,
}

impl ExchangeReport {
    /// No engine disagrees, and the model itself delivered everything, unless it has faults.
    pub fn agrees(&self) -> bool {
        (self.run.ok() || self.faulty) && self.engines.iter().all(|engine| engine.agrees() != Some(false))
    }

    /// How an engine went.
    pub fn engine(&self, engine: Engine) -> Option<&EngineReport> {
        self.engines.iter().find(|report| report.engine == engine)
    }
}

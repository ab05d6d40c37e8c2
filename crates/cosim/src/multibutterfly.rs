//! A multibutterfly under the model, rust-hdl and the simulators, compared commit by commit and message by message.
//!
//! The plain model is what the others are compared with: every commit, placement and delivery with its phase, the phases, the messages
//! that are left.

mod compare;
pub mod events;
mod further;

use crate::campaign::{FirstDifference, Printed};
use crate::routed::{Routed, RoutedError};
use crate::verify::Engine;
use events::{Events, Said};
use frit_cells::bench::PeriodObserver;
use frit_cells::design::multibutterfly::{Hardware, HardwareError};
use frit_cells::multibutterfly as hardware_bench;
use frit_cells::multibutterfly::fault::{Fault, FaultError, inject};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::{SimulateError, Simulated};
use frit_model::multibutterfly::run;
use frit_router::multibutterfly::{NodeEvent, Problem};
use frit_rtl::Files;
use frit_rtl::library::Sources;
use frit_rtl::multibutterfly::{self as rtl, GRACE_PHASES, PROBES, Run, package, render};
use frit_trace::diff::DiffError;
use frit_trace::output::open;
use std::path::Path;

/// What must happen in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// What the nodes do, phase by phase.
    pub events: Vec<NodeEvent>,
    /// Phases.
    pub phases: u32,
    /// Cycles of the hardware.
    pub cycles: u64,
    /// The messages that do not arrive.
    pub left: Vec<u32>,
}

impl Expected {
    fn for_bench(&self) -> rtl::Expected<'_> {
        let Expected { events, phases, left, .. } = self;
        rtl::Expected { events, phases: *phases, left }
    }
}

/// The hardware of a problem, with as many buffers as a run of the plain model fills, and what happens in that run.
///
/// # Errors
/// What has no hardware.
pub fn hardware(problem: &Problem) -> Result<(Hardware<'_>, Expected), HardwareError> {
    // What has none must not be run for long before that is said.
    Hardware::new(problem, 2)?;
    let (mut expected, buffers) = expected(problem);
    let hardware = Hardware::new(problem, buffers)?;
    expected.cycles = u64::from(expected.phases) * hardware.phase_cycles();
    Ok((hardware, expected))
}

/// What happens in a run of the plain model, without the cycles of the hardware, and the buffers of a side that it fills.
fn expected(problem: &Problem) -> (Expected, u32) {
    let mut events = Vec::new();
    let outcome = run(problem, |event| events.push(event.clone()));
    let events = compare::in_order(events);
    let expected = Expected { events, phases: outcome.phases, cycles: 0, left: outcome.undelivered };
    (expected, outcome.figures.max_raw)
}

/// The files of a design: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile.
pub fn design_files(
    problem: &Problem,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Expected,
    command: &str,
    library: Option<&str>,
) -> Vec<(String, String)> {
    let Sources { mut files, list } = Sources::new(netlist, Style::Unrolled, library);
    let further = further::traffics(problem, expected, hardware);
    let first = Run { problem, expected: expected.for_bench(), what: "the messages given" };
    let others = further.iter().map(|further| Run {
        problem: &further.problem,
        expected: further.expected.for_bench(),
        what: &further.what,
    });
    let runs: Vec<Run> = std::iter::once(first).chain(others).collect();
    files.extend(render(&runs, hardware, command, &list));
    files
}

/// The packages of a design whose files are there, and its datasheet.
pub fn package_files(
    problem: &Problem,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Expected,
    command: &str,
    files: &Files,
    library: Option<&str>,
) -> Vec<(String, String)> {
    package::render(problem, hardware, netlist, expected.for_bench(), command, files, library)
}

/// Why there is no such design.
#[derive(Debug, thiserror::Error)]
pub enum DesignError {
    /// There is no hardware for it.
    #[error(transparent)]
    Hardware(#[from] HardwareError),
    /// The fault has no place.
    #[error(transparent)]
    Fault(#[from] FaultError),
}

/// A design with what must happen in it.
pub struct Design<'a> {
    problem: &'a Problem,
    hardware: Hardware<'a>,
    netlist: Netlist,
    expected: Expected,
}

impl<'a> Design<'a> {
    /// The design for these messages, with a deliberate fault if one is given.
    ///
    /// # Errors
    /// If there is no such hardware or no place for the fault.
    pub fn new(problem: &'a Problem, fault: Option<Fault>) -> Result<Self, DesignError> {
        let (hardware, expected) = hardware(problem)?;
        let mut netlist = hardware.netlist();
        if let Some(fault) = fault {
            inject(&mut netlist, &hardware, fault)?;
        }
        Ok(Design { problem, hardware, netlist, expected })
    }

    /// What happens in the model.
    pub fn happens(&self) -> &Expected {
        &self.expected
    }
}

impl Routed for Design<'_> {
    type Events = Events;
    const RESULTS: &'static [&'static str] = &["events.csv", "wave.fst", "wave.vcd", "run.log"];
    const EVENTS: &'static [&'static str] = &["events"];
    const PROBES: &'static [&'static str] = &PROBES;
    // The model has phases and no cycles.
    const SHOWN: Engine = Engine::RustHdl;

    fn name(&self) -> String {
        self.hardware.design_name()
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn files(&self, command: &str) -> Vec<(String, String)> {
        let Design { problem, hardware, netlist, expected } = self;
        design_files(problem, hardware, netlist, expected, command, None)
    }

    fn expected(&self) -> u64 {
        self.expected.cycles
    }

    fn counted(events: &Events) -> u64 {
        events.cycles
    }

    fn simulate(&self, design: Simulated, periods: &mut dyn PeriodObserver) -> Result<Events, SimulateError> {
        let limit = self.expected.cycles + GRACE_PHASES * self.hardware.phase_cycles();
        let found = hardware_bench::run_observed(self.problem, &self.hardware, design, limit, periods)?;
        let cycles = found.cycles.unwrap_or(limit);
        let said = found.complaint.map(|c| Said { phase: c.phase.into(), cycle: c.cycle, text: c.what });
        let left = (found.left != self.expected.left).then(|| Said {
            phase: found.phases,
            cycle: cycles,
            text: format!("the messages left are {:?}", found.left),
        });
        Ok(Events { events: found.events, cycles, complaint: said.or(left) })
    }

    fn read(&self, printed: &Printed) -> Result<Events, RoutedError> {
        let cycles = printed.result(|result| u64::try_from(result.value("cycles")?).ok())?;
        let path = printed.folder.join("events.csv");
        let events = events::events(open(&path)?, &path)?;
        Ok(Events { events, cycles, complaint: events::complaint(printed) })
    }

    fn first(&self, got: &Events) -> Option<FirstDifference> {
        compare::first(&self.expected, got)
    }

    fn first_of_waves(&self, a: &Path, b: &Path) -> Result<Option<FirstDifference>, DiffError> {
        compare::of_waves(self.problem, &self.hardware, a, b)
    }
}

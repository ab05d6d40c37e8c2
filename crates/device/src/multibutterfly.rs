//! The files of a multibutterfly with messages, what must happen in its run, and what its testbench runs after it.

mod further;

use frit_cells::design::multibutterfly::{Hardware, HardwareError};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_model::multibutterfly::run;
use frit_router::multibutterfly::{NodeEvent, Problem};
use frit_rtl::Files;
use frit_rtl::library::Sources;
use frit_rtl::multibutterfly::{self as rtl, Run, package, render};

/// What must happen in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// What the nodes do, phase by phase.
    pub events: Vec<NodeEvent>,
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
    let events = in_order(events);
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

/// The events by phases, those of a phase in their own order: nodes do things at once.
pub fn in_order(mut events: Vec<NodeEvent>) -> Vec<NodeEvent> {
    events.sort_by(|a, b| (a.phase(), a).cmp(&(b.phase(), b)));
    events
}

//! A multibutterfly with messages, what must happen in its run, and what its testbench runs after it.

mod further;

use crate::Device;
use frit_cells::design::multibutterfly::Hardware;
use frit_cells::multibutterfly::fault::MULTIBUTTERFLY;
use frit_cells::netlist::Netlist;
use frit_model::multibutterfly::run;
use frit_network::Refusal;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_router::multibutterfly::{NodeEvent, Problem};
use frit_rtl::Files;
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
pub fn hardware(problem: &Problem) -> Result<(Hardware<'_>, Expected), Refusal> {
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

/// A multibutterfly with messages, and with what must happen to them. Its modules have one form.
pub struct MultibutterflyDevice<'a> {
    pub problem: &'a Problem,
    pub hardware: Hardware<'a>,
    netlist: Netlist,
    /// What happens in the model.
    pub expected: Expected,
    command: String,
}

impl<'a> MultibutterflyDevice<'a> {
    /// The hardware with a deliberate fault, if one is given; `command` writes its files.
    ///
    /// # Errors
    ///
    /// If it is no fault of a multibutterfly, or has no place.
    pub fn new(
        problem: &'a Problem,
        (hardware, expected): (Hardware<'a>, Expected),
        fault: Option<&str>,
        command: String,
    ) -> Result<Self, Refusal> {
        let mut netlist = hardware.netlist();
        fault.map_or(Ok(()), |fault| MULTIBUTTERFLY.plant(&mut netlist, fault))?;
        Ok(MultibutterflyDevice { problem, hardware, netlist, expected, command })
    }
}

impl Device for MultibutterflyDevice<'_> {
    fn testbench(&self) -> String {
        self.name()
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    fn sound(&self) -> Option<Netlist> {
        Some(Netlist { names: self.netlist.names.clone(), ..self.hardware.netlist() })
    }

    /// The testbench runs these messages, then those of `further`.
    fn bench(&self, sources: &[String]) -> Files {
        let MultibutterflyDevice { problem, hardware, expected, command, .. } = self;
        let further = further::traffics(problem, expected, hardware);
        let first = Run { problem, expected: expected.for_bench(), what: "the messages given" };
        let others = further.iter().map(|further| Run {
            problem: &further.problem,
            expected: further.expected.for_bench(),
            what: &further.what,
        });
        let runs: Vec<Run> = std::iter::once(first).chain(others).collect();
        render(&runs, hardware, command, sources)
    }

    fn package(&self, files: &Files, library: Option<&str>) -> Files {
        let MultibutterflyDevice { problem, hardware, netlist, expected, command } = self;
        package::render(problem, hardware, netlist, expected.for_bench(), command, files, library)
    }

    fn command(&self) -> String {
        self.command.clone()
    }

    fn facts(&self) -> Facts {
        let Expected { phases, cycles, left, .. } = &self.expected;
        facts! { "stages": phases, "cycles": cycles, "left": left.len() }
    }
}

/// The events by phases, those of a phase in their own order: nodes do things at once.
pub fn in_order(mut events: Vec<NodeEvent>) -> Vec<NodeEvent> {
    events.sort_by(|a, b| (a.phase(), a).cmp(&(b.phase(), b)));
    events
}

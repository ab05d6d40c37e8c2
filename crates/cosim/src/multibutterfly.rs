//! A multibutterfly under the model, rust-hdl and the simulators, compared commit by commit and message by message.
//!
//! The plain model is what the others are compared with: every commit, placement and delivery with its phase, the phases, the messages
//! that are left.

mod compare;
pub mod events;

use crate::campaign::{FirstDifference, Printed};
use crate::routed::{Routed, RoutedError};
use crate::verify::Engine;
use events::{Events, Said};
use frit_cells::bench::PeriodObserver;
use frit_cells::design::multibutterfly::{Hardware, HardwareError};
use frit_cells::multibutterfly as hardware_bench;
use frit_cells::multibutterfly::fault::{Fault, FaultError, inject};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::{SimulateError, Simulated};
use frit_device::multibutterfly::{Expected, design_files, hardware};
use frit_network::Refusal;
use frit_router::multibutterfly::Problem;
use frit_rtl::multibutterfly::{GRACE_PHASES, PROBES};
use frit_trace::output::open;
use std::path::Path;

/// Why there is no such design.
#[derive(Debug, thiserror::Error)]
pub enum DesignError {
    #[error(transparent)]
    Hardware(#[from] HardwareError),
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

    fn first_of_waves(&self, a: &Path, b: &Path) -> Result<Option<FirstDifference>, Refusal> {
        compare::of_waves(self.problem, &self.hardware, a, b)
    }
}

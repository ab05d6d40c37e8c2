//! A multibutterfly under the model, rust-hdl and the simulators, compared commit by commit and message by message.
//!
//! The plain model is what the others are compared with: every commit, placement and delivery with its phase, the phases, the messages
//! that are left.

mod compare;
pub mod events;

use crate::campaign::{FirstDifference, Printed};
use crate::routed::Routed;
use crate::verify::Engine;
use events::{Events, Said};
use frit_cells::bench::PeriodObserver;
use frit_cells::multibutterfly as hardware_bench;
use frit_cells::netlist::simulate::Simulated;
use frit_device::multibutterfly::MultibutterflyDevice;
use frit_network::Refusal;
use frit_rtl::multibutterfly::{GRACE_PHASES, PROBES};
use frit_trace::output::open;
use std::path::Path;

impl Routed for MultibutterflyDevice<'_> {
    type Events = Events;
    const RESULTS: &'static [&'static str] = &["events.csv", "wave.fst", "wave.vcd", "run.log"];
    const EVENTS: &'static [&'static str] = &["events"];
    const PROBES: &'static [&'static str] = &PROBES;
    // The model has phases and no cycles.
    const SHOWN: Engine = Engine::RustHdl;

    fn expected(&self) -> u64 {
        self.expected.cycles
    }

    fn counted(events: &Events) -> u64 {
        events.cycles
    }

    fn simulate(&self, design: Simulated, periods: &mut dyn PeriodObserver) -> Result<Events, Refusal> {
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

    fn read(&self, printed: &Printed) -> Result<Events, Refusal> {
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

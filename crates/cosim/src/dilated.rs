//! A dilated butterfly under the model, rust-hdl and the simulators, compared shunt by shunt and bit by bit.
//!
//! The plain model is what the others are compared with: every shunt, every payload bit with the edge where it comes out,
//! the steps, the packets that are left.

mod compare;
pub mod events;
#[cfg(test)]
mod tests;

use crate::campaign::{FirstDifference, Printed};
use crate::routed::Routed;
use crate::verify::Engine;
use crate::wave_file::write_dilated_wave;
use events::Events;
use frit_cells::bench::PeriodObserver;
use frit_cells::dilated as hardware_bench;
use frit_cells::netlist::simulate::Simulated;
use frit_device::dilated::DilatedDevice;
use frit_network::Refusal;
use frit_rtl::dilated::{GRACE, PROBES};
use frit_trace::output::open;
use std::path::Path;

impl Routed for DilatedDevice<'_> {
    type Events = Events;
    const RESULTS: &'static [&'static str] =
        &["shunts.csv", "arrivals.csv", "wave.fst", "wave.vcd", "run.log"];
    const EVENTS: &'static [&'static str] = &["shunts", "arrivals"];
    const PROBES: &'static [&'static str] = &PROBES;
    const SHOWN: Engine = Engine::Model;

    fn expected(&self) -> u64 {
        self.expected.steps
    }

    fn counted(events: &Events) -> u64 {
        events.steps
    }

    fn write_wave(&self, path: &Path) -> Result<(), Refusal> {
        write_dilated_wave(path, self.packets, &self.hardware)
    }

    fn simulate(&self, design: Simulated, periods: &mut dyn PeriodObserver) -> Result<Events, Refusal> {
        let limit = self.expected.last_step() + GRACE;
        let found = hardware_bench::run_observed(self.packets, &self.hardware, design, limit, periods)?;
        let left = (found.complaint.is_none() && found.left != self.expected.left)
            .then(|| (limit, format!("the packets left are {:?}", found.left)));
        Ok(Events {
            complaint: found.complaint.map(|c| (u64::from(c.step), c.what)).or(left),
            steps: found.steps.unwrap_or(limit),
            shunts: found.shunts,
            arrivals: found.arrivals,
        })
    }

    fn read(&self, printed: &Printed) -> Result<Events, Refusal> {
        let steps = printed.result(|result| u64::try_from(result.value("steps")?).ok())?;
        let [shunts, arrivals] = ["shunts.csv", "arrivals.csv"].map(|name| printed.folder.join(name));
        Ok(Events {
            shunts: events::shunts(open(&shunts)?, &shunts)?,
            arrivals: events::arrivals(open(&arrivals)?, &arrivals)?,
            steps,
            complaint: events::complaint(printed),
        })
    }

    fn first(&self, got: &Events) -> Option<FirstDifference> {
        compare::first(&self.expected, got)
    }

    fn first_of_waves(&self, a: &Path, b: &Path) -> Result<Option<FirstDifference>, Refusal> {
        compare::of_waves(&self.expected, a, b)
    }
}

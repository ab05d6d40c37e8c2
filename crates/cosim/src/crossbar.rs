//! A crossbar under the model, rust-hdl and the simulators, compared event by event: responses to the host, words that enter and leave, each
//! with its cycle, and the error.
//!
//! The model knows the contract and where the bare network leads, not the way back, the queues and the control.

use crate::recorded::{Recorded, Seen};
use frit_cells::crossing::{self, CrossbarFault, CrossbarFaultError, plant};
use frit_cells::design::crossbar::Hardware;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::SimulateError;
use frit_demand::crossbar::seen::{Event, Trial, What};
use frit_rtl::crossbar::{package, render};
use frit_rtl::library::Sources;
use frit_schedule::plan::Variant;

/// A design with what is done with it and seen there.
pub struct Design {
    trial: Trial,
    hardware: Hardware,
    netlist: Netlist,
}

impl Design {
    /// The hardware of a trial, with a deliberate fault if one is given; `variant`: in what else its text differs from that of others.
    ///
    /// # Errors
    /// If there is no place for the fault.
    pub fn new(
        trial: Trial,
        fault: Option<CrossbarFault>,
        variant: Option<Variant>,
    ) -> Result<Self, CrossbarFaultError> {
        let hardware = Hardware { variant, ..Hardware::new(trial.shape, trial.width) };
        let mut netlist = hardware.netlist();
        if let Some(fault) = fault {
            plant(&mut netlist, trial.shape, fault)?;
        }
        Ok(Design { trial, hardware, netlist })
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.hardware.design_name()
    }

    /// What it depends on.
    pub fn hardware(&self) -> &Hardware {
        &self.hardware
    }

    /// Its netlist, for a caller that says where its cells are.
    pub fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    /// Its files: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile.
    pub fn files(&self, library: Option<&str>) -> Vec<(String, String)> {
        let Sources { mut files, list } = Sources::new(&self.netlist, Style::Unrolled, library);
        files.extend(render(&self.trial, &self.hardware, &list));
        files
    }

    /// What other build tools read of these `files`, and the datasheet.
    pub fn package(&self, files: &Vec<(String, String)>, library: Option<&str>) -> Vec<(String, String)> {
        package(&self.trial, &self.hardware, &self.netlist, files, library)
    }
}

impl Recorded for Design {
    type Record = Event;
    const RECORD: &'static str = "event";
    const NONE: &'static str = "nothing more";
    const PLUSARG: &'static str = "events";
    const RESULTS: &'static [&'static str] = &["events.csv", "run.log"];

    fn testbench(&self) -> String {
        self.top()
    }

    fn top(&self) -> String {
        self.hardware.top_name()
    }

    fn files(&self) -> Vec<(String, String)> {
        self.files(None)
    }

    fn expected(&self) -> Vec<Event> {
        self.trial.events().cloned().collect()
    }

    fn simulate(&self) -> Result<Seen<Event>, SimulateError> {
        Ok(Seen { records: crossing::run(&self.trial, &self.netlist)?, complaint: None })
    }

    fn read(line: &str) -> Option<Event> {
        Event::read(line)
    }

    fn time(event: &Event) -> (usize, u64) {
        (event.phase, event.cycle)
    }

    fn tell(event: &Event) -> String {
        let Event { what, place, data, .. } = event;
        match what {
            What::In => format!("input {place} takes {data}"),
            What::Out => format!("output {place} gives {data}"),
            What::Read => format!("a register reads {data}, response {place}"),
            What::Response => format!("a write has the response {place}"),
            What::Error => "error_o rises".into(),
        }
    }

    fn counts(event: &Event) -> bool {
        event.what == What::Out
    }
}

//! A network whose schedule is loaded, under the model, rust-hdl and the simulators, compared event by event: when exchanges start and end,
//! when each word arrives, where and from whom, and which errors are reported.
//!
//! The model knows the contract and the bare network, not the loader, the fetch and the memories.

use crate::recorded::{Recorded, Seen};
use frit_cells::design::loaded::Hardware;
use frit_cells::loading::{self, LoadedFault, LoadedFaultError, plant};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::SimulateError;
use frit_demand::loaded::{Event, Trial, What};
use frit_rtl::library::Sources;
use frit_rtl::loaded::{package, render};
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
        fault: Option<LoadedFault>,
        variant: Option<Variant>,
    ) -> Result<Self, LoadedFaultError> {
        let hardware = Hardware { variant, ..Hardware::new(trial.on.clone(), trial.width) };
        let mut netlist = hardware.netlist();
        if let Some(fault) = fault {
            plant(&mut netlist, trial.shape(), fault)?;
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
        Ok(Seen { records: loading::run(&self.trial, &self.netlist)?, complaint: None })
    }

    fn read(line: &str) -> Option<Event> {
        Event::read(line)
    }

    fn time(event: &Event) -> (usize, u64) {
        (event.phase, event.cycle)
    }

    fn tell(event: &Event) -> String {
        let Event { what, terminal, source, data, .. } = event;
        match what {
            What::Word => format!("the word {data} from {source} arrives at {terminal}"),
            _ => what.name().to_string(),
        }
    }

    fn counts(event: &Event) -> bool {
        event.what == What::Word
    }
}

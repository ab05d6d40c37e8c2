//! Messages of any length around a loaded schedule, under the model, rust-hdl and the simulators, compared event by event: beats that are taken,
//! words that leave, starts and ends of exchanges and errors, each with its cycle.

use crate::recorded::{Recorded, Seen};
use frit_cells::design::loaded::Hardware;
use frit_cells::design::messages::Messages;
use frit_cells::messaging::{self, MessagesFault, MessagesFaultError, plant};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::SimulateError;
use frit_demand::messages::{Event, Trial, What};
use frit_rtl::library::Sources;
use frit_rtl::messages::{package, render};
use frit_schedule::plan::Variant;

/// A design with what is done with it and seen there.
pub struct Design {
    trial: Trial,
    messages: Messages,
    netlist: Netlist,
}

impl Design {
    /// The hardware of a trial, with a deliberate fault if one is given; `variant`: in what else its text differs from that of others.
    ///
    /// # Errors
    /// If there is no place for the fault.
    pub fn new(
        trial: Trial,
        fault: Option<MessagesFault>,
        variant: Option<Variant>,
    ) -> Result<Self, MessagesFaultError> {
        let hardware = Hardware { variant, ..Hardware::new(trial.on.clone(), trial.width) };
        let messages = Messages { hardware, length: trial.length };
        let mut netlist = messages.netlist();
        if let Some(fault) = fault {
            plant(&mut netlist, trial.shape().stages(), fault)?;
        }
        Ok(Design { trial, messages, netlist })
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.messages.design_name()
    }

    /// What it depends on.
    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// Its netlist, for a caller that says where its cells are.
    pub fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    /// Its files: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile.
    pub fn files(&self, library: Option<&str>) -> Vec<(String, String)> {
        let Sources { mut files, list } = Sources::new(&self.netlist, Style::Unrolled, library);
        files.extend(render(&self.trial, &self.messages, &list));
        files
    }

    /// What other build tools read of these `files`, and the datasheet.
    pub fn package(&self, files: &Vec<(String, String)>, library: Option<&str>) -> Vec<(String, String)> {
        package(&self.trial, &self.messages, &self.netlist, files, library)
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
        self.messages.top_name()
    }

    fn files(&self) -> Vec<(String, String)> {
        self.files(None)
    }

    fn expected(&self) -> Vec<Event> {
        self.trial.events().cloned().collect()
    }

    fn simulate(&self) -> Result<Seen<Event>, SimulateError> {
        Ok(Seen { records: messaging::run(&self.trial, &self.netlist)?, complaint: None })
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
            What::In => format!("terminal {terminal} sends {data}"),
            What::Out => format!("terminal {terminal} has {data} from {source}"),
            _ => what.name().to_string(),
        }
    }

    fn counts(event: &Event) -> bool {
        event.what == What::Out
    }
}

//! Messages of any length around a loaded schedule, with their trial. What is seen: beats that are taken, words that leave, starts and ends of
//! exchanges and errors, each with its cycle.

use crate::{Device, Record, Recorded, Seen};
use frit_cells::design::loaded::Hardware;
use frit_cells::design::messages;
use frit_cells::fault::MESSAGES;
use frit_cells::netlist::Netlist;
use frit_model::event::Mark;
use frit_model::messages::{Event, MessageMark, Trial};
use frit_network::Refusal;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_rtl::Files;
use frit_rtl::messages::{command, facts, package, render};
use frit_schedule::plan::Variant;

/// Messages around a loaded schedule, with what is done with them and seen there.
pub struct Messages {
    trial: Trial,
    design: messages::Messages,
    netlist: Netlist,
}

impl Messages {
    /// The hardware of a trial, with a deliberate fault if one is given; `variant`: in what else its text differs from that of others.
    ///
    /// # Errors
    ///
    /// If it is no fault of messages, or has no place.
    pub fn new(trial: Trial, fault: Option<&str>, variant: Option<Variant>) -> Result<Self, Refusal> {
        let hardware = Hardware { variant, ..Hardware::new(trial.on.clone(), trial.width) };
        let design = messages::Messages { hardware, length: trial.length };
        let mut netlist = design.netlist();
        if let Some(fault) = fault {
            MESSAGES.plant(&mut netlist, fault)?;
        }
        Ok(Messages { trial, design, netlist })
    }
}

fn record(event: &Event) -> Record {
    let Event { phase, cycle, what, place, source, data } = event;
    let (phase, cycle, counts) = (*phase, *cycle, *what == MessageMark::Out);
    let what = match what {
        MessageMark::In => format!("terminal {place} sends {data}"),
        MessageMark::Out => format!("terminal {place} has {data} from {source}"),
        _ => what.name().to_string(),
    };
    Record { phase, cycle, what, counts }
}

impl Device for Messages {
    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    fn bench(&self, sources: &[String]) -> Files {
        render(&self.trial, &self.design, &self.netlist, sources)
    }

    fn package(&self, files: &Files, library: Option<&str>) -> Files {
        package(&self.trial, &self.design, &self.netlist, files, library)
    }

    fn command(&self) -> String {
        command(&self.design)
    }

    fn facts(&self) -> Facts {
        facts(&self.trial)
    }
}

impl Recorded for Messages {
    fn trial(&self) -> String {
        let text = "messages of 1 to {length} words, {rounds} rounds in {program_entries} of {entries} entries, {phases} phases, {width} bits";
        facts::text(&self.facts(), text).unwrap_or_default()
    }

    fn expected(&self) -> Vec<Record> {
        self.trial.events().map(record).collect()
    }

    fn simulate(&self) -> Result<Seen, Refusal> {
        let events = frit_trial::messages::run(&self.trial, &self.netlist)?;
        Ok(Seen { records: events.iter().map(record).collect(), complaint: None })
    }

    fn read(&self, line: &str) -> Option<Record> {
        Event::read(line).as_ref().map(record)
    }
}

//! A network whose schedule is loaded, with its trial. What is seen: when exchanges start and end, when each word arrives, where and from whom,
//! and which errors are reported.
//!
//! The model knows the contract and the bare network, not the loader, the fetch and the memories.

use crate::{Device, Record, Recorded, Seen};
use frit_cells::design::loaded::Hardware;
use frit_cells::fault::LOADED;
use frit_cells::netlist::Netlist;
use frit_model::event::Mark;
use frit_model::loaded::{Event, LoadedMark, Trial};
use frit_network::Refusal;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_rtl::Files;
use frit_rtl::loaded::{command, facts, package, render};
use frit_schedule::plan::Variant;

/// A network with a loaded schedule, with what is done with it and seen there.
pub struct Loaded {
    trial: Trial,
    hardware: Hardware,
    netlist: Netlist,
}

impl Loaded {
    /// The hardware of a trial, with a deliberate fault if one is given; `variant`: in what else its text differs from that of others.
    ///
    /// # Errors
    ///
    /// If it is no fault of a loaded schedule, or has no place.
    pub fn new(trial: Trial, fault: Option<&str>, variant: Option<Variant>) -> Result<Self, Refusal> {
        let hardware = Hardware { variant, ..Hardware::new(trial.on.clone(), trial.width) };
        let netlist = netlist(&hardware, fault)?;
        Ok(Loaded { trial, hardware, netlist })
    }
}

/// The netlist of a network with a loaded schedule, with a deliberate fault if one is given.
///
/// # Errors
///
/// If it is no fault of a loaded schedule, or has no place.
pub fn netlist(hardware: &Hardware, fault: Option<&str>) -> Result<Netlist, Refusal> {
    let mut netlist = hardware.netlist();
    if let Some(fault) = fault {
        LOADED.plant(&mut netlist, fault)?;
    }
    Ok(netlist)
}

fn record(event: &Event) -> Record {
    let Event { phase, cycle, what, place, source, data } = event;
    let (phase, cycle, counts) = (*phase, *cycle, *what == LoadedMark::Word);
    let what = match what {
        LoadedMark::Word => format!("the word {data} from {source} arrives at {place}"),
        _ => what.name().to_string(),
    };
    Record { phase, cycle, what, counts }
}

impl Device for Loaded {
    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    fn bench(&self, sources: &[String]) -> Files {
        render(&self.trial, &self.hardware, &self.netlist, sources)
    }

    fn package(&self, files: &Files, library: Option<&str>) -> Files {
        package(&self.trial, &self.hardware, &self.netlist, files, library)
    }

    fn command(&self) -> String {
        command(&self.hardware)
    }

    fn facts(&self) -> Facts {
        facts(&self.trial)
    }
}

impl Recorded for Loaded {
    fn trial(&self) -> String {
        let text = "{rounds} rounds in {program_entries} of {entries} entries, {phases} phases, {width} bits";
        facts::text(&self.facts(), text).unwrap_or_default()
    }

    fn expected(&self) -> Vec<Record> {
        self.trial.events().map(record).collect()
    }

    fn simulate(&self) -> Result<Seen, Refusal> {
        let events = frit_trial::loaded::run(&self.trial, &self.netlist)?;
        Ok(Seen { records: events.iter().map(record).collect(), complaint: None })
    }

    fn read(&self, line: &str) -> Option<Record> {
        Event::read(line).as_ref().map(record)
    }
}

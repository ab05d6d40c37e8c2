//! A crossbar with its trial. What is seen are responses to the host, words that enter and leave, each with its cycle, and the error.
//!
//! The model knows the contract and where the bare network leads, not the way back, the queues and the control.

use crate::{Device, Record, Recorded, Seen};
use frit_cells::design::crossbar::Hardware;
use frit_cells::fault::CROSSBAR;
use frit_cells::netlist::Netlist;
use frit_model::crossbar::{CrossbarMark, Event, Trial};
use frit_network::Refusal;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_rtl::Files;
use frit_rtl::crossbar::{command, facts, package, render};
use frit_schedule::plan::Variant;

/// A crossbar with what is done with it and seen there.
pub struct Crossbar {
    trial: Trial,
    hardware: Hardware,
    netlist: Netlist,
}

impl Crossbar {
    /// The hardware of a trial, with a deliberate fault if one is given; `variant`: in what else its text differs from that of others.
    ///
    /// # Errors
    ///
    /// If it is no fault of a crossbar, or has no place.
    pub fn new(trial: Trial, fault: Option<&str>, variant: Option<Variant>) -> Result<Self, Refusal> {
        let hardware = Hardware { variant, ..Hardware::new(trial.shape, trial.width) };
        let netlist = netlist(&hardware, fault)?;
        Ok(Crossbar { trial, hardware, netlist })
    }
}

/// The netlist of a crossbar, with a deliberate fault if one is given.
///
/// # Errors
///
/// If it is no fault of a crossbar, or has no place.
pub fn netlist(hardware: &Hardware, fault: Option<&str>) -> Result<Netlist, Refusal> {
    let mut netlist = hardware.netlist();
    if let Some(fault) = fault {
        CROSSBAR.plant(&mut netlist, fault)?;
    }
    Ok(netlist)
}

fn record(event: &Event) -> Record {
    let Event { phase, cycle, what, place, data, .. } = event;
    let (phase, cycle, counts) = (*phase, *cycle, *what == CrossbarMark::Out);
    let what = match what {
        CrossbarMark::In => format!("input {place} takes {data}"),
        CrossbarMark::Out => format!("output {place} gives {data}"),
        CrossbarMark::Taken => format!("an access is taken, {place}"),
        CrossbarMark::Read => format!("a register reads {data}, response {place}"),
        CrossbarMark::Response => format!("a write has the response {place}"),
        CrossbarMark::Error => "error_o rises".into(),
        CrossbarMark::Cleared => "error_o falls".into(),
    };
    Record { phase, cycle, what, counts }
}

impl Device for Crossbar {
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

impl Recorded for Crossbar {
    fn trial(&self) -> String {
        let text = "{phases} phases, {accesses} accesses to registers, {width} bits";
        facts::text(&self.facts(), text).unwrap_or_default()
    }

    fn expected(&self) -> Vec<Record> {
        self.trial.events().map(record).collect()
    }

    fn simulate(&self) -> Result<Seen, Refusal> {
        let events = frit_trial::crossbar::run(&self.trial, &self.netlist)?;
        Ok(Seen { records: events.iter().map(record).collect(), complaint: None })
    }

    fn read(&self, line: &str) -> Option<Record> {
        Event::read(line).as_ref().map(record)
    }
}

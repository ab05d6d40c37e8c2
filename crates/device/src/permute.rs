//! A streamed permutation with its trial. What is seen: the cycle in which each beat leaves, its words, and whether it is the last of its data
//! set.
//!
//! The model knows the order of the words and the contract, not the settings and addresses of the hardware.

mod fault;

pub use fault::STREAMED;

use crate::{Device, Record, Recorded, Recording, Seen};
use frit_cells::design::permute::{Dress, build, with_registers};
use frit_cells::design::pinout::Pinout;
use frit_cells::netlist::Netlist;
use frit_model::permute::run;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_network::{Refusal, refusal};
use frit_permute::script::Beat;
use frit_permute::{Streamed, check};
use frit_rtl::Files;
use frit_rtl::permute::{command, package, render};

/// A core with what must leave it.
pub struct Permute {
    plan: Streamed,
    width: u32,
    dress: Dress,
    /// The core without what is around it.
    core: Netlist,
    netlist: Netlist,
}

impl Permute {
    /// The hardware of a plan, which is checked, with a deliberate fault if one is given.
    ///
    /// # Errors
    ///
    /// If the plan is wrong, there is no such hardware or no place for the fault.
    pub fn new(plan: Streamed, width: u32, fault: Option<&str>, dress: Dress) -> Result<Self, Refusal> {
        let fault = fault.map(|fault| STREAMED.find(fault)).transpose()?;
        check(&plan).map_err(|fault| refusal!("the plan is wrong: {fault}"))?;
        let mut built = plan.clone();
        fault.map_or(Ok(()), |fault| fault.plant(&mut built))?;
        let core = build(&built, width)?;
        let mut netlist = core.clone();
        dress.add(&plan, width, &mut netlist)?;
        Ok(Permute { plan, width, dress, core, netlist })
    }
}

fn record(Beat { phase, cycle, last, data }: &Beat) -> Record {
    let last = if *last { ", last of its data set" } else { "" };
    Record { phase: *phase, cycle: *cycle, what: format!("{data}{last}"), counts: true }
}

impl Device for Permute {
    fn testbench(&self) -> String {
        self.name()
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    fn written(&self) -> Netlist {
        with_registers(&self.plan, self.width, &self.netlist)
    }

    fn bench(&self, sources: &[String]) -> Files {
        render(&self.plan, self.width, (&self.netlist, self.dress), sources)
    }

    fn package(&self, files: &Files, library: Option<&str>) -> Files {
        package(&self.plan, self.width, (&self.netlist, self.dress), files, library)
    }

    fn command(&self) -> String {
        command(&self.plan, self.width, self.dress)
    }

    fn facts(&self) -> Facts {
        self.plan.facts(Some(self.width))
    }
}

impl Recorded for Permute {
    fn trial(&self) -> String {
        facts::text(&self.facts(), "{words} words a data set, {lanes} a cycle, {width} bits")
            .unwrap_or_default()
    }

    fn recording(&self) -> Recording {
        Recording { record: "beat", none: "no beat", figure: "beats" }
    }

    fn expected(&self) -> Vec<Record> {
        run(&self.plan, self.width).iter().map(record).collect()
    }

    fn simulate(&self) -> Result<Seen, Refusal> {
        // What registers do is not in the records: the testbench tries it.
        let (netlist, pinout) = match self.dress.registers {
            true => (&self.core, Pinout::OWN),
            false => (&self.netlist, self.dress.pinout),
        };
        let outcome = frit_trial::permute::run(&self.plan, self.width, netlist, pinout)?;
        Ok(Seen { records: outcome.beats.iter().map(record).collect(), complaint: outcome.complaint })
    }

    fn read(&self, line: &str) -> Option<Record> {
        let mut parts = line.split(',');
        Some(record(&Beat {
            phase: parts.next()?.parse().ok()?,
            cycle: parts.next()?.parse().ok()?,
            last: parts.next()? == "1",
            data: parts.next()?.to_string(),
        }))
    }
}

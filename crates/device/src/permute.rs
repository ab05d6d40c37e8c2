//! A streamed permutation with its trial. What is seen: the cycle in which each beat leaves, its words, and whether it is the last of its data
//! set.
//!
//! The model knows the order of the words and the contract, not the settings and addresses of the hardware.

mod fault;

pub use fault::STREAMED;

use crate::{Device, Facts, Record, Recorded, Recording, Seen};
use frit_cells::design::permute::{PermuteDesignError, build, with_registers};
use frit_cells::fault::FaultRefusal;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::simulate::SimulateError;
use frit_model::permute::run;
use frit_permute::script::Beat;
use frit_permute::{Fault as PlanFault, Streamed, check};
use frit_rtl::Files;
use frit_rtl::permute::{command, package, render};
use serde_json::json;

/// Why there is no such core.
#[derive(Debug, thiserror::Error)]
pub enum PermuteError {
    #[error(transparent)]
    Design(#[from] PermuteDesignError),
    #[error(transparent)]
    Fault(#[from] FaultRefusal),
    #[error("the plan is wrong: {0}")]
    Plan(#[from] PlanFault),
}

/// A core with what must leave it.
pub struct Permute {
    plan: Streamed,
    width: u32,
    netlist: Netlist,
}

impl Permute {
    /// The hardware of a plan, which is checked, with a deliberate fault if one is given.
    ///
    /// # Errors
    ///
    /// If the plan is wrong, there is no such hardware or no place for the fault.
    pub fn new(plan: Streamed, width: u32, fault: Option<&str>) -> Result<Self, PermuteError> {
        let fault = fault.map(|fault| STREAMED.find(fault)).transpose()?;
        check(&plan)?;
        let mut built = plan.clone();
        fault.map_or(Ok(()), |fault| fault.plant(&mut built))?;
        let netlist = build(&built, width)?;
        Ok(Permute { plan, width, netlist })
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
        render(&self.plan, self.width, &self.netlist, sources)
    }

    fn package(&self, files: &Files, library: Option<&str>) -> Files {
        package(&self.plan, self.width, &self.netlist, files, library)
    }

    fn command(&self) -> String {
        command(&self.plan, self.width)
    }

    fn facts(&self) -> Facts {
        vec![
            ("lanes", json!(self.plan.lanes)),
            ("width", json!(self.width)),
            ("words", json!(self.plan.order.words())),
            ("latency", json!(self.plan.latency())),
        ]
    }
}

impl Recorded for Permute {
    fn trial(&self) -> String {
        format!(
            "{} words a data set, {} a cycle, {} bits",
            self.plan.order.words(),
            self.plan.lanes,
            self.width
        )
    }

    fn recording(&self) -> Recording {
        Recording { record: "beat", none: "no beat", figure: "beats" }
    }

    fn expected(&self) -> Vec<Record> {
        run(&self.plan, self.width).iter().map(record).collect()
    }

    fn simulate(&self) -> Result<Seen, SimulateError> {
        let outcome = frit_trial::permute::run(&self.plan, self.width, &self.netlist)?;
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

//! A streamed permutation under the model, rust-hdl and the simulators, compared beat by beat: the cycle in which each beat leaves, its
//! words, and whether it is the last of its data set.
//!
//! The model knows the order of the words and the contract, not the settings and addresses of the hardware.

use crate::recorded::{Recorded, Seen};
use frit_cells::design::permute::{PermuteDesignError, build, design_name, top_name, with_registers};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::simulate::SimulateError;
use frit_cells::permuting;
use frit_model::permute::run;
use frit_permute::script::Beat;
use frit_permute::{Fault as PlanFault, Streamed, check};
use frit_rtl::library::Sources;
use frit_rtl::permute::{package, render};

mod fault;

pub use fault::{PermuteFault, PermuteFaultError};

/// Why there is no such design.
#[derive(Debug, thiserror::Error)]
pub enum PermuteError {
    /// There is no such hardware.
    #[error(transparent)]
    Design(#[from] PermuteDesignError),
    /// The fault has no place.
    #[error(transparent)]
    Fault(#[from] PermuteFaultError),
    /// The plan itself is wrong.
    #[error("the plan is wrong: {0}")]
    Plan(#[from] PlanFault),
}

/// A design with what must leave it.
pub struct Design<'a> {
    plan: &'a Streamed,
    width: u32,
    netlist: Netlist,
}

impl<'a> Design<'a> {
    /// The hardware of a plan, which is checked, with a deliberate fault if one is given.
    ///
    /// # Errors
    /// If the plan is wrong, there is no such hardware or no place for the fault.
    pub fn new(plan: &'a Streamed, width: u32, fault: Option<PermuteFault>) -> Result<Self, PermuteError> {
        check(plan)?;
        let netlist = match fault {
            None => build(plan, width)?,
            Some(fault) => build(&fault.planted(plan)?, width)?,
        };
        Ok(Design { plan, width, netlist })
    }

    /// Its name.
    pub fn name(&self) -> String {
        design_name(self.plan, self.width)
    }

    /// Its netlist, for a caller that says where its cells are.
    pub fn netlist_mut(&mut self) -> &mut Netlist {
        &mut self.netlist
    }

    /// Its files: cells (if they are not in a folder `library`), modules, testbench, table, lists and Makefile.
    pub fn files(&self, library: Option<&str>) -> Vec<(String, String)> {
        let netlist = with_registers(self.plan, self.width, &self.netlist);
        let Sources { mut files, list } = Sources::new(&netlist, Style::Unrolled, library);
        files.extend(render(self.plan, self.width, &list));
        files
    }

    /// What other build tools read of these `files`, and the datasheet.
    pub fn package(&self, files: &Vec<(String, String)>, library: Option<&str>) -> Vec<(String, String)> {
        package(self.plan, self.width, &self.netlist, files, library)
    }
}

impl Recorded for Design<'_> {
    type Record = Beat;
    const RECORD: &'static str = "beat";
    const NONE: &'static str = "no beat";
    const PLUSARG: &'static str = "beats";
    const RESULTS: &'static [&'static str] = &["beats.csv", "run.log"];

    fn testbench(&self) -> String {
        self.name()
    }

    fn top(&self) -> String {
        top_name(self.plan, self.width)
    }

    fn files(&self) -> Vec<(String, String)> {
        self.files(None)
    }

    fn expected(&self) -> Vec<Beat> {
        run(self.plan, self.width)
    }

    fn simulate(&self) -> Result<Seen<Beat>, SimulateError> {
        let outcome = permuting::run(self.plan, self.width, &self.netlist)?;
        Ok(Seen { records: outcome.beats, complaint: outcome.complaint })
    }

    fn read(line: &str) -> Option<Beat> {
        let mut parts = line.split(',');
        Some(Beat {
            phase: parts.next()?.parse().ok()?,
            cycle: parts.next()?.parse().ok()?,
            last: parts.next()? == "1",
            data: parts.next()?.to_string(),
        })
    }

    fn time(beat: &Beat) -> (usize, u64) {
        (beat.phase, beat.cycle)
    }

    fn tell(Beat { last, data, .. }: &Beat) -> String {
        let last = if *last { ", last of its data set" } else { "" };
        format!("{data}{last}")
    }
}

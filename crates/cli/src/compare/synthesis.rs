//! Synthesis of the designs of a comparison.

use super::hardware::Hardware;
use super::table::{CompareRow, design};
use anyhow::{Context, Result};
use frit_cosim::synth::{Options, Part, Speed, SynthDesign, Target, synthesise};
use frit_cosim::tools::ToolPath;
use rayon::prelude::*;
use std::path::PathBuf;

/// How designs are synthesised.
pub struct Synthesis {
    pub target: Target,
    /// Bits of a word.
    pub width: u32,
    /// Seeds of the placer: 1 to this; 0: areas only.
    pub seeds: u32,
    /// For the files of the tools.
    pub folder: PathBuf,
}

impl Synthesis {
    /// Adds to every row with figures what its design takes; `done` is told of each.
    pub fn add(&self, rows: &mut [CompareRow], done: impl Fn() + Sync) -> Result<()> {
        let tools = ToolPath::from_environment();
        let seeds: Vec<u32> = (1..=self.seeds).collect();
        rows.par_iter_mut().with_max_len(1).try_for_each(|row| {
            if let Some(plan) = design(row) {
                let folder = self.folder.join(plan.name());
                let (parts, folder) = (&[Part::Exchange], folder.as_path());
                let options =
                    Options { parts, seeds: &seeds, prove: false, breakdown: false, folder, tools: &tools };
                let design = SynthDesign::exchange(&plan, self.width);
                let report = synthesise(design, self.target, &options, &|_| ())
                    .with_context(|| format!("the synthesis of {}", plan.arguments()))?;
                row.hardware = report.part(Part::Exchange).map(|exchange| Hardware {
                    luts: exchange.area.luts,
                    ffs: exchange.area.ffs,
                    brams: exchange.area.brams,
                    fmax_mhz: exchange.fmax().map(|fmax| fmax.median()),
                    too_large: match &exchange.speed {
                        Speed::TooLarge(too_large) => Some(too_large.to_string()),
                        Speed::NotAsked | Speed::Placed(_) => None,
                    },
                });
            }
            done();
            Ok(())
        })
    }
}

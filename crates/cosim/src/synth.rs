//! `frit synth`: areas and clock frequencies of a design on an FPGA, by Yosys and nextpnr.
//!
//! Every module is mapped alone, which gives its area; then again between shift registers ([`frit_rtl::harness`]), which
//! are placed and routed with several seeds and give its clock frequency. Modules in reading order: [`target`] (devices),
//! [`parts`] (the modules that are mapped), [`area`] and [`timing`] (what the tools say), [`netlist`] (what is mapped, to be
//! simulated; `block_ram` is a model that Yosys lacks), `output_registers` (those of block RAMs), [`mapped`] (a module that is placed), [`mod@breakdown`] (where the area goes), [`proof`] (that it does what the RTL does).

pub mod area;
mod block_ram;
pub mod breakdown;
pub mod mapped;
pub mod netlist;
mod output_registers;
pub mod parts;
pub mod proof;
pub mod target;
pub mod timing;

pub use area::Area;
pub use breakdown::Share;
pub use frit_device::floor::Floor;
pub use frit_device::parts::{Part, SynthDesign};
pub use mapped::Mapped;
pub use proof::Proof;
pub use target::{Capacity, Device, Family, Library, Target};
pub use timing::{Fmax, Timing};

use crate::tools::{ToolPath, YOSYS};
use frit_network::{Refusal, refusal};
use frit_trace::output::read;
use parts::{Subject, subjects};
use std::path::{Path, PathBuf};

/// What is synthesised, and how.
pub struct Options<'a> {
    /// The parts; those that a design does not have are left out.
    pub parts: &'a [Part],
    /// Seeds of the placer. None: no place and route.
    pub seeds: &'a [u32],
    /// Whether the netlists of all but the whole design are proved to do what their RTL does. This and the breakdown are for devices.
    pub prove: bool,
    /// Whether each module but the cells is mapped once more, each kind of cell for itself.
    pub breakdown: bool,
    pub folder: &'a Path,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
}

/// What does not fit into the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The name of what there is too little of.
    pub resource: String,
    pub needs: u64,
    /// How many the device has.
    pub has: u64,
    /// Whether it is the module alone that does not fit, or only the harness in which it would be timed.
    pub alone: bool,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TooLarge { resource, needs, has, alone } = self;
        let who = if *alone { "it " } else { "with the registers that time it, it " };
        write!(f, "{who}needs {needs} {resource}, but the device has {has}, {} too few", needs - has)
    }
}

/// How fast a module is.
#[derive(Clone, Debug, PartialEq)]
pub enum Speed {
    /// It was not placed.
    NotAsked,
    /// Placed and routed with each seed.
    Placed(Fmax),
    /// It does not fit.
    TooLarge(TooLarge),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SynthRow {
    /// The part of the design it belongs to.
    pub part: Part,
    pub name: String,
    /// The parameters of a cell, `W=8`.
    pub parameters: String,
    /// How often the design has it.
    pub count: u64,
    pub area: Area,
    /// The least area that does its work, where that is known.
    pub floor: Option<Floor>,
    /// How fast it is.
    pub speed: Speed,
    /// What each kind of cell in it takes, if that was asked for.
    pub shares: Vec<Share>,
    /// Whether its netlist was proved to do what its RTL does.
    pub proof: Proof,
}

impl SynthRow {
    /// Clock frequencies, if it was placed.
    pub fn fmax(&self) -> Option<&Fmax> {
        match &self.speed {
            Speed::Placed(fmax) => Some(fmax),
            Speed::NotAsked | Speed::TooLarge(_) => None,
        }
    }

    /// LUTs and flip-flops as multiples of the floor, where the floor has any.
    pub fn ratios(&self) -> (Option<f64>, Option<f64>) {
        let ratio = |used: u64, floor: u64| (floor > 0).then(|| used as f64 / floor as f64);
        let floor = self.floor.unwrap_or(Floor { luts: 0, ffs: 0 });
        (ratio(self.area.luts, floor.luts), ratio(self.area.ffs, floor.ffs))
    }
}

/// What the tools say of a design.
#[derive(Clone, Debug, PartialEq)]
pub struct SynthReport {
    pub design: String,
    /// The device, or the family.
    pub target: Target,
    /// The seeds tried; none of a target of which there are areas only.
    pub seeds: Vec<u32>,
    /// A row per module.
    pub rows: Vec<SynthRow>,
}

impl SynthReport {
    /// The first row of a part.
    pub fn part(&self, part: Part) -> Option<&SynthRow> {
        self.rows.iter().find(|row| row.part == part)
    }

    /// LUTs and flip-flops of everything but the fabric, if both were synthesised.
    pub fn controllers(&self) -> Option<(u64, u64)> {
        let whole = &self.rows.iter().find(|row| row.part.is_whole())?.area;
        let fabric = &self.part(Part::Fabric)?.area;
        Some((whole.luts.saturating_sub(fabric.luts), whole.ffs.saturating_sub(fabric.ffs)))
    }

    /// Whether everything that was to be proved was.
    pub fn proved(&self) -> bool {
        self.rows.iter().all(|row| !matches!(row.proof, Proof::Unproven(_)))
    }

    /// Whether everything that was to be placed was.
    pub fn fits(&self) -> bool {
        self.rows.iter().all(|row| !matches!(row.speed, Speed::TooLarge(_)))
    }
}

/// Synthesises the parts of a design for a device. `progress` is told what is being done.
pub fn synthesise(
    design: SynthDesign,
    target: Target,
    options: &Options,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<SynthReport, Refusal> {
    options.tools.find(YOSYS)?;
    let seeds = target.device().map_or(&[][..], |_| options.seeds);
    if let Some(device) = target.device().filter(|_| !seeds.is_empty()) {
        options.tools.find(device.family().nextpnr())?;
    }
    let run = Run { target, options: &Options { seeds, ..*options }, progress };
    let mut subjects = subjects(&design, options.parts);
    if design.four_inputs && target.library().lut_inputs() > 4 {
        subjects.iter_mut().for_each(|subject| subject.floor = None);
    }
    let rows = subjects.into_iter().map(|subject| run.row(subject)).collect::<Result<_, _>>()?;
    Ok(SynthReport { design: design.name, target, seeds: seeds.to_vec(), rows })
}

struct Run<'a> {
    target: Target,
    options: &'a Options<'a>,
    progress: &'a (dyn Fn(&str) + Sync),
}

impl Run<'_> {
    fn row(&self, subject: Subject) -> Result<SynthRow, Refusal> {
        let Options { seeds, tools, .. } = *self.options;
        (self.progress)(&format!("{}: Yosys", subject.name));
        let mapped = Mapped::new(subject, self.target, !seeds.is_empty(), self.options.folder, tools)?;
        let speed = match mapped.too_large() {
            Some(too_large) => Speed::TooLarge(too_large),
            None if seeds.is_empty() => Speed::NotAsked,
            None => mapped.place(seeds, tools, &|seed| {
                (self.progress)(&format!("{}: nextpnr, seed {seed}, {} in all", mapped.name(), seeds.len()));
            })?,
        };
        let Mapped { subject, area, folder, .. } = mapped;
        let family = self.target.device().map(Device::family);
        let proof = match family {
            // The whole exchange is beyond this induction, and so is a router.
            Some(family) if self.options.prove && !subject.part.is_whole() => {
                (self.progress)(&format!("{}: proof", subject.name));
                let sources: Vec<String> = subject.sources.iter().map(|(name, _)| name.clone()).collect();
                proof::prove(tools, family, &folder, &sources, &subject.module.name)?
            }
            _ => Proof::NotAsked,
        };
        let shares = match family {
            Some(family) if self.options.breakdown && !subject.kinds.is_empty() => {
                (self.progress)(&format!("{}: where the area goes", subject.name));
                breakdown::run(tools, family, &folder, &subject)?
            }
            _ => Vec::new(),
        };
        let Subject { part, name, parameters, count, floor, .. } = subject;
        Ok(SynthRow { part, name, parameters, count, area, floor, speed, shares, proof })
    }
}

/// The text of a file that a tool must have left.
fn left_by(program: &'static str, folder: &Path, name: &str) -> Result<(PathBuf, String), Refusal> {
    let path = folder.join(name);
    if !path.is_file() {
        return Err(bad_output(program, &path, "was not written"));
    }
    let text = String::from_utf8_lossy(&read(&path)?).into_owned();
    Ok((path, text))
}

pub(crate) fn unreadable(program: &str, path: &Path, source: serde_json::Error) -> Refusal {
    bad_output(program, path, &format!("cannot be read: {source}"))
}

/// A tool ended well, but what it wrote cannot be used.
pub(crate) fn bad_output(program: &str, path: &Path, what: &str) -> Refusal {
    refusal!("{program} ended without an error, but its file {} {what}", path.display())
}

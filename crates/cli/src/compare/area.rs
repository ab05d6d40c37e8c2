//! What fabrics take, planned or routed: by their floor, or as mapped for a device.

use anyhow::Result;
use frit_cells::design::{dilated, multibutterfly, permute};
use frit_cosim::synth::{Area, Floor, Options, Part, SynthDesign, Target, synthesise};
use frit_cosim::tools::ToolPath;
use frit_permute::Streamed;
use frit_schedule::Plan;
use std::path::Path;

/// Where areas come from.
pub enum Areas<'a> {
    /// They are the least that does the work.
    Floor,
    Mapped(Mapping<'a>),
}

impl Areas<'_> {
    /// Their name in a report.
    pub fn name(&self) -> &'static str {
        match self {
            Areas::Floor => "floor",
            Areas::Mapped(mapping) => mapping.target.name(),
        }
    }

    /// LUTs and flip-flops of the fabric of a plan, with words of `width` bits.
    pub fn planned(&self, plan: &Plan, width: u32) -> Result<(u64, u64)> {
        match self {
            Areas::Floor => Ok(of_floor(Floor::of_fabric(plan, width))),
            Areas::Mapped(mapping) => Ok(of_all(&mapping.fabric(plan, width)?)),
        }
    }

    /// LUTs and flip-flops of all switches of a router.
    pub fn routed(&self, hardware: &dilated::Hardware) -> Result<(u64, u64)> {
        match self {
            Areas::Floor => Ok(of_floor(Floor::of_dilated(hardware))),
            Areas::Mapped(mapping) => Ok(of_all(&mapping.switches(hardware)?)),
        }
    }
}

fn of_floor(floor: Floor) -> (u64, u64) {
    (floor.luts, floor.ffs)
}

fn of_all(taken: &Taken) -> (u64, u64) {
    (taken.all.luts, taken.all.ffs)
}

/// The device that Yosys maps for, and the folder below which its files are.
#[derive(Clone, Copy)]
pub struct Mapping<'a> {
    pub target: Target,
    pub folder: &'a Path,
}

/// What modules take.
pub struct Taken {
    /// Of a router, the switch or node with the most LUTs.
    pub largest: Option<Area>,
    /// All of them: each kind mapped alone, times its number.
    pub all: Area,
}

impl Mapping<'_> {
    /// The fabric of a plan, with words of `width` bits.
    pub fn fabric(&self, plan: &Plan, width: u32) -> Result<Taken> {
        Ok(Taken { largest: None, ..self.modules(SynthDesign::exchange(plan, width), Part::Fabric)? })
    }

    pub fn switches(&self, hardware: &dilated::Hardware) -> Result<Taken> {
        self.modules(SynthDesign::dilated(hardware), Part::Switch)
    }

    /// The nodes of a multibutterfly, destinations among them.
    pub fn nodes(&self, hardware: &multibutterfly::Hardware) -> Result<Taken> {
        self.modules(SynthDesign::multibutterfly(hardware), Part::Node)
    }

    /// The core of a streamed permutation, with words of `width` bits.
    pub fn core(&self, plan: &Streamed, width: u32) -> Result<Taken> {
        let (name, netlist) = (permute::design_name(plan, width), permute::build(plan, width)?);
        self.modules(SynthDesign::whole("permute", name, netlist), Part::Core("permute"))
    }

    fn modules(&self, design: SynthDesign, part: Part) -> Result<Taken> {
        let (parts, tools) = (&[part], &ToolPath::from_environment());
        let options =
            Options { parts, seeds: &[], prove: false, breakdown: false, folder: self.folder, tools };
        let rows = synthesise(design, self.target, &options, &|_| ())?.rows;
        let mut all = Area::default();
        for row in &rows {
            all.luts += row.count * row.area.luts;
            all.ffs += row.count * row.area.ffs;
            all.brams += row.count * row.area.brams;
        }
        let largest = rows.into_iter().map(|row| row.area).max_by_key(|area| area.luts);
        Ok(Taken { largest, all })
    }
}

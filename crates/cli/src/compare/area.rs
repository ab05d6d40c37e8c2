//! What fabrics take, planned or routed: by their floor, or as mapped for a device.

use anyhow::Result;
use frit_cells::design::dilated::Hardware;
use frit_cosim::synth::{Design, Floor, Options, Part, Target, synthesise};
use frit_cosim::tools::ToolPath;
use frit_schedule::Plan;
use std::path::Path;

/// Where areas come from.
pub enum Areas<'a> {
    /// They are the least that does the work.
    Floor,
    /// Yosys maps them; its files are below a folder.
    Mapped(Target, &'a Path),
}

/// LUTs with four inputs, and flip-flops.
pub type Area = (u64, u64);

impl Areas<'_> {
    /// Their name in a report.
    pub fn name(&self) -> &'static str {
        match self {
            Areas::Floor => "floor",
            Areas::Mapped(target, _) => target.name(),
        }
    }

    /// Of the fabric of a plan, with words of `width` bits.
    pub fn planned(&self, plan: &Plan, width: u32) -> Result<Area> {
        let floor = Floor::of_fabric(plan, width);
        self.mapped(Design::Planned { plan, width }, Part::Fabric, floor)
    }

    /// Of a router's fabric: each kind of switch mapped alone, times their number.
    pub fn routed(&self, hardware: &Hardware) -> Result<Area> {
        self.mapped(Design::Routed(hardware), Part::Switch, Floor::of_dilated(hardware))
    }

    fn mapped(&self, design: Design, part: Part, floor: Floor) -> Result<Area> {
        let Areas::Mapped(target, folder) = *self else { return Ok((floor.luts, floor.ffs)) };
        let (parts, tools) = (&[part], &ToolPath::from_environment());
        let options = Options { parts, seeds: 0, prove: false, breakdown: false, folder, tools };
        let rows = synthesise(design, target, &options, &|_| ())?.rows;
        let sum = |(luts, ffs), row: &frit_cosim::synth::SynthRow| {
            (luts + row.count * row.area.luts, ffs + row.count * row.area.ffs)
        };
        Ok(rows.iter().fold((0, 0), sum))
    }
}

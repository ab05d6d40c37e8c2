//! `frit synth --entries`.

use super::synth;
use crate::Verdict;
use crate::args::SynthArgs;
use crate::loaded::size;
use crate::ui::Ui;
use anyhow::{Context, Result};
use frit_cells::design::loaded::Hardware;
use frit_cosim::synth::Design;
use frit_demand::program::Shape;
use serde_json::json;

/// Synthesises a network whose schedule is loaded.
pub fn run(ui: &Ui, args: &SynthArgs, entries: u64) -> Result<Verdict> {
    let asked = size(&args.design, "--entries")?;
    let terminals =
        asked.context("-n is missing; benes needs a power of two from 4 on, for example -n 16")?;
    let width = crate::design::width(args.width.width.as_deref(), 32)?;
    let hardware = Hardware::new(Shape::new(terminals, entries)?, width);
    let about = json!({
        "design": hardware.design_name(), "system": "benes", "terminals": terminals, "width": width,
        "entries": entries,
    });
    synth(ui, args, Design::Loaded(&hardware), about)
}

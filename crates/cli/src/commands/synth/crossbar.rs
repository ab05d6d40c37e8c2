//! `frit synth --crossbar`.

use super::synth;
use crate::Verdict;
use crate::args::SynthArgs;
use crate::crossbar::{SYSTEM, hardware};
use crate::ui::Ui;
use anyhow::Result;
use frit_cosim::synth::{Design, Part};
use serde_json::json;

/// Synthesises a crossbar.
pub fn run(ui: &Ui, args: &SynthArgs) -> Result<Verdict> {
    let hardware = hardware(&args.design, &args.width)?;
    let about = json!({
        "design": hardware.design_name(), "system": SYSTEM, "terminals": hardware.shape.terminals(),
        "width": hardware.width,
    });
    synth(ui, args, Design::whole(Part::Crossbar, hardware.design_name(), hardware.netlist()), about)
}

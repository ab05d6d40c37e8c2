//! `frit synth --entries`.

use super::synth;
use crate::Verdict;
use crate::args::SynthArgs;
use crate::loaded::hardware;
use crate::ui::Ui;
use anyhow::Result;
use frit_cosim::synth::Design;
use serde_json::json;

/// Synthesises a network whose schedule is loaded.
pub fn run(ui: &Ui, args: &SynthArgs, entries: u64) -> Result<Verdict> {
    let (hardware, system) = hardware(&args.design, &args.width, entries)?;
    let about = json!({
        "design": hardware.design_name(), "system": system, "terminals": hardware.shape().terminals(),
        "width": hardware.width, "entries": entries,
    });
    synth(ui, args, Design::Loaded(&hardware), about)
}

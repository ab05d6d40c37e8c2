//! `frit synth dilated`.

use super::super::dilated::refuse;
use super::{refuse_seed, synth};
use crate::Verdict;
use crate::args::SynthArgs;
use crate::dilated::{self, Traffic};
use crate::ui::Ui;
use anyhow::Result;
use frit_cells::design::dilated::Hardware;
use frit_cosim::synth::Design;
use frit_router::dilated::Dilated;
use serde_json::json;

pub fn run(ui: &Ui, args: &SynthArgs, system: &Dilated) -> Result<Verdict> {
    refuse_seed(args)?;
    refuse(&args.design.system, &[("--width", args.width.width.is_some())])?;
    let hardware = Hardware::new(&Traffic::new(system, None, None, None, false)?.packets(1)?)?;
    let about = json!({
        "design": hardware.design_name(), "system": "dilated", "terminals": hardware.network().rows(), "width": null,
        "bundle": hardware.bundle(), "per_input": hardware.per_input(),
        "switch": dilated::words(&system.parameters)[0],
    });
    synth(ui, args, Design::dilated(&hardware), about)
}

//! `frit synth --entries`.

use super::synth;
use crate::Verdict;
use crate::args::SynthArgs;
use crate::loaded::hardware;
use crate::ui::Ui;
use anyhow::{Context, Result, ensure};
use frit_cells::design::messages::Messages;
use frit_cosim::synth::{Design, Part};
use frit_model::messages::check;
use serde_json::json;

/// Synthesises a network whose schedule is loaded.
pub fn run(ui: &Ui, args: &SynthArgs, entries: u64) -> Result<Verdict> {
    let (hardware, system) = hardware(&args.design, &args.width, entries)?;
    let about = |name: String| {
        json!({
            "design": name, "system": system, "terminals": hardware.shape().terminals(), "width": hardware.width,
            "entries": entries, "length": args.length,
        })
    };
    if !args.axis {
        let name = hardware.design_name();
        return synth(ui, args, Design::whole(Part::Loaded, name.clone(), hardware.netlist()), about(name));
    }
    ensure!(
        args.buffers == 1,
        "--buffers does not apply with --entries, whose streams always have two banks; leave it out"
    );
    let length = args
        .length
        .context("--length is missing; give the words of the longest message, for example --length 16")?;
    check(hardware.shape(), length)?;
    let messages = Messages { hardware: hardware.clone(), length };
    let name = messages.design_name();
    synth(ui, args, Design::whole(Part::Axis, name.clone(), messages.netlist()), about(name))
}

//! `frit synth multibutterfly`.

use super::super::multibutterfly as asked;
use super::synth;
use crate::Verdict;
use crate::args::{PacketArgs, SynthArgs};
use crate::design;
use crate::ui::Ui;
use anyhow::Result;
use frit_cosim::synth::Design;
use frit_router::multibutterfly::Multibutterfly;
use serde_json::json;

pub fn run(ui: &Ui, args: &SynthArgs, system: &Multibutterfly) -> Result<Verdict> {
    let (problem, _) = asked::problem(&PacketArgs::default(), system, args.seed.unwrap_or(1))?;
    let (hardware, _) = frit_device::multibutterfly::hardware(&problem)?;
    let hardware = match &args.width.width {
        Some(given) => {
            let width = design::width(Some(given), hardware.payload())?;
            hardware.carrying(width)?
        }
        None => hardware,
    };
    let parameters = hardware.parameters();
    let about = json!({
        "design": hardware.design_name(), "system": "multibutterfly", "terminals": parameters.rows, "width": null,
        "d": parameters.degree, "r": parameters.committed, "h": parameters.threshold, "seed": parameters.seed,
        "buffers": hardware.buffers(), "in_ports": hardware.turns(), "payload": hardware.payload(),
    });
    synth(ui, args, Design::multibutterfly(&hardware), about)
}

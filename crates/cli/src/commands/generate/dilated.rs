//! `frit generate` of a routed system: a dilated butterfly.

use super::super::dilated::{is_large, packets, refuse};
use super::{place_cells, routed, variant};
use crate::Verdict;
use crate::args::GenerateArgs;
use crate::emitted::{chosen, style_name};
use crate::ui::Ui;
use anyhow::Result;
use frit_cells::design::dilated::Hardware;
use frit_cells::dilated::fault::{Fault, inject};
use frit_cosim::dilated::{design_files, package_files};
use frit_model::dilated::trace;
use frit_router::dilated::Dilated;
use serde_json::json;

pub fn run(ui: &Ui, args: &GenerateArgs, system: &Dilated) -> Result<Verdict> {
    refuse(
        &args.design.system,
        &[
            ("--width", args.width.width.is_some()),
            ("--payload", args.payload.payload.is_some()),
            ("--axis", args.streams.axis),
            ("--reset", args.streams.asks_reset()),
            ("--selftest", args.selftest.selftest),
        ],
    )?;
    let (packets, command) = packets(&args.packets, system, args.payload.seed)?;
    let mut hardware = Hardware::new(&packets)?;
    let style = chosen(args.fabric_style, is_large(&hardware));
    hardware.variant = variant(style, args).map(|variant| variant.name);
    let mut netlist = hardware.netlist();
    let library = place_cells(&mut netlist, &args.cells);
    if let Some(fault) = &args.fault {
        inject(&mut netlist, &hardware, fault.parse::<Fault>()?)?;
    }
    let expected = trace(&packets);
    let mut files = design_files(&packets, &hardware, &netlist, style, &expected, &command, library);
    files.extend(package_files(&packets, &hardware, &netlist, &expected, &command, &files, library));
    let about = json!({
        "steps": expected.steps, "blocked": expected.left.len(), "fabric_style": style_name(style),
    });
    routed::write(ui, args, &hardware.design_name(), &files, about)
}

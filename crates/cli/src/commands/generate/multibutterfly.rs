//! `frit generate multibutterfly`.

use super::super::multibutterfly::{problem, refuse};
use super::{place_cells, routed, variant};
use crate::Verdict;
use crate::args::{FabricStyle, GenerateArgs};
use crate::ui::Ui;
use anyhow::Result;
use frit_cells::multibutterfly::fault::{Fault, inject};
use frit_cells::netlist::print::Style;
use frit_cosim::multibutterfly::{design_files, hardware, package_files};
use frit_router::multibutterfly::Multibutterfly;
use serde_json::json;

pub fn run(ui: &Ui, args: &GenerateArgs, system: &Multibutterfly) -> Result<Verdict> {
    refuse(&[
        ("--width", args.width.width.is_some()),
        ("--payload", args.payload.payload.is_some()),
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--selftest", args.selftest.selftest),
        ("--fabric-style compact", args.fabric_style == FabricStyle::Compact),
    ])?;
    let (problem, command) = problem(&args.packets, system, args.payload.seed)?;
    let (mut hardware, expected) = hardware(&problem)?;
    hardware.variant = variant(Style::Unrolled, args).map(|variant| variant.name);
    let mut netlist = hardware.netlist();
    let library = place_cells(&mut netlist, &args.cells);
    if let Some(fault) = &args.fault {
        inject(&mut netlist, &hardware, fault.parse::<Fault>()?)?;
    }
    let mut files = design_files(&problem, &hardware, &netlist, &expected, &command, library);
    files.extend(package_files(&problem, &hardware, &netlist, &expected, &command, &files, library));
    let about = json!({
        "stages": expected.stages, "cycles": expected.cycles, "left": expected.left.len(),
    });
    routed::write(ui, args, &hardware.design_name(), &files, about)
}

//! `frit verify dilated`: a dilated butterfly under every engine.

use super::super::dilated::{is_large, packets, refuse};
use super::routed::{self, Summary, Verified, VerifyRequest};
use crate::emitted::chosen;
use anyhow::Result;
use frit_cells::design::dilated::Hardware;
use frit_design::generate::style_name;
use frit_device::dilated::DilatedDevice;
use frit_router::dilated::Dilated;
use serde_json::json;

pub fn verify(asked: &VerifyRequest, system: &Dilated, many: bool) -> Result<Verified> {
    let args = asked.args;
    refuse(
        &args.design.system,
        &[
            ("--width", args.width.width.is_some()),
            ("--payload", args.payload.payload.is_some()),
            ("--formal", args.formal),
            ("--axis", args.streams.axis),
            ("--reset", args.streams.asks_reset()),
        ],
    )?;
    let (packets, command) = packets(&args.packets, system, args.payload.seed)?;
    let hardware = Hardware::new(&packets)?;
    // Yosys is given what it would be given for a board.
    let style = chosen(args.fabric_style, args.netlist.is_none() && is_large(&hardware));
    let name = hardware.design_name();
    let design =
        || Ok(DilatedDevice::new(&packets, hardware, style, args.fault.as_deref(), command.clone())?);
    routed::verify(asked, (&name, many), &command, design, |design| {
        let (trace, all) = (&design.expected, packets.packets().len());
        let (shunts, arrive) = (trace.shunts.len(), all - trace.left.len());
        Summary {
            system: "dilated",
            what: format!("{arrive} of {all} packets arrive, {shunts} shunts"),
            members: vec![
                ("steps", json!(trace.steps)),
                ("packets", json!(all)),
                ("delivered", json!(arrive)),
                ("blocked", json!(trace.left.len())),
                ("shunts", json!(shunts)),
                ("fabric_style", json!(style_name(style))),
            ],
            words: ["steps", "step"],
        }
    })
}

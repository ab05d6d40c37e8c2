//! `frit verify` of a routed system: a router of worms under every engine.

use super::super::worms::{is_large, packets, refuse};
use super::routed::{self, Verified, check_required};
use super::{engines, mapping, netlist_name, netlist_note, workplace};
use crate::Verdict;
use crate::args::VerifyArgs;
use crate::design::{Chosen, Design};
use crate::emitted::{chosen, style_name};
use crate::ui::Ui;
use anyhow::Result;
use frit_cells::design::dilated::Hardware;
use frit_cells::worm_fault::WormFault;
use frit_cosim::tools::ToolPath;
use frit_cosim::verify::Engine;
use frit_cosim::worms::{Config, verify_worms};
use frit_router::Router;
use frit_router::dilated::Dilated;
use serde_json::json;

pub fn run(ui: &Ui, args: &VerifyArgs, tools: &ToolPath, designs: &[Chosen]) -> Result<Verdict> {
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
    routed::run(ui, args, designs, |chosen| {
        let Design::Routed(Router::Dilated(system)) = &chosen.design else {
            unreachable!("the sizes of one system are designs of one kind");
        };
        verify_one(ui, args, tools, system, designs.len() > 1)
    })
}

fn verify_one(
    ui: &Ui,
    args: &VerifyArgs,
    tools: &ToolPath,
    system: &Dilated,
    many: bool,
) -> Result<Verified> {
    let (packets, command) = packets(&args.packets, system, args.payload.seed)?;
    let hardware = Hardware::new(&packets)?;
    let name = hardware.design_name();
    let folder = workplace(args, &name, many)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    let engines = engines(args);
    let report = verify_worms(&Config {
        packets: &packets,
        engines: &engines,
        folder: folder.path(),
        // Yosys is given what it would be given for a board.
        style: chosen(args.fabric_style, args.netlist.is_none() && is_large(&hardware)),
        fault: args.fault.as_deref().map(str::parse::<WormFault>).transpose()?,
        wave: args.wave.kind(),
        netlist: mapping(args),
        command: &command,
        tools,
        progress: &progress,
    });
    bar.finish_and_clear();
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            // It names a log in the folder.
            folder.keep();
            return Err(error.into());
        }
    };
    check_required(args, &report.engines)?;
    let arrive = report.packets - report.left;
    Ok(Verified {
        what: format!(
            "{arrive} of {} packets arrive, {} shunts{}",
            report.packets,
            report.shunts,
            netlist_note(args.netlist)
        ),
        members: vec![
            ("system", json!("dilated")),
            ("design", json!(report.design)),
            ("command", json!(command)),
            ("steps", json!(report.steps)),
            ("packets", json!(report.packets)),
            ("delivered", json!(arrive)),
            ("blocked", json!(report.left)),
            ("shunts", json!(report.shunts)),
            ("fabric_style", json!(style_name(report.style))),
            ("agrees", json!(report.agrees())),
            ("netlist", json!(netlist_name(args.netlist))),
        ],
        words: ["steps", "step"],
        times: [report.generate, report.total],
        engines: report.engines,
        design: report.design,
        folder,
    })
}

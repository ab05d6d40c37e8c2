//! `frit verify multibutterfly`: a multibutterfly under every engine.

use super::super::stages::{problem, refuse};
use super::routed::{self, Verified, check_required};
use super::{engines, mapping, netlist_name, netlist_note, workplace};
use crate::Verdict;
use crate::args::{FabricStyle, VerifyArgs};
use crate::design::{Chosen, Design};
use crate::ui::Ui;
use anyhow::Result;
use frit_cells::node_fault::NodeFault;
use frit_cosim::stages::{Config, verify_stages};
use frit_cosim::tools::ToolPath;
use frit_cosim::verify::Engine;
use frit_router::Router;
use frit_router::multibutterfly::Multibutterfly;
use serde_json::json;

pub fn run(ui: &Ui, args: &VerifyArgs, tools: &ToolPath, designs: &[Chosen]) -> Result<Verdict> {
    refuse(&[
        ("--width", args.width.width.is_some()),
        ("--payload", args.payload.payload.is_some()),
        ("--formal", args.formal),
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--fabric-style compact", args.fabric_style == FabricStyle::Compact),
    ])?;
    routed::run(ui, args, designs, |chosen| {
        let Design::Routed(Router::Multibutterfly(system)) = &chosen.design else {
            unreachable!("the sizes of one system are designs of one kind");
        };
        verify_one(ui, args, tools, system, designs.len() > 1)
    })
}

fn verify_one(
    ui: &Ui,
    args: &VerifyArgs,
    tools: &ToolPath,
    system: &Multibutterfly,
    many: bool,
) -> Result<Verified> {
    let (problem, command) = problem(&args.packets, system, args.payload.seed)?;
    let name = format!("multibutterfly_n{}", system.parameters.rows);
    let folder = workplace(args, &name, many)?;
    let bar = ui.progress(&format!("{name}: generating"), None);
    let progress = |engine: Engine, what: &str| bar.set_message(format!("{name}: {} {what}", engine.name()));
    let engines = engines(args);
    let report = verify_stages(&Config {
        problem: &problem,
        engines: &engines,
        folder: folder.path(),
        fault: args.fault.as_deref().map(str::parse::<NodeFault>).transpose()?,
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
    let arrive = report.messages - report.left;
    Ok(Verified {
        what: format!(
            "{arrive} of {} messages arrive, {} events in {} time stages{}",
            report.messages,
            report.events,
            report.stages,
            netlist_note(args.netlist)
        ),
        members: vec![
            ("system", json!("multibutterfly")),
            ("design", json!(report.design)),
            ("command", json!(command)),
            ("stages", json!(report.stages)),
            ("cycles", json!(report.cycles)),
            ("messages", json!(report.messages)),
            ("delivered", json!(arrive)),
            ("left", json!(report.left)),
            ("events", json!(report.events)),
            ("agrees", json!(report.agrees())),
            ("netlist", json!(netlist_name(args.netlist))),
        ],
        words: ["cycles", "stage"],
        times: [report.generate, report.total],
        engines: report.engines,
        design: report.design,
        folder,
    })
}

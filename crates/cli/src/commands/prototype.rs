//! `frit prototype`.

use crate::Verdict;
use crate::args::PrototypeArgs;
use crate::design::design;
use crate::emitted;
use crate::ui::{BAD, HEAD, Ui};
use anyhow::Result;
use frit_cosim::prototype::{Board, Options, PrototypeOutcome, PrototypeReport, Usage, build, target};
use frit_cosim::tools::ToolPath;
use frit_schedule::Plan;
use frit_trace::output::OutputFolder;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub fn run(ui: &Ui, args: &PrototypeArgs) -> Result<Verdict> {
    let design = design(&args.design)?;
    let width = design.width(&args.width)?;
    let plan = design.into_plan()?;
    emitted::check_size(&plan)?;
    emitted::need_memory(&plan, width)?;
    let board = Board::from(args.board);
    let name = format!("{}_{}", plan.design_name(width), board.name());
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("out").join(&name));
    let folder = OutputFolder::open(&folder)?;
    let bar = ui.progress(&name, None);
    let options = Options {
        board,
        frequency_hz: args.frequency,
        baud: args.baud,
        seed: args.seed,
        folder: folder.path(),
        tools: &ToolPath::from_environment(),
    };
    let report = build(&plan, width, &options, &|what| bar.set_message(what.to_string()));
    bar.finish_and_clear();
    let report = report?;
    ui.report(args.format, &json(&plan, width, &report, args.seed), || {
        text(&report, folder.path(), args.seed)
    })?;
    Ok(Verdict::of(matches!(report.outcome, PrototypeOutcome::Bitstream(_))))
}

fn text(report: &PrototypeReport, folder: &Path, seed: u32) -> String {
    let clock = report.clock_hz as f64 / 1e6;
    let mut text = format!(
        "{HEAD}{}{HEAD:#} for {}: {}, clock {clock} MHz, {} baud, seed {seed}\n",
        report.top,
        report.board.title(),
        target(report.board).title(),
        report.baud
    );
    for usage in &report.usage {
        let Usage { resource, used, has } = usage;
        text += &format!("  {resource:<16} {used:>7} of {has:>7} {:>6.1} %\n", usage.percent());
    }
    if let Some(fmax) = report.fmax_mhz {
        text += &format!("  Fmax             {fmax:>7.1} MHz, the clock is {clock} MHz\n");
    }
    text += &format!("  tools {:.1} s, logs in {}\n", report.time.as_secs_f64(), folder.display());
    match &report.outcome {
        PrototypeOutcome::Bitstream(path) => {
            text += &format!("Bitstream: {}\n", path.display());
            let commands: Vec<String> =
                report.board.flash().iter().map(|command| format!("{command} {}", path.display())).collect();
            text += &format!("Onto the board: {}\n", commands.join("   or   "));
        }
        PrototypeOutcome::TooLarge(over) => {
            for Usage { resource, used, has } in over {
                text += &format!(
                    "{BAD}does not fit{BAD:#}: the design needs {used} {resource}, but the device has {has}, {} too few\n",
                    used - has
                );
            }
        }
        PrototypeOutcome::TooSlow => {
            let path =
                report.critical.as_ref().map(|(from, to)| format!("; slowest path from {from} to {to}"));
            text += &format!(
                "{BAD}too slow{BAD:#}: the design reaches {:.1} MHz, but the clock is {clock} MHz{}\n",
                report.fmax_mhz.unwrap_or_default(),
                path.unwrap_or_default()
            );
        }
    }
    text
}

fn json(plan: &Plan, width: u32, report: &PrototypeReport, seed: u32) -> Value {
    let usage = |usage: &Usage| {
        json!({
            "resource": usage.resource, "used": usage.used, "has": usage.has,
            "missing": usage.used.saturating_sub(usage.has),
        })
    };
    let (outcome, bitstream) = match &report.outcome {
        PrototypeOutcome::Bitstream(path) => ("bitstream", Some(path)),
        PrototypeOutcome::TooLarge(_) => ("too-large", None),
        PrototypeOutcome::TooSlow => ("too-slow", None),
    };
    json!({
        "design": plan.design_name(width), "top": report.top, "board": report.board.name(),
        "device": target(report.board).title(), "clock_hz": report.clock_hz, "baud": report.baud, "seed": seed,
        "usage": report.usage.iter().map(usage).collect::<Vec<_>>(),
        "fmax_mhz": report.fmax_mhz, "outcome": outcome, "bitstream": bitstream,
        "flash": bitstream.map(|path| {
            report.board.flash().iter().map(|command| format!("{command} {}", path.display())).collect::<Vec<_>>()
        }),
    })
}

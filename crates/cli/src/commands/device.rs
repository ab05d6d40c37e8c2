//! `frit device`: the optical butterfly in picoseconds.

use crate::Verdict;
use crate::args::{DeviceArgs, DeviceEngineArg};
use crate::design::design;
use crate::memory::{self, estimate};
use crate::table;
use crate::ui::{BAD, GOOD, HEAD, Ui, WARN};
use anyhow::{Result, bail};
use frit_cosim::campaign::Engine as _;
use frit_cosim::optical::{Config, DeviceReport, Engine, Kept, State, verify_optical};
use frit_cosim::tools::{IVERILOG, ToolPath, VERILATOR};
use frit_cosim::verify::seconds;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_network::{RowIdx, SwitchState};
use frit_schedule::photonics::Parameters;
use frit_schedule::photonics::device::{DeviceFault, Times};
use frit_trace::output::Workplace;
use frit_traffic::Payload;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Mutex;

pub fn run(ui: &Ui, args: &DeviceArgs) -> Result<Verdict> {
    let plan = design(&args.design)?.into_plan()?;
    let times = Times::new(&Parameters::paper(), args.propagation)?;
    let fault = args.mistake.as_deref().map(mistake).transpose()?;
    let terminals = plan.network.terminals();
    let what = format!("the packets of {} and the files of its device", plan.name());
    memory::need(&what, 2 * estimate::words(terminals, times.packet_bits), "use a smaller -n")?;
    let payload = Payload::random(terminals, times.packet_bits, args.seed);
    let folder = Workplace::new(args.output.as_deref(), "frit-device-")?;
    let tools = ToolPath::from_environment();
    let bar = ui.progress(&plan.name(), None);
    let engines: Vec<Engine> = args.engines.iter().map(|arg| engine(*arg)).collect();
    let wave = args.output.as_ref().and_then(|_| args.wave.kind());
    let said = Mutex::new(BTreeMap::new());
    let progress = |engine: Engine, what: &str| {
        let about = match what {
            "done" => String::new(),
            _ => format!(" (about {} s)", engine.estimate(&plan, &times, wave.is_some()).as_secs().max(1)),
        };
        // A thread that panicked while it held this has said its last word.
        let mut said = said.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        said.insert(engine, format!("{} {what}{about}", engine.name()));
        let all: Vec<&str> = said.values().map(String::as_str).collect();
        bar.set_message(format!("{}: {}", plan.name(), all.join(", ")));
    };
    let report = verify_optical(&Config {
        plan: &plan,
        times: &times,
        payload: &payload,
        fault,
        engines: &engines,
        folder: folder.path(),
        wave,
        tools: &tools,
        progress: &progress,
    });
    bar.finish_and_clear();
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            folder.keep_if_named(&error.to_string());
            return Err(error.into());
        }
    };
    if report.engines.iter().all(|engine| engine.agrees().is_none()) {
        // Without any engine there is nothing to report but the tools that are missing.
        [VERILATOR, IVERILOG].into_iter().try_for_each(|tool| tools.find(tool).map(|_| ()))?;
    }
    ui.report(args.format, &json(&report, &times, args.seed), || text(&report, &times, args))?;
    Ok(Verdict::of(report.passed()))
}

fn engine(arg: DeviceEngineArg) -> Engine {
    match arg {
        DeviceEngineArg::Verilator => Engine::Verilator,
        DeviceEngineArg::Icarus => Engine::Icarus,
        DeviceEngineArg::IcarusEvents => Engine::IcarusEvents,
    }
}

fn mistake(text: &str) -> Result<DeviceFault> {
    let words: Vec<&str> = text.split(':').collect();
    let number = |word: &str| word.parse::<u32>().ok();
    let fault = match words.as_slice() {
        ["no-gap"] => Some(DeviceFault::NoGap),
        ["late-step"] => Some(DeviceFault::LateStep),
        ["skew", ps] => ps.parse().ok().map(|ps| DeviceFault::Skew { ps }),
        ["stuck", level, row, state @ ("0" | "1")] => number(level).zip(number(row)).map(|(level, row)| {
            DeviceFault::Stuck { level, row: RowIdx(row), state: SwitchState::from_bit(*state == "1") }
        }),
        _ => None,
    };
    match fault {
        Some(fault) => Ok(fault),
        None => {
            bail!("--mistake {text} is not a fault; give no-gap, skew:PS, late-step or stuck:LEVEL:ROW:0|1")
        }
    }
}

fn text(report: &DeviceReport, times: &Times, args: &DeviceArgs) -> String {
    let rows: Vec<Vec<String>> = report
        .engines
        .iter()
        .map(|engine| match &engine.state {
            State::NotRun { why } => {
                vec![
                    engine.engine.name().into(),
                    format!("{WARN}not run{WARN:#}"),
                    String::new(),
                    why.clone(),
                ]
            }
            State::Ran { kept: Kept { verdict, .. }, first_difference, times, .. } => {
                let passed = engine.agrees() == Some(true);
                let state =
                    if passed { format!("{GOOD}passes{GOOD:#}") } else { format!("{BAD}fails{BAD:#}") };
                let took: Vec<String> =
                    times.iter().map(|(part, t)| format!("{part} {}", seconds(*t))).collect();
                vec![
                    engine.engine.name().into(),
                    state,
                    format!("{} of {}", verdict.delivered, verdict.packets),
                    first_difference.clone().unwrap_or_else(|| took.join(", ")),
                ]
            }
        })
        .collect();
    let mut text = format!("{HEAD}{}{HEAD:#}\n", report.design);
    text += &table::pairs(&[
        ("slot", format!("{} ps", times.slot_ps)),
        ("packet", format!("{} bits of {} ps, {} ps into the slot", times.lit_bits, times.bit_ps, times.lead_ps)),
        ("switching", format!("{} ps", times.switching_ps)),
        ("through a switch", format!("{} ps", times.propagation_ps)),
        ("fibres", format!("{} ps from a processor, {} ps from a switch", times.first_fibre_ps, times.fibre_ps)),
        (
            "computed",
            report.touch.as_ref().map_or("no packet meets a switch while it switches".into(), |t| {
                format!(
                    "at {} ps the packet of lane {}, slot {} meets the switch of level {}, row {} while it switches",
                    t.first_ps, t.lane, t.slot, t.level, t.row
                )
            }),
        ),
    ]);
    text += &table::render(&["engine", "exchange", "delivered", ""], &rows);
    if let Some(folder) = &args.output {
        text += &format!("  files: {}\n", folder.display());
    }
    text
}

fn json(report: &DeviceReport, times: &Times, seed: u64) -> Facts {
    let mut members = facts! {
        "design": report.design, "passed": report.passed(), "seed": seed, "slot_ps": times.slot_ps,
        "switching_ps": times.switching_ps, "lit_bits": times.lit_bits,
        "computed_touch_ps": report.touch.as_ref().map(|t| t.first_ps),
    };
    for engine in &report.engines {
        let value = match &engine.state {
            State::NotRun { why } => json!({"ran": false, "passed": null, "reason": why}),
            State::Ran { kept: Kept { verdict, passages_differ }, wave, .. } => json!({
                "ran": true, "passed": engine.agrees(), "delivered": verdict.delivered,
                "packets": verdict.packets, "touched": verdict.touched,
                "first_light_ps": verdict.first_light_ps, "last_light_ps": verdict.last_light_ps,
                "first_error": verdict.first_error.as_ref().map(|e| json!({
                    "ps": e.ps, "level": e.level, "row": e.row, "text": e.text,
                })),
                "passages_differ": passages_differ, "wave": wave,
            }),
        };
        members.insert(engine.engine.name().replace('-', "_"), value);
    }
    members
}

//! `frit diagnose`.

use crate::Verdict;
use crate::args::DiagnoseArgs;
use crate::design::design;
use crate::memory;
use crate::payload::messages_or_random;
use crate::ui::{BAD, GOOD, HEAD, Ui};
use anyhow::{Context, Result, bail};
use frit_design::diagnose::{
    Classes, Explained, check, check_deliveries, check_words, classes, explain, explain_report, named,
    read_report,
};
use frit_network::facts;
use frit_schedule::{Fault, Plan};
use frit_trace::output::{open, read_text};
use frit_trace::trace::read_deliveries;
use serde_json::{Value, json};
use std::path::Path;

/// Bytes that the deliveries of one run take for each message.
const BYTES_OF_DELIVERY: u64 = 64;

pub fn run(ui: &Ui, args: &DiagnoseArgs) -> Result<Verdict> {
    let chosen = design(&args.design)?;
    let width = chosen.width(&args.width)?;
    let plan = &chosen.into_plan()?;
    check(plan)?;
    match (&args.deliveries, &args.report) {
        (Some(path), _) => of_file(ui, args, plan, width, path),
        (None, _) if args.payload.payload.is_some() => {
            bail!("--payload says what was sent and needs --deliveries FILE, what arrived")
        }
        (None, Some(line)) => of_report(ui, args, plan, width, line),
        (None, None) => of_design(ui, args, plan, width),
    }
}

fn of_report(ui: &Ui, args: &DiagnoseArgs, plan: &Plan, width: u32, line: &str) -> Result<Verdict> {
    let line = match Path::new(line) {
        path if path.is_file() => {
            let text = read_text(path)?;
            let last = text.lines().rfind(|line| line.trim_start().starts_with("frit "));
            let line =
                last.with_context(|| format!("{}: no line is a report of a self-test", path.display()))?;
            read_report(plan, width, line).with_context(|| path.display().to_string())?
        }
        _ => read_report(plan, width, line)?,
    };
    let bar = ui.progress(&format!("{}: trying every fault", plan.name()), None);
    let found = explain_report(plan, width, line.signature);
    bar.finish_and_clear();
    let facts = found
        .facts(plan, facts! { "passed": line.passed, "errors": line.errors, "signature": line.signature });
    let signature = line.signature.map_or(String::new(), |sum| format!(" (signature {sum:08x})"));
    let what = format!("the words of the last run of {}{signature}", line.design);
    ui.report(args.format, &facts, || {
        let healthy = found.healthy && !line.passed;
        let note = match healthy {
            true => "the report is FAIL because of an earlier run, or of something else than the words: an end, a number of cycles, a conflict\n",
            false => "",
        };
        text(&found, &what) + note
    })?;
    Ok(Verdict::of(line.passed))
}

fn of_file(ui: &Ui, args: &DiagnoseArgs, plan: &Plan, width: u32, path: &Path) -> Result<Verdict> {
    let name = path.display().to_string();
    let mut observed = read_deliveries(open(path)?, &name)?;
    check_deliveries(plan, &observed, &name)?;
    observed.sort_unstable_by_key(|row| (row.cycle, row.output, row.source));
    let messages = messages_or_random(&args.payload, plan, width)?;
    check_words(&messages.payload, &observed, &name)?;
    let bar = ui.progress(&format!("{}: trying every fault", plan.name()), None);
    let found = explain(plan, &messages.payload, &observed);
    bar.finish_and_clear();
    let mut facts = found.facts(plan, facts! { "deliveries": observed.len() });
    facts.insert("payload".into(), messages.origin.as_str().into());
    let what = format!("the {} deliveries of {} ({})", observed.len(), plan.name(), messages.origin);
    ui.report(args.format, &facts, || text(&found, &what))?;
    Ok(Verdict::of(found.healthy))
}

/// What explains `what` was seen.
fn text(found: &Explained, what: &str) -> String {
    let sets: String = found.faults.iter().map(|set| format!("  {}\n", named(set).join(" "))).collect();
    match found.verdict() {
        "healthy" if found.faults.is_empty() => {
            format!("{GOOD}healthy{GOOD:#}: {what} are those of a design without a fault\n")
        }
        "healthy" => format!(
            "{GOOD}healthy{GOOD:#}: {what} are those of a design without a fault, and with one of {} faults that this exchange does not show:\n{sets}",
            found.faults.len()
        ),
        "single" if found.faults.len() == 1 => format!("{BAD}one fault{BAD:#} explains {what}:\n{sets}"),
        "single" => format!(
            "{BAD}one of {} faults{BAD:#}, which this exchange does not tell apart, explains {what}:\n{sets}",
            found.faults.len()
        ),
        "pair" => format!(
            "{BAD}no single fault{BAD:#} of {} explains {what}; these pairs do:\n{sets}",
            found.singles
        ),
        _ => format!(
            "{BAD}no single fault{BAD:#} of {} explains {what}{}\n",
            found.singles,
            if found.pairs { ", and no pair of them" } else { "" }
        ),
    }
}

fn of_design(ui: &Ui, args: &DiagnoseArgs, plan: &Plan, width: u32) -> Result<Verdict> {
    let terminals = u64::from(plan.network.terminals());
    let runs = 2 * (Fault::all(plan).len() as u64 + 1);
    let bytes = runs * terminals * u64::from(plan.rounds) * BYTES_OF_DELIVERY;
    memory::need(&format!("the deliveries of {} with each fault", plan.name()), bytes, "use a smaller -n")?;
    let bar = ui.progress(&format!("{}: trying every fault", plan.name()), None);
    let found = classes(plan, width);
    bar.finish_and_clear();
    let mut facts = found.facts(plan);
    if args.list {
        let all: Vec<Value> = found.classes.iter().map(|class| json!(named(class))).collect();
        facts.insert("list".into(), all.into());
        facts.insert("list_unseen".into(), json!(named(&found.unseen)));
    }
    ui.report(args.format, &facts, || table(plan, width, &found, args.list))?;
    Ok(Verdict::Fine)
}

fn table(plan: &Plan, width: u32, found: &Classes, list: bool) -> String {
    let count = |classes: &Classes| {
        format!(
            "{} not seen, {} classes, the largest of {}",
            classes.unseen.len(),
            classes.classes.len(),
            classes.largest()
        )
    };
    let mut text = format!(
        "{HEAD}{}{HEAD:#}\n  faults       {} single ones\n  exchange     {}\n",
        plan.name(),
        found.faults(),
        count(found)
    );
    match &found.with_another {
        Some(both) => {
            text += &format!("  and another  {} (the same rounds with other settings)\n", count(both))
        }
        None => {
            text += "  and another  none: the network has one path for each pair, or no other settings are known\n"
        }
    }
    if let Some(report) = &found.by_report {
        text += &format!("  self-test    {} (its report, words of {width} bits)\n", count(report));
    }
    if list {
        text += &format!("  not seen: {}\n", named(&found.unseen).join(" "));
        found.classes.iter().for_each(|class| text += &format!("  {}\n", named(class).join(" ")));
    }
    text
}

//! `frit diagnose`.

use crate::Verdict;
use crate::args::DiagnoseArgs;
use crate::design::design;
use crate::memory;
use crate::payload::messages_or_random;
use crate::ui::{BAD, GOOD, HEAD, Ui};
use anyhow::{Result, bail};
use frit_design::diagnose::{
    Classes, Explained, check, check_deliveries, check_words, classes, explain, named,
};
use frit_schedule::{Fault, Plan};
use frit_trace::output::open;
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
    match &args.deliveries {
        Some(path) => of_file(ui, args, plan, width, path),
        None if args.payload.payload.is_some() => {
            bail!("--payload says what was sent and needs --deliveries FILE, what arrived")
        }
        None => of_design(ui, args, plan),
    }
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
    let mut facts = found.facts(plan, observed.len());
    facts.insert("payload".into(), messages.origin.as_str().into());
    ui.report(args.format, &facts, || text(plan, &found, observed.len(), &messages.origin))?;
    Ok(Verdict::of(found.healthy))
}

fn text(plan: &Plan, found: &Explained, rows: usize, origin: &str) -> String {
    let name = plan.name();
    let what = format!("the {rows} deliveries of {name} ({origin})");
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

fn of_design(ui: &Ui, args: &DiagnoseArgs, plan: &Plan) -> Result<Verdict> {
    let terminals = u64::from(plan.network.terminals());
    let runs = 2 * (Fault::all(plan).len() as u64 + 1);
    let bytes = runs * terminals * u64::from(plan.rounds) * BYTES_OF_DELIVERY;
    memory::need(&format!("the deliveries of {} with each fault", plan.name()), bytes, "use a smaller -n")?;
    let bar = ui.progress(&format!("{}: trying every fault", plan.name()), None);
    let found = classes(plan);
    bar.finish_and_clear();
    let mut facts = found.facts(plan);
    if args.list {
        let all: Vec<Value> = found.classes.iter().map(|class| json!(named(class))).collect();
        facts.insert("list".into(), all.into());
        facts.insert("list_unseen".into(), json!(named(&found.unseen)));
    }
    ui.report(args.format, &facts, || table(plan, &found, args.list))?;
    Ok(Verdict::Fine)
}

fn table(plan: &Plan, found: &Classes, list: bool) -> String {
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
    if list {
        text += &format!("  not seen: {}\n", named(&found.unseen).join(" "));
        found.classes.iter().for_each(|class| text += &format!("  {}\n", named(class).join(" ")));
    }
    text
}

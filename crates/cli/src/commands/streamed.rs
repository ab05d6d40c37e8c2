//! Streamed systems in the commands that take them.

use crate::Verdict;
use crate::args::{Format, SimulateArgs};
use crate::streamed::need;
use crate::table::pairs;
use crate::ui::{BAD, HEAD, Ui};
use anyhow::Result;
use frit_design::reports::{form, streamed as figures};
use frit_permute::{Streamed, check};
use serde_json::{Map, Value};

/// `frit simulate`: data sets through the bare switches and memories, every word compared with its place.
pub fn simulate(ui: &Ui, args: &SimulateArgs, plan: &Streamed) -> Result<Verdict> {
    need(&format!("a run of {}", plan.name()), plan.order.words())?;
    let (members, fault) = checked(plan);
    match args.format {
        Format::Json => {
            ui.print(&format!("{}\n", serde_json::to_string_pretty(&members)?))?;
        }
        Format::Text => {
            let mut text = format!("{HEAD}{}{HEAD:#}\n{}", plan.name(), text(plan));
            if let Some(fault) = &fault {
                text += &format!("  {BAD}fault{BAD:#}      {fault}\n");
            }
            ui.print(&text)?;
        }
    }
    Ok(Verdict::of(fault.is_none()))
}

/// Runs data sets: the members of JSON, and the first word that is not in its place.
pub fn checked(plan: &Streamed) -> (Map<String, Value>, Option<String>) {
    let fault = check(plan).err().map(|fault| fault.to_string());
    let mut members = figures(plan);
    members.insert("misplaced".into(), fault.is_some().into());
    if let Some(fault) = &fault {
        members.insert("first_fault".into(), fault.as_str().into());
    }
    (members, fault)
}

fn text(plan: &Streamed) -> String {
    let words = plan.order.words();
    let fewest = match plan.bounds() {
        Some([one, two]) => format!("; the fewest are {one} with one bank of memories and {two} with two"),
        None => String::new(),
    };
    let data_set = if plan.largest().is_some() { "largest" } else { "data set" };
    let orders: Vec<String> = plan.memories().map(|memory| memory.orders.len().to_string()).collect();
    pairs(&[
        (data_set, format!("{words} words, {} a cycle in {} cycles", plan.lanes, plan.cycles)),
        ("form", form(plan.form).to_string()),
        ("switches", format!("{} in {} columns{fewest}", plan.switches(), plan.columns())),
        (
            "latency",
            format!(
                "{} cycles: {} of waiting (no circuit waits less than {}), {} of registers",
                plan.latency(),
                plan.waits(),
                plan.wait,
                plan.registers()
            ),
        ),
        (
            "memory",
            format!(
                "{} words; pages: {}; orders of addresses, in turn: {}",
                plan.memory_words(),
                plan.pages(),
                orders.join(" and ")
            ),
        ),
        ("checked", "every word of several data sets, over the bare switches and memories".to_string()),
    ])
}

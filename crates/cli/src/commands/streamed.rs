//! Streamed systems in the commands that take them.

use crate::Verdict;
use crate::args::SimulateArgs;
use crate::streamed::need;
use crate::table::pairs;
use crate::ui::{BAD, HEAD, Ui};
use anyhow::Result;
use frit_network::facts::Facts;
use frit_network::facts::rows;
use frit_permute::{Streamed, check};

/// `frit simulate`: data sets through the bare switches and memories, every word compared with its place.
pub fn simulate(ui: &Ui, args: &SimulateArgs, plan: &Streamed) -> Result<Verdict> {
    need(&format!("a run of {}", plan.name()), plan.order.words())?;
    let (members, fault) = checked(plan);
    ui.report(args.format, &members, || {
        let fault = fault.as_ref().map(|fault| format!("  {BAD}fault{BAD:#}      {fault}\n"));
        format!("{HEAD}{}{HEAD:#}\n{}{}", plan.name(), text(plan, &members), fault.unwrap_or_default())
    })?;
    Ok(Verdict::of(fault.is_none()))
}

/// Runs data sets: the members of JSON, and the first word that is not in its place.
pub fn checked(plan: &Streamed) -> (Facts, Option<String>) {
    let fault = check(plan).err().map(|fault| fault.to_string());
    let mut members = plan.facts(None);
    members.insert("misplaced".into(), fault.is_some().into());
    if let Some(fault) = &fault {
        members.insert("first_fault".into(), fault.as_str().into());
    }
    (members, fault)
}

fn text(plan: &Streamed, facts: &Facts) -> String {
    let fewest = match plan.bounds() {
        Some(_) => {
            "; the fewest are {columns_one_bank} with one bank of memories and {columns_two_banks} with two"
        }
        None => "",
    };
    let data_set = if plan.largest().is_some() { "largest" } else { "data set" };
    let latency =
        "{latency} cycles: {waits} of waiting (no circuit waits less than {wait}), {registers} of registers";
    pairs(&rows(
        facts,
        &[
            (data_set, "{words} words, {lanes} a cycle in {cycles} cycles"),
            ("form", "{form}"),
            ("switches", &format!("{{switches}} in {{columns}} columns{fewest}")),
            ("latency", latency),
            (
                "memory",
                "{memory_words} words; pages: {pages}; orders of addresses, in turn: {address_orders}",
            ),
            ("checked", "every word of several data sets, over the bare switches and memories"),
        ],
    ))
}

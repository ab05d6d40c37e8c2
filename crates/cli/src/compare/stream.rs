//! One order of a stream in every form in which it can be built: one bank of memories or two, one page or two.

use super::area::Mapping;
use super::listing::Listing;
use crate::args::CompareFormat;
use crate::catalog;
use crate::streamed::{self, need};
use anyhow::{Context, Result, bail};
use frit_network::facts;
use frit_network::facts::Facts;
use frit_network::options::Request;
use frit_permute::{Streamed, check, streamed_row};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The facts of `frit simulate` that are compared.
const FACTS: &str = "form columns switches wait latency pages memory_words";

/// What is below the table.
const NOTES: [&str; 3] = [
    "columns, switches: columns of 2x2 switches, and the switches in all of them",
    "wait: cycles that no circuit can undercut; latency: cycles from the first beat of a data set in to its first beat out",
    "memory_words: words of the memories; pages: data sets for which they have room",
];

/// The values of the options that give another form of the same order.
const FORMS: [(&str, &[&str]); 2] = [("banks", &["1", "2"]), ("pages", &["1", "2"])];

/// The comparison of the order that `stream` (a system, then KEY=VALUE) gives with `lanes` words a cycle, in a format; `mapping` also says
/// how many bits the words have.
///
/// # Errors
///
/// An order that does not exist in any form, and one beyond memory; Yosys, if it maps the cores, missing or failing.
pub fn compare(
    stream: &[String],
    lanes: u64,
    format: CompareFormat,
    mapping: Option<(&Mapping, u32)>,
) -> Result<String> {
    let (base, files) = asked(stream, lanes)?;
    let (mut rows, mut plans, mut notes) =
        (Vec::new(), Vec::<Streamed>::new(), NOTES.map(String::from).to_vec());
    let mut refused = None;
    for request in forms(&base) {
        let plan = match streamed::plan(&request, &files) {
            Ok(plan) => plan,
            Err(error) => {
                refused.get_or_insert(error);
                continue;
            }
        };
        if plans.iter().any(|other| other.parts == plan.parts) {
            continue;
        }
        need(&format!("a run of {}", plan.name()), plan.order.words())?;
        check(&plan)?;
        rows.push(facts(&plan, &request, mapping)?);
        plans.push(plan);
    }
    let Some(first) = plans.first() else { return Err(refused.context("the order has no form")?) };
    let title =
        format!("{}: {} words, {lanes} a cycle, in each of its forms", first.row.key, first.order.words());
    if let Some((mapping, width)) = mapping {
        let device = mapping.target.title();
        notes.push(format!(
            "luts, ffs, brams: D_permute, words of {width} bits, mapped by Yosys for {device}"
        ));
    }
    let area = mapping.map(|(mapping, _)| mapping.target.name());
    let members = facts! { "terminals": lanes, "words": first.order.words(), "area": area };
    Listing::of(title, rows, notes, members).print(format)
}

/// The request, and the files that it names.
fn asked(stream: &[String], lanes: u64) -> Result<(Request, BTreeMap<&'static str, PathBuf>)> {
    let (key, options) = stream.split_first().context("--stream needs a system")?;
    let Some(row) = streamed_row(key) else {
        return match catalog::row(key) {
            Some(_) => bail!("--stream {key} is no streamed system; give transpose or permute"),
            None => Err(catalog::unknown(key).into()),
        };
    };
    let (mut request, mut files) = (Request::new(row.key, lanes), BTreeMap::new());
    for option in options {
        let Some((key, value)) = option.split_once('=') else {
            bail!("--stream {} {option} is not of the form KEY=VALUE; write for example rows=64", row.key)
        };
        match row.options.iter().find(|spec| spec.name == key && spec.values.takes_file()) {
            Some(spec) => drop(files.insert(spec.name, PathBuf::from(value))),
            None => request = request.with(key, value),
        }
    }
    Ok((request, files))
}

/// The request with each value of the options that it leaves open.
fn forms(base: &Request) -> Vec<Request> {
    FORMS.iter().fold(vec![base.clone()], |known, (option, values)| {
        match base.options.contains_key(*option) {
            true => known,
            false => known
                .iter()
                .flat_map(|request| values.iter().map(|value| request.clone().with(option, value)))
                .collect(),
        }
    })
}

fn facts(plan: &Streamed, request: &Request, mapping: Option<(&Mapping, u32)>) -> Result<Facts> {
    // Those that were asked for, as the plan has read them.
    let options = plan.options.iter().filter(|(key, _)| request.options.contains_key(*key));
    let options: Vec<String> = options.map(|(key, value)| format!("{key}={value}")).collect();
    let mut facts = facts! { "system": plan.row.key, "options": options.join(" "), "terminals": plan.lanes };
    let all = plan.facts(None);
    facts.extend(FACTS.split(' ').map(|name| (name.into(), all[name].clone())));
    if let Some((mapping, width)) = mapping {
        let area = mapping.core(plan, width)?.all;
        facts.extend(facts! { "luts": area.luts, "ffs": area.ffs, "brams": area.brams });
    }
    Ok(facts)
}

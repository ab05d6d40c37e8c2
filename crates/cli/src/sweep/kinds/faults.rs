//! Sweeps over the faults that can be planted into exchanges and streamed permutations: each in a run of its own, which finds it or does not.
//!
//! Module in reading order: [`mod@planted`] (the faults of a design, all or a sample).

mod planted;

use crate::args::{EngineArg, FabricStyle, WaveArg};
use crate::plot::figure::{Corner, Figure, Ink};
use crate::sweep::designs::{axis, subjects, widths};
use crate::sweep::grid::{Conclusion, Grid, Line};
use crate::sweep::kind::sweep_file;
use crate::sweep::lists::OneOrMore;
use crate::sweep::rows::Rows;
use crate::sweep::trial::{self, Case, Trial};
use anyhow::{Context, Result, bail};
use frit_cells::fault::EXCHANGE;
use frit_device::permute::STREAMED;
use frit_network::facts::Facts;
use planted::{check_forms, planted};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// So many that were not found are named.
const NAMED: usize = 5;

sweep_file! {
    "faults": FaultsFile {
        faults: Option<OneOrMore<String>>,
        sample: Option<usize>,
        engines: Option<Vec<EngineArg>>,
        #[serde(default)]
        fabric_style: FabricStyle,
        wave: Option<WaveArg>,
        seed: Option<u64>,
        need: Option<Need>,
    }
    systems: SystemFile { widths: OneOrMore<u64>, }
}

const KEY: &str = "system options terminals width engines fault";
const FACTS: &str = "rust_hdl verilator icarus found run cycle missing misrouted duplicates conflicts";

/// Which faults have to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Need {
    All,
}

fn grid(file: &FaultsFile) -> Result<Grid> {
    let FaultsFile { fabric_style, wave, seed, need, sample, .. } = *file;
    let seed = seed.unwrap_or(1);
    let trial = Trial { fabric_style, netlist: None, wave, wave_default: WaveArg::None, seed };
    let engines = trial::engines(file.engines.as_deref().unwrap_or(&[EngineArg::RustHdl]))?;
    let words = file.faults.as_ref().map(OneOrMore::list);
    let mut known: Vec<&str> = EXCHANGE.words().chain(STREAMED.words()).collect();
    if sample == Some(0) {
        bail!("sample = 0: at least one fault of each form is planted; leave it out for all");
    }
    let plot = Figure {
        legend: Corner::LowerRight,
        ..Figure::new("Planted faults that are found", "", "percent of the faults planted")
    };
    let mut grid = Grid::new(format!("faults {}", trial.configuration()), KEY, FACTS, "found", plot);
    grid.too_many = "give sample = K, or fewer faults";
    let mut all = vec![];
    for SystemFile { system, terminals, options, widths: bits } in &file.systems {
        let widths = widths(bits)?;
        for group in subjects(system, terminals, options)? {
            grid.group = grid.lines.len();
            for subject in group.plans.into_iter().map(Arc::new) {
                for &width in &widths {
                    let (subject, engines) = (subject.clone(), engines.clone());
                    let case = Case { trial, subject, width, engines, fault: None };
                    case.check()?;
                    grid.once(&case.key(), &case.name())?;
                    let n = case.subject.terminals().into();
                    let faults = case.subject.faults(width);
                    known.extend(faults.words());
                    for fault in planted(faults.as_ref(), words, sample, seed) {
                        let word = fault.split(':').next().unwrap_or_default();
                        grid.line(format!("{}: {word}", group.name), case.subject.ink());
                        let name = format!("{} {fault}", case.name());
                        let key = [case.key(), vec![fault.clone()]].concat();
                        let case = Case { fault: Some(fault), ..case.clone() };
                        grid.add(n, (key, case.work()), name, move |_| run(&case))?;
                    }
                }
                all.push(subject);
            }
            let group = grid.group;
            grid.lines[group..].sort_by(|a, b| a.name.cmp(&b.name));
        }
    }
    check_forms(words, &known)?;
    grid.plot.x = axis(all.iter().map(|subject| &**subject));
    grid.ready = Box::new(move || trial.ready(engines.iter().copied()));
    grid.value = Box::new(|grid, rows, at| grid.number(rows, at, "found").map(|found| 100.0 * found));
    grid.conclude = Box::new(move |grid, rows| Some(conclude(grid, rows, need)));
    let mut grid = grid.filled(
        "no point: [[systems]] with system, terminals and widths, and faults for which they have a place",
    )?;
    // What all lines have needs no word: their group, and the colour of their system.
    let group = |line: &Line| line.name.split(": ").next().map(String::from);
    if grid.lines.iter().all(|line| group(line) == group(&grid.lines[0])) {
        grid.lines.iter_mut().for_each(|line| line.name = line.name.split(": ").last().unwrap_or("").into());
    }
    if grid.lines.iter().all(|line| line.ink == grid.lines[0].ink) {
        grid.lines.iter_mut().for_each(|line| line.ink = Ink::Step);
    }
    Ok(grid)
}

fn run(case: &Case) -> Result<Facts> {
    let outcome = case.run().with_context(|| case.fault.clone().unwrap_or_default())?;
    let found = |engine| outcome.difference(engine).is_some();
    let mut facts = outcome.facts_of_engines(|engine| case.engines.contains(&engine).then(|| found(engine)));
    let first = outcome.first_difference(&case.engines).map(|(_, first)| first);
    facts.insert("found".into(), case.engines.iter().all(|&engine| found(engine)).into());
    facts.insert("run".into(), json!(first.map(|first| first.run)));
    facts.insert("cycle".into(), json!(first.map(|first| first.cycle)));
    Ok(facts)
}

fn conclude(grid: &Grid, rows: &Rows, need: Option<Need>) -> Conclusion {
    let all = grid.points().len();
    let lost: Vec<&str> =
        (0..all).filter(|&at| grid.number(rows, at, "found") != Some(1.0)).map(|at| grid.name(at)).collect();
    let mut lines = vec![format!("{} of {all} faults found, {} not", all - lost.len(), lost.len())];
    let names = &lost[..lost.len().min(NAMED)];
    if !names.is_empty() {
        let more = lost.len() - names.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        lines.push(format!("not found: {}{more}", names.join(", ")));
    }
    Conclusion { fine: lost.is_empty() || need != Some(Need::All), lines }
}

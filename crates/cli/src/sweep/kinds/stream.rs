//! Sweeps of streamed permutations: switches, latency and memory of every size and form, each run through its bare parts.

use crate::plot::figure::{Figure, Ink};
use crate::streamed::need;
use crate::sweep::designs::{DESIGN, streamed_key};
use crate::sweep::grid::Grid;
use crate::sweep::kind::sweep_file;
use crate::sweep::lists::combinations;
use anyhow::{Context, Result, bail};
use frit_network::options::Request;
use frit_permute::{Streamed, check, streamed};
use std::sync::Arc;

sweep_file! {
    "stream": StreamFile {}
    systems: SystemFile {}
    drawing: DrawingFile { x: Option<String>, y: Option<String>, }
}

const FACTS: &str = "words form columns switches columns_one_bank columns_two_banks wait registers latency pages memory_words";
/// The facts that are words.
const FORM: &str = "form";

/// Options whose values stand in the name of a line.
const NAMED: [&str; 11] =
    ["kind", "stride", "radix", "a", "c", "factors", "shape", "axes", "inverse", "banks", "pages"];

fn grid(file: &StreamFile) -> Result<Grid> {
    let numbers: Vec<&'static str> = FACTS.split(' ').filter(|name| *name != FORM).collect();
    let y = file.drawing.y.as_deref().unwrap_or("latency");
    let y = *numbers
        .iter()
        .find(|name| **name == y)
        .with_context(|| format!("[drawing] y = {y:?}: give one of {}", numbers.join(", ")))?;
    let by_words = match file.drawing.x.as_deref() {
        None | Some("words") => true,
        Some("terminals") => false,
        Some(other) => bail!("[drawing] x = {other:?}: give words or terminals"),
    };
    let mut plans = vec![];
    for SystemFile { system, terminals, options } in &file.systems {
        for options in combinations(options) {
            for &terminals in terminals.list() {
                let (system, options) = (system.clone(), options.clone());
                plans.push(Arc::new(streamed(&Request { system, terminals, options })?));
            }
        }
    }
    let x = if by_words { "words of a data set" } else { "N: words a cycle" };
    let plot = Figure::new("Streamed permutations", x, y.replace('_', " "));
    let mut grid = Grid::new("stream", DESIGN, FACTS, y, plot);
    grid.apart = true;
    for plan in &plans {
        let (plan, words) = (plan.clone(), plan.order.words());
        need(&format!("a run of {}", plan.name()), words)?;
        let (key, name) = (streamed_key(&*plan), plan.name());
        grid.once(&key, &name)?;
        let lanes = if by_words { format!(", N = {}", plan.lanes) } else { String::new() };
        grid.line(format!("{}{}{lanes}", plan.row.key, varied(&plan, &plans)), Ink::Step);
        let x = if by_words { words as f64 } else { plan.lanes.into() };
        grid.add(x, (key, words), name, move |_| {
            check(&plan).with_context(|| plan.name())?;
            Ok(plan.facts(None))
        })?;
    }
    grid.filled("no [[systems]]: each has a system, terminals, and options if it should")
}

/// The options that stand in the name of a line, as they are not the same in all plans.
fn varied(plan: &Streamed, plans: &[Arc<Streamed>]) -> String {
    let option = |name: &&str| {
        let own = plan.options.get(*name)?;
        let varies = plans.iter().any(|other| other.options.get(*name) != Some(own));
        varies.then(|| format!(" {name}={own}"))
    };
    NAMED.iter().filter_map(option).collect()
}

//! The film of an uneven exchange, and its time line.

use crate::args::ViewArgs;
use crate::commands::demand::{exchange, size};
use crate::demand::demand;
use crate::design::refuse_baseline;
use crate::memory;
use crate::registry::EXCHANGE;
use anyhow::{Result, anyhow, bail};
use frit_demand::read::Reading;
use frit_demand::walk::TooLong;
use frit_design::film::timeline;
use frit_design::film::uneven::{MOST, bytes, of_demand};
use frit_network::Refusal;
use frit_view::Film;
use std::path::Path;

/// The film of the demand in a file, and the drawing that `--timeline` asks for.
pub fn film(args: &ViewArgs, path: &Path) -> Result<(Film, Option<String>)> {
    let (row, asked) = size(&args.design)?;
    EXCHANGE.refuse("view", row.key, &args.design)?;
    if !args.timeline {
        refuse_baseline(row.key, "a page")?;
    }
    let demand = demand(path, Reading { terminals: asked, ..Reading::default() })?;
    let n = demand.terminals();
    if args.timeline && n > timeline::MAX_TERMINALS {
        bail!(
            "{n} terminals are too many for --timeline; give a demand of up to {}",
            timeline::MAX_TERMINALS
        );
    }
    // No plan has fewer rounds than h for each lane of a terminal.
    if u64::from(demand.h()) * u64::from(n) > MOST {
        bail!(
            "{} rounds of {n} terminals are too many to show (up to {MOST} words in all); give a demand of fewer words",
            demand.h()
        );
    }
    let planned = exchange(&args.design, row.key, &demand, Some(MOST), &mut |_, _| ());
    let (exchange, _) = planned.map_err(|error| match error.downcast_ref().and_then(Refusal::detail) {
        Some(TooLong { name, rounds }) => anyhow!(
            "{name} needs {rounds} rounds or more, which are too many to show (up to {MOST} words in all, rounds times lanes); give a demand of fewer words"
        ),
        _ => error,
    })?;
    let lanes = u64::from(exchange.machine.network().lanes());
    if exchange.rounds() * lanes > MOST {
        bail!(
            "{} rounds of {lanes} lanes are too many to show (up to {MOST} in all); give a demand of fewer words",
            exchange.rounds()
        );
    }
    memory::need("the film of this demand", bytes(&exchange), "give a demand of fewer words")?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let command = format!("{} -n {n} --demand {file}", row.key);
    match of_demand(&demand, &exchange, &command) {
        Ok((film, arrivals)) => {
            let drawing = args.timeline.then(|| timeline::timeline(&demand, &exchange, &arrivals));
            Ok((film, drawing))
        }
        Err(fault) => bail!("{} does not carry the demand: {fault}; please report this", row.key),
    }
}

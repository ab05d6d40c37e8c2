//! The film of an uneven exchange, and its time line.

use crate::args::ViewArgs;
use crate::commands::demand::{exchange, size};
use crate::demand::demand;
use crate::design::refuse_baseline;
use crate::memory;
use crate::registry::EXCHANGE;
use anyhow::{Result, anyhow, bail};
use frit_demand::read::Reading;
use frit_demand::run::{Arrival, run};
use frit_demand::walk::TooLong;
use frit_demand::{Demand, Exchange, Fault};
use frit_design::film::timeline;
use frit_design::film::uneven::{MOST, bytes, of_demand};
use frit_network::Refusal;
use frit_view::Film;
use std::path::Path;

/// What is shown.
struct Shown {
    system: &'static str,
    demand: Demand,
    exchange: Exchange,
}

impl Shown {
    fn fails(&self, fault: Fault) -> anyhow::Error {
        anyhow!("{} does not carry the demand: {fault}; please report this", self.system)
    }
}

/// The page of the demand in a file.
pub fn film(args: &ViewArgs, path: &Path) -> Result<Film> {
    let shown = shown(args, path)?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let command = format!("{} -n {} --demand {file}", shown.system, shown.demand.terminals());
    let film = of_demand(&shown.demand, &shown.exchange, &command);
    Ok(film.map_err(|fault| shown.fails(fault))?.0)
}

/// The time line of the demand in a file.
pub fn drawing(args: &ViewArgs, path: &Path) -> Result<String> {
    let shown = shown(args, path)?;
    let mut arrivals: Vec<Arrival> = Vec::new();
    run(&shown.demand, &shown.exchange, &mut arrivals).map_err(|fault| shown.fails(fault))?;
    Ok(timeline::timeline(&shown.demand, &shown.exchange, &arrivals))
}

fn shown(args: &ViewArgs, path: &Path) -> Result<Shown> {
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
    let lanes = u64::from(exchange.machine.lanes());
    if exchange.rounds() * lanes > MOST {
        bail!(
            "{} rounds of {lanes} lanes are too many to show (up to {MOST} in all); give a demand of fewer words",
            exchange.rounds()
        );
    }
    memory::need("the film of this demand", bytes(&exchange), "give a demand of fewer words")?;
    Ok(Shown { system: row.key, demand, exchange })
}

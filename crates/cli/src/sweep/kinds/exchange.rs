//! Sweeps of complete exchanges: cycles of each system and size, as the model measures them.

use crate::plot::figure::Figure;
use crate::summary;
use crate::sweep::designs::{DESIGN, groups, ink, key};
use crate::sweep::grid::Grid;
use crate::sweep::kind::sweep_file;
use anyhow::{Result, bail};
use frit_schedule::Plan;
use frit_traffic::pace::Pace;

/// Every pair is counted in the model.
const MAX_TERMINALS: u64 = 16384;

sweep_file! {
    "exchange": ExchangeFile {
        word_bytes: Option<u32>,
        link: Option<String>,
        clock: Option<String>,
    }
    systems: SystemFile {}
}

const FACTS: &str =
    "cycles cycles_total cycles_paper cycles_lower_bound drivers switches delivered duplicates";

fn grid(file: &ExchangeFile) -> Result<Grid> {
    let plot = Figure::new("Cycles of a complete exchange", "n: terminals", "cycles, all phases");
    let mut grid = Grid::new("exchange", DESIGN, FACTS, "cycles_total", plot);
    let most = |terminals| match terminals > MAX_TERMINALS {
        true => bail!("{terminals} terminals: exchanges are swept up to {MAX_TERMINALS} terminals"),
        false => Ok(()),
    };
    for SystemFile { system, terminals, options } in &file.systems {
        for group in groups(system, terminals, options, most)? {
            grid.begin(group.name, ink(&group.plans[0]));
            for plan in group.plans {
                let (key, name) = (key(&plan), plan.name());
                grid.once(&key, &name)?;
                let n = plan.network.terminals().into();
                grid.add(n, (key, work(&plan)), name, move |_| {
                    let run = frit_model::fast::exchange(&plan, None, &mut ()).run;
                    if !run.ok() {
                        let fault = run.first_fault.map(|fault| fault.to_string());
                        let fault = fault.unwrap_or_else(|| "messages are missing".into());
                        bail!("{}: the exchange is not complete: {fault}", plan.name());
                    }
                    Ok(summary::facts(&plan, 1, &run))
                })?;
            }
        }
    }
    let pace = Pace::parse(file.word_bytes, file.link.as_deref(), file.clock.as_deref())?;
    grid.paced(pace, "delivered", "cycles_total")
        .filled("no [[systems]]: each has a system, terminals, and options if it should")
}

/// Moves of messages over links: every lane in every round, at every stage that it passes, in every phase.
fn work(plan: &Plan) -> u64 {
    let moves = u64::from(plan.rounds) * u64::from(plan.network.lanes()) * u64::from(plan.hops());
    moves * plan.phases.count()
}

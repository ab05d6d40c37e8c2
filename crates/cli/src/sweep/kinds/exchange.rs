//! Sweeps of complete exchanges: cycles of each system and size, as the model measures them.

use crate::plot::figure::{Corner, Figure, Mean, Series};
use crate::sweep::designs::{groups, ink, key};
use crate::sweep::kind::{Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::lists::{OneOrMore, Options};
use crate::sweep::rows::Rows;
use anyhow::{Result, bail};
use frit_schedule::Plan;
use serde::Deserialize;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "exchange", read };

/// Every pair is counted in the model.
const MAX_TERMINALS: u64 = 16384;

sweep_file! {
    /// The members of a file with `kind = "exchange"`.
    struct ExchangeFile of Exchange {
        systems: Vec<SystemFile>,
    }
}

/// A system with its sizes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemFile {
    system: String,
    terminals: OneOrMore<u64>,
    #[serde(default)]
    options: Options,
}

/// A checked sweep.
struct Exchange {
    plans: Vec<Plan>,
    points: Vec<Point>,
    /// The name of a series, and the points it has.
    series: Vec<(String, Vec<usize>)>,
}

impl Exchange {
    /// Checks a file and lists its points.
    fn new(file: &ExchangeFile) -> Result<Self> {
        let mut sweep = Exchange { plans: vec![], points: vec![], series: vec![] };
        let most = |terminals| match terminals > MAX_TERMINALS {
            true => bail!("{terminals} terminals: exchanges are swept up to {MAX_TERMINALS} terminals"),
            false => Ok(()),
        };
        for system in &file.systems {
            for group in groups(&system.system, &system.terminals, &system.options, most)? {
                let mut members = vec![];
                for plan in group.plans {
                    let key = key(&plan);
                    if sweep.points.iter().any(|point| point.key == key) {
                        bail!("{} is listed twice", plan.name());
                    }
                    members.push(sweep.points.len());
                    sweep.points.push(Point { key, work: work(&plan) });
                    sweep.plans.push(plan);
                }
                sweep.series.push((group.name, members));
            }
        }
        if sweep.points.is_empty() {
            bail!("no [[systems]]: each has a system, terminals, and options if it should");
        }
        Ok(sweep)
    }
}

/// Moves of messages over links: every lane in every round, at every stage that it passes, in every phase.
fn work(plan: &Plan) -> u64 {
    let moves = u64::from(plan.rounds) * u64::from(plan.network.lanes()) * u64::from(plan.hops());
    moves * plan.phases.count()
}

impl Kind for Exchange {
    fn columns(&self) -> &'static [&'static str] {
        &[
            "system",
            "options",
            "terminals",
            "cycles",
            "cycles_total",
            "cycles_paper",
            "cycles_lower_bound",
            "drivers",
            "switches",
            "delivered",
            "duplicates",
        ]
    }

    fn configuration(&self) -> String {
        "exchange".into()
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let plan = &self.plans[point];
        let run = frit_model::fast::exchange(plan, None, &mut ()).run;
        if !run.ok() {
            let fault = run.first_fault.map_or("messages are missing".into(), |fault| fault.to_string());
            bail!("{}: the exchange is not complete: {fault}", plan.name());
        }
        let figures = &plan.figures;
        Ok(vec![
            run.cycles.to_string(),
            run.cycles_total.to_string(),
            figures.cycles_paper.to_string(),
            figures.cycles_lower_bound.to_string(),
            figures.drivers.to_string(),
            plan.network.switches().to_string(),
            run.delivered.to_string(),
            run.duplicates.to_string(),
        ])
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let series = self
            .series
            .iter()
            .map(|(name, members)| {
                let mean = |&point: &usize| {
                    let key = &self.points[point].key;
                    let x = self.plans[point].network.terminals() as f64;
                    Some(Mean::single(x, rows.number(key, "cycles_total")?))
                };
                let means = members.iter().filter_map(mean).collect();
                Series::new(name.clone(), means, ink(&self.plans[members[0]]))
            })
            .collect();
        Figure {
            title: "Cycles of a complete exchange".into(),
            x: "n: terminals".into(),
            y: "cycles, all phases".into(),
            series,
            limit: None,
            mark: None,
            bars: String::new(),
            legend: Corner::Left,
        }
    }
}

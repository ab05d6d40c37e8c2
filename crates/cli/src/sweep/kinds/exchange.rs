//! Sweeps of complete exchanges: cycles of each system and size, as the model measures them.

use crate::design::need_plan;
use crate::plot::figure::{Corner, Figure, Marker, Mean, Series};
use crate::plot::look::PlotFile;
use crate::sweep::kind::{Kind, Outputs, Point, Reader, Sweep};
use crate::sweep::rows::Rows;
use anyhow::{Result, bail};
use frit_schedule::{Plan, Request, plan};
use serde::Deserialize;
use std::collections::BTreeMap;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "exchange", read };

/// Every pair is counted in the model.
const MAX_TERMINALS: u64 = 16384;

/// The members of a file with `kind = "exchange"`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExchangeFile {
    #[serde(rename = "kind")]
    _kind: String,
    systems: Vec<SystemFile>,
    files: Option<Outputs>,
    #[serde(default)]
    plot: PlotFile,
}

/// A system with its sizes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemFile {
    system: String,
    terminals: Vec<u64>,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

fn read(text: &str) -> Result<Sweep> {
    let mut file: ExchangeFile = crate::toml_text::read(text)?;
    let (files, plot) = (file.files.take(), file.plot.clone());
    Sweep::new(Exchange::new(file)?, files, plot)
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
    fn new(file: ExchangeFile) -> Result<Self> {
        let mut sweep = Exchange { plans: vec![], points: vec![], series: vec![] };
        for system in file.systems {
            let mut members = vec![];
            let mut sizes = system.terminals.clone();
            sizes.sort_unstable();
            sizes.dedup();
            for terminals in sizes {
                if terminals > MAX_TERMINALS {
                    bail!("{terminals} terminals: exchanges are swept up to {MAX_TERMINALS} terminals");
                }
                let (system, options) = (system.system.clone(), system.options.clone());
                need_plan(&system, terminals)?;
                let plan = plan(&Request { system, terminals, options })?;
                let variant =
                    plan.options.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(" ");
                let key = vec![plan.system.to_string(), variant, terminals.to_string()];
                if sweep.points.iter().any(|point| point.key == key) {
                    bail!("{} is listed twice", plan.name());
                }
                members.push(sweep.points.len());
                sweep.points.push(Point { key, work: terminals * terminals });
                sweep.plans.push(plan);
            }
            let Some(&first) = members.first() else {
                bail!("{}: terminals need a value at least", system.system)
            };
            let plan = &sweep.plans[first];
            let name = plan.name();
            let name = name.rsplit_once("_n").map_or(name.as_str(), |(name, _)| name).replace('_', " ");
            sweep.series.push((name, members));
        }
        if sweep.points.is_empty() {
            bail!("no [[systems]]: each has a system, terminals, and options if it should");
        }
        Ok(sweep)
    }
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
                    Some(Mean { x, y: rows.number(key, "cycles_total")?, deviation: 0.0 })
                };
                Series {
                    name: name.clone(),
                    means: members.iter().filter_map(mean).collect(),
                    mark: None,
                    marker: Marker::Dot,
                }
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

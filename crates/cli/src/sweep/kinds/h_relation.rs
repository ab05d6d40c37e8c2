//! Sweeps of h-relations on the optical butterfly: steps and cost c = steps / h for every n, h and seed. As in the paper's
//! Figure 4, h is the number of packets that every processor sends (`per_source` of `frit route`), in the file, the CSV
//! and the plot; what one receives varies around it.

use crate::design::need_plan;
use crate::limits::{HOT_SPOT_PERCENT, RELATION_TERMINALS};
use crate::plot::figure::{BARS, Corner, Figure, Ink, Mean, Series};
use crate::sweep::expression::Expression;
use crate::sweep::kind::{Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::rows::Rows;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use frit_model::Statistics;
use frit_model::h_relation::cost;
use frit_schedule::{Plan, Request, plan};
use frit_traffic::relation::Relation;
use serde::Deserialize;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "h-relation", read };

sweep_file! {
    /// The members of a file with `kind = "h-relation"`.
    struct HRelationFile of HRelation {
        terminals: Vec<u64>,
        #[serde(alias = "per_source")]
        h: Vec<Expression>,
        h_max: Option<Expression>,
        #[serde(default)]
        relation: Rule,
        hot: Option<u32>,
        percent: Option<u32>,
        #[serde(default = "prefer_one")]
        sequence: String,
        #[serde(default)]
        seeds: SeedsFile,
    }
}

fn prefer_one() -> String {
    "prefer-one".into()
}

/// The relations that can be swept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Rule {
    #[default]
    Random,
    Permutation,
    HotSpot,
}

/// What a point is.
struct Run {
    /// Index of its plan.
    size: usize,
    /// h of the figure: packets that each processor sends.
    h: u32,
    seed: u64,
}

/// A checked sweep.
struct HRelation {
    rule: Rule,
    hot: u32,
    percent: u32,
    sequence: String,
    plans: Vec<Plan>,
    runs: Vec<Run>,
    points: Vec<Point>,
}

impl HRelation {
    /// Checks a file and lists its points.
    fn new(file: &HRelationFile) -> Result<Self> {
        let mut terminals = file.terminals.clone();
        terminals.sort_unstable();
        terminals.dedup();
        if terminals.is_empty() || file.h.is_empty() {
            bail!(
                "terminals and h need a value each at least, for example terminals = [4, 8] and h = [1, \"n\"]"
            );
        }
        if file.relation != Rule::HotSpot && (file.hot.is_some() || file.percent.is_some()) {
            bail!("hot and percent belong to relation = \"hot-spot\"");
        }
        let seeds = file.seeds.seeds()?;
        let mut sweep = HRelation {
            rule: file.relation,
            hot: file.hot.unwrap_or(0),
            percent: file.percent.unwrap_or(HOT_SPOT_PERCENT),
            sequence: file.sequence.clone(),
            plans: vec![],
            runs: vec![],
            points: vec![],
        };
        for (size, &n) in terminals.iter().enumerate() {
            if n > RELATION_TERMINALS as u64 {
                bail!("{n} terminals: h-relations are swept up to {RELATION_TERMINALS} terminals");
            }
            need_plan("obf", n)?;
            sweep.plans.push(plan(&Request::new("obf", n).with("sequence", &file.sequence))?);
            for h in file.sizes(n)? {
                sweep.relation(n as u32, h, 1)?; // the hot spot exists
                for seed in seeds.iter() {
                    sweep.runs.push(Run { size, h, seed });
                    let work = match sweep.rule {
                        Rule::Permutation => n * n,
                        Rule::Random | Rule::HotSpot => n * (n + h as u64),
                    };
                    let key = vec![n.to_string(), h.to_string(), seed.to_string()];
                    sweep.points.push(Point { key, work });
                }
            }
        }
        Ok(sweep)
    }

    fn relation(&self, terminals: u32, h: u32, seed: u64) -> Result<Relation> {
        Ok(match self.rule {
            Rule::Random => Relation::random(terminals, h, seed),
            Rule::Permutation => Relation::permutation(terminals, h, seed),
            Rule::HotSpot => Relation::hot_spot(terminals, h, seed, self.hot, self.percent)?,
        })
    }

    /// Mean costs of one n, by h.
    fn means(&self, size: usize, rows: &Rows) -> Vec<Mean> {
        let runs: Vec<(&Run, f64)> = self
            .runs
            .iter()
            .zip(&self.points)
            .filter(|(run, _)| run.size == size)
            .filter_map(|(run, point)| Some((run, rows.number(&point.key, "cost")?)))
            .collect();
        runs.chunk_by(|a, b| a.0.h == b.0.h)
            .filter_map(|runs| {
                let statistics = Statistics::of(&runs.iter().map(|run| run.1).collect::<Vec<_>>())?;
                Some(Mean::of(runs[0].0.h as f64, &statistics))
            })
            .collect()
    }
}

impl HRelationFile {
    /// The values of h for one n, in order.
    fn sizes(&self, n: u64) -> Result<Vec<u32>> {
        let most = match &self.h_max {
            Some(expression) => expression.value(n).context("h_max")?,
            None => u64::MAX,
        };
        let mut sizes = Vec::new();
        for expression in &self.h {
            let h = expression.value(n).context("h")?;
            if (1..=most).contains(&h) {
                let h = u32::try_from(h);
                sizes.push(
                    h.with_context(|| format!("h = {expression:?} for n = {n}: at most {}", u32::MAX))?,
                );
            }
        }
        sizes.sort_unstable();
        sizes.dedup();
        if sizes.is_empty() {
            bail!("no h is left for n = {n}: they are 1 or more and not above h_max");
        }
        Ok(sizes)
    }
}

impl Kind for HRelation {
    fn columns(&self) -> &'static [&'static str] {
        &[
            "terminals",
            "h",
            "seed",
            "packets",
            "most_sent",
            "most_received",
            "largest_buffer",
            "steps",
            "cost",
        ]
    }

    fn configuration(&self) -> String {
        let hot =
            if self.rule == Rule::HotSpot { format!("{} {}", self.hot, self.percent) } else { "".into() };
        format!("h-relation obf {} {:?} {hot}", self.sequence, self.rule)
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let run = &self.runs[point];
        let plan = &self.plans[run.size];
        let systolic = plan.systolic().expect("obf is systolic");
        let c = cost(systolic, &self.relation(plan.network.terminals(), run.h, run.seed)?);
        Ok(vec![
            c.packets.to_string(),
            c.most_sent.to_string(),
            c.most_received.to_string(),
            c.largest_buffer.to_string(),
            c.steps.to_string(),
            c.cost_per_source().to_string(),
        ])
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let series = self
            .plans
            .iter()
            .enumerate()
            .rev() // the uppermost line first
            .map(|(size, plan)| {
                let n = plan.network.terminals();
                let mark = n as f64 * (n as f64).log2();
                Series {
                    name: format!("n = {n}"),
                    means: self.means(size, rows),
                    mark: Some(mark),
                    ink: Ink::Step,
                    note: None,
                }
            })
            .collect();
        let seeds = self.runs.iter().filter(|run| run.size == 0 && run.h == self.runs[0].h).count();
        let rule = match self.rule {
            Rule::Random => "random h-relations",
            Rule::Permutation => "h-fold permutations",
            Rule::HotSpot => "h-relations with a hot spot",
        };
        Figure {
            title: format!("Cost of {rule} on the optical butterfly (mean of {seeds} seeds)"),
            x: "h: packets per processor".into(),
            y: "c = steps / h (time steps per packet)".into(),
            series,
            limit: Some((0.5, "limit c = 1/2: two packets leave a processor in a step".into())),
            mark: Some("h = n log2 n".into()),
            bars: BARS.into(),
            legend: Corner::Right,
        }
    }
}

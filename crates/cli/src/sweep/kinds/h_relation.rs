//! Sweeps of h-relations on the optical butterfly: steps and cost c = steps / h for every n, h and seed. As in the paper's
//! Figure 4, h is the number of packets that every processor sends (`per_source` of `frit route`), in the file, the CSV
//! and the plot; what one receives varies around it.

use crate::design::need_plan;
use crate::limits::{HOT_SPOT_PERCENT, RELATION_TERMINALS};
use crate::plot::figure::{BARS, Corner, Figure, Ink};
use crate::sweep::expression::Expression;
use crate::sweep::grid::Grid;
use crate::sweep::kind::sweep_file;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use frit_design::reports;
use frit_model::h_relation::cost;
use frit_network::Refusal;
use frit_schedule::{Request, plan};
use frit_traffic::relation::Relation;
use serde::Deserialize;
use std::sync::Arc;

sweep_file! {
    "h-relation": HRelationFile {
        terminals: Vec<u64>,
        #[serde(alias = "per_source")]
        h: Vec<Expression>,
        h_max: Option<Expression>,
        #[serde(default)]
        relation: Rule,
        hot: Option<u32>,
        percent: Option<u32>,
        sequence: Option<String>,
        #[serde(default)]
        seeds: SeedsFile,
    }
}

const FACTS: &str = "packets most_sent most_received largest_buffer steps cost";

/// The relations that can be swept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Rule {
    #[default]
    Random,
    Permutation,
    HotSpot,
}

fn grid(file: &HRelationFile) -> Result<Grid> {
    let mut terminals = file.terminals.clone();
    terminals.sort_unstable();
    terminals.dedup();
    if terminals.is_empty() || file.h.is_empty() {
        bail!(
            "terminals and h each need at least one value, for example terminals = [4, 8] and h = [1, \"n\"]"
        );
    }
    if file.relation != Rule::HotSpot && (file.hot.is_some() || file.percent.is_some()) {
        bail!("hot and percent belong to relation = \"hot-spot\"");
    }
    let seeds = file.seeds.seeds()?;
    let (rule, hot) = (file.relation, file.hot.unwrap_or(0));
    let percent = file.percent.unwrap_or(HOT_SPOT_PERCENT);
    let relation = move |terminals, h, seed| -> Result<Relation, Refusal> {
        Ok(match rule {
            Rule::Random => Relation::random(terminals, h, seed),
            Rule::Permutation => Relation::permutation(terminals, h, seed),
            Rule::HotSpot => Relation::hot_spot(terminals, h, seed, hot, percent)?,
        })
    };
    let sequence = file.sequence.as_deref().unwrap_or("prefer-one");
    let place = if rule == Rule::HotSpot { format!("{hot} {percent}") } else { String::new() };
    let configuration = format!("h-relation obf {sequence} {rule:?} {place}");
    let mut grid =
        Grid::new(configuration, "terminals h seed", FACTS, "cost", plot(rule, seeds.iter().count()));
    for &n in &terminals {
        if n > RELATION_TERMINALS as u64 {
            bail!("{n} terminals: h-relations are swept up to {RELATION_TERMINALS} terminals");
        }
        need_plan("obf", n)?;
        let plan = Arc::new(plan(&Request::new("obf", n).with("sequence", sequence))?);
        grid.begin(format!("n = {n}"), Ink::Step).mark = Some(n as f64 * (n as f64).log2());
        for h in file.sizes(n)? {
            relation(n as u32, h, 1)?; // the hot spot exists
            let work = if rule == Rule::Permutation { n * n } else { n * (n + u64::from(h)) };
            for seed in seeds.iter() {
                let (plan, key) = (plan.clone(), [n, h.into(), seed].map(|number| number.to_string()));
                grid.add(h.into(), (key.to_vec(), work), "", move |_| {
                    let systolic = plan.systolic().expect("obf is systolic");
                    let c = cost(systolic, &relation(n as u32, h, seed)?);
                    let mut facts = reports::relation(&c);
                    facts.insert("cost".into(), c.cost_per_source().into());
                    Ok(facts)
                })?;
            }
        }
    }
    grid.lines.reverse(); // the uppermost line first
    Ok(grid)
}

fn plot(rule: Rule, seeds: usize) -> Figure {
    let rule = match rule {
        Rule::Random => "random h-relations",
        Rule::Permutation => "h-fold permutations",
        Rule::HotSpot => "h-relations with a hot spot",
    };
    let title = format!("Cost of {rule} on the optical butterfly (mean of {seeds} seeds)");
    Figure {
        limit: Some((0.5, "limit c = 1/2: two packets leave a processor in a step".into())),
        mark: Some("h = n log2 n".into()),
        bars: BARS.into(),
        legend: Corner::Right,
        ..Figure::new(title, "h: packets per processor", "c = steps / h (time steps per packet)")
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
            bail!("no h is left for n = {n}: h must be at least 1 and at most h_max");
        }
        Ok(sizes)
    }
}

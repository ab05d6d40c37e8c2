//! Sweeps of the rounds of large exchanges: a point is a block of rounds, every switch and every arrival checked, and the whole
//! file says whether the blocks together serve every pair exactly once.

use crate::design::need_plan;
use crate::memory::{self, estimate};
use crate::plot::figure::{Figure, Ink};
use crate::sweep::designs::key;
use crate::sweep::grid::{Conclusion, Grid};
use crate::sweep::kind::sweep_file;
use crate::sweep::rows::Rows;
use anyhow::{Context, Result, bail};
use frit_model::fast::{Cover, Fast};
use frit_network::facts;
use frit_network::facts::Facts;
use frit_schedule::{Plan, Request, plan};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

const MAX_BLOCKS: u32 = 65536;

sweep_file! {
    "rounds": RoundsFile {
        systems: Vec<SystemFile>,
    }
}

const KEY: &str = "system options terminals first last";
const FACTS: &str = "messages arrived conflicts misrouted hops senders";

/// An exchange, and into how many blocks of rounds it is cut.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemFile {
    system: String,
    terminals: u64,
    blocks: u32,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

/// An exchange that is run in blocks.
struct Exchange {
    plan: &'static Plan,
    cover: Cover<'static>,
    /// What all blocks share: the order of work, made when the first one runs.
    fast: OnceLock<Option<Fast<'static>>>,
    /// Its points and their rounds.
    blocks: Vec<(usize, Range<u32>)>,
}

fn grid(file: &RoundsFile) -> Result<Grid> {
    let plot = Figure::new("Messages of blocks of rounds", "round", "messages that arrived in the block");
    let mut grid = Grid::new("rounds", KEY, FACTS, "arrived", plot);
    let mut exchanges = vec![];
    for system in &file.systems {
        let exchange = Arc::new(Exchange::new(system, grid.points().len())?);
        let plan = exchange.plan;
        grid.begin(plan.name().replace('_', " "), Ink::System(plan.system));
        let hops = u64::from(plan.hops()) * plan.phases.count() * u64::from(plan.network.lanes());
        for (_, rounds) in &exchange.blocks {
            let ends = [rounds.start, rounds.end - 1].map(|round| round.to_string());
            let point = ([key(plan), ends.into()].concat(), hops * rounds.len() as u64);
            grid.once(&point.0, &plan.name())?;
            let (exchange, rounds) = (exchange.clone(), rounds.clone());
            grid.add(rounds.end.into(), point, plan.name(), move |_| exchange.run(rounds.clone()))?;
        }
        exchanges.push(exchange);
    }
    grid.conclude = Box::new(move |grid, rows| {
        let found: Vec<_> = exchanges.iter().map(|exchange| exchange.whole(grid, rows)).collect();
        let line = |(exchange, whole): (&Arc<Exchange>, &Result<String, String>)| match whole {
            Ok(whole) => format!("{}: {whole}", exchange.plan.name()),
            Err(wrong) => format!("{}: not the whole exchange: {wrong}", exchange.plan.name()),
        };
        let lines = exchanges.iter().zip(&found).map(line).collect();
        Some(Conclusion { fine: found.iter().all(Result::is_ok), lines })
    });
    grid.filled("no [[systems]]: each has a system, terminals, blocks, and options if it should")
}

impl Exchange {
    /// That of an entry, whose points begin at `first`.
    fn new(file: &SystemFile, first: usize) -> Result<Self> {
        let &SystemFile { ref system, terminals, blocks, ref options } = file;
        need_plan(system, terminals)?;
        let (system, options) = (system.clone(), options.clone());
        // A sweep lives as long as the process.
        let plan: &'static Plan = Box::leak(Box::new(plan(&Request { system, terminals, options })?));
        let name = plan.name();
        let cover = Cover::new(plan).with_context(|| {
            format!("{name}: rounds are swept of systems whose rounds are translations of all terminals: rls, xor, obf, and gsen of powers of two")
        })?;
        let (rounds, most) = (plan.rounds, MAX_BLOCKS.min(plan.rounds));
        if !(1..=most).contains(&blocks) {
            bail!("blocks = {blocks}: {name} has {rounds} rounds; give 1 to {most}");
        }
        let from = |block: u32| (u64::from(block) * u64::from(rounds) / u64::from(blocks)) as u32;
        let blocks = (0..blocks).map(|at| (first + at as usize, from(at)..from(at + 1))).collect();
        Ok(Exchange { plan, cover, fast: OnceLock::new(), blocks })
    }

    fn run(&self, rounds: Range<u32>) -> Result<Facts> {
        let Exchange { plan, fast, .. } = self;
        // Blocks share what the first one takes.
        if fast.get().is_none() {
            memory::need(&plan.name(), estimate::run(plan, rounds.clone()), "give a smaller size, or -j 1")?;
        }
        let fast = fast.get_or_init(|| Fast::new(plan, rounds.clone())).as_ref();
        let fast = fast.with_context(|| format!("{} is only run whole", plan.name()))?;
        let checked = fast.run_some(rounds, &|_| ());
        Ok(facts! {
            "messages": checked.sent, "arrived": checked.arrived, "conflicts": checked.rounds_with_conflict,
            "misrouted": checked.rounds_with_misroute, "hops": checked.hops,
            "senders": checked.senders.map(number),
        })
    }

    /// What an exchange has come to; the error is what is wrong.
    fn whole(&self, grid: &Grid, rows: &Rows) -> Result<String, String> {
        let plan = self.plan;
        let (mut messages, mut next) = (0, 0);
        for (at, rounds) in &self.blocks {
            let cell = |column| rows.cell(&grid.points()[*at].key, column).unwrap_or_default();
            let told = |what: String| format!("rounds {} to {}: {what}", rounds.start, rounds.end - 1);
            if rounds.start != next {
                return Err(told(format!("round {next} is in no block")));
            }
            next = rounds.end;
            let due = rounds.len() as u64 * u64::from(plan.network.lanes());
            for (column, due) in [("messages", due), ("arrived", due), ("conflicts", 0), ("misrouted", 0)] {
                if cell(column) != due.to_string() {
                    return Err(told(format!("{column} is {:?}, not {due}", cell(column))));
                }
            }
            let senders = number(self.cover.senders(rounds.clone()));
            if cell("senders") != senders {
                return Err(told(format!(
                    "the messages at terminal 0 came from other sources than in the schedule ({senders})"
                )));
            }
            messages += due;
        }
        if next != plan.rounds {
            return Err(format!("rounds {next} to {} are in no block", plan.rounds - 1));
        }
        self.cover.every_offset_once()?;
        Ok(format!("every pair exactly once, in {} rounds: {messages} messages", plan.rounds))
    }
}

/// A digest, as a cell has it.
fn number(digest: u64) -> String {
    format!("0x{digest:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::grid::Point;

    fn rounds(systems: Vec<SystemFile>) -> Result<Grid> {
        grid(&RoundsFile { _kind: String::new(), systems, files: None, plot: Default::default() })
    }

    fn sweep() -> Grid {
        let system = |system: &str, blocks| SystemFile {
            system: system.into(),
            terminals: 16,
            blocks,
            options: BTreeMap::new(),
        };
        rounds(vec![system("rls", 3), system("obf", 2), system("gsen", 4), system("xor", 16)]).unwrap()
    }

    fn run(sweep: &Grid) -> BTreeMap<Vec<String>, Vec<String>> {
        let row = |(at, point): (usize, &Point)| (point.key.clone(), sweep.run(at, &|_| ()).unwrap());
        sweep.points().iter().enumerate().map(row).collect()
    }

    fn conclude(sweep: &Grid, cells: BTreeMap<Vec<String>, Vec<String>>) -> Conclusion {
        (sweep.conclude)(sweep, &Rows::of(sweep.columns(), cells)).unwrap()
    }

    #[test]
    fn blocks_are_together_the_whole_exchange() {
        let sweep = sweep();
        let conclusion = conclude(&sweep, run(&sweep));
        assert!(conclusion.fine, "{:?}", conclusion.lines);
        assert_eq!(
            conclusion.lines,
            [
                "rls_n16: every pair exactly once, in 16 rounds: 256 messages",
                "obf_n16: every pair exactly once, in 8 rounds: 256 messages",
                "gsen_n16: every pair exactly once, in 16 rounds: 256 messages",
                "xor_n16: every pair exactly once, in 16 rounds: 256 messages",
            ]
        );
    }

    #[test]
    fn any_wrong_cell_is_seen() {
        let sweep = sweep();
        for (column, name) in FACTS.split(' ').enumerate().filter(|(_, name)| *name != "hops") {
            let mut cells = run(&sweep);
            let cell = &mut cells.get_mut(&sweep.points()[1].key).unwrap()[column];
            *cell = if name == "senders" { number(1) } else { "17".into() };
            let conclusion = conclude(&sweep, cells);
            assert!(
                !conclusion.fine && conclusion.lines[1].contains("every pair"),
                "{name}: {:?}",
                conclusion.lines
            );
            assert!(
                conclusion.lines[0].starts_with("rls_n16: not the whole exchange: rounds 5 to 9: "),
                "{name}"
            );
        }
        // A row that is not there.
        let mut cells = run(&sweep);
        cells.remove(&sweep.points()[0].key);
        assert!(!conclude(&sweep, cells).fine);
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let error = |system: &str, terminals, blocks| {
            let options = BTreeMap::new();
            let file = SystemFile { system: system.into(), terminals, blocks, options };
            let Err(error) = rounds(vec![file]) else { panic!("{system} was taken") };
            error.to_string()
        };
        assert!(
            error("gsen", 10, 2).starts_with("gsen_n10: rounds are swept of systems"),
            "{}",
            error("gsen", 10, 2)
        );
        assert!(error("benes", 8, 2).contains("translations"));
        assert_eq!(error("rls", 8, 9), "blocks = 9: rls_n8 has 8 rounds; give 1 to 8");
        assert_eq!(error("rls", 8, 0), "blocks = 0: rls_n8 has 8 rounds; give 1 to 8");
        let twice = || SystemFile { system: "rls".into(), terminals: 8, blocks: 2, options: BTreeMap::new() };
        let Err(error) = rounds(vec![twice(), twice()]) else { panic!("taken twice") };
        assert_eq!(error.to_string(), "rls_n8 is listed twice");
        assert!(rounds(vec![]).is_err());
    }
}

//! Sweeps of the rounds of large exchanges: a point is a block of rounds, every switch and every arrival checked, and the whole
//! file says whether the blocks together serve every pair exactly once.

use crate::design::need_plan;
use crate::memory::{self, estimate};
use crate::plot::figure::{Corner, Figure, Ink, Mean, Series};
use crate::sweep::designs::key;
use crate::sweep::kind::{Conclusion, Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::rows::Rows;
use anyhow::{Context, Result, bail};
use frit_model::fast::{Cover, Fast};
use frit_schedule::{Plan, Request, plan};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "rounds", read };

/// Blocks of an exchange.
const MAX_BLOCKS: u32 = 65536;

sweep_file! {
    /// The members of a file with `kind = "rounds"`.
    struct RoundsFile of Rounds {
        systems: Vec<SystemFile>,
    }
}

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

/// A checked sweep.
struct Rounds {
    exchanges: Vec<Exchange>,
    points: Vec<Point>,
    /// The exchange and the rounds of each point.
    blocks: Vec<(usize, Range<u32>)>,
}

/// An exchange that is run in blocks.
struct Exchange {
    plan: &'static Plan,
    cover: Cover<'static>,
    /// What all blocks share: the order of work, made when the first one runs.
    fast: OnceLock<Option<Fast<'static>>>,
    /// The places of its blocks among the points.
    points: Range<usize>,
}

impl Rounds {
    /// Checks a file and lists its points.
    fn new(file: &RoundsFile) -> Result<Self> {
        let mut sweep = Rounds { exchanges: vec![], points: vec![], blocks: vec![] };
        for &SystemFile { ref system, terminals, blocks, ref options } in &file.systems {
            need_plan(system, terminals)?;
            let (system, options) = (system.clone(), options.clone());
            // A sweep lives as long as the process.
            let plan: &'static Plan = Box::leak(Box::new(plan(&Request { system, terminals, options })?));
            let name = plan.name();
            let cover = Cover::new(plan).with_context(|| {
                format!("{name}: rounds are swept of systems whose rounds are translations of all terminals: rls, xor, obf, and gsen of powers of two")
            })?;
            if !(1..=MAX_BLOCKS.min(plan.rounds)).contains(&blocks) {
                bail!(
                    "blocks = {blocks}: {name} has {} rounds; give 1 to {}",
                    plan.rounds,
                    MAX_BLOCKS.min(plan.rounds)
                );
            }
            let from = sweep.points.len();
            for block in 0..u64::from(blocks) {
                let at = |block: u64| (block * u64::from(plan.rounds) / u64::from(blocks)) as u32;
                let rounds = at(block)..at(block + 1);
                let ends = [rounds.start, rounds.end - 1].map(|round| round.to_string());
                let key = [key(plan), ends.into()].concat();
                if sweep.points.iter().take(from).any(|point| point.key == key) {
                    bail!("{name} is listed twice");
                }
                let hops = u64::from(plan.hops()) * plan.phases.count() * u64::from(plan.network.lanes());
                sweep.points.push(Point { key, work: hops * rounds.len() as u64 });
                sweep.blocks.push((sweep.exchanges.len(), rounds));
            }
            let points = from..sweep.points.len();
            sweep.exchanges.push(Exchange { plan, cover, fast: OnceLock::new(), points });
        }
        if sweep.points.is_empty() {
            bail!("no [[systems]]: each has a system, terminals, blocks, and options if it should");
        }
        Ok(sweep)
    }

    /// What an exchange has come to; the error is what is wrong.
    fn whole(&self, exchange: &Exchange, rows: &Rows) -> Result<String, String> {
        let plan = exchange.plan;
        let (mut messages, mut next) = (0, 0);
        for at in exchange.points.clone() {
            let (key, rounds) = (&self.points[at].key, &self.blocks[at].1);
            let cell = |column| rows.cell(key, column).unwrap_or_default();
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
            let senders = number(exchange.cover.senders(rounds.clone()));
            if cell("senders") != senders {
                return Err(told(format!(
                    "others sent what arrived at terminal 0 than the schedule says ({senders})"
                )));
            }
            messages += due;
        }
        if next != plan.rounds {
            return Err(format!("rounds {next} to {} are in no block", plan.rounds - 1));
        }
        exchange.cover.every_offset_once()?;
        Ok(format!("every pair exactly once, in {} rounds: {messages} messages", plan.rounds))
    }
}

/// A digest, as a cell has it.
fn number(digest: u64) -> String {
    format!("0x{digest:016x}")
}

impl Kind for Rounds {
    fn columns(&self) -> &'static [&'static str] {
        &[
            "system",
            "options",
            "terminals",
            "first",
            "last",
            "messages",
            "arrived",
            "conflicts",
            "misrouted",
            "hops",
            "senders",
        ]
    }

    fn configuration(&self) -> String {
        "rounds".into()
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let (exchange, rounds) = &self.blocks[point];
        let Exchange { plan, fast, .. } = &self.exchanges[*exchange];
        // Blocks share what the first one takes.
        if fast.get().is_none() {
            memory::need(&plan.name(), estimate::run(plan, rounds.clone()), "give a smaller size, or -j 1")?;
        }
        let fast = fast.get_or_init(|| Fast::new(plan, rounds.clone())).as_ref();
        let fast = fast.with_context(|| format!("{} is only run whole", plan.name()))?;
        let checked = fast.run_some(rounds.clone(), &|_| ());
        let senders = checked.senders.map(number).unwrap_or_default();
        let figures = [
            checked.sent,
            checked.arrived,
            checked.rounds_with_conflict,
            checked.rounds_with_misroute,
            checked.hops,
        ];
        Ok(figures.iter().map(u64::to_string).chain([senders]).collect())
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let series = self.exchanges.iter().map(|exchange| {
            let mean = |at: usize| {
                let y = rows.number(&self.points[at].key, "arrived")?;
                Some(Mean::single(f64::from(self.blocks[at].1.end), y))
            };
            let means = exchange.points.clone().filter_map(mean).collect();
            Series::new(exchange.plan.name().replace('_', " "), means, Ink::System(exchange.plan.system))
        });
        Figure {
            title: "Messages of blocks of rounds".into(),
            x: "round".into(),
            y: "messages that arrived in the block".into(),
            series: series.collect(),
            limit: None,
            mark: None,
            bars: String::new(),
            legend: Corner::Left,
        }
    }

    fn conclude(&self, rows: &Rows) -> Option<Conclusion> {
        let found: Vec<_> = self
            .exchanges
            .iter()
            .map(|exchange| (exchange.plan.name(), self.whole(exchange, rows)))
            .collect();
        let line = |(name, whole): &(String, Result<String, String>)| match whole {
            Ok(whole) => format!("{name}: {whole}"),
            Err(wrong) => format!("{name}: not the whole exchange: {wrong}"),
        };
        Some(Conclusion {
            fine: found.iter().all(|(_, whole)| whole.is_ok()),
            lines: found.iter().map(line).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 5;

    fn rounds(systems: Vec<SystemFile>) -> Result<Rounds> {
        Rounds::new(&RoundsFile { _kind: String::new(), systems, files: None, plot: Default::default() })
    }

    fn sweep() -> Rounds {
        let system = |system: &str, blocks| SystemFile {
            system: system.into(),
            terminals: 16,
            blocks,
            options: BTreeMap::new(),
        };
        rounds(vec![system("rls", 3), system("obf", 2), system("gsen", 4), system("xor", 16)]).unwrap()
    }

    fn run(sweep: &Rounds) -> Rows {
        let row = |at: usize| (sweep.points[at].key.clone(), sweep.run(at).unwrap());
        Rows::of(sweep.columns(), (0..sweep.points.len()).map(row))
    }

    #[test]
    fn blocks_are_together_the_whole_exchange() {
        let sweep = sweep();
        let conclusion = sweep.conclude(&run(&sweep)).unwrap();
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
        for (column, name) in
            sweep.columns().iter().enumerate().skip(COLUMNS).filter(|(_, name)| **name != "hops")
        {
            let mut cells: BTreeMap<_, _> = (0..sweep.points.len())
                .map(|at| (sweep.points[at].key.clone(), sweep.run(at).unwrap()))
                .collect();
            let cell = &mut cells.get_mut(&sweep.points[1].key).unwrap()[column - COLUMNS];
            *cell = if *name == "senders" { number(1) } else { "17".into() };
            let conclusion = sweep.conclude(&Rows::of(sweep.columns(), cells)).unwrap();
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
        let mut cells: BTreeMap<_, _> = (0..sweep.points.len())
            .map(|at| (sweep.points[at].key.clone(), sweep.run(at).unwrap()))
            .collect();
        cells.remove(&sweep.points[0].key);
        assert!(!sweep.conclude(&Rows::of(sweep.columns(), cells)).unwrap().fine);
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

//! What `frit route` takes: a design, and the traffic that it is given.

use super::DesignArgs;
use clap::{Args, ValueEnum};
use frit_traffic::event::EventColumns;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What the help of `frit route` ends with.
pub const HELP: &str = "Examples:
  frit route obf -n 64 --per-source 384      random, five seeds: h, steps, cost, buffers
  frit route rls-folded -n 8 --set plan=buffered --traffic permutation --seed 3
  frit route obf -n 16 --traffic hot-spot --hot 3 --percent 50 --per-source 100
  frit route gsen -n 10 --traffic packets.txt
  frit route obf -n 64 --seeds 11..30 --format csv > costs.csv
  frit route dilated -n 256 --bundle 8 --switch weak --seed 3 --events shunts.csv
  frit route dilated -n 8 --bundle 6 --wave dilated.fst   what D_route shows, step by step
  frit route multibutterfly -n 256 --d 8 --r 4 --h 16 --traffic bitrev

A traffic file has a line `source, destination` per packet, or `source, destination, packets`.
h is the most packets that any terminal sends or receives, c = steps / h. `frit relation` is the same command.
Exit code 1: a packet was not delivered, or the closed form gives another result.";

/// Formats of `frit route`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RouteFormat {
    /// A report to read.
    #[default]
    Text,
    /// A JSON object for programs (docs/formats.md).
    Json,
    /// A row for each seed (CSV).
    Csv,
}

/// `frit route`.
#[derive(Debug, Args)]
pub struct RouteArgs {
    /// The design.
    #[command(flatten)]
    pub design: DesignArgs,
    /// The traffic.
    #[command(flatten)]
    pub traffic: TrafficArgs,
    /// obf: move every packet step by step (slower) and compare the result with the closed form; other planned systems always do. dilated: run the
    /// plain engine, which moves every bit separately; multibutterfly: run the plain engine, which keeps every buffer separately
    #[arg(long)]
    pub steps: bool,
    /// dilated: send packets straight to their destinations instead of through random intermediate rows
    #[arg(long)]
    pub direct: bool,
    /// Routed systems: write the events of every switch or node (CSV)
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// dilated: write the waveform that the hardware must show (.fst or .vcd)
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: RouteFormat,
    /// Where a program that calls the command wants the events.
    #[arg(skip)]
    pub seen: Option<EventSink>,
}

/// The events of a run, for a program that calls the command.
#[derive(Clone, Debug, Default)]
pub struct EventSink(Arc<Mutex<Vec<EventColumns>>>);

impl EventSink {
    /// Puts the events of a run in the place of others.
    pub fn put(&self, events: Vec<EventColumns>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = events;
    }

    pub fn take(&self) -> Vec<EventColumns> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Which packets there are.
#[derive(Clone, Debug, Args)]
pub struct TrafficArgs {
    /// Kind of traffic: random, permutation, hot-spot, or a file with the packets [default: random]; dilated: permutation (one for each packet
    /// of a row, its default), bit-reversal, transpose, or a file; multibutterfly: perm (its default), hcopies, bitrev, block, shift,
    /// identity, or a file
    #[arg(long, alias = "relation", value_name = "KIND|FILE")]
    pub traffic: Option<String>,
    /// Packets that each source sends; on planned systems at most 2^32 in all, step by step 2^28 [default: N]
    #[arg(long, alias = "load", value_name = "PACKETS")]
    pub per_source: Option<u32>,
    /// hot-spot: number of the hot terminal [default: 0]
    #[arg(long, value_name = "TERMINAL")]
    pub hot: Option<u32>,
    /// hot-spot: percentage of the packets sent to the hot terminal, in addition to its share of the rest [default: 20]
    #[arg(long, value_name = "PERCENT")]
    pub percent: Option<u32>,
    /// Seeds of random traffic: their number (from 1 on), or FIRST..LAST [default: 5]
    #[arg(long, value_name = "COUNT|FIRST..LAST")]
    pub seeds: Option<Seeds>,
    /// One seed
    #[arg(long, value_name = "S", conflicts_with = "seeds")]
    pub seed: Option<u64>,
    /// The text of a file of packets, of a program that calls the command; the name of the traffic is then that of no file.
    #[arg(skip)]
    pub text: Option<Arc<str>>,
}

/// Seeds of random relations, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    pub first: u64,
    pub last: u64,
}

impl Seeds {
    /// The most that are run.
    pub const MOST: u64 = 1_000_000;

    /// Seeds 1, 2, 3, …
    pub fn count(count: u64) -> Self {
        Seeds { first: 1, last: count }
    }

    pub fn iter(self) -> impl Iterator<Item = u64> {
        self.first..=self.last
    }
}

impl std::str::FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let seeds = match text.split_once("..") {
            Some((first, last)) => number(first).zip(number(last)).map(|(first, last)| Seeds { first, last }),
            None => number(text).map(Seeds::count),
        };
        let few = |s: &Seeds| s.first <= s.last && s.last - s.first < Seeds::MOST;
        seeds.filter(few).ok_or_else(|| {
            format!(
                "{text:?} is not a number or a range of seeds; give a number (1 to {}) or FIRST..LAST, for example 5 or 11..30",
                Seeds::MOST
            )
        })
    }
}

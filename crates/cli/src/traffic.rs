//! From arguments to traffic: which packets a system is given, whatever the system is.

use crate::args::{Seeds, TrafficArgs};
use crate::limits::HOT_SPOT_PERCENT;
use crate::memory::{self, estimate};
use anyhow::{Context, Result, bail};
use frit_trace::output;
use frit_traffic::Messages;
use frit_traffic::messages::MAX_MESSAGES;
use frit_traffic::relation::{Line, Relation, lines};
use std::path::Path;

/// The messages of a file, where none of `kinds` was meant; of `text`, if that is given in place of a file.
pub fn from_file(name: &str, text: Option<&str>, rows: u32, kinds: &[&str]) -> Result<Messages> {
    if text.is_none() && !Path::new(name).exists() {
        bail!(
            "--traffic {name} is not a kind of traffic and not an existing file; give one of {}, or a file",
            kinds.join(", ")
        );
    }
    let lines = read_lines(name, text, rows)?.1;
    let count = lines.iter().map(|line| u64::from(line.2)).sum();
    if count <= MAX_MESSAGES {
        let what = format!("--traffic {name}, {count} messages");
        memory::need(&what, estimate::messages(count), "give a file with fewer messages")?;
    }
    Messages::from_lines(&lines, rows).context(name.to_string())
}

/// The text of a file of packets, or that which is given in its place, and its lines.
fn read_lines(name: &str, given: Option<&str>, terminals: u32) -> Result<(String, Vec<Line>)> {
    let path = Path::new(name);
    // What is no file says its length when it has been read.
    let of_file = || path.metadata().map_or(0, |file| file.len()).min(output::MAX_TEXT);
    let bytes = given.map_or_else(of_file, |text| text.len() as u64);
    let what = format!("--traffic {name}");
    memory::need(&what, estimate::lines_of_packets(bytes), "give a file with fewer lines")?;
    let text = given.map_or_else(|| output::read_text(path), |text| Ok(text.into()))?;
    let lines = lines(&text, terminals).context(name.to_string())?;
    Ok((text, lines))
}

/// What a system is given when nobody says.
pub struct Defaults {
    pub kind: &'static str,
    /// Packets that each source sends.
    pub per_source: u32,
    pub seeds: u64,
}

/// What the packets come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Random,
    /// All of a source go to one terminal, another for each source.
    Permutation,
    /// Some go to one terminal, the others anywhere.
    HotSpot {
        hot: u32,
        /// How many percent go there.
        percent: u32,
    },
    File {
        text: String,
    },
}

/// The traffic that the arguments ask for.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// As it was given: a kind, or the name of a file.
    pub name: String,
    /// What the packets come from.
    pub kind: Kind,
    /// Packets that each source sends; none for a file, which says it itself.
    pub per_source: Option<u32>,
    /// One run for each; a file has one run and no seed.
    pub seeds: Vec<Option<u64>>,
}

impl Traffic {
    /// Checks the arguments. Terminals are those of the system.
    pub fn new(args: &TrafficArgs, terminals: u32, defaults: &Defaults) -> Result<Self> {
        let name = args.traffic.as_deref().unwrap_or(defaults.kind);
        if name != "hot-spot" && (args.hot.is_some() || args.percent.is_some()) {
            bail!("--hot and --percent do not apply to --traffic {name}; use them with --traffic hot-spot");
        }
        let kind = match name {
            "random" => Kind::Random,
            "permutation" => Kind::Permutation,
            "hot-spot" => {
                let (hot, percent) = (args.hot.unwrap_or(0), args.percent.unwrap_or(HOT_SPOT_PERCENT));
                Relation::hot_spot(terminals, 1, 1, hot, percent)?;
                Kind::HotSpot { hot, percent }
            }
            _ => return file(args, name, terminals),
        };
        let per_source = args.per_source.unwrap_or(defaults.per_source);
        some_packets(per_source)?;
        let seeds = match args.seed {
            Some(seed) => Seeds { first: seed, last: seed },
            None => args.seeds.unwrap_or(Seeds::count(defaults.seeds)),
        };
        let seeds = seeds.iter().map(Some).collect();
        Ok(Traffic { name: name.into(), kind, per_source: Some(per_source), seeds })
    }

    /// The packets of one run, as numbers for each pair of terminals.
    pub fn relation(&self, terminals: u32, seed: Option<u64>) -> Result<Relation> {
        let (per_source, seed) = (self.per_source.unwrap_or(0), seed.unwrap_or(0));
        Ok(match &self.kind {
            Kind::Random => Relation::random(terminals, per_source, seed),
            Kind::Permutation => Relation::permutation(terminals, per_source, seed),
            Kind::HotSpot { hot, percent } => {
                Relation::hot_spot(terminals, per_source, seed, *hot, *percent)?
            }
            Kind::File { text } => Relation::parse(text, terminals).context(self.name.clone())?,
        })
    }
}

/// The error for `--per-source 0`.
pub fn some_packets(per_source: u32) -> Result<()> {
    match per_source {
        0 => bail!("--per-source 0 gives no packet to route; give 1 or more"),
        _ => Ok(()),
    }
}

/// The error for a file that is `empty` of packets.
pub fn some_lines(name: &str, empty: bool) -> Result<()> {
    match empty {
        true => bail!("{name} has no packet to route; give at least one line `source, destination`"),
        false => Ok(()),
    }
}

fn file(args: &TrafficArgs, name: &str, terminals: u32) -> Result<Traffic> {
    if args.text.is_none() && !Path::new(name).exists() {
        bail!(
            "--traffic {name} is not a kind of traffic and not an existing file; give random, permutation, hot-spot, or a file"
        );
    }
    if args.per_source.is_some() || args.seeds.is_some() || args.seed.is_some() {
        bail!(
            "--per-source and --seeds apply only to random traffic; {name} already lists the packets; leave them out"
        );
    }
    let (text, packets) = read_lines(name, args.text.as_deref(), terminals)?;
    some_lines(name, packets.iter().all(|&(_, _, count)| count == 0))?;
    Ok(Traffic { name: name.into(), kind: Kind::File { text }, per_source: None, seeds: vec![None] })
}

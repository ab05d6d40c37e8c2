//! What a page plays: data, in the form in which the page has it as JSON ([docs/view.md] describes each member).
//!
//! [docs/view.md]: https://github.com/fritillary/fritillary/blob/main/docs/view.md

use crate::routed::Routed;
use frit_network::drawing::Layout;
pub use frit_network::drawing::Words;
use serde::Serialize;

pub const FORMAT: &str = "fritillary-view-1";

/// A run, ready to be played.
#[derive(Clone, Debug, Serialize)]
pub struct Film {
    /// [`FORMAT`].
    pub format: &'static str,
    pub title: String,
    /// What is seen, a sentence a line.
    pub about: Vec<String>,
    /// Why the switches do what they do: sentences that the page shows in every step.
    pub why: String,
    /// The command that makes the page again.
    pub command: String,
    /// What a step of time is called: cycle, step, stage.
    pub unit: &'static str,
    pub last: u64,
    pub terminals: u32,
    /// For a run with a fault the first difference from the design, in words.
    pub difference: Option<String>,
    /// The system's own words.
    pub words: Words,
    #[serde(flatten)]
    pub body: Body,
}

/// What happened, by kind of system.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant)] // one for each page
pub enum Body {
    /// Rounds through switches whose states were reported.
    Planned(Planned),
    /// Rounds through an ideal crossbar: no hops, and [`Planned::configuration`].
    Crossbar(Planned),
    /// Messages on the edges and in the nodes of a router.
    Routed(Routed),
}

/// Rounds through switches.
#[derive(Clone, Debug, Serialize)]
pub struct Planned {
    /// Where things are drawn.
    pub layout: Layout,
    pub lanes_per_terminal: u32,
    /// Links of every hop, `columns[hop][port]`: from an output of the hop before (or a lane) to an input of the hop (or an output lane).
    /// Of a crossbar the wires of every configuration, `columns[configuration][lane]`: the output lane of an input lane.
    pub columns: Vec<Vec<u32>>,
    /// Of a crossbar the configuration that each round has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Vec<u32>>,
    /// The physical stage of each hop.
    pub stage_of: Vec<u32>,
    /// The hop whose links lead back to the inputs, of a network that is passed twice.
    pub second_pass: Option<u32>,
    /// The cycle in which each round is injected.
    pub injected: Vec<u64>,
    /// Cycles from there until each hop acts.
    pub delay: Vec<u64>,
    /// Cycles from there until the delivery.
    pub latency: u64,
    /// What was reported of switches: `states[cycle][stage]`, empty where none acted. Four switches a hexadecimal digit, the first
    /// the most significant; or, behind a colon, a character each: `0`, `1`, or `.` for one that did not act.
    pub states: Vec<Vec<String>>,
    /// The same of the design without the fault.
    pub expected: Option<Vec<Vec<String>>>,
    /// Switches that are stuck: stage, switch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stuck: Vec<(u32, u32)>,
    /// What arrived in each cycle.
    pub deliveries: Vec<ArrivalRows>,
    /// Of these what the design without the fault does not deliver, or with another word: cycle, output, source.
    pub wrong: Vec<(u64, u32, u32)>,
    /// What the design without the fault delivers and this run does not: cycle, output, source.
    pub missing: Vec<(u64, u32, u32)>,
    /// Where words were seen within the fabric, if somebody looked: `ways[round][hop][port]` is the lane whose message an output
    /// of the hop held, -1 for none of this round. Without it messages follow the switches.
    pub ways: Option<Ways>,
    /// The lanes without a message in each round, where not every lane has one in every round: `silent[round]`.
    pub silent: Option<Vec<Vec<u32>>>,
    /// The words of each pair, row = source, if pairs have other numbers of words than one.
    pub demand: Option<Vec<u32>>,
    /// `labels[round][lane]`: the label of a message, a bit a hop, the first hop's the most significant.
    pub labels: Option<Vec<Vec<u64>>>,
    /// The control word of each round, where rounds have one.
    pub control: Option<Vec<String>>,
}

/// `[round][hop][port]`, the lane or -1.
pub type Ways = Vec<Vec<Vec<i64>>>;

/// What arrived in a cycle: output, source and round of each, in the order of the outputs.
///
/// In JSON `[[output, source, round], …]`; where all are of one round and every output has taken as many, in order,
/// `[round, source, source, …]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrivals(pub Vec<[u32; 3]>);

impl Arrivals {
    /// Their round, if they are a list without gaps of `terminals` outputs.
    fn regular(&self, terminals: u32) -> Option<u32> {
        let &[_, _, round] = self.0.first()?;
        let each = self.0.len() / terminals as usize;
        let whole = each > 0 && self.0.len() == each * terminals as usize;
        let fits = |(at, row): (usize, &[u32; 3])| row[0] as usize == at / each && row[2] == round;
        (whole && self.0.iter().enumerate().all(fits)).then_some(round)
    }

    /// As JSON has them.
    pub fn rows(&self, terminals: u32) -> ArrivalRows {
        match self.regular(terminals) {
            Some(round) => {
                ArrivalRows::Regular([round].into_iter().chain(self.0.iter().map(|row| row[1])).collect())
            }
            None => ArrivalRows::Each(self.0.clone()),
        }
    }
}

/// What arrived in a cycle, as JSON has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ArrivalRows {
    /// The round, then the source of every output.
    Regular(Vec<u32>),
    Each(Vec<[u32; 3]>),
}

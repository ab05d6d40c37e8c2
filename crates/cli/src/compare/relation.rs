//! One h-relation on four networks: h messages from each terminal, message k by permutation k, on the Beneš network with
//! settings computed beforehand, in the turns of the optical butterfly, and on both routed systems.

use super::area::{Mapping, Taken};
use super::listing::Listing;
use super::permutation::{CHANCE, PAYLOAD, SEED, benes_outcome, registers, turns};
use crate::args::CompareFormat;
use crate::{dilated, multibutterfly};
use anyhow::{Result, bail};
use frit_cells::design;
use frit_cosim::synth::Area;
use frit_model::multibutterfly::MultibutterflyOutcome;
use frit_network::facts;
use frit_network::facts::Facts;
use frit_router::dilated::{Packets, Parameters as DilatedParameters, Switch, claims};
use frit_router::multibutterfly::parameters::BITS_KEPT;
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Parameters, Problem};
use frit_schedule::{Plan, Request, plan};
use frit_traffic::Messages;

/// The largest network that is compared.
const MOST_TERMINALS: u64 = 1024;
/// Ports of a node of the multibutterfly on each side, and the most of them that a side commits to.
const PORTS: (u32, u32) = (8, 4);

/// What comes behind the other columns if Yosys maps the designs.
const AREAS: [&str; 6] = ["node_luts", "node_ffs", "node_brams", "luts", "ffs", "brams"];

/// What is below the table.
const NOTES: [&str; 6] = [
    "the relation: message k of terminal s goes to terminal permutation_k(s); messages have 32 bits and are the same in all rows of the table (frit route multibutterfly --traffic perm --seed 1)",
    "steps: until the last bit or word is delivered; a step moves one bit over a wire, with word=32 a whole message over 32 wires; multibutterfly x=0: a message with its address over the wires of a word",
    "switches: 2x2 switches; dilated: switches of bundles of edges; multibutterfly: n columns of nodes, each with two sides of d ports",
    "wires: links from a register to a switch, times the bits of a word; routed systems: all edges",
    "buffer_bits: registers after the switches; dilated: two bits for each edge; multibutterfly: every side after column 0 has as many buffers as the fullest side needed, ghosts included, of 4 bits each if x > 0. Messages that wait at their source are not counted",
    "control_bits, from above for the multibutterfly: benes: settings stored; obf: one bit a step for all switches; dilated: headers of 2n bits; multibutterfly: addresses of n bits, requests with grant and cancel, and counts of every committed port and round",
];

/// The comparison of `h` messages from each terminal, in a format.
///
/// # Errors
///
/// A size that does not exist, and one beyond memory; Yosys, if it maps the designs, missing or failing.
pub fn compare(terminals: u64, h: u32, format: CompareFormat, mapping: Option<&Mapping>) -> Result<String> {
    if !(4..=MOST_TERMINALS).contains(&terminals) {
        bail!(
            "{terminals} terminals are out of range; relations are compared for 4 to {MOST_TERMINALS} terminals"
        );
    }
    let n = Parameters::new(terminals, SEED).shape()?.dimensions();
    let messages = messages(terminals, h);
    let bundle = claims::bundle_for(n, h, CHANCE);
    let outcomes = vec![
        benes(&messages, mapping)?,
        obf(&messages, 1, mapping)?,
        obf(&messages, PAYLOAD, mapping)?,
        dilated(&messages, bundle, Switch::Strong, mapping)?,
        dilated(&messages, bundle, Switch::Weak, mapping)?,
        multibutterfly(&messages, h, PAYLOAD, mapping)?,
        multibutterfly(&messages, h, 0, mapping)?,
    ];
    let mut notes = NOTES.map(String::from).to_vec();
    if let Some(mapping) = mapping {
        notes.push(format!(
            "luts, ffs, brams: mapped by Yosys for {}, without controllers and stored settings; planned: the fabric; routed: each kind of switch or node alone, times their number; node_…: of the one with the most LUTs; of the multibutterfly with words of 32 bits and the address",
            mapping.target.title()
        ));
        notes.extend(outcomes.iter().filter_map(Outcome::without_hardware));
    }
    let rows = outcomes.into_iter().map(|outcome| outcome.row(terminals, h, mapping.is_some())).collect();
    let area = mapping.map(|mapping| mapping.target.name());
    let members = facts! { "terminals": terminals, "h": h, "area": area };
    let title = format!("A relation of {h} messages from and to each terminal, N = {terminals}");
    Listing::of(title, rows, notes, members).print(format)
}

/// Message k of each terminal by permutation k.
fn messages(terminals: u64, h: u32) -> Messages {
    Traffic::Perm.messages(&Parameters { threshold: h, offered: h, ..Parameters::new(terminals, SEED) })
}

/// What a system came to.
struct Outcome {
    system: &'static str,
    options: String,
    facts: [(&'static str, u64); 7],
    hardware: Mapped,
}

/// What its hardware takes.
enum Mapped {
    NotAsked,
    /// Why there is none.
    None(String),
    Taken(Taken),
}

impl Mapped {
    /// The area of a fabric that any plan has.
    fn fabric(plan: &Plan, width: u32, mapping: Option<&Mapping>) -> Result<Self> {
        Ok(match mapping {
            None => Mapped::NotAsked,
            Some(mapping) => Mapped::Taken(mapping.fabric(plan, width)?),
        })
    }
}

impl Outcome {
    fn row(self, terminals: u64, h: u32, areas: bool) -> Facts {
        let mut row = facts! {
            "system": self.system, "options": self.options, "terminals": terminals, "h": h,
        };
        row.extend(self.facts.map(|(name, figure)| (name.into(), figure.into())));
        if areas {
            let (largest, all) = match &self.hardware {
                Mapped::Taken(taken) => (taken.largest.as_ref(), Some(&taken.all)),
                Mapped::NotAsked | Mapped::None(_) => (None, None),
            };
            let numbers = |area: Option<&Area>| {
                [area.map(|area| area.luts), area.map(|area| area.ffs), area.map(|area| area.brams)]
            };
            let numbers = [numbers(largest), numbers(all)].concat();
            row.extend(AREAS.into_iter().zip(numbers).map(|(name, number)| (name.into(), number.into())));
        }
        row
    }

    /// A note if there is no hardware.
    fn without_hardware(&self) -> Option<String> {
        match &self.hardware {
            Mapped::None(reason) => Some(format!("{} {}: no areas: {reason}", self.system, self.options)),
            Mapped::NotAsked | Mapped::Taken(_) => None,
        }
    }
}

fn benes(messages: &Messages, mapping: Option<&Mapping>) -> Result<Outcome> {
    let terminals = messages.sources();
    let count = messages.of(0).len() as u32;
    let (plan, steps, delivered) = benes_outcome(terminals, count, messages)?;
    let network = &plan.network;
    Ok(Outcome {
        system: "benes",
        options: String::new(),
        facts: [
            ("steps", steps),
            ("delivered", delivered),
            ("stages", network.stages().into()),
            ("switches", network.switches()),
            ("wires", plan.wires()),
            ("buffer_bits", u64::from(network.stages()) * u64::from(terminals)),
            ("control_bits", network.switches() * u64::from(count)),
        ],
        hardware: Mapped::fabric(&plan, 1, mapping)?,
    })
}

fn obf(messages: &Messages, word: u32, mapping: Option<&Mapping>) -> Result<Outcome> {
    let plan = plan(&Request::new("obf", messages.sources().into()))?;
    let (steps, delivered) = turns(&plan, messages, word)?;
    Ok(Outcome {
        system: "obf",
        options: format!("word={word}"),
        facts: [
            ("steps", steps),
            ("delivered", delivered),
            ("stages", plan.network.stages().into()),
            ("switches", plan.network.switches()),
            ("wires", plan.wires() * u64::from(word)),
            ("buffer_bits", registers(&plan) * u64::from(word)),
            ("control_bits", steps),
        ],
        hardware: Mapped::fabric(&plan, word, mapping)?,
    })
}

fn dilated(messages: &Messages, bundle: u32, switch: Switch, mapping: Option<&Mapping>) -> Result<Outcome> {
    let parameters = DilatedParameters {
        switch,
        payload: PAYLOAD,
        ..DilatedParameters::new(messages.sources().into(), bundle, SEED)
    };
    let packets = Packets::new(parameters, messages)?;
    let outcome = frit_model::dilated::simulate(&packets);
    let network = packets.network();
    let [switch, _] = dilated::words(&parameters);
    let hardware = match mapping.map(|mapping| (mapping, design::dilated::Hardware::new(&packets))) {
        None => Mapped::NotAsked,
        Some((_, Err(error))) => Mapped::None(error.to_string()),
        Some((mapping, Ok(hardware))) => Mapped::Taken(mapping.switches(&hardware)?),
    };
    Ok(Outcome {
        system: "dilated",
        options: format!("bundle={bundle} switch={switch}"),
        facts: [
            ("steps", outcome.steps),
            ("delivered", outcome.delivered),
            ("stages", network.levels().into()),
            ("switches", network.switches()),
            ("wires", network.edges()),
            ("buffer_bits", network.edges() * u64::from(parameters.queue)),
            ("control_bits", packets.packets().len() as u64 * u64::from(2 * network.dimensions())),
        ],
        hardware,
    })
}

/// The multibutterfly, 2h being declared so that all rows can take part.
fn multibutterfly(messages: &Messages, h: u32, payload: u32, mapping: Option<&Mapping>) -> Result<Outcome> {
    let rows = u64::from(messages.sources());
    // The largest splitter of a small network has fewer outputs.
    let degree = PORTS.0.min((rows / 2) as u32);
    let threshold = 2 * h;
    let committed = PORTS.1.min(1 << threshold.ilog2()).min(degree);
    let parameters = Parameters {
        degree,
        committed,
        threshold,
        offered: h,
        free: 2 * degree,
        payload,
        ..Parameters::new(rows, SEED)
    };
    let problem = Problem::new(parameters, messages)?;
    let outcome = frit_model::multibutterfly::simulate(&problem, &multibutterfly::room)?;
    let shape = problem.network().shape();
    let n = u64::from(shape.dimensions());
    let (word, slot) = match payload {
        0 => (u64::from(PAYLOAD) + n, u64::from(PAYLOAD) + n),
        _ => (1, BITS_KEPT.into()),
    };
    let design =
        || design::multibutterfly::Hardware::new(&problem, outcome.figures.max_raw)?.carrying(PAYLOAD);
    let hardware = match mapping.map(|mapping| (mapping, design())) {
        None => Mapped::NotAsked,
        Some((_, Err(error))) => Mapped::None(error.to_string()),
        Some((mapping, Ok(hardware))) => Mapped::Taken(mapping.nodes(&hardware)?),
    };
    let steps = multibutterfly::bit_steps(&parameters, &outcome).unwrap_or(outcome.figures.word_steps);
    Ok(Outcome {
        system: "multibutterfly",
        options: format!("d={degree} r={committed} h={threshold} x={payload}"),
        facts: [
            ("steps", steps),
            ("delivered", outcome.delivered.into()),
            ("stages", outcome.phases.into()),
            ("switches", rows * n),
            ("wires", shape.edges() * word),
            ("buffer_bits", 2 * rows * (n - 1) * u64::from(outcome.figures.max_raw) * slot),
            ("control_bits", u64::from(outcome.total) * n + numbers(&problem, &outcome)),
        ],
        hardware,
    })
}

/// Bits of requests, with a bit each to grant and to cancel them, and of the counts that sides report on every port they are
/// committed to: once when they have committed and in each round of moves. All sides are taken to be committed at once.
fn numbers(problem: &Problem, outcome: &MultibutterflyOutcome) -> u64 {
    let (p, shape) = (problem.parameters(), problem.network().shape());
    let bits = u64::from(outcome.figures.max_w.max(1).ilog2() + 1);
    let ports = |column: u32| 2 * p.rows * u64::from(p.ports_of(shape, column));
    let counts = (0..shape.dimensions()).map(|column| {
        let phases = u64::from(outcome.phases.saturating_sub(column));
        ports(column) * (1 + phases * u64::from(p.moves))
    });
    outcome.figures.requests * (bits + 2) + counts.sum::<u64>() * bits
}

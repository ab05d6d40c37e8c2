//! The modules of a dilated butterfly: `D_switch` (and `D_switch_first`, where packets start), `D_fabric` (all switches) and
//! `D_route` (with its controller).
//!
//! A cycle is a bit step. A bit moves along an edge where it is offered (`valid`) and the queue at the end had room when the
//! cycle began (`room`). So a switch is its in edges' queues and targets, a ranker or a picker that gives heads their edges,
//! and for each out edge the OR of what is offered to it.

mod fabric;
mod picker;
mod ranker;
mod route;
mod switch;

pub use fabric::switch_name;

use crate::netlist::{Bundle, Expr, Net, Netlist, Part};
use frit_network::{DilatedButterfly, Refusal, refuse};
use frit_router::dilated::{Packets, Parameters, Switch};
use frit_schedule::plan::Variant;

/// The most edges of a bundle, and packets of a row: a bit for each in a word that rust-hdl simulates.
pub const MAX_EDGES: u32 = 64;
/// The most edges of a network whose Verilog is written.
pub const MAX_ALL_EDGES: u64 = 1 << 15;

fn range_words(least: u64, most: u64) -> String {
    if least == most { least.to_string() } else { format!("from {least} to {most}") }
}

/// What of a dilated butterfly its hardware depends on. The payload's length is none of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardware {
    parameters: Parameters,
    network: DilatedButterfly,
    per_input: u32,
    passes: u32,
    /// In what else the text of the design differs from that of others.
    pub variant: Option<Variant>,
}

/// What the heads of a switch want and are given, a lane for each in edge.
struct Heads {
    /// An edge of out bundle 0, or 1.
    want: [Bundle; 2],
    take: Bundle,
    edge: Bundle,
}

/// Edges of the two out bundles, where they are released: a bit for each.
struct Unused {
    free: [Net; 2],
    /// It is given to a head.
    given: [Net; 2],
}

/// `count` lanes of one bit as a word, from lane `first` on.
fn slice(bundle: Bundle, first: u32, count: u32) -> Expr {
    Expr::Concat((first..first + count).rev().map(|lane| bundle.lane(lane).into()).collect())
}

/// A bit of a net of several.
fn part(net: Net, at: u32) -> Part {
    Part::Net { net, bits: Some((at, at)), invert: false }
}

/// The same, alone.
fn bit(net: Net, at: u32) -> Expr {
    Expr::Concat(vec![part(net, at)])
}

impl Hardware {
    /// The hardware for these packets; a row has as many inputs as the most packets that start in one, in either pass.
    ///
    /// # Errors
    ///
    /// Queues of other than two bits, bundles or rows too large for a word, and networks too large.
    pub fn new(packets: &Packets) -> Result<Self, Refusal> {
        let parameters = *packets.parameters();
        let network = *packets.network();
        let (passes, per_input) = (packets.runs(), packets.per_input());
        let range = |what, given, least, most, why| match (least..=most).contains(&given) {
            true => Ok(()),
            false => refuse!(
                "{what} = {given} cannot be built in hardware: {why}; {what} must be {}",
                range_words(least, most)
            ),
        };
        let word = "a word has one bit for each";
        range("queue", parameters.queue.into(), 2, 2, "queues in hardware have two bits")?;
        range("bundle", parameters.bundle.into(), 1, MAX_EDGES.into(), word)?;
        range("packets of a row", per_input.into(), 1, MAX_EDGES.into(), word)?;
        range("edges", network.edges(), 1, MAX_ALL_EDGES, "the Verilog would be too long")?;
        Ok(Hardware { parameters, network, per_input, passes, variant: None })
    }

    /// The network: all passes of a packet one behind the other, or with a barrier the one that each of them takes.
    pub fn network(&self) -> &DilatedButterfly {
        &self.network
    }

    /// Packets that can start in a row.
    pub fn per_input(&self) -> u32 {
        self.per_input
    }

    /// Runs that bring the packets to their destinations: 2 with a barrier.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// Whether edges are used again.
    pub fn release(&self) -> bool {
        self.parameters.release
    }

    pub fn bundle(&self) -> u32 {
        self.network.bundle()
    }

    /// How much a switch sees.
    pub fn switch(&self) -> Switch {
        self.parameters.switch
    }

    /// The name of the design, in which every number stands that changes it.
    pub fn design_name(&self) -> String {
        let Parameters { direct, switch, release, .. } = self.parameters;
        let own = format!(
            "dilated_n{}_b{}_p{}_{}{}{}",
            self.network.rows(),
            self.bundle(),
            self.per_input,
            match switch {
                Switch::Strong => "strong",
                Switch::Weak => "weak",
            },
            if self.passes > 1 {
                "_barrier"
            } else if direct {
                "_direct"
            } else {
                ""
            },
            if release { "_release" } else { "" }
        );
        Variant::design_name(self.variant.as_ref(), own)
    }

    /// In edges of the switches of a level, those of in bundle 0 first.
    pub fn inputs(&self, level: u32) -> u32 {
        if level == 0 { self.per_input } else { 2 * self.bundle() }
    }

    /// The contract that stands above each module.
    fn header(&self, what: &str) -> Vec<String> {
        vec![
            what.into(),
            "Generated by Fritillary; do not edit.".into(),
            format!(
                "Dilated butterfly: {} rows, {} levels of switches, bundles of {} edges, {} packets a row.",
                self.network.rows(),
                self.network.levels(),
                self.bundle(),
                self.per_input
            ),
            "Source: Fast algorithms for bit-serial routing on a hypercube, section 2.".into(),
        ]
    }

    pub fn netlist(&self) -> Netlist {
        let mut netlist = Netlist::of_design(self.design_name());
        let first = netlist.add(switch::module(self, 0));
        let inner = (self.network.levels() > 1).then(|| netlist.add(switch::module(self, 1)));
        let fabric = netlist.add(fabric::module(self, first, inner));
        netlist.add(route::module(self, fabric));
        netlist
    }

    /// The netlist of one switch that is not at the start.
    pub fn switch_netlist(&self) -> Netlist {
        let mut netlist = Netlist::of_design(self.design_name());
        netlist.add(switch::module(self, 1));
        netlist
    }
}

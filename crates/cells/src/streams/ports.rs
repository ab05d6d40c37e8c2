//! The ports of a top with streams, whatever they look like, as the bench drives and reads them.

use crate::design::axis::{Face, Streams, pins};
use crate::design::reset::clock_and_reset;
use crate::netlist::simulate::{NamedNet, Simulated};
use frit_network::TerminalIdx;
use frit_schedule::Plan;

pub(super) struct StreamPorts {
    pub clk: NamedNet,
    pub rst: NamedNet,
    /// The level of the reset in which it resets.
    pub resets: u64,
    pub start: Port,
    pub ready: Port,
    pub done: Port,
    pub cycles: Port,
    pub errors: Vec<(&'static str, Port)>,
    /// valid, ready, data, tdest or tid, last.
    pub input: [Port; 5],
    pub output: [Port; 5],
}

/// A port of the module with vectors, as the top has it: of each lane the pieces, and which bits of the lane they are.
pub(super) struct Port(Vec<Vec<Piece>>);

struct Piece {
    net: NamedNet,
    at: usize,
    low: u32,
    used: u32,
}

impl Piece {
    /// The bits above those that are used.
    fn padding(&self) -> u64 {
        let ones = |bits: u32| u64::MAX.checked_shr(64 - bits).unwrap_or(0);
        ones(self.net.width) & !ones(self.used)
    }
}

impl Port {
    /// Drives a lane; what fills bytes is ones, which nobody may see.
    pub fn set(&self, design: &mut Simulated, lane: usize, value: u64) {
        for piece in &self.0[lane] {
            let bits = value >> piece.low & u64::MAX >> (64 - piece.used);
            design.set(&piece.net, piece.at, bits | piece.padding());
        }
    }

    /// Reads a lane, `None` if what fills bytes is not 0.
    pub fn read(&self, design: &Simulated, lane: usize) -> Option<u64> {
        self.0[lane].iter().try_fold(0, |value, piece| {
            let got = design.get(&piece.net, piece.at);
            (got & piece.padding() == 0).then_some(value | got << piece.low)
        })
    }

    pub fn get(&self, design: &Simulated, lane: usize) -> u64 {
        self.read(design, lane).unwrap_or(u64::MAX)
    }
}

impl StreamPorts {
    pub fn find(design: &Simulated, plan: &Plan, streams: Streams) -> Self {
        let top = |name: &str| design.find("", name).unwrap_or_else(|| panic!("D_axis has a port {name}"));
        let pins = match streams.face {
            Face::Packed(_) | Face::Clearable => None,
            Face::Bundles(bundles) => Some(pins(plan, bundles)),
        };
        let port = |name: &str, lanes: u32| {
            let pieces = |lane: u32| match &pins {
                None => {
                    let net = top(name);
                    vec![Piece { at: lane as usize, low: 0, used: net.width, net }]
                }
                Some(pins) => {
                    let of = pins.iter().filter(|pin| pin.inner == name && pin.terminal == TerminalIdx(lane));
                    of.map(|pin| Piece { net: top(&pin.name), at: 0, low: pin.low, used: pin.used }).collect()
                }
            };
            Port((0..lanes).map(pieces).collect())
        };
        let one = |name: &str| port(name, 1);
        let all = |name: String| port(&name, plan.network.terminals());
        let [clk, rst] = match streams.face {
            Face::Packed(_) | Face::Clearable => ["clk_i", streams.reset().port()],
            Face::Bundles(bundles) => clock_and_reset(bundles.reset),
        };
        let errors = ["missing_o", "double_o", "unknown_o", "length_o", "conflict_o"];
        StreamPorts {
            clk: top(clk),
            rst: top(rst),
            resets: u64::from(!streams.reset().low),
            start: one("start_i"),
            ready: one("ready_o"),
            done: one("done_o"),
            cycles: one("cycles_o"),
            errors: errors.map(|name| (name, one(name))).into(),
            input: ["tvalid_i", "tready_o", "tdata_i", "tdest_i", "tlast_i"]
                .map(|n| all(format!("s_axis_{n}"))),
            output: ["tvalid_o", "tready_i", "tdata_o", "tid_o", "tlast_o"]
                .map(|n| all(format!("m_axis_{n}"))),
        }
    }
}

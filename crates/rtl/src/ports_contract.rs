//! The rules of AXI4-Stream and AXI4-Lite as a circuit that watches the ports of a top with bundles, for model checkers.

use crate::streams::generator;
use crate::template::{context, fill};
use frit_cells::design::axis::{AXIL, Bundles, Face, Pin, Streams, pins};
use frit_cells::design::reset::clock_and_reset;
use frit_network::TerminalIdx;
use frit_schedule::Plan;
use serde::Serialize;

/// What the circuit watches for: the bits of its `violation_o`, the lowest first.
pub const PROPERTIES: [&str; 6] =
    ["word-stays", "stream-reset", "response-stays", "response-owed", "response-comes", "register-reset"];

/// What the template is filled with.
#[derive(Serialize)]
struct Contract {
    contract: String,
    /// The module that it watches.
    top: String,
    command: String,
    reset: &'static str,
    reset_low: bool,
    registers: bool,
    /// The ports without clock, reset and start.
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    streams: Vec<Stream>,
    /// The `tready` of each input stream.
    takes: Vec<String>,
}

#[derive(Serialize)]
struct Port {
    name: String,
    bits: u32,
}

#[derive(Serialize)]
struct Stream {
    valid: String,
    ready: String,
    /// The items of a concatenation: all that belongs to a word, and its bits.
    word: String,
    bits: u32,
}

/// The name of the module for a design.
pub fn module(design: &str) -> String {
    format!("{design}_ports_contract")
}

/// The module that watches the top with these bundles, whose streams are `streams`, of the plan with words of `width_bits` bits.
pub fn render(plan: &Plan, width_bits: u32, streams: Streams, bundles: Bundles) -> String {
    let design = plan.design_name(width_bits);
    let all = pins(plan, bundles);
    let [_, reset] = clock_and_reset(bundles.reset);
    let contract = Contract {
        contract: module(&design),
        top: format!("{design}_{}", streams.suffix()),
        command: generator(plan, width_bits, Some(streams)),
        reset,
        reset_low: bundles.reset.low,
        registers: bundles.registers,
        inputs: ports(&all, bundles, true),
        outputs: ports(&all, bundles, false),
        streams: TerminalIdx::all(plan.network.terminals())
            .map(|terminal| Stream::of(&all, terminal))
            .collect(),
        takes: all.iter().filter(|pin| pin.inner == "s_axis_tready_o").map(|pin| pin.name.clone()).collect(),
    };
    fill(include_str!("../testbench/ports_contract.sv.tera"), &context(&contract))
}

fn ports(all: &[Pin], bundles: Bundles, input: bool) -> Vec<Port> {
    let registers = AXIL.iter().filter(|_| bundles.registers).map(|&(name, is, bits, _)| (name, is, bits));
    let others = all.iter().map(|pin| (pin.name.as_str(), pin.input, pin.bits));
    let wanted = registers.chain(others).filter(|&(name, is, _)| is == input && name != "start");
    wanted.map(|(name, _, bits)| Port { name: name.into(), bits }).collect()
}

impl Stream {
    fn of(all: &[Pin], terminal: TerminalIdx) -> Stream {
        let of = |pin: &&Pin| pin.inner.starts_with("m_axis_") && pin.terminal == terminal;
        let one = |inner: &str| {
            let pin = all.iter().filter(of).find(|pin| pin.inner == inner);
            pin.map(|pin| pin.name.clone()).expect("a stream has a handshake")
        };
        let is_word = |pin: &&Pin| !matches!(pin.inner, "m_axis_tvalid_o" | "m_axis_tready_i");
        let word: Vec<&Pin> = all.iter().filter(of).filter(is_word).collect();
        Stream {
            valid: one("m_axis_tvalid_o"),
            ready: one("m_axis_tready_i"),
            word: word.iter().map(|pin| pin.name.as_str()).collect::<Vec<_>>().join(", "),
            bits: word.iter().map(|pin| pin.bits).sum(),
        }
    }
}

/// The bundles of a top whose ports can be watched: the reset is synchronous.
pub fn bundles(streams: Streams) -> Option<Bundles> {
    match streams.face {
        Face::Bundles(bundles) if !bundles.reset.asynchronous => Some(bundles),
        _ => None,
    }
}

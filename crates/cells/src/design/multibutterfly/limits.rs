//! What there is no hardware for.

use frit_network::{Refusal, refuse};
use frit_router::multibutterfly::{Order, Problem};

/// The most ports of a node on a side: a node has a bit in a word for each of its in-ports.
pub const MAX_PORTS: u32 = 32;
/// The most buffers of a side.
pub const MAX_BUFFERS: u32 = 1 << 16;
/// The most bits of a word, address and payload.
pub const MAX_WORD: u32 = 64;
/// The most edges of a network whose Verilog is written.
pub const MAX_EDGES: u64 = 1 << 13;

pub(super) fn check(problem: &Problem, buffers: u32, payload: u32) -> Result<(), Refusal> {
    let (parameters, shape) = (problem.parameters(), problem.network().shape());
    let missing = [
        (parameters.payload > 0, "the bit model (messages that move bit by bit)", "pass x=0"),
        (
            parameters.order == Order::Sequential,
            "order=sequential (one side after the other)",
            "pass order=parallel",
        ),
        (parameters.force, "force=yes (forced commits)", "pass force=no"),
    ];
    if let Some(&(_, what, instead)) = missing.iter().find(|(given, ..)| *given) {
        refuse!("{what} cannot be built in hardware; {instead}");
    }
    let ports = (0..shape.dimensions()).map(|column| shape.ports(column)).max().unwrap_or(0);
    let ranges = [
        (
            "ports of a node on a side",
            ports.into(),
            1,
            MAX_PORTS.into(),
            "a word has one bit for each in-port",
        ),
        ("buffers of a side", buffers.into(), 2, MAX_BUFFERS.into(), "the Verilog would be too long"),
        ("payload bits", payload.into(), 1, (MAX_WORD - shape.dimensions()).into(), "a word has 64 bits"),
        ("edges", shape.edges(), 1, MAX_EDGES, "the Verilog would be too long"),
    ];
    match ranges.into_iter().find(|(_, given, least, most, _)| !(least..=most).contains(&given)) {
        Some((what, given, least, most, why)) => refuse!(
            "{what} = {given} cannot be built in hardware: {why}; {what} must be from {least} to {most}"
        ),
        None => Ok(()),
    }
}

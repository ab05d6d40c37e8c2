//! The datasheet of a design: contract, figures, ports, timing, its row in the table of systems, area.
//!
//! No number is written here: each comes from the plan, the netlist, or whoever measured it.

use crate::package::Top;
use crate::template::{context, fill};
use crate::testbench;
use frit_cells::netlist::{Kind, Module, Signal};
use frit_schedule::{Plan, Timeline};
use serde::Serialize;

/// What neither the plan nor the netlist knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The command that gives the same files again.
    pub command: String,
    /// The row of the table of systems: heads and cells.
    pub row: Vec<(String, String)>,
    /// The fewest LUTs with four inputs and flip-flops that the fabric can take.
    pub floor: (u64, u64),
}

/// A port as the page shows it.
#[derive(Serialize)]
struct Port<'a> {
    name: &'a str,
    direction: &'static str,
    bits: u32,
    lanes: u32,
    width: u32,
    meaning: &'static str,
}

/// A module that a user instantiates.
#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    contract: &'a [String],
    ports: Vec<Port<'a>>,
}

/// What the template is filled with.
#[derive(Serialize)]
struct Page<'a> {
    design: &'a str,
    title: &'a str,
    command: &'a str,
    arguments: String,
    terminals: u32,
    width: u32,
    switches: u64,
    phases: u64,
    fabric: String,
    bound: String,
    modules: Vec<Described<'a>>,
    figures: Vec<(&'static str, String)>,
    row: &'a [(String, String)],
    floor_luts: u64,
    floor_ffs: u64,
    tops: &'a [Top],
}

/// The page in Markdown. `modules` are what a user instantiates, `tops` their files.
pub fn render(plan: &Plan, modules: &[&Module], width: u32, tops: &[Top], facts: &Facts) -> String {
    let name = plan.design_name(width);
    let described = modules.iter().map(|module| Described {
        name: &module.name,
        contract: &module.header,
        ports: ports(module),
    });
    let page = Page {
        design: &name,
        title: testbench::title(plan),
        command: &facts.command,
        arguments: plan.arguments(),
        terminals: plan.network.terminals(),
        width,
        switches: plan.network.switches(),
        phases: plan.phases.count(),
        fabric: format!("{name}_fabric"),
        bound: format!("The bound: {}.", plan.figures.bound_reason),
        modules: described.collect(),
        figures: figures(plan, width),
        row: &facts.row,
        floor_luts: facts.floor.0,
        floor_ffs: facts.floor.1,
        tops,
    };
    fill(include_str!("../../../testbench/datasheet.md.tera"), &context(&page))
}

fn figures(plan: &Plan, width: u32) -> Vec<(&'static str, String)> {
    let (network, timeline) = (&plan.network, Timeline::new(plan, width));
    let switches = format!("{} of {} switches", network.stages(), network.switches_per_stage());
    vec![
        ("terminals (N)", network.terminals().to_string()),
        ("lanes of a terminal", plan.lanes_per_terminal().to_string()),
        ("bits of a word (W)", width.to_string()),
        ("bits of a destination or source (A)", plan.address_bits().to_string()),
        ("stages", switches),
        ("rounds of a run", plan.rounds.to_string()),
        ("runs of an exchange", timeline.runs().to_string()),
        ("latency, send to receive", format!("{} cycles", plan.latency())),
        ("cycles of a run", timeline.cycles.to_string()),
        ("rounds begin", plan.rhythm()),
        ("reset", format!("synchronous, active high, at least {} cycles", timeline.reset)),
        ("source", plan.figures.source.into()),
    ]
}

fn ports(module: &Module) -> Vec<Port<'_>> {
    let meaning = match module.name.rsplit('_').next() {
        Some("axis") => stream_meaning,
        Some("selftest") => selftest_meaning,
        _ => meaning,
    };
    module.signals.iter().filter_map(|signal| port(signal, meaning)).collect()
}

fn port(signal: &Signal, meaning: fn(&str) -> &'static str) -> Option<Port<'_>> {
    let direction = match signal.kind {
        Kind::Input => "in",
        Kind::Output => "out",
        Kind::Vector | Kind::Wires | Kind::Array => return None,
    };
    let Signal { name, lanes, width, .. } = signal;
    let (lanes, width) = (*lanes, *width);
    Some(Port { name, direction, bits: lanes * width, lanes, width, meaning: meaning(name) })
}

/// What a port of `D_selftest` is for.
fn selftest_meaning(port: &str) -> &'static str {
    match port {
        "start_i" => "starts a run; ignored while busy",
        "busy_o" => "a run, or its report, is not at its end",
        "pass_o" => "the last run was without error",
        "fail_o" => "the last run was not",
        "cycles_o" => "cycles of the last run",
        "errors_o" => "errors of the last run",
        "uart_o" => "the report, a line of text, 8N1",
        other => meaning(other),
    }
}

/// What a port of `D_axis` is for.
fn stream_meaning(port: &str) -> &'static str {
    match port {
        "start_i" => "starts an exchange when `ready_o` is high",
        "cycles_o" => "cycles of an exchange, from `done_o` on",
        "busy_o" => "an exchange runs",
        "done_o" => "high for a cycle when it has ended",
        "conflict_o" => "error, until reset: two messages wanted one output of a switch",
        "ready_o" => "all messages are loaded and the outputs have room",
        "missing_o" => "error, until reset: a start while a message was missing",
        "double_o" => "error, until reset: a second message for a destination was dropped",
        "unknown_o" => "error, until reset: a message for no terminal was dropped",
        "length_o" => "error, until reset: `tlast` in the wrong place",
        "s_axis_tvalid_i" => "a stream into each terminal: a word is there",
        "s_axis_tready_o" => "it is taken",
        "s_axis_tdata_i" => "the word",
        "s_axis_tdest_i" => "the destination of its message",
        "s_axis_tlast_i" => "the last word of a message",
        "m_axis_tvalid_o" => "a stream out of each terminal: a word is there",
        "m_axis_tready_i" => "it is taken",
        "m_axis_tdata_o" => "the word",
        "m_axis_tid_o" => "the source of its message",
        "m_axis_tlast_o" => "the last word of a message",
        other => meaning(other),
    }
}

/// What a port of `D_exchange` is for.
fn meaning(port: &str) -> &'static str {
    match port {
        "clk_i" => "clock, rising edge",
        "rst_i" => "reset, synchronous, active high",
        "start_i" => "starts a run in the next cycle, which is cycle 0; ignored while busy",
        "send_valid_o" => "the lane wants a word in this cycle",
        "send_dest_o" => "for this destination",
        "send_data_i" => "the word, taken in the same cycle",
        "recv_valid_o" => "a word arrives",
        "recv_source_o" => "who sent it",
        "recv_data_o" => "the word",
        "busy_o" => "high in every cycle of a run",
        "done_o" => "high in the last cycle of a run, that of the last delivery",
        "conflict_o" => "two messages want one output of a switch, in this cycle",
        "cycles_o" => "the cycle of the run; the total while `done_o` is high",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_cells::design::axis::{self, Streams};
    use frit_cells::design::{build, selftest};
    use frit_schedule::{Request, SYSTEMS, plan};

    #[test]
    fn every_port_of_every_system_has_a_meaning() {
        for system in SYSTEMS {
            let plan = plan(&Request::new(system.row.key, system.row.example)).unwrap();
            let streams = Streams { words: 1, sets: 1 };
            let selftest = selftest::build(&plan, 8, 4);
            let designs = [build(&plan, 8), selftest].into_iter().chain(axis::build(&plan, 8, streams));
            for netlist in designs {
                let ports = ports(netlist.top());
                assert!(ports.len() >= 9, "{}", system.row.key);
                for port in ports {
                    assert!(!port.meaning.is_empty(), "{}: {}", system.row.key, port.name);
                }
            }
        }
    }
}

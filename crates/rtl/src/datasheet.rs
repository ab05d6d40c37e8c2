//! The datasheet of a design: contract, figures, ports, timing, its row in the table of systems, area.
//!
//! No number is written here: each comes from the plan, the netlist, or whoever measured it.

use crate::package::Sources;
use crate::template::{context, fill};
use crate::testbench;
use frit_cells::netlist::{Kind, Netlist, Signal};
use frit_schedule::{Plan, Timeline};
use serde::Serialize;

/// What neither the plan nor the netlist knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
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

/// What the template is filled with.
#[derive(Serialize)]
struct Page<'a> {
    design: &'a str,
    title: &'a str,
    command: String,
    arguments: String,
    terminals: u32,
    width: u32,
    switches: u64,
    phases: u64,
    top: &'a str,
    fabric: String,
    bound: String,
    contract: &'a [String],
    figures: Vec<(&'static str, String)>,
    ports: Vec<Port<'a>>,
    row: &'a [(String, String)],
    floor_luts: u64,
    floor_ffs: u64,
    lists: [String; 4],
    #[serde(flatten)]
    sources: &'a Sources,
}

/// The page in Markdown.
pub fn render(plan: &Plan, netlist: &Netlist, width: u32, sources: &Sources, facts: &Facts) -> String {
    let name = plan.design_name(width);
    let (top, figures) = (netlist.top(), &plan.figures);
    let page = Page {
        design: &name,
        title: testbench::title(plan),
        command: testbench::command(plan, width),
        arguments: plan.arguments(),
        terminals: plan.network.terminals(),
        width,
        switches: plan.network.switches(),
        phases: plan.phases.count(),
        top: &top.name,
        fabric: format!("{name}_fabric"),
        bound: format!("The bound: {}.", figures.bound_reason),
        contract: &top.header,
        figures: self::figures(plan, width),
        ports: top.signals.iter().filter_map(port).collect(),
        row: &facts.row,
        floor_luts: facts.floor.0,
        floor_ffs: facts.floor.1,
        lists: [format!("{name}.f"), format!("{name}_tb.f"), format!("{name}.core"), "Bender.yml".into()],
        sources,
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

fn port(signal: &Signal) -> Option<Port<'_>> {
    let direction = match signal.kind {
        Kind::Input => "in",
        Kind::Output => "out",
        Kind::Vector | Kind::Wires | Kind::Array => return None,
    };
    let Signal { name, lanes, width, .. } = signal;
    let (lanes, width) = (*lanes, *width);
    Some(Port { name, direction, bits: lanes * width, lanes, width, meaning: meaning(name) })
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
    use frit_schedule::{Request, SYSTEMS, plan};

    #[test]
    fn every_port_of_every_system_has_a_meaning() {
        for system in SYSTEMS {
            let plan = plan(&Request::new(system.key, system.example)).unwrap();
            let netlist = frit_cells::design::build(&plan, 8);
            let ports: Vec<Port> = netlist.top().signals.iter().filter_map(port).collect();
            assert!(ports.len() >= 13, "{}", system.key);
            for port in ports {
                assert!(!port.meaning.is_empty(), "{}: {}", system.key, port.name);
            }
        }
    }
}

//! The datasheet of a design: contract, figures, ports, timing, its row in the table of systems, area.
//!
//! No number is written here: each comes from the plan, the netlist, or whoever measured it.

use crate::template::{context, fill};
use crate::testbench;
use crate::top::Top;
use frit_cells::netlist::{Kind, Module, Signal};
use frit_cells::prose::with_names;
use frit_network::facts;
use frit_schedule::Plan;
use serde::Serialize;

/// What neither the plan nor the netlist knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The command that gives the same files again.
    pub command: String,
    /// The folder of the cells that designs share, relative to that of the design, if it shares some.
    pub cells: Option<String>,
    /// The row of the table of systems: heads and cells.
    pub row: Vec<(String, String)>,
    /// The fewest LUTs with four inputs and flip-flops that the fabric can take.
    pub floor: (u64, u64),
}

/// A port as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port<'a> {
    pub name: &'a str,
    pub direction: &'static str,
    /// All its bits: those of a lane (`width`) for each of the `lanes`.
    pub bits: u32,
    pub lanes: u32,
    pub width: u32,
    /// Names of ports stand between backticks.
    pub meaning: String,
}

/// A module that a user instantiates.
#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    contract: &'a [String],
    ports: Vec<Port<'a>>,
}

/// A design as its page tells of it.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    pub design: &'a str,
    pub what: &'a str,
    /// The command that gives the same files again.
    pub command: &'a str,
    /// What a user instantiates.
    pub modules: &'a [&'a Module],
    pub figures: Vec<(&'static str, String)>,
    /// The sections that only designs of its kind have.
    pub about: &'a str,
    /// The files of the modules.
    pub tops: &'a [Top],
}

/// What the template of every page is filled with.
#[derive(Serialize)]
struct Page<'a> {
    design: &'a str,
    what: &'a str,
    command: &'a str,
    modules: Vec<Described<'a>>,
    figures: Vec<(&'static str, String)>,
    about: &'a str,
    tops: &'a [Top],
}

impl Sheet<'_> {
    /// The page in Markdown.
    pub fn render(self) -> String {
        let Sheet { design, what, command, modules, figures, about, tops } = self;
        let modules = modules.iter().map(|module| Described {
            name: &module.name,
            contract: &module.header,
            ports: ports(module),
        });
        let page = Page { design, what, command, modules: modules.collect(), figures, about, tops };
        fill(include_str!("../testbench/datasheet.md.tera"), &context(&page))
    }
}

/// What the sections of an exchange are filled with.
#[derive(Serialize)]
struct Exchange<'a> {
    design: &'a str,
    /// The module with the ports of the timing diagram.
    module: &'a str,
    arguments: String,
    width: u32,
    switches: u64,
    phases: u64,
    fabric: String,
    bound: String,
    row: &'a [(String, String)],
    floor_luts: u64,
    floor_ffs: u64,
}

/// The page of an exchange in Markdown. `modules` are what a user instantiates, `tops` their files.
pub fn render(plan: &Plan, modules: &[&Module], width: u32, tops: &[Top], facts: &Facts) -> String {
    let name = &plan.design_name(width);
    let exchange = Exchange {
        design: name,
        module: &modules[0].name,
        arguments: plan.arguments(),
        width,
        switches: plan.network.switches(),
        phases: plan.phases.count(),
        fabric: format!("{name}_fabric"),
        bound: format!("The bound: {}.", plan.figures.bound_reason),
        row: &facts.row,
        floor_luts: facts.floor.0,
        floor_ffs: facts.floor.1,
    };
    let terminals = plan.network.terminals();
    let sheet = Sheet {
        design: name,
        what: &format!("{}; {terminals} terminals, words of {width} bits", testbench::title(plan)),
        command: &facts.command,
        modules,
        figures: figures(plan, width),
        about: &fill(include_str!("../testbench/datasheet_exchange.md.tera"), &context(&exchange)),
        tops,
    };
    sheet.render()
}

/// The figures of an exchange: what they are, and the facts.
const FIGURES: [(&str, &str); 13] = [
    ("terminals (N)", "{terminals}"),
    ("lanes of a terminal", "{lanes_per_terminal}"),
    ("bits of a word (W)", "{width}"),
    ("bits of a destination or source (TerminalBits)", "{address_bits}"),
    ("stages", "{stages} of {stage}"),
    ("rounds of a run", "{rounds}"),
    ("runs of an exchange", "{runs}"),
    ("latency, send to receive", "{latency} cycles"),
    ("cycles of a run", "{exchange_cycles}"),
    ("from one exchange to the next without a gap", "{period} cycles"),
    ("rounds begin", "{rhythm}"),
    ("reset", "synchronous, active high, at least {reset_cycles} cycles"),
    ("source", "{source}"),
];

fn figures(plan: &Plan, width: u32) -> Vec<(&'static str, String)> {
    let mut figures = facts::rows(&plan.facts(Some(width)), &FIGURES);
    if plan.has_spare() {
        let (all, served) = (plan.network.terminals(), plan.served());
        figures[0].1 = format!("{all}, of which {served} are served, the others spare");
    }
    figures
}

/// The ports of a module, in its order.
pub fn ports(module: &Module) -> Vec<Port<'_>> {
    // `tlast` is short for the port of that name of a stream.
    let is_name = |word: &str| {
        let long = [word.to_string(), format!("s_axis_{word}_i")];
        module.ports().any(|signal| long.contains(&signal.name))
    };
    let meaning = |signal: &Signal| with_names(signal.meaning, is_name);
    module.signals.iter().filter_map(|signal| port(signal, meaning(signal))).collect()
}

fn port(signal: &Signal, meaning: String) -> Option<Port<'_>> {
    let direction = match signal.kind {
        Kind::Input => "in",
        Kind::Output => "out",
        Kind::Vector | Kind::Wires | Kind::Array => return None,
    };
    let Signal { name, lanes, width, .. } = signal;
    let (lanes, width) = (*lanes, *width);
    Some(Port { name, direction, bits: lanes * width, lanes, width, meaning })
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_cells::design::axis::{self, Bundles, Face, Streams};
    use frit_cells::design::reset::Reset;
    use frit_cells::design::{build, selftest};
    use frit_schedule::{Request, SYSTEMS, plan};

    #[test]
    fn every_port_of_every_system_has_a_meaning() {
        for system in SYSTEMS {
            let plan = plan(&Request::new(system.row.key, system.row.example)).unwrap();
            let streams = Streams::packed(1, 1);
            let selftest = selftest::build(&plan, 8, 4);
            let reset = Reset::AXI;
            let bundles = Bundles { data_bits: 5, user_bits: 2, keep: true, registers: true, reset };
            let faced = Streams { face: Face::Bundles(bundles), ..streams };
            let with_streams =
                [streams, faced].into_iter().flat_map(|streams| axis::build(&plan, 8, streams));
            let designs = [build(&plan, 8), selftest].into_iter().chain(with_streams);
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

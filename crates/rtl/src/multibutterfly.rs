//! The testbench of a multibutterfly, with what must happen in it: every commit, placement and delivery, what is left.

use crate::Files;
use crate::routed::end;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::multibutterfly::{Column, Hardware, node_name, number_bits, payloads};
use frit_network::RowIdx;
use frit_network::multibutterfly::Node;
use frit_router::multibutterfly::{NodeEvent, Problem};
use serde::Serialize;
use std::fmt::Write;

pub mod package;

/// The signals inside the design that the testbench reads: a netlist must still have them. Those of e and of what has been sent have
/// the names that [`Column`] gives them.
pub const PROBES: [&str; 20] = [
    "moves",
    "holds",
    "unasked",
    "decide",
    "weigh",
    "count",
    "clean",
    "set",
    "placed",
    "word",
    "asked",
    "told",
    "standing",
    "grant_o",
    "chosen",
    "fill",
    "sent",
    "sent_unused_top",
    "ghosts_end",
    "ghosts_end_unused",
];

/// Cycles after the last that a run may take until it has ended, so that a wrong one is seen to its end, in phases.
pub const GRACE_PHASES: u64 = 2;

/// The testbench makes a run of the most phases if it takes at most so many cycles.
const LONGEST: u64 = 20_000;

/// How many runs by forced wires the testbench makes; the first takes one cycle, and each other one twice as many as the one before.
const SHORT_RUNS: u32 = 14;
/// The same for a network of more than [`FEW_NODES`] nodes: there Icarus would need as long for 14 runs as for all traffics.
const SHORT_RUNS_OF_MANY: u32 = 11;
/// The most nodes of a network whose testbench makes all [`SHORT_RUNS`].
const FEW_NODES: usize = 32;

/// What must happen in a run, by a model.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// What the nodes do, in any order.
    pub events: &'a [NodeEvent],
    pub phases: u32,
    /// The messages that must not arrive.
    pub left: &'a [u32],
}

/// A traffic that the testbench runs, and what must happen with it.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The messages, on the network of the hardware. Their numbers have as many bits as those of the first run.
    pub problem: &'a Problem,
    pub expected: Expected<'a>,
    /// What the messages are, in a few words.
    pub what: &'a str,
}

/// What the testbench says of a run.
#[derive(Serialize)]
struct Figures<'a> {
    what: &'a str,
    /// The end of the names of its tables.
    end: String,
    messages: usize,
    last_slot: usize,
    commits: usize,
    places: usize,
    deliveries: usize,
    phases: u32,
    cycles: u64,
    left: usize,
}

/// A bank of a side: expressions of what is looked at.
#[derive(Serialize)]
struct Bank {
    number: usize,
    sent: String,
    chosen: String,
}

#[derive(Serialize)]
struct Side {
    number: usize,
    path: String,
    end: &'static str,
    banks: Vec<Bank>,
}

/// An in-port of a node: expressions of what is looked at.
#[derive(Serialize)]
struct Port {
    number: usize,
    standing: String,
    granted: String,
}

#[derive(Serialize)]
struct NodePaths {
    number: usize,
    path: String,
    word: String,
    asked: String,
    told: String,
    in_ports: Vec<Port>,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct MultibutterflyValues<'a> {
    design: &'a str,
    tb: &'a str,
    command: &'a str,
    top: String,
    rows: u32,
    columns: u32,
    buffers: u32,
    bits: u32,
    banks: u32,
    ports: u32,
    in_ports: u32,
    payload_bits: u32,
    number_bits: u32,
    runs: Vec<Figures<'a>>,
    slots: usize,
    most_phases: u32,
    phase_cycles: u64,
    phase_limit: u32,
    short_runs: u32,
    /// Whether the testbench makes a run of the most phases: only if it takes at most [`LONGEST`] cycles.
    long_run: bool,
    last_cycle: u64,
    banks_of: Vec<u32>,
    sides: Vec<Side>,
    nodes: Vec<NodePaths>,
}

/// The most of a kind that a node or side has, and whose tables have room for as many.
struct Sizes {
    rows: u32,
    banks: u32,
    ports: u32,
    in_ports: u32,
    bits: u32,
}

impl Sizes {
    fn of(hardware: &Hardware) -> Self {
        let columns = || (0..hardware.columns()).map(|column| hardware.column(column));
        let most = |of: &dyn Fn(Column) -> u32| columns().map(of).max();
        Sizes {
            rows: hardware.network().shape().rows(),
            banks: most(&|column| column.banks()).unwrap_or(1),
            ports: most(&|column| column.ports()).unwrap_or(1),
            in_ports: hardware.turns(),
            // One more than a count has: Icarus confuses the words of an array that are nets of the design as they stand.
            bits: hardware.count_bits() + 1,
        }
    }

    fn side(&self, column: u32, row: RowIdx, side: u32) -> usize {
        ((column * self.rows + row.0) * 2 + side) as usize
    }
}

/// The testbench side of a design: `tb_D.sv`, the tables of each run, the file lists `D.f` (without testbench) and `D_tb.f`, and the
/// `Makefile`. The first run is the one that the testbench tells of. `rtl_files` are the names of the design's own files in the order in
/// which tools should read them, `command` what makes them.
///
/// # Panics
/// Without a run.
pub fn render(runs: &[Run], hardware: &Hardware, command: &str, rtl_files: &[String]) -> Files {
    let messages = runs.first().expect("a testbench has a run").problem.messages().len();
    let (name, sizes) = (hardware.design_name(), Sizes::of(hardware));
    let (tb, top) = (format!("tb_{name}"), format!("{name}_route"));
    let last_cycles = runs.iter().map(|run| u64::from(run.expected.phases) + GRACE_PHASES);
    let most = hardware.parameters().most_phases();
    let values = context(&MultibutterflyValues {
        design: &name,
        tb: &tb,
        command,
        rows: sizes.rows,
        columns: hardware.columns(),
        buffers: hardware.buffers(),
        bits: sizes.bits,
        banks: sizes.banks,
        ports: sizes.ports,
        in_ports: sizes.in_ports,
        payload_bits: hardware.payload(),
        number_bits: number_bits(messages),
        runs: (0..).zip(runs).map(|(number, run)| figures(number, hardware, run)).collect(),
        slots: runs.iter().map(|run| run.problem.messages().len()).max().unwrap_or(0).max(1),
        most_phases: runs.iter().map(|run| run.expected.phases).max().unwrap_or(0).max(1),
        phase_cycles: hardware.phase_cycles(),
        phase_limit: most,
        short_runs: if hardware.nodes().count() <= FEW_NODES { SHORT_RUNS } else { SHORT_RUNS_OF_MANY },
        long_run: u64::from(most) * hardware.phase_cycles() <= LONGEST,
        last_cycle: last_cycles.sum::<u64>() * hardware.phase_cycles(),
        banks_of: (0..hardware.columns()).map(|column| hardware.column(column).banks()).collect(),
        sides: hardware.nodes().flat_map(|node| sides(hardware, &sizes, node)).collect(),
        nodes: hardware.nodes().map(|node| paths(hardware, &sizes, node)).collect(),
        top,
    });
    let mut files = vec![
        (format!("{tb}.sv"), fill(include_str!("../testbench/multibutterfly/tb.sv.tera"), &values)),
        (format!("{name}_wires.memh"), wires_table(&name, hardware, &sizes)),
    ];
    for (number, run) in (0..).zip(runs) {
        files.extend(tables(&name, &end(number), hardware, &sizes, run));
    }
    files.extend(lists(&name, command, rtl_files));
    files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
    files
}

fn figures<'a>(number: u32, hardware: &Hardware, run: &Run<'a>) -> Figures<'a> {
    let Run { problem, expected, what } = *run;
    let count = |kind: fn(&NodeEvent) -> bool| expected.events.iter().filter(|event| kind(event)).count();
    let messages = problem.messages().len();
    Figures {
        what,
        end: end(number),
        messages,
        last_slot: messages.max(1) - 1,
        commits: count(|event| matches!(event, NodeEvent::Commit { .. })),
        places: count(|event| matches!(event, NodeEvent::Place { .. })),
        deliveries: count(|event| matches!(event, NodeEvent::Deliver { .. })),
        phases: expected.phases,
        cycles: u64::from(expected.phases) * hardware.phase_cycles(),
        left: expected.left.len(),
    }
}

fn tables(name: &str, end: &str, hardware: &Hardware, sizes: &Sizes, run: &Run) -> Files {
    let Run { problem, expected, .. } = *run;
    let events = expected.events;
    vec![
        (format!("{name}_messages{end}.memh"), messages_table(name, problem, hardware)),
        (format!("{name}_commits{end}.memh"), commits_table(name, hardware, sizes, events)),
        (format!("{name}_places{end}.memh"), places_table(name, hardware, sizes, events)),
        (format!("{name}_arrivals{end}.memh"), arrivals_table(name, problem.messages().len(), events)),
        (format!("{name}_phases{end}.memh"), phases_table(name, expected)),
    ]
}

/// Bits `at`·`width` and up of a vector.
fn lane(path: &str, at: u32, width: u32) -> String {
    format!("{path}[{}:{}]", (at + 1) * width - 1, at * width)
}

fn sides(hardware: &Hardware, sizes: &Sizes, node: Node) -> Vec<Side> {
    let column = hardware.column(node.column);
    let one = |side: u32| {
        let number = sizes.side(node.column, node.row, side);
        let path = format!("{}.u_side{side}", node_name(node));
        let bank = |bank: u32| {
            let number = number * sizes.banks as usize + bank as usize;
            if bank >= column.banks() {
                return Bank { number, sent: "'0".into(), chosen: "'0".into() };
            }
            let of = |name: &str, width| lane(&format!("u_route.u_fabric.{path}.{name}"), bank, width);
            let sent = format!("Bits'({})", of(column.sent_name(), column.bank_bits()));
            Bank { number, sent, chosen: format!("Ports'({})", of("chosen", column.ports())) }
        };
        let banks = (0..sizes.banks).map(bank).collect();
        let end = column.end_name();
        Side { number, end, banks, path }
    };
    vec![one(0), one(1)]
}

fn paths(hardware: &Hardware, sizes: &Sizes, node: Node) -> NodePaths {
    let number = (node.column * sizes.rows + node.row.0) as usize;
    let path = node_name(node);
    let at = |name: &str| format!("u_route.u_fabric.{path}.{name}");
    let zero = || "'0".to_string();
    let from = node.column.checked_sub(1).map(|before| hardware.column(before));
    let in_ports = hardware.network().origins(node).len() as u32;
    let port = |port: u32| {
        let number = number * sizes.in_ports as usize + port as usize;
        match from.filter(|from| from.asks() && port < in_ports) {
            None => Port { number, standing: zero(), granted: "1'b0".into() },
            Some(from) => {
                let standing = lane(&at("standing"), port, from.sizes());
                let standing = match from.first_batch() {
                    0 => format!("Bits'({standing})"),
                    first => format!("Bits'({{{standing}, {first}'d0}})"),
                };
                Port { number, standing, granted: format!("{}[{port}]", at("grant_o")) }
            }
        }
    };
    let inner = |name: &str, kind: &str| match from {
        Some(_) => format!("{kind}'({})", at(name)),
        None => zero(),
    };
    NodePaths {
        number,
        word: inner("word", "WordBits"),
        asked: inner("asked", "Bits"),
        told: inner("told", "Bits"),
        in_ports: (0..sizes.in_ports).map(port).collect(),
        path,
    }
}

fn header(design: &str, what: &str) -> String {
    format!("// {design}: {what}.\n// Generated; do not edit.\n")
}

// Writing to a String cannot fail, so the results of writeln! are dropped in this file.

fn messages_table(design: &str, problem: &Problem, hardware: &Hardware) -> String {
    let mut text = header(design, "messages: source, then destination and payload as one word");
    let bits = hardware.word_bits(0);
    for (message, payload) in problem.messages().iter().zip(payloads(problem)) {
        let word = u128::from(message.destination) << hardware.payload() | u128::from(payload);
        let _ = writeln!(text, "{:x}", u128::from(message.source) << bits | word);
    }
    if problem.messages().is_empty() {
        text += "0\n";
    }
    text
}

fn wires_table(design: &str, hardware: &Hardware, sizes: &Sizes) -> String {
    let mut text = header(design, "in-ports by node: the side that they come from + 1 (0: none), its port");
    let network = hardware.network();
    for node in hardware.nodes() {
        let origins = network.origins(node);
        for port in 0..sizes.in_ports as usize {
            let (side, port) = match origins.get(port) {
                Some(from) => {
                    let side = network.shape().side_of(node);
                    (sizes.side(node.column - 1, from.row, side) + 1, from.port.0)
                }
                None => (0, 0),
            };
            let _ = writeln!(text, "{side:08x}{port:08x}");
        }
    }
    text
}

fn commits_table(design: &str, hardware: &Hardware, sizes: &Sizes, events: &[NodeEvent]) -> String {
    let mut text =
        header(design, "commits by side: phase + 1 (0: none), the port of each bank, a bit for each");
    let digits = (sizes.banks * sizes.ports).div_ceil(4) as usize;
    let mut table = vec![(0, vec![0u8; digits]); 2 * hardware.nodes().count()];
    for event in events {
        let NodeEvent::Commit { phase, column, side, row, ports } = event else { continue };
        let (of, bits) = &mut table[sizes.side(*column, *row, *side)];
        *of = phase + 1;
        for (bank, port) in (0..).zip(ports) {
            let bit: u32 = bank * sizes.ports + port;
            bits[(bit / 4) as usize] |= 1 << (bit % 4);
        }
    }
    let top = (sizes.banks * sizes.ports) % 4;
    for (phase, bits) in table {
        // The phase stands right above the ports, whose bits may end inside of a digit.
        let mut value: Vec<u8> = bits;
        let mut carry = u64::from(phase);
        if top > 0 {
            let last = value.len() - 1;
            value[last] |= ((carry << top) & 15) as u8;
            carry >>= 4 - top;
        }
        while carry > 0 {
            value.push((carry & 15) as u8);
            carry >>= 4;
        }
        let digits = value.iter().rev().filter_map(|&digit| char::from_digit(digit.into(), 16));
        let _ = writeln!(text, "{}", digits.collect::<String>());
    }
    text
}

fn places_table(design: &str, hardware: &Hardware, sizes: &Sizes, events: &[NodeEvent]) -> String {
    let mut text =
        header(design, "buffers by side: the phase in which a message comes, the message + 1 (0: none)");
    let buffers = hardware.buffers() as usize;
    let mut table = vec![(0, 0); 2 * hardware.nodes().count() * buffers];
    for event in events {
        if let &NodeEvent::Place { phase, column, row, side, buffer, message } = event {
            table[sizes.side(column, row, side) * buffers + buffer as usize] = (phase, message + 1);
        }
    }
    for (phase, message) in table {
        let _ = writeln!(text, "{phase:08x}{message:08x}");
    }
    text
}

fn arrivals_table(design: &str, messages: usize, events: &[NodeEvent]) -> String {
    let mut text = header(design, "messages: the phase in which they arrive + 1 (0: never)");
    let mut table = vec![0; messages.max(1)];
    for event in events {
        if let &NodeEvent::Deliver { phase, message, .. } = event {
            table[message as usize] = phase + 1;
        }
    }
    for phase in table {
        let _ = writeln!(text, "{phase:08x}");
    }
    text
}

fn phases_table(design: &str, expected: Expected) -> String {
    let mut text = header(design, "phases: events until their ends");
    for phase in 0..expected.phases {
        let until = expected.events.iter().filter(|event| event.phase() <= phase).count();
        let _ = writeln!(text, "{until:08x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_router::multibutterfly::Parameters;
    use frit_router::multibutterfly::traffic::Traffic;
    use std::collections::BTreeSet;

    pub fn problem() -> Problem {
        let parameters = Parameters {
            degree: 2,
            committed: 1,
            threshold: 2,
            offered: 2,
            requests: 1,
            free: 2,
            ..Parameters::new(8, 3)
        };
        Problem::new(parameters, &Traffic::Perm.messages(&parameters)).unwrap()
    }

    pub fn hardware(problem: &Problem) -> Hardware<'_> {
        Hardware::new(problem, 20).unwrap()
    }

    #[test]
    fn the_testbench_reads_the_probes_and_nothing_else() {
        let problem = problem();
        let hardware = hardware(&problem);
        let expected = Expected { events: &[], phases: 1, left: &[] };
        let run = Run { problem: &problem, expected, what: "a test" };
        let files = render(&[run], &hardware, "a test", &[]);
        let bench = &files[0].1;
        let name = |path: &str| {
            let end = path.find(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)));
            path[..end.unwrap_or(path.len())].rsplit('.').next().unwrap().to_string()
        };
        let read: BTreeSet<String> = bench.split("u_route.").skip(1).map(name).collect();
        assert_eq!(read, PROBES.map(String::from).into());
    }
}

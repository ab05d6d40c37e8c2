//! The tops of a design inside other people's systems: for each top `T.py`, a module of LiteX, and one `package_ip.tcl`, which packages all tops
//! for Vivado. Both come from the ports of the modules and the lists of their files; no kind of core is named here.

use crate::Files;
use crate::template::{context, fill};
use crate::top::Top;
use frit_cells::design::pinout::without_direction;
use frit_cells::design::reset::active_low;
use frit_cells::netlist::{Kind, Module, Signal};
use serde::Serialize;

/// The name of the script for Vivado.
pub const SCRIPT: &str = "package_ip.tcl";

/// The widest port that gets a register of LiteX (CSR).
const CSR_BITS: u32 = 32;

/// Words of Python that a port may be called.
const KEYWORDS: [&str; 10] = ["and", "break", "continue", "from", "in", "is", "not", "or", "pass", "with"];

/// The channels of AXI4-Lite; no name is the beginning of a later one.
const CHANNELS: [&str; 5] = ["aw", "ar", "w", "b", "r"];

/// What the templates are filled with.
#[derive(Serialize)]
struct Integrated<'a> {
    command: &'a str,
    library: &'a str,
    description: &'a str,
    version: String,
    tops: Vec<Core<'a>>,
}

/// A top as the templates see it.
#[derive(Serialize)]
struct Core<'a> {
    module: &'a str,
    list: &'a str,
    files: &'a [String],
    clock: &'a str,
    reset: &'a str,
    low: bool,
    /// Bits of an address of the registers, and the bytes that these take; 0: no registers.
    address_bits: u32,
    bytes: u64,
    streams: Vec<Streams>,
    /// Whether streams lie side by side in a port.
    packed: bool,
    ports: Vec<Port<'a>>,
    /// The connections of the instance in LiteX: `i_` or `o_` with the name of the port, an expression.
    wires: Vec<(String, String)>,
    buses: Vec<Bus>,
}

/// The streams of one direction, as an attribute of the module of LiteX: one endpoint, or a list of equal ones.
#[derive(Serialize)]
struct Streams {
    name: String,
    count: u32,
    many: bool,
    /// Data and what goes with it, with their bits.
    fields: Vec<(String, u32)>,
}

/// A port that belongs to no stream and no registers.
#[derive(Serialize)]
struct Port<'a> {
    name: &'a str,
    /// Without its direction, as an attribute in Python.
    short: String,
    bits: u32,
    input: bool,
    meaning: &'static str,
    /// Whether software may use it: one lane, and not too wide.
    csr: bool,
    /// Whether it is high for one cycle to be effective once.
    pulse: bool,
}

/// A bus interface of Vivado.
#[derive(Serialize)]
struct Bus {
    name: String,
    /// Of `xilinx.com`: library and name.
    kind: &'static str,
    mode: &'static str,
    maps: Vec<Map>,
    /// Whether a clock belongs to it.
    clocked: bool,
    /// A parameter and its value, if it has one.
    parameter: Vec<&'static str>,
}

/// A logical port, its physical port, and the highest and lowest bit if it is a part of that.
#[derive(Serialize)]
struct Map {
    logical: String,
    port: String,
    part: Option<(u32, u32)>,
}

impl Map {
    fn whole(logical: &str, port: &Signal) -> Map {
        Map { logical: logical.to_uppercase(), port: port.name.clone(), part: None }
    }
}

/// A port of a stream: `s00_axis_tdata`, `m_axis_tlast_o`.
#[derive(Clone, Copy)]
struct StreamPort<'a> {
    /// In front of `_axis_`: `s`, `m`, `program`, `s00`.
    prefix: &'a str,
    /// `data`, `last`, …
    role: &'a str,
    signal: &'a Signal,
}

fn stream_port(signal: &Signal) -> Option<StreamPort<'_>> {
    let (prefix, role) = signal.name.split_once("_axis_t")?;
    Some(StreamPort { prefix, role: without_direction(role), signal })
}

fn is_clock(signal: &&Signal) -> bool {
    ["clk_i", "aclk"].contains(&signal.name.as_str())
}

fn is_reset(signal: &&Signal) -> bool {
    active_low(&signal.name).is_some()
}

fn bits(signal: &Signal) -> u32 {
    signal.lanes * signal.width
}

/// What a group of streams is called in LiteX: the prefix without its number, in words.
fn attribute(prefix: &str) -> &str {
    match prefix.trim_end_matches(|digit: char| digit.is_ascii_digit()) {
        "s" => "sink",
        "m" => "source",
        other => other,
    }
}

/// How many streams lie side by side in the ports of a prefix: as many as `tvalid` has lanes.
fn lanes(ports: &[StreamPort], prefix: &str) -> u32 {
    let valid = ports.iter().find(|port| port.prefix == prefix && port.role == "valid");
    valid.map_or(1, |port| port.signal.lanes)
}

/// The prefixes of streams, each once, in the order of the module.
fn prefixes<'a>(ports: &[StreamPort<'a>]) -> Vec<&'a str> {
    ports.iter().fold(Vec::new(), |mut all, port| {
        if !all.contains(&port.prefix) {
            all.push(port.prefix);
        }
        all
    })
}

impl<'a> Core<'a> {
    fn of(top: &'a Top, module: &'a Module) -> Core<'a> {
        let signals: Vec<&Signal> = module.ports().collect();
        let named =
            |is: fn(&&Signal) -> bool| signals.iter().copied().find(is).expect("a top has clock and reset");
        let (clock, reset) = (named(is_clock), named(is_reset));
        let streamed: Vec<StreamPort> = signals.iter().copied().filter_map(stream_port).collect();
        let control: Vec<&Signal> = signals.iter().copied().filter(|signal| axil(signal).is_some()).collect();
        let is_other = |signal: &&Signal| {
            !is_clock(signal) && !is_reset(signal) && stream_port(signal).is_none() && axil(signal).is_none()
        };
        let others: Vec<&Signal> = signals.iter().copied().filter(is_other).collect();
        let low = active_low(&reset.name) == Some(true);
        let address = control.iter().find(|signal| signal.name.ends_with("awaddr"));
        let mut core = Core {
            module: &module.name,
            list: &top.list,
            files: &top.rtl,
            clock: &clock.name,
            reset: &reset.name,
            low,
            address_bits: address.map_or(0, |signal| bits(signal)),
            bytes: address.map_or(0, |signal| 1 << bits(signal)),
            streams: streams(&streamed),
            packed: streamed.iter().any(|port| lanes(&streamed, port.prefix) > 1),
            ports: others.iter().map(|signal| Port::of(signal)).collect(),
            wires: Vec::new(),
            buses: Vec::new(),
        };
        let wire = |signal: &Signal, expression: String| (side(signal) + &signal.name, expression);
        let reset_signal = if low { "~ResetSignal()" } else { "ResetSignal()" };
        core.wires.push(wire(clock, "ClockSignal()".into()));
        core.wires.push(wire(reset, reset_signal.into()));
        core.wires.extend(streamed.iter().map(|port| wire(port.signal, endpoint(&streamed, *port))));
        let registers = control.iter().filter_map(|signal| Some(wire(signal, axil(signal)?)));
        core.wires.extend(registers);
        core.wires.extend(others.iter().map(|signal| wire(signal, format!("ports[\"{}\"]", signal.name))));
        // An association names a clock that is there.
        let polarity = if low { "ACTIVE_LOW" } else { "ACTIVE_HIGH" };
        core.buses.push(Bus::signal(clock, ("signal:clock", "slave", "CLK"), vec![]));
        core.buses.push(Bus::signal(reset, ("signal:reset", "slave", "RST"), vec!["POLARITY", polarity]));
        let interrupt = others.iter().filter(|signal| signal.name == "irq");
        core.buses.extend(interrupt.map(|signal| {
            let kind = ("signal:interrupt", "master", "INTERRUPT");
            Bus::signal(signal, kind, vec!["SENSITIVITY", "LEVEL_HIGH"])
        }));
        core.buses.extend(buses(&streamed));
        if !control.is_empty() {
            let maps = control
                .iter()
                .filter_map(|signal| Some(Map::whole(signal.name.strip_prefix("s_axil_")?, signal)));
            let bus = Bus::new("s_axil", "interface:aximm", "slave", maps.collect());
            core.buses.push(Bus { parameter: vec!["PROTOCOL", "AXI4LITE"], ..bus });
        }
        core
    }
}

/// The prefix of a connection of migen's `Instance`.
fn side(signal: &Signal) -> String {
    if signal.kind == Kind::Input { "i_".into() } else { "o_".into() }
}

impl<'a> Port<'a> {
    fn of(signal: &'a Signal) -> Port<'a> {
        let short = without_direction(&signal.name);
        let input = signal.kind == Kind::Input;
        Port {
            name: &signal.name,
            short: if KEYWORDS.contains(&short) { format!("{short}_") } else { short.into() },
            bits: bits(signal),
            input,
            meaning: signal.meaning,
            csr: !signal.vector && bits(signal) <= CSR_BITS,
            pulse: input && short == "start",
        }
    }
}

impl Bus {
    fn new(name: &str, kind: &'static str, mode: &'static str, maps: Vec<Map>) -> Bus {
        Bus { name: name.into(), kind, mode, maps, clocked: true, parameter: Vec::new() }
    }

    /// A clock, a reset or an interrupt.
    fn signal(
        signal: &Signal,
        (kind, mode, logical): (&'static str, &'static str, &str),
        parameter: Vec<&'static str>,
    ) -> Bus {
        let bus = Bus::new(&signal.name, kind, mode, vec![Map::whole(logical, signal)]);
        Bus { clocked: false, parameter, ..bus }
    }
}

/// The attributes of LiteX that the streams become.
fn streams(ports: &[StreamPort]) -> Vec<Streams> {
    let mut all: Vec<Streams> = Vec::new();
    for prefix in prefixes(ports) {
        let (name, count) = (attribute(prefix), lanes(ports, prefix));
        let numbered = prefix.ends_with(|digit: char| digit.is_ascii_digit());
        let many = numbered || count > 1;
        let name = if many { format!("{name}s") } else { name.into() };
        if let Some(group) = all.iter_mut().find(|group| group.name == name) {
            group.count += count;
            continue;
        }
        let own = ports.iter().filter(|port| port.prefix == prefix);
        let carried = own.filter(|port| !["valid", "ready", "last"].contains(&port.role));
        all.push(Streams {
            name,
            count,
            many,
            fields: carried.map(|port| (port.role.to_string(), bits(port.signal) / count)).collect(),
        });
    }
    all
}

/// What the LiteX module connects to a port of a stream: a field of the stream's endpoint. A port for all terminals gets the concatenation of this
/// field of all endpoints.
fn endpoint(ports: &[StreamPort], port: StreamPort) -> String {
    let (name, role) = (attribute(port.prefix), port.role);
    let number = port.prefix.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    match (number.parse::<u32>(), lanes(ports, port.prefix)) {
        (Ok(at), _) => format!("self.{name}s[{at}].{role}"),
        (Err(_), 1) => format!("self.{name}.{role}"),
        (Err(_), _) => format!("Cat(*[lane.{role} for lane in self.{name}s])"),
    }
}

/// What the LiteX module connects to a port of the AXI4-Lite registers; none for any other port.
fn axil(signal: &Signal) -> Option<String> {
    let name = signal.name.strip_prefix("s_axil_")?;
    let channel = CHANNELS.iter().find(|channel| name.starts_with(**channel))?;
    let field = name.strip_prefix(channel)?;
    // LiteX has addresses of 32 bits.
    let part = if field == "addr" { format!("[:{}]", bits(signal)) } else { String::new() };
    Some(format!("self.bus.{channel}.{field}{part}"))
}

/// A bus of Vivado for each stream. Streams that lie side by side have parts of the ports.
fn buses(ports: &[StreamPort]) -> Vec<Bus> {
    let of = |prefix: &str| {
        let count = lanes(ports, prefix);
        let own: Vec<&StreamPort> = ports.iter().filter(|port| port.prefix == prefix).collect();
        let taken = own.iter().any(|port| port.role == "valid" && port.signal.kind == Kind::Input);
        let bus = |lane: u32| {
            let name = if count > 1 { format!("{prefix}{lane:02}_axis") } else { format!("{prefix}_axis") };
            let map = |port: &&StreamPort| {
                let width = bits(port.signal) / count;
                let part = (count > 1).then_some(((lane + 1) * width - 1, lane * width));
                Map { part, ..Map::whole(&format!("t{}", port.role), port.signal) }
            };
            let mode = if taken { "slave" } else { "master" };
            Bus::new(&name, "interface:axis", mode, own.iter().map(map).collect())
        };
        (0..count).map(bus).collect::<Vec<_>>()
    };
    prefixes(ports).into_iter().flat_map(of).collect()
}

/// `T.py` of each top T, whose module stands at the same place in `modules`, and `package_ip.tcl` of all.
pub(crate) fn render(
    tops: &[Top],
    modules: &[&Module],
    (library, description): (&str, &str),
    command: &str,
) -> Files {
    let version = env!("CARGO_PKG_VERSION").rsplit_once('.').map_or("1.0", |(front, _)| front).to_string();
    let cores = tops.iter().zip(modules).map(|(top, module)| Core::of(top, module));
    let mut design = Integrated { command, library, description, version, tops: cores.collect() };
    let script = fill(include_str!("../testbench/package_ip.tcl.tera"), &context(&design));
    let mut files = Files::new();
    for core in std::mem::take(&mut design.tops) {
        design.tops = vec![core];
        let list = design.tops[0].list;
        files.push((
            format!("{list}.py"),
            fill(include_str!("../testbench/litex.py.tera"), &context(&design)),
        ));
    }
    files.push((SCRIPT.into(), script));
    files
}

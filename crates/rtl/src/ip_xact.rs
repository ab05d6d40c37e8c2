//! A top with bundles of ports for other tools: `component.xml`, IP-XACT (IEEE 1685-2014). Its ports come from the module, its buses from
//! the names of the pins, its registers from [`frit_cells::registers`].

use crate::crossbar_registers as crossbar;
use crate::registers::{sized_constant, streamed as streamed_registers};
use crate::template::{context, fill};
use frit_cells::design::axis::{AXIL, Bundles, pins};
use frit_cells::design::crossbar::Hardware;
use frit_cells::design::pinout::Pinout;
use frit_cells::design::reset::{Reset, clock_and_reset};
use frit_cells::netlist::{Kind, Module, Signal};
use frit_cells::registers::{Access, Constants, Field, REGISTERS, SPACE, VERSION};
use frit_demand::crossbar::ADDRESS_BITS;
use frit_schedule::Plan;
use serde::Serialize;

pub const FILE: &str = "component.xml";

/// The namespace, and the folder of the schema.
const SCHEMA: &str = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";

/// What the template is filled with.
#[derive(Serialize)]
struct Component<'a> {
    schema: &'static str,
    top: &'a str,
    version: &'static str,
    description: String,
    buses: Vec<Bus>,
    registers: Vec<Register>,
    /// What the address map says of itself.
    about_map: String,
    space: u32,
    ports: Vec<Port<'a>>,
    files: &'a [String],
}

/// A bus interface; AMBA's definitions have clock and reset among its logical ports.
#[derive(Serialize)]
struct Bus {
    name: String,
    meaning: String,
    protocol: &'static str,
    version: &'static str,
    target: bool,
    memory_map: bool,
    maps: Vec<Map>,
}

/// A logical port, its physical port, and bits of that, if it is a part.
#[derive(Clone, Serialize)]
struct Map {
    logical: String,
    port: String,
    range: Option<[u32; 2]>,
}

#[derive(Serialize)]
struct Register {
    name: String,
    meaning: &'static str,
    address: String,
    fields: Vec<Bits>,
}

/// A field of a register.
#[derive(Serialize)]
struct Bits {
    name: &'static str,
    meaning: &'static str,
    low: u32,
    bits: u32,
    /// None where it shows the state of the design.
    reset: Option<String>,
    volatile: bool,
    access: &'static str,
    /// What writing 1 does, in the words of the schema, if that is not writing.
    modifies: Option<&'static str>,
}

impl Map {
    fn whole(logical: &str, port: &str) -> Map {
        Map { logical: logical.to_uppercase(), port: port.into(), range: None }
    }
}

#[derive(Serialize)]
struct Port<'a> {
    name: &'a str,
    meaning: &'static str,
    direction: &'static str,
    bits: u32,
}

/// `component.xml` of the top `module` with these ports, whose files are `files`, written by `command`; `constants` are what its registers
/// read, if it has some.
pub fn render(
    plan: &Plan,
    bundles: Bundles,
    module: &Module,
    constants: Option<&Constants>,
    files: &[String],
    command: &str,
) -> String {
    let registers = constants
        .into_iter()
        .flat_map(|constants| REGISTERS.map(|register| of(register, constants.of(register.name))));
    let about = about_map();
    component(module, buses(plan, bundles), registers.collect(), (about, SPACE), files, command)
}

/// `component.xml` of a core with one stream in and one out, whose top `module` has this pinout; whether its sizes are loaded, and what its registers
/// read, if it has some.
pub fn streamed(
    module: &Module,
    pinout: Pinout,
    (loads, constants): (bool, &[(&'static str, u32)]),
    files: &[String],
    command: &str,
) -> String {
    let maps = |bus: &str| {
        let prefix = format!("{bus}_");
        let own = |port: &Signal| Some(Map::whole(port.name.strip_prefix(&prefix)?, &port.name));
        let own: Vec<Map> = module.ports().filter_map(own).collect();
        common(pinout.reset).into_iter().chain(own)
    };
    let sides = [("s_axis", "input stream", true), ("m_axis", "output stream", false)];
    let streams =
        sides.map(|(name, meaning, target)| stream(name.into(), meaning.into(), target, maps(name)));
    let control =
        (!constants.is_empty()).then(|| control("registers that identify the core", maps("s_axil")));
    let registers = streamed_registers(loads).iter().filter(|_| !constants.is_empty());
    let registers = registers.map(|register| of(*register, sized_constant(register.name, constants)));
    component(
        module,
        streams.into_iter().chain(control).collect(),
        registers.collect(),
        (about_map(), SPACE),
        files,
        command,
    )
}

/// What the map of registers says of itself.
fn about_map() -> String {
    format!(
        "Version {}.{} of the map; an access behind it is answered with SLVERR.",
        VERSION >> 16,
        VERSION & 0xffff
    )
}

/// The component of a module: its buses, its registers with what is said of them and the bytes that they take, its files.
fn component(
    module: &Module,
    buses: Vec<Bus>,
    registers: Vec<Register>,
    (about_map, space): (String, u32),
    files: &[String],
    command: &str,
) -> String {
    let component = Component {
        schema: SCHEMA,
        top: &module.name,
        version: env!("CARGO_PKG_VERSION"),
        description: format!(
            "{} Generated; do not edit. Generator: {command}",
            module.header.first().map_or("", String::as_str)
        ),
        buses,
        registers,
        about_map,
        space,
        ports: module.signals.iter().filter_map(port).collect(),
        files,
    };
    fill(include_str!("../testbench/component.xml.tera"), &context(&component))
}

/// `component.xml` of a crossbar: each stream is a part of the packed ports. Its reset is active high, so it is in no bus.
pub fn crossbar(hardware: &Hardware, module: &Module, files: &[String], command: &str) -> String {
    let (n, width) = (hardware.shape.terminals(), hardware.width);
    let clock = Map::whole("ACLK", "clk_i");
    let sides = [("s", true, "input"), ("m", false, "output")];
    let lanes = sides.into_iter().flat_map(|side| (0..n).map(move |lane| (side, lane)));
    let streams = lanes.map(|((side, target, word), lane)| {
        let map = |&(what, bits): &(&str, u32)| Map {
            logical: what.to_uppercase(),
            port: format!("{side}_axis_{what}_{}", if target == (what == "tready") { "o" } else { "i" }),
            range: Some([(lane + 1) * bits - 1, lane * bits]),
        };
        let parts = [("tvalid", 1), ("tready", 1), ("tdata", width), ("tlast", 1)];
        let maps = [clock.clone()].into_iter().chain(parts.iter().map(map));
        stream(format!("{side}{lane:02}_axis"), format!("{word} stream {lane}"), target, maps)
    });
    let ports = AXIL.iter().filter_map(|(name, ..)| Some(Map::whole(name.strip_prefix("s_axil_")?, name)));
    let control = control("registers of sources and settings", [clock.clone()].into_iter().chain(ports));
    let registers = crossbar::registers(hardware.shape).into_iter().map(of_crossbar).collect();
    let about = "An access to any other address is answered with SLVERR.".to_string();
    component(
        module,
        streams.chain([control]).collect(),
        registers,
        (about, 1 << ADDRESS_BITS),
        files,
        command,
    )
}

fn of_crossbar(register: crossbar::Register) -> Register {
    let bits = |field: crossbar::Field| Bits {
        name: field.name,
        meaning: field.meaning,
        low: field.low,
        bits: field.bits,
        reset: Some(format!("'h{:x}", field.reset)),
        volatile: field.access != crossbar::Access::Written,
        access: if field.access == crossbar::Access::Shown { "read-only" } else { "read-write" },
        modifies: (field.access == crossbar::Access::Sets).then_some("oneToSet"),
    };
    Register {
        name: register.name,
        meaning: register.meaning,
        address: format!("'h{:x}", register.address),
        fields: register.fields.into_iter().map(bits).collect(),
    }
}

fn port(signal: &frit_cells::netlist::Signal) -> Option<Port<'_>> {
    let direction = match signal.kind {
        Kind::Input => "in",
        Kind::Output => "out",
        Kind::Vector | Kind::Wires | Kind::Array => return None,
    };
    Some(Port { name: &signal.name, meaning: signal.meaning, direction, bits: signal.lanes * signal.width })
}

/// An AXI4-Stream in and one out for each terminal, and the port of the registers.
fn buses(plan: &Plan, bundles: Bundles) -> Vec<Bus> {
    let common = common(bundles.reset);
    let map =
        |name: &str, prefix: &str| Some(Map::whole(name.strip_prefix(prefix)?.strip_prefix('_')?, name));
    let pins = pins(plan, bundles);
    let sides = [("s", true, "input"), ("m", false, "output")];
    let streams =
        sides.into_iter().flat_map(|side| (0..plan.network.terminals()).map(move |lane| (side, lane)));
    let streams = streams.map(|((side, target, word), lane)| {
        let name = format!("{side}{lane:02}_axis");
        let maps = pins.iter().filter_map(|pin| map(&pin.name, &name));
        let maps: Vec<Map> = common.iter().cloned().chain(maps).collect();
        stream(name, format!("{word} stream of terminal {lane}"), target, maps.into_iter())
    });
    let control = bundles.registers.then(|| {
        let maps = AXIL.iter().filter_map(|(name, ..)| map(name, "s_axil"));
        control("registers of control and status", common.iter().cloned().chain(maps))
    });
    streams.chain(control).collect()
}

/// Clock and reset, parts of each bus. AXI's reset is active low: another one is in no bus.
fn common(reset: Reset) -> Vec<Map> {
    let [clock, port] = clock_and_reset(reset);
    let common = [("ACLK", clock), ("ARESETn", port)].into_iter().take(1 + usize::from(reset.low));
    common.map(|(logical, port)| Map { logical: logical.into(), port: port.into(), range: None }).collect()
}

fn stream(name: String, meaning: String, target: bool, maps: impl Iterator<Item = Map>) -> Bus {
    let (protocol, version) = ("AXI4Stream", "r0p0_1");
    Bus { name, meaning, protocol, version, target, memory_map: false, maps: maps.collect() }
}

fn control(meaning: &str, maps: impl Iterator<Item = Map>) -> Bus {
    Bus {
        name: "s_axil".into(),
        meaning: meaning.into(),
        protocol: "AXI4-Lite",
        version: "r0p0_0",
        target: true,
        memory_map: true,
        maps: maps.collect(),
    }
}

fn of(register: frit_cells::registers::Register, value: Option<u32>) -> Register {
    let bits = |field: &Field| {
        let constant = value.map(|value| (value & field.mask()) >> field.low);
        Bits {
            name: field.name,
            meaning: field.meaning,
            low: field.low,
            bits: field.bits,
            reset: (field.access != Access::Read).then(|| format!("'h{:x}", constant.unwrap_or(0))),
            volatile: matches!(field.access, Access::Read | Access::Clear),
            access: match field.access {
                Access::Read | Access::Constant => "read-only",
                Access::ReadWrite | Access::Clear => "read-write",
                Access::Pulse => "write-only",
            },
            modifies: (field.access == Access::Clear).then_some("oneToClear"),
        }
    };
    Register {
        name: register.name.into(),
        meaning: register.meaning,
        address: format!("'h{:x}", register.address),
        fields: register.fields.iter().map(bits).collect(),
    }
}

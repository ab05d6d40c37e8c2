//! A top with bundles of ports for other tools: `component.xml`, IP-XACT (IEEE 1685-2014). Its ports come from the module, its buses from
//! the names of the pins, its registers from [`frit_cells::registers`].

use crate::template::{context, fill};
use frit_cells::design::axis::{AXIL, Bundles, clock_and_reset, pins};
use frit_cells::netlist::{Kind, Module};
use frit_cells::registers::{Access, Constants, Field, REGISTERS, SPACE, VERSION};
use frit_schedule::Plan;
use serde::Serialize;

/// The name of the file.
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
    /// None without registers.
    registers: Vec<Register>,
    map_version: String,
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
    /// Logical and physical port.
    maps: Vec<[String; 2]>,
}

#[derive(Serialize)]
struct Register {
    name: &'static str,
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
    /// Whether writing 1 clears it.
    clears: bool,
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
    let registers =
        constants.into_iter().flat_map(|constants| REGISTERS.map(|register| of(register, constants)));
    let component = Component {
        schema: SCHEMA,
        top: &module.name,
        version: env!("CARGO_PKG_VERSION"),
        description: format!(
            "{} Generated; do not edit. Generator: {command}",
            module.header.first().map_or("", String::as_str)
        ),
        buses: buses(plan, bundles),
        registers: registers.collect(),
        map_version: format!("{}.{}", VERSION >> 16, VERSION & 0xffff),
        space: SPACE,
        ports: module.signals.iter().filter_map(port).collect(),
        files,
    };
    fill(include_str!("../testbench/component.xml.tera"), &context(&component))
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
    let [clock, reset] = clock_and_reset(bundles.reset);
    // AXI's reset is active low: another one is in no bus.
    let common = [("ACLK", clock), ("ARESETn", reset)].into_iter().take(1 + usize::from(bundles.reset.low));
    let common: Vec<[String; 2]> = common.map(|(logical, port)| [logical.into(), port.into()]).collect();
    let map = |name: &str, prefix: &str| {
        let logical = name.strip_prefix(prefix)?.strip_prefix('_')?;
        Some([logical.to_uppercase(), name.to_string()])
    };
    let pins = pins(plan, bundles);
    let sides = [("s", true, "input"), ("m", false, "output")];
    let streams =
        sides.into_iter().flat_map(|side| (0..plan.network.terminals()).map(move |lane| (side, lane)));
    let streams = streams.map(|((side, target, word), lane)| {
        let name = format!("{side}{lane:02}_axis");
        let maps = pins.iter().filter_map(|pin| map(&pin.name, &name));
        Bus {
            meaning: format!("{word} stream of terminal {lane}"),
            protocol: "AXI4Stream",
            version: "r0p0_1",
            target,
            memory_map: false,
            maps: common.iter().cloned().chain(maps).collect(),
            name,
        }
    });
    let control = bundles.registers.then(|| {
        let maps = AXIL.iter().filter_map(|(name, ..)| map(name, "s_axil"));
        Bus {
            name: "s_axil".into(),
            meaning: "registers of control and status".into(),
            protocol: "AXI4-Lite",
            version: "r0p0_0",
            target: true,
            memory_map: true,
            maps: common.iter().cloned().chain(maps).collect(),
        }
    });
    streams.chain(control).collect()
}

fn of(register: frit_cells::registers::Register, constants: &Constants) -> Register {
    let value = constants.of(register.name);
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
            clears: field.access == Access::Clear,
        }
    };
    Register {
        name: register.name,
        meaning: register.meaning,
        address: format!("'h{:x}", register.address),
        fields: register.fields.iter().map(bits).collect(),
    }
}

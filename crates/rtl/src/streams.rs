//! The testbench of `D_axis`, its file lists, and its part of the Makefile.

use crate::template::{context, fill};
use crate::testbench::lists_with;
use crate::{Files, ip_xact};
use frit_cells::design::axis::{self, AXIL, Bundles, Face, Streams, pins};
use frit_cells::design::reset::{Reset, clock_and_reset};
use frit_cells::netlist::Module;
use frit_cells::registers::{Constants, REGISTERS, Register, SPACE};
use frit_schedule::{Demand, Plan};
use serde::Serialize;
use std::collections::BTreeMap;

/// Exchanges of the testbench: both sets of memories are used twice.
pub const EXCHANGES: u32 = 4;
/// The seed of its order and pauses, unless another is given.
const SEED: u32 = 1;

/// What the templates are filled with.
#[derive(Serialize)]
struct Top<'a> {
    /// The top's name in the Makefile, and a target for all tops of its kind.
    name: &'a str,
    kind: &'a str,
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    terminals: u32,
    address_bits: u32,
    width_bits: u32,
    words: u32,
    sets: u32,
    lanes: u32,
    /// Whether each cycle of an exchange, once the first words are there, brings every terminal a word.
    steady: bool,
    exchanges: u32,
    cycles: u64,
    /// Cycles from an exchange to the next one without a gap, and whether it may begin later, too.
    period: u64,
    joins_late: bool,
    /// Clock cycles for an exchange with all pauses.
    limit: u64,
    seed: u32,
    /// The ports of the top with what they are connected to.
    pins: Vec<[String; 2]>,
    /// Those that outputs may be wired to, also with that output; and the names of the two ports that start an exchange.
    tied: Vec<[String; 3]>,
    start: String,
    ready: String,
    /// Wires for what fills the bytes of an output: names with their ranges.
    padding: Vec<String>,
    /// Cycles from the end of the reset until the top has left it.
    reset_delay: u32,
    /// The registers; empty texts without.
    registers: Registers,
}

/// What the testbench has for registers.
#[derive(Default, Serialize)]
struct Registers {
    declarations: String,
    tasks: String,
}

/// What its model and its tasks are filled with.
#[derive(Serialize)]
struct Tasks {
    addresses: BTreeMap<&'static str, String>,
    names: Vec<[String; 2]>,
    /// The first address without a register.
    space: String,
    constants: Vec<[String; 3]>,
}

/// The testbench side of a top with streams, S = `D_axis_lLENGTH_bBUFFERS`: `tb_S.sv`, the file lists `S.f` (without testbench)
/// and `S_tb.f`, and `S.mk`, which the Makefile of the design includes; of bundles also `component.xml`. `module` is S, `rtl_files` are the module's own files in the order in which
/// tools should read them.
pub fn render(
    plan: &Plan,
    width_bits: u32,
    streams: Streams,
    module: &Module,
    rtl_files: &[String],
) -> Files {
    let design = plan.design_name(width_bits);
    let (name, command) = (streams.suffix(), generator(plan, width_bits, Some(streams)));
    let top = format!("{design}_{name}");
    let tb = format!("tb_{top}");
    let cycles = axis::cycles(plan, streams);
    let words = u64::from(plan.network.terminals()) * u64::from(streams.words);
    let all = connections(plan, width_bits, streams, module);
    let (start, ready) = (port_of(&all, "start_i"), port_of(&all, "ready_o"));
    let (pins, tied) = tied(all);
    let values = context(&Top {
        name: &name,
        kind: "axis",
        design: &design,
        top: &top,
        tb: &tb,
        command: &command,
        terminals: plan.network.terminals(),
        address_bits: plan.address_bits(),
        width_bits,
        words: streams.words,
        sets: streams.sets,
        lanes: plan.lanes_per_terminal(),
        steady: steady(plan),
        exchanges: EXCHANGES,
        cycles,
        period: plan.message_period(streams.words),
        joins_late: plan.joins_late(streams.words),
        // Streams that pause as often as not, and some more.
        limit: 16 * (words + cycles + 16),
        seed: SEED,
        tied,
        start,
        ready,
        pins,
        padding: padding(plan, streams),
        reset_delay: streams.reset().delay(),
        registers: bundles_with_registers(streams).map_or_else(Registers::default, |bundles| {
            Registers::of(&axis::constants(plan, width_bits, streams, bundles))
        }),
    });
    // What every port shows in every cycle is known of the plain top; around it resets come later, and words are padded.
    let plain = matches!(streams.face, Face::Packed(reset) if reset == Reset::default());
    let template = match plain {
        true => include_str!("../testbench/axis.sv.tera"),
        false => include_str!("../testbench/axis_around.sv.tera"),
    };
    let mut files = vec![(format!("{tb}.sv"), fill(template, &values))];
    files.extend(lists_with(&top, &command, rtl_files, streams.reset().delay() == 0));
    let targets = [include_str!("../testbench/top.mk.tera"), include_str!("../testbench/ties.mk.tera")];
    let targets = targets.map(|template| fill(template, &values));
    files.push((format!("{top}.mk"), targets.concat()));
    let registers = bundles_with_registers(streams);
    let constants = registers.map(|bundles| axis::constants(plan, width_bits, streams, bundles));
    if let Some(constants) = &constants {
        files.extend(crate::registers::render(&top, &command, constants));
    }
    if let Face::Bundles(bundles) = streams.face {
        let text = ip_xact::render(plan, bundles, module, constants.as_ref(), rtl_files, &command);
        files.push((ip_xact::FILE.into(), text));
    }
    files
}

/// Whether each cycle of an exchange, once the first words are there, brings every terminal a word that it has not had.
fn steady(plan: &Plan) -> bool {
    plan.lanes_per_terminal() == 1
        && plan.second_pass.is_none()
        && plan.demand == Demand::AllToAll
        && plan.rounds == plan.network.terminals()
}

/// The ports, if registers are among them.
fn bundles_with_registers(streams: Streams) -> Option<Bundles> {
    match streams.face {
        Face::Bundles(bundles) if bundles.registers => Some(bundles),
        _ => None,
    }
}

impl Registers {
    fn of(constants: &Constants) -> Registers {
        let declare = |(name, input, bits, _): (&str, bool, u32, &str)| {
            let range = if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
            format!("  {} {range}{name};\n", if input { "logic" } else { "wire " })
        };
        let address = |register: &Register| format!("8'h{:02x}", register.address);
        let value = |register: &Register| {
            let value = constants.of(register.name)?;
            Some([register.name.to_string(), address(register), format!("32'h{value:08x}")])
        };
        let tasks = Tasks {
            addresses: REGISTERS.iter().map(|register| (register.name, address(register))).collect(),
            names: REGISTERS.iter().map(|register| [register.name.into(), address(register)]).collect(),
            space: format!("8'h{SPACE:02x}"),
            constants: REGISTERS.iter().filter_map(value).collect(),
        };
        let values = context(&tasks);
        let state = fill(include_str!("../testbench/registers/state.sv.tera"), &values);
        let parts = [
            include_str!("../testbench/registers/model.sv.tera"),
            include_str!("../testbench/registers/tasks.sv.tera"),
        ];
        Registers {
            declarations: AXIL.map(declare).concat() + &state,
            tasks: parts.map(|part| fill(part, &values)).concat(),
        }
    }
}

/// The command that gives the design again, with its streams if it has some.
pub fn generator(plan: &Plan, width_bits: u32, streams: Option<Streams>) -> String {
    streams.map_or_else(|| plan.command(width_bits), |streams| streams.command(plan, width_bits))
}

/// The ports of the top, and what of the testbench's vectors each is connected to.
fn connections(plan: &Plan, width_bits: u32, streams: Streams, module: &Module) -> Vec<[String; 2]> {
    let reset = if streams.reset().low { "~rst_i" } else { "rst_i" };
    let mut all: Vec<[String; 2]> = match streams.face {
        Face::Packed(_) | Face::Clearable => {
            let inside = |name: &str| {
                if name == streams.reset().port() { reset.to_string() } else { name.to_string() }
            };
            module.ports().map(|port| [port.name.clone(), inside(&port.name)]).collect()
        }
        Face::Bundles(bundles) => bundled(plan, width_bits, bundles, reset),
    };
    let longest = all.iter().map(|[port, _]| port.len()).max().unwrap_or(0);
    all.iter_mut().for_each(|[port, _]| *port = format!("{port:longest$}"));
    all
}

fn bundled(plan: &Plan, width_bits: u32, bundles: Bundles, reset: &str) -> Vec<[String; 2]> {
    let [clk, rst] = clock_and_reset(bundles.reset);
    let lane_bits = |inner: &str| match inner {
        "s_axis_tdata_i" | "m_axis_tdata_o" => width_bits,
        "s_axis_tdest_i" | "m_axis_tid_o" => plan.address_bits(),
        _ => 1,
    };
    let given = pins(plan, bundles).into_iter().map(|pin| {
        let first = pin.terminal.0 * lane_bits(pin.inner) + pin.low;
        let slice = match (pin.inner.contains("_axis_"), lane_bits(pin.inner)) {
            (false, _) => pin.inner.to_string(),
            (true, 1) => format!("{}[{first}]", pin.inner),
            (true, _) => format!("{}[{first} +: {}]", pin.inner, pin.used),
        };
        let outside = match (pin.bits - pin.used, pin.input) {
            (0, _) => slice,
            // Ones, which nobody may see.
            (more, true) => format!("{{{{{more}{{1'b1}}}}, {slice}}}"),
            (_, false) => format!("{{unused_padding_{}, {slice}}}", pin.terminal),
        };
        [pin.name, outside]
    });
    let clocking = [[clk.into(), "clk_i".into()], [rst.into(), reset.into()]];
    let control = AXIL.iter().filter(|_| bundles.registers);
    let control = control.map(|(name, ..)| [name.to_string(), name.to_string()]);
    clocking.into_iter().chain(control).chain(given).collect()
}

/// Apart from the others what starts an exchange and what takes words, also as driven by what allows it and what offers them.
fn tied(all: Vec<[String; 2]>) -> (Vec<[String; 2]>, Vec<[String; 3]>) {
    let tie =
        |inside: &str| inside.replace("start_i", "ready_o").replace("m_axis_tready_i", "m_axis_tvalid_o");
    let (ties, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|[_, inside]| tie(inside) != *inside);
    let with_tie = |[port, inside]: [String; 2]| {
        let output = tie(&inside);
        [port, inside, output]
    };
    (others, ties.into_iter().map(with_tie).collect())
}

/// The port that a signal of the testbench is connected to.
fn port_of(pins: &[[String; 2]], inside: &str) -> String {
    pins.iter().find(|pin| pin[1] == inside).map(|pin| pin[0].trim_end().to_string()).unwrap_or_default()
}

/// Wires for what fills the bytes of an output.
fn padding(plan: &Plan, streams: Streams) -> Vec<String> {
    let Face::Bundles(bundles) = streams.face else { return Vec::new() };
    let pins = pins(plan, bundles).into_iter().filter(|pin| !pin.input && pin.bits > pin.used);
    pins.map(|pin| format!("[{}:0] unused_padding_{}", pin.bits - pin.used - 1, pin.terminal)).collect()
}

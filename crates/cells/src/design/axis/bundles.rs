//! The top whose ports are a bundle for each terminal (`s00_axis_tdata`, …, `aclk`, `aresetn`), around the module with vectors.

use super::streams::{Bundles, Streams};
use super::{contract, control};
use crate::design::axil::AXIL;
use crate::design::reset::clock_and_reset;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, ModuleId, Net, Of, Part};
use frit_network::TerminalIdx;
use frit_schedule::Plan;

/// A port of the top, and what it is of a port of the module inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub name: String,
    pub input: bool,
    /// Its bits; those above [`Pin::used`] fill bytes.
    pub bits: u32,
    pub inner: &'static str,
    /// The terminal, or 0.
    pub terminal: TerminalIdx,
    /// The first bit of that terminal's lane of the port inside.
    pub low: u32,
    pub used: u32,
    pub meaning: &'static str,
}

/// What starts an exchange and tells of it: name, port inside, bits, meaning.
const CONTROL: [(&str, &str, u32, &str); 10] = [
    ("start", "start_i", 1, "starts an exchange if ready is high"),
    ("ready", "ready_o", 1, "an exchange can start: all messages are loaded and the outputs have room"),
    ("busy", "busy_o", 1, "an exchange runs"),
    ("done", "done_o", 1, "high for one cycle after the end of an exchange"),
    ("cycles", "cycles_o", 32, "cycles of the last exchange, valid from done on"),
    ("error_missing", "missing_o", 1, "error: start while a message was missing"),
    ("error_double", "double_o", 1, "error: a duplicate message for a destination was dropped"),
    ("error_unknown", "unknown_o", 1, "error: a message for a terminal that does not exist was dropped"),
    ("error_length", "length_o", 1, "error: tlast in the wrong place"),
    ("error_conflict", "conflict_o", 1, "error: two messages wanted one output of a switch"),
];

/// The ports of the top, without clock and reset, in their order. Those inside have words of `bundles.word_bits()` bits.
pub fn pins(plan: &Plan, bundles: Bundles) -> Vec<Pin> {
    let control = CONTROL.map(|(name, inner, bits, meaning)| Pin {
        name: name.into(),
        input: inner.ends_with("_i"),
        bits,
        inner,
        terminal: TerminalIdx(0),
        low: 0,
        used: bits,
        meaning,
    });
    let terminals = plan.network.terminals();
    let side = |input: bool| {
        TerminalIdx::all(terminals).flat_map(move |terminal| stream(plan, bundles, input, terminal))
    };
    control.into_iter().chain(side(true)).chain(side(false)).collect()
}

fn stream(plan: &Plan, bundles: Bundles, input: bool, terminal: TerminalIdx) -> Vec<Pin> {
    let Bundles { data_bits, user_bits, .. } = bundles;
    let keep_bits = bundles.keep_bits();
    let address = plan.address_bits();
    let whom = match input {
        true => ("tdest", "s_axis_tdest_i", address, address, 0, "destination of the word's message"),
        false => ("tid", "m_axis_tid_o", address, address, 0, "source of the word's message"),
    };
    let inner = |input_name, output_name| if input { input_name } else { output_name };
    let data = inner("s_axis_tdata_i", "m_axis_tdata_o");
    let valid = ("tvalid", inner("s_axis_tvalid_i", "m_axis_tvalid_o"), 1, 1, 0, "tdata holds a word");
    let ready =
        ("tready", inner("s_axis_tready_o", "m_axis_tready_i"), 1, 1, 0, "the word on tdata is taken");
    let last =
        ("tlast", inner("s_axis_tlast_i", "m_axis_tlast_o"), 1, 1, 0, "the word is the last of its message");
    let rows: [(&str, &'static str, u32, u32, u32, &'static str); 7] = [
        ("tdata", data, 8 * bundles.bytes(), data_bits, 0, "word"),
        (
            "tkeep",
            data,
            keep_bits,
            keep_bits,
            data_bits,
            "bytes of the word that are valid, one bit for each; carried with the word",
        ),
        ("tuser", data, user_bits, user_bits, data_bits + keep_bits, "user bits, carried with the word"),
        whom,
        last,
        valid,
        ready,
    ];
    let side = if input { 's' } else { 'm' };
    let pin =
        |(name, inner, bits, used, low, meaning): (&str, &'static str, u32, u32, u32, &'static str)| Pin {
            name: format!("{side}{terminal:02}_axis_{name}"),
            input: inner.ends_with("_i"),
            bits,
            inner,
            terminal,
            low,
            used,
            meaning,
        };
    rows.into_iter().filter(|row| row.2 > 0).map(pin).collect()
}

/// The top while it is built.
struct Face {
    module: Module,
    pins: Vec<(Pin, Net)>,
}

/// The module `D_axis_lLENGTH_bBUFFERS_ports…` around `inner`, whose words have `width` bits.
pub(super) fn module(
    plan: &Plan,
    width: u32,
    streams: Streams,
    bundles: Bundles,
    inner: (ModuleId, &Module),
) -> Module {
    assert_eq!(width, bundles.word_bits(), "a word of the exchange is what a stream carries");
    let mut face = Face::new(plan, width, streams, bundles);
    let [clk, rst] = clock_and_reset(bundles.reset).map(|name| {
        let signal = face.module.find(name).expect("clock and reset are ports");
        Net { signal, lane: 0 }
    });
    let rst = bundles.reset.inside(&mut face.module, clk, rst);
    let mut instance =
        Instance::new("u_streams", Of::Module(inner.0)).input("clk_i", clk).input("rst_i", rst.clone());
    let registers = bundles.registers.then(|| {
        let constants = control::constants(plan, width, streams, bundles);
        control::add(&mut face.module, clk, rst, constants)
    });
    for port in &inner.1.signals {
        instance = match (port.kind, port.name.as_str()) {
            (_, "clk_i" | "rst_i") => instance,
            (_, "start_i") => {
                let by_port = face.drive("start_i", 1).swap_remove(0);
                let start = registers.as_ref().map_or(by_port.clone(), |by| by.or_start(&by_port));
                instance.input("start_i", start)
            }
            (_, "clear_i") => {
                instance.input("clear_i", registers.as_ref().expect("registers clear errors").clear)
            }
            (Kind::Input, name) => instance.inputs(name, face.drive(name, port.lanes)),
            (Kind::Output, name) => {
                let nets = face.driven(name, port.lanes, port.width);
                instance.outputs(name, nets)
            }
            _ => instance,
        };
    }
    face.module.instances.push(instance);
    face.unused();
    face.module
}

impl Face {
    fn new(plan: &Plan, width: u32, streams: Streams, bundles: Bundles) -> Face {
        let header = lines(plan, width, streams, bundles);
        let mut module = Module::new(format!("{}_{}", plan.design_name(width), streams.suffix()), header);
        let mut port = |kind, name: &str, bits, meaning| {
            let net = module.net(kind, name, bits);
            module.signals.last_mut().expect("a port was declared").meaning = meaning;
            net
        };
        let [clk, rst] = clock_and_reset(bundles.reset);
        port(Kind::Input, clk, 1, "clock, rising edge");
        port(Kind::Input, rst, 1, bundles.reset.meaning());
        if bundles.registers {
            for (name, input, bits, meaning) in AXIL {
                port(if input { Kind::Input } else { Kind::Output }, name, bits, meaning);
            }
        }
        let kind = |pin: &Pin| if pin.input { Kind::Input } else { Kind::Output };
        let pins = pins(plan, bundles)
            .into_iter()
            .map(|pin| {
                let net = port(kind(&pin), &pin.name, pin.bits, pin.meaning);
                (pin, net)
            })
            .collect();
        Face { module, pins }
    }

    /// The pins of a terminal of a port inside, the lowest first.
    fn of<'a>(
        &'a self,
        inner: &'a str,
        terminal: TerminalIdx,
    ) -> impl DoubleEndedIterator<Item = &'a (Pin, Net)> {
        self.pins.iter().filter(move |(pin, _)| pin.inner == inner && pin.terminal == terminal)
    }

    /// What drives an input inside, lane by lane.
    fn drive(&self, inner: &str, lanes: u32) -> Vec<Expr> {
        let part = |(pin, net): &(Pin, Net)| {
            let bits = (pin.used < pin.bits).then(|| (pin.used - 1, 0));
            Part::Net { net: *net, bits, invert: false }
        };
        TerminalIdx::all(lanes)
            .map(|terminal| Expr::Concat(self.of(inner, terminal).rev().map(part).collect()))
            .collect()
    }

    /// What an output inside drives: its pins, or wires from which those take their bits.
    fn driven(&mut self, inner: &str, lanes: u32, width: u32) -> Vec<Option<Net>> {
        // A tdata with padding can be as wide as the word without being the whole word: tuser and tkeep are beside it.
        let whole = |(pin, _): &(Pin, Net)| pin.used == width && pin.bits == width;
        let direct: Option<Vec<Option<Net>>> = TerminalIdx::all(lanes)
            .map(|terminal| self.of(inner, terminal).find(|pin| whole(pin)).map(|(_, net)| Some(*net)))
            .collect();
        if let Some(nets) = direct {
            return nets;
        }
        let wires: Bundle = self.module.bundle(Kind::Vector, inner.trim_end_matches("_o"), lanes, width);
        for (pin, net) in self.pins.iter().filter(|(pin, _)| pin.inner == inner) {
            let bits = Some((pin.low + pin.used - 1, pin.low));
            let part = Part::Net { net: wires.lane(pin.terminal.0), bits, invert: false };
            let padding = pin.bits - pin.used;
            let zeros = (padding > 0).then_some(Part::Const { value: 0, bits: padding });
            self.module.assigns.push((*net, Expr::Concat(zeros.into_iter().chain([part]).collect())));
        }
        wires.driven()
    }

    /// Says of the bits that only fill bytes that nothing reads them; linters know the name.
    fn unused(&mut self) {
        let fills = |(pin, _): &&(Pin, Net)| pin.input && pin.used < pin.bits;
        for (pin, net) in self.pins.iter().filter(fills) {
            let wire = format!("unused_padding_{}", pin.terminal);
            let wire = self.module.net(Kind::Wires, wire, pin.bits - pin.used);
            let part = Part::Net { net: *net, bits: Some((pin.bits - 1, pin.used)), invert: false };
            self.module.assigns.push((wire, Expr::Concat(vec![part])));
        }
    }
}

/// What the module promises.
fn lines(plan: &Plan, width: u32, streams: Streams, bundles: Bundles) -> Vec<String> {
    let mut lines = contract(plan, width, streams.inner());
    lines[0] =
        "The exchange with an AXI4-Stream input and an AXI4-Stream output for every terminal, each a bundle of ports.".into();
    lines[1] = format!("Generated by Fritillary: {}; do not edit.", streams.command(plan, width));
    // What the ports inside are called is not what these are called.
    lines.retain(|line| !line.starts_with("ready_o "));
    let end =
        if bundles.registers { "reset, or until software clears them in the registers" } else { "reset" };
    lines.push(format!("ready is high when all messages are loaded and the outputs have room; then start starts an exchange (tie start to ready to run whenever possible). error_missing: a start while a message was missing; error_double: a duplicate message was dropped; error_unknown: a message for a terminal that does not exist was dropped; error_length: tlast in the wrong place. Errors stay until {end}."));
    let [_, reset] = clock_and_reset(bundles.reset);
    let with = match (bundles.keep, bundles.user_bits) {
        (false, 0) => String::new(),
        (true, 0) => "; tkeep is carried with the word".into(),
        (false, _) => "; tuser is carried with the word".into(),
        (true, _) => "; tkeep and tuser are carried with the word".into(),
    };
    lines.push(format!(
        "The word is in the lowest {} bits of tdata; the padding bits above it are ignored on inputs and 0 on outputs{with}. {reset}: {}.",
        bundles.data_bits,
        bundles.reset.meaning()
    ));
    if bundles.registers {
        lines.push("s_axil: control and status registers behind an AXI4-Lite port; the C header beside this file has their map. An exchange starts by the register CONTROL or by the port start.".into());
    }
    lines
}

//! `D_axis`: the exchange between message memories, with an AXI4-Stream in and one out for every terminal.

mod bundles;
mod control;
mod drain;
mod load;
mod streams;

pub use super::axil::AXIL;
use super::exchange::{self, Form};
use super::pinout::Pinout;
use super::reset::Reset;
use super::{fabric, generated, header, labels};
use crate::cells::{AxisControlSpec, BeginCopySpec, ExchangeAgeSpec};
use crate::describe::counter_bits;
use crate::message::MessageWords;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, ModuleId, Net, Netlist, Of, Part};
pub use bundles::{Pin, pins};
pub use control::constants;
use frit_network::{Refusal, TerminalIdx, refuse};
use frit_schedule::{ControlInputs, Demand, Plan};
pub use streams::{Bundles, Face, Streams};

/// The longest message, in words.
pub const MAX_WORDS: u32 = 256;

/// Cycles of an exchange: as many as messages of this length take, and one in which the first word comes from its memory.
pub fn cycles(plan: &Plan, streams: Streams) -> u64 {
    plan.message_cycles(streams.words) + 1
}

/// Cycles from one exchange to the next if no stream pauses: with one set loading, exchanging and draining take turns, with two they overlap. Very
/// short messages may take up to two cycles more.
pub fn period(plan: &Plan, streams: Streams) -> u64 {
    let load = u64::from(plan.served()) * u64::from(streams.words);
    match streams.sets {
        1 => load + cycles(plan, streams) + 2,
        _ => load.max(plan.message_period(streams.words)),
    }
}

/// The modules `D_fabric`, `D_labels` if there is one, `D_axis_core` and `D_axis`, for words of `width` bits, and a top around them if
/// its ports are to look otherwise.
///
/// # Errors
/// If the plan cannot carry such messages.
pub fn build(plan: &Plan, width: u32, streams: Streams) -> Result<Netlist, Refusal> {
    check(plan, streams.words)?;
    let mut netlist = Netlist::of_design(plan.design_name(width));
    let fabric = netlist.add(fabric::module(plan, width));
    let labels = labels::module(plan, width).map(|module| netlist.add(module));
    let form = Form { words: streams.words, ahead: true };
    let inner = streams.inner();
    let plain = Streams::packed(streams.words, streams.sets);
    let name = format!("{}_core", plain.suffix());
    let mut exchange = exchange::module(plan, width, fabric, labels, form, &name);
    exchange.header[1] = generated(plan, width, &plain.arguments());
    let exchange = netlist.add(exchange);
    netlist.add(Axis::new(plan, width, inner).module(exchange));
    match streams.face {
        Face::Packed(Reset::OWN) | Face::Clearable => (),
        Face::Packed(reset) => {
            let pinout = Pinout { axis: false, reset };
            pinout.add(&mut netlist, generated(plan, width, &streams.arguments()));
        }
        Face::Bundles(face) => {
            let top = bundles::module(plan, width, streams, face, (netlist.top_id(), netlist.top()));
            netlist.add(top);
        }
    }
    Ok(netlist)
}

fn check(plan: &Plan, words: u32) -> Result<(), Refusal> {
    if !(1..=MAX_WORDS).contains(&words) {
        refuse!("message length {words} is out of range; give a length from 1 to {MAX_WORDS} words");
    }
    if plan.control_inputs() == ControlInputs::Shared && words > 1 {
        refuse!(
            "messages of {words} words do not work with one control bit for all levels, because that bit changes in every cycle; pass --set fanout=per-level, or use messages of 1 word"
        );
    }
    if plan.network.terminals() < 3 {
        refuse!(
            "streams need three terminals or more, and {} has {}; leave --axis out, or give a larger network",
            plan.name(),
            plan.network.terminals()
        );
    }
    match plan.demand {
        Demand::Among(_) => refuse!(
            "{} has spare terminals, and its streams would wait for their messages for ever; choose the next size without --pad, and send dummy messages from and to the extra terminals",
            plan.name()
        ),
        Demand::AllToAll if plan.lanes_per_terminal() == 1 || messages_of_a_lane(plan) == plan.rounds => {
            Ok(())
        }
        _ => refuse!(
            "{} does not send one message from every terminal to every terminal, but streams can only load and drain a complete exchange; choose an all-to-all system (frit systems)",
            plan.name()
        ),
    }
}

/// Different messages that arrive on a lane.
fn messages_of_a_lane(plan: &Plan) -> u32 {
    plan.network.terminals() / plan.lanes_per_terminal()
}

/// The module while it is built.
struct Axis<'a> {
    plan: &'a Plan,
    width: u32,
    streams: Streams,
    module: Module,
    clk: Net,
    rst: Net,
    input: Stream,
    output: Stream,
    /// The ports that start an exchange and tell of it, by their names.
    told: Vec<(&'static str, Net)>,
    /// An exchange begins with the next cycle, or in this one, and so in a copy for each terminal; one runs; the last word of one arrives.
    soon: Net,
    /// One runs in the next cycle, unless it begins with it: where nothing is loaded meanwhile.
    stays: Option<Net>,
    /// For the age of an exchange.
    begin: Option<Net>,
    begins: Bundle,
    running: Net,
    finished: Net,
    /// Errors that end, if they can.
    clear: Option<Net>,
    send_dest: Bundle,
    send_word: Option<Net>,
    send_data: Bundle,
    recv_valid: Bundle,
    recv_source: Bundle,
    recv_data: Bundle,
}

/// The signals of a stream of each terminal; `whom` is `tdest` or `tid`.
#[derive(Clone, Copy)]
struct Stream {
    valid: Bundle,
    ready: Bundle,
    data: Bundle,
    whom: Bundle,
    last: Bundle,
}

/// Errors that are kept.
const ERRORS: u32 = 5;

/// The outputs of one bit that tell of the exchange.
const FLAGS: [&str; 8] =
    ["ready_o", "busy_o", "done_o", "missing_o", "double_o", "unknown_o", "length_o", "conflict_o"];

/// What the ports of `D_axis` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    (
        "start_i",
        "starts an exchange if ready_o is high: at once, or when the last words of the running exchange have entered",
    ),
    (
        "clear_i",
        "errors to clear, one bit for each: missing, double, unknown, length, conflict from bit 0 on",
    ),
    ("cycles_o", "cycles of the last exchange, valid from done_o on"),
    (
        "ready_o",
        "a start is taken: all messages are loaded, the outputs have room, and no other start is pending",
    ),
    ("busy_o", "an exchange runs"),
    ("done_o", "high for one cycle after the end of an exchange"),
    ("missing_o", "error: start while a message was missing"),
    ("double_o", "error: a duplicate message for a destination was dropped"),
    ("unknown_o", "error: a message for a terminal that does not exist was dropped"),
    ("length_o", "error: tlast in the wrong place"),
    ("conflict_o", "error: two messages wanted one output of a switch"),
    ("s_axis_tvalid_i", "input stream of each terminal: s_axis_tdata_i holds a word"),
    ("s_axis_tready_o", "the word on s_axis_tdata_i is taken"),
    ("s_axis_tdata_i", "word"),
    ("s_axis_tdest_i", "destination of the word's message"),
    ("s_axis_tlast_i", "the word is the last of its message"),
    ("m_axis_tvalid_o", "output stream of each terminal: m_axis_tdata_o holds a word"),
    ("m_axis_tready_i", "the word on m_axis_tdata_o is taken"),
    ("m_axis_tdata_o", "word"),
    ("m_axis_tid_o", "source of the word's message"),
    ("m_axis_tlast_o", "the word is the last of its message"),
];

/// What each terminal reports.
struct Reports {
    full: Bundle,
    room: Bundle,
    double: Bundle,
    unknown: Bundle,
    length: Bundle,
}

impl<'a> Axis<'a> {
    fn new(plan: &'a Plan, width: u32, streams: Streams) -> Self {
        let mut module = Module::new(
            format!("{}_{}", plan.design_name(width), streams.suffix()),
            contract(plan, width, streams),
        );
        let clk = module.net(Kind::Input, "clk_i", 1);
        let rst = module.net(Kind::Input, "rst_i", 1);
        let start = ("start_i", module.net(Kind::Input, "start_i", 1));
        let clear = (streams.face == Face::Clearable).then(|| module.net(Kind::Input, "clear_i", ERRORS));
        let cycles = ("cycles_o", module.net(Kind::Output, "cycles_o", 32));
        let flags = FLAGS.map(|name| (name, module.net(Kind::Output, name, 1)));
        let (terminals, lanes) = (plan.network.terminals(), plan.network.lanes());
        let address = plan.address_bits();
        let input = stream(&mut module, "s_axis", "tdest", terminals, width, address);
        let output = stream(&mut module, "m_axis", "tid", terminals, width, address);
        module.explain(PORTS);
        let word_bits = MessageWords::new(streams.words).bits;
        Axis {
            told: [start, cycles].into_iter().chain(flags).collect(),
            clear,
            soon: module.net(Kind::Wires, "starting_soon", 1),
            stays: (streams.sets == 1).then(|| module.net(Kind::Wires, "running_on", 1)),
            begin: (streams.sets > 1).then(|| module.net(Kind::Wires, "starting", 1)),
            begins: module.bundle(Kind::Vector, "begins", terminals, 1),
            running: module.net(Kind::Wires, "running", 1),
            finished: module.net(Kind::Wires, "finished", 1),
            send_dest: module.bundle(Kind::Vector, "send_dest", lanes, address),
            send_word: (streams.words > 1).then(|| module.net(Kind::Wires, "send_word", word_bits)),
            send_data: module.bundle(Kind::Vector, "send_data", lanes, width),
            recv_valid: module.bundle(Kind::Vector, "recv_valid", lanes, 1),
            recv_source: module.bundle(Kind::Vector, "recv_source", lanes, address),
            recv_data: module.bundle(Kind::Vector, "recv_data", lanes, width),
            plan,
            width,
            streams,
            module,
            clk,
            rst,
            input,
            output,
        }
    }

    fn module(mut self, exchange: ModuleId) -> Module {
        let (terminals, lanes) = (self.plan.network.terminals(), self.plan.network.lanes());
        let mut wires = |name: &str, count| self.module.bundle(Kind::Vector, name, count, 1);
        let reports = Reports {
            full: wires("full", terminals),
            room: wires("room", lanes),
            double: wires("double", terminals),
            unknown: wires("unknown", terminals),
            length: wires("length", terminals),
        };
        self.control(exchange, &reports);
        for terminal in TerminalIdx::all(terminals) {
            self.begins(terminal);
            self.load(terminal, &reports);
            self.drain(terminal, &reports);
        }
        self.module
    }

    /// The exchange and what starts it.
    fn control(&mut self, exchange: ModuleId, reports: &Reports) {
        let module = &mut self.module;
        let [taking, taking_next, pending, conflict] =
            ["taking", "taking_next", "pending", "conflict"].map(|name| module.net(Kind::Wires, name, 1));
        let run_cycles = module.net(Kind::Wires, "run_cycles", 32);
        let any = |bundle: Bundle, count: u32, invert: bool| {
            let bit = |at| Part::Net { net: bundle.lane(at), bits: None, invert };
            Expr::Any((0..count).map(bit).collect())
        };
        let (terminals, lanes) = (self.plan.network.terminals(), self.plan.network.lanes());
        let cycles = self.age(run_cycles);
        let module = &mut self.module;
        let mut instance = Instance::new("u_control", Of::cell(AxisControlSpec))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("waiting_i", any(reports.full, terminals, true))
            .input("crowded_i", any(reports.room, lanes, true))
            .input("taking_i", taking)
            .input("next_i", taking_next)
            .input("running_i", self.running)
            .input("finished_i", self.finished)
            .input("cycles_i", cycles)
            .input("twice_i", any(reports.double, terminals, false))
            .input("nowhere_i", any(reports.unknown, terminals, false))
            .input("uneven_i", any(reports.length, terminals, false))
            .input("clash_i", conflict)
            .input("clear_i", self.clear.map_or(Expr::constant(0, ERRORS), Expr::from))
            .output("pending_o", pending)
            .output("soon_o", self.soon);
        instance = match self.begin {
            Some(begin) => instance.output("begin_o", begin),
            None => instance.unused("begin_o"),
        };
        for &(port, net) in &self.told {
            instance = match port {
                "start_i" => instance.input(port, net),
                _ => instance.output(port, net),
            };
        }
        module.instances.push(instance);
        let mut instance = Instance::new("u_exchange", Of::Module(exchange))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("start_i", pending)
            .output("ready_o", taking)
            .output("next_o", taking_next)
            .outputs("stays_o", vec![self.stays])
            .outputs("send_valid_o", vec![None; lanes as usize])
            .outputs("send_dest_o", self.send_dest.driven());
        if let Some(word) = self.send_word {
            instance = instance.output("send_word_o", word);
        }
        module.instances.push(
            instance
                .inputs("send_data_i", self.send_data.drive())
                .outputs("recv_valid_o", self.recv_valid.driven())
                .outputs("recv_source_o", self.recv_source.driven())
                .outputs("recv_data_o", self.recv_data.driven())
                .output("busy_o", self.running)
                .output("done_o", self.finished)
                .output("conflict_o", conflict)
                .output("cycles_o", run_cycles),
        );
    }

    /// The register that says to a terminal that an exchange begins.
    fn begins(&mut self, TerminalIdx(terminal): TerminalIdx) {
        self.module.instances.push(
            Instance::new(format!("u_begin_{terminal}"), Of::cell(BeginCopySpec))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("soon_i", self.soon)
                .output("begin_o", self.begins.lane(terminal)),
        );
    }

    /// The cycle of the exchange whose last word arrives next, from that of the one that began last: with two sets of memories
    /// two may be under way.
    fn age(&mut self, newest: Net) -> Expr {
        let Some(begin) = self.begin else { return newest.into() };
        let bits = counter_bits(cycles(self.plan, self.streams));
        let age = self.module.net(Kind::Wires, "age", bits);
        let part = |high, low| Part::Net { net: newest, bits: Some((high, low)), invert: false };
        // Linters know the name.
        let unused = self.module.net(Kind::Wires, "unused_run_cycles", 32 - bits);
        self.module.assigns.push((unused, Expr::Concat(vec![part(31, bits)])));
        self.module.instances.push(
            Instance::new("u_age", Of::cell(ExchangeAgeSpec { bits }))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("begin_i", begin)
                .input("running_i", self.running)
                .input("finished_i", self.finished)
                .input("cycle_i", Expr::Concat(vec![part(bits - 1, 0)]))
                .output("cycle_o", age),
        );
        Expr::Concat(vec![Part::Const { value: 0, bits: 32 - bits }, age.into()])
    }

    fn lanes_of(&self, terminal: TerminalIdx) -> std::ops::Range<u32> {
        let owned = self.plan.lanes_per_terminal();
        terminal.0 * owned..(terminal.0 + 1) * owned
    }
}

/// What the module promises.
fn contract(plan: &Plan, width: u32, streams: Streams) -> Vec<String> {
    let mut lines = header(
        plan,
        width,
        "The exchange with an AXI4-Stream input and an AXI4-Stream output for every terminal, terminal 0 in the lowest bits.",
    );
    lines[1] = generated(plan, width, &streams.arguments());
    let words = match streams.words {
        1 => "1 word".to_string(),
        words => format!("{words} words"),
    };
    lines.push(format!(
        "Terminal i loads one message of {words} for every terminal, in any order (s_axis: tdest is the destination, tlast marks the last word), and receives one message from every terminal (m_axis: tid is the source)."
    ));
    lines.push(format!(
        "A round lasts {} cycles. A run takes {} cycles; cycles_o shows them from done_o on.",
        streams.words,
        cycles(plan, streams)
    ));
    lines.push(match streams.sets {
        1 => "Memories for one set of messages: loading, exchanging and draining take turns.".into(),
        _ => "Memories for two sets of messages: loading, exchanging and draining overlap.".into(),
    });
    let end = match streams.face {
        Face::Clearable => {
            "reset, or until clear_i clears them; an error that occurs in the cycle of clear_i stays"
        }
        _ => "reset",
    };
    lines.push("No output follows an input in the same cycle.".into());
    lines.push(format!("ready_o is high when all messages are loaded, the outputs have room, and no other start is pending; then start_i starts an exchange, at once or when the last words of the running exchange have entered (tie start_i to ready_o to run whenever possible). Errors: missing_o: a start while a message was missing; double_o: a duplicate message was dropped; unknown_o: a message for a terminal that does not exist was dropped; length_o: tlast in the wrong place. Errors stay until {end}."));
    lines
}

fn stream(module: &mut Module, name: &str, whom: &str, count: u32, width: u32, address: u32) -> Stream {
    let (there, back) = match whom {
        "tdest" => (Kind::Input, "o"),
        _ => (Kind::Output, "i"),
    };
    let (suffix, ready) = match there {
        Kind::Input => ("i", Kind::Output),
        _ => ("o", Kind::Input),
    };
    Stream {
        valid: module.bundle(there, format!("{name}_tvalid_{suffix}"), count, 1),
        ready: module.bundle(ready, format!("{name}_tready_{back}"), count, 1),
        data: module.bundle(there, format!("{name}_tdata_{suffix}"), count, width),
        whom: module.bundle(there, format!("{name}_{whom}_{suffix}"), count, address),
        last: module.bundle(there, format!("{name}_tlast_{suffix}"), count, 1),
    }
}

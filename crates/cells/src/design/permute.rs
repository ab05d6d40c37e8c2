//! `D_permute`: a streamed permutation with one wide AXI4-Stream in and one out.
//!
//! Nothing between the input and the queue at the output ever stands still. One bit from a register, `advance`, lets beats in and lets beats
//! out of the memories; it is low while the queue has no place for another beat under way. Writing and the decision to read see the same
//! bit, delayed alike, so reading stays at most wait + 1 beats behind writing and the memories never overflow. The decision to read is
//! made where beats enter, and is delayed as long as the words are on their way to the memories. Counters run one beat ahead, so that
//! settings and addresses come from registers.

mod axil;
mod loaded;
mod memory;
mod network;
mod queue;

pub use axil::{constants, with_registers};
pub use loaded::size_bits;
pub use memory::address_bits;
pub use queue::pointers;

use crate::cells::{
    BeatCheckSpec, BeatGateSpec, RoundDelaySpec, StepRegisterSpec, StrideCounterSpec, TurnWordSpec,
};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use frit_network::{LaneIdx, Refusal, refuse};
use frit_permute::parts::{self, Count};
use frit_permute::{Form, Streamed};
use frit_schedule::plan::Variant;

/// The most lanes of a design with stored settings: a stage's states stand in one word of a table.
const MAX_STORED_LANES: u32 = 128;

/// What a design with words of `width` bits is called.
pub fn design_name(plan: &Streamed, width: u32) -> String {
    Variant::design_name(plan.variant.as_ref(), format!("{}_w{width}", plan.name()))
}

/// What its top is called.
pub fn top_name(plan: &Streamed, width: u32) -> String {
    format!("{}_permute", design_name(plan, width))
}

/// The netlist of `D_permute` for words of `width` bits.
///
/// # Errors
///
/// If the hardware has no place for such a permutation.
pub fn build(plan: &Streamed, width: u32) -> Result<Netlist, Refusal> {
    if plan.cycles < 2 {
        refuse!(
            "{} has data sets of one cycle, so no memory and nothing to control; give a data set of two cycles or more",
            plan.name()
        );
    }
    if plan.form == Form::Coloured && plan.inner_lanes > MAX_STORED_LANES {
        refuse!(
            "{} has {} lanes with stored settings, more than the {MAX_STORED_LANES} that hardware is made for; give a smaller -n",
            plan.name(),
            plan.inner_lanes
        );
    }
    let mut netlist = Netlist::of_design(design_name(plan, width));
    let core = Core::new(plan, width);
    netlist.add(if plan.form == Form::Loaded { core.loaded() } else { core.module() });
    Ok(netlist)
}

const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("s_axis_tvalid_i", "input stream: s_axis_tdata_i holds a beat"),
    ("s_axis_tready_o", "the beat on s_axis_tdata_i is taken; comes from a register"),
    ("s_axis_tdata_i", "the words of a beat, lane 0 in the lowest bits"),
    (
        "s_axis_tkeep_i",
        "bytes of the words that hold something, a bit each, lane 0 in the lowest bits; goes where the words go",
    ),
    ("s_axis_tuser_i", "what goes with the words, lane 0 in the lowest bits"),
    ("s_axis_tlast_i", "the beat is the last of its data set"),
    ("m_axis_tvalid_o", "output stream: m_axis_tdata_o holds a beat; comes from a register"),
    ("m_axis_tready_i", "the beat on m_axis_tdata_o is taken"),
    (
        "m_axis_tdata_o",
        "the words of a beat, lane 0 in the lowest bits; comes from the output registers of memories",
    ),
    ("m_axis_tkeep_o", "bytes of the words that hold something, a bit each, lane 0 in the lowest bits"),
    ("m_axis_tuser_o", "what goes with the words, lane 0 in the lowest bits"),
    ("m_axis_tlast_o", "the beat is the last of its data set; comes from a register"),
    ("rows_i", "rows of the next matrix, in blocks of as many rows as a beat has words"),
    ("columns_i", "columns of the next matrix, in blocks of as many columns as a beat has words"),
    ("error_o", "error: s_axis_tlast_i came early or late; stays until reset"),
];

/// A count of beats at a place of the stream.
struct Counted {
    /// A beat passes the place.
    step: Net,
    /// The digits of the beat after this one, the slowest first; none for a digit that is always 0.
    digits: Vec<Option<Net>>,
    /// The turn of the data set of the beat after this one.
    turn: Option<Net>,
    /// This beat is the last of its data set, if anybody asks.
    ends: Option<Net>,
}

impl Counted {
    /// The digits side by side.
    fn place(&self) -> Vec<Part> {
        self.digits.iter().flatten().map(|&digit| digit.into()).collect()
    }
}

/// The beats at a place of the stream.
struct Stage {
    valid: Net,
    data: Vec<Expr>,
}

/// What a stream carries beside valid, ready and last: the name of the port, the bits of a lane.
pub fn fields(plan: &Streamed, width: u32) -> impl Iterator<Item = (&'static str, u32)> {
    let [keep, user] = plan.side_bits(width);
    [("tdata", width), ("tkeep", keep), ("tuser", user)].into_iter().filter(|(_, bits)| *bits > 0)
}

/// The module while it is built.
struct Core<'a> {
    plan: &'a Streamed,
    /// Bits of the words of the streams.
    data_bits: u32,
    /// Bits that go with a word, tkeep and tuser included.
    width: u32,
    module: Module,
    clk: Net,
    rst: Net,
    /// `s_axis_tvalid_i`.
    valid: Net,
    /// Beats may come in: `s_axis_tready_o`.
    advance: Net,
}

/// What belongs to a beat that came in, a cycle later: `advance`, `tlast`; and the port of the error.
#[derive(Clone, Copy)]
struct Entry {
    gate: Net,
    tlast: Net,
    error: Net,
}

/// Where decisions to read are made: beats as they are known there, long before their words are at the memories.
struct Frame {
    /// A beat is known to be written, and the same one is the last of its data set.
    wrote: Net,
    ends: Net,
    /// `advance` as long ago as `wrote`.
    gate: Net,
    /// Cycles until the words of the beat are at the place that has been reached.
    behind: u32,
}

impl<'a> Core<'a> {
    fn new(plan: &'a Streamed, width: u32) -> Self {
        let mut module = Module::new(top_name(plan, width), contract(plan, width));
        let clk = module.net(Kind::Input, "clk_i", 1);
        let rst = module.net(Kind::Input, "rst_i", 1);
        let valid = module.net(Kind::Input, "s_axis_tvalid_i", 1);
        let advance = module.net(Kind::Output, "s_axis_tready_o", 1);
        Core { plan, data_bits: width, width: plan.word_bits(width), module, clk, rst, valid, advance }
    }

    fn module(mut self) -> Module {
        let valid = self.valid;
        let data = self.bundles(Kind::Input, "s_axis", "i");
        let tlast = self.module.net(Kind::Input, "s_axis_tlast_i", 1);
        let output = self.output_ports();
        let error = self.module.net(Kind::Output, "error_o", 1);
        self.module.explain(PORTS);
        self.module.heading("The input: a register.");
        let step = self.wire("step".into(), 1);
        self.module.instances.push(
            Instance::new("u_step", Of::cell(BeatGateSpec))
                .input("valid_i", valid)
                .input("advance_i", self.advance)
                .output("step_o", step),
        );
        let taken = self.delay("taken", 1, step.into());
        let gate = self.delay("gate", 1, self.advance.into());
        let tlast = self.delay("tlast", 1, tlast.into());
        let entry = Entry { gate, tlast, error };
        let words = self.input_words(&data);
        let idle = self.plan.inner_lanes - self.plan.lanes;
        let nothing = (0..idle).map(|_| Expr::constant(0, self.width));
        let mut stage = Stage { valid: taken, data: words.into_iter().chain(nothing).collect() };
        let mut counted: Option<Counted> = None;
        let mut frame: Option<Frame> = None;
        for (at, part) in self.plan.parts.iter().enumerate() {
            let tag = tag(self.plan.form, at);
            match part {
                parts::Part::Spatial(network) => {
                    // Behind a memory the beat was counted two cycles ago when it comes to the network.
                    let own = counted.is_none();
                    if own {
                        counted = Some(self.count(tag, &network.count, 1, stage.valid, None, true));
                    }
                    if let (None, Some(counted)) = (&frame, &counted) {
                        frame = Some(self.entry(counted, entry));
                    }
                    stage = self.network(tag, network, counted.as_ref(), if own { 0 } else { 2 }, stage);
                    frame = frame.map(|frame| Frame { behind: frame.behind + network.stages(), ..frame });
                }
                parts::Part::Temporal(memory) => {
                    let last = at + 2 >= self.plan.parts.len();
                    let (reading, read, after) = self.memory(tag, memory, stage, (frame, entry), last);
                    (stage, counted, frame) = (read, Some(reading), Some(after));
                }
            }
        }
        self.queue(stage, frame.expect("a memory is passed").wrote, None, output);
        self.module
    }

    /// The words of a beat, behind the registers at the input.
    fn input_words(&mut self, data: &[(u32, Bundle)]) -> Vec<Expr> {
        let word = |lane| Expr::Concat(data.iter().rev().map(|(_, field)| field.lane(lane).into()).collect());
        (0..self.plan.lanes)
            .map(|lane| self.word(&format!("input_{lane}"), self.width, word(lane)).into())
            .collect()
    }

    /// The frame of the first part, and the check of `tlast` there.
    fn entry(&mut self, counted: &Counted, entry: Entry) -> Frame {
        let ends = counted.ends.expect("asked for where beats enter");
        let instance = self
            .clocked("u_check".into(), Of::cell(BeatCheckSpec), true)
            .input("step_i", counted.step)
            .input("ends_i", ends)
            .input("tlast_i", entry.tlast)
            .output("error_o", entry.error);
        self.module.instances.push(instance);
        Frame { wrote: counted.step, ends, gate: entry.gate, behind: 0 }
    }

    /// The ports of a stream that have lanes, with the bits of a lane, those of the lowest bits of a word first.
    fn bundles(&mut self, kind: Kind, stream: &str, end: &str) -> Vec<(u32, Bundle)> {
        let lanes = self.plan.lanes;
        let port = |(field, bits): (&str, u32)| {
            (bits, self.module.bundle(kind, format!("{stream}_{field}_{end}"), lanes, bits))
        };
        fields(self.plan, self.data_bits).map(port).collect()
    }

    fn wire(&mut self, name: String, bits: u32) -> Net {
        self.module.net(Kind::Wires, name, bits)
    }

    /// An instance with the clock, and with the reset if it has one.
    fn clocked(&self, name: String, of: Of, reset: bool) -> Instance {
        let instance = Instance::new(name, of).input("clk_i", self.clk);
        if reset { instance.input("rst_i", self.rst) } else { instance }
    }

    /// A register that takes `data` with `step`.
    fn register(&mut self, name: &str, bits: u32, start: u64, step: Net, data: Expr) -> Net {
        let to = self.wire(name.into(), bits);
        let spec = StepRegisterSpec { bits, start };
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(spec), true)
            .input("step_i", step)
            .input("data_i", data)
            .output("data_o", to);
        self.module.instances.push(instance);
        to
    }

    /// A register of the control that takes `data` in every cycle.
    fn delay(&mut self, name: &str, bits: u32, data: Expr) -> Net {
        let to = self.wire(name.into(), bits);
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(RoundDelaySpec { bits }), true)
            .input("round_i", data)
            .output("round_o", to);
        self.module.instances.push(instance);
        to
    }

    /// So many of them behind each other; none for no cycle.
    fn delayed(&mut self, name: &str, bits: u32, data: Expr, cycles: u32) -> Option<Net> {
        (0..cycles).fold(None, |before: Option<Net>, cycle| {
            let data = before.map_or_else(|| data.clone(), Expr::from);
            Some(self.delay(&format!("{name}_{cycle}"), bits, data))
        })
    }

    /// A register for a word.
    fn word(&mut self, name: &str, width: u32, data: Expr) -> Net {
        let to = self.wire(name.into(), width);
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(TurnWordSpec { width }), false)
            .input("data_i", data)
            .output("data_o", to);
        self.module.instances.push(instance);
        to
    }

    /// A counter in strides that is only asked when it begins again.
    fn carrier(&mut self, name: &str, spec: StrideCounterSpec, step: Net) -> Net {
        let wrap = self.wire(format!("{name}_wrap"), 1);
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(spec), true)
            .input("step_i", step)
            .unused("count_o")
            .output("wrap_o", wrap);
        self.module.instances.push(instance);
        wrap
    }

    /// A counter in strides; the count and whether it begins again.
    fn counter(&mut self, name: &str, spec: StrideCounterSpec, step: Net, wraps: bool) -> (Net, Option<Net>) {
        let count = self.wire(name.into(), spec.bits);
        let wrap = wraps.then(|| self.wire(format!("{name}_wrap"), 1));
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(spec), true)
            .input("step_i", step)
            .output("count_o", count)
            .outputs("wrap_o", vec![wrap]);
        self.module.instances.push(instance);
        (count, wrap)
    }

    /// Counts the beats at a place of the stream where `valid` says that there is one; data sets take `orders` in turn.
    /// If only one digit is looked at, `only` says which.
    fn count(
        &mut self,
        tag: &str,
        count: &Count,
        orders: u32,
        valid: Net,
        only: Option<usize>,
        ends: bool,
    ) -> Counted {
        self.module.heading(format!("The beats at the part {tag}: counters run one beat ahead."));
        let step = valid;
        let ahead = count.digits(1);
        let mut digits = vec![None; count.radices.len()];
        let mut carry = step;
        for at in (0..count.radices.len()).rev() {
            let radix = count.radices[at];
            if radix == 1 {
                continue;
            }
            let (bits, last) = (parts::bits_of(radix), u64::from(radix) - 1);
            let spec = StrideCounterSpec { bits, first: ahead[at].into(), last, stride: 1 };
            let name = format!("{tag}_count_{at}");
            if only.is_some_and(|only| only != at) {
                carry = self.carrier(&name, spec, carry);
                continue;
            }
            let (digit, wrap) = self.counter(&name, spec, carry, true);
            digits[at] = Some(digit);
            carry = wrap.expect("asked for");
        }
        let turn = (orders > 1).then(|| {
            let bits = parts::bits_of(orders);
            let spec = StrideCounterSpec { bits, first: 0, last: u64::from(orders) - 1, stride: 1 };
            self.counter(&format!("{tag}_turn"), spec, carry, false).0
        });
        let ends = ends.then(|| self.register(&format!("{tag}_ends"), 1, 0, step, carry.into()));
        Counted { step, digits, turn, ends }
    }

    /// A word whose bits are those of a lane of several ports.
    fn fields_of(&mut self, name: &str, fields: &[(u32, Bundle)], lane: LaneIdx) -> Net {
        let word = self.wire(name.into(), self.width);
        let mut low = 0;
        for &(bits, field) in fields {
            let part = Part::Net { net: word, bits: Some((low + bits - 1, low)), invert: false };
            self.module.assigns.push((field.lane(lane.0), Expr::Concat(vec![part])));
            low += bits;
        }
        word
    }
}

/// What the signals of a part are called, by its place among the parts.
pub fn tag(form: Form, at: usize) -> &'static str {
    match (form, at) {
        (Form::TwoBanks, 0) => "first",
        (Form::TwoBanks, 1) => "network",
        (Form::TwoBanks, _) => "second",
        (_, 0) => "front",
        (_, 1) => "bank",
        _ => "behind",
    }
}

/// What the module promises.
fn contract(plan: &Streamed, width: u32) -> Vec<String> {
    let words = plan.order.words();
    let form = match plan.form {
        Form::OneBank => "one bank of memories between two networks, linear on the bits of a word's number",
        Form::TwoBanks => "one network between two banks of memories, linear on the bits of a word's number",
        Form::Skewed => "skewed storage between two xor Butterflies",
        Form::Loaded => "skewed storage between two xor Butterflies, with sizes that are loaded at run time",
        Form::Coloured => "one bank of memories between two Benes networks with stored settings",
    };
    let sizes = plan.largest().map(|(rows, columns)| {
        let lanes = plan.lanes;
        format!(
            "rows_i and columns_i are the size of the next matrix in blocks of {lanes} rows and of {lanes} columns: 1 to {} and 1 to {}. A matrix takes the size of the cycle before its first beat enters; all that is said here of a data set holds for the largest one. While a number is 0 or too large, no matrix begins. A matrix is read when all of it has entered, and the one after the next one enters when it has been read.",
            rows / lanes,
            columns / lanes
        )
    });
    let mut lines = vec![
        format!("A data set of {words} words streams in, {} a beat, and leaves in another order.", plan.lanes),
        format!("Generated by Fritillary: frit generate {}; do not edit.", arguments(plan, width)),
        format!("Form: {form}. {} switches in {} columns.", plan.switches(), plan.columns()),
        format!(
            "A data set has {} beats of {} words of {width} bits, lane 0 in the lowest bits. One beat a cycle; data sets follow without a gap or with any gap.",
            plan.cycles, plan.lanes
        ),
        format!(
            "Latency {} cycles from the first beat in to the first beat out if nothing pauses: {} of waiting for words, {} of registers.",
            plan.latency(),
            plan.waits(),
            plan.registers()
        ),
        format!(
            "s_axis_tready_o is low while {} beats or more are under way to the output or wait there. The last beats of a data set leave even if no other data set follows.",
            plan.queue().1
        ),
        "error_o rises when s_axis_tlast_i comes early or late, and stays until reset. Data sets are counted by their beats, whatever tlast says.".into(),
        format!("Source: {}.", plan.row.paper),
    ];
    lines.extend(sizes);
    lines
}

/// The arguments of commands that give the design again.
pub fn arguments(plan: &Streamed, width: u32) -> String {
    let mut text = format!("{} -n {}", plan.row.key, plan.lanes);
    for spec in plan.row.options {
        let Some(value) = plan.options.get(spec.name) else { continue };
        if spec.values.default().as_ref() != Some(value) {
            text += &format!(" --{} {value}", spec.name);
        }
    }
    let file = if plan.custom.is_some() { " and the file of its order" } else { "" };
    let variant = plan.variant.as_ref().map_or("", |variant| &variant.arguments);
    format!("{text} -w {width}{variant}{file}")
}

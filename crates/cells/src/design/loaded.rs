//! `D_loaded`: a Beneš network, or a network of the user's, whose schedule lies in two banks of memories. One runs while the other one is loaded through a stream.
//!
//! There are two memories for each word of an entry, written as the word comes. An entry moves from the output of the memories to registers of
//! the next entry, and from there to those of the running entry, which give the destinations. Settings are delayed to meet the words of
//! their round, which carry their source and destination: a word that comes to the wrong terminal is dropped and reported.

mod contract;

use crate::cells::{
    DelayLineSpec, ErrorFlagSpec, ProgramBeatSpec, RoundDelaySpec, ScheduleFetchSpec, ScheduleLoaderSpec,
    ScheduleSinkSpec, ScheduleSourceSpec, ScheduleWordSpec, StepRegisterSpec, SwitchSpec, TurnMemorySpec,
};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use contract::{PORTS, contract};
use frit_demand::loadable::Loadable;
use frit_demand::program::{BEAT_BITS, RUN_BITS, Shape};
use frit_network::{Network, StageIdx, TerminalIdx};
use frit_schedule::plan::Variant;
use frit_traffic::fnv::Fnv32;
use std::ops::Range;

/// What a design depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardware {
    /// The network, and its memory.
    pub on: Loadable,
    /// Bits of a word.
    pub width: u32,
    /// In what else its text differs from that of others.
    pub variant: Option<Variant>,
}

impl Hardware {
    /// A design for words of `width` bits.
    pub fn new(on: Loadable, width: u32) -> Self {
        Hardware { on, width, variant: None }
    }

    /// The sizes.
    pub fn shape(&self) -> Shape {
        self.on.shape()
    }

    /// What it is called: of wires that come from a file, 32 bits of a digest are part of it.
    pub fn design_name(&self) -> String {
        let Hardware { on, width, variant } = self;
        let digest = match on.permutes() {
            true => String::new(),
            false => format!("_x{:08x}", Fnv32::of_words(on.network().links().iter().flatten().copied())),
        };
        let own = format!("{}_w{width}_e{}{digest}", on.name(), self.shape().entries());
        Variant::design_name(variant.as_ref(), own)
    }

    /// What its top is called, and so are its testbench and its file lists.
    pub fn top_name(&self) -> String {
        format!("{}_loaded", self.design_name())
    }

    /// The arguments of `frit generate` that give it again.
    pub fn arguments(&self) -> String {
        let Hardware { on, width, variant } = self;
        let variant = variant.as_ref().map_or("", |variant| &variant.arguments);
        let (n, entries) = (self.shape().terminals(), self.shape().entries());
        match on.permutes() {
            true => format!("benes -n {n} -w {width} --demand FILE --entries {entries}{variant}"),
            false => format!("user --network FILE --schedule FILE -w {width} --entries {entries}{variant}"),
        }
    }

    /// The netlist of `D_loaded`.
    pub fn netlist(&self) -> Netlist {
        let mut netlist = Netlist::of_design(self.design_name());
        netlist.add(Core::new(self).module());
        netlist
    }
}

/// The control's outputs.
struct Fetched {
    reads: Net,
    bank: Net,
    entry: Net,
    moves: Net,
    steps: Net,
    round: Net,
    ends: Net,
}

/// Bits of an entry in a memory, of which the first has the run length: as many as let block RAMs of 18 bits use the registers at their
/// outputs.
const PIECE_BITS: u32 = RUN_BITS;

/// Bits of an entry in a register: `low` is the first one that the register has.
struct Piece {
    net: Net,
    bits: Range<u32>,
}

/// A word of a program, and what is known of it.
struct Beat {
    valid: Net,
    data: Net,
    above: Net,
    run: Net,
    once: Net,
    last: Net,
}

struct Core {
    shape: Shape,
    width: u32,
    network: Network,
    module: Module,
    clk: Net,
    rst: Net,
}

/// The ports of the terminals.
struct Terminals {
    send_valid: Bundle,
    send_data: Bundle,
    recv_valid: Bundle,
    recv_source: Bundle,
    recv_data: Bundle,
}

impl Core {
    fn new(hardware: &Hardware) -> Self {
        let (shape, width) = (hardware.shape(), hardware.width);
        let network = hardware.on.network().clone();
        let mut module = Module::new(hardware.top_name(), contract(hardware));
        let clk = module.net(Kind::Input, "clk_i", 1);
        let rst = module.net(Kind::Input, "rst_i", 1);
        Core { shape, width, network, module, clk, rst }
    }

    fn module(mut self) -> Module {
        let (n, bits, width) = (self.shape.terminals(), self.shape.terminal_bits(), self.width);
        let stream = self.stream_ports();
        let [start, ready] = [(Kind::Input, "start_i"), (Kind::Output, "ready_o")]
            .map(|(kind, name)| self.module.net(kind, name, 1));
        let [send_ready, send_last] =
            ["send_ready_o", "send_last_o"].map(|name| self.module.net(Kind::Output, name, 1));
        let send_dest = self.module.bundle(Kind::Output, "send_dest_o", n, bits);
        let terminals = Terminals {
            send_valid: self.module.bundle(Kind::Input, "send_valid_i", n, 1),
            send_data: self.module.bundle(Kind::Input, "send_data_i", n, width),
            recv_valid: self.module.bundle(Kind::Output, "recv_valid_o", n, 1),
            recv_source: self.module.bundle(Kind::Output, "recv_source_o", n, bits),
            recv_data: self.module.bundle(Kind::Output, "recv_data_o", n, width),
        };
        let [done, load, early, stray] = ["done_o", "error_load_o", "error_start_o", "error_stray_o"]
            .map(|name| self.module.net(Kind::Output, name, 1));
        self.module.explain(PORTS);
        let [take, full] = ["take", "full"].map(|name| self.wire(name.into(), 1));
        let beat = self.beat(stream, full);
        let loader = self.loader(&beat, [take, full, load]);
        let (fetched, running) = self.memories(&beat, &loader, [start, ready, take, full, early]);
        self.module.assigns.push((send_ready, fetched.round.into()));
        self.module.assigns.push((send_last, fetched.ends.into()));
        for terminal in 0..n {
            let dest = self.field(&running, self.shape.destination_at(TerminalIdx(terminal)), bits);
            self.module.assigns.push((send_dest.lane(terminal), dest));
        }
        let words = self.inputs(fetched.round, send_dest, &terminals);
        let words = self.stages(&running, words);
        self.outputs(words, &terminals, stray);
        self.module.heading("The end of an exchange.");
        let cycles = self.shape.latency();
        let instance = self
            .clocked("u_done".into(), Of::cell(DelayLineSpec { cycles }))
            .input("bit_i", fetched.ends)
            .input("empty_i", Expr::constant(0, 1))
            .output("bit_o", done)
            .unused("only_o")
            .unused("empty_o");
        self.module.instances.push(instance);
        self.module
    }

    fn stream_ports(&mut self) -> [Net; 4] {
        let valid = self.module.net(Kind::Input, "s_axis_tvalid_i", 1);
        let ready = self.module.net(Kind::Output, "s_axis_tready_o", 1);
        let data = self.module.net(Kind::Input, "s_axis_tdata_i", BEAT_BITS);
        let last = self.module.net(Kind::Input, "s_axis_tlast_i", 1);
        [valid, ready, data, last]
    }

    fn wire(&mut self, name: String, bits: u32) -> Net {
        self.module.net(Kind::Wires, name, bits)
    }

    fn clocked(&self, name: String, of: Of) -> Instance {
        Instance::new(name, of).input("clk_i", self.clk).input("rst_i", self.rst)
    }

    /// The word of a program that was taken in the last cycle.
    fn beat(&mut self, [valid, ready, data, last]: [Net; 4], full: Net) -> Beat {
        let entry_bits = self.shape.entry_bits();
        self.module.heading("The words of programs come from registers.");
        // An entry of a single word may be shorter than that.
        let bits = self.shape.width().min(BEAT_BITS);
        let taken = self.wire("word".into(), bits);
        let [offered, above, run, once, ends] =
            ["word_valid", "word_above", "word_run", "word_once", "word_last"]
                .map(|name| self.wire(name.into(), 1));
        let instance = self
            .clocked("u_beat".into(), Of::cell(ProgramBeatSpec))
            .input("tvalid_i", valid)
            .input("above_i", Expr::Any(vec![slice(data, entry_bits + 1..BEAT_BITS)]))
            .input("one_i", Expr::Concat(vec![slice(data, 0..1)]))
            .input("more_i", Expr::Any(vec![slice(data, 1..RUN_BITS)]))
            .input("tlast_i", last)
            .input("full_i", full)
            .output("tready_o", ready)
            .output("valid_o", offered)
            .output("above_o", above)
            .output("run_o", run)
            .output("once_o", once)
            .output("last_o", ends);
        self.module.instances.push(instance);
        let instance = self
            .clocked("u_word".into(), Of::cell(RoundDelaySpec { bits }))
            .input("round_i", Expr::Concat(vec![slice(data, 0..bits)]))
            .output("round_o", taken);
        self.module.instances.push(instance);
        Beat { valid: offered, data: taken, above, run, once, last: ends }
    }

    /// The loader; its outputs are what is written, the bank, the entry and the last entry.
    fn loader(&mut self, beat: &Beat, [take, full, error]: [Net; 3]) -> [Net; 4] {
        let (beats, entry_bits) = (self.shape.beats(), self.shape.entry_bits());
        self.module.heading("The loader of the bank that does not run.");
        let write = self.wire("write".into(), beats);
        let bank = self.wire("load_bank".into(), 1);
        let [entry, last_entry] = ["load_entry", "last_entry"].map(|name| self.wire(name.into(), entry_bits));
        let instance = self
            .clocked("u_loader".into(), Of::cell(ScheduleLoaderSpec { beats, entry_bits }))
            .input("tvalid_i", beat.valid)
            .input("count_i", Expr::Concat(vec![slice(beat.data, 0..entry_bits)]))
            .input("most_i", Expr::Concat(vec![slice(beat.data, entry_bits..entry_bits + 1)]))
            .input("above_i", beat.above)
            .input("run_i", beat.run)
            .input("tlast_i", beat.last)
            .input("take_i", take)
            .unused("tready_o")
            .output("write_o", write)
            .output("bank_o", bank)
            .output("entry_o", entry)
            .output("full_o", full)
            .output("last_o", last_entry)
            .output("error_o", error);
        self.module.instances.push(instance);
        [write, bank, entry, last_entry]
    }

    /// The memories with the fetch; the running entry.
    fn memories(
        &mut self,
        word: &Beat,
        [write, load_bank, load_entry, last_entry]: &[Net; 4],
        [start, ready, take, full, early]: [Net; 5],
    ) -> (Fetched, Vec<Piece>) {
        self.module.heading("The memories, half of a word of an entry in each, and the next entry.");
        let entry_bits = self.shape.entry_bits();
        let [reads, bank, moves, steps, round, ends] =
            ["read", "bank", "move", "step", "round", "ends"].map(|name| self.wire(name.into(), 1));
        let entry = self.wire("entry".into(), entry_bits);
        let fetched = Fetched { reads, bank, entry, moves, steps, round, ends };
        let (mut next, mut running) = (Vec::new(), Vec::new());
        for piece in 0..self.shape.width().div_ceil(PIECE_BITS) {
            let low = piece * PIECE_BITS;
            let bits = (self.shape.width() - low).min(PIECE_BITS);
            let (beat, from) = (low / BEAT_BITS, low % BEAT_BITS);
            // The run length is followed by whether it is 1.
            let (stored, more) = if piece == 0 { (bits + 1, Some(word.once.into())) } else { (bits, None) };
            let data = more.into_iter().chain([slice(word.data, from..from + bits)]).collect();
            let [read, ahead] = ["read", "next"].map(|name| self.wire(format!("{name}_{piece}"), stored));
            let write = Expr::Concat(vec![bit(*write, self.shape.beats(), beat)]);
            let spec = TurnMemorySpec { address_bits: entry_bits + 1, width: stored };
            let memory = Instance::new(format!("u_memory_{piece}"), Of::cell(spec))
                .input("clk_i", self.clk)
                .input("write_i", write)
                .input("write_address_i", Expr::Concat(vec![(*load_bank).into(), (*load_entry).into()]))
                .input("data_i", Expr::Concat(data))
                .input("read_i", fetched.reads)
                .input("read_address_i", Expr::Concat(vec![fetched.bank.into(), fetched.entry.into()]))
                .output("data_o", read);
            self.module.instances.push(memory);
            let spec = ScheduleWordSpec { width: stored };
            let register = Instance::new(format!("u_next_{piece}"), Of::cell(spec))
                .input("clk_i", self.clk)
                .input("step_i", fetched.moves)
                .input("data_i", read)
                .output("data_o", ahead);
            self.module.instances.push(register);
            next.push(ahead);
        }
        self.module.heading("When an entry is next and when it runs; the running entry.");
        let [run, once] =
            [0..RUN_BITS, RUN_BITS..RUN_BITS + 1].map(|bits| Expr::Concat(vec![slice(next[0], bits)]));
        let instance = self
            .clocked("u_fetch".into(), Of::cell(ScheduleFetchSpec { entry_bits }))
            .input("start_i", start)
            .input("full_i", full)
            .input("bank_i", *load_bank)
            .input("last_i", *last_entry)
            .input("run_i", run)
            .input("once_i", once)
            .output("ready_o", ready)
            .output("take_o", take)
            .output("read_o", fetched.reads)
            .output("bank_o", fetched.bank)
            .output("entry_o", fetched.entry)
            .output("move_o", fetched.moves)
            .output("step_o", fetched.steps)
            .output("round_o", fetched.round)
            .output("ends_o", fetched.ends)
            .output("error_o", early);
        self.module.instances.push(instance);
        // The run length is counted, and not needed again.
        for (piece, ahead) in (0..).zip(next).skip(1) {
            let low = piece * PIECE_BITS;
            let bits = low..self.shape.width().min(low + PIECE_BITS);
            let net =
                self.register(&format!("running_{piece}"), bits.len() as u32, fetched.steps, ahead.into());
            running.push(Piece { net, bits });
        }
        (fetched, running)
    }

    fn register(&mut self, name: &str, bits: u32, step: Net, data: Expr) -> Net {
        let to = self.wire(name.into(), bits);
        let instance = self
            .clocked(format!("u_{name}"), Of::cell(StepRegisterSpec { bits, start: 0 }))
            .input("step_i", step)
            .input("data_i", data)
            .output("data_o", to);
        self.module.instances.push(instance);
        to
    }

    /// Bits of an entry, from its pieces.
    fn field(&self, pieces: &[Piece], low: u32, bits: u32) -> Expr {
        let wanted = low..low + bits;
        let common = |piece: &Piece| {
            let bits = wanted.start.max(piece.bits.start)..wanted.end.min(piece.bits.end);
            (!bits.is_empty()).then(|| slice_of(piece, bits))
        };
        Expr::Concat(pieces.iter().rev().filter_map(common).collect())
    }

    /// The terminals' words with their labels: valid, word.
    fn inputs(&mut self, round: Net, dest: Bundle, terminals: &Terminals) -> Vec<(Expr, Expr)> {
        let bits = self.shape.terminal_bits();
        self.module.heading("The terminals' words get their source and destination as a label.");
        (0..self.shape.terminals())
            .map(|terminal| {
                let valid = self.wire(format!("valid_{terminal}"), 1);
                let label = self.wire(format!("label_{terminal}"), bits);
                let instance = self
                    .clocked(format!("u_source_{terminal}"), Of::cell(ScheduleSourceSpec { bits }))
                    .input("round_i", round)
                    .input("dest_i", dest.lane(terminal))
                    .input("valid_i", terminals.send_valid.lane(terminal))
                    .output("valid_o", valid)
                    .output("dest_o", label);
                self.module.instances.push(instance);
                let source = Part::Const { value: terminal.into(), bits };
                let word = vec![source, label.into(), terminals.send_data.lane(terminal).into()];
                (valid.into(), Expr::Concat(word))
            })
            .collect()
    }

    /// The columns of switches, each with its settings of the round whose words it has.
    fn stages(&mut self, running: &[Piece], words: Vec<(Expr, Expr)>) -> Vec<(Expr, Expr)> {
        let (switches, width) = (self.shape.switches(), self.word_bits());
        let mut words = self.wired(0, words);
        for stage in 0..self.shape.stages() {
            self.module.heading(format!("Stage {stage}: its settings, and its switches."));
            let settings = self.field(running, self.shape.stage_at(stage), switches);
            let state = (0..=stage).fold(settings, |data, cycle| {
                let to = self.wire(format!("state_{stage}_{cycle}"), switches);
                let instance = self
                    .clocked(format!("u_state_{stage}_{cycle}"), Of::cell(RoundDelaySpec { bits: switches }))
                    .input("round_i", data)
                    .output("round_o", to);
                self.module.instances.push(instance);
                to.into()
            });
            let state = state.as_net().expect("settings are delayed by a cycle or more");
            let mut after = Vec::with_capacity(words.len());
            for (switch, pair) in words.chunks_exact(2).enumerate() {
                let mut instance = self
                    .clocked(format!("u_switch_{stage}_{switch}"), Of::cell(SwitchSpec { width }))
                    .input("state_i", Expr::Concat(vec![bit(state, switches, switch as u32)]));
                for (side, (valid, data)) in pair.iter().enumerate() {
                    let port = 2 * switch + side;
                    let out = [("valid", 1), ("data", width)]
                        .map(|(what, bits)| self.wire(format!("s{stage}_{what}_{port}"), bits));
                    instance = instance
                        .input(&format!("valid{side}_i"), valid.clone())
                        .input(&format!("data{side}_i"), data.clone())
                        .output(&format!("valid{side}_o"), out[0])
                        .output(&format!("data{side}_o"), out[1]);
                    after.push((out[0].into(), out[1].into()));
                }
                self.module.instances.push(instance);
            }
            words = self.wired(stage + 1, after);
        }
        words
    }

    /// The words behind a link column.
    fn wired(&self, column: u32, words: Vec<(Expr, Expr)>) -> Vec<(Expr, Expr)> {
        let mut wired = words.clone();
        for (word, &to) in words.into_iter().zip(self.network.link(StageIdx(column))) {
            wired[to as usize] = word;
        }
        wired
    }

    /// Bits of a word with its label.
    fn word_bits(&self) -> u32 {
        self.width + 2 * self.shape.terminal_bits()
    }

    fn outputs(&mut self, words: Vec<(Expr, Expr)>, terminals: &Terminals, error: Net) {
        let (bits, width) = (self.shape.terminal_bits(), self.width);
        self.module.heading("The terminals take their own words.");
        let mut strays = Vec::new();
        for (terminal, (valid, word)) in (0..).zip(words) {
            let word = word.as_net().expect("a word comes out of a switch");
            let stray = self.wire(format!("stray_{terminal}"), 1);
            let spec = ScheduleSinkSpec { bits, terminal: terminal.into() };
            let instance = self
                .clocked(format!("u_sink_{terminal}"), Of::cell(spec))
                .input("valid_i", valid)
                .input("dest_i", Expr::Concat(vec![slice(word, width..width + bits)]))
                .output("valid_o", terminals.recv_valid.lane(terminal))
                .output("stray_o", stray);
            self.module.instances.push(instance);
            let source = slice(word, width + bits..width + 2 * bits);
            self.module.assigns.push((terminals.recv_source.lane(terminal), Expr::Concat(vec![source])));
            let data = slice(word, 0..width);
            self.module.assigns.push((terminals.recv_data.lane(terminal), Expr::Concat(vec![data])));
            strays.push(stray.into());
        }
        let instance = self
            .clocked("u_stray".into(), Of::cell(ErrorFlagSpec))
            .input("error_i", Expr::Any(strays))
            .output("error_o", error);
        self.module.instances.push(instance);
    }
}

/// Some bits of a net.
fn slice(net: Net, bits: Range<u32>) -> Part {
    Part::Net { net, bits: Some((bits.end - 1, bits.start)), invert: false }
}

/// A bit of a net that has `of`.
fn bit(net: Net, of: u32, bit: u32) -> Part {
    if of == 1 { net.into() } else { slice(net, bit..bit + 1) }
}

/// Some bits of an entry, all of them in this piece.
fn slice_of(piece: &Piece, bits: Range<u32>) -> Part {
    if bits == piece.bits {
        return piece.net.into();
    }
    slice(piece.net, bits.start - piece.bits.start..bits.end - piece.bits.start)
}

//! `D_selftest`: sources and checkers around the unchanged exchange, and a report over a serial line.

mod line;
mod signature;

pub use line::Line;
pub use signature::Signature;

use super::axil::slice;
use crate::cells::{CheckerSpec, PatternSpec, ReportSpec, RomSpec, SelftestControlSpec, UartTxSpec};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, ModuleId, Net, Netlist, Of, Part};
use frit_network::LaneIdx;
use frit_schedule::Plan;

/// Cycles from the end of an exchange until all checkers have told what they found.
const SETTLING: u64 = 10;

/// Bits of the seed of a run.
const SEED_BITS: u32 = 8;

/// The code of the table of the report that stands for a digit (`frit_report`).
const DIGIT: u64 = 128;

/// The netlist of [`super::build`] with `D_selftest` around its exchange. A bit of the serial line lasts `divider` cycles,
/// 4 at least.
pub fn build(plan: &Plan, width_bits: u32, divider: u64) -> Netlist {
    let mut netlist = super::build(plan, width_bits);
    let exchange = netlist.top_id();
    netlist.add(module(plan, width_bits, divider, exchange));
    netlist
}

/// What the top of the self-test is called, behind the name of the design and a `_`.
pub fn suffix(divider: u64) -> String {
    format!("selftest_d{divider}")
}

struct Selftest<'a> {
    plan: &'a Plan,
    width: u32,
    module: Module,
    clk: Net,
    rst: Net,
    seed: Net,
}

/// What the ports of `D_selftest` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("start_i", "starts a run; ignored while busy_o is high"),
    ("busy_o", "a run is under way, or its report is being sent"),
    ("pass_o", "a run has been judged, and no error has occurred since reset"),
    ("fail_o", "an error has occurred since reset"),
    ("cycles_o", "cycles of the last run"),
    ("errors_o", "errors since reset"),
    ("signature_o", "signature of the words of the last run"),
    ("uart_o", "report, a line of text, 8N1"),
];

fn module(plan: &Plan, width: u32, divider: u64, exchange: ModuleId) -> Module {
    let what = "Self-test of the exchange: every word names its source and its destination, and is checked where it arrives. After each run a line of text reports the result.";
    let mut header = super::header(plan, width, what);
    header[1] = super::generated(plan, width, " --selftest");
    header.push(format!(
        "uart_o is 8N1; a bit lasts {divider} cycles. A start while busy_o is high is ignored."
    ));
    let mut module = Module::new(format!("{}_{}", plan.design_name(width), suffix(divider)), header);
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let start = module.net(Kind::Input, "start_i", 1);
    let busy = module.net(Kind::Output, "busy_o", 1);
    let pass = module.net(Kind::Output, "pass_o", 1);
    let fail = module.net(Kind::Output, "fail_o", 1);
    let cycles = module.net(Kind::Output, "cycles_o", 32);
    let errors = module.net(Kind::Output, "errors_o", 32);
    let signature = module.net(Kind::Output, "signature_o", signature::BITS);
    let uart = module.net(Kind::Output, "uart_o", 1);
    module.explain(PORTS);
    let seed = module.net(Kind::Wires, "seed", SEED_BITS);
    let launch = module.net(Kind::Wires, "launch", 1);
    let ready = module.net(Kind::Wires, "ready", 1);
    let report = module.net(Kind::Wires, "report", 1);
    let testing = module.net(Kind::Wires, "testing", 1);
    let mut selftest = Selftest { plan, width, module, clk, rst, seed };
    let found = selftest.exchange(exchange, launch);
    let total = plan.message_cycles(1);
    let spec = SelftestControlSpec { limit: total + SETTLING, total };
    let control = Instance::new("u_control", Of::cell(spec))
        .input("clk_i", clk)
        .input("rst_i", rst)
        .input("start_i", start)
        .input("ready_i", ready)
        .input("done_i", found.done)
        .input("cycles_i", found.cycles)
        .input("conflict_i", found.conflict)
        .input("bad_i", Expr::Any(found.bad))
        .input("miscounted_i", Expr::Any(found.miscounted))
        .output("start_o", launch)
        .output("seed_o", seed)
        .output("busy_o", testing)
        .output("report_o", report)
        .output("pass_o", pass)
        .output("fail_o", fail)
        .output("cycles_o", cycles)
        .output("errors_o", errors);
    selftest.module.instances.push(control);
    let sending = Part::Net { net: ready, bits: None, invert: true };
    selftest.module.assigns.push((busy, Expr::Any(vec![testing.into(), sending])));
    selftest.signature(&found.words, launch, testing, signature);
    let fields = Expr::Concat(vec![cycles.into(), errors.into()]);
    let more = Expr::Concat(vec![Part::Const { value: 0, bits: 1 }, signature.into()]);
    selftest.report(divider, report, fail, [fields, more], [ready, uart]);
    selftest.module
}

/// What the self-test sees of the exchange.
struct Found {
    done: Net,
    cycles: Net,
    conflict: Net,
    bad: Vec<Part>,
    miscounted: Vec<Part>,
    /// Of each lane whether a word came, and its wrong bits.
    words: Vec<[Net; 2]>,
}

impl Selftest<'_> {
    /// The exchange with a source and a checker for each lane.
    fn exchange(&mut self, exchange: ModuleId, launch: Net) -> Found {
        let (lanes, address, width) = (self.plan.network.lanes(), self.plan.address_bits(), self.width);
        let mut wires = |name: &str, bits| self.module.bundle(Kind::Vector, name, lanes, bits);
        let send_dest = wires("send_dest", address);
        let send_data = wires("send_data", width);
        let recv_valid = wires("recv_valid", 1);
        let recv_source = wires("recv_source", address);
        let recv_data = wires("recv_data", width);
        let done = self.module.net(Kind::Wires, "done", 1);
        let conflict = self.module.net(Kind::Wires, "conflict", 1);
        let cycles = self.module.net(Kind::Wires, "exchange_cycles", 32);
        let instance = Instance::new("u_exchange", Of::Module(exchange))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("start_i", launch)
            .outputs("send_valid_o", vec![None; lanes as usize])
            .outputs("send_dest_o", send_dest.driven())
            .inputs("send_data_i", send_data.drive())
            .outputs("recv_valid_o", recv_valid.driven())
            .outputs("recv_source_o", recv_source.driven())
            .outputs("recv_data_o", recv_data.driven())
            .unused("ready_o")
            .unused("busy_o")
            .output("done_o", done)
            .output("conflict_o", conflict)
            .output("cycles_o", cycles);
        self.module.instances.push(instance);
        let mut found =
            Found { done, cycles, conflict, bad: Vec::new(), miscounted: Vec::new(), words: Vec::new() };
        for lane in 0..lanes {
            let own = Number::Constant((lane / self.plan.lanes_per_terminal()) as u64);
            let (dest, source) = (Number::Net(send_dest.lane(lane)), Number::Net(recv_source.lane(lane)));
            self.pattern("source", LaneIdx(lane), dest, own, send_data);
            let expected = self.module.bundle(Kind::Wires, format!("word_{lane}"), 1, width);
            self.pattern("expected", LaneIdx(lane), own, source, expected);
            let [bad, miscounted] =
                ["bad", "miscounted"].map(|name| self.module.net(Kind::Wires, format!("{name}_{lane}"), 1));
            let [seen, wrong] = [("seen", 1), ("wrong", width)]
                .map(|(name, bits)| self.module.net(Kind::Wires, format!("{name}_{lane}"), bits));
            // Of a padded exchange each terminal that is served has a word from each of these; a spare one has none.
            let terminal = lane / self.plan.lanes_per_terminal();
            let total = match self.plan.has_spare() {
                true if terminal < self.plan.served() => self.plan.served(),
                true => 0,
                false => self.plan.rounds,
            };
            let spec = CheckerSpec { width, total: total.into() };
            self.module.instances.push(
                Instance::new(format!("u_checker_{lane}"), Of::cell(spec))
                    .input("clk_i", self.clk)
                    .input("rst_i", self.rst)
                    .input("clear_i", launch)
                    .input("valid_i", recv_valid.lane(lane))
                    .input("data_i", recv_data.lane(lane))
                    .input("expected_i", expected.lane(0))
                    .output("bad_o", bad)
                    .output("miscounted_o", miscounted)
                    .output("seen_o", seen)
                    .output("wrong_o", wrong),
            );
            found.bad.push(bad.into());
            found.miscounted.push(miscounted.into());
            found.words.push([seen, wrong]);
        }
        found
    }

    /// The word from `source` to `dest`, driven onto the lane of `words`, or onto its only one. Where the two numbers or the
    /// seed have more bits than a word, the rest is put over it by further cells.
    fn pattern(&mut self, name: &str, lane: LaneIdx, dest: Number, source: Number, words: Bundle) {
        let word = words.lane(if words.lanes() == 1 { 0 } else { lane.0 });
        let (width, told) = (self.width, 2 * self.plan.address_bits());
        let tag = |at: u32| if at.is_multiple_of(2) { dest.bit(at / 2) } else { source.bit(at / 2) };
        let seed = |at: u32| slice(self.seed, at, at);
        let mut seeds = layers(width, SEED_BITS, seed);
        let first = seeds.remove(0);
        let tags: Vec<Expr> = layers(width, told, tag).into_iter().chain(seeds).collect();
        let (last, mut below) = (tags.len() - 1, first);
        for (layer, tag) in tags.into_iter().enumerate() {
            let suffix = if layer == last { String::new() } else { format!("_{layer}") };
            let to = match layer == last {
                true => word,
                false => self.module.net(Kind::Wires, format!("{name}_{lane}{suffix}"), width),
            };
            self.module.instances.push(
                Instance::new(format!("u_{name}_{lane}{suffix}"), Of::cell(PatternSpec { width }))
                    .input("seed_i", below)
                    .input("tag_i", tag)
                    .output("word_o", to),
            );
            below = to.into();
        }
    }

    /// The table of the line, the cell that sends it and the UART; drives `ready` and `uart`.
    fn report(&mut self, divider: u64, send: Net, fail: Net, fields: [Expr; 2], [ready, uart]: [Net; 2]) {
        let codes = |passed: bool| -> Vec<u64> {
            let signature = (!passed).then_some(0);
            let design = self.plan.design_name(self.width);
            let line = Line { design, passed, cycles: 0, errors: 0, signature }.to_string();
            let digits =
                |text: &str| text.replace("=00000000", "=\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}");
            format!("{}\r\n\0", digits(&line))
                .chars()
                .map(|c| if c == '\u{80}' { DIGIT } else { c as u64 })
                .collect()
        };
        let (pass, failed) = (codes(true), codes(false));
        let bits = failed.len().next_power_of_two().ilog2().max(2);
        // Two lines in one table: the upper half is that of a failure.
        let mut words = pass;
        words.resize(1 << bits, 0);
        words.extend(failed);
        let index = self.module.net(Kind::Wires, "index", bits);
        let code = self.module.net(Kind::Wires, "code", 8);
        let [left, later] =
            [("fields", 64), ("more", 32)].map(|(name, bits)| self.module.net(Kind::Wires, name, bits));
        let valid = self.module.net(Kind::Wires, "char_valid", 1);
        let char = self.module.net(Kind::Wires, "char", 8);
        let uart_ready = self.module.net(Kind::Wires, "uart_ready", 1);
        let rom = RomSpec { name: "report".into(), bits: bits + 1, width: 8, words };
        self.module.instances.push(
            Instance::new("u_line", Of::cell(rom))
                .input("round_i", Expr::Concat(vec![fail.into(), index.into()]))
                .output("word_o", code),
        );
        let zeros = Part::Const { value: 0, bits: 4 };
        let [first, more] = fields;
        self.module.instances.push(
            Instance::new("u_report", Of::cell(ReportSpec { bits }))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("send_i", send)
                .input("fields_i", first)
                .input("more_i", more)
                .input("code_i", code)
                .input("digit_i", Expr::Concat(vec![zeros.clone(), slice(left, 63, 60)]))
                .input("rest_i", Expr::Concat(vec![slice(left, 59, 0), slice(later, 31, 28)]))
                .input("later_i", Expr::Concat(vec![slice(later, 27, 0), zeros]))
                .input("uart_ready_i", uart_ready)
                .output("ready_o", ready)
                .output("index_o", index)
                .output("fields_o", left)
                .output("more_o", later)
                .output("valid_o", valid)
                .output("char_o", char),
        );
        self.module.instances.push(
            Instance::new("u_uart", Of::cell(UartTxSpec { divider }))
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("valid_i", valid)
                .input("char_i", char)
                .output("ready_o", uart_ready)
                .output("uart_o", uart),
        );
    }
}

/// `count` bits as words of `width` bits: repeated if they are fewer, else in as many words as they need.
fn layers(width: u32, count: u32, bit: impl Fn(u32) -> Part) -> Vec<Expr> {
    let word = |layer| {
        let at = |place| at_layer(width, count, layer, place).map_or(Part::Const { value: 0, bits: 1 }, &bit);
        Expr::Concat((0..width).rev().map(at).collect())
    };
    (0..count.div_ceil(width)).map(word).collect()
}

/// Which of `count` bits a word of [`layers`] has at a place.
fn at_layer(width: u32, count: u32, layer: u32, place: u32) -> Option<u32> {
    let at = layer * width + place;
    (layer == 0 || at < count).then_some(at % count)
}

/// A bit of the word from `source` to `destination`, if the seed of the run is 0: the bits of both in turn, of the destination first.
pub fn bit_of_word(plan: &Plan, width_bits: u32, [source, destination]: [u32; 2], place: u32) -> bool {
    let told = 2 * plan.address_bits();
    let bit = |at: u32| [destination, source][at as usize % 2] >> (at / 2) & 1 == 1;
    let layers = (0..told.div_ceil(width_bits)).filter_map(|layer| at_layer(width_bits, told, layer, place));
    layers.fold(false, |sum, at| sum != bit(at))
}

/// The number of a terminal: its own, which is a constant, or one that the exchange tells.
#[derive(Clone, Copy)]
enum Number {
    Constant(u64),
    Net(Net),
}

impl Number {
    fn bit(self, at: u32) -> Part {
        match self {
            Number::Constant(value) => Part::Const { value: value >> at & 1, bits: 1 },
            Number::Net(net) => slice(net, at, at),
        }
    }
}

use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`LabelGen`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelGenSpec {
    /// Bits of a terminal's number.
    pub bits: u32,
    /// The terminal.
    pub terminal: u64,
    /// What is added to the destination each round.
    pub step: u64,
}

impl Describe for LabelGenSpec {
    fn module(&self) -> String {
        "frit_label_gen".into()
    }
    fn title(&self) -> &'static str {
        "frit_label_gen"
    }
    fn summary(&self) -> &'static str {
        "Label generator (Algorithm 1): destination and intermediate terminal of each round from the terminal's own number, without a table."
    }
    fn details(&self) -> &'static str {
        "The label is the intermediate terminal, then the destination without its top bit. After N = 2^TerminalBits rounds it is at round 0 again. State: the destination (reset to Terminal) and whether the round is odd (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("TerminalBits", self.bits, "bits of a terminal's number, 2 or more").at_least(2),
            Parameter::sized("Terminal", self.terminal, self.bits, "the terminal's own number"),
            Parameter::sized("Step", self.step, self.bits, "added to the destination each round: -1 (all ones) for right rotations, 1 for left ones"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(LabelGen::new(self.bits as usize, self.terminal, self.step))
    }
    fn example() -> Self {
        LabelGenSpec { bits: 3, terminal: 0, step: 7 }
    }
}

/// The label generator of Algorithm 1: from a terminal's own number, without a table, the destination and the
/// intermediate terminal of each round.
///
/// The destination counts down (right rotations) or up (left) from the terminal's number; after N rounds it is there
/// again. With h = N/2, x is the destination D in even rounds and (h - 1 - D) mod N in odd ones, which is ~D with its
/// top bit inverted; the intermediate is x if its top and bottom bits are equal, else ~x.
#[derive(LogicBlock)]
pub struct LabelGen {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    advance_i: Signal<In, Bit>,
    dest_o: Bus<Out>,
    intermediate_o: Bus<Out>,
    terminal: Const,
    step: Const,
    half: Const,
    top: Const,
    low: Const,
    folded: Bus<Local>,
    dest: Reg,
    odd: BitReg,
}

impl LabelGen {
    /// The generator of `terminal` among 2^bits; `step` is -1 (mod 2^bits) for right rotations, 1 for left ones.
    pub fn new(bits: usize, terminal: u64, step: u64) -> Self {
        let terminal = Const::parameter(terminal, bits, Some("TerminalBits"));
        LabelGen {
            clk_i: Default::default(),
            rst_i: Default::default(),
            advance_i: Default::default(),
            dest_o: Bus::named(bits, "TerminalBits"),
            intermediate_o: Bus::named(bits, "TerminalBits"),
            step: Const::parameter(step, bits, Some("TerminalBits")),
            half: Const::local(1 << (bits - 1), bits, Some("TerminalBits"), "{1'b1, {(TerminalBits-1){1'b0}}}"),
            top: Const::top(bits, "TerminalBits"),
            low: Const::local(0, 32, None, "0"),
            folded: Bus::named(bits, "TerminalBits"),
            dest: Reg::reset_to(&terminal, "TerminalBits", "Terminal"),
            odd: BitReg::default().purpose("the round is odd"),
            terminal,
        }
    }
}

cell_ports!(LabelGen:
    In clk_i "clock, rising edge",
    In rst_i "reset to round 0",
    In advance_i "the round is sent in this cycle: go on to the next",
    Out dest_o "the destination of the round",
    Out intermediate_o "the terminal where the first butterfly leaves the message",
);

impl Logic for LabelGen {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, dest, odd);
        self.dest.reset.next = self.rst_i.val();
        self.odd.reset.next = self.rst_i.val();
        self.dest.d.next = self.dest.q.val();
        self.odd.d.next = self.odd.q.val();
        if self.advance_i.val() {
            self.dest.d.next = self.dest.q.val() + self.step.val();
            self.odd.d.next = !self.odd.q.val();
        }
        self.folded.next = self.dest.q.val();
        if self.odd.q.val() {
            self.folded.next = !(self.dest.q.val() ^ self.half.val());
        }
        self.intermediate_o.next = self.folded.val();
        if self.folded.val().get_bit(self.top.val().index())
            != self.folded.val().get_bit(self.low.val().index())
        {
            self.intermediate_o.next = !self.folded.val();
        }
        self.dest_o.next = self.dest.q.val();
    }
}

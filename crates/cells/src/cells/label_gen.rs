use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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
        let terminal = Const::parameter(terminal, bits, Some("A"));
        LabelGen {
            clk_i: Default::default(),
            rst_i: Default::default(),
            advance_i: Default::default(),
            dest_o: Bus::named(bits, "A"),
            intermediate_o: Bus::named(bits, "A"),
            step: Const::parameter(step, bits, Some("A")),
            half: Const::local(1 << (bits - 1), bits, Some("A"), "{1'b1, {(A-1){1'b0}}}"),
            top: Const::top(bits, "A"),
            low: Const::local(0, 32, None, "0"),
            folded: Bus::named(bits, "A"),
            dest: Reg::reset_to(&terminal, "A", "TERMINAL"),
            odd: Default::default(),
            terminal,
        }
    }
}

cell_ports!(LabelGen: In clk_i, In rst_i, In advance_i, Out dest_o, Out intermediate_o);

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

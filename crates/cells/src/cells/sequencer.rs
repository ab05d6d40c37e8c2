use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// Runs the rounds: counts the round being sent, the round arriving, and the cycles, from `start_i` to `done_o`.
///
/// Cycle 0, the one after `start_i`, sends round 0; round k arrives `FIRST + 1` cycles after it was sent. `done_o` is
/// high in the cycle of the last arrival, in which `cycles_o` holds the total. A start while busy is ignored. Idle, the
/// rounds are 0, so that everything derived from them shows its value of round 0.
///
/// Every comparison is made one cycle ahead and kept in a register, and the cycles are counted in pieces of 8, 8 and 16
/// bits whose carries are registers, so that no path is longer than the carries of one piece.
#[derive(LogicBlock)]
pub struct Sequencer {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    busy_o: Signal<Out, Bit>,
    sending_o: Signal<Out, Bit>,
    round_o: Bus<Out>,
    arriving_o: Signal<Out, Bit>,
    arrival_o: Bus<Out>,
    done_o: Signal<Out, Bit>,
    cycles_o: Bus<Out>,
    last: Const,
    first: Const,
    one: Const,
    zero: Const,
    before_last: Const,
    step: Const,
    at_once: Const,
    before_first: Const,
    low_one: Const,
    low_full: Const,
    low_almost: Const,
    middle_one: Const,
    middle_full: Const,
    high_one: Const,
    high_full: Const,
    none: Const,
    busy: BitReg,
    sending: BitReg,
    sending_last: BitReg,
    due: BitReg,
    arriving: BitReg,
    arriving_last: BitReg,
    carry_low: BitReg,
    middle_is_full: BitReg,
    carry_middle: BitReg,
    waited: Reg,
    round: Reg,
    arrival: Reg,
    low: Reg,
    middle: Reg,
    high: Reg,
}

impl Sequencer {
    /// For rounds 0 … `last` of `bits` bits, 2 at least; the first arrives `latency` cycles (1 at least) after it was
    /// sent, which are counted in `wait_bits` bits, 2 at least.
    pub fn new(bits: usize, wait_bits: usize, last: u64, latency: u64) -> Self {
        let first = latency - 1;
        let before = |value: u64, width: usize| value.wrapping_sub(1) & (u64::MAX >> (64 - width));
        let cycles = |value: u64| Const::local(value, 32, None, &format!("32'h{value:08x}"));
        Sequencer {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            busy_o: Default::default(),
            sending_o: Default::default(),
            round_o: Bus::named(bits, "K"),
            arriving_o: Default::default(),
            arrival_o: Bus::named(bits, "K"),
            done_o: Default::default(),
            cycles_o: Bus::new(32),
            last: Const::parameter(last, bits, Some("K")),
            first: Const::parameter(first, wait_bits, Some("D")),
            one: Const::one(bits, "K"),
            zero: Const::zero(bits, "K"),
            before_last: Const::local(before(last, bits), bits, Some("K"), "LAST - ONE"),
            step: Const::one(wait_bits, "D"),
            at_once: Const::zero(wait_bits, "D"),
            before_first: Const::local(before(first, wait_bits), wait_bits, Some("D"), "FIRST - STEP"),
            low_one: cycles(1),
            low_full: cycles(0xff),
            low_almost: cycles(0xfe),
            middle_one: cycles(0x100),
            middle_full: cycles(0xff00),
            high_one: cycles(0x1_0000),
            high_full: cycles(0xffff_0000),
            none: cycles(0),
            busy: Default::default(),
            sending: Default::default(),
            sending_last: Default::default(),
            due: Default::default(),
            arriving: Default::default(),
            arriving_last: Default::default(),
            carry_low: Default::default(),
            middle_is_full: Default::default(),
            carry_middle: Default::default(),
            waited: Reg::zero(wait_bits, "D"),
            round: Reg::zero(bits, "K"),
            arrival: Reg::zero(bits, "K"),
            low: Reg::fixed(32),
            middle: Reg::fixed(32),
            high: Reg::fixed(32),
        }
    }
}

cell_ports!(Sequencer: In clk_i, In rst_i, In start_i, Out busy_o, Out sending_o, Out round_o, Out arriving_o,
    Out arrival_o, Out done_o, Out cycles_o);

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clk_i,
            busy,
            sending,
            sending_last,
            due,
            arriving,
            arriving_last,
            waited,
            round,
            arrival
        );
        clock!(self, clk_i, carry_low, middle_is_full, carry_middle, low, middle, high);
        self.busy.reset.next = self.rst_i.val();
        self.sending.reset.next = self.rst_i.val();
        self.sending_last.reset.next = self.rst_i.val();
        self.due.reset.next = self.rst_i.val();
        self.arriving.reset.next = self.rst_i.val();
        self.arriving_last.reset.next = self.rst_i.val();
        self.carry_low.reset.next = self.rst_i.val();
        self.middle_is_full.reset.next = self.rst_i.val();
        self.carry_middle.reset.next = self.rst_i.val();
        self.waited.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.arrival.reset.next = self.rst_i.val();
        self.low.reset.next = self.rst_i.val();
        self.middle.reset.next = self.rst_i.val();
        self.high.reset.next = self.rst_i.val();
        self.busy.d.next =
            (self.busy.q.val() & !self.arriving_last.q.val()) | (!self.busy.q.val() & self.start_i.val());
        self.sending.d.next =
            (self.sending.q.val() & !self.sending_last.q.val()) | (!self.busy.q.val() & self.start_i.val());
        self.sending_last.d.next = self.sending.q.val() & (self.round.q.val() == self.before_last.val());
        self.due.d.next =
            self.busy.q.val() & !self.arriving.q.val() & (self.waited.q.val() == self.before_first.val());
        self.arriving.d.next = (self.arriving.q.val() & !self.arriving_last.q.val()) | self.due.q.val();
        self.arriving_last.d.next = self.arriving.q.val() & (self.arrival.q.val() == self.before_last.val());
        self.waited.d.next = self.at_once.val();
        if self.busy.q.val() & !self.arriving.q.val() {
            self.waited.d.next = self.waited.q.val() + self.step.val();
        }
        self.round.d.next = self.round.q.val();
        if self.sending.q.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
        }
        if self.sending_last.q.val() {
            self.round.d.next = self.zero.val();
        }
        self.arrival.d.next = self.arrival.q.val();
        if self.arriving.q.val() {
            self.arrival.d.next = self.arrival.q.val() + self.one.val();
        }
        if !self.busy.q.val() & self.start_i.val() {
            self.sending_last.d.next = self.last.val() == self.zero.val();
            self.due.d.next = self.first.val() == self.at_once.val();
        }
        if self.due.q.val() {
            self.arriving_last.d.next = self.last.val() == self.zero.val();
        }
        self.carry_low.d.next = self.low.q.val() == self.low_almost.val();
        self.middle_is_full.d.next = self.middle.q.val() == self.middle_full.val();
        self.carry_middle.d.next = self.middle_is_full.q.val() & (self.low.q.val() == self.low_almost.val());
        self.low.d.next = self.low.q.val() & self.low_full.val();
        if self.busy.q.val() {
            self.low.d.next = (self.low.q.val() + self.low_one.val()) & self.low_full.val();
        }
        self.middle.d.next = self.middle.q.val() & self.middle_full.val();
        if self.carry_low.q.val() {
            self.middle.d.next = (self.middle.q.val() + self.middle_one.val()) & self.middle_full.val();
        }
        self.high.d.next = self.high.q.val() & self.high_full.val();
        if self.carry_middle.q.val() {
            self.high.d.next = (self.high.q.val() + self.high_one.val()) & self.high_full.val();
        }
        if self.arriving_last.q.val() {
            self.arrival.d.next = self.zero.val();
            self.carry_low.d.next = false;
            self.carry_middle.d.next = false;
            self.low.d.next = self.none.val();
            self.middle.d.next = self.none.val();
            self.high.d.next = self.none.val();
        }
        self.busy_o.next = self.busy.q.val();
        self.sending_o.next = self.sending.q.val();
        self.round_o.next = self.round.q.val();
        self.arriving_o.next = self.arriving.q.val();
        self.arrival_o.next = self.arrival.q.val();
        self.done_o.next = self.arriving_last.q.val();
        self.cycles_o.next = self.low.q.val() | self.middle.q.val() | self.high.q.val();
    }
}

use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, wait_bits};
use rust_hdl::prelude::*;

/// What an instance of [`Sequencer`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequencerSpec {
    /// Bits of a round's number.
    pub bits: u32,
    /// The last round.
    pub last: u64,
    /// Cycles from sending to arrival.
    pub latency: u64,
}

impl Describe for SequencerSpec {
    fn module(&self) -> String {
        "frit_sequencer".into()
    }
    fn title(&self) -> &'static str {
        "frit_sequencer"
    }
    fn summary(&self) -> &'static str {
        "Runs the rounds: counts the round being sent, the round arriving and the cycles, from start_i to done_o."
    }
    fn details(&self) -> &'static str {
        "The cycle after start_i is cycle 0 and sends round 0; round k is sent in cycle k and arrives in cycle k + LastWait + 1. A start while busy is ignored, the cycle of done_o included. The cycle after it is idle, and a start in that one is taken. Idle, all outputs are 0. State: busy, sending, arriving, the two rounds, the cycles until the first arrival and the cycles of the run, all reset to 0. Comparisons are made a cycle ahead and the cycles counted in pieces of 8, 8 and 16 bits with registered carries, so that no path has more than 16 bits of carry."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RoundBits", self.bits, "bits of a round's number, 2 or more").at_least(2),
            Parameter::plain("WaitBits", wait_bits(self.latency), "bits in which the cycles until the first arrival are counted, 2 or more").at_least(2),
            Parameter::sized("LastRound", self.last, self.bits, "the last round"),
            Parameter::sized("LastWait", self.latency - 1, wait_bits(self.latency), "cycles from sending to arrival, less one"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Sequencer::new(self.bits as usize, wait_bits(self.latency) as usize, self.last, self.latency))
    }
    fn example() -> Self {
        SequencerSpec { bits: 4, last: 9, latency: 4 }
    }
}

/// Runs the rounds: counts the round being sent, the round arriving, and the cycles, from `start_i` to `done_o`.
///
/// Cycle 0, the one after `start_i`, sends round 0; round k arrives `LastWait + 1` cycles after it was sent. `done_o` is
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
    last_round: Const,
    last_wait: Const,
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
            round_o: Bus::named(bits, "RoundBits"),
            arriving_o: Default::default(),
            arrival_o: Bus::named(bits, "RoundBits"),
            done_o: Default::default(),
            cycles_o: Bus::new(32),
            last_round: Const::parameter(last, bits, Some("RoundBits")),
            last_wait: Const::parameter(first, wait_bits, Some("WaitBits")),
            one: Const::one(bits, "RoundBits"),
            zero: Const::zero(bits, "RoundBits"),
            before_last: Const::local(before(last, bits), bits, Some("RoundBits"), "LastRound - 1'b1"),
            step: Const::one(wait_bits, "WaitBits"),
            at_once: Const::zero(wait_bits, "WaitBits"),
            before_first: Const::local(before(first, wait_bits), wait_bits, Some("WaitBits"), "LastWait - 1'b1"),
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
            waited: Reg::zero(wait_bits, "WaitBits"),
            round: Reg::zero(bits, "RoundBits"),
            arrival: Reg::zero(bits, "RoundBits"),
            low: Reg::fixed(32),
            middle: Reg::fixed(32),
            high: Reg::fixed(32),
        }
    }
}

cell_ports!(Sequencer:
    In clk_i "clock, rising edge",
    In rst_i "reset: stops a run in any cycle",
    In start_i "start a run",
    Out busy_o "a run is going on, from cycle 0 to the last arrival",
    Out sending_o "a round is sent in this cycle",
    Out round_o "which; 0 if none is",
    Out arriving_o "a round arrives in this cycle",
    Out arrival_o "which; 0 if none does",
    Out done_o "the last round arrives in this cycle",
    Out cycles_o "the cycle of the run; with done_o the cycles that the exchange took",
);

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
            self.sending_last.d.next = self.last_round.val() == self.zero.val();
            self.due.d.next = self.last_wait.val() == self.at_once.val();
        }
        if self.due.q.val() {
            self.arriving_last.d.next = self.last_round.val() == self.zero.val();
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

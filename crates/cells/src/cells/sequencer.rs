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
        "Runs the rounds: counts the round being sent and the round arriving, from start_i to done_o."
    }
    fn details(&self) -> &'static str {
        "The cycle after start_i is cycle 0 and sends round 0; round k is sent in cycle k and arrives in cycle k + LastWait + 1. A start while busy is ignored, the cycle of done_o included. The cycle after it is idle, and a start in that one is taken. Idle, all outputs are 0. State: busy, sending, arriving, the two rounds and the cycles until the first arrival, all reset to 0. Comparisons are made a cycle ahead. frit_cycle_counter counts the cycles of the run beside it."
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

/// Runs the rounds: counts the round being sent and the round arriving, from `start_i` to `done_o`.
///
/// Cycle 0, the one after `start_i`, sends round 0; round k arrives `LastWait + 1` cycles after it was sent. `done_o` is
/// high in the cycle of the last arrival. A start while busy is ignored. Idle, the rounds are 0, so that everything
/// derived from them shows its value of round 0. [`CycleCounter`](super::CycleCounter) counts the cycles beside it.
///
/// Every comparison is made one cycle ahead and kept in a register.
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
    last_round: Const,
    last_wait: Const,
    one: Const,
    zero: Const,
    before_last: Const,
    step: Const,
    at_once: Const,
    before_first: Const,
    busy: BitReg,
    sending: BitReg,
    sending_last: BitReg,
    due: BitReg,
    arriving: BitReg,
    arriving_last: BitReg,
    waited: Reg,
    round: Reg,
    arrival: Reg,
}

impl Sequencer {
    /// For rounds 0 … `last` of `bits` bits, 2 at least; the first arrives `latency` cycles (1 at least) after it was
    /// sent, which are counted in `wait_bits` bits, 2 at least.
    pub fn new(bits: usize, wait_bits: usize, last: u64, latency: u64) -> Self {
        let first = latency - 1;
        let before = |value: u64, width: usize| value.wrapping_sub(1) & (u64::MAX >> (64 - width));
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
            last_round: Const::parameter(last, bits, Some("RoundBits")),
            last_wait: Const::parameter(first, wait_bits, Some("WaitBits")),
            one: Const::one(bits, "RoundBits"),
            zero: Const::zero(bits, "RoundBits"),
            before_last: Const::local(before(last, bits), bits, Some("RoundBits"), "LastRound - 1'b1"),
            step: Const::one(wait_bits, "WaitBits"),
            at_once: Const::zero(wait_bits, "WaitBits"),
            before_first: Const::local(before(first, wait_bits), wait_bits, Some("WaitBits"), "LastWait - 1'b1"),
            busy: Default::default(),
            sending: Default::default(),
            sending_last: BitReg::default().purpose("this cycle sends the last round"),
            due: BitReg::default().purpose("the first round arrives in the next cycle"),
            arriving: Default::default(),
            arriving_last: BitReg::default().purpose("the last round arrives in this cycle"),
            waited: Reg::zero(wait_bits, "WaitBits").purpose("cycles since the start, until the first arrival"),
            round: Reg::zero(bits, "RoundBits"),
            arrival: Reg::zero(bits, "RoundBits"),
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
        self.busy.reset.next = self.rst_i.val();
        self.sending.reset.next = self.rst_i.val();
        self.sending_last.reset.next = self.rst_i.val();
        self.due.reset.next = self.rst_i.val();
        self.arriving.reset.next = self.rst_i.val();
        self.arriving_last.reset.next = self.rst_i.val();
        self.waited.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.arrival.reset.next = self.rst_i.val();
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
        if self.arriving_last.q.val() {
            self.arrival.d.next = self.zero.val();
        }
        self.busy_o.next = self.busy.q.val();
        self.sending_o.next = self.sending.q.val();
        self.round_o.next = self.round.q.val();
        self.arriving_o.next = self.arriving.q.val();
        self.arrival_o.next = self.arrival.q.val();
        self.done_o.next = self.arriving_last.q.val();
    }
}

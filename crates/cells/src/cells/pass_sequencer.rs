use crate::atoms::{BitReg, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, wait_bits};
use rust_hdl::prelude::*;

/// What an instance of [`PassSequencer`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSequencerSpec {
    /// Bits of a round's number.
    pub bits: u32,
    /// Bits of a cycle's number in its window.
    pub slot_bits: u32,
    /// The last round.
    pub last: u64,
    /// Cycles of a window.
    pub window: u64,
    /// Cycles from sending to arrival.
    pub latency: u64,
}

impl Describe for PassSequencerSpec {
    fn module(&self) -> String {
        "frit_pass_sequencer".into()
    }
    fn title(&self) -> &'static str {
        "frit_pass_sequencer"
    }
    fn summary(&self) -> &'static str {
        "Runs the rounds through a network that is passed twice: the inputs belong to new rounds for a window of cycles, then to their second pass for as many."
    }
    fn details(&self) -> &'static str {
        "Otherwise as frit_sequencer. The windows of LastSlot + 1 cycles take turns until the last round has arrived. Its outputs are registers or a few gates behind them."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RoundBits", self.bits, "bits of a round's number, 2 or more").at_least(2),
            Parameter::plain("SlotBits", self.slot_bits, "bits of a cycle's number in its window, 2 or more").at_least(2),
            Parameter::plain("WaitBits", wait_bits(self.latency), "bits in which the cycles until the first arrival are counted, 2 or more").at_least(2),
            Parameter::sized("LastRound", self.last, self.bits, "the last round"),
            Parameter::sized("LastSlot", self.window - 1, self.slot_bits, "cycles of a window, less one"),
            Parameter::sized("LastWait", self.latency - 1, wait_bits(self.latency), "cycles from sending to arrival, less one"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        let widths = [self.bits, self.slot_bits, wait_bits(self.latency)].map(|bits| bits as usize);
        ready(PassSequencer::new(widths, self.last, self.window, self.latency))
    }
    fn example() -> Self {
        PassSequencerSpec { bits: 4, slot_bits: 3, last: 9, window: 4, latency: 8 }
    }
}

/// Runs the rounds through a network that every message passes twice: as [`Sequencer`](super::Sequencer), but the inputs
/// belong to new rounds for a window of cycles, then to the second pass of the same rounds for as many.
///
/// `again_o`: the inputs belong to the second pass. A round arrives `LastWait + 1` cycles after it was sent, and so do the
/// windows: between two windows of arrivals lies one without. Comparisons are registered as there.
#[derive(LogicBlock)]
pub struct PassSequencer {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    busy_o: Signal<Out, Bit>,
    sending_o: Signal<Out, Bit>,
    again_o: Signal<Out, Bit>,
    arriving_o: Signal<Out, Bit>,
    done_o: Signal<Out, Bit>,
    last_round: Const,
    last_slot: Const,
    last_wait: Const,
    one: Const,
    zero: Const,
    before_last: Const,
    step: Const,
    origin: Const,
    tick: Const,
    at_once: Const,
    before_first: Const,
    sending: Signal<Local, Bit>,
    arriving: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    busy: BitReg,
    again: BitReg,
    sent: BitReg,
    due: BitReg,
    receiving: BitReg,
    pause: BitReg,
    at_last: BitReg,
    slot: Reg,
    arrival_slot: Reg,
    waited: Reg,
    round: Reg,
    arrival: Reg,
}

impl PassSequencer {
    /// For rounds 0 … `last` of `bits` bits, 2 at least, in windows of `window` cycles, which are counted in
    /// `slot_bits` bits, 2 at least; the first round arrives `latency` cycles (1 at least) after it was sent, which are
    /// counted in `wait_bits` bits, 2 at least.
    pub fn new([bits, slot_bits, wait_bits]: [usize; 3], last: u64, window: u64, latency: u64) -> Self {
        let first = latency - 1;
        let before = |value: u64, width: usize| value.wrapping_sub(1) & (u64::MAX >> (64 - width));
        PassSequencer {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            busy_o: Default::default(),
            sending_o: Default::default(),
            again_o: Default::default(),
            arriving_o: Default::default(),
            done_o: Default::default(),
            last_round: Const::parameter(last, bits, Some("RoundBits")),
            last_slot: Const::parameter(window - 1, slot_bits, Some("SlotBits")),
            last_wait: Const::parameter(first, wait_bits, Some("WaitBits")),
            one: Const::one(bits, "RoundBits"),
            zero: Const::zero(bits, "RoundBits"),
            before_last: Const::local(before(last, bits), bits, Some("RoundBits"), "LastRound - 1'b1"),
            step: Const::one(slot_bits, "SlotBits"),
            origin: Const::zero(slot_bits, "SlotBits"),
            tick: Const::one(wait_bits, "WaitBits"),
            at_once: Const::zero(wait_bits, "WaitBits"),
            before_first: Const::local(before(first, wait_bits), wait_bits, Some("WaitBits"), "LastWait - 1'b1"),
            sending: Default::default(),
            arriving: Default::default(),
            done: Default::default(),
            busy: BitReg::default().purpose("a run is going on"),
            again: BitReg::default().purpose("the inputs belong to the second pass"),
            sent: BitReg::default().purpose("every round has been sent, until the end of the run"),
            due: BitReg::default().purpose("the first round arrives in the next cycle"),
            receiving: BitReg::default().purpose("the first round has arrived"),
            pause: BitReg::default().purpose("a window in which nothing arrives"),
            at_last: BitReg::default().purpose("only the last round is still to arrive"),
            slot: Reg::zero(slot_bits, "SlotBits").purpose("the cycle of the window at the inputs"),
            arrival_slot: Reg::zero(slot_bits, "SlotBits").purpose("the cycle of the window at the outputs"),
            waited: Reg::zero(wait_bits, "WaitBits").purpose("cycles since the start, until the first arrival"),
            round: Reg::zero(bits, "RoundBits"),
            arrival: Reg::zero(bits, "RoundBits"),
        }
    }
}

cell_ports!(PassSequencer:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous",
    In start_i "starts a run; ignored while busy",
    Out busy_o "in every cycle of a run",
    Out sending_o "a round is sent",
    Out again_o "the inputs belong to the second pass",
    Out arriving_o "a round arrives",
    Out done_o "the last round arrives",
);

impl Logic for PassSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, busy, again, sent, due, receiving, pause, at_last, slot, arrival_slot, waited);
        clock!(self, clk_i, round, arrival);
        self.busy.reset.next = self.rst_i.val();
        self.again.reset.next = self.rst_i.val();
        self.sent.reset.next = self.rst_i.val();
        self.due.reset.next = self.rst_i.val();
        self.receiving.reset.next = self.rst_i.val();
        self.pause.reset.next = self.rst_i.val();
        self.at_last.reset.next = self.rst_i.val();
        self.slot.reset.next = self.rst_i.val();
        self.arrival_slot.reset.next = self.rst_i.val();
        self.waited.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.arrival.reset.next = self.rst_i.val();
        self.sending.next = self.busy.q.val() & !self.again.q.val() & !self.sent.q.val();
        self.arriving.next = self.receiving.q.val() & !self.pause.q.val();
        self.done.next = self.arriving.val() & (self.at_last.q.val() | (self.last_round.val() == self.zero.val()));
        self.busy.d.next = self.busy.q.val() | self.start_i.val();
        self.again.d.next = self.again.q.val();
        self.sent.d.next = self.sent.q.val();
        self.due.d.next =
            self.busy.q.val() & !self.receiving.q.val() & (self.waited.q.val() == self.before_first.val());
        self.receiving.d.next = self.receiving.q.val() | self.due.q.val();
        self.pause.d.next = self.pause.q.val();
        self.at_last.d.next =
            self.at_last.q.val() | (self.arriving.val() & (self.arrival.q.val() == self.before_last.val()));
        self.slot.d.next = self.slot.q.val();
        if self.busy.q.val() {
            self.slot.d.next = self.slot.q.val() + self.step.val();
            if self.slot.q.val() == self.last_slot.val() {
                self.slot.d.next = self.origin.val();
                self.again.d.next = !self.again.q.val();
            }
        }
        self.arrival_slot.d.next = self.arrival_slot.q.val();
        if self.receiving.q.val() {
            self.arrival_slot.d.next = self.arrival_slot.q.val() + self.step.val();
            if self.arrival_slot.q.val() == self.last_slot.val() {
                self.arrival_slot.d.next = self.origin.val();
                self.pause.d.next = !self.pause.q.val();
            }
        }
        self.waited.d.next = self.at_once.val();
        if self.busy.q.val() & !self.receiving.q.val() {
            self.waited.d.next = self.waited.q.val() + self.tick.val();
        }
        self.round.d.next = self.round.q.val();
        if self.sending.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
            if self.round.q.val() == self.last_round.val() {
                self.round.d.next = self.zero.val();
                self.sent.d.next = true;
            }
        }
        self.arrival.d.next = self.arrival.q.val();
        if self.arriving.val() {
            self.arrival.d.next = self.arrival.q.val() + self.one.val();
        }
        if !self.busy.q.val() & self.start_i.val() {
            self.due.d.next = self.last_wait.val() == self.at_once.val();
        }
        if self.done.val() {
            self.arrival.d.next = self.zero.val();
            self.arrival_slot.d.next = self.origin.val();
            self.slot.d.next = self.origin.val();
            self.receiving.d.next = false;
            self.pause.d.next = false;
            self.again.d.next = false;
            self.sent.d.next = false;
            self.busy.d.next = false;
            self.at_last.d.next = false;
        }
        self.busy_o.next = self.busy.q.val();
        self.again_o.next = self.again.q.val();
        self.sending_o.next = self.sending.val();
        self.arriving_o.next = self.arriving.val();
        self.done_o.next = self.done.val();
    }
}

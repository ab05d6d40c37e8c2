use crate::atoms::{BitReg, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use crate::table::comment;
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
}

impl Describe for PassSequencerSpec {
    fn module(&self) -> String {
        "frit_pass_sequencer".into()
    }
    fn title(&self) -> &'static str {
        "frit_pass_sequencer"
    }
    fn summary(&self) -> &'static str {
        "Sends the rounds through a network that messages pass twice: for a window of cycles new rounds enter, then for another window the same rounds enter for their second pass."
    }
    fn details(&self) -> &'static str {
        "Apart from the windows it works as frit_sequencer. Windows of LastSlot + 1 cycles alternate until the last round has entered for its second pass, in slot EndSlot of the last window. The next exchange may begin directly after it. State: active, again, sent, the slot and the round, all reset to 0."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RoundBits", self.bits, "bits of a round's number, 2 or more").at_least(2),
            Parameter::plain("SlotBits", self.slot_bits, "bits of a cycle's number in its window, 2 or more").at_least(2),
            Parameter::sized("LastRound", self.last, self.bits, "number of the last round"),
            Parameter::sized("LastSlot", self.window - 1, self.slot_bits, "cycles of a window, minus one"),
            Parameter::sized("EndSlot", self.last % self.window, self.slot_bits, "slot of the last round: the remainder of LastRound by the cycles of a window"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        let widths = [self.bits, self.slot_bits].map(|bits| bits as usize);
        ready(PassSequencer::new(widths, self.last, self.window))
    }
    fn example() -> Self {
        PassSequencerSpec { bits: 4, slot_bits: 3, last: 9, window: 4 }
    }
}

/// Sends the rounds through a network that every message passes twice: as [`Sequencer`](super::Sequencer), but the inputs
/// belong to new rounds for a window of cycles, then to the second pass of the same rounds for as many.
///
/// `again_o`: the inputs belong to the second pass.
#[derive(LogicBlock)]
pub struct PassSequencer {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    ready_o: Signal<Out, Bit>,
    begin_o: Signal<Out, Bit>,
    sending_o: Signal<Out, Bit>,
    last_o: Signal<Out, Bit>,
    again_o: Signal<Out, Bit>,
    last_round: Const,
    last_slot: Const,
    end_slot: Const,
    one: Const,
    zero: Const,
    step: Const,
    origin: Const,
    sending: Signal<Local, Bit>,
    ending: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    active: BitReg,
    again: BitReg,
    sent: BitReg,
    slot: Reg,
    round: Reg,
}

impl PassSequencer {
    /// For rounds 0 … `last` of `bits` bits, 2 at least, in windows of `window` cycles, which are counted in
    /// `slot_bits` bits, 2 at least.
    pub fn new([bits, slot_bits]: [usize; 2], last: u64, window: u64) -> Self {
        PassSequencer {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            ready_o: Default::default(),
            begin_o: Default::default(),
            sending_o: Default::default(),
            last_o: Default::default(),
            again_o: Default::default(),
            last_round: Const::parameter(last, bits, Some("RoundBits")),
            last_slot: Const::parameter(window - 1, slot_bits, Some("SlotBits")),
            end_slot: Const::parameter(last % window, slot_bits, Some("SlotBits")),
            one: Const::one(bits, "RoundBits"),
            zero: Const::zero(bits, "RoundBits"),
            step: Const::one(slot_bits, "SlotBits"),
            origin: Const::zero(slot_bits, "SlotBits"),
            sending: Default::default(),
            ending: Default::default(),
            ready: Default::default(),
            taken: Default::default(),
            active: BitReg::default().purpose("rounds enter, for their first pass or their second"),
            again: BitReg::default().purpose("the inputs belong to the second pass"),
            sent: BitReg::default().purpose("every round has been sent"),
            slot: Reg::zero(slot_bits, "SlotBits").purpose("the cycle of the window"),
            round: Reg::zero(bits, "RoundBits"),
        }
    }
}

cell_ports!(PassSequencer:
    In clk_i "clock, rising edge",
    In rst_i "reset: stops an exchange in any cycle",
    In start_i "starts an exchange",
    Out ready_o "a start can be taken in this cycle",
    Out begin_o "a start is taken, same cycle: the next cycle is cycle 0",
    Out sending_o "a round is sent in this cycle",
    Out last_o "the last round is sent in this cycle",
    Out again_o "the inputs belong to the second pass",
);

impl Logic for PassSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, active, again, sent, slot, round);
        self.active.reset.next = self.rst_i.val();
        self.again.reset.next = self.rst_i.val();
        self.sent.reset.next = self.rst_i.val();
        self.slot.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        comment!("The first pass sends a round in each cycle until all rounds have entered; then the second pass begins.");
        self.sending.next = self.active.q.val() & !self.again.q.val() & !self.sent.q.val();
        self.ending.next =
            self.again.q.val() & self.sent.q.val() & (self.slot.q.val() == self.end_slot.val());
        self.ready.next = !self.active.q.val() | self.ending.val();
        self.taken.next = self.start_i.val() & self.ready.val();
        self.active.d.next = self.taken.val() | (self.active.q.val() & !self.ending.val());
        comment!("The cycles of a pass.");
        self.again.d.next = self.again.q.val();
        self.sent.d.next = self.sent.q.val();
        self.slot.d.next = self.slot.q.val();
        if self.active.q.val() {
            self.slot.d.next = self.slot.q.val() + self.step.val();
            if self.slot.q.val() == self.last_slot.val() {
                self.slot.d.next = self.origin.val();
                self.again.d.next = !self.again.q.val();
            }
        }
        comment!("The rounds that have entered.");
        self.round.d.next = self.round.q.val();
        if self.sending.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
            if self.round.q.val() == self.last_round.val() {
                self.round.d.next = self.zero.val();
                self.sent.d.next = true;
            }
        }
        comment!("");
        if self.ending.val() {
            self.slot.d.next = self.origin.val();
            self.again.d.next = false;
            self.sent.d.next = false;
        }
        comment!("");
        self.ready_o.next = self.ready.val();
        self.begin_o.next = self.taken.val();
        self.last_o.next = self.sending.val() & (self.round.q.val() == self.last_round.val());
        self.sending_o.next = self.sending.val();
        self.again_o.next = self.again.q.val();
    }
}

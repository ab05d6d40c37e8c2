use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`Sequencer`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequencerSpec {
    /// Bits of a round's number.
    pub bits: u32,
    /// The last round.
    pub last: u64,
}

impl Describe for SequencerSpec {
    fn module(&self) -> String {
        "frit_sequencer".into()
    }
    fn title(&self) -> &'static str {
        "frit_sequencer"
    }
    fn summary(&self) -> &'static str {
        "Sends the rounds of an exchange, one a cycle, and begins the next exchange as soon as the last round has entered."
    }
    fn details(&self) -> &'static str {
        "The cycle after a start is cycle 0 and sends round 0; round k is sent in cycle k. A start is taken while ready_o is high: nothing is being sent, or the last round is. So exchanges that follow each other begin LastRound + 1 cycles apart. Idle, the round is 0. State: sending, whether the round is the last, its number, all reset to 0. frit_arrivals counts the same rounds when they arrive, frit_cycle_counter the cycles."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("RoundBits", self.bits, "bits of a round's number, 2 or more").at_least(2),
            Parameter::sized("LastRound", self.last, self.bits, "the last round"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Sequencer::new(self.bits as usize, self.last))
    }
    fn example() -> Self {
        SequencerSpec { bits: 4, last: 9 }
    }
}

/// Sends the rounds of an exchange, and those of the next one behind them without a gap if there is a start by then.
///
/// Cycle 0, the one after a start that is taken, sends round 0. Idle, the round is 0, so that everything derived from it shows
/// its value of round 0. [`Arrivals`](super::Arrivals) counts the same rounds when they arrive.
///
/// The comparison is made one cycle ahead and kept in a register.
#[derive(LogicBlock)]
pub struct Sequencer {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    hold_i: Signal<In, Bit>,
    ready_o: Signal<Out, Bit>,
    begin_o: Signal<Out, Bit>,
    sending_o: Signal<Out, Bit>,
    round_o: Bus<Out>,
    last_round: Const,
    one: Const,
    zero: Const,
    before_last: Const,
    ready: Signal<Local, Bit>,
    ending: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    sending: BitReg,
    at_last: BitReg,
    round: Reg,
}

impl Sequencer {
    /// For rounds 0 … `last` of `bits` bits, 2 at least.
    pub fn new(bits: usize, last: u64) -> Self {
        Sequencer {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            hold_i: Default::default(),
            ready_o: Default::default(),
            begin_o: Default::default(),
            sending_o: Default::default(),
            round_o: Bus::named(bits, "RoundBits"),
            last_round: Const::parameter(last, bits, Some("RoundBits")),
            one: Const::one(bits, "RoundBits"),
            zero: Const::zero(bits, "RoundBits"),
            before_last: Const::before(last, bits, "RoundBits", "LastRound"),
            ready: Default::default(),
            ending: Default::default(),
            taken: Default::default(),
            sending: Default::default(),
            at_last: BitReg::default().purpose("the round is the last of more than one"),
            round: Reg::zero(bits, "RoundBits"),
        }
    }
}

cell_ports!(Sequencer:
    In clk_i "clock, rising edge",
    In rst_i "reset: stops an exchange in any cycle",
    In start_i "start an exchange",
    In hold_i "take a start with the last round only",
    Out ready_o "a start is taken in this cycle",
    Out begin_o "it is, same cycle: the next one is cycle 0",
    Out sending_o "a round is sent in this cycle",
    Out round_o "which; 0 if none is",
);

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, sending, at_last, round);
        self.sending.reset.next = self.rst_i.val();
        self.at_last.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.ending.next =
            self.sending.q.val() & (self.at_last.q.val() | (self.last_round.val() == self.zero.val()));
        self.ready.next = self.ending.val() | (!self.sending.q.val() & !self.hold_i.val());
        self.taken.next = self.start_i.val() & self.ready.val();
        self.sending.d.next = self.taken.val() | (self.sending.q.val() & !self.ending.val());
        self.at_last.d.next = self.sending.q.val() & (self.round.q.val() == self.before_last.val());
        self.round.d.next = self.round.q.val();
        if self.sending.q.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
        }
        if self.ending.val() {
            self.round.d.next = self.zero.val();
        }
        self.ready_o.next = self.ready.val();
        self.begin_o.next = self.taken.val();
        self.sending_o.next = self.sending.q.val();
        self.round_o.next = self.round.q.val();
    }
}

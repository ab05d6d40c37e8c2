use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// Runs the rounds through a network that every message passes twice: as [`Sequencer`](super::Sequencer), but the inputs
/// belong to new rounds for a window of cycles, then to the second pass of the same rounds for as many.
///
/// `again_o`: the inputs belong to the second pass. A round arrives `FIRST + 1` cycles after it was sent, and so do the
/// windows: between two windows of arrivals lies one without.
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
    cycles_o: Bus<Out>,
    last: Const,
    turn: Const,
    first: Const,
    one: Const,
    zero: Const,
    step: Const,
    origin: Const,
    tick: Const,
    none: Const,
    busy: BitReg,
    again: BitReg,
    sent: BitReg,
    receiving: BitReg,
    pause: BitReg,
    slot: Reg,
    arrival_slot: Reg,
    round: Reg,
    arrival: Reg,
    cycles: Reg,
}

impl PassSequencer {
    /// For rounds 0 … `last` of `bits` bits, 2 at least, in windows of `window` cycles, which are counted in
    /// `slot_bits` bits, 2 at least; the first round arrives `latency` cycles (1 at least) after it was sent.
    pub fn new(bits: usize, slot_bits: usize, last: u64, window: u64, latency: u64) -> Self {
        PassSequencer {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            busy_o: Default::default(),
            sending_o: Default::default(),
            again_o: Default::default(),
            arriving_o: Default::default(),
            done_o: Default::default(),
            cycles_o: Bus::new(32),
            last: Const::parameter(last, bits, Some("K")),
            turn: Const::parameter(window - 1, slot_bits, Some("S")),
            first: Const::parameter(latency - 1, 32, None),
            one: Const::one(bits, "K"),
            zero: Const::zero(bits, "K"),
            step: Const::one(slot_bits, "S"),
            origin: Const::zero(slot_bits, "S"),
            tick: Const::local(1, 32, None, "32'd1"),
            none: Const::local(0, 32, None, "32'd0"),
            busy: Default::default(),
            again: Default::default(),
            sent: Default::default(),
            receiving: Default::default(),
            pause: Default::default(),
            slot: Reg::zero(slot_bits, "S"),
            arrival_slot: Reg::zero(slot_bits, "S"),
            round: Reg::zero(bits, "K"),
            arrival: Reg::zero(bits, "K"),
            cycles: Reg::fixed(32),
        }
    }
}

cell_ports!(PassSequencer: In clk_i, In rst_i, In start_i, Out busy_o, Out sending_o, Out again_o, Out arriving_o,
    Out done_o, Out cycles_o);

impl Logic for PassSequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, busy, again, sent, receiving, pause, slot, arrival_slot, round, arrival, cycles);
        self.busy.reset.next = self.rst_i.val();
        self.again.reset.next = self.rst_i.val();
        self.sent.reset.next = self.rst_i.val();
        self.receiving.reset.next = self.rst_i.val();
        self.pause.reset.next = self.rst_i.val();
        self.slot.reset.next = self.rst_i.val();
        self.arrival_slot.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.arrival.reset.next = self.rst_i.val();
        self.cycles.reset.next = self.rst_i.val();
        self.busy.d.next = self.busy.q.val();
        self.again.d.next = self.again.q.val();
        self.sent.d.next = self.sent.q.val();
        self.receiving.d.next = self.receiving.q.val();
        self.pause.d.next = self.pause.q.val();
        self.slot.d.next = self.slot.q.val();
        self.arrival_slot.d.next = self.arrival_slot.q.val();
        self.round.d.next = self.round.q.val();
        self.arrival.d.next = self.arrival.q.val();
        self.cycles.d.next = self.cycles.q.val();
        self.sending_o.next = self.busy.q.val() & !self.again.q.val() & !self.sent.q.val();
        self.arriving_o.next = self.receiving.q.val() & !self.pause.q.val();
        self.done_o.next =
            self.receiving.q.val() & !self.pause.q.val() & (self.arrival.q.val() == self.last.val());
        if self.busy.q.val() {
            self.cycles.d.next = self.cycles.q.val() + self.tick.val();
            self.slot.d.next = self.slot.q.val() + self.step.val();
            if self.slot.q.val() == self.turn.val() {
                self.slot.d.next = self.origin.val();
                self.again.d.next = !self.again.q.val();
            }
        } else {
            self.busy.d.next = self.start_i.val();
        }
        if self.busy.q.val() & !self.again.q.val() & !self.sent.q.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
            if self.round.q.val() == self.last.val() {
                self.round.d.next = self.zero.val();
                self.sent.d.next = true;
            }
        }
        if self.busy.q.val() & (self.cycles.q.val() == self.first.val()) {
            self.receiving.d.next = true;
        }
        if self.receiving.q.val() {
            self.arrival_slot.d.next = self.arrival_slot.q.val() + self.step.val();
            if self.arrival_slot.q.val() == self.turn.val() {
                self.arrival_slot.d.next = self.origin.val();
                self.pause.d.next = !self.pause.q.val();
            }
        }
        if self.receiving.q.val() & !self.pause.q.val() {
            self.arrival.d.next = self.arrival.q.val() + self.one.val();
            if self.arrival.q.val() == self.last.val() {
                self.arrival.d.next = self.zero.val();
                self.arrival_slot.d.next = self.origin.val();
                self.slot.d.next = self.origin.val();
                self.cycles.d.next = self.none.val();
                self.receiving.d.next = false;
                self.pause.d.next = false;
                self.again.d.next = false;
                self.sent.d.next = false;
                self.busy.d.next = false;
            }
        }
        self.busy_o.next = self.busy.q.val();
        self.again_o.next = self.again.q.val();
        self.cycles_o.next = self.cycles.q.val();
    }
}

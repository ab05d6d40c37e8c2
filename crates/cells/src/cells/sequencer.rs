use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// Runs the rounds: counts the round being sent, the round arriving, and the cycles, from `start_i` to `done_o`.
///
/// Cycle 0, the one after `start_i`, sends round 0; round k arrives `FIRST + 1` cycles after it was sent. `done_o` is
/// high in the cycle of the last arrival, in which `cycles_o` holds the total. A start while busy is ignored. Idle, the
/// rounds are 0, so that everything derived from them shows its value of round 0.
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
    tick: Const,
    none: Const,
    busy: BitReg,
    sending: BitReg,
    arriving: BitReg,
    round: Reg,
    arrival: Reg,
    cycles: Reg,
}

impl Sequencer {
    /// For rounds 0 … `last` of `bits` bits, 2 at least; the first arrives `latency` cycles (1 at least) after it was sent.
    pub fn new(bits: usize, last: u64, latency: u64) -> Self {
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
            first: Const::parameter(latency - 1, 32, None),
            one: Const::one(bits, "K"),
            zero: Const::zero(bits, "K"),
            tick: Const::local(1, 32, None, "32'd1"),
            none: Const::local(0, 32, None, "32'd0"),
            busy: Default::default(),
            sending: Default::default(),
            arriving: Default::default(),
            round: Reg::zero(bits, "K"),
            arrival: Reg::zero(bits, "K"),
            cycles: Reg::fixed(32),
        }
    }
}

cell_ports!(Sequencer: In clk_i, In rst_i, In start_i, Out busy_o, Out sending_o, Out round_o, Out arriving_o,
    Out arrival_o, Out done_o, Out cycles_o);

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, busy, sending, arriving, round, arrival, cycles);
        self.busy.reset.next = self.rst_i.val();
        self.sending.reset.next = self.rst_i.val();
        self.arriving.reset.next = self.rst_i.val();
        self.round.reset.next = self.rst_i.val();
        self.arrival.reset.next = self.rst_i.val();
        self.cycles.reset.next = self.rst_i.val();
        self.busy.d.next = self.busy.q.val();
        self.sending.d.next = self.sending.q.val();
        self.arriving.d.next = self.arriving.q.val();
        self.round.d.next = self.round.q.val();
        self.arrival.d.next = self.arrival.q.val();
        self.cycles.d.next = self.cycles.q.val();
        self.done_o.next = self.arriving.q.val() & (self.arrival.q.val() == self.last.val());
        if self.busy.q.val() {
            self.cycles.d.next = self.cycles.q.val() + self.tick.val();
        } else {
            self.busy.d.next = self.start_i.val();
            self.sending.d.next = self.start_i.val();
        }
        if self.sending.q.val() {
            self.round.d.next = self.round.q.val() + self.one.val();
            if self.round.q.val() == self.last.val() {
                self.round.d.next = self.zero.val();
                self.sending.d.next = false;
            }
        }
        if self.busy.q.val() & (self.cycles.q.val() == self.first.val()) {
            self.arriving.d.next = true;
        }
        if self.arriving.q.val() {
            self.arrival.d.next = self.arrival.q.val() + self.one.val();
            if self.arrival.q.val() == self.last.val() {
                self.arrival.d.next = self.zero.val();
                self.arriving.d.next = false;
                self.busy.d.next = false;
                self.cycles.d.next = self.none.val();
            }
        }
        self.busy_o.next = self.busy.q.val();
        self.sending_o.next = self.sending.q.val();
        self.round_o.next = self.round.q.val();
        self.arriving_o.next = self.arriving.q.val();
        self.arrival_o.next = self.arrival.q.val();
        self.cycles_o.next = self.cycles.q.val();
    }
}

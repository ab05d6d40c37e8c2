use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`Arrivals`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivalsSpec {
    /// Bits of a round's number.
    pub bits: u32,
    /// The last round.
    pub last: u64,
    /// Bits in which exchanges under way are counted.
    pub flight_bits: u32,
}

impl Describe for ArrivalsSpec {
    fn module(&self) -> String {
        "frit_arrivals".into()
    }
    fn title(&self) -> &'static str {
        "frit_arrivals"
    }
    fn summary(&self) -> &'static str {
        "Counts the rounds that arrive: says when an exchange is done, and when nothing is under way any more."
    }
    fn details(&self) -> &'static str {
        "Behind a sequencer and the frit_delay_line of its sending_o. Between exchanges arrival_o is 0. State: the exchanges under way, busy, whether the next round to arrive is the last, its number, all reset to 0. The comparison is made a cycle ahead."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("FlightBits", self.flight_bits, "bits in which exchanges under way are counted, 2 or more").at_least(2),
            Parameter::plain("RoundBits", self.bits, "bits of a round's number, 2 or more").at_least(2),
            Parameter::sized("LastRound", self.last, self.bits, "the last round"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Arrivals::new(self.bits as usize, self.flight_bits as usize, self.last))
    }
    fn example() -> Self {
        ArrivalsSpec { bits: 4, last: 9, flight_bits: 2 }
    }
}

/// Counts the rounds that arrive. Rounds of the next exchange may be on their way before the last of this one has arrived:
/// `done_o` tells of each exchange, `ends_o` of the last one of those that follow each other.
#[derive(LogicBlock)]
pub struct Arrivals {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    begin_i: Signal<In, Bit>,
    arriving_i: Signal<In, Bit>,
    arrival_o: Bus<Out>,
    done_o: Signal<Out, Bit>,
    busy_o: Signal<Out, Bit>,
    ends_o: Signal<Out, Bit>,
    last_round: Const,
    one: Const,
    zero: Const,
    before_last: Const,
    one_flight: Const,
    done: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    busy: BitReg,
    flights: Reg,
    at_last: BitReg,
    arrival: Reg,
}

impl Arrivals {
    /// For rounds 0 … `last` of `bits` bits, 2 at least, and as many exchanges under way as `flight_bits` bits, 2 at least, hold.
    pub fn new(bits: usize, flight_bits: usize, last: u64) -> Self {
        Arrivals {
            clk_i: Default::default(),
            rst_i: Default::default(),
            begin_i: Default::default(),
            arriving_i: Default::default(),
            arrival_o: Bus::named(bits, "RoundBits"),
            done_o: Default::default(),
            busy_o: Default::default(),
            ends_o: Default::default(),
            last_round: Const::parameter(last, bits, Some("RoundBits")),
            one: Const::one(bits, "RoundBits"),
            zero: Const::zero(bits, "RoundBits"),
            before_last: Const::before(last, bits, "RoundBits", "LastRound"),
            one_flight: Const::one(flight_bits, "FlightBits"),
            done: Default::default(),
            ends: Default::default(),
            busy: Default::default(),
            flights: Reg::zero(flight_bits, "FlightBits").purpose("exchanges under way"),
            at_last: BitReg::default().purpose("the next round to arrive is the last of more than one"),
            arrival: Reg::zero(bits, "RoundBits").purpose("the next round to arrive"),
        }
    }
}

cell_ports!(Arrivals:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In begin_i "an exchange begins with the next cycle",
    In arriving_i "a round arrives in this cycle",
    Out arrival_o "the next round to arrive, this cycle included",
    Out done_o "the last round of an exchange arrives in this cycle",
    Out busy_o "from cycle 0 of an exchange until nothing is under way",
    Out ends_o "the last cycle of that",
);

impl Logic for Arrivals {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, busy, flights, at_last, arrival);
        self.busy.reset.next = self.rst_i.val();
        self.flights.reset.next = self.rst_i.val();
        self.at_last.reset.next = self.rst_i.val();
        self.arrival.reset.next = self.rst_i.val();
        self.done.next =
            self.arriving_i.val() & (self.at_last.q.val() | (self.last_round.val() == self.zero.val()));
        self.ends.next =
            self.done.val() & !self.begin_i.val() & (self.flights.q.val() == self.one_flight.val());
        self.busy.d.next = self.begin_i.val() | (self.busy.q.val() & !self.ends.val());
        self.flights.d.next = self.flights.q.val();
        if self.begin_i.val() & !self.done.val() {
            self.flights.d.next = self.flights.q.val() + self.one_flight.val();
        }
        if !self.begin_i.val() & self.done.val() {
            self.flights.d.next = self.flights.q.val() - self.one_flight.val();
        }
        self.at_last.d.next = self.at_last.q.val();
        self.arrival.d.next = self.arrival.q.val();
        if self.arriving_i.val() {
            self.at_last.d.next = self.arrival.q.val() == self.before_last.val();
            self.arrival.d.next = self.arrival.q.val() + self.one.val();
        }
        if self.done.val() {
            self.at_last.d.next = false;
            self.arrival.d.next = self.zero.val();
        }
        self.arrival_o.next = self.arrival.q.val();
        self.done_o.next = self.done.val();
        self.busy_o.next = self.busy.q.val();
        self.ends_o.next = self.ends.val();
    }
}

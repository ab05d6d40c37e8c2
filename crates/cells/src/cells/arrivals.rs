use crate::atoms::{BitReg, Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Counts the rounds that arrive. Rounds of the next exchange may be on their way before the last of this one has arrived:
    /// `done_o` tells of each exchange, `ends_o` of the last one of those that follow each other.
    Arrivals, ArrivalsSpec, "frit_arrivals":
    "Counts the rounds that arrive. Shows when an exchange is done and when nothing is under way any more.";
    "It stands behind a sequencer and the frit_delay_line of sending_o. Between exchanges arrival_o is 0. State, all reset to 0: the number of exchanges under way, busy, the number of the next round to arrive, and whether that round is the last. Comparisons are made one cycle ahead.";
    parameters {
        FlightBits flight_bits: u32 = 2, "bits of the number of exchanges under way, 2 or more", at_least 2;
        RoundBits bits: u32 = 4, "bits of a round's number, 2 or more", at_least 2;
        LastRound(bits) last: u64 = 9, "number of the last round";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In begin_i: Bit, "an exchange begins with the next cycle";
        In arriving_i: Bit, "a round arrives in this cycle";
        Out arrival_o: Bus(bits, "RoundBits"), "number of the next round to arrive; in a cycle with arriving_i the round that arrives";
        Out done_o: Bit, "the last round of an exchange arrives in this cycle";
        Out busy_o: Bit, "high from cycle 0 of an exchange until nothing is under way";
        Out ends_o: Bit, "high in the last cycle with busy_o";
    }
    parts {
        last_round: Const = Const::parameter(last, bits, Some("RoundBits"));
        one: Const = Const::one(bits, "RoundBits");
        zero: Const = Const::zero(bits, "RoundBits");
        before_last: Const = Const::before(last, bits, "RoundBits", "LastRound");
        one_flight: Const = Const::one(flight_bits, "FlightBits");
        done: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        busy: BitReg;
        flights: Reg = Reg::zero(flight_bits, "FlightBits").purpose("exchanges under way");
        at_last: BitReg = BitReg::default().purpose("the next round to arrive is the last of more than one");
        arrival: Reg = Reg::zero(bits, "RoundBits").purpose("the next round to arrive");
    }
}

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

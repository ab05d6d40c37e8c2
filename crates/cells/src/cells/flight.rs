use crate::table::*;

cell! {
    /// Tells whether an exchange is under way, from the first cycle of one to the last of those that follow each other.
    ///
    /// Nothing is counted: the delay line between sending and arriving says when the round that arrives is the only one left.
    Flight, FlightSpec, "frit_flight":
    "Shows whether an exchange is under way, and when nothing is under way any more.";
    "It stands beside a sequencer and the frit_delay_line of sending_o. State, reset to 0: busy, and whether nothing else is under way than the round that arrives.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In begin_i: Bit, "an exchange begins with the next cycle";
        In only_i: Bit, "a round arrives in the next cycle, and no other one is under way, unless begin_i is high";
        Out busy_o: Bit = busy.q, "high from cycle 0 of an exchange until nothing is under way";
        Out ends_o: Bit = ends.q, "nothing else is under way than the round that arrives: busy_o is low in the next cycle, unless begin_i is high";
        Out stays_o: Bit = stays, "busy_o of the next cycle, unless begin_i is high";
        Out ages_o: Bit, "an exchange is under way in this cycle and in the next, and none begins with the next, same cycle";
    }
    parts {
        stays: Signal<Local, Bit>;
        busy: BitReg;
        ends: BitReg = BitReg::default().purpose("nothing is under way but the round that arrives");
    }
}

impl kernel::Kernel for Flight {
    #[hdl_gen]
    fn update(&mut self) {
        self.stays.next = self.busy.q.val() & !self.ends.q.val();
        self.busy.d.next = self.begin_i.val() | self.stays.val();
        self.ends.d.next = self.only_i.val() & !self.begin_i.val();
        self.ages_o.next = self.stays.val() & !self.begin_i.val();
    }
}

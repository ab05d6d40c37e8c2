use crate::atoms::{Bus, Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Reads a bank of a side: its messages go out one a cycle when it is the turn of the bank's port.
    BankReader, BankReaderSpec, "frit_bank_reader":
    "The messages of a bank that have gone, and the next one: it is sent when it is the turn of the in-port to which the port of the bank leads.";
    "limit_i counts buffers of this bank alone. after_o is the address to be read, a cycle ahead. State: messages sent (reset to 0).";
    parameters {
        CountBits bits: u32 = 4, "bits of a count of buffers of the bank, 2 or more", at_least 2;
        Ports ports: u32 = 2, "ports of a side";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: nothing is sent";
        In chosen_i: Bus(ports, "Ports"), "the port of the bank, a bit for each";
        In turn_i: Bus(ports, "Ports"), "ports whose turn it is";
        In limit_i: Bus(bits, "CountBits"), "messages that were there when the round began";
        Out offer_o: Bus(ports, "Ports"), "the port on which the word that is read is sent, same cycle";
        Out sends_o: Bit, "a word is sent, same cycle";
        Out waits_o: Bit, "messages are left that may go in this round";
        Out after_o: Bus(bits, "CountBits"), "messages sent with this cycle, same cycle";
    }
    parts {
        one: Const = Const::one(bits, "CountBits");
        none: Const = Const::zero(ports, "Ports");
        waits: Signal<Local, Bit>;
        sends: Signal<Local, Bit>;
        after: Bus<Local> = Bus::named(bits, "CountBits");
        sent: Reg = Reg::zero(bits, "CountBits");
    }
}

impl Logic for BankReader {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, sent);
        self.sent.reset.next = self.rst_i.val();
        self.waits.next = self.sent.q.val() != self.limit_i.val();
        self.sends.next = self.waits.val() & (self.chosen_i.val() & self.turn_i.val()).any();
        self.after.next = self.sent.q.val();
        self.offer_o.next = self.none.val();
        if self.sends.val() {
            self.after.next = self.sent.q.val() + self.one.val();
            self.offer_o.next = self.chosen_i.val();
        }
        self.sent.d.next = self.after.val();
        self.sends_o.next = self.sends.val();
        self.waits_o.next = self.waits.val();
        self.after_o.next = self.after.val();
    }
}

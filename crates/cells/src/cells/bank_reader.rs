use crate::table::*;

cell! {
    /// Reads a bank of a side: its messages go out one a cycle when it is the turn of the bank's port.
    BankReader, BankReaderSpec, "frit_bank_reader":
    "Reads a bank of a side of a multibutterfly's node: counts the messages of the bank that have been sent, and sends the next message when the bank's port has its turn.";
    "limit_i counts only the buffers of this bank. after_o is the address to read, one cycle ahead. State: the number of messages sent (reset to 0).";
    parameters {
        CountBits bits: u32 = 4, "bits of a count of buffers of the bank, 2 or more", at_least 2;
        Ports ports: u32 = 2, "ports of a side";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no message has been sent";
        In chosen_i: Bus(ports, "Ports"), "port of the bank, one bit for each port";
        In turn_i: Bus(ports, "Ports"), "ports whose turn it is, one bit for each port";
        In limit_i: Bus(bits, "CountBits"), "messages in the bank when the round of moves began";
        Out offer_o: Bus(ports, "Ports"), "port on which the word is sent, one bit for each port, same cycle";
        Out sends_o: Bit = sends, "a word is sent, same cycle";
        Out waits_o: Bit = waits, "the bank holds messages that may still be sent in this round of moves";
        Out after_o: Bus(bits, "CountBits") = after, "number of messages sent, including the one of this cycle, same cycle";
    }
    parts {
        one: Const = Const::one(bits, "CountBits");
        none: Const = Const::zero(ports, "Ports");
        waits: Signal<Local, Bit>;
        sends: Signal<Local, Bit>;
        after: Bus<Local> = Bus::named(bits, "CountBits");
        sent: Reg = Reg::zero(bits, "CountBits");
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("|(chosen_i & (chosen_i - 1'b1))", "several ports are chosen for one bank"),
            ]
        }
    }
}

impl kernel::Kernel for BankReader {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A message waits until the reader has come to the last one of this round.");
        self.waits.next = self.sent.q.val() != self.limit_i.val();
        self.sends.next = self.waits.val() & (self.chosen_i.val() & self.turn_i.val()).any();
        comment!("It is offered to the port that was chosen, in that port's turn.");
        self.after.next = self.sent.q.val();
        self.offer_o.next = self.none.val();
        if self.sends.val() {
            self.after.next = self.sent.q.val() + self.one.val();
            self.offer_o.next = self.chosen_i.val();
        }
        self.sent.d.next = self.after.val();
    }
}

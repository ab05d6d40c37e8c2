use crate::table::*;

cell! {
    /// How far the buffers of a side are filled with messages, and how far they were when the round of moves began.
    FillPointer, FillPointerSpec, "frit_fill_pointer":
    "Fill m of a side of a multibutterfly's node: messages stand in the buffers below m, ghosts above. A message that arrives takes the place of the lowest ghost.";
    "Buffer k is in bank k modulo Banks, so write_o is decoded from the low bits of m. limit_o is the value of m at the last snap_i: only messages below limit_o move in this round. State: m, limit, and whether a message has arrived since the round began (all reset to 0).";
    parameters {
        Banks banks: u32 = 2, "number of banks, a power of two";
        CountBits bits: u32 = 4, "bits of a count of buffers, 2 or more", at_least 2;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: the side is empty";
        In place_i: Bit, "a message arrives";
        In snap_i: Bit, "a round of moves begins";
        In bank_i: Bus(bits, "CountBits"), "bank of the next message: m modulo Banks";
        Out fill_o: Bus(bits, "CountBits") = fill.q, "m, the number of messages";
        Out limit_o: Bus(bits, "CountBits") = limit.q, "value of m when the round of moves began";
        Out write_o: Bus(banks, "Banks"), "bank in which the message is stored, one bit for each bank, same cycle";
        Out fresh_o: Bit = fresh.q, "a message has arrived since the round of moves began";
    }
    parts {
        one: Const = Const::one(bits, "CountBits");
        first: Const = Const::one(banks, "Banks");
        none: Const = Const::zero(banks, "Banks");
        fresh: BitReg = BitReg::default().purpose("a message has arrived since limit was taken");
        fill: Reg = Reg::zero(bits, "CountBits").purpose("m");
        limit: Reg = Reg::zero(bits, "CountBits").purpose("m at the last snap_i");
    }
}

impl kernel::Kernel for FillPointer {
    #[hdl_gen]
    fn update(&mut self) {
        self.write_o.next = self.none.val();
        comment!("The messages that may be sent in this round are those that were there when it began.");
        if self.snap_i.val() {
            self.limit.d.next = self.fill.q.val();
            self.fresh.d.next = false;
        }
        comment!("A message that arrives takes the next place, in the bank of its number.");
        if self.place_i.val() {
            self.fill.d.next = self.fill.q.val() + self.one.val();
            self.fresh.d.next = true;
            self.write_o.next = self.first.val() << self.bank_i.val();
        }
    }
}

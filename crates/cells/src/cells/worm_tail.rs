use crate::atoms::BitReg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The tail of the worm that has an edge.
    WormTail, WormTailSpec, "frit_worm_tail":
    "Beside a frit_bit_queue: whether the bit in front is the last of its worm.";
    "Nothing comes behind a worm's last bit before it has left, so of the bits in the queue only the hindmost can be it: one flip-flop is enough, and with room for another bit the hindmost is in front. State: reset to 0 (the last bit has not come).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no last bit has come";
        In valid_i: Bit, "a bit is offered to the queue";
        In last_i: Bit, "it is the last of its worm";
        In room_i: Bit, "the queue has room: it holds one bit or none";
        In pop_i: Bit, "the front bit leaves";
        Out last_o: Bit, "the bit in front is the last of its worm";
    }
    parts {
        tail: BitReg = BitReg::default().purpose("the worm's last bit is in the queue");
    }
}

impl Logic for WormTail {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, tail);
        self.tail.reset.next = self.rst_i.val();
        self.tail.d.next = self.tail.q.val();
        if self.valid_i.val() & self.last_i.val() & self.room_i.val() {
            self.tail.d.next = true;
        }
        if self.tail.q.val() & self.room_i.val() & self.pop_i.val() {
            self.tail.d.next = false;
        }
        self.last_o.next = self.tail.q.val() & self.room_i.val();
    }
}

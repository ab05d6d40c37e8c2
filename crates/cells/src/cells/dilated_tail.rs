use crate::table::*;

cell! {
    /// The tail of the worm that has an edge.
    DilatedTail, DilatedTailSpec, "frit_dilated_tail":
    "Shows whether the front bit of a frit_bit_queue is the last of its packet.";
    "No bit follows the last bit of a packet before that bit has left the edge, so only the bit at the end of the queue can be the last of a packet, and one flip-flop is enough. While the queue has room for another bit, the bit at its end is also the front bit. State: reset to 0 (the last bit has not come).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no last bit has come";
        In valid_i: Bit, "a bit is offered to the queue";
        In last_i: Bit, "the bit offered is the last of its packet";
        In room_i: Bit, "the queue has room: it holds one bit or none";
        In pop_i: Bit, "the front bit leaves";
        Out last_o: Bit, "the front bit is the last of its packet";
    }
    parts {
        tail: BitReg = BitReg::default().purpose("the last bit of the packet is in the queue");
    }
}

impl kernel::Kernel for DilatedTail {
    #[hdl_gen]
    fn update(&mut self) {
        if self.valid_i.val() & self.last_i.val() & self.room_i.val() {
            self.tail.d.next = true;
        }
        if self.tail.q.val() & self.room_i.val() & self.pop_i.val() {
            self.tail.d.next = false;
        }
        self.last_o.next = self.tail.q.val() & self.room_i.val();
    }
}

use crate::atoms::BitReg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// A queue of two bits. A bit moves in where it is offered (`valid_i`) and there was room when the cycle began (`room_o`), so
    /// that no path leads through queue after queue, and a worm still passes a bit in every cycle.
    BitQueue, BitQueueSpec, "frit_bit_queue":
    "Queue of two bits at the end of an edge of a dilated butterfly: the room is known from registers.";
    "For worms that pass a bit a cycle (queues of two bits). A bit is taken where valid_i meets room_o; pop_i counts only where valid_o is 1. Three flip-flops hold the seven contents: the front bit, whether there are two bits, and a third that is the bit behind the front if there are two, and says whether there is one if there are not. State: all reset to 0 (empty).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: empties it";
        In valid_i: Bit, "a bit is offered";
        In bit_i: Bit, "the bit";
        In pop_i: Bit, "the front bit leaves";
        Out room_o: Bit, "a bit that is offered is taken: there were fewer than two";
        Out valid_o: Bit, "there is a bit";
        Out bit_o: Bit, "the bit in front";
    }
    parts {
        some: Signal<Local, Bit>;
        push: Signal<Local, Bit>;
        stays: Signal<Local, Bit>;
        two: BitReg = BitReg::default().purpose("there are two bits");
        second: BitReg = BitReg::default().purpose("of two bits the one behind; else whether there is one");
        front: BitReg = BitReg::default().purpose("the bit in front");
    }
}

impl Logic for BitQueue {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, two, second, front);
        self.two.reset.next = self.rst_i.val();
        self.second.reset.next = self.rst_i.val();
        self.front.reset.next = self.rst_i.val();
        self.some.next = self.two.q.val() | self.second.q.val();
        self.push.next = self.valid_i.val() & !self.two.q.val();
        self.stays.next = self.some.val() & !self.pop_i.val();
        self.two.d.next = self.stays.val() & (self.two.q.val() | self.push.val());
        self.second.d.next = self.second.q.val();
        self.front.d.next = self.front.q.val();
        if !self.two.q.val() {
            // One bit or none before: the new one is the second, or the only one, or there is none.
            self.second.d.next = self.stays.val() | self.push.val();
            if self.stays.val() & self.push.val() {
                self.second.d.next = self.bit_i.val();
            }
            if !self.stays.val() {
                self.front.d.next = self.bit_i.val();
            }
        }
        if self.two.q.val() & self.pop_i.val() {
            self.front.d.next = self.second.q.val();
            self.second.d.next = true;
        }
        self.room_o.next = !self.two.q.val();
        self.valid_o.next = self.some.val();
        self.bit_o.next = self.front.q.val();
    }
}

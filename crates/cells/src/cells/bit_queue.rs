use crate::table::*;

cell! {
    /// A queue of two bits. A bit moves in where it is offered (`valid_i`) and there was room when the cycle began (`room_o`), so
    /// that no path leads through queue after queue, and a worm still passes a bit in every cycle.
    BitQueue, BitQueueSpec, "frit_bit_queue":
    "Queue of two bits at the end of an edge of a dilated butterfly. room_o comes from registers.";
    "Packets pass one bit a cycle through queues of two bits. A bit is taken in a cycle with valid_i and room_o; pop_i has an effect only while valid_o is 1. Three flip-flops hold the seven possible contents: the front bit, whether there are two bits, and a third bit. If there are two bits, the third is the second bit of the queue; else the third says whether there is one bit. State: all reset to 0 (empty).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: empties the queue";
        In valid_i: Bit, "a bit is offered";
        In bit_i: Bit, "bit to store";
        In pop_i: Bit, "the front bit leaves";
        Out room_o: Bit, "a bit that is offered is taken: the queue holds fewer than two bits";
        Out valid_o: Bit = some, "bit_o holds a bit";
        Out bit_o: Bit = front.q, "bit in front";
    }
    parts {
        some: Signal<Local, Bit>;
        push: Signal<Local, Bit>;
        stays: Signal<Local, Bit>;
        two: BitReg = BitReg::default().purpose("the queue holds two bits");
        second: BitReg = BitReg::default().purpose("the second of two bits; else whether the queue holds one bit");
        front: BitReg = BitReg::default().purpose("the bit in front");
    }
}

impl kernel::Kernel for BitQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("One bit or two are held; a third has no room.");
        self.some.next = self.two.q.val() | self.second.q.val();
        self.push.next = self.valid_i.val() & !self.two.q.val();
        self.stays.next = self.some.val() & !self.pop_i.val();
        comment!("Which of the two places is filled: second_q without two_q says that there is one bit.");
        self.two.d.next = self.stays.val() & (self.two.q.val() | self.push.val());
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
        comment!("");
        self.room_o.next = !self.two.q.val();
    }
}

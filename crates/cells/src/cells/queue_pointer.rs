use crate::table::*;

cell! {
    /// The reading side of the queue at the output of a streamed permutation or of a crossbar, for a group of lanes.
    QueuePointer, QueuePointerSpec, "frit_queue_pointer":
    "The reading side of the queue at the output of a streamed permutation or of a crossbar: when the memories of a group of lanes are read, and where. Each group has its own, so that no register need reach the memories of all lanes.";
    "frit_beat_queue says one cycle before whether a beat is stored and shown. Synthesis must not join the registers of this cell with the equal ones of other groups ((* keep *), Yosys). State: whether a beat is stored, whether one is shown, the place of the oldest beat (all reset to 0).";
    parameters {
        AddressBits address_bits: u32 = 4, "bits of an address, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In some_i: Bit, "a beat is stored in the next cycle";
        In shown_i: Bit, "the output shows a beat in the next cycle";
        In tready_i: Bit, "the receiver takes the beat of the output";
        Out read_o: Bit = reads, "the memories are read at address_o; the output shows this beat in the next cycle";
        Out address_o: Bus(address_bits, "AddressBits") = head.q, "place of the oldest beat";
    }
    parts {
        one: Const = Const::one(address_bits, "AddressBits");
        reads: Signal<Local, Bit>;
        some: BitReg = BitReg::default().purpose("a beat is stored");
        shown: BitReg = BitReg::default().purpose("the output shows a beat");
        head: Reg = Reg::zero(address_bits, "AddressBits").purpose("place of the oldest beat");
    }
    describe {
        fn kept(&self) -> bool {
            true
        }
    }
}

impl kernel::Kernel for QueuePointer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A beat leaves the memory when the register at the port is free or is being read.");
        self.reads.next = self.some.q.val() & (self.tready_i.val() | !self.shown.q.val());
        self.some.d.next = self.some_i.val();
        self.shown.d.next = self.shown_i.val();
        if self.reads.val() {
            self.head.d.next = self.head.q.val() + self.one.val();
        }
    }
}

use crate::table::*;

cell! {
    /// The place of the oldest beat in the queue of a streamed permutation, for lanes that are far from its control.
    QueuePointer, QueuePointerSpec, "frit_queue_pointer":
    "The place of the oldest beat in the queue at the output of a streamed permutation, once more: for a group of lanes, so that one register need not reach the memories of all lanes.";
    "Synthesis must not join this register with the one in the queue's control, which holds the same. State: the place (reset to 0).";
    parameters {
        AddressBits address_bits: u32 = 4, "bits of an address, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In read_i: Bit, "the oldest beat leaves its place";
        Out address_o: Bus(address_bits, "AddressBits") = head.q, "place of the oldest beat";
    }
    parts {
        one: Const = Const::one(address_bits, "AddressBits");
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
        if self.read_i.val() {
            self.head.d.next = self.head.q.val() + self.one.val();
        }
    }
}

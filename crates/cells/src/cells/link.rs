use crate::table::*;

cell! {
    /// A link between two optical switches: a fibre that holds one packet for one step.
    Link, LinkSpec, "frit_link":
    "Link between optical switches: holds a packet for one step. Latency 1 cycle, initiation interval 1.";
    "State: 1 valid bit (reset to 0) and 1 word.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset of the valid bit";
        In valid_i: Bit, "a packet goes in";
        In data_i: Bus(width, "W"), "word of the packet that goes in";
        Out valid_o: Bit = valid.q, "a packet comes out";
        Out data_o: Bus(width, "W") = data.q, "word of the packet that comes out";
    }
    parts {
        valid: BitReg;
        data: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for Link {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid.d.next = self.valid_i.val();
        self.data.d.next = self.data_i.val();
    }
}

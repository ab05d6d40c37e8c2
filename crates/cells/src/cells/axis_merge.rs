use crate::table::*;

cell! {
    /// Two AXI4-Streams as one, a message of each in turn: what arrives on the two lanes of a terminal of the optical
    /// butterfly, which are always as many. Combinational but for whose turn it is.
    AxisMerge, AxisMergeSpec, "frit_axis_merge":
    "Merges two AXI4-Streams into one, a message from each in turn. Combinational except for the turn.";
    "It merges the two lanes of a terminal of the optical butterfly. Both lanes always bring the same number of messages. State: the lane whose turn it is (reset to up).";
    parameters {
        W width: u32 = 8, "bits of a word with its source";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In up_tvalid_i: Bit, "the up lane offers a word";
        Out up_tready_o: Bit, "the word of the up lane is taken";
        In up_tdata_i: Bus(width, "W"), "word of the up lane with its source";
        In up_tlast_i: Bit, "the word of the up lane is the last of its message";
        In down_tvalid_i: Bit, "the down lane offers a word";
        Out down_tready_o: Bit, "the word of the down lane is taken";
        In down_tdata_i: Bus(width, "W"), "word of the down lane with its source";
        In down_tlast_i: Bit, "the word of the down lane is the last of its message";
        Out tvalid_o: Bit = valid, "a word is offered";
        In tready_i: Bit, "the receiver takes the word";
        Out tdata_o: Bus(width, "W"), "word with its source";
        Out tlast_o: Bit = ends, "the word is the last of its message";
    }
    parts {
        valid: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        down: BitReg = BitReg::default().purpose("it is the turn of the down lane");
    }
}

impl kernel::Kernel for AxisMerge {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The lane whose turn it is has the output; the other one waits.");
        self.valid.next = self.up_tvalid_i.val();
        self.ends.next = self.up_tlast_i.val();
        self.tdata_o.next = self.up_tdata_i.val();
        self.up_tready_o.next = self.tready_i.val();
        self.down_tready_o.next = false;
        if self.down.q.val() {
            self.valid.next = self.down_tvalid_i.val();
            self.ends.next = self.down_tlast_i.val();
            self.tdata_o.next = self.down_tdata_i.val();
            self.up_tready_o.next = false;
            self.down_tready_o.next = self.tready_i.val();
        }
        comment!("The turn goes on behind the last word of a message.");
        self.down.d.next = self.down.q.val() ^ (self.valid.val() & self.ends.val() & self.tready_i.val());
    }
}

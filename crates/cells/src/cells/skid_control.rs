use crate::atoms::BitReg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The end of a streamed permutation: two places for beats, so that `advance_o`, which stops the stream, comes from a register.
    SkidControl, SkidControlSpec, "frit_skid_control":
    "Control of the output of a streamed permutation: two places for beats. advance_o, which moves the whole stream on, comes from a register.";
    "A beat stands in the head, which is the output; if the head is not taken, the next beat goes into the spare place and the stream stops. State: whether each place holds a beat (reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In valid_i: Bit, "a beat comes";
        In tready_i: Bit, "the receiver takes the beat of the output";
        Out tvalid_o: Bit, "the output holds a beat";
        Out advance_o: Bit, "the stream moves on: the spare place is empty";
        Out take_o: Bit, "the head takes a beat, same cycle";
    }
    parts {
        head: BitReg = BitReg::default().purpose("the head holds a beat");
        spare: BitReg = BitReg::default().purpose("the spare place holds a beat");
    }
}

impl Logic for SkidControl {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, head, spare);
        self.head.reset.next = self.rst_i.val();
        self.spare.reset.next = self.rst_i.val();
        self.head.d.next = self.head.q.val();
        self.spare.d.next = self.spare.q.val();
        if self.tready_i.val() | !self.head.q.val() {
            self.head.d.next = self.valid_i.val() | self.spare.q.val();
            self.spare.d.next = false;
        } else {
            if !self.spare.q.val() {
                self.spare.d.next = self.valid_i.val();
            }
        }
        self.tvalid_o.next = self.head.q.val();
        self.advance_o.next = !self.spare.q.val();
        self.take_o.next = self.tready_i.val() | !self.head.q.val();
    }
}

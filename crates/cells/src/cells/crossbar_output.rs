use crate::table::*;

cell! {
    /// What an output of a crossbar says on the way back: after a commit whom it wants, and else whether it has room.
    CrossbarOutput, CrossbarOutputSpec, "frit_crossbar_output":
    "What an output of a crossbar says to the input that leads to it: after a commit the number of its source, bit by bit, and else whether it has room for words.";
    "A bit of the source's number is selected one cycle before the output says it. State: whether a bit of the number is said, this bit, what the output says (all reset to 0).";
    parameters {
        Steps steps: u32 = 4, "bits that are said after a commit: whether the output is on, and the number of its source";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In send_i: Bus(steps, "Steps"), "which bit is said in the next cycle, as one bit; 0: none";
        In wanted_i: Bus(steps, "Steps"), "number of the source, above one bit that says whether the output is on";
        In room_i: Bit, "there is room for words";
        Out back_o: Bit = back.q, "what the output says, one cycle later";
    }
    parts {
        says: BitReg = BitReg::default().purpose("a bit of the number is said");
        bit_said: BitReg = BitReg::default().purpose("this bit");
        back: BitReg;
    }
}

impl kernel::Kernel for CrossbarOutput {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A bit of the number, or whether there is room. While numbers are said no input is open, so nobody hears them as room.");
        self.back.d.next = self.room_i.val();
        self.says.d.next = self.send_i.val().any();
        self.bit_said.d.next = (self.send_i.val() & self.wanted_i.val()).any();
        if self.says.q.val() {
            self.back.d.next = self.bit_said.q.val();
        }
    }
}

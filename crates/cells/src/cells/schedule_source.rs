use crate::table::*;

cell! {
    /// A terminal's side of the inputs of a network whose schedule is loaded.
    ScheduleSource, ScheduleSourceSpec, "frit_schedule_source":
    "Input of a terminal to a network whose schedule is loaded: a word that the terminal gives in the cycle after a round goes to the destination of that round.";
    "A word that comes without a round is not sent. State: whether the last cycle was a round and its destination (both reset to 0).";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a terminal's number, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In round_i: Bit, "a round";
        In dest_i: Bus(bits, "TerminalBits"), "the terminal's destination in the round";
        In valid_i: Bit, "the terminal gives a word for the round of the last cycle";
        Out valid_o: Bit, "the word is sent, same cycle";
        Out dest_o: Bus(bits, "TerminalBits") = dest.q, "its destination";
    }
    parts {
        due: BitReg = BitReg::default().purpose("the last cycle was a round");
        dest: Reg = Reg::zero(bits, "TerminalBits").purpose("destination of the last cycle");
    }
}

impl kernel::Kernel for ScheduleSource {
    #[hdl_gen]
    fn update(&mut self) {
        self.due.d.next = self.round_i.val();
        self.dest.d.next = self.dest_i.val();
        self.valid_o.next = self.valid_i.val() & self.due.q.val();
    }
}

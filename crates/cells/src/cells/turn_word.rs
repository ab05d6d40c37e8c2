use crate::table::*;

cell! {
    /// A register for a word of a streamed permutation: at its input, and behind a memory, whose own output is slow.
    TurnWord, TurnWordSpec, "frit_turn_word":
    "Register for a word of a streamed permutation: at the input, and behind a memory. Latency 1 cycle.";
    "State: 1 word, without reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In data_i: Bus(width, "W"), "word";
        Out data_o: Bus(width, "W") = word.q, "data_i one cycle ago";
    }
    parts {
        word: DataReg = DataReg::new(width, "W");
    }
}

impl kernel::Kernel for TurnWord {
    #[hdl_gen]
    fn update(&mut self) {
        self.word.d.next = self.data_i.val();
    }
}

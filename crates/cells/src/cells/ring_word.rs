use crate::table::*;

cell! {
    /// A word that is handed round a ring: each round the one that the terminal before had.
    RingWord, RingWordSpec, "frit_ring_word":
    "A word that is handed round a ring of terminals: each round the one of the terminal before (labels of algorithm=latin, labels=ring).";
    "State: the word (reset to Start).";
    parameters {
        WordBits bits: u32 = 3, "bits of a word, 1 or more";
        Start(bits) start: u64 = 6, "the word in round 0";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset to round 0";
        In advance_i: Bit, "go on to the next round";
        In word_i: Bus(bits, "WordBits"), "the word of the terminal before";
        Out word_o: Bus(bits, "WordBits") = word.q, "the word of the round";
    }
    with {
        let start = Const::parameter(start, bits, Some("WordBits"));
    }
    parts {
        start: Const = start.clone();
        word: Reg = Reg::reset_to(&start, "WordBits", "Start");
    }
}

impl kernel::Kernel for RingWord {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The word goes round from terminal to terminal.");
        if self.advance_i.val() {
            self.word.d.next = self.word_i.val();
        }
    }
}

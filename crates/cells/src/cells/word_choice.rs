use crate::table::*;

cell! {
    /// One of two words.
    WordChoice, WordChoiceSpec, "frit_word_choice":
    "Passes on one of two words: addresses of data sets that take two orders in turn.";
    "Combinational. No state.";
    parameters {
        Bits bits: u32 = 4, "bits of a word, 1 or more";
    }
    ports {
        In second_i: Bit, "chooses second_word_i";
        In first_word_i: Bus(bits, "Bits"), "word to pass on while second_i is low";
        In second_word_i: Bus(bits, "Bits"), "word to pass on while second_i is high";
        Out word_o: Bus(bits, "Bits"), "chosen word, same cycle";
    }
}

impl kernel::Kernel for WordChoice {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = self.first_word_i.val();
        if self.second_i.val() {
            self.word_o.next = self.second_word_i.val();
        }
    }
}

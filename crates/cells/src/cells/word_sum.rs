use crate::table::*;

cell! {
    /// The sum of two words.
    WordSum, WordSumSpec, "frit_word_sum":
    "Adds two words: the parts of an address that come from two digits of a count.";
    "The sum wraps at 2^Bits. Combinational. No state.";
    parameters {
        Bits bits: u32 = 4, "bits of a word, 1 or more";
    }
    ports {
        In left_i: Bus(bits, "Bits"), "first word";
        In right_i: Bus(bits, "Bits"), "second word";
        Out sum_o: Bus(bits, "Bits"), "sum, same cycle";
    }
}

impl kernel::Kernel for WordSum {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_o.next = self.left_i.val() + self.right_i.val();
    }
}

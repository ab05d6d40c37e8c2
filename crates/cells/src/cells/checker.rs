use crate::table::*;

cell! {
    /// Checks what arrives on a lane: every word against the one expected, and how many there were.
    ///
    /// Two registers deep, so that it adds little to the paths of the exchange: a wrong word that arrives in cycle t is told
    /// by `bad_o` in cycle t + 2, a wrong number of words by `miscounted_o` three cycles after the last of them.
    Checker, CheckerSpec, "frit_checker":
    "Checker of the self-test for one lane: compares every word with the expected word, and counts the words of a run. bad_o comes two cycles after a wrong word.";
    "miscounted_o is valid three cycles after the last word. State: two registers behind the inputs, a count and its comparison. All are reset to 0 except the difference of the words.";
    members {
        width: u32 = 8, "bits of a word";
        total: u64 = 8, "words that arrive in a run";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In clear_i: Bit, "a run starts: the count is cleared";
        In valid_i: Bit, "a word arrives";
        In data_i: Bus(width, "W"), "word";
        In expected_i: Bus(width, "W"), "expected word";
        Out bad_o: Bit = bad.q, "the word two cycles before was wrong";
        Out miscounted_o: Bit = miscounted.q, "more or fewer words than Total have arrived";
        Out seen_o: Bit = seen.q, "a word arrived in the cycle before";
        Out wrong_o: Bus(width, "W"), "bits of this word that were wrong; 0 if none arrived";
    }
    with {
        let count_bits = counter_bits(2 * total) as usize;
    }
    parts {
        total: Const = Const::parameter(total, count_bits, Some("CountBits"));
        one: Const = Const::one(count_bits, "CountBits");
        zero: Const = Const::zero(count_bits, "CountBits");
        seen: BitReg;
        bad: BitReg;
        miscounted: BitReg;
        none: Const = Const::zero(width as usize, "W");
        difference: DataReg = DataReg::new(width, "W");
        count: Reg = Reg::zero(count_bits, "CountBits");
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("CountBits", counter_bits(2 * self.total), "bits of the count, 2 or more").at_least(2),
                Parameter::plain("W", self.width, "bits of a word"),
                Parameter::sized("Total", self.total, counter_bits(2 * self.total), "words that arrive in a run"),
            ]
        }
    }
}

impl kernel::Kernel for Checker {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The word is compared a cycle after it came.");
        self.seen.d.next = self.valid_i.val();
        self.difference.d.next = self.data_i.val() ^ self.expected_i.val();
        self.bad.d.next = self.seen.q.val() & self.difference.q.val().any();
        comment!("The wrong bits of the word, for the signature.");
        self.wrong_o.next = self.none.val();
        if self.seen.q.val() {
            self.wrong_o.next = self.difference.q.val();
        }
        comment!("The words of a run are counted.");
        self.miscounted.d.next = self.count.q.val() != self.total.val();
        if self.seen.q.val() {
            self.count.d.next = self.count.q.val() + self.one.val();
        }
        if self.clear_i.val() {
            self.count.d.next = self.zero.val();
        }
    }
}

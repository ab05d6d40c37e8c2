use crate::table::*;

cell! {
    /// Counts the words of each pair of a terminal in an exchange. Counts lie in a short memory that has no reset: a bit for each
    /// pair says whether its count is of this exchange.
    PairCounter, PairCounterSpec, "frit_pair_counter":
    "Counts the words that a terminal has sent to each other terminal in an exchange, or received from it: the number of the next word in its message.";
    "State: the counts, without reset; whether there was a word of each pair (reset to 0).";
    parameters {
        PairBits bits: u32 = 2, "bits of the number of the other terminal";
        Pairs pairs: u32 = 4, "2^PairBits";
        WordIndexBits word_bits: u32 = 3, "bits of a word's number in its message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In clear_i: Bit, "all counts are 0 from the next cycle on, whatever step_i says";
        In step_i: Bit, "there is a word of the pair";
        In pair_i: Bus(bits, "PairBits"), "the other terminal";
        In last_i: Bus(word_bits, "WordIndexBits"), "number of the last word of the pair's message";
        Out count_o: Bus(word_bits, "WordIndexBits") = count, "words of the pair before this one, same cycle";
        Out at_last_o: Bit, "this is last_i, same cycle";
    }
    parts {
        first: Const = Const::one(pairs, "Pairs");
        none: Const = Const::zero(pairs, "Pairs");
        one: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        counts_on: Signal<Local, Bit>;
        mark: Bus<Local> = Bus::named(pairs, "Pairs").purpose("the pair as one bit");
        count: Bus<Local> = Bus::named(word_bits, "WordIndexBits");
        begun: Reg = Reg::zero(pairs, "Pairs").purpose("whether there was a word of each pair");
        counts: ShortMemory = ShortMemory::new(word_bits, "WordIndexBits", bits, "PairBits");
    }
}

impl kernel::Kernel for PairCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The words of the pair so far: a count that is not of this exchange is 0.");
        self.mark.next = self.first.val() << self.pair_i.val();
        self.counts.read_address.next = self.pair_i.val();
        self.counts_on.next = (self.begun.q.val() & self.mark.val()).any();
        self.count.next = self.no_word.val();
        if self.counts_on.val() {
            self.count.next = self.counts.q.val();
        }
        comment!("Both cases are compared, since it takes time to know which one it is.");
        self.at_last_o.next = (self.counts_on.val() & (self.counts.q.val() == self.last_i.val()))
            | (!self.counts_on.val() & (self.last_i.val() == self.no_word.val()));
        comment!("One more.");
        self.counts.write.next = self.step_i.val();
        self.counts.write_address.next = self.pair_i.val();
        self.counts.d.next = self.count.val() + self.one.val();
        if self.step_i.val() {
            self.begun.d.next = self.begun.q.val() | self.mark.val();
        }
        comment!("The next exchange begins: no pair has had a word in it.");
        if self.clear_i.val() {
            self.begun.d.next = self.none.val();
        }
    }
}

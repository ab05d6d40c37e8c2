use crate::table::*;

cell! {
    /// Counts the words of each pair of a terminal in an exchange. Counts lie in a short memory that has no reset: a bit for each
    /// pair says whether its count is of this exchange.
    ///
    /// A count is read in one cycle and raised in the next. If the same pair comes in both, the memory does not have the new count yet.
    PairCounter, PairCounterSpec, "frit_pair_counter":
    "Counts the words that a terminal has sent to each other terminal in an exchange, or received from it: the number of a word in its message, one cycle after its pair.";
    "State: the counts, the pair of the last cycle, its count and the count after it, without reset; whether there was a word of each pair, whether the last cycle had a word, whether its count was of this exchange, whether the pair is that of the cycle before (reset to 0).";
    parameters {
        PairBits bits: u32 = 2, "bits of the number of the other terminal";
        Pairs pairs: u32 = 4, "2^PairBits";
        WordIndexBits word_bits: u32 = 3, "bits of a word's number in its message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In clear_i: Bit, "all counts of pairs that come from this cycle on begin at 0";
        In step_i: Bit, "there is a word of the pair";
        In pair_i: Bus(bits, "PairBits"), "the other terminal";
        Out stored_o: Bus(word_bits, "WordIndexBits") = counts.q, "count of pair_i in the memory, same cycle";
        Out step_o: Bit = step.q, "there was a word in the last cycle";
        Out pair_o: Bus(bits, "PairBits") = pair.q, "its pair";
        Out again_o: Bit = again.q, "the word before it had the same pair";
        Out begun_o: Bit = counts_on.q, "else: stored_o of the last cycle is its count, which otherwise is 0";
        Out count_o: Bus(word_bits, "WordIndexBits") = count, "words of its pair before it";
    }
    parts {
        first: Const = Const::one(pairs, "Pairs");
        none: Const = Const::zero(pairs, "Pairs");
        no_bit: Const = Const::local(0, 32, None, "0");
        one: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        mark: Bus<Local> = Bus::named(pairs, "Pairs").purpose("the pair as one bit");
        from_pair: Bus<Local> = Bus::named(pairs, "Pairs").purpose("whether there was a word, from the bit of the pair on");
        count: Bus<Local> = Bus::named(word_bits, "WordIndexBits");
        after: Bus<Local> = Bus::named(word_bits, "WordIndexBits").purpose("words of the pair with this one");
        step: BitReg = BitReg::default().purpose("there was a word");
        pair: DataReg = DataReg::new(bits, "PairBits").purpose("its pair");
        counts_on: BitReg = BitReg::default().purpose("its count is of this exchange");
        again: BitReg = BitReg::default().purpose("the word before it had the same pair");
        stored: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("its count in the memory");
        newest: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("the count after the word before it");
        begun: Reg = Reg::zero(pairs, "Pairs").purpose("whether there was a word of each pair");
        counts: ShortMemory = ShortMemory::new(word_bits, "WordIndexBits", bits, "PairBits");
    }
}

impl kernel::Kernel for PairCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A word comes: its count is read.");
        self.step.d.next = self.step_i.val();
        self.pair.d.next = self.pair_i.val();
        self.counts.read_address.next = self.pair_i.val();
        self.stored.d.next = self.counts.q.val();
        self.from_pair.next = self.begun.q.val() >> self.pair_i.val();
        self.counts_on.d.next = self.from_pair.val().get_bit(self.no_bit.val().index()) & !self.clear_i.val();
        self.again.d.next = self.step.q.val() & (self.pair_i.val() == self.pair.q.val()) & !self.clear_i.val();
        comment!("In the next cycle it is known: a count that is not of this exchange is 0.");
        self.count.next = self.no_word.val();
        if self.counts_on.q.val() {
            self.count.next = self.stored.q.val();
        }
        if self.again.q.val() {
            self.count.next = self.newest.q.val();
        }
        comment!("One more.");
        self.after.next = self.count.val() + self.one.val();
        self.newest.d.next = self.after.val();
        self.counts.write.next = self.step.q.val();
        self.counts.write_address.next = self.pair.q.val();
        self.counts.d.next = self.after.val();
        self.mark.next = self.first.val() << self.pair.q.val();
        if self.step.q.val() {
            self.begun.d.next = self.begun.q.val() | self.mark.val();
        }
        comment!("The next exchange begins: no pair has had a word in it.");
        if self.clear_i.val() {
            self.begun.d.next = self.none.val();
        }
    }
}

use crate::table::*;

cell! {
    /// The AXI4-Stream output of a terminal whose messages have any length: reads the words of the oldest message that has arrived, one a cycle, and
    /// says of which banks messages are left.
    MessageDrain, MessageDrainSpec, "frit_message_drain":
    "AXI4-Stream output of a terminal: reads the words of the oldest message from a memory whose output is the output of the stream, one word a cycle.";
    "State: whether a word is offered, whether it is the last of its message, the source, the word to read next, the bank of the newest message (all reset to 0 except the source).";
    parameters {
        PairBits bits: u32 = 2, "bits of a terminal's number";
        WordIndexBits word_bits: u32 = 3, "bits of a word's number in its message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In some_i: Bit, "there is a message";
        In bank_i: Bit, "bank of the oldest message";
        In source_i: Bus(bits, "PairBits"), "source of the oldest message";
        In last_i: Bus(word_bits, "WordIndexBits"), "number of its last word";
        In arrives_i: Bit, "a word arrives";
        In ends_i: Bit, "it is the last of its message";
        In arriving_bank_i: Bit, "bank of the words that arrive";
        Out push_o: Bit = pushes, "a message has arrived, same cycle";
        Out pop_o: Bit, "the last word of the oldest message is read";
        Out read_o: Bit = reads, "a word of the oldest message is read";
        Out word_o: Bus(word_bits, "WordIndexBits") = word.q, "number of the word to read";
        Out tvalid_o: Bit = valid.q, "a word is offered";
        In tready_i: Bit, "the word is taken";
        Out tid_o: Bus(bits, "PairBits") = source.q, "source of the word";
        Out tlast_o: Bit = last.q, "the word is the last of its message";
        Out even_o: Bit, "messages of bank 0 are left; comes from registers";
        Out odd_o: Bit, "messages of bank 1 are left; comes from registers";
    }
    parts {
        next_word: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        pushes: Signal<Local, Bit>;
        reads: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        valid: BitReg = BitReg::default().purpose("a word is offered");
        last: BitReg = BitReg::default().purpose("it is the last of its message");
        newest: BitReg = BitReg::default().purpose("bank of the newest message");
        source: DataReg = DataReg::new(bits, "PairBits").purpose("source of the word that is offered");
        word: Reg = Reg::zero(word_bits, "WordIndexBits").purpose("word to read next");
    }
}

impl kernel::Kernel for MessageDrain {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A word is read when the one before it is taken, or when there is none.");
        self.reads.next = self.some_i.val() & (self.tready_i.val() | !self.valid.q.val());
        self.ends.next = self.word.q.val() == self.last_i.val();
        self.pop_o.next = self.reads.val() & self.ends.val();
        comment!("The word that is read is offered in the next cycle, until it is taken.");
        self.valid.d.next = self.reads.val() | (self.valid.q.val() & !self.tready_i.val());
        if self.reads.val() {
            self.source.d.next = self.source_i.val();
            self.last.d.next = self.ends.val();
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.ends.val() {
                self.word.d.next = self.no_word.val();
            }
        }
        comment!("A message has arrived with its last word.");
        self.pushes.next = self.arrives_i.val() & self.ends_i.val();
        if self.pushes.val() {
            self.newest.d.next = self.arriving_bank_i.val();
        }
        comment!("Messages are in the order of their banks: those of a bank are at the head, or they are the newest.");
        self.even_o.next = self.some_i.val() & (!self.bank_i.val() | !self.newest.q.val());
        self.odd_o.next = self.some_i.val() & (self.bank_i.val() | self.newest.q.val());
    }
}

use crate::table::*;

cell! {
    /// Gives the messages of a terminal to its stream, one behind the other.
    ///
    /// The words lie in a block RAM with its own register, so a word has two registers on its way. What is compared was made ready in the cycle
    /// before: whether a word is the last of its message comes from a register.
    MessageDrain, MessageDrainSpec, "frit_message_drain":
    "AXI4-Stream output of a terminal: reads the words of the oldest message from a memory with a register behind it, which is the output of the stream, one word a cycle.";
    "State: source and length of the message that leaves, the word to read and the one after it, the sources of the words in the memory's output and of the word that is offered, the source and the length of the message that arrived in the last cycle (all without reset); whether there is such a message and such words, whether they are the last of their messages, the bank of the message and of the newest message, whether messages of a bank are left (all reset to 0).";
    parameters {
        PairBits bits: u32 = 2, "bits of a terminal's number";
        WordIndexBits word_bits: u32 = 3, "bits of a word's number in its message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In some_i: Bit, "a message waits";
        In bank_i: Bit, "bank of the oldest message";
        In source_i: Bus(bits, "PairBits"), "source of the oldest message";
        In last_i: Bus(word_bits, "WordIndexBits"), "number of its last word";
        In arrives_i: Bit, "a word arrives";
        In ends_i: Bit, "it is the last of its message";
        In arriving_bank_i: Bit, "bank of the words that arrive";
        In arriving_source_i: Bus(bits, "PairBits"), "their source";
        In arriving_word_i: Bus(word_bits, "WordIndexBits"), "number of the word that arrives";
        Out push_o: Bit = push.q, "a message arrived in the last cycle";
        Out push_bank_o: Bit = push_bank.q, "its bank";
        Out push_source_o: Bus(bits, "PairBits") = push_source.q, "its source";
        Out push_last_o: Bus(word_bits, "WordIndexBits") = push_last.q, "number of its last word";
        Out pop_o: Bit = loads, "the oldest message is the next that leaves";
        Out read_o: Bit = fetches, "the memory reads a word";
        Out bank_o: Bit = bank.q, "bank of the word to read";
        Out source_o: Bus(bits, "PairBits") = source.q, "source of the word to read";
        Out word_o: Bus(word_bits, "WordIndexBits") = word.q, "number of the word to read";
        Out move_o: Bit = moves, "the register behind the memory takes a word";
        Out tvalid_o: Bit = valid.q, "a word is offered";
        In tready_i: Bit, "the word is taken";
        Out tid_o: Bus(bits, "PairBits") = tid.q, "source of the word";
        Out tlast_o: Bit = last.q, "the word is the last of its message";
        Out even_o: Bit = even.q, "messages of bank 0 were left in the last cycle";
        Out odd_o: Bit = odd.q, "messages of bank 1 were left in the last cycle";
    }
    parts {
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        next_word: Const = Const::one(word_bits, "WordIndexBits");
        comes: Signal<Local, Bit>;
        loads: Signal<Local, Bit>;
        fetches: Signal<Local, Bit>;
        moves: Signal<Local, Bit>;
        free: Signal<Local, Bit>;
        leaving: BitReg = BitReg::default().purpose("a message leaves");
        bank: BitReg = BitReg::default().purpose("its bank");
        source: DataReg = DataReg::new(bits, "PairBits").purpose("its source");
        length: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("number of its last word");
        word: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("word to read next");
        after: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("the word after it");
        more: BitReg = BitReg::default().purpose("the message has that one");
        read: BitReg = BitReg::default().purpose("the memory's output has a word");
        read_source: DataReg = DataReg::new(bits, "PairBits").purpose("its source");
        read_last: BitReg = BitReg::default().purpose("it is the last of its message");
        valid: BitReg = BitReg::default().purpose("a word is offered");
        tid: DataReg = DataReg::new(bits, "PairBits").purpose("its source");
        last: BitReg = BitReg::default().purpose("it is the last of its message");
        push: BitReg = BitReg::default().purpose("a message arrived in the last cycle");
        push_bank: BitReg = BitReg::default().purpose("its bank");
        push_source: DataReg = DataReg::new(bits, "PairBits").purpose("its source");
        push_last: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("number of its last word");
        newest: BitReg = BitReg::default().purpose("bank of the newest message");
        even: BitReg = BitReg::default().purpose("messages of bank 0 are left");
        odd: BitReg = BitReg::default().purpose("messages of bank 1 are left");
    }
}

impl kernel::Kernel for MessageDrain {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A word moves on when the place before it is free, or becomes free.");
        self.moves.next = self.tready_i.val() | !self.valid.q.val();
        self.fetches.next = self.tready_i.val() | !self.valid.q.val() | !self.read.q.val();
        self.free.next = self.tready_i.val() | !self.valid.q.val() | !self.read.q.val() | !self.leaving.q.val();
        self.read.d.next = (self.leaving.q.val() & self.fetches.val()) | (self.read.q.val() & !self.moves.val());
        self.valid.d.next = self.read.q.val() | (self.valid.q.val() & !self.tready_i.val());
        if self.fetches.val() {
            self.read_source.d.next = self.source.q.val();
            self.read_last.d.next = !self.more.q.val();
        }
        if self.moves.val() {
            self.tid.d.next = self.read_source.q.val();
            self.last.d.next = self.read_last.q.val();
        }
        comment!("The oldest message follows the last word of the one before it.");
        self.loads.next = self.free.val() & !self.more.q.val() & self.some_i.val();
        if self.free.val() {
            self.leaving.d.next = self.more.q.val() | self.some_i.val();
            self.word.d.next = self.after.q.val();
            self.after.d.next = self.after.q.val() + self.next_word.val();
            self.more.d.next = self.after.q.val() != self.length.q.val();
            if !self.more.q.val() {
                self.word.d.next = self.no_word.val();
                self.after.d.next = self.next_word.val();
                self.more.d.next = self.some_i.val() & (self.last_i.val() != self.no_word.val());
                self.bank.d.next = self.bank_i.val();
                self.source.d.next = self.source_i.val();
                self.length.d.next = self.last_i.val();
            }
        }
        comment!("A message arrives with its last word, and waits from the next cycle on.");
        self.comes.next = self.arrives_i.val() & self.ends_i.val();
        self.push.d.next = self.comes.val();
        self.push_bank.d.next = self.arriving_bank_i.val();
        self.push_source.d.next = self.arriving_source_i.val();
        self.push_last.d.next = self.arriving_word_i.val();
        if self.push.q.val() {
            self.newest.d.next = self.push_bank.q.val();
        }
        comment!("Messages are in the order of their banks: those of a bank leave, wait at the head, are the newest, or arrive.");
        self.even.d.next = (self.leaving.q.val() & !self.bank.q.val())
            | (self.some_i.val() & (!self.bank_i.val() | !self.newest.q.val()))
            | (self.push.q.val() & !self.push_bank.q.val())
            | (self.comes.val() & !self.arriving_bank_i.val());
        self.odd.d.next = (self.leaving.q.val() & self.bank.q.val())
            | (self.some_i.val() & (self.bank_i.val() | self.newest.q.val()))
            | (self.push.q.val() & self.push_bank.q.val())
            | (self.comes.val() & self.arriving_bank_i.val());
    }
}

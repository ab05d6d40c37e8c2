use crate::table::*;

cell! {
    /// Gives the words of a set in the rounds of its exchange: which messages have words left.
    ///
    /// A block RAM with its own register gives a word two cycles after its address. So a round takes three steps, each a cycle: the number of the
    /// word and the length of its message are looked up; the word is read, if there is one; it leaves the RAM.
    MessageSend, MessageSendSpec, "frit_message_send":
    "Gives the words of a terminal in the rounds of an exchange: a word that is left for the destination of a round is read in the cycle after the round, and given two cycles later. The message of a destination ends with the word whose number is its last one.";
    "State, without reset: the number of the last word but one of the round's message. State, reset to 0: whether the last round ended its exchange; the bank of the set, and that of the round's set; whether a word would be the last of its message: the first word, the word whose number is stored, the word behind that of the last round; the destinations whose message has words left; whether a word is read, whether one is given, and whether they are the last of their message; what was left at the end of an exchange.";
    parameters {
        PairBits bits: u32 = 2, "bits of a terminal's number";
        Pairs pairs: u32 = 4, "2^PairBits";
        WordIndexBits word_bits: u32 = 3, "bits of a word's number in its message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In length_i: Bus(word_bits, "WordIndexBits"), "number of the last word for the destination of the round";
        In stored_i: Bus(word_bits, "WordIndexBits"), "number of the next word for it, if it was the destination before the last round";
        In ends_i: Bit, "the round is the last of its exchange";
        In take_i: Bit, "the next set begins: its rounds can come from the next cycle on";
        In bank_i: Bit, "bank of the next set";
        In step_i: Bit, "the last cycle was a round";
        In dest_i: Bus(bits, "PairBits"), "its destination";
        In word_i: Bus(word_bits, "WordIndexBits"), "number of the word for it";
        In again_i: Bit, "the round before it had the same destination";
        In begun_i: Bit, "else: the number of the word is stored_i of the last cycle, which otherwise is 0";
        In taken_i: Bit, "the next set began in the last cycle";
        In messages_i: Bus(pairs, "Pairs"), "destinations that have a message in the next set, one bit for each";
        Out bank_o: Bit = bank.q, "bank of the set";
        Out read_bank_o: Bit = read_bank.q, "bank of the set in the last cycle";
        Out valid_o: Bit = given.q, "the word that was read two cycles ago is given";
        Out last_o: Bit = given_last.q, "it is the last of its message";
        Out error_o: Bit = wrong, "error: an exchange has ended before its messages; high for one cycle";
    }
    parts {
        first: Const = Const::one(pairs, "Pairs");
        no_bit: Const = Const::local(0, 32, None, "0");
        one: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        mark: Bus<Local> = Bus::named(pairs, "Pairs").purpose("the destination as one bit");
        from_dest: Bus<Local> = Bus::named(pairs, "Pairs").purpose("destinations whose message has words left, from the bit of the destination on");
        at_last: Signal<Local, Bit>;
        reads: Signal<Local, Bit>;
        wrong: Signal<Local, Bit>;
        ended: BitReg = BitReg::default().purpose("the round was the last of its exchange");
        bank: BitReg = BitReg::default().purpose("bank of the set");
        read_bank: BitReg = BitReg::default().purpose("bank of the set in the last cycle");
        last_but_one: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("number of the last word but one for its destination");
        first_is_last: BitReg = BitReg::default().purpose("its message has one word");
        stored_is_last: BitReg = BitReg::default().purpose("the stored number is that of the last word");
        next_is_last: BitReg = BitReg::default().purpose("the next word for its destination is the last of its message");
        left: Reg = Reg::zero(pairs, "Pairs").purpose("destinations whose message has words left");
        read: BitReg = BitReg::default().purpose("a word was read");
        read_last: BitReg = BitReg::default().purpose("it is the last of its message");
        given: BitReg = BitReg::default().purpose("a word is given");
        given_last: BitReg = BitReg::default().purpose("it is the last of its message");
        others: BitReg = BitReg::default().purpose("messages for other destinations were left at the end of the exchange");
        more: BitReg = BitReg::default().purpose("words of the message for the last destination were left");
    }
}

impl kernel::Kernel for MessageSend {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The round is registered with the length of the message for its destination.");
        self.ended.d.next = self.ends_i.val();
        self.read_bank.d.next = self.bank.q.val();
        self.last_but_one.d.next = self.length_i.val() - self.one.val();
        comment!("Whether the word is the last one is compared in the cycle before, for each number that it can have.");
        self.first_is_last.d.next = self.length_i.val() == self.no_word.val();
        self.stored_is_last.d.next = self.length_i.val() == self.stored_i.val();
        self.next_is_last.d.next = self.word_i.val() == self.last_but_one.q.val();
        self.at_last.next = self.first_is_last.q.val();
        if self.begun_i.val() {
            self.at_last.next = self.stored_is_last.q.val();
        }
        if self.again_i.val() {
            self.at_last.next = self.next_is_last.q.val();
        }
        comment!("A word is read if the message has one left.");
        self.from_dest.next = self.left.q.val() >> self.dest_i.val();
        self.reads.next = self.step_i.val() & self.from_dest.val().get_bit(self.no_bit.val().index());
        self.read.d.next = self.reads.val();
        self.read_last.d.next = self.at_last.val();
        self.given.d.next = self.read.q.val();
        self.given_last.d.next = self.read_last.q.val();
        comment!("With its last word the message is over.");
        self.mark.next = self.first.val() << self.dest_i.val();
        if self.step_i.val() & self.at_last.val() {
            self.left.d.next = self.left.q.val() & !self.mark.val();
        }
        comment!("The next set. Words that are left at the end of an exchange are an error.");
        if self.take_i.val() {
            self.bank.d.next = self.bank_i.val();
        }
        if self.taken_i.val() {
            self.left.d.next = self.messages_i.val();
        }
        self.others.d.next = self.ended.q.val() & (self.left.q.val() & !self.mark.val()).any();
        self.more.d.next = self.ended.q.val() & self.reads.val() & !self.at_last.val();
        self.wrong.next = self.others.q.val() | self.more.q.val();
    }
}

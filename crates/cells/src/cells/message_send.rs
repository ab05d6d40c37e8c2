use crate::table::*;

cell! {
    /// Gives the words of a set in the rounds of its exchange: which messages have words left.
    ///
    /// A block RAM with its own register gives a word two cycles after its address. So a round takes three steps, each a cycle: the number of the
    /// word and the length of its message are looked up; the word is read, if there is one; it leaves the RAM.
    MessageSend, MessageSendSpec, "frit_message_send":
    "Gives the words of a terminal in the rounds of an exchange: a word that is left for the destination of a round is read in the cycle after the round, and given two cycles later. The message of a destination ends with the word whose number is its last one.";
    "State: the number of the last word of the message, without reset; whether the round of the last cycle was the last of its exchange, its bank, destinations whose message has words left, whether words are read and given and are the last of their message, what was left at the end of an exchange (all reset to 0).";
    parameters {
        Pairs pairs: u32 = 4, "how many destinations there are";
        WordIndexBits word_bits: u32 = 3, "bits of a word's number in its message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In length_i: Bus(word_bits, "WordIndexBits"), "number of the last word for the destination of the round";
        In ends_i: Bit, "the round is the last of its exchange";
        In bank_i: Bit, "bank of the set";
        In step_i: Bit, "the last cycle was a round";
        In mark_i: Bus(pairs, "Pairs"), "its destination as one bit";
        In word_i: Bus(word_bits, "WordIndexBits"), "number of the word for it";
        In taken_i: Bit, "the next set begins in the next cycle";
        In messages_i: Bus(pairs, "Pairs"), "destinations that have a message in the next set, one bit for each";
        Out bank_o: Bit = bank.q, "bank of the set, in the cycle after the round";
        Out valid_o: Bit = given.q, "the word that was read two cycles ago is given";
        Out last_o: Bit = given_last.q, "it is the last of its message";
        Out error_o: Bit = wrong, "error: an exchange has ended before its messages; high for one cycle";
    }
    parts {
        at_last: Signal<Local, Bit>;
        reads: Signal<Local, Bit>;
        wrong: Signal<Local, Bit>;
        ended: BitReg = BitReg::default().purpose("the round was the last of its exchange");
        bank: BitReg = BitReg::default().purpose("bank of its set");
        length: DataReg = DataReg::new(word_bits, "WordIndexBits").purpose("number of the last word for its destination");
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
        comment!("A round, and the length of the message for its destination.");
        self.ended.d.next = self.ends_i.val();
        self.bank.d.next = self.bank_i.val();
        self.length.d.next = self.length_i.val();
        comment!("A word is read if the message has one left.");
        self.at_last.next = self.word_i.val() == self.length.q.val();
        self.reads.next = self.step_i.val() & (self.left.q.val() & self.mark_i.val()).any();
        self.read.d.next = self.reads.val();
        self.read_last.d.next = self.at_last.val();
        self.given.d.next = self.read.q.val();
        self.given_last.d.next = self.read_last.q.val();
        comment!("With its last word the message is over.");
        if self.step_i.val() & self.at_last.val() {
            self.left.d.next = self.left.q.val() & !self.mark_i.val();
        }
        comment!("The next set. Words that are left at the end of an exchange are an error.");
        if self.taken_i.val() {
            self.left.d.next = self.messages_i.val();
        }
        self.others.d.next = self.ended.q.val() & (self.left.q.val() & !self.mark_i.val()).any();
        self.more.d.next = self.ended.q.val() & self.reads.val() & !self.at_last.val();
        self.wrong.next = self.others.q.val() | self.more.q.val();
    }
}

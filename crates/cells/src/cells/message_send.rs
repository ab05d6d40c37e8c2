use crate::table::*;

cell! {
    /// Gives the words of a set in the rounds of its exchange: which messages have words left.
    ///
    /// A word is read in its round and given in the next cycle.
    MessageSend, MessageSendSpec, "frit_message_send":
    "Says whether a terminal has a word for the destination of a round. The message of a destination ends with the word whose number is its last one.";
    "State: destinations whose message has words left, whether a word is given and whether it is the last of its message, what was left at the end of an exchange (all reset to 0).";
    parameters {
        PairBits bits: u32 = 2, "bits of a terminal's number";
        Pairs pairs: u32 = 4, "2^PairBits";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In round_i: Bit, "a round";
        In dest_i: Bus(bits, "PairBits"), "destination of the terminal in the round";
        In at_last_i: Bit, "the next word for it is the last of its message";
        In ends_i: Bit, "the round is the last of its exchange";
        In take_i: Bit, "the next set begins in the next cycle";
        In messages_i: Bus(pairs, "Pairs"), "destinations that have a message in the next set, one bit for each";
        Out read_o: Bit = reads, "a word for the destination is read, same cycle";
        Out valid_o: Bit = valid.q, "the word that was read in the last cycle is given";
        Out last_o: Bit = last.q, "it is the last of its message";
        Out error_o: Bit = wrong, "error: an exchange has ended before its messages; high for one cycle";
    }
    parts {
        first: Const = Const::one(pairs, "Pairs");
        mark: Bus<Local> = Bus::named(pairs, "Pairs").purpose("the destination as one bit");
        reads: Signal<Local, Bit>;
        wrong: Signal<Local, Bit>;
        valid: BitReg = BitReg::default().purpose("a word is given");
        last: BitReg = BitReg::default().purpose("it is the last of its message");
        others: BitReg = BitReg::default().purpose("messages for other destinations were left at the end of the exchange");
        more: BitReg = BitReg::default().purpose("words of the message for the last destination were left");
        left: Reg = Reg::zero(pairs, "Pairs").purpose("destinations whose message has words left");
    }
}

impl kernel::Kernel for MessageSend {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A word is read if the message for the destination of the round has one left.");
        self.mark.next = self.first.val() << self.dest_i.val();
        self.reads.next = self.round_i.val() & (self.left.q.val() & self.mark.val()).any();
        self.valid.d.next = self.reads.val();
        self.last.d.next = self.at_last_i.val();
        comment!("With its last word the message is over.");
        if self.reads.val() & self.at_last_i.val() {
            self.left.d.next = self.left.q.val() & !self.mark.val();
        }
        comment!("The next set. Words that are left at the end of an exchange are an error.");
        if self.take_i.val() {
            self.left.d.next = self.messages_i.val();
        }
        self.others.d.next = self.ends_i.val() & (self.left.q.val() & !self.mark.val()).any();
        self.more.d.next = self.ends_i.val() & self.reads.val() & !self.at_last_i.val();
        self.wrong.next = self.others.q.val() | self.more.q.val();
    }
}

use crate::table::*;

cell! {
    /// The AXI4-Stream of a terminal whose messages have any length: takes the messages of an exchange, its *set*, and says where their
    /// words are kept.
    ///
    /// A beat is held for a cycle, then written. The last beat of a set says so (`tset_i`); it may have no word (`tempty_i`). Then beats
    /// wait until `take_i` hands the set over, and those of the next set go into the other bank.
    MessageInput, MessageInputSpec, "frit_message_input":
    "AXI4-Stream input of a terminal: takes at most one message of 1 to LastWord + 1 words for each destination, up to the beat that ends the set, and gives the address at which to store each word.";
    "A second message for a destination is taken and dropped, and so are words of a message after LastWord + 1. A message whose last word is missing when the set ends is not sent. error_o says each of that. State: the beat held, whether the set is complete, which bank, the messages of the set, the number of the next word, whether there is a message for the beat's destination, whether a message has begun and whether its rest is dropped, the error (all reset to 0 except the word and destination of the beat).";
    members {
        width: u32 = 8, "bits of a word";
        bits: u32 = 2, "bits of a terminal's number";
        pairs: u32 = 4, "2^bits";
        message: MessageWords = MessageWords::new(4), "the words of the longest message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In tvalid_i: Bit, "a beat is offered";
        Out tready_o: Bit = ready, "the beat is taken; comes from registers";
        In tdata_i: Bus(width, "W"), "word";
        In tdest_i: Bus(bits, "PairBits"), "destination of the word's message";
        In tlast_i: Bit, "the word is the last of its message";
        In tset_i: Bit, "the beat is the last of its set";
        In tempty_i: Bit, "the beat has no word: it only ends a set";
        In take_i: Bit, "the set, which is complete, is handed over";
        Out write_o: Bit, "writes data_o, same cycle";
        Out bank_o: Bit = odd.q, "bank that is loaded";
        Out dest_o: Bus(bits, "PairBits") = held_dest.q, "destination of the word to write";
        Out word_o: Bus(word_bits, "WordIndexBits") = word.q, "number of the word to write in its message";
        Out data_o: Bus(width, "W") = held_data.q, "word to write";
        Out end_o: Bit = completes, "the word to write is the last of its message, same cycle";
        Out messages_o: Bus(pairs, "Pairs") = messages.q, "destinations that have a message in the set, one bit for each";
        Out full_o: Bit = full.q, "the set is complete";
        Out error_o: Bit = wrong.q, "error: second message for a destination, message too long, or message without an end; high for one cycle";
    }
    with {
        let (word_bits, last_word) = (message.bits as usize, message.last);
    }
    parts {
        last_word: Const = Const::parameter(last_word, word_bits, Some("WordIndexBits"));
        next_word: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        first: Const = Const::one(pairs, "Pairs");
        none: Const = Const::zero(pairs, "Pairs");
        mark: Bus<Local> = Bus::named(pairs, "Pairs").purpose("the destination as one bit");
        offered: Bus<Local> = Bus::named(pairs, "Pairs").purpose("that of the beat that is offered");
        ready: Signal<Local, Bit>;
        acts: Signal<Local, Bit>;
        some: Signal<Local, Bit>;
        twice: Signal<Local, Bit>;
        refused: Signal<Local, Bit>;
        writes: Signal<Local, Bit>;
        completes: Signal<Local, Bit>;
        at_end: Signal<Local, Bit>;
        held: BitReg = BitReg::default().purpose("a beat is held");
        held_last: BitReg;
        held_set: BitReg;
        held_empty: BitReg;
        held_dest: DataReg = DataReg::new(bits, "PairBits");
        held_twice: BitReg = BitReg::default().purpose("there is a message for its destination");
        held_data: DataReg = DataReg::new(width, "W");
        full: BitReg = BitReg::default().purpose("the set is complete");
        odd: BitReg = BitReg::default().purpose("bank that is loaded");
        begun: BitReg = BitReg::default().purpose("a message has begun");
        dropping: BitReg = BitReg::default().purpose("the rest of the message is dropped");
        wrong: BitReg;
        word: Reg = Reg::zero(word_bits, "WordIndexBits").purpose("number of the next word in its message");
        messages: Reg = Reg::zero(pairs, "Pairs").purpose("destinations that have a message in the set");
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("PairBits", self.bits, "bits of a terminal's number"),
                Parameter::plain("Pairs", self.pairs, "2^PairBits"),
                Parameter::plain("W", self.width, "bits of a word"),
                Parameter::plain("WordIndexBits", self.message.bits, "bits of a word's number in its message"),
                Parameter::sized("LastWord", self.message.last, self.message.bits, "number of the last word of the longest message"),
            ]
        }
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Stays { valid: "tvalid_i", ready: "tready_o", payload: &["tdata_i", "tdest_i", "tlast_i", "tset_i", "tempty_i"] },
            ]
        }
    }
}

impl kernel::Kernel for MessageInput {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A beat is held until the set before it is handed over.");
        self.ready.next = !self.held.q.val() | !self.full.q.val();
        self.acts.next = self.held.q.val() & !self.full.q.val();
        if self.ready.val() {
            self.held.d.next = self.tvalid_i.val();
            self.held_last.d.next = self.tlast_i.val();
            self.held_set.d.next = self.tset_i.val();
            self.held_empty.d.next = self.tempty_i.val();
            self.held_dest.d.next = self.tdest_i.val();
            self.held_data.d.next = self.tdata_i.val();
        }
        comment!("Whether its destination has a message already, perhaps with the word of this cycle. The next set begins without one.");
        self.offered.next = self.first.val() << self.tdest_i.val();
        if self.ready.val() {
            self.held_twice.d.next = (self.messages.q.val() & self.offered.val()).any()
                | (self.completes.val() & (self.tdest_i.val() == self.held_dest.q.val()));
        }
        if self.take_i.val() {
            self.held_twice.d.next = false;
        }
        comment!("The word of the beat, if it has one: the whole message is refused if there was one for its destination.");
        self.some.next = self.acts.val() & !self.held_empty.q.val();
        self.mark.next = self.first.val() << self.held_dest.q.val();
        self.twice.next = !self.begun.q.val() & self.held_twice.q.val();
        self.refused.next = self.dropping.q.val() | self.twice.val();
        self.writes.next = self.some.val() & !self.refused.val();
        self.at_end.next = self.word.q.val() == self.last_word.val();
        self.write_o.next = self.writes.val();
        self.completes.next = self.writes.val() & (self.held_last.q.val() | self.at_end.val());
        comment!("The place in the message. What is too long is cut off: its last word ends it.");
        if self.some.val() {
            self.begun.d.next = !self.held_last.q.val();
            self.dropping.d.next = (self.refused.val() | self.at_end.val()) & !self.held_last.q.val();
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.held_last.q.val() {
                self.word.d.next = self.no_word.val();
            }
        }
        comment!("The message is complete.");
        if self.completes.val() {
            self.messages.d.next = self.messages.q.val() | self.mark.val();
        }
        comment!("The set ends, and with it a message that has no end.");
        if self.acts.val() & self.held_set.q.val() {
            self.full.d.next = true;
            self.begun.d.next = false;
            self.dropping.d.next = false;
            self.word.d.next = self.no_word.val();
        }
        comment!("What is wrong: a second message, one that is too long, a set that ends within a message, with a word or without.");
        self.wrong.d.next = (self.some.val() & self.twice.val())
            | (self.writes.val() & self.at_end.val() & !self.held_last.q.val())
            | (self.some.val() & self.held_set.q.val() & !self.held_last.q.val())
            | (self.acts.val() & self.held_set.q.val() & self.held_empty.q.val() & self.begun.q.val());
        comment!("The next set goes into the other bank.");
        if self.take_i.val() {
            self.full.d.next = false;
            self.odd.d.next = !self.odd.q.val();
            self.messages.d.next = self.none.val();
        }
    }
}

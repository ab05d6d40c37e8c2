use crate::table::*;

cell! {
    /// The AXI4-Stream input of a terminal: takes one message for each destination and says where its words are kept.
    ///
    /// A message is `LastWord + 1` words with one `tdest_i`, the last with `tlast_i`. A word is held and looked up, then it is checked
    /// (whether it is dropped is known), then written: each a register, and all three wait together. When all `LastTerminal + 1`
    /// destinations have theirs, `full_o` is high, from the cycle in which the last word stands in the second register, until `take_i`, two
    /// cycles later or more, hands the messages over to the exchange (`sent_bank_o` from then on). The next set begins in that cycle, in the
    /// other bank (`bank_o`). Until then up to three words of it are taken; the first waits to be written, until the cycle after `soon_i`. Where there is no other
    /// bank, `soon_i` never comes, and `hold_i` keeps it waiting after `take_i`.
    ///
    /// What is wrong is said for a cycle, when it was checked: `double_o` a second message for a destination, `unknown_o` one for a terminal
    /// that does not exist (both are taken and dropped), `length_o` a last word in the wrong place (the message ends by its count).
    ///
    /// [`AxisMarks`](super::AxisMarks) looks up `tdest_i` with `move_o` and knows whether it is taken (`marked_i`) or unknown
    /// (`unknown_i`); until it is ready after a reset (`marks_ready_i`) the stream waits.
    AxisLoad, AxisLoadSpec, "frit_axis_load":
    "AXI4-Stream input of a terminal: takes one message of LastWord + 1 words for each of LastTerminal + 1 destinations, and gives the address at which to store each word. Latency 3 cycles, one word a cycle.";
    "A word passes three registers: it is held while its destination is looked up, then checked, then written. When all messages have been checked, the input is full. take_i hands the set over and begins the next set. A word of the next set waits in the last register until take_i, and is written in the cycle of take_i; the words behind it wait, too. So up to three words of the next set may arrive before take_i, and sets can follow each other without a gap. A message ends when its count of words is reached. A duplicate message for a destination is taken and dropped; so is a message for a terminal that does not exist. frit_axis_marks beside this cell looks up tdest_i while move_o is high. State, all reset to 0 except words and their destinations: the words in the three registers, the counts of words and messages, full, the bank, the errors.";
    members {
        width: u32 = 8, "bits of a word";
        bits: u32 = 3, "bits of a terminal's number";
        last_terminal: u64 = 7, "the last terminal";
        message: MessageWords = MessageWords::new(4), "the words of a message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In tvalid_i: Bit, "a word is offered";
        Out tready_o: Bit = ready, "the word is taken at this clock edge";
        In tdata_i: Bus(width, "W"), "word";
        In tdest_i: Bus(bits, "TerminalBits"), "destination of the word's message";
        In tlast_i: Bit, "the word is the last of its message";
        In hold_i: Bit, "in the next cycle writes wait: the only bank is being read";
        In take_i: Bit, "the exchange takes this set, for which full_o was high two cycles ago; the next set begins, in the other bank";
        In soon_i: Bit, "the other bank is free from the next cycle on: comes a cycle before take_i, or never if there is one bank";
        In marks_ready_i: Bit, "the marks are ready after a reset";
        In marked_i: Bit, "the destination that was looked up already has its message";
        In unknown_i: Bit, "the destination that was looked up does not exist";
        Out move_o: Bit, "tdest_i is looked up; otherwise all words wait";
        Out mark_o: Bit, "a message for the destination that was looked up begins, now or when it need not wait any more";
        Out write_o: Bit = writable.q, "writes data_o";
        Out dest_o: Bus(bits, "TerminalBits") = write_dest.q, "destination of the word to write";
        Out word_o: Bus(word_bits, "WordIndexBits") = write_word.q, "number of the word to write within its message";
        Out data_o: Bus(width, "W") = write_data.q, "word to write";
        Out bank_o: Bit = write_bank.q, "bank in which the word to write belongs";
        Out sent_bank_o: Bit = odd_turn.q, "bank that the exchange reads";
        Out turn_o: Bit = completes, "the word held completes the set: the marks of the next set begin";
        Out full_o: Bit = full.q, "the set is complete, except that its last word may still be on its way into the memory";
        Out double_o: Bit = double.q, "a duplicate message for a destination began";
        Out unknown_o: Bit = unknown.q, "a message for a terminal that does not exist began";
        Out length_o: Bit = length.q, "tlast_i was in the wrong place";
    }
    with {
        let (word_bits, last_word) = (message.bits as usize, message.last);
    }
    parts {
        last_terminal: Const = Const::parameter(last_terminal, bits, Some("TerminalBits"));
        two_before_last: Const = Const::two_before(last_terminal, bits, "TerminalBits", "LastTerminal");
        last_word: Const = Const::parameter(last_word, word_bits, Some("WordIndexBits"));
        before_last_word: Const = Const::before(last_word, word_bits, "WordIndexBits", "LastWord");
        next_dest: Const = Const::one(bits, "TerminalBits");
        no_dest: Const = Const::zero(bits, "TerminalBits");
        next_word: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        stalls: Signal<Local, Bit>;
        acts: Signal<Local, Bit>;
        ready: Signal<Local, Bit>;
        counts: Signal<Local, Bit>;
        lacks_one: Signal<Local, Bit>;
        completes: Signal<Local, Bit>;
        first: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        refused: Signal<Local, Bit>;
        lost: Signal<Local, Bit>;
        odd_turn: BitReg = BitReg::default().purpose("the bank that is read");
        full: BitReg = BitReg::default().purpose("all words of the set are checked");
        closed: BitReg = BitReg::default().purpose("the word checked belongs to the next set");
        write_bank: BitReg = BitReg::default().purpose("the bank of the word to write");
        writable: BitReg = BitReg::default().purpose("there is a word to write, and its bank is free");
        counted: BitReg = BitReg::default().purpose("a message was completed in the last cycle");
        at_last: BitReg = BitReg::default().purpose("the set lacked one message before that");
        near_last: BitReg = BitReg::default().purpose("count_q is LastTerminal - 1");
        count: Reg = Reg::zero(bits, "TerminalBits").purpose("messages of this set that were complete before that");
        word: Reg = Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word held");
        amid: BitReg = BitReg::default().purpose("the word held is not the first of its message");
        at_end: BitReg = BitReg::default().purpose("the word held is the last of its message, which has more than one");
        dropping: BitReg = BitReg::default().purpose("the words of this message are dropped");
        held: BitReg = BitReg::default().purpose("a word is held and its destination has been looked up");
        held_last: BitReg;
        held_dest: DataReg = DataReg::new(bits, "TerminalBits");
        held_data: DataReg = DataReg::new(width, "W");
        checked: BitReg = BitReg::default().purpose("the word checked is not dropped");
        checked_dest: DataReg = DataReg::new(bits, "TerminalBits");
        checked_word: DataReg = DataReg::new(word_bits, "WordIndexBits");
        checked_data: DataReg = DataReg::new(width, "W");
        write: BitReg = BitReg::default().purpose("there is a word to write");
        write_dest: DataReg = DataReg::new(bits, "TerminalBits");
        write_word: DataReg = DataReg::new(word_bits, "WordIndexBits");
        write_data: DataReg = DataReg::new(width, "W");
        double: BitReg;
        unknown: BitReg;
        length: BitReg;
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("TerminalBits", self.bits, "bits of a terminal's number, 2 or more").at_least(2),
                Parameter::plain("W", self.width, "bits of a word"),
                Parameter::plain("WordIndexBits", self.message.bits, "bits of a word's number, 1 or more"),
                Parameter::sized("LastTerminal", self.last_terminal, self.bits, "number of the last terminal, 2 or more").at_least(2),
                Parameter::sized("LastWord", self.message.last, self.message.bits, "number of the last word of a message"),
            ]
        }
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Stays { valid: "tvalid_i", ready: "tready_o", payload: &["tdata_i", "tlast_i", "tdest_i"] },
            ]
        }
    }
}

impl kernel::Kernel for AxisLoad {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("All three registers wait while the last one holds a word whose bank is not free.");
        self.stalls.next = self.write.q.val() & !self.writable.q.val();
        self.ready.next = self.marks_ready_i.val() & !self.stalls.val();
        self.move_o.next = !self.stalls.val();

        comment!("What is known of the word held.");
        self.acts.next = self.held.q.val() & !self.stalls.val();
        self.first.next = !self.amid.q.val();
        self.ends.next = self.at_end.q.val() | (self.last_word.val() == self.no_word.val());
        self.refused.next = self.dropping.q.val();
        if self.first.val() {
            self.refused.next = self.marked_i.val() | self.unknown_i.val();
        }
        comment!("The three registers: the word that came, the word whose destination was looked up, the word to write.");
        if !self.stalls.val() {
            self.held.d.next = self.tvalid_i.val() & self.marks_ready_i.val();
            self.held_last.d.next = self.tlast_i.val();
            self.held_dest.d.next = self.tdest_i.val();
            self.held_data.d.next = self.tdata_i.val();
            self.checked.d.next = self.held.q.val() & !self.refused.val();
            self.checked_dest.d.next = self.held_dest.q.val();
            self.checked_word.d.next = self.word.q.val();
            self.checked_data.d.next = self.held_data.q.val();
            self.write.d.next = self.checked.q.val();
            self.write_dest.d.next = self.checked_dest.q.val();
            self.write_word.d.next = self.checked_word.q.val();
            self.write_data.d.next = self.checked_data.q.val();
        }
        comment!("While the word waits, it is marked again and again: what was looked up does not change.");
        self.mark_o.next = self.held.q.val() & self.first.val();
        self.double.d.next = self.acts.val() & self.first.val() & self.marked_i.val() & !self.unknown_i.val();
        self.unknown.d.next = self.acts.val() & self.first.val() & self.unknown_i.val();
        self.length.d.next = self.acts.val() & (self.held_last.q.val() ^ self.ends.val());
        comment!("The place of the word in its message. All words of a message are dropped with its first one.");
        if self.acts.val() {
            self.dropping.d.next = self.refused.val();
            self.amid.d.next = !self.ends.val();
            self.at_end.d.next = self.word.q.val() == self.before_last_word.val();
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.ends.val() {
                self.word.d.next = self.no_word.val();
            }
        }
        comment!("The messages of the set that have come, each counted a cycle later; with the last one the set is complete. A word that ends its message is not its first one, unless a message is one word: else it need not be looked up.");
        self.lost.next = self.dropping.q.val();
        if self.last_word.val() == self.no_word.val() {
            self.lost.next = self.refused.val();
        }
        self.counts.next = self.acts.val() & self.ends.val() & !self.lost.val();
        self.lacks_one.next = self.at_last.q.val();
        if self.counted.q.val() {
            self.lacks_one.next = self.near_last.q.val();
        }
        self.completes.next = self.counts.val() & self.lacks_one.val();
        self.counted.d.next = self.counts.val();
        self.at_last.d.next = self.lacks_one.val();
        if self.counted.q.val() {
            self.near_last.d.next = self.count.q.val() == self.two_before_last.val();
            self.count.d.next = self.count.q.val() + self.next_dest.val();
            if self.at_last.q.val() {
                self.count.d.next = self.no_dest.val();
            }
        }

        comment!("A set is complete until it is taken; the last of its words is behind the first two registers by then.");
        self.full.d.next = self.completes.val() | (self.full.q.val() & !self.take_i.val());
        self.closed.d.next = self.full.q.val() & !self.take_i.val();
        comment!("Whether the word to write can be written in the next cycle.");
        self.writable.d.next = (self.stalls.val() | self.checked.q.val())
            & (!self.closed.q.val() | self.take_i.val() | self.soon_i.val())
            & !self.hold_i.val();
        self.odd_turn.d.next = self.odd_turn.q.val() ^ self.take_i.val();
        comment!("The word goes into the bank of its set: the one that is not read, or the other one while the set before it is complete.");
        self.write_bank.d.next = !(self.odd_turn.q.val() ^ (self.closed.q.val() | self.take_i.val()));
    }
}

use crate::table::*;

cell! {
    /// The AXI4-Stream input of a terminal: takes one message for each destination and says where its words are kept.
    ///
    /// A message is `LastWord + 1` words with one `tdest_i`, the last with `tlast_i`. A word is held and looked up, then it is checked
    /// (whether it is dropped is known), then written: each a register, and all three wait together. When all `LastTerminal + 1`
    /// destinations have theirs, `full_o` is high, from the cycle in which the last word stands in the second register, until `take_i`, two
    /// cycles later or more, hands the messages over to the exchange (`sent_bank_o` from then on). The next set begins in that cycle, in the
    /// other bank (`bank_o`). Until then up to three words of it are taken; the first waits to be written, until `free_i`. Where there is no other
    /// bank, `free_i` never comes, and `hold_i` keeps it waiting after `take_i`.
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
        In hold_i: Bit, "writes wait: the only bank is being read";
        In take_i: Bit, "the exchange takes this set, for which full_o was high two cycles ago; the next set begins, in the other bank";
        In free_i: Bit, "the other bank is free from this cycle on: comes with take_i, or never if there is one bank";
        In marks_ready_i: Bit, "the marks are ready after a reset";
        In marked_i: Bit, "the destination that was looked up already has its message";
        In unknown_i: Bit, "the destination that was looked up does not exist";
        Out move_o: Bit, "tdest_i is looked up; otherwise all words wait";
        Out mark_o: Bit, "a message for the destination that was looked up begins, now or when it need not wait any more";
        Out write_o: Bit, "writes data_o";
        Out dest_o: Bus(bits, "TerminalBits") = write_dest.q, "destination of the word to write";
        Out word_o: Bus(word_bits, "WordIndexBits") = write_word.q, "number of the word to write within its message";
        Out data_o: Bus(width, "W") = write_data.q, "word to write";
        Out bank_o: Bit, "bank in which the word to write belongs";
        Out sent_bank_o: Bit, "bank that the exchange reads";
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
        before_last: Const = Const::before(last_terminal, bits, "TerminalBits", "LastTerminal");
        last_word: Const = Const::parameter(last_word, word_bits, Some("WordIndexBits"));
        next_dest: Const = Const::one(bits, "TerminalBits");
        no_dest: Const = Const::zero(bits, "TerminalBits");
        next_word: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        waits: Signal<Local, Bit>;
        stalls: Signal<Local, Bit>;
        acts: Signal<Local, Bit>;
        ready: Signal<Local, Bit>;
        counts: Signal<Local, Bit>;
        lacks_one: Signal<Local, Bit>;
        completes: Signal<Local, Bit>;
        first: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        refused: Signal<Local, Bit>;
        odd_turn: BitReg = BitReg::default().purpose("which bank is not being read");
        full: BitReg = BitReg::default().purpose("all words of the set are checked");
        closed: BitReg = BitReg::default().purpose("the word checked belongs to the next set");
        waiting: BitReg = BitReg::default().purpose("the word to write belongs to the next set");
        counted: BitReg = BitReg::default().purpose("a message was completed in the last cycle");
        at_last: BitReg = BitReg::default().purpose("the set lacked one message before that");
        count: Reg = Reg::zero(bits, "TerminalBits").purpose("messages of this set that were complete before that");
        word: Reg = Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word held");
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
                Parameter::sized("LastTerminal", self.last_terminal, self.bits, "number of the last terminal"),
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
        self.waits.next = (self.waiting.q.val() & !self.free_i.val()) | self.hold_i.val();
        self.stalls.next = self.write.q.val() & self.waits.val();
        self.ready.next = self.marks_ready_i.val() & !self.stalls.val();
        self.move_o.next = !self.stalls.val();

        comment!("What is known of the word held.");
        self.acts.next = self.held.q.val() & !self.stalls.val();
        self.first.next = self.word.q.val() == self.no_word.val();
        self.ends.next = self.word.q.val() == self.last_word.val();
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
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.ends.val() {
                self.word.d.next = self.no_word.val();
            }
        }
        comment!("The messages of the set that have come, each counted a cycle later; with the last one the set is complete.");
        self.counts.next = self.acts.val() & self.ends.val() & !self.refused.val();
        self.lacks_one.next = self.at_last.q.val();
        if self.counted.q.val() {
            self.lacks_one.next = self.count.q.val() == self.before_last.val();
        }
        self.completes.next = self.counts.val() & self.lacks_one.val();
        self.counted.d.next = self.counts.val();
        self.at_last.d.next = self.lacks_one.val();
        if self.counted.q.val() {
            self.count.d.next = self.count.q.val() + self.next_dest.val();
            if self.at_last.q.val() {
                self.count.d.next = self.no_dest.val();
            }
        }

        comment!("A set is complete until it is taken; the last of its words is behind the first two registers by then.");
        self.full.d.next = self.completes.val() | (self.full.q.val() & !self.take_i.val());
        self.closed.d.next = self.full.q.val() & !self.take_i.val();
        self.waiting.d.next = self.closed.q.val() & !self.take_i.val();
        self.odd_turn.d.next = self.odd_turn.q.val() ^ self.take_i.val();

        comment!("The word goes into the bank of its set.");
        self.write_o.next = self.write.q.val() & !self.waits.val();
        self.bank_o.next = self.odd_turn.q.val() ^ self.waiting.q.val();
        self.sent_bank_o.next = !self.odd_turn.q.val();
    }
}

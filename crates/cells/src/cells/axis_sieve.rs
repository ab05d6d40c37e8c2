use crate::table::*;

cell! {
    /// Lets the first message of every source pass, a cycle later, and drops what arrives again: for networks whose rounds
    /// serve some pairs more than once. [`AxisMarks`](super::AxisMarks) knows which sources have been.
    AxisSieve, AxisSieveSpec, "frit_axis_sieve":
    "Passes the first message of every source on, one cycle later, and drops duplicates.";
    "It is for networks whose rounds serve some pairs more than once (gsen with N not a power of 2). State: the word held, whether a word is held, the word's number, whether its message is dropped.";
    members {
        width: u32 = 8, "bits of a word with its source";
        message: MessageWords = MessageWords::new(4), "the words of a message";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In push_i: Bit, "a word arrives";
        In data_i: Bus(width, "W"), "arriving word with its source";
        In marked_i: Bit, "a message of the source looked up in the last cycle has arrived before";
        Out mark_o: Bit, "marks the source looked up in the last cycle";
        Out push_o: Bit, "data_o holds a word of a first message";
        Out data_o: Bus(width, "W") = data.q, "word held, with its source";
    }
    with {
        let (word_bits, last_word) = (message.bits as usize, message.last);
    }
    parts {
        last_word: Const = Const::parameter(last_word, word_bits, Some("WordIndexBits"));
        next_word: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        first: Signal<Local, Bit>;
        refused: Signal<Local, Bit>;
        held: BitReg = BitReg::default().purpose("a word is held and its source is being looked up");
        dropping: BitReg = BitReg::default().purpose("the message is a duplicate: its words are dropped");
        word: Reg = Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word held");
        data: DataReg = DataReg::new(width, "W");
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("W", self.width, "bits of a word with its source"),
                Parameter::plain("WordIndexBits", self.message.bits, "bits of a word's number, 1 or more"),
                Parameter::sized("LastWord", self.message.last, self.message.bits, "number of the last word of a message"),
            ]
        }
    }
}

impl kernel::Kernel for AxisSieve {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A word waits for a cycle until it is known whether its source was marked before.");
        self.held.d.next = self.push_i.val();
        self.data.d.next = self.data_i.val();
        comment!("The first word of a message decides for all of its words.");
        self.first.next = self.word.q.val() == self.no_word.val();
        self.refused.next = self.dropping.q.val();
        if self.first.val() {
            self.refused.next = self.marked_i.val();
        }
        if self.held.q.val() {
            self.dropping.d.next = self.refused.val();
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.word.q.val() == self.last_word.val() {
                self.word.d.next = self.no_word.val();
            }
        }
        comment!("The first word of a message marks it, and every word that is not refused goes on.");
        self.mark_o.next = self.held.q.val() & self.first.val();
        self.push_o.next = self.held.q.val() & !self.refused.val();
    }
}

use crate::table::*;

cell! {
    /// The AXI4-Stream output of a lane: keeps what arrives in 2^AddressBits words, in the order of arrival, and sends it on as the
    /// receiver takes it. The memory can be a block RAM.
    ///
    /// It has room for `Sets` exchanges of `LastOfSet + 1` words: `begin_i` announces one, and `room_o` says that one more may
    /// begin in the next cycle, unless one begins in this. A word is read, and in the next cycle it moves on into the register at the
    /// output; so it can leave three cycles after it came, and no output follows an input. Messages are `LastWord + 1` words long.
    AxisDrain, AxisDrainSpec, "frit_axis_drain":
    "AXI4-Stream output of a lane: stores the words that arrive and sends them on in the same order (block RAM). A word can leave three cycles after it arrived, then one word a cycle.";
    "The memory holds 2^AddressBits words, enough for Sets exchanges. begin_i announces an exchange, and room_o is high while one more may begin in the next cycle, so the memory never overflows. A word that is read stands behind the memory, then in a register at the output. State: head and tail, whether a word is stored, is read and stands at the output, whether one was stored in the last cycle, and whether there are others and only one, exchanges owed, room, the numbers of the word read within its message and its exchange, and whether the word at the output is the last of them (all reset to 0, but for the address after head, which is reset to 1), the memory, the address of the newest word, the word at the output.";
    members {
        width: u32 = 8, "bits of a word with its source";
        address_bits: u32 = 5, "bits of an address";
        last_of_set: u64 = 31, "the last word of an exchange";
        message: MessageWords = MessageWords::new(4), "the words of a message";
        sets: u64 = 1, "exchanges that it holds";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In begin_i: Bit, "an exchange begins";
        In push_i: Bit, "a word arrives";
        In data_i: Bus(width, "W"), "arriving word with its source";
        Out tvalid_o: Bit = valid.q, "a word is offered, until tready_i takes it";
        In tready_i: Bit, "the receiver takes the word at this clock edge";
        Out tdata_o: Bus(width, "W") = data.q, "word with its source";
        Out tlast_o: Bit = last.q, "the word is the last of its message";
        Out room_o: Bit = room.q, "there was room for one more exchange in this cycle, and none began in the last";
    }
    with {
        let (word_bits, last_word) = (message.bits as usize, message.last);
        let second = Const::one(address_bits, "AddressBits");
    }
    parts {
        last_of_set: Const = Const::parameter(last_of_set, address_bits, Some("AddressBits"));
        last_word: Const = Const::parameter(last_word, word_bits, Some("WordIndexBits"));
        sets: Const = Const::parameter(sets, 2, None);
        next_address: Const = Const::one(address_bits, "AddressBits");
        no_address: Const = Const::zero(address_bits, "AddressBits");
        second: Const = second.clone();
        next_word: Const = Const::one(word_bits, "WordIndexBits");
        no_word: Const = Const::zero(word_bits, "WordIndexBits");
        one_set: Const = Const::local(1, 2, None, "2'd1");
        moves: Signal<Local, Bit>;
        fetches: Signal<Local, Bit>;
        reads: Signal<Local, Bit>;
        leaves: Signal<Local, Bit>;
        one: Signal<Local, Bit>;
        some_left: Signal<Local, Bit>;
        sole_left: Signal<Local, Bit>;
        filled: BitReg = BitReg::default().purpose("a word is stored that has not been read");
        pushed: BitReg = BitReg::default().purpose("one of them arrived in the last cycle");
        some: BitReg = BitReg::default().purpose("others are stored that have not been read");
        sole: BitReg = BitReg::default().purpose("of these others there is only one, if there are any");
        read: BitReg = BitReg::default().purpose("the word behind the memory has not moved on");
        valid: BitReg = BitReg::default().purpose("a word stands at the output");
        last: BitReg = BitReg::default().purpose("the word at the output is the last of its message");
        last_of_all: BitReg = BitReg::default().purpose("the word at the output is the last of its exchange");
        room: BitReg;
        head: Reg = Reg::zero(address_bits, "AddressBits").purpose("address of the next word to read");
        next: Reg = Reg::reset_to(&second, "AddressBits", "SECOND").purpose("the address after head_q");
        tail: Reg = Reg::zero(address_bits, "AddressBits");
        newest: DataReg = DataReg::new(address_bits, "AddressBits").purpose("address of the word that arrived last");
        place: Reg = Reg::zero(address_bits, "AddressBits").purpose("the number, within its exchange, of the word behind the memory");
        word: Reg = Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word behind the memory");
        owed: Reg = Reg::fixed(2).purpose("exchanges that have begun and whose words have not all left");
        data: DataReg = DataReg::new(width, "W").purpose("the word at the output");
        memory: HeldMemory = HeldMemory::new(width, "W", address_bits, "AddressBits").collides();
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("AddressBits", self.address_bits, "bits of an address, 2 or more").at_least(2),
                Parameter::plain("W", self.width, "bits of a word with its source"),
                Parameter::plain("WordIndexBits", self.message.bits, "bits of a word's number, 1 or more"),
                Parameter::sized("LastOfSet", self.last_of_set, self.address_bits, "number of the last word of an exchange"),
                Parameter::sized("LastWord", self.message.last, self.message.bits, "number of the last word of a message"),
                Parameter::sized("Sets", self.sets, 2, "exchanges that fit into the memory, 1 or 2"),
            ]
        }
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("push_i & ~reads & filled_q & (head_q == tail_q)", "a word enters the full memory"),
            ]
        }
    }
}

impl kernel::Kernel for AxisDrain {
    #[hdl_gen]
    fn update(&mut self) {
        // The register at the output takes the word behind the memory as soon as it is free, and so does the memory's the next word.
        comment!("Three places: the memory, its output, the register at the port. Each takes the next word as soon as it is free.");
        self.moves.next = !self.valid.q.val() | self.tready_i.val();
        self.fetches.next = !self.read.q.val() | self.moves.val();
        self.reads.next = self.filled.q.val() & self.fetches.val();
        self.read.d.next = self.reads.val() | (self.read.q.val() & !self.moves.val());
        self.valid.d.next = self.read.q.val() | (self.valid.q.val() & !self.tready_i.val());
        comment!("filled_q is high while the memory holds a word that has not been read. The two flags count these words without the one that arrived in the last cycle, so that neither tready_i nor push_i has to pass a comparison of addresses.");
        self.one.next = self.sole.q.val();
        self.some_left.next = self.some.q.val() & !self.sole.q.val();
        self.sole_left.next = self.next.q.val() == self.newest.q.val();
        if self.pushed.q.val() {
            self.one.next = !self.some.q.val();
            self.some_left.next = self.some.q.val();
            self.sole_left.next = self.sole.q.val();
        }
        self.filled.d.next =
            (self.filled.q.val() & !(self.fetches.val() & self.one.val())) | self.push_i.val();
        self.pushed.d.next = self.push_i.val();
        self.some.d.next = self.some.q.val() | self.pushed.q.val();
        self.sole.d.next = self.one.val();
        if self.fetches.val() {
            self.some.d.next = self.some_left.val();
            self.sole.d.next = self.sole_left.val();
        }
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.next_address.val();
            self.newest.d.next = self.tail.q.val();
        }
        if self.reads.val() {
            self.head.d.next = self.next.q.val();
            self.next.d.next = self.next.q.val() + self.next_address.val();
        }
        if self.moves.val() {
            self.data.d.next = self.memory.q.val();
            self.last.d.next = self.word.q.val() == self.last_word.val();
            self.last_of_all.d.next = self.place.q.val() == self.last_of_set.val();
        }
        if self.moves.val() & self.read.q.val() {
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.word.q.val() == self.last_word.val() {
                self.word.d.next = self.no_word.val();
            }
            self.place.d.next = self.place.q.val() + self.next_address.val();
            if self.place.q.val() == self.last_of_set.val() {
                self.place.d.next = self.no_address.val();
            }
        }

        comment!("owed_q counts the sets that have begun and have words to leave.");
        self.leaves.next = self.valid.q.val() & self.tready_i.val() & self.last_of_all.q.val();
        if self.begin_i.val() {
            self.owed.d.next = self.owed.q.val() + self.one_set.val();
        }
        if self.leaves.val() {
            self.owed.d.next = self.owed.q.val() - self.one_set.val();
            if self.begin_i.val() {
                self.owed.d.next = self.owed.q.val();
            }
        }
        self.room.d.next = ((self.owed.q.val() != self.sets.val()) | self.leaves.val()) & !self.begin_i.val();
        comment!("The memory, and the register at the port.");
        self.memory.write.next = self.push_i.val();
        self.memory.write_address.next = self.tail.q.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read.next = self.fetches.val();
        self.memory.read_address.next = self.head.q.val();
    }
}

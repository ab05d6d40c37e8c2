use crate::atoms::{BitReg, Bus, Const, DataReg, HeldMemory, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Assertion, Describe, Parameter, ready, simulated};
use crate::message::MessageWords;
use crate::table::comment;
use rust_hdl::prelude::*;

/// What an instance of [`AxisDrain`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisDrainSpec {
    /// Bits of a word with its source.
    pub width: u32,
    /// Bits of an address.
    pub address_bits: u32,
    /// The last word of an exchange.
    pub last_of_set: u64,
    /// The words of a message.
    pub message: MessageWords,
    /// Exchanges that it holds.
    pub sets: u64,
}

impl Describe for AxisDrainSpec {
    fn module(&self) -> String {
        "frit_axis_drain".into()
    }
    fn title(&self) -> &'static str {
        "frit_axis_drain"
    }
    fn summary(&self) -> &'static str {
        "AXI4-Stream output of a lane: stores the words that arrive and sends them on in the same order (block RAM). A word can leave three cycles after it arrived, then one word a cycle."
    }
    fn details(&self) -> &'static str {
        "The memory holds 2^AddressBits words, enough for Sets exchanges. begin_i announces an exchange, and room_o is high while one more may begin in the next cycle, so the memory never overflows. A word that is read stands behind the memory, then in a register at the output. State: head and tail, whether a word is stored, is read and stands at the output, words left and exchanges owed, room, the number of the word read and whether the word at the output is the last of its message (all reset to 0), the memory, the address of the newest word, the word at the output."
    }
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
    fn prototype(&self) -> Box<dyn Cell> {
        let (bits, word_bits) = (self.address_bits as usize, self.message.bits as usize);
        ready(AxisDrain::new(simulated(self.width), bits, self.last_of_set, word_bits, self.message.last, self.sets))
    }
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("push_i & ~reads & filled_q & (head_q == tail_q)", "a word enters the full memory"),
            ]
        }
    fn example() -> Self {
        AxisDrainSpec { width: 8, address_bits: 5, last_of_set: 31, message: MessageWords::new(4), sets: 1 }
    }
}

/// The AXI4-Stream output of a lane: keeps what arrives in 2^AddressBits words, in the order of arrival, and sends it on as the
/// receiver takes it. The memory can be a block RAM.
///
/// It has room for `Sets` exchanges of `LastOfSet + 1` words: `begin_i` announces one, and `room_o` says that one more may
/// begin in the next cycle, unless one begins in this. A word is read, and in the next cycle it moves on into the register at the
/// output; so it can leave three cycles after it came, and no output follows an input. Messages are `LastWord + 1` words long.
#[derive(LogicBlock)]
pub struct AxisDrain {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    begin_i: Signal<In, Bit>,
    push_i: Signal<In, Bit>,
    data_i: Bus<In>,
    tvalid_o: Signal<Out, Bit>,
    tready_i: Signal<In, Bit>,
    tdata_o: Bus<Out>,
    tlast_o: Signal<Out, Bit>,
    room_o: Signal<Out, Bit>,
    last_of_set: Const,
    last_word: Const,
    sets: Const,
    next_address: Const,
    no_address: Const,
    next_word: Const,
    no_word: Const,
    one_set: Const,
    taken: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    fetches: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    filled: BitReg,
    read: BitReg,
    valid: BitReg,
    last: BitReg,
    room: BitReg,
    head: Reg,
    tail: Reg,
    newest: DataReg,
    left: Reg,
    word: Reg,
    owed: Reg,
    data: DataReg,
    memory: HeldMemory,
}

impl AxisDrain {
    /// For 2^`address_bits` words of `width` bits (data and source), messages of words 0 … `last_word` in `word_bits`
    /// bits, and `sets` exchanges, 1 or 2, of words 0 … `last_of_set`.
    pub fn new(
        width: usize,
        address_bits: usize,
        last_of_set: u64,
        word_bits: usize,
        last_word: u64,
        sets: u64,
    ) -> Self {
        AxisDrain {
            clk_i: Default::default(),
            rst_i: Default::default(),
            begin_i: Default::default(),
            push_i: Default::default(),
            data_i: Bus::named(width, "W"),
            tvalid_o: Default::default(),
            tready_i: Default::default(),
            tdata_o: Bus::named(width, "W"),
            tlast_o: Default::default(),
            room_o: Default::default(),
            last_of_set: Const::parameter(last_of_set, address_bits, Some("AddressBits")),
            last_word: Const::parameter(last_word, word_bits, Some("WordIndexBits")),
            sets: Const::parameter(sets, 2, None),
            next_address: Const::one(address_bits, "AddressBits"),
            no_address: Const::zero(address_bits, "AddressBits"),
            next_word: Const::one(word_bits, "WordIndexBits"),
            no_word: Const::zero(word_bits, "WordIndexBits"),
            one_set: Const::local(1, 2, None, "2'd1"),
            taken: Default::default(),
            moves: Default::default(),
            fetches: Default::default(),
            reads: Default::default(),
            leaves: Default::default(),
            filled: BitReg::default().purpose("a word is stored that has not been read"),
            read: BitReg::default().purpose("the word behind the memory has not moved on"),
            valid: BitReg::default().purpose("a word stands at the output"),
            last: BitReg::default().purpose("the word at the output is the last of its message"),
            room: Default::default(),
            head: Reg::zero(address_bits, "AddressBits").purpose("address of the next word to read"),
            tail: Reg::zero(address_bits, "AddressBits"),
            newest: DataReg::new(address_bits, "AddressBits").purpose("address of the word that arrived last"),
            left: Reg::zero(address_bits, "AddressBits").purpose("words of this exchange that have left"),
            word: Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word behind the memory"),
            owed: Reg::fixed(2).purpose("exchanges that have begun and whose words have not all left"),
            data: DataReg::new(width, "W").purpose("the word at the output"),
            memory: HeldMemory::new(width, "W", address_bits, "AddressBits").collides(),
        }
    }
}

cell_ports!(AxisDrain:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In begin_i "an exchange begins",
    In push_i "a word arrives",
    In data_i "arriving word with its source",
    Out tvalid_o "a word is offered, until tready_i takes it",
    In tready_i "the receiver takes the word at this clock edge",
    Out tdata_o "word with its source",
    Out tlast_o "the word is the last of its message",
    Out room_o "there was room for one more exchange in this cycle, and none began in the last",
);

impl Logic for AxisDrain {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, filled, read, valid, last, room, head, tail, newest, left, word, owed, data, memory);
        self.filled.reset.next = self.rst_i.val();
        self.read.reset.next = self.rst_i.val();
        self.valid.reset.next = self.rst_i.val();
        self.last.reset.next = self.rst_i.val();
        self.room.reset.next = self.rst_i.val();
        self.head.reset.next = self.rst_i.val();
        self.tail.reset.next = self.rst_i.val();
        self.left.reset.next = self.rst_i.val();
        self.word.reset.next = self.rst_i.val();
        self.owed.reset.next = self.rst_i.val();
        self.head.d.next = self.head.q.val();
        self.tail.d.next = self.tail.q.val();
        self.newest.d.next = self.newest.q.val();
        self.left.d.next = self.left.q.val();
        self.word.d.next = self.word.q.val();
        self.owed.d.next = self.owed.q.val();
        self.last.d.next = self.last.q.val();
        self.data.d.next = self.data.q.val();

        // The register at the output takes the word behind the memory as soon as it is free, and so does the memory's the next word.
        comment!("Three places: the memory, its output, the register at the port. Each takes the next word as soon as it is free.");
        self.moves.next = !self.valid.q.val() | self.tready_i.val();
        self.fetches.next = !self.read.q.val() | self.moves.val();
        self.reads.next = self.filled.q.val() & self.fetches.val();
        self.read.d.next = self.reads.val() | (self.read.q.val() & !self.moves.val());
        self.valid.d.next = self.read.q.val() | (self.valid.q.val() & !self.tready_i.val());
        comment!("filled_q is high while the memory holds a word that has not been read.");
        self.filled.d.next =
            (self.filled.q.val() & !(self.reads.val() & (self.head.q.val() == self.newest.q.val()))) | self.push_i.val();
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.next_address.val();
            self.newest.d.next = self.tail.q.val();
        }
        if self.reads.val() {
            self.head.d.next = self.head.q.val() + self.next_address.val();
        }
        if self.moves.val() {
            self.data.d.next = self.memory.q.val();
            self.last.d.next = self.word.q.val() == self.last_word.val();
        }
        if self.moves.val() & self.read.q.val() {
            self.word.d.next = self.word.q.val() + self.next_word.val();
            if self.word.q.val() == self.last_word.val() {
                self.word.d.next = self.no_word.val();
            }
        }

        comment!("left_q counts the words of the set that have left, owed_q the sets that have begun and have words to leave.");
        self.taken.next = self.valid.q.val() & self.tready_i.val();
        self.leaves.next = self.taken.val() & (self.left.q.val() == self.last_of_set.val());
        if self.begin_i.val() {
            self.owed.d.next = self.owed.q.val() + self.one_set.val();
        }
        if self.taken.val() {
            self.left.d.next = self.left.q.val() + self.next_address.val();
            if self.leaves.val() {
                self.left.d.next = self.no_address.val();
                self.owed.d.next = self.owed.q.val() - self.one_set.val();
                if self.begin_i.val() {
                    self.owed.d.next = self.owed.q.val();
                }
            }
        }
        self.room.d.next = ((self.owed.q.val() != self.sets.val()) | self.leaves.val()) & !self.begin_i.val();
        comment!("The memory, and the register at the port.");
        self.memory.write.next = self.push_i.val();
        self.memory.write_address.next = self.tail.q.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read.next = self.fetches.val();
        self.memory.read_address.next = self.head.q.val();
        self.tvalid_o.next = self.valid.q.val();
        self.tdata_o.next = self.data.q.val();
        self.tlast_o.next = self.last.q.val();
        self.room_o.next = self.room.q.val();
    }
}

use crate::atoms::{BitReg, Bus, Const, DataReg, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use crate::message::MessageWords;
use crate::table::comment;
use rust_hdl::prelude::*;

/// What an instance of [`AxisSieve`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisSieveSpec {
    /// Bits of a word with its source.
    pub width: u32,
    /// The words of a message.
    pub message: MessageWords,
}

impl Describe for AxisSieveSpec {
    fn module(&self) -> String {
        "frit_axis_sieve".into()
    }
    fn title(&self) -> &'static str {
        "frit_axis_sieve"
    }
    fn summary(&self) -> &'static str {
        "Passes the first message of every source on, one cycle later, and drops duplicates."
    }
    fn details(&self) -> &'static str {
        "It is for networks whose rounds serve some pairs more than once (gsen with N not a power of 2). State: the word held, whether a word is held, the word's number, whether its message is dropped."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("W", self.width, "bits of a word with its source"),
            Parameter::plain("WordIndexBits", self.message.bits, "bits of a word's number, 1 or more"),
            Parameter::sized("LastWord", self.message.last, self.message.bits, "number of the last word of a message"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(AxisSieve::new(simulated(self.width), self.message.bits as usize, self.message.last))
    }
    fn example() -> Self {
        AxisSieveSpec { width: 8, message: MessageWords::new(4) }
    }
}

/// Lets the first message of every source pass, a cycle later, and drops what arrives again: for networks whose rounds
/// serve some pairs more than once. [`AxisMarks`](super::AxisMarks) knows which sources have been.
#[derive(LogicBlock)]
pub struct AxisSieve {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    push_i: Signal<In, Bit>,
    data_i: Bus<In>,
    marked_i: Signal<In, Bit>,
    mark_o: Signal<Out, Bit>,
    push_o: Signal<Out, Bit>,
    data_o: Bus<Out>,
    last_word: Const,
    next_word: Const,
    no_word: Const,
    first: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    held: BitReg,
    dropping: BitReg,
    word: Reg,
    data: DataReg,
}

impl AxisSieve {
    /// For words of `width` bits (data and source), in messages of words 0 … `last_word` in `word_bits` bits.
    pub fn new(width: usize, word_bits: usize, last_word: u64) -> Self {
        AxisSieve {
            clk_i: Default::default(),
            rst_i: Default::default(),
            push_i: Default::default(),
            data_i: Bus::named(width, "W"),
            marked_i: Default::default(),
            mark_o: Default::default(),
            push_o: Default::default(),
            data_o: Bus::named(width, "W"),
            last_word: Const::parameter(last_word, word_bits, Some("WordIndexBits")),
            next_word: Const::one(word_bits, "WordIndexBits"),
            no_word: Const::zero(word_bits, "WordIndexBits"),
            first: Default::default(),
            refused: Default::default(),
            held: BitReg::default().purpose("a word is held and its source is being looked up"),
            dropping: BitReg::default().purpose("the message is a duplicate: its words are dropped"),
            word: Reg::zero(word_bits, "WordIndexBits").purpose("the number, within its message, of the word held"),
            data: DataReg::new(width, "W"),
        }
    }
}

cell_ports!(AxisSieve:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In push_i "a word arrives",
    In data_i "arriving word with its source",
    In marked_i "a message of the source looked up in the last cycle has arrived before",
    Out mark_o "marks the source looked up in the last cycle",
    Out push_o "data_o holds a word of a first message",
    Out data_o "word held, with its source",
);

impl Logic for AxisSieve {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, held, dropping, word, data);
        self.held.reset.next = self.rst_i.val();
        self.dropping.reset.next = self.rst_i.val();
        self.word.reset.next = self.rst_i.val();
        comment!("A word waits for a cycle until it is known whether its source was marked before.");
        self.held.d.next = self.push_i.val();
        self.data.d.next = self.data_i.val();
        self.dropping.d.next = self.dropping.q.val();
        self.word.d.next = self.word.q.val();
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
        comment!("");
        self.mark_o.next = self.held.q.val() & self.first.val();
        self.push_o.next = self.held.q.val() & !self.refused.val();
        self.data_o.next = self.data.q.val();
    }
}

use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`RingWord`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingWordSpec {
    /// Bits of a word.
    pub bits: u32,
    /// The word in round 0.
    pub start: u64,
}

impl Describe for RingWordSpec {
    fn module(&self) -> String {
        "frit_ring_word".into()
    }
    fn title(&self) -> &'static str {
        "frit_ring_word"
    }
    fn summary(&self) -> &'static str {
        "A word that is handed round a ring of terminals: each round the one of the terminal before (labels of algorithm=latin, labels=ring)."
    }
    fn details(&self) -> &'static str {
        "State: the word (reset to Start)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("WordBits", self.bits, "bits of a word, 1 or more"),
            Parameter::sized("Start", self.start, self.bits, "the word in round 0"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(RingWord::new(self.bits as usize, self.start))
    }
    fn example() -> Self {
        RingWordSpec { bits: 3, start: 6 }
    }
}

/// A word that is handed round a ring: each round the one that the terminal before had.
#[derive(LogicBlock)]
pub struct RingWord {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    advance_i: Signal<In, Bit>,
    word_i: Bus<In>,
    word_o: Bus<Out>,
    start: Const,
    word: Reg,
}

impl RingWord {
    /// A word of `bits` bits that is `start` in round 0.
    pub fn new(bits: usize, start: u64) -> Self {
        let start = Const::parameter(start, bits, Some("WordBits"));
        RingWord {
            clk_i: Default::default(),
            rst_i: Default::default(),
            advance_i: Default::default(),
            word_i: Bus::named(bits, "WordBits"),
            word_o: Bus::named(bits, "WordBits"),
            word: Reg::reset_to(&start, "WordBits", "Start"),
            start,
        }
    }
}

cell_ports!(RingWord:
    In clk_i "clock, rising edge",
    In rst_i "reset to round 0",
    In advance_i "go on to the next round",
    In word_i "the word of the terminal before",
    Out word_o "the word of the round",
);

impl Logic for RingWord {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, word);
        self.word.reset.next = self.rst_i.val();
        self.word.d.next = self.word.q.val();
        if self.advance_i.val() {
            self.word.d.next = self.word_i.val();
        }
        self.word_o.next = self.word.q.val();
    }
}

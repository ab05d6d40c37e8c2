use crate::atoms::Bus;
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`Pattern`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternSpec {
    /// Bits of a word.
    pub width: u32,
}

impl Describe for PatternSpec {
    fn module(&self) -> String {
        "frit_pattern".into()
    }
    fn title(&self) -> &'static str {
        "frit_pattern"
    }
    fn summary(&self) -> &'static str {
        "Word of the self-test: who sends it to whom, inverted by the seed of the run. Combinational."
    }
    fn details(&self) -> &'static str {
        "Part of D_selftest (prototype.md): the bits that tell source and destination, each inverted where the seed has a 1. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("W", self.width, "bits of a word"),
        ]
    }
    fn word_width(&self) -> Option<u32> {
        Some(self.width)
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Pattern::new(simulated(self.width)))
    }
    fn example() -> Self {
        PatternSpec { width: 8 }
    }
}

/// A word of the self-test: the bits that tell who sends it to whom, each inverted where the seed of the run says so.
#[derive(LogicBlock)]
pub struct Pattern {
    seed_i: Bus<In>,
    tag_i: Bus<In>,
    word_o: Bus<Out>,
}

impl Pattern {
    /// For words of `width` bits.
    pub fn new(width: usize) -> Self {
        Pattern {
            seed_i: Bus::named(width, "W"),
            tag_i: Bus::named(width, "W"),
            word_o: Bus::named(width, "W"),
        }
    }
}

cell_ports!(Pattern:
    In seed_i "the seed of the run, repeated",
    In tag_i "bits of destination and source in turn, repeated",
    Out word_o "the word",
);

impl Logic for Pattern {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = self.seed_i.val() ^ self.tag_i.val();
    }
}

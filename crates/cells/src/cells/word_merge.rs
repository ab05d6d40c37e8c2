use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`WordMerge`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordMergeSpec {
    /// Bits of a word.
    pub width: u32,
}

impl Describe for WordMergeSpec {
    fn module(&self) -> String {
        "frit_word_merge".into()
    }
    fn title(&self) -> &'static str {
        "frit_word_merge"
    }
    fn summary(&self) -> &'static str {
        "Joins two halves of a tree, of which at most one has a word: that word, or zeros."
    }
    fn details(&self) -> &'static str {
        "Where both halves have a word it is their OR. Combinational. No state."
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
        ready(WordMerge::new(simulated(self.width)))
    }
    fn example() -> Self {
        WordMergeSpec { width: 8 }
    }
}

/// A node of the tree that brings words of many places together: one of the two halves, or their OR.
#[derive(LogicBlock)]
pub struct WordMerge {
    left_take_i: Signal<In, Bit>,
    left_word_i: Bus<In>,
    right_take_i: Signal<In, Bit>,
    right_word_i: Bus<In>,
    take_o: Signal<Out, Bit>,
    word_o: Bus<Out>,
    none: Const,
    left: Bus<Local>,
    right: Bus<Local>,
}

impl WordMerge {
    /// For words of `width` bits.
    pub fn new(width: usize) -> Self {
        WordMerge {
            left_take_i: Default::default(),
            left_word_i: Bus::named(width, "W"),
            right_take_i: Default::default(),
            right_word_i: Bus::named(width, "W"),
            take_o: Default::default(),
            word_o: Bus::named(width, "W"),
            none: Const::zero(width, "W"),
            left: Bus::named(width, "W"),
            right: Bus::named(width, "W"),
        }
    }
}

cell_ports!(WordMerge:
    In left_take_i "the left half has a word",
    In left_word_i "the word",
    In right_take_i "the right half has a word",
    In right_word_i "the word",
    Out take_o "there is a word, same cycle",
    Out word_o "the word, same cycle",
);

impl Logic for WordMerge {
    #[hdl_gen]
    fn update(&mut self) {
        self.left.next = self.none.val();
        self.right.next = self.none.val();
        if self.left_take_i.val() {
            self.left.next = self.left_word_i.val();
        }
        if self.right_take_i.val() {
            self.right.next = self.right_word_i.val();
        }
        self.take_o.next = self.left_take_i.val() | self.right_take_i.val();
        self.word_o.next = self.left.val() | self.right.val();
    }
}

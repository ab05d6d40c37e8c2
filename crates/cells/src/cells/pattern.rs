use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// A word of the self-test: the bits that tell who sends it to whom, each inverted where the seed of the run says so.
    Pattern, PatternSpec, "frit_pattern":
    "Word of the self-test: who sends it to whom, inverted by the seed of the run. Combinational.";
    "Part of D_selftest (prototype.md): the bits that tell source and destination, each inverted where the seed has a 1. No state.";
    parameters {
        W width: u32 = 8, "bits of a word";
    }
    ports {
        In seed_i: Bus(width, "W"), "the seed of the run, repeated";
        In tag_i: Bus(width, "W"), "bits of destination and source in turn, repeated";
        Out word_o: Bus(width, "W"), "the word";
    }
}

impl Logic for Pattern {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = self.seed_i.val() ^ self.tag_i.val();
    }
}

use crate::table::*;

cell! {
    /// A word of the self-test: the bits that tell who sends it to whom, each inverted where the seed of the run says so.
    Pattern, PatternSpec, "frit_pattern":
    "Word of the self-test: names its source and its destination, with bits inverted by the seed of the run. Combinational.";
    "It is part of D_selftest (prototype.md). The bits that name source and destination are inverted where the seed has a 1. No state.";
    parameters {
        W width: u32 = 8, "bits of a word";
    }
    ports {
        In seed_i: Bus(width, "W"), "seed of the run, repeated";
        In tag_i: Bus(width, "W"), "bits of destination and source in turn, repeated";
        Out word_o: Bus(width, "W"), "word";
    }
}

impl kernel::Kernel for Pattern {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = self.seed_i.val() ^ self.tag_i.val();
    }
}

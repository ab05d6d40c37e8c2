use crate::atoms::Bus;
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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

cell_ports!(Pattern: In seed_i, In tag_i, Out word_o);

impl Logic for Pattern {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = self.seed_i.val() ^ self.tag_i.val();
    }
}

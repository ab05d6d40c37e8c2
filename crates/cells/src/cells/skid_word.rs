use crate::atoms::DataReg;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The words of a lane in the two places of [`SkidControl`](super::SkidControl).
    SkidWord, SkidWordSpec, "frit_skid_word":
    "The two places for words of a lane at the output of a streamed permutation (frit_skid_control).";
    "State: 2 words, without reset.";
    parameters {
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In advance_i: Bit, "the spare place is empty and takes data_i";
        In take_i: Bit, "the head takes data_i, or the word of the spare place if that is not empty";
        In data_i: Bus(width, "W"), "word that comes";
        Out data_o: Bus(width, "W"), "word of the head";
    }
    parts {
        head: DataReg = DataReg::new(width, "W");
        spare: DataReg = DataReg::new(width, "W");
    }
}

impl Logic for SkidWord {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, head, spare);
        self.head.d.next = self.head.q.val();
        self.spare.d.next = self.spare.q.val();
        if self.take_i.val() {
            self.head.d.next = self.spare.q.val();
            if self.advance_i.val() {
                self.head.d.next = self.data_i.val();
            }
        }
        if self.advance_i.val() {
            self.spare.d.next = self.data_i.val();
        }
        self.data_o.next = self.head.q.val();
    }
}

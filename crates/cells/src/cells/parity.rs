use crate::table::*;

cell! {
    /// The bits of four words added modulo 2: one look-up table of four inputs a bit.
    Parity, ParitySpec, "frit_parity":
    "Sum of four words bit by bit, modulo 2. Combinational.";
    "The signature of the self-test (prototype.md) adds the words of all lanes with these cells. An input that is not needed is 0. No state.";
    parameters {
        W width: u32 = 31, "bits of a word";
    }
    ports {
        In a_i: Bus(width, "W"), "word";
        In b_i: Bus(width, "W"), "word";
        In c_i: Bus(width, "W"), "word";
        In d_i: Bus(width, "W"), "word";
        Out word_o: Bus(width, "W"), "sum";
    }
}

impl kernel::Kernel for Parity {
    #[hdl_gen]
    fn update(&mut self) {
        self.word_o.next = (self.a_i.val() ^ self.b_i.val()) ^ (self.c_i.val() ^ self.d_i.val());
    }
}

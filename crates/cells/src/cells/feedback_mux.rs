use crate::table::*;

cell! {
    /// The input of a network that is passed twice: the word of the terminal, or the one that comes back.
    FeedbackMux, FeedbackMuxSpec, "frit_feedback_mux":
    "Input of a network that messages pass twice. again_i selects the word that comes back for its second pass. Combinational.";
    "No state.";
    parameters {
        W width: u32 = 8, "bits of a word";
    }
    ports {
        In again_i: Bit, "0: the terminal's word enters. 1: the word that comes back enters";
        In valid_i: Bit, "valid bit of the terminal's word";
        In data_i: Bus(width, "W"), "terminal's word";
        In back_valid_i: Bit, "valid bit of the word that comes back";
        In back_data_i: Bus(width, "W"), "word that comes back";
        Out valid_o: Bit, "valid bit of the word that enters, same cycle";
        Out data_o: Bus(width, "W"), "word that enters, same cycle";
    }
}

impl kernel::Kernel for FeedbackMux {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.valid_i.val();
        self.data_o.next = self.data_i.val();
        if self.again_i.val() {
            self.valid_o.next = self.back_valid_i.val();
            self.data_o.next = self.back_data_i.val();
        }
    }
}

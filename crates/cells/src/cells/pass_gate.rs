use crate::table::*;

cell! {
    /// The end of the first pass of a network that is passed twice: a word goes on, or back. The word itself is wired both ways.
    PassGate, PassGateSpec, "frit_pass_gate":
    "End of the first pass of a network that messages pass twice: deliver_i lets a word leave the network, else the word goes back for its second pass. Combinational.";
    "Only valid bits pass this cell; the word itself is wired both ways. No state.";
    ports {
        In deliver_i: Bit, "0: the word goes back. 1: the word is in its second pass and leaves";
        In valid_i: Bit, "valid bit of the word";
        Out valid_o: Bit, "valid bit of a word that leaves, same cycle";
        Out back_valid_o: Bit, "valid bit of a word that goes back, same cycle";
    }
}

impl kernel::Kernel for PassGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.valid_i.val() & self.deliver_i.val();
        self.back_valid_o.next = self.valid_i.val() & !self.deliver_i.val();
    }
}

use crate::table::*;

cell! {
    /// Says when a beat passes a place of a streamed permutation.
    BeatGate, BeatGateSpec, "frit_beat_gate":
    "Says when a beat passes a place of a streamed permutation: there is one, and the stream moves on.";
    "Combinational. No state.";
    ports {
        In valid_i: Bit, "there is a beat";
        In advance_i: Bit, "the stream moves on";
        Out step_o: Bit, "a beat passes, same cycle";
    }
}

impl kernel::Kernel for BeatGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.step_o.next = self.valid_i.val() & self.advance_i.val();
    }
}

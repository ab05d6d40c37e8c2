use crate::table::*;

cell! {
    /// Whether a side is committed to ports, F: unasked if it is small, or when enough of its requests are granted.
    SideCommit, SideCommitSpec, "frit_side_commit":
    "Commits a side of a multibutterfly's node to ports, once: a small side to its first ports without asking, any other side to ports that are granted.";
    "State: F, whether the side is committed (reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: not committed";
        In unasked_i: Bit, "step 1 of a phase: small sides commit";
        In small_i: Bit, "the side is small and need not ask";
        In decide_i: Bit, "the grants of a round of requests are valid";
        In enough_i: Bit, "enough ports are granted";
        Out first_o: Bit = first, "the side commits to its first ports, same cycle";
        Out granted_o: Bit = granted, "the side commits to its lowest granted ports, same cycle";
        Out committed_o: Bit = committed.q, "F, the side is committed";
    }
    parts {
        first: Signal<Local, Bit>;
        granted: Signal<Local, Bit>;
        committed: BitReg = BitReg::default().purpose("F");
    }
}

impl kernel::Kernel for SideCommit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A side commits once: without asking, or with enough ports granted.");
        self.first.next = self.unasked_i.val() & self.small_i.val() & !self.committed.q.val();
        self.granted.next = self.decide_i.val() & self.enough_i.val() & !self.committed.q.val();
        self.committed.d.next = self.committed.q.val() | self.first.val() | self.granted.val();
    }
}

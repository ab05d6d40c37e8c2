use crate::table::*;

cell! {
    /// What the steps of a phase mean for a column: inputs take part once the wave has come to them, outputs a phase before.
    ColumnControl, ColumnControlSpec, "frit_column_control":
    "Control of one column of a multibutterfly: passes the steps of the protocol to the nodes of the column, as inputs once the wave has reached it, and as outputs one phase earlier.";
    "Combinational. No state.";
    ports {
        In active_i: Bit, "the nodes of the column are inputs";
        In reach_i: Bit, "the nodes of the column are outputs";
        In unasked_i: Bit, "step 1: small sides commit without asking";
        In decide_i: Bit, "grants are valid";
        In hear_i: Bit, "requests are made or withdrawn";
        In weigh_i: Bit, "the rounds of requests are over";
        In count_i: Bit, "inputs report";
        In snap_i: Bit, "a round of moves begins";
        In clean_i: Bit, "a round of moves ends";
        In set_i: Bit, "the phase ends";
        Out unasked_o: Bit, "sides may commit without asking, same cycle";
        Out decide_o: Bit, "sides decide, same cycle";
        Out hear_o: Bit, "in-ports store requests, same cycle";
        Out weigh_o: Bit, "g' is set, same cycle";
        Out count_o: Bit, "g'' is set, same cycle";
        Out settle_o: Bit, "ghosts are created or deleted, same cycle";
        Out set_o: Bit, "the nodes of the column become inputs, same cycle";
    }
}

impl kernel::Kernel for ColumnControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("Only columns with messages ask.");
        self.unasked_o.next = self.unasked_i.val() & self.active_i.val();
        self.decide_o.next = self.decide_i.val() & self.active_i.val();
        comment!("Columns that the messages have reached hear requests and count ghosts.");
        self.hear_o.next = self.hear_i.val() & self.reach_i.val();
        self.weigh_o.next = self.weigh_i.val() & self.reach_i.val();
        self.count_o.next = self.count_i.val() & self.reach_i.val();
        self.settle_o.next = self.reach_i.val() & (self.clean_i.val() | (self.snap_i.val() & !self.active_i.val()));
        self.set_o.next = self.set_i.val() & self.reach_i.val() & !self.active_i.val();
    }
}

use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// What the steps of a stage mean for a column: inputs take part once the wave has come to them, outputs a stage before.
    ColumnControl, ColumnControlSpec, "frit_column_control":
    "The steps of a stage for the nodes of a column: as inputs from stage c on, as outputs from stage c - 1 on.";
    "Combinational. No state.";
    ports {
        In active_i: Bit, "the column is one of inputs";
        In reach_i: Bit, "the column is one of outputs";
        In unasked_i: Bit, "step 1";
        In decide_i: Bit, "grants are there";
        In hear_i: Bit, "requests are made or taken back";
        In weigh_i: Bit, "requests are over";
        In count_i: Bit, "inputs report";
        In snap_i: Bit, "a round of moves begins";
        In clean_i: Bit, "a round of moves ends";
        In set_i: Bit, "the stage ends";
        Out unasked_o: Bit, "sides may commit unasked, same cycle";
        Out decide_o: Bit, "sides decide, same cycle";
        Out hear_o: Bit, "in-ports hear, same cycle";
        Out weigh_o: Bit, "g' is set, same cycle";
        Out count_o: Bit, "g'' is set, same cycle";
        Out settle_o: Bit, "ghosts are made or deleted, same cycle";
        Out set_o: Bit, "the column becomes one of inputs, same cycle";
    }
}

impl Logic for ColumnControl {
    #[hdl_gen]
    fn update(&mut self) {
        self.unasked_o.next = self.unasked_i.val() & self.active_i.val();
        self.decide_o.next = self.decide_i.val() & self.active_i.val();
        self.hear_o.next = self.hear_i.val() & self.reach_i.val();
        self.weigh_o.next = self.weigh_i.val() & self.reach_i.val();
        self.count_o.next = self.count_i.val() & self.reach_i.val();
        self.settle_o.next = self.reach_i.val() & (self.clean_i.val() | (self.snap_i.val() & !self.active_i.val()));
        self.set_o.next = self.set_i.val() & self.reach_i.val() & !self.active_i.val();
    }
}

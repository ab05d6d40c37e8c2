use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`ColumnControl`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnControlSpec;

impl Describe for ColumnControlSpec {
    fn module(&self) -> String {
        "frit_column_control".into()
    }
    fn title(&self) -> &'static str {
        "frit_column_control"
    }
    fn summary(&self) -> &'static str {
        "The steps of a stage for the nodes of a column: as inputs from stage c on, as outputs from stage c - 1 on."
    }
    fn details(&self) -> &'static str {
        "Combinational. No state."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(ColumnControl::default())
    }
    fn example() -> Self {
        ColumnControlSpec
    }
}

/// What the steps of a stage mean for a column: inputs take part once the wave has come to them, outputs a stage before.
#[derive(LogicBlock, Default)]
pub struct ColumnControl {
    active_i: Signal<In, Bit>,
    reach_i: Signal<In, Bit>,
    unasked_i: Signal<In, Bit>,
    decide_i: Signal<In, Bit>,
    hear_i: Signal<In, Bit>,
    weigh_i: Signal<In, Bit>,
    count_i: Signal<In, Bit>,
    snap_i: Signal<In, Bit>,
    clean_i: Signal<In, Bit>,
    set_i: Signal<In, Bit>,
    unasked_o: Signal<Out, Bit>,
    decide_o: Signal<Out, Bit>,
    hear_o: Signal<Out, Bit>,
    weigh_o: Signal<Out, Bit>,
    count_o: Signal<Out, Bit>,
    settle_o: Signal<Out, Bit>,
    set_o: Signal<Out, Bit>,
}

cell_ports!(ColumnControl:
    In active_i "the column is one of inputs",
    In reach_i "the column is one of outputs",
    In unasked_i "step 1",
    In decide_i "grants are there",
    In hear_i "requests are made or taken back",
    In weigh_i "requests are over",
    In count_i "inputs report",
    In snap_i "a round of moves begins",
    In clean_i "a round of moves ends",
    In set_i "the stage ends",
    Out unasked_o "sides may commit unasked, same cycle",
    Out decide_o "sides decide, same cycle",
    Out hear_o "in-ports hear, same cycle",
    Out weigh_o "g' is set, same cycle",
    Out count_o "g'' is set, same cycle",
    Out settle_o "ghosts are made or deleted, same cycle",
    Out set_o "the column becomes one of inputs, same cycle",
);

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

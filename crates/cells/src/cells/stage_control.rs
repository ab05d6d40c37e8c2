use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`StageControl`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageControlSpec {
    /// The most stages of a run, less one.
    pub limit: u64,
}

impl Describe for StageControlSpec {
    fn module(&self) -> String {
        "frit_stage_control".into()
    }
    fn title(&self) -> &'static str {
        "frit_stage_control"
    }
    fn summary(&self) -> &'static str {
        "Runs stages until every message has arrived, or three in a row have moved nothing behind the last column's first, or StageLimit are over; counts cycles and stages."
    }
    fn details(&self) -> &'static str {
        "A start while it runs, or in the cycle of done_o, is ignored; in that cycle the nodes forget what is left. stuck_o, cycles_o and stages_o stay until the next start. State: all reset to 0."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::sized("StageLimit", self.limit, 8, "the most stages of a run, less one"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(StageControl::new(self.limit))
    }
    fn example() -> Self {
        StageControlSpec { limit: 63 }
    }
}

/// The controller around a multibutterfly: runs stages until every message has arrived or nothing moves any more.
#[derive(LogicBlock)]
pub struct StageControl {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    open_i: Signal<In, Bit>,
    set_i: Signal<In, Bit>,
    moves_i: Signal<In, Bit>,
    holds_i: Signal<In, Bit>,
    full_i: Signal<In, Bit>,
    begin_o: Signal<Out, Bit>,
    end_o: Signal<Out, Bit>,
    idle_o: Signal<Out, Bit>,
    clear_o: Signal<Out, Bit>,
    busy_o: Signal<Out, Bit>,
    done_o: Signal<Out, Bit>,
    stuck_o: Signal<Out, Bit>,
    cycles_o: Bus<Out>,
    stages_o: Bus<Out>,
    cycle: Const,
    no_cycles: Const,
    stage: Const,
    no_stages: Const,
    stage_limit: Const,
    begins: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    run: BitReg,
    done: BitReg,
    stuck: BitReg,
    moved: BitReg,
    still: BitReg,
    long_still: BitReg,
    cycles: Reg,
    stages: Reg,
}

impl StageControl {
    /// At most `limit` + 1 stages.
    pub fn new(limit: u64) -> Self {
        StageControl {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            open_i: Default::default(),
            set_i: Default::default(),
            moves_i: Default::default(),
            holds_i: Default::default(),
            full_i: Default::default(),
            begin_o: Default::default(),
            end_o: Default::default(),
            idle_o: Default::default(),
            clear_o: Default::default(),
            busy_o: Default::default(),
            done_o: Default::default(),
            stuck_o: Default::default(),
            cycles_o: Bus::new(32),
            stages_o: Bus::new(8),
            cycle: Const::local(1, 32, None, "32'd1"),
            no_cycles: Const::local(0, 32, None, "32'd0"),
            stage: Const::local(1, 8, None, "8'd1"),
            no_stages: Const::local(0, 8, None, "8'd0"),
            stage_limit: Const::parameter(limit, 8, None),
            begins: Default::default(),
            last: Default::default(),
            run: BitReg::default(),
            done: BitReg::default(),
            stuck: BitReg::default(),
            moved: BitReg::default().purpose("a message has moved in this stage"),
            still: BitReg::default().purpose("none has in the stage before"),
            long_still: BitReg::default().purpose("nor in the one before that"),
            cycles: Reg::fixed(32),
            stages: Reg::fixed(8).purpose("stages that have ended"),
        }
    }
}

cell_ports!(StageControl:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no run",
    In start_i "begin a run",
    In open_i "a stage begins",
    In set_i "a stage ends",
    In moves_i "a message moves",
    In holds_i "messages are left",
    In full_i "all columns are inputs, and were in the stage before",
    Out begin_o "a run begins, same cycle",
    Out end_o "this stage is the last, same cycle",
    Out idle_o "messages may be brought",
    Out clear_o "the nodes forget what is left",
    Out busy_o "a run goes on",
    Out done_o "it has ended in the cycle before",
    Out stuck_o "messages are left that cannot go on",
    Out cycles_o "cycles of the run",
    Out stages_o "stages of the run",
);

impl Logic for StageControl {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, run, done, stuck, moved, still, long_still, cycles, stages);
        self.run.reset.next = self.rst_i.val();
        self.done.reset.next = self.rst_i.val();
        self.stuck.reset.next = self.rst_i.val();
        self.moved.reset.next = self.rst_i.val();
        self.still.reset.next = self.rst_i.val();
        self.long_still.reset.next = self.rst_i.val();
        self.cycles.reset.next = self.rst_i.val();
        self.stages.reset.next = self.rst_i.val();
        self.begins.next = self.start_i.val() & !self.run.q.val() & !self.done.q.val();
        self.last.next = self.set_i.val()
            & (!self.holds_i.val()
                | (self.full_i.val() & self.long_still.q.val() & !self.moved.q.val())
                | (self.stages.q.val() == self.stage_limit.val()));
        self.run.d.next = (self.run.q.val() | self.begins.val()) & !self.last.val();
        self.done.d.next = self.last.val();
        self.stuck.d.next = self.stuck.q.val();
        self.moved.d.next = (self.moved.q.val() & !self.open_i.val()) | self.moves_i.val();
        self.still.d.next = self.still.q.val();
        self.long_still.d.next = self.long_still.q.val();
        self.cycles.d.next = self.cycles.q.val();
        self.stages.d.next = self.stages.q.val();
        if self.run.q.val() {
            self.cycles.d.next = self.cycles.q.val() + self.cycle.val();
        }
        if self.set_i.val() {
            self.still.d.next = !self.moved.q.val();
            self.long_still.d.next = self.still.q.val() & !self.moved.q.val();
            self.stages.d.next = self.stages.q.val() + self.stage.val();
        }
        if self.last.val() {
            self.stuck.d.next = self.holds_i.val();
        }
        if self.begins.val() {
            self.stuck.d.next = false;
            self.still.d.next = false;
            self.long_still.d.next = false;
            self.cycles.d.next = self.no_cycles.val();
            self.stages.d.next = self.no_stages.val();
        }
        self.begin_o.next = self.begins.val();
        self.end_o.next = self.last.val();
        self.idle_o.next = !self.run.q.val() & !self.done.q.val();
        self.clear_o.next = self.done.q.val();
        self.busy_o.next = self.run.q.val();
        self.done_o.next = self.done.q.val();
        self.stuck_o.next = self.stuck.q.val();
        self.cycles_o.next = self.cycles.q.val();
        self.stages_o.next = self.stages.q.val();
    }
}

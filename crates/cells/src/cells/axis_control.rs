use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use crate::registers::register;
use rust_hdl::prelude::*;

/// What an instance of [`AxisControl`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisControlSpec;

impl Describe for AxisControlSpec {
    fn module(&self) -> String {
        "frit_axis_control".into()
    }
    fn title(&self) -> &'static str {
        "frit_axis_control"
    }
    fn summary(&self) -> &'static str {
        "Starts the exchange between the streams, and keeps what went wrong until the next reset, or until it is cleared."
    }
    fn details(&self) -> &'static str {
        "State: done, the cycles of the last exchange, the errors (all reset to 0)."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(AxisControl::default())
    }
    fn example() -> Self {
        AxisControlSpec
    }
}

/// Starts the exchange between the streams and keeps what went wrong until the next reset, or until it is cleared.
///
/// An exchange can begin (`ready_o`) when no terminal waits for a message (`waiting_i`), no output lacks room
/// (`crowded_i`) and the exchange takes a start (`taking_i`): none is running, or the last words of the one before enter or have
/// entered. `start_i` then begins it; a start while none runs and a message is missing sets `missing_o` and
/// begins nothing, and any other is ignored. `done_o` is high for a cycle, one after the exchange's last delivery, and
/// `cycles_o` holds its cycles until the next is done.
#[derive(LogicBlock)]
pub struct AxisControl {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    waiting_i: Signal<In, Bit>,
    crowded_i: Signal<In, Bit>,
    taking_i: Signal<In, Bit>,
    running_i: Signal<In, Bit>,
    finished_i: Signal<In, Bit>,
    cycles_i: Bus<In>,
    twice_i: Signal<In, Bit>,
    nowhere_i: Signal<In, Bit>,
    uneven_i: Signal<In, Bit>,
    clash_i: Signal<In, Bit>,
    clear_i: Bus<In>,
    begin_o: Signal<Out, Bit>,
    ready_o: Signal<Out, Bit>,
    busy_o: Signal<Out, Bit>,
    done_o: Signal<Out, Bit>,
    cycles_o: Bus<Out>,
    missing_o: Signal<Out, Bit>,
    double_o: Signal<Out, Bit>,
    unknown_o: Signal<Out, Bit>,
    length_o: Signal<Out, Bit>,
    conflict_o: Signal<Out, Bit>,
    is_missing: Const,
    is_double: Const,
    is_unknown: Const,
    is_length: Const,
    is_conflict: Const,
    can_start: Signal<Local, Bit>,
    done: BitReg,
    missing: BitReg,
    double: BitReg,
    unknown: BitReg,
    length: BitReg,
    conflict: BitReg,
    cycles: Reg,
}

impl Default for AxisControl {
    fn default() -> Self {
        let index = |error: &str| {
            let low = register("ERRORS").field(error).low;
            Const::local(low.into(), 32, None, &low.to_string())
        };
        AxisControl {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            waiting_i: Default::default(),
            crowded_i: Default::default(),
            taking_i: Default::default(),
            running_i: Default::default(),
            finished_i: Default::default(),
            cycles_i: Bus::new(32),
            twice_i: Default::default(),
            nowhere_i: Default::default(),
            uneven_i: Default::default(),
            clash_i: Default::default(),
            clear_i: Bus::new(5),
            begin_o: Default::default(),
            ready_o: Default::default(),
            busy_o: Default::default(),
            done_o: Default::default(),
            cycles_o: Bus::new(32),
            missing_o: Default::default(),
            double_o: Default::default(),
            unknown_o: Default::default(),
            length_o: Default::default(),
            conflict_o: Default::default(),
            is_missing: index("MISSING"),
            is_double: index("DOUBLE"),
            is_unknown: index("UNKNOWN"),
            is_length: index("LENGTH"),
            is_conflict: index("CONFLICT"),
            can_start: Default::default(),
            done: Default::default(),
            missing: Default::default(),
            double: Default::default(),
            unknown: Default::default(),
            length: Default::default(),
            conflict: Default::default(),
            cycles: Reg::fixed(32),
        }
    }
}

cell_ports!(AxisControl:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In start_i "begin, if an exchange can begin",
    In waiting_i "a terminal waits for a message",
    In crowded_i "an output lacks room for an exchange",
    In taking_i "the exchange takes a start",
    In running_i "an exchange runs",
    In finished_i "the last word of one arrives",
    In cycles_i "its cycles",
    In twice_i "a terminal reports a second message for a destination",
    In nowhere_i "a message for a terminal that does not exist",
    In uneven_i "a message of another length",
    In clash_i "the exchange reports a conflict",
    In clear_i "errors that end: missing, double, unknown, length, conflict from bit 0 on; one that comes in this cycle stays",
    Out begin_o "the exchange begins, same cycle",
    Out ready_o "an exchange can begin, same cycle",
    Out busy_o "an exchange runs, same cycle",
    Out done_o "an exchange was done in the last cycle",
    Out cycles_o "the cycles of the last exchange that was done",
    Out missing_o "there was a start while a message was missing",
    Out double_o "there was a message too many",
    Out unknown_o "there was a message for no terminal",
    Out length_o "there was a message of another length",
    Out conflict_o "there was a conflict",
);

impl Logic for AxisControl {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, done, missing, double, unknown, length, conflict, cycles);
        self.done.reset.next = self.rst_i.val();
        self.missing.reset.next = self.rst_i.val();
        self.double.reset.next = self.rst_i.val();
        self.unknown.reset.next = self.rst_i.val();
        self.length.reset.next = self.rst_i.val();
        self.conflict.reset.next = self.rst_i.val();
        self.cycles.reset.next = self.rst_i.val();
        self.can_start.next = self.taking_i.val() & !self.waiting_i.val() & !self.crowded_i.val();
        self.begin_o.next = self.start_i.val() & self.can_start.val();
        self.ready_o.next = self.can_start.val();
        self.busy_o.next = self.running_i.val();
        self.missing.d.next = (self.missing.q.val()
            & !self.clear_i.val().get_bit(self.is_missing.val().index()))
            | (self.start_i.val() & !self.running_i.val() & self.waiting_i.val());
        self.double.d.next = (self.double.q.val()
            & !self.clear_i.val().get_bit(self.is_double.val().index()))
            | self.twice_i.val();
        self.unknown.d.next = (self.unknown.q.val()
            & !self.clear_i.val().get_bit(self.is_unknown.val().index()))
            | self.nowhere_i.val();
        self.length.d.next = (self.length.q.val()
            & !self.clear_i.val().get_bit(self.is_length.val().index()))
            | self.uneven_i.val();
        self.conflict.d.next = (self.conflict.q.val()
            & !self.clear_i.val().get_bit(self.is_conflict.val().index()))
            | self.clash_i.val();
        self.done.d.next = self.finished_i.val();
        self.cycles.d.next = self.cycles.q.val();
        if self.finished_i.val() {
            self.cycles.d.next = self.cycles_i.val();
        }
        self.done_o.next = self.done.q.val();
        self.cycles_o.next = self.cycles.q.val();
        self.missing_o.next = self.missing.q.val();
        self.double_o.next = self.double.q.val();
        self.unknown_o.next = self.unknown.q.val();
        self.length_o.next = self.length.q.val();
        self.conflict_o.next = self.conflict.q.val();
    }
}

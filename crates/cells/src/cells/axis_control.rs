use crate::atoms::{BitReg, Bus, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// Starts the exchange between the streams and keeps what went wrong until the next reset.
///
/// An exchange can begin (`ready_o`) when no terminal waits for a message (`waiting_i`), no output lacks room
/// (`crowded_i`) and none is running. `start_i` then begins it; a start while a message is missing sets `missing_o` and
/// begins nothing, and any other is ignored. `done_o` is high for a cycle, one after the exchange's last delivery, and
/// `cycles_o` holds its cycles until the next is done.
#[derive(LogicBlock)]
pub struct AxisControl {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    waiting_i: Signal<In, Bit>,
    crowded_i: Signal<In, Bit>,
    running_i: Signal<In, Bit>,
    finished_i: Signal<In, Bit>,
    cycles_i: Bus<In>,
    twice_i: Signal<In, Bit>,
    nowhere_i: Signal<In, Bit>,
    uneven_i: Signal<In, Bit>,
    clash_i: Signal<In, Bit>,
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
        AxisControl {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            waiting_i: Default::default(),
            crowded_i: Default::default(),
            running_i: Default::default(),
            finished_i: Default::default(),
            cycles_i: Bus::new(32),
            twice_i: Default::default(),
            nowhere_i: Default::default(),
            uneven_i: Default::default(),
            clash_i: Default::default(),
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

cell_ports!(AxisControl: In clk_i, In rst_i, In start_i, In waiting_i, In crowded_i, In running_i, In finished_i,
    In cycles_i, In twice_i, In nowhere_i, In uneven_i, In clash_i, Out begin_o, Out ready_o, Out busy_o, Out done_o,
    Out cycles_o, Out missing_o, Out double_o, Out unknown_o, Out length_o, Out conflict_o);

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
        self.can_start.next = !self.running_i.val() & !self.waiting_i.val() & !self.crowded_i.val();
        self.begin_o.next = self.start_i.val() & self.can_start.val();
        self.ready_o.next = self.can_start.val();
        self.busy_o.next = self.running_i.val();
        self.missing.d.next =
            self.missing.q.val() | (self.start_i.val() & !self.running_i.val() & self.waiting_i.val());
        self.double.d.next = self.double.q.val() | self.twice_i.val();
        self.unknown.d.next = self.unknown.q.val() | self.nowhere_i.val();
        self.length.d.next = self.length.q.val() | self.uneven_i.val();
        self.conflict.d.next = self.conflict.q.val() | self.clash_i.val();
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

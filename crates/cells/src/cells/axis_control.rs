use crate::registers::register;
use crate::table::*;

cell! {
    /// Starts the exchange between the streams and keeps what went wrong until the next reset, or until it is cleared.
    ///
    /// A start is taken (`ready_o`) when in the last cycle no terminal waited for a message (`waiting_i`) and no output lacked room
    /// (`crowded_i`), and no other start is pending. It is pending from the next cycle on, until the exchange takes it (`taking_i`): until
    /// none is running, or the last words of the one before enter or have entered. Then the exchange begins (`begin_o`). A start while
    /// none runs and a message was missing in the last cycle sets `missing_o` and begins nothing, and any other is ignored. `done_o` is
    /// high for a cycle, one after the exchange's last delivery, and `cycles_o` holds its cycles until the next is done.
    AxisControl, AxisControlSpec, "frit_axis_control":
    "Starts the exchange between the streams. A start that is taken is pending until the exchange takes it. Keeps every error until the next reset, or until it is cleared.";
    "State, all reset to 0: whether all messages are there, all outputs have room, a start is pending and an exchange begins, done, the cycles of the last exchange, the errors.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In start_i: Bit, "starts an exchange, if ready_o is high";
        In waiting_i: Bit, "a terminal waited for a message in the last cycle";
        In crowded_i: Bit, "an output lacks room for one more exchange, or one began in the last cycle";
        In taking_i: Bit, "the exchange can take a start";
        In next_i: Bit, "taking_i of the next cycle, unless a reset comes between";
        In running_i: Bit, "an exchange runs";
        In finished_i: Bit, "the last word of an exchange arrives";
        In cycles_i: Bus(32), "cycles of the exchange whose last word arrives";
        In twice_i: Bit, "a terminal reports a second message for a destination";
        In nowhere_i: Bit, "a terminal reports a message for a destination that does not exist";
        In uneven_i: Bit, "a terminal reports a message of the wrong length";
        In clash_i: Bit, "the exchange reports a conflict";
        In clear_i: Bus(5), "errors to clear, one bit for each: missing, double, unknown, length, conflict from bit 0 on; an error that occurs in this cycle stays";
        Out pending_o: Bit = pending.q, "a start was taken, and its exchange has not begun";
        Out soon_o: Bit = soon, "begin_o of the next cycle, unless a reset comes between";
        Out begin_o: Bit = begins.q, "high in the cycle in which an exchange begins, at the earliest the one after the start";
        Out ready_o: Bit = can_start, "a start is taken, from registers";
        Out busy_o: Bit, "an exchange runs, same cycle";
        Out done_o: Bit = done.q, "an exchange ended in the last cycle";
        Out cycles_o: Bus(32) = cycles.q, "cycles of the last exchange that ended";
        Out missing_o: Bit = missing.q, "error: start while a message was missing";
        Out double_o: Bit = double.q, "error: second message for a destination";
        Out unknown_o: Bit = unknown.q, "error: message for a destination that does not exist";
        Out length_o: Bit = length.q, "error: message of the wrong length";
        Out conflict_o: Bit = conflict.q, "error: conflict in the exchange";
    }
    with {
        let index = |error: &str| {
            let low = register("ERRORS").field(error).low;
            Const::local(low.into(), 32, None, &low.to_string())
        };
    }
    parts {
        is_missing: Const = index("MISSING");
        is_double: Const = index("DOUBLE");
        is_unknown: Const = index("UNKNOWN");
        is_length: Const = index("LENGTH");
        is_conflict: Const = index("CONFLICT");
        can_start: Signal<Local, Bit>;
        starts: Signal<Local, Bit>;
        soon: Signal<Local, Bit>;
        loaded: BitReg = BitReg::default().purpose("all messages are there");
        spacious: BitReg = BitReg::default().purpose("all outputs have room");
        pending: BitReg = BitReg::default().purpose("a start was taken, and its exchange has not begun");
        begins: BitReg = BitReg::default().purpose("an exchange begins in this cycle: a start is pending, and the exchange takes it");
        done: BitReg;
        missing: BitReg;
        double: BitReg;
        unknown: BitReg;
        length: BitReg;
        conflict: BitReg;
        cycles: Reg = Reg::fixed(32);
    }
}

impl kernel::Kernel for AxisControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("What the terminals say is kept for a cycle, and so is a start: no way leads from one terminal to another in one cycle, or from start_i to an output.");
        self.can_start.next = self.loaded.q.val() & self.spacious.q.val() & !self.pending.q.val();
        self.starts.next = self.start_i.val() & self.can_start.val();
        self.pending.d.next = self.starts.val() | (self.pending.q.val() & !self.taking_i.val());
        self.loaded.d.next = !self.waiting_i.val() & !self.begins.q.val();
        self.spacious.d.next = !self.crowded_i.val() & !self.begins.q.val();
        comment!("begins_q is pending_q & taking_i, known a cycle ahead, since all terminals wait for it. When the exchange takes a start, next_i is low.");
        self.soon.next = (self.starts.val() | self.pending.q.val()) & self.next_i.val();
        self.begins.d.next = self.soon.val();
        self.busy_o.next = self.running_i.val();
        comment!("An error stays until it is cleared; an error of this cycle wins.");
        self.missing.d.next = (self.missing.q.val()
            & !self.clear_i.val().get_bit(self.is_missing.val().index()))
            | (self.start_i.val() & !self.running_i.val() & !self.loaded.q.val());
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
        comment!("The end of an exchange, and how long it took.");
        self.done.d.next = self.finished_i.val();
        if self.finished_i.val() {
            self.cycles.d.next = self.cycles_i.val();
        }
    }
}

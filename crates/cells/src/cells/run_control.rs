use crate::table::*;

cell! {
    /// The controller around a multibutterfly: runs phases until every message has arrived or no message moves any more.
    RunControl, RunControlSpec, "frit_run_control":
    "Controls a multibutterfly: runs phases until every message has arrived, or three phases in a row have moved no message once all columns take part, or PhaseLimit + 1 phases are over. Counts cycles and phases.";
    "A start during a run, or in the cycle of done_o, is ignored. In the cycle of done_o the nodes delete the messages that are left. stuck_o, cycles_o and phases_o keep their values until the next start. State: all reset to 0.";
    parameters {
        PhaseLimit(8) limit: u64 = 63, "maximum number of phases of a run, minus one";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no run";
        In start_i: Bit, "starts a run";
        In open_i: Bit, "a phase begins";
        In set_i: Bit, "a phase ends";
        In moves_i: Bit, "a message moves";
        In holds_i: Bit, "messages are left";
        In full_i: Bit, "all columns are inputs, and were inputs in the phase before";
        Out begin_o: Bit = begins, "a run begins, same cycle";
        Out end_o: Bit = last, "this phase is the last, same cycle";
        Out idle_o: Bit, "messages can be brought";
        Out clear_o: Bit = done.q, "the nodes delete the messages that are left";
        Out busy_o: Bit = run.q, "a run is under way";
        Out done_o: Bit = done.q, "a run ended in the last cycle";
        Out stuck_o: Bit = stuck.q, "messages that cannot move were left when the last run ended";
        Out cycles_o: Bus(32) = cycles.q, "cycles of the run";
        Out phases_o: Bus(8) = phases.q, "phases of the run";
    }
    parts {
        cycle: Const = Const::local(1, 32, None, "32'd1");
        no_cycles: Const = Const::local(0, 32, None, "32'd0");
        phase: Const = Const::local(1, 8, None, "8'd1");
        no_phases: Const = Const::local(0, 8, None, "8'd0");
        phase_limit: Const = Const::parameter(limit, 8, None);
        begins: Signal<Local, Bit>;
        last: Signal<Local, Bit>;
        run: BitReg = BitReg::default();
        done: BitReg = BitReg::default();
        stuck: BitReg = BitReg::default();
        moved: BitReg = BitReg::default().purpose("a message has moved in this phase");
        still: BitReg = BitReg::default().purpose("no message has moved in the phase before");
        long_still: BitReg = BitReg::default().purpose("no message has moved in the two phases before");
        cycles: Reg = Reg::fixed(32);
        phases: Reg = Reg::fixed(8).purpose("phases that have ended");
    }
}

impl kernel::Kernel for RunControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A run begins with a start and lasts until nothing is held, nothing has moved for long, or the phases are over.");
        self.begins.next = self.start_i.val() & !self.run.q.val() & !self.done.q.val();
        self.last.next = self.set_i.val()
            & (!self.holds_i.val()
                | (self.full_i.val() & self.long_still.q.val() & !self.moved.q.val())
                | (self.phases.q.val() == self.phase_limit.val()));
        self.run.d.next = (self.run.q.val() | self.begins.val()) & !self.last.val();
        self.done.d.next = self.last.val();
        comment!("Whether a message has moved in this phase, in the last one, and in the one before.");
        self.moved.d.next = (self.moved.q.val() & !self.open_i.val()) | self.moves_i.val();
        comment!("The cycles and phases of the run.");
        if self.run.q.val() {
            self.cycles.d.next = self.cycles.q.val() + self.cycle.val();
        }
        comment!("");
        if self.set_i.val() {
            self.still.d.next = !self.moved.q.val();
            self.long_still.d.next = self.still.q.val() & !self.moved.q.val();
            self.phases.d.next = self.phases.q.val() + self.phase.val();
        }
        if self.last.val() {
            self.stuck.d.next = self.holds_i.val();
        }
        comment!("A start clears what the last run has left.");
        if self.begins.val() {
            self.stuck.d.next = false;
            self.still.d.next = false;
            self.long_still.d.next = false;
            self.cycles.d.next = self.no_cycles.val();
            self.phases.d.next = self.no_phases.val();
        }
        comment!("");
        self.idle_o.next = !self.run.q.val() & !self.done.q.val();
    }
}

use crate::table::*;

cell! {
    /// The controller around a dilated butterfly: cycle 0 of a run is the one behind `start_i`.
    DilatedControl, DilatedControlSpec, "frit_dilated_control":
    "Runs a dilated butterfly until no bit moves, and counts the steps until the last bit came out.";
    "A start during a run is ignored. done_o follows the first cycle in which no bit moved; steps_o and stuck_o keep their values until the next start. State: whether a run is under way, the step counts, all reset to 0.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous, active high";
        In start_i: Bit, "starts a run";
        In moves_i: Bit, "a bit moves in this cycle";
        In holds_i: Bit, "a bit is in the network or waits to be sent";
        In arrives_i: Bit, "a bit comes out in this cycle";
        Out clear_o: Bit = clear, "a run begins: the network is cleared, same cycle";
        Out busy_o: Bit = run.q, "a run is under way";
        Out done_o: Bit = done.q, "the run ended: no bit moved in the last cycle";
        Out stuck_o: Bit = stuck.q, "packets were left in the network when the last run ended";
        Out steps_o: Bus(32) = last.q, "cycles from the first of the run to the last in which a bit came out";
    }
    with {
        let steps = |value: u64| Const::local(value, 32, None, &format!("32'd{value}"));
    }
    parts {
        one: Const = steps(1);
        none: Const = steps(0);
        clear: Signal<Local, Bit>;
        run: BitReg = BitReg::default();
        done: BitReg = BitReg::default();
        stuck: BitReg = BitReg::default().purpose("something waited when nothing moved");
        now: Reg = Reg::fixed(32).purpose("the number of this step");
        last: Reg = Reg::fixed(32).purpose("steps until the last bit that came out");
    }
}

impl kernel::Kernel for DilatedControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A run begins with a start and ends in the first step in which nothing moves.");
        self.clear.next = self.start_i.val() & !self.run.q.val();
        comment!("The steps of the run, and the step of the last arrival.");
        self.done.d.next = false;
        if self.run.q.val() {
            self.now.d.next = self.now.q.val() + self.one.val();
            if self.arrives_i.val() {
                self.last.d.next = self.now.q.val() + self.one.val();
            }
            if !self.moves_i.val() {
                self.run.d.next = false;
                self.done.d.next = true;
                self.stuck.d.next = self.holds_i.val();
            }
        }
        if self.clear.val() {
            self.run.d.next = true;
            self.stuck.d.next = false;
            self.now.d.next = self.none.val();
            self.last.d.next = self.none.val();
        }
    }
}

use crate::table::*;

cell! {
    /// Runs the self-test: starts an exchange, counts what the checkers find, judges the run and asks for a report.
    ///
    /// It waits a fixed time, so that an exchange that never ends is found, too. `errors_o` counts, since reset, the cycles
    /// with a wrong word, a conflict or a second `done_i`, and one for each run with a wrong number of words or of cycles.
    SelftestControl, SelftestControlSpec, "frit_selftest_control":
    "Controls the self-test: starts an exchange, counts errors and cycles, judges the run after a fixed time and asks for a report.";
    "It stores the cycles of the exchange at done_i, waits until the checkers have settled, and judges the run. The run is judged even if done_i never came. errors_o counts since reset: one for every cycle with a wrong word, a conflict or a second done_i, and one for every run with a wrong number of words or cycles. The seed changes with every run and takes 255 values.";
    members {
        limit: u64 = 20, "cycles after which a run is judged";
        total: u64 = 12, "cycles of a run";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: also resets the seed, the errors and the verdict";
        In start_i: Bit, "starts a run; ignored while busy_o is high or a report is being sent";
        In ready_i: Bit, "no report is being sent";
        In done_i: Bit, "the exchange ends";
        In cycles_i: Bus(32), "cycles of the exchange";
        In conflict_i: Bit, "the exchange has a conflict";
        In bad_i: Bit, "a checker found a wrong word";
        In miscounted_i: Bit, "a checker's count is wrong";
        Out start_o: Bit = launch.q, "starts the exchange and clears the checkers";
        Out seed_o: Bus(8) = seed.q, "seed of this run";
        Out busy_o: Bit = busy.q, "a run is under way or is being judged";
        Out report_o: Bit = report.q, "a run has been judged: a report is to be sent";
        Out pass_o: Bit, "a run has been judged, and no error has occurred since reset";
        Out fail_o: Bit = failed.q, "an error has occurred since reset";
        Out cycles_o: Bus(32) = cycles.q, "cycles of the last run";
        Out errors_o: Bus(32), "errors since reset";
    }
    with {
        let bits = counter_bits(limit) as usize;
        let number = |value: u64| Const::local(value, 32, None, &format!("32'h{value:08x}"));
        let byte = |value: u64| Const::local(value, 8, None, &format!("8'h{value:02x}"));
    }
    parts {
        limit: Const = Const::parameter(limit, bits, Some("CycleBits"));
        run_cycles: Const = Const::parameter(total, 32, None);
        one: Const = Const::one(bits, "CycleBits");
        zero: Const = Const::zero(bits, "CycleBits");
        shift: Const = byte(1);
        feedback: Const = byte(0x1d);
        top: Const = Const::local(7, 32, None, "7");
        low_one: Const = number(1);
        low_full: Const = number(0xffff);
        high_one: Const = number(0x1_0000);
        high_full: Const = number(0xffff_0000);
        launch: BitReg = BitReg::default().purpose("starts the exchange in this cycle");
        busy: BitReg;
        ended: BitReg = BitReg::default().purpose("done_i was seen in this run");
        bad: BitReg;
        conflict: BitReg;
        twice: BitReg = BitReg::default().purpose("done_i was seen a second time");
        miscounted: BitReg;
        wrong_cycles: BitReg;
        judge: BitReg = BitReg::default().purpose("the run has lasted Limit cycles");
        wrong: BitReg;
        error: BitReg;
        adding: BitReg = BitReg::default().purpose("the error of the verdict is being counted");
        report: BitReg;
        settling: BitReg = BitReg::default().purpose("the carry of the error count is being added");
        rolled: BitReg = BitReg::default().purpose("the low half of the error count is full: the high half counts");
        passed: BitReg = BitReg::default().purpose("a run was judged");
        failed: BitReg = BitReg::default().purpose("an error was seen since reset");
        waited: Reg = Reg::zero(bits, "CycleBits");
        seed: Reg = Reg::fixed(8);
        cycles: Reg = Reg::fixed(32);
        low: Reg = Reg::fixed(32).purpose("bits 15:0 of the errors, 0 elsewhere");
        high: Reg = Reg::fixed(32).purpose("bits 31:16 of the errors, 0 elsewhere");
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("CycleBits", counter_bits(self.limit), "bits of the number of cycles of a run, 2 or more").at_least(2),
                Parameter::sized("Limit", self.limit, counter_bits(self.limit), "cycles after which a run is judged"),
                Parameter::sized("RunCycles", self.total, 32, "cycles that a run takes"),
            ]
        }
    }
}

impl kernel::Kernel for SelftestControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A run begins with a start while the exchange is ready, and ends with its report.");
        self.launch.d.next = !self.busy.q.val() & self.ready_i.val() & self.start_i.val();
        self.busy.d.next = (self.busy.q.val() & !self.report.q.val())
            | (!self.busy.q.val() & self.ready_i.val() & self.start_i.val());
        comment!("The next run has the next seed of a linear feedback shift register.");
        if self.report.q.val() {
            self.seed.d.next = (self.seed.q.val() << self.shift.val()) ^ self.feedback.val();
            if self.seed.q.val().get_bit(self.top.val().index()) {
                self.seed.d.next = self.seed.q.val() << self.shift.val();
            }
        }
        comment!("The cycles of the run, and what its checks say, each a cycle late.");
        self.waited.d.next = self.zero.val();
        if self.busy.q.val() {
            self.waited.d.next = self.waited.q.val() + self.one.val();
        }
        self.ended.d.next = !self.launch.q.val() & (self.ended.q.val() | self.done_i.val());
        self.twice.d.next = self.ended.q.val() & self.done_i.val();
        if self.done_i.val() {
            self.cycles.d.next = self.cycles_i.val();
        }
        self.bad.d.next = self.bad_i.val();
        self.conflict.d.next = self.conflict_i.val();
        self.miscounted.d.next = self.miscounted_i.val();
        self.wrong_cycles.d.next = self.cycles.q.val() != self.run_cycles.val();
        comment!("When the time of the run is over it is judged. A run that never ended is wrong.");
        self.judge.d.next = self.busy.q.val() & (self.waited.q.val() == self.limit.val());
        self.wrong.d.next = self.miscounted.q.val() | self.wrong_cycles.q.val() | !self.ended.q.val();
        self.error.d.next = (self.busy.q.val()
            & (self.bad.q.val() | self.conflict.q.val() | self.twice.q.val()))
            | (self.judge.q.val() & self.wrong.q.val());
        comment!("Two cycles for the sums, then the report.");
        self.adding.d.next = self.judge.q.val();
        self.settling.d.next = self.adding.q.val();
        self.report.d.next = self.settling.q.val();
        comment!("Whether a run has ended, and whether one has failed.");
        self.passed.d.next = self.passed.q.val() | self.adding.q.val();
        self.failed.d.next = self.failed.q.val() | self.error.q.val();
        comment!("The errors are counted in two halves, the upper one a cycle later.");
        self.rolled.d.next = self.error.q.val() & (self.low.q.val() == self.low_full.val());
        if self.error.q.val() {
            self.low.d.next = (self.low.q.val() + self.low_one.val()) & self.low_full.val();
        }
        if self.rolled.q.val() {
            self.high.d.next = (self.high.q.val() + self.high_one.val()) & self.high_full.val();
        }
        comment!("What is shown: no run has failed so far, and the errors of both halves.");
        self.pass_o.next = self.passed.q.val() & !self.failed.q.val();
        self.errors_o.next = self.low.q.val() | self.high.q.val();
    }
}

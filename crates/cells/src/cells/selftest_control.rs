use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, counter_bits, ready};
use crate::table::comment;
use rust_hdl::prelude::*;

/// What an instance of [`SelftestControl`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelftestControlSpec {
    /// Cycles after which a run is judged.
    pub limit: u64,
    /// Cycles of a run.
    pub total: u64,
}

impl Describe for SelftestControlSpec {
    fn module(&self) -> String {
        "frit_selftest_control".into()
    }
    fn title(&self) -> &'static str {
        "frit_selftest_control"
    }
    fn summary(&self) -> &'static str {
        "Controls the self-test: starts an exchange, counts errors and cycles, judges the run after a fixed time and asks for a report."
    }
    fn details(&self) -> &'static str {
        "It stores the cycles of the exchange at done_i, waits until the checkers have settled, and judges the run. The run is judged even if done_i never came. errors_o counts since reset: one for every cycle with a wrong word, a conflict or a second done_i, and one for every run with a wrong number of words or cycles. The seed changes with every run and takes 255 values."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CycleBits", counter_bits(self.limit), "bits of the number of cycles of a run, 2 or more").at_least(2),
            Parameter::sized("Limit", self.limit, counter_bits(self.limit), "cycles after which a run is judged"),
            Parameter::sized("RunCycles", self.total, 32, "cycles that a run takes"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(SelftestControl::new(counter_bits(self.limit) as usize, self.limit, self.total))
    }
    fn example() -> Self {
        SelftestControlSpec { limit: 20, total: 12 }
    }
}

/// Runs the self-test: starts an exchange, counts what the checkers find, judges the run and asks for a report.
///
/// It waits a fixed time, so that an exchange that never ends is found, too. `errors_o` counts, since reset, the cycles
/// with a wrong word, a conflict or a second `done_i`, and one for each run with a wrong number of words or of cycles.
#[derive(LogicBlock)]
pub struct SelftestControl {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    start_i: Signal<In, Bit>,
    ready_i: Signal<In, Bit>,
    done_i: Signal<In, Bit>,
    cycles_i: Bus<In>,
    conflict_i: Signal<In, Bit>,
    bad_i: Signal<In, Bit>,
    miscounted_i: Signal<In, Bit>,
    start_o: Signal<Out, Bit>,
    seed_o: Bus<Out>,
    busy_o: Signal<Out, Bit>,
    report_o: Signal<Out, Bit>,
    pass_o: Signal<Out, Bit>,
    fail_o: Signal<Out, Bit>,
    cycles_o: Bus<Out>,
    errors_o: Bus<Out>,
    limit: Const,
    run_cycles: Const,
    one: Const,
    zero: Const,
    shift: Const,
    feedback: Const,
    top: Const,
    low_one: Const,
    low_full: Const,
    high_one: Const,
    high_full: Const,
    launch: BitReg,
    busy: BitReg,
    ended: BitReg,
    bad: BitReg,
    conflict: BitReg,
    twice: BitReg,
    miscounted: BitReg,
    wrong_cycles: BitReg,
    judge: BitReg,
    wrong: BitReg,
    error: BitReg,
    adding: BitReg,
    report: BitReg,
    settling: BitReg,
    rolled: BitReg,
    passed: BitReg,
    failed: BitReg,
    waited: Reg,
    seed: Reg,
    cycles: Reg,
    low: Reg,
    high: Reg,
}

impl SelftestControl {
    /// For runs of `total` cycles, judged after `limit` cycles, which are counted in `bits` bits, 2 at least.
    pub fn new(bits: usize, limit: u64, total: u64) -> Self {
        let number = |value: u64| Const::local(value, 32, None, &format!("32'h{value:08x}"));
        let byte = |value: u64| Const::local(value, 8, None, &format!("8'h{value:02x}"));
        SelftestControl {
            clk_i: Default::default(),
            rst_i: Default::default(),
            start_i: Default::default(),
            ready_i: Default::default(),
            done_i: Default::default(),
            cycles_i: Bus::new(32),
            conflict_i: Default::default(),
            bad_i: Default::default(),
            miscounted_i: Default::default(),
            start_o: Default::default(),
            seed_o: Bus::new(8),
            busy_o: Default::default(),
            report_o: Default::default(),
            pass_o: Default::default(),
            fail_o: Default::default(),
            cycles_o: Bus::new(32),
            errors_o: Bus::new(32),
            limit: Const::parameter(limit, bits, Some("CycleBits")),
            run_cycles: Const::parameter(total, 32, None),
            one: Const::one(bits, "CycleBits"),
            zero: Const::zero(bits, "CycleBits"),
            shift: byte(1),
            feedback: byte(0x1d),
            top: Const::local(7, 32, None, "7"),
            low_one: number(1),
            low_full: number(0xffff),
            high_one: number(0x1_0000),
            high_full: number(0xffff_0000),
            launch: BitReg::default().purpose("starts the exchange in this cycle"),
            busy: Default::default(),
            ended: BitReg::default().purpose("done_i was seen in this run"),
            bad: Default::default(),
            conflict: Default::default(),
            twice: BitReg::default().purpose("done_i was seen a second time"),
            miscounted: Default::default(),
            wrong_cycles: Default::default(),
            judge: BitReg::default().purpose("the run has lasted Limit cycles"),
            wrong: Default::default(),
            error: Default::default(),
            adding: BitReg::default().purpose("the error of the verdict is being counted"),
            report: Default::default(),
            settling: BitReg::default().purpose("the carry of the error count is being added"),
            rolled: BitReg::default().purpose("the low half of the error count is full: the high half counts"),
            passed: BitReg::default().purpose("a run was judged"),
            failed: BitReg::default().purpose("an error was seen since reset"),
            waited: Reg::zero(bits, "CycleBits"),
            seed: Reg::fixed(8),
            cycles: Reg::fixed(32),
            low: Reg::fixed(32).purpose("bits 15:0 of the errors, 0 elsewhere"),
            high: Reg::fixed(32).purpose("bits 31:16 of the errors, 0 elsewhere"),
        }
    }
}

cell_ports!(SelftestControl:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: also resets the seed, the errors and the verdict",
    In start_i "starts a run; ignored while busy_o is high or a report is being sent",
    In ready_i "no report is being sent",
    In done_i "the exchange ends",
    In cycles_i "cycles of the exchange",
    In conflict_i "the exchange has a conflict",
    In bad_i "a checker found a wrong word",
    In miscounted_i "a checker's count is wrong",
    Out start_o "starts the exchange and clears the checkers",
    Out seed_o "seed of this run",
    Out busy_o "a run is under way or is being judged",
    Out report_o "a run has been judged: a report is to be sent",
    Out pass_o "a run has been judged, and no error has occurred since reset",
    Out fail_o "an error has occurred since reset",
    Out cycles_o "cycles of the last run",
    Out errors_o "errors since reset",
);

impl Logic for SelftestControl {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clk_i,
            launch,
            busy,
            ended,
            bad,
            conflict,
            twice,
            miscounted,
            wrong_cycles,
            judge,
            wrong
        );
        clock!(self, clk_i, error, adding, report, settling, rolled, passed, failed);
        clock!(self, clk_i, waited, seed, cycles, low, high);
        self.launch.reset.next = self.rst_i.val();
        self.busy.reset.next = self.rst_i.val();
        self.ended.reset.next = self.rst_i.val();
        self.bad.reset.next = self.rst_i.val();
        self.conflict.reset.next = self.rst_i.val();
        self.twice.reset.next = self.rst_i.val();
        self.miscounted.reset.next = self.rst_i.val();
        self.wrong_cycles.reset.next = self.rst_i.val();
        self.judge.reset.next = self.rst_i.val();
        self.wrong.reset.next = self.rst_i.val();
        self.error.reset.next = self.rst_i.val();
        self.adding.reset.next = self.rst_i.val();
        self.report.reset.next = self.rst_i.val();
        self.settling.reset.next = self.rst_i.val();
        self.rolled.reset.next = self.rst_i.val();
        self.passed.reset.next = self.rst_i.val();
        self.failed.reset.next = self.rst_i.val();
        self.waited.reset.next = self.rst_i.val();
        self.seed.reset.next = self.rst_i.val();
        self.cycles.reset.next = self.rst_i.val();
        self.low.reset.next = self.rst_i.val();
        self.high.reset.next = self.rst_i.val();
        comment!("A run begins with a start while the exchange is ready, and ends with its report.");
        self.launch.d.next = !self.busy.q.val() & self.ready_i.val() & self.start_i.val();
        self.busy.d.next = (self.busy.q.val() & !self.report.q.val())
            | (!self.busy.q.val() & self.ready_i.val() & self.start_i.val());
        comment!("The next run has the next seed of a linear feedback shift register.");
        self.seed.d.next = self.seed.q.val();
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
        self.cycles.d.next = self.cycles.q.val();
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
        comment!("Runs that passed and runs that failed since the reset.");
        self.passed.d.next = self.passed.q.val() | self.adding.q.val();
        self.failed.d.next = self.failed.q.val() | self.error.q.val();
        comment!("The errors are counted in two halves, the upper one a cycle later.");
        self.rolled.d.next = self.error.q.val() & (self.low.q.val() == self.low_full.val());
        self.low.d.next = self.low.q.val();
        if self.error.q.val() {
            self.low.d.next = (self.low.q.val() + self.low_one.val()) & self.low_full.val();
        }
        self.high.d.next = self.high.q.val();
        if self.rolled.q.val() {
            self.high.d.next = (self.high.q.val() + self.high_one.val()) & self.high_full.val();
        }
        comment!("");
        self.start_o.next = self.launch.q.val();
        self.seed_o.next = self.seed.q.val();
        self.busy_o.next = self.busy.q.val();
        self.report_o.next = self.report.q.val();
        self.pass_o.next = self.passed.q.val() & !self.failed.q.val();
        self.fail_o.next = self.failed.q.val();
        self.cycles_o.next = self.cycles.q.val();
        self.errors_o.next = self.low.q.val() | self.high.q.val();
    }
}

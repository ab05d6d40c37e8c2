use crate::atoms::{BitReg, Bus, Const, DataReg, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, counter_bits, ready, simulated};
use crate::table::comment;
use rust_hdl::prelude::*;

/// What an instance of [`Checker`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckerSpec {
    /// Bits of a word.
    pub width: u32,
    /// Words that arrive in a run.
    pub total: u64,
}

impl Describe for CheckerSpec {
    fn module(&self) -> String {
        "frit_checker".into()
    }
    fn title(&self) -> &'static str {
        "frit_checker"
    }
    fn summary(&self) -> &'static str {
        "Checker of the self-test for one lane: compares every word with the expected word, and counts the words of a run. bad_o comes two cycles after a wrong word."
    }
    fn details(&self) -> &'static str {
        "miscounted_o is valid three cycles after the last word. State: two registers behind the inputs, a count and its comparison. All are reset to 0 except the difference of the words."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", counter_bits(2 * self.total), "bits of the count, 2 or more").at_least(2),
            Parameter::plain("W", self.width, "bits of a word"),
            Parameter::sized("Total", self.total, counter_bits(2 * self.total), "words that arrive in a run"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Checker::new(simulated(self.width), counter_bits(2 * self.total) as usize, self.total))
    }
    fn example() -> Self {
        CheckerSpec { width: 8, total: 8 }
    }
}

/// Checks what arrives on a lane: every word against the one expected, and how many there were.
///
/// Two registers deep, so that it adds little to the paths of the exchange: a wrong word that arrives in cycle t is told
/// by `bad_o` in cycle t + 2, a wrong number of words by `miscounted_o` three cycles after the last of them.
#[derive(LogicBlock)]
pub struct Checker {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    clear_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    data_i: Bus<In>,
    expected_i: Bus<In>,
    bad_o: Signal<Out, Bit>,
    miscounted_o: Signal<Out, Bit>,
    total: Const,
    one: Const,
    zero: Const,
    seen: BitReg,
    bad: BitReg,
    miscounted: BitReg,
    difference: DataReg,
    count: Reg,
}

impl Checker {
    /// For words of `width` bits, `total` of them in a run, counted in `count_bits` bits, 2 at least.
    pub fn new(width: usize, count_bits: usize, total: u64) -> Self {
        Checker {
            clk_i: Default::default(),
            rst_i: Default::default(),
            clear_i: Default::default(),
            valid_i: Default::default(),
            data_i: Bus::named(width, "W"),
            expected_i: Bus::named(width, "W"),
            bad_o: Default::default(),
            miscounted_o: Default::default(),
            total: Const::parameter(total, count_bits, Some("CountBits")),
            one: Const::one(count_bits, "CountBits"),
            zero: Const::zero(count_bits, "CountBits"),
            seen: Default::default(),
            bad: Default::default(),
            miscounted: Default::default(),
            difference: DataReg::new(width, "W"),
            count: Reg::zero(count_bits, "CountBits"),
        }
    }
}

cell_ports!(Checker:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous",
    In clear_i "a run starts: the count is cleared",
    In valid_i "a word arrives",
    In data_i "word",
    In expected_i "expected word",
    Out bad_o "the word two cycles before was wrong",
    Out miscounted_o "more or fewer words than Total have arrived",
);

impl Logic for Checker {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, seen, bad, miscounted, difference, count);
        self.seen.reset.next = self.rst_i.val();
        self.bad.reset.next = self.rst_i.val();
        self.miscounted.reset.next = self.rst_i.val();
        self.count.reset.next = self.rst_i.val();
        comment!("The word is compared a cycle after it came.");
        self.seen.d.next = self.valid_i.val();
        self.difference.d.next = self.data_i.val() ^ self.expected_i.val();
        self.bad.d.next = self.seen.q.val() & self.difference.q.val().any();
        comment!("The words of a run are counted.");
        self.miscounted.d.next = self.count.q.val() != self.total.val();
        self.count.d.next = self.count.q.val();
        if self.seen.q.val() {
            self.count.d.next = self.count.q.val() + self.one.val();
        }
        if self.clear_i.val() {
            self.count.d.next = self.zero.val();
        }
        comment!("");
        self.bad_o.next = self.bad.q.val();
        self.miscounted_o.next = self.miscounted.q.val();
    }
}

use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`WindowCounter`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowCounterSpec {
    /// Bits of the number.
    pub bits: u32,
    /// The number in round 0.
    pub start: u64,
    /// What is added each round, less than the modulus.
    pub step: u64,
    /// The greatest number of the window.
    pub last: u64,
    /// How many numbers the window has.
    pub modulus: u64,
}

impl Describe for WindowCounterSpec {
    fn module(&self) -> String {
        "frit_window_counter".into()
    }
    fn title(&self) -> &'static str {
        "frit_window_counter"
    }
    fn summary(&self) -> &'static str {
        "Adds Step each round, folded back into a window of Modulus numbers up to Last: a label, a destination or a source of algorithm=latin."
    }
    fn details(&self) -> &'static str {
        "One adder: of Step, or of Step - Modulus where the sum would be greater than Last. The window need not begin at 0. After Modulus rounds it is at Start again, if Step is prime to Modulus. State: the number (reset to Start)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", self.bits, "bits of the number, 1 or more"),
            Parameter::sized("Start", self.start, self.bits, "the number in round 0, in the window"),
            Parameter::sized("Step", self.step, self.bits, "added each round, less than Modulus"),
            Parameter::sized("Last", self.last, self.bits, "the greatest number of the window, at least Modulus - 1"),
            Parameter::sized("Modulus", self.modulus, self.bits, "how many numbers the window has, less than 2^CountBits"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(WindowCounter::new(*self))
    }
    fn example() -> Self {
        WindowCounterSpec { bits: 3, start: 6, step: 1, last: 6, modulus: 6 }
    }
}

/// A number of a window, which grows by `Step` from round to round and is folded back into the window.
#[derive(LogicBlock)]
pub struct WindowCounter {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    advance_i: Signal<In, Bit>,
    count_o: Bus<Out>,
    start: Const,
    step: Const,
    last: Const,
    modulus: Const,
    fold: Const,
    limit: Const,
    grown: Bus<Local>,
    count: Reg,
}

impl WindowCounter {
    /// As the spec says.
    pub fn new(spec: WindowCounterSpec) -> Self {
        let WindowCounterSpec { bits, start, step, last, modulus } = spec;
        let bits = bits as usize;
        let parameter = |value| Const::parameter(value, bits, Some("CountBits"));
        let local = |value: u64, text| {
            Const::local(value & (u64::MAX >> (64 - bits)), bits, Some("CountBits"), text)
        };
        let start = parameter(start);
        WindowCounter {
            clk_i: Default::default(),
            rst_i: Default::default(),
            advance_i: Default::default(),
            count_o: Bus::named(bits, "CountBits"),
            step: parameter(step),
            last: parameter(last),
            modulus: parameter(modulus),
            fold: local(step.wrapping_sub(modulus), "Step - Modulus"),
            limit: local(last.wrapping_sub(step), "Last - Step"),
            grown: Bus::named(bits, "CountBits").purpose("what is added, as far as it goes"),
            count: Reg::reset_to(&start, "CountBits", "Start"),
            start,
        }
    }
}

cell_ports!(WindowCounter:
    In clk_i "clock, rising edge",
    In rst_i "reset to round 0",
    In advance_i "go on to the next round",
    Out count_o "the number of the round",
);

impl Logic for WindowCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, count);
        self.count.reset.next = self.rst_i.val();
        self.grown.next = self.step.val();
        if self.count.q.val() > self.limit.val() {
            self.grown.next = self.fold.val();
        }
        self.count.d.next = self.count.q.val();
        if self.advance_i.val() {
            self.count.d.next = self.count.q.val() + self.grown.val();
        }
        self.count_o.next = self.count.q.val();
    }
}

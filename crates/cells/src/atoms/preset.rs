//! Registers of one bit for a reset that comes at any time: set without a clock, and without any reset.

use super::register::timing;
use rust_hdl::prelude::*;

/// That a register is set at once: the last entry of its timing information.
pub(crate) const ASYNCHRONOUS: &str = "asynchronous";

/// One-bit register that is 1 as long as `reset` is, from the moment on that it is; else it takes `d` with the clock.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct PresetReg {
    pub clock: Signal<In, Clock>,
    /// Sets it, at any time.
    pub reset: Signal<In, Bit>,
    /// Next value.
    pub d: Signal<In, Bit>,
    pub q: Signal<Out, Bit>,
    _purpose: &'static str,
}

impl PresetReg {
    /// What it is for: a phrase of plain text.
    pub fn new(purpose: &'static str) -> Self {
        PresetReg { _purpose: purpose, ..PresetReg::default() }
    }
}

impl Logic for PresetReg {
    fn update(&mut self) {
        if self.reset.val() {
            self.q.next = true;
        } else if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "always @(posedge clock or posedge reset) begin\n  if (reset) q <= 1'b1;\n  else q <= d;\nend"
                .into(),
        )
    }
    fn timing(&self) -> Vec<TimingInfo> {
        let mut entries = timing("1'b1", self._purpose);
        entries.push(TimingInfo { name: ASYNCHRONOUS.into(), ..entries[0].clone() });
        entries
    }
}

/// One-bit register without reset.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct FreeReg {
    pub clock: Signal<In, Clock>,
    /// Next value.
    pub d: Signal<In, Bit>,
    pub q: Signal<Out, Bit>,
    _purpose: &'static str,
}

impl FreeReg {
    /// What it is for: a phrase of plain text.
    pub fn new(purpose: &'static str) -> Self {
        FreeReg { _purpose: purpose, ..FreeReg::default() }
    }
}

impl Logic for FreeReg {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom("always @(posedge clock) q <= d;".into())
    }
    fn timing(&self) -> Vec<TimingInfo> {
        timing("", self._purpose)
    }
}

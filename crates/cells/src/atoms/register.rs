//! Registers: with reset for controllers and valid bits, without for data.

use super::{Bus, Const, Word};
use rust_hdl::prelude::*;

/// How a register tells our printer what it is: rust-hdl's timing information, which both registers must give anyway.
pub(crate) const REGISTER: &str = "register";

/// The second entry of a register's timing information, if it has one: what it is for.
pub(crate) const PURPOSE: &str = "purpose";

pub(super) fn timing(reset: &str, purpose: &str) -> Vec<TimingInfo> {
    let entry = |name: String| TimingInfo {
        name,
        clock: "clock".into(),
        inputs: vec!["d".into()],
        outputs: vec!["q".into()],
    };
    let purpose = (!purpose.is_empty()).then(|| entry(format!("{PURPOSE} {purpose}")));
    [entry(format!("{REGISTER} {reset}"))].into_iter().chain(purpose).collect()
}

/// What a block inside a cell is for, from its timing information; `None` if its name says it.
pub fn purpose(timing: &[TimingInfo]) -> Option<&str> {
    timing.iter().find_map(|info| info.name.strip_prefix(PURPOSE)?.strip_prefix(' '))
}

/// Gives a register the method that says what it is for.
macro_rules! with_purpose {
    ($register:ident) => {
        impl $register {
            /// The same register, and what it is for where its name does not say it: a phrase of plain text.
            pub fn purpose(mut self, purpose: &'static str) -> Self {
                self._purpose = purpose;
                self
            }
        }
    };
}
with_purpose!(Reg);
with_purpose!(BitReg);
with_purpose!(DataReg);

/// Register of run-time width with synchronous, active-high reset.
#[derive(Clone, Debug, LogicBlock)]
pub struct Reg {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// Next value.
    pub d: Bus<In>,
    pub q: Bus<Out>,
    _init: Word,
    _init_text: String,
    _purpose: &'static str,
}

impl Reg {
    /// Reset to zero, as wide as the parameter `name` says.
    pub fn zero(width: usize, name: &str) -> Self {
        Reg::new(Word::new(0, width), Some(name), format!("{{{name}{{1'b0}}}}"))
    }

    /// Reset to a constant of the module, which the Verilog calls `name`.
    pub fn reset_to(value: &Const, width_name: &str, name: &str) -> Self {
        Reg::new(value.val(), Some(width_name), name.to_string())
    }

    /// As wide as a constant of the module, which the Verilog calls `name`, and reset to it; no parameter changes the width.
    pub fn fixed_reset_to(value: &Const, name: &str) -> Self {
        Reg::new(value.val(), None, name.to_string())
    }

    /// Reset to zero, of a width that no parameter changes.
    pub fn fixed(width: usize) -> Self {
        Reg::new(Word::new(0, width), None, format!("{width}'d0"))
    }

    fn new(init: Word, width_name: Option<&str>, init_text: String) -> Self {
        let width = init.width();
        let (d, q) = match width_name {
            Some(name) => (Bus::named(width, name), Bus::named(width, name)),
            None => (Bus::new(width), Bus::new(width)),
        };
        Reg {
            clock: Signal::default(),
            reset: Signal::default(),
            d,
            q,
            _init: init,
            _init_text: init_text,
            _purpose: "",
        }
    }
}

impl Logic for Reg {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { self._init } else { self.d.val() };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        let init = Const::local(self._init.value(), self._init.width(), None, "").verilog();
        Verilog::Custom(format!(
            "always @(posedge clock) begin\n  if (reset) q <= {init};\n  else q <= d;\nend"
        ))
    }
    fn timing(&self) -> Vec<TimingInfo> {
        timing(&self._init_text, self._purpose)
    }
}

/// One-bit register with synchronous, active-high reset to 0.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct BitReg {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// Next value.
    pub d: Signal<In, Bit>,
    pub q: Signal<Out, Bit>,
    _purpose: &'static str,
}

impl Logic for BitReg {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = !self.reset.val() && self.d.val();
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom("always @(posedge clock) begin\n  if (reset) q <= 1'b0;\n  else q <= d;\nend".into())
    }
    fn timing(&self) -> Vec<TimingInfo> {
        timing("1'b0", self._purpose)
    }
}

/// Register of run-time width without reset, for data.
#[derive(Clone, Debug, LogicBlock)]
pub struct DataReg {
    pub clock: Signal<In, Clock>,
    /// Next value.
    pub d: Bus<In>,
    pub q: Bus<Out>,
    _purpose: &'static str,
}

impl DataReg {
    /// As wide as the parameter `name` says.
    pub fn new(width: usize, name: &str) -> Self {
        DataReg {
            clock: Signal::default(),
            d: Bus::named(width, name),
            q: Bus::named(width, name),
            _purpose: "",
        }
    }
}

impl Logic for DataReg {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_says_what_it_is_for_if_it_was_told() {
        assert_eq!(purpose(&BitReg::default().purpose("a carry").timing()), Some("a carry"));
        assert_eq!(purpose(&Reg::fixed(3).purpose("bits 2:0").timing()), Some("bits 2:0"));
        assert_eq!(purpose(&DataReg::new(3, "W").timing()), None);
    }
}

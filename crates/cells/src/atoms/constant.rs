//! A constant of run-time width.

use super::{Symbol, Word};
use rust_hdl::constraint::PinConstraint;
use rust_hdl::prelude::*;
use rust_hdl::signal::get_signal_id;

/// A constant. Kernels use these in place of integer literals, which rust-hdl prints 32 bits wide.
#[derive(Clone, Debug)]
pub struct Const {
    value: Word,
    id: usize,
    symbol: Symbol,
}

impl Const {
    /// A constant of the module: the Verilog text `value_text` must equal `value` for every value of the parameters.
    pub fn local(value: u64, width: usize, width_name: Option<&str>, value_text: &str) -> Self {
        let symbol = Symbol {
            width: width_name.map(String::from),
            value: Some(value_text.into()),
            parameter: false,
            purpose: None,
        };
        Const { value: Word::new(value, width), id: get_signal_id(), symbol }
    }

    /// The number 1, as wide as the parameter `name` says. The text is a plain integer, which the range of the local
    /// parameter sizes: a replication of one zero less does not exist for one bit.
    pub fn one(width: usize, name: &str) -> Self {
        Const::local(1, width, Some(name), "1")
    }

    /// The number 0, as wide as the parameter `name` says.
    pub fn zero(width: usize, name: &str) -> Self {
        Const::local(0, width, Some(name), &format!("{{{name}{{1'b0}}}}"))
    }

    /// The index of the most significant bit of a word as wide as the parameter `name` says.
    pub fn top(width: usize, name: &str) -> Self {
        Const::local(width as u64 - 1, 32, None, &format!("{name} - 1"))
    }

    /// `value` - 1, wrapping below zero, as wide as the parameter `name` says; `value` is the parameter `of`.
    pub fn before(value: u64, width: usize, name: &str, of: &str) -> Self {
        let before = value.wrapping_sub(1) & (u64::MAX >> (64 - width));
        Const::local(before, width, Some(name), &format!("{of} - 1'b1"))
    }

    /// `value` - 2.
    pub fn two_before(value: u64, width: usize, name: &str, of: &str) -> Self {
        let before = value.wrapping_sub(2) & (u64::MAX >> (64 - width));
        Const::local(before, width, Some(name), &format!("{of} - 1'b1 - 1'b1"))
    }

    /// A parameter of the module, as wide as the parameter `width_name` says.
    pub fn parameter(value: u64, width: usize, width_name: Option<&str>) -> Self {
        let symbol = Symbol {
            width: width_name.map(String::from),
            value: Some(format!("{width}'d{value}")),
            parameter: true,
            purpose: None,
        };
        Const { value: Word::new(value, width), id: get_signal_id(), symbol }
    }

    pub fn val(&self) -> Word {
        self.value
    }
}

impl Atom for Const {
    fn bits(&self) -> usize {
        self.value.width()
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }
    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: self.symbol.encode(), kind: TypeKind::Bits(self.bits()) }
    }
    fn vcd(&self) -> VCDValue {
        self.value.vcd()
    }
    fn id(&self) -> usize {
        self.id
    }
    fn verilog(&self) -> VerilogLiteral {
        self.value.literal()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

impl Logic for Const {
    fn update(&mut self) {}
}

impl Block for Const {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

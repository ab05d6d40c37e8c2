//! A signal of run-time width.

use super::{Symbol, Word};
use rust_hdl::constraint::PinConstraint;
use rust_hdl::prelude::*;
use rust_hdl::signal::get_signal_id;
use std::marker::PhantomData;

/// A signal of run-time width: `Bus<In>`, `Bus<Out>` or `Bus<Local>`.
#[derive(Clone, Debug)]
pub struct Bus<D: Direction> {
    /// What it is driven with.
    pub next: Word,
    value: Word,
    changed: bool,
    claimed: bool,
    id: usize,
    width: usize,
    symbol: Symbol,
    direction: PhantomData<D>,
}

impl<D: Direction> Bus<D> {
    /// A bus of `width` bits.
    pub fn new(width: usize) -> Self {
        let zero = Word::new(0, width);
        Bus {
            next: zero,
            value: zero,
            changed: false,
            claimed: false,
            id: get_signal_id(),
            width,
            symbol: Symbol::default(),
            direction: PhantomData,
        }
    }

    /// A bus whose width is the Verilog parameter `name`.
    pub fn named(width: usize, name: &str) -> Self {
        let symbol = Symbol { width: Some(name.into()), ..Symbol::default() };
        Bus { symbol, ..Bus::new(width) }
    }

    /// The same bus, and what it is for where its name does not say it: a phrase of plain text.
    pub fn purpose(mut self, purpose: &str) -> Self {
        self.symbol.purpose = Some(purpose.into());
        self
    }

    /// The Verilog parameter that is its width.
    pub fn width_name(&self) -> Option<&str> {
        self.symbol.width.as_deref()
    }
}

impl Bus<In> {
    /// The value on the wire.
    pub fn val(&self) -> Word {
        self.value
    }
}

impl Bus<Out> {
    /// The value driven.
    pub fn val(&self) -> Word {
        self.next
    }
}

impl Bus<Local> {
    /// The value driven.
    pub fn val(&self) -> Word {
        self.next
    }
}

impl<D: Direction> Atom for Bus<D> {
    fn bits(&self) -> usize {
        self.width
    }
    fn connected(&self) -> bool {
        self.claimed
    }
    fn changed(&self) -> bool {
        self.changed
    }
    fn kind(&self) -> AtomKind {
        D::KIND
    }
    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: self.symbol.encode(), kind: TypeKind::Bits(self.width) }
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

impl<D: Direction> Logic for Bus<D> {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.claimed = true;
    }
}

impl<D: Direction> Block for Bus<D> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {
        assert_eq!(self.next.width(), self.width, "a bus was driven with a word of another width");
        self.changed = self.value != self.next;
        self.value = self.next;
    }
    fn has_changed(&self) -> bool {
        self.changed
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

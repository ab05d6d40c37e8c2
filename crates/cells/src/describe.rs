//! What a cell says about itself, beside its behaviour and its ports: [`crate::cells`] lists them all.

use crate::cell::Cell;
use rust_hdl::prelude::Block;
use std::fmt::Debug;

/// The widest word that rust-hdl simulates here, in bits.
pub const MAX_SIMULATED_WIDTH: u32 = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: &'static str,
    pub value: u64,
    /// Its width for a sized literal; `None` for a width or another plain integer.
    pub bits: Option<u32>,
    /// What it says: a phrase of plain text.
    pub meaning: &'static str,
    /// The least value: a smaller one stops the elaboration of the printed module.
    pub least: u64,
}

impl Parameter {
    /// Its value as Verilog has it.
    pub fn literal(&self) -> String {
        match self.bits {
            Some(bits) => format!("{bits}'d{}", self.value),
            None => self.value.to_string(),
        }
    }

    /// A width, or another plain integer.
    pub fn plain(name: &'static str, value: u32, meaning: &'static str) -> Self {
        Parameter { name, value: value.into(), bits: None, meaning, least: 1 }
    }

    /// A value of `bits` bits.
    pub fn sized(name: &'static str, value: u64, bits: u32, meaning: &'static str) -> Self {
        Parameter { name, value, bits: Some(bits), meaning, least: 0 }
    }

    pub fn at_least(self, least: u64) -> Self {
        Parameter { least, ..self }
    }
}

/// What a cell relies on, in Verilog over its ports and registers; looked at at each rising edge outside of a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assertion {
    /// A condition that never holds, and what is wrong if it does.
    Never(&'static str, &'static str),
    /// A stream: what is offered stays until it is taken.
    Stays {
        /// High while something is offered.
        valid: &'static str,
        /// High while it can be taken.
        ready: &'static str,
        payload: &'static [&'static str],
    },
}

/// An instance of a cell: implemented for the values with which one is made.
pub trait Describe: Debug {
    /// The Verilog module; also its file's name.
    fn module(&self) -> String;

    /// The module, with a letter or a word for each value that is part of its name.
    fn title(&self) -> &'static str;

    /// What the cell does, for the header of its Verilog file: plain text.
    fn summary(&self) -> &'static str;

    /// What else one must know to use it, its state above all: sentences of plain text.
    fn details(&self) -> &'static str;

    /// The parameters of the instance, in the order of the module: first the widths by name, then the values.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// The numbers that are part of its text, so that there is a module for each.
    fn fixed(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Bits of the words that it carries, for cells whose parameter `W` that is.
    fn word_width(&self) -> Option<u32> {
        self.parameters()
            .iter()
            .find(|parameter| parameter.name == "W")
            .map(|parameter| parameter.value as u32)
    }

    /// The rust-hdl block, `ready`, its words at most [`MAX_SIMULATED_WIDTH`] bits wide (`simulated`).
    fn prototype(&self) -> Box<dyn Cell>;

    /// A small instance: for tests, and for the defaults of the printed parameters.
    fn example() -> Self
    where
        Self: Sized;

    /// An instance of the same module whose parameters have their defaults.
    fn canonical(&self) -> Self
    where
        Self: Sized,
    {
        Self::example()
    }

    /// What it relies on: checked in simulation.
    fn assertions(&self) -> Vec<Assertion> {
        Vec::new()
    }

    /// Whether synthesis must keep its registers although others are equal: that there are several is what they are for.
    fn kept(&self) -> bool {
        false
    }
}

/// A block whose signals are connected.
pub(crate) fn ready<C: Cell + 'static>(mut cell: C) -> Box<dyn Cell> {
    Block::connect_all(&mut cell);
    Box::new(cell)
}

/// The width in which words of `width` bits are simulated.
pub(crate) fn simulated(width: u32) -> usize {
    width.min(MAX_SIMULATED_WIDTH) as usize
}

/// Bits of a counter up to `last`, 2 at least.
pub fn counter_bits(last: u64) -> u32 {
    last.max(2).ilog2() + 1
}

//! What is chosen of the streams when a design is generated.

use crate::design::reset::Reset;
use frit_schedule::Plan;

/// What is chosen of the streams when a design is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    /// Words of a message, 1 to [`super::MAX_WORDS`].
    pub words: u32,
    /// Sets of messages that each memory holds: 1, or 2 so that loading, exchanging and draining overlap.
    pub sets: u32,
    /// How the ports look.
    pub face: Face,
}

/// How the ports of the top look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A vector for all terminals, with this reset.
    Packed(Reset),
    /// The same with `clear_i`, which ends errors: the module inside a top with registers.
    Clearable,
    /// A bundle for each terminal.
    Bundles(Bundles),
}

/// Ports that are a bundle for each terminal, with the names that AXI4-Stream tools look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundles {
    /// Bits of the data in a word; above them are `tkeep` and `tuser`.
    pub data_bits: u32,
    /// Bits of `tuser`, 0 for none.
    pub user_bits: u32,
    /// Whether there is `tkeep`, a bit for each byte.
    pub keep: bool,
    /// Whether there are registers of control and status, behind an AXI4-Lite port.
    pub registers: bool,
    pub reset: Reset,
}

impl Bundles {
    /// Bytes of `tdata`, which is a whole number of them.
    pub fn bytes(self) -> u32 {
        self.data_bits.div_ceil(8)
    }

    /// Bits of `tkeep`.
    pub fn keep_bits(self) -> u32 {
        if self.keep { self.bytes() } else { 0 }
    }

    /// Bits of a word of the exchange.
    pub fn word_bits(self) -> u32 {
        self.data_bits.saturating_add(self.keep_bits()).saturating_add(self.user_bits)
    }

    fn arguments(self) -> String {
        let keep = if self.keep { " --tkeep" } else { "" };
        let user = if self.user_bits > 0 { format!(" --tuser {}", self.user_bits) } else { String::new() };
        let registers = if self.registers { " --axil" } else { "" };
        format!(" --port-style axis{keep}{user}{registers}{}", self.reset.arguments(Reset::AXI))
    }

    fn suffix(self) -> String {
        let keep = if self.keep { "_k" } else { "" };
        let user = if self.user_bits > 0 { format!("_u{}", self.user_bits) } else { String::new() };
        let reset = if self.reset == Reset::AXI { String::new() } else { format!("_{}", self.reset.word()) };
        let registers = if self.registers { "_axil" } else { "" };
        format!("ports{keep}{user}{registers}{reset}")
    }
}

impl Streams {
    /// Those whose ports are vectors and whose reset is that of the other modules.
    pub const fn packed(words: u32, sets: u32) -> Self {
        Streams { words, sets, face: Face::Packed(Reset::OWN) }
    }

    /// The module that the top stands around, or the top itself.
    pub fn inner(self) -> Self {
        match self.face {
            Face::Clearable | Face::Bundles(Bundles { registers: true, .. }) => {
                Streams { face: Face::Clearable, ..self }
            }
            _ => Streams::packed(self.words, self.sets),
        }
    }

    pub fn reset(self) -> Reset {
        match self.face {
            Face::Packed(reset) | Face::Bundles(Bundles { reset, .. }) => reset,
            Face::Clearable => Reset::OWN,
        }
    }

    /// The options of `frit generate` that ask for these, with a space before.
    pub fn arguments(&self) -> String {
        let face = match self.face {
            Face::Packed(reset) => reset.arguments(Reset::OWN),
            // The least that has it inside.
            Face::Clearable => " --port-style axis --axil".into(),
            Face::Bundles(bundles) => bundles.arguments(),
        };
        format!(" --axis --length {} --buffers {}{face}", self.words, self.sets)
    }

    /// The command that gives the top with these streams, whose exchange has words of `width` bits.
    pub fn command(&self, plan: &Plan, width: u32) -> String {
        let width = match self.face {
            Face::Packed(_) | Face::Clearable => width,
            Face::Bundles(bundles) => bundles.data_bits,
        };
        format!("{}{}", plan.command(width), self.arguments())
    }

    /// What the top with these streams is called, behind the name of the design and a `_`.
    pub fn suffix(&self) -> String {
        let inner = format!("axis_l{}_b{}", self.words, self.sets);
        match self.face {
            Face::Packed(Reset::OWN) => inner,
            Face::Packed(reset) => format!("{inner}_{}", reset.word()),
            Face::Clearable => format!("{inner}_c"),
            Face::Bundles(bundles) => format!("{inner}_{}", bundles.suffix()),
        }
    }
}

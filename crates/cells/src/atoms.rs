//! Companions of rust-hdl's `Signal`, `Constant` and `DFF` whose width is chosen at run time.
//!
//! They implement rust-hdl's public traits (`Atom`, `Block`, `Logic`), so `#[derive(LogicBlock)]` and `#[hdl_gen]`
//! take them as fields, and its simulator, its checks and its Verilog printer work on them. A width or a value may
//! also carry a *symbol*, the Verilog parameter or expression that our own printer writes in its place.

mod bus;
mod constant;
mod held_memory;
pub(crate) mod memory;
pub(crate) mod preset;
mod register;
mod short_memory;
mod word;

pub use bus::Bus;
pub use constant::Const;
pub use held_memory::HeldMemory;
pub use memory::Memory;
pub use preset::{FreeReg, PresetReg};
pub use register::{BitReg, DataReg, Reg, purpose};
pub use short_memory::ShortMemory;
pub use word::Word;

/// What our printer writes for a width or a value. rust-hdl has no room for it in its tree, so it travels in the name
/// of the type descriptor (which rust-hdl itself uses only for enums).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    /// The module parameter that is the width in bits, e.g. `W`.
    pub width: Option<String>,
    /// For a constant: the expression of its value.
    pub value: Option<String>,
    /// For a constant: a parameter of the module, not a local one.
    pub parameter: bool,
    /// What it is for: a phrase of plain text.
    pub purpose: Option<String>,
}

impl Symbol {
    const MARK: &'static str = "frit";

    pub(crate) fn encode(&self) -> String {
        let text = |s: &Option<String>| s.clone().unwrap_or_default();
        let (width, value, purpose) = (text(&self.width), text(&self.value), text(&self.purpose));
        format!("{};{width};{value};{};{purpose}", Self::MARK, self.parameter)
    }

    /// Whether a type descriptor's name is that of one of our buses or constants.
    pub fn marks(name: &str) -> bool {
        name.starts_with(Self::MARK)
    }

    /// Reads the symbol back from a type descriptor's name.
    pub fn decode(name: &str) -> Symbol {
        let mut parts = name.split(';');
        if parts.next() != Some(Self::MARK) {
            return Symbol::default();
        }
        let mut text = || parts.next().filter(|s| !s.is_empty()).map(String::from);
        let (width, value, parameter) = (text(), text(), text().as_deref() == Some("true"));
        Symbol { width, value, parameter, purpose: text() }
    }
}

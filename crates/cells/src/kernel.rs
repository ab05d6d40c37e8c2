//! What the kernels of cells have in common, so that none of them says it: registers have the clock and the reset of the cell, a register
//! keeps its value unless the kernel says what it takes next, and some outputs show a part of the cell.

use crate::atoms::{BitReg, Bus, Const, DataReg, FreeReg, HeldMemory, Memory, PresetReg, Reg, ShortMemory};
use rust_hdl::ast::{VerilogExpression, VerilogStatement};
use rust_hdl::prelude::*;

/// The behaviour of a cell beside what all cells have in common; `#[hdl_gen]` over `update` writes the other two. Cells name this trait by
/// its path: with both traits in scope rust-hdl's macros could not tell them apart from those of `Logic`.
pub(crate) trait Kernel {
    fn update(&mut self);
    fn connect(&mut self);
    fn hdl(&self) -> Verilog;
}

/// A part of a cell: what is done for it before the kernel, and the pins that this drives.
pub(crate) trait Part {
    const PINS: &[&str] = &[];
    fn begin(&mut self, _clock: Clock, _reset: bool) {}
    fn claim(&mut self) {}
}

impl Part for Const {}
impl<D: Direction> Part for Bus<D> {}
impl<D: Direction> Part for Signal<D, Bit> {}
// Vectors have no registers; a number is a bound of a loop.
impl<P> Part for Vec<P> {}
impl Part for usize {}
// A memory, or a register for a reset: the kernel says all but the clock.
macro_rules! clocked {
    ($($part:ident)+) => {
        $(impl Part for $part {
            const PINS: &[&str] = &["clock"];
            fn begin(&mut self, clock: Clock, _reset: bool) {
                self.clock.next = clock;
            }
            fn claim(&mut self) {
                self.clock.connect();
            }
        })+
    };
}
clocked!(Memory HeldMemory ShortMemory PresetReg FreeReg);

macro_rules! register {
    ($register:ident $($reset:ident)?) => {
        impl Part for $register {
            const PINS: &[&str] = &["clock", $(stringify!($reset),)? "d"];
            fn begin(&mut self, clock: Clock, _reset: bool) {
                self.clock.next = clock;
                $(self.$reset.next = _reset;)?
                self.d.next = self.q.val();
            }
            fn claim(&mut self) {
                self.clock.connect();
                $(self.$reset.connect();)?
                self.d.connect();
            }
        }
    };
}
register!(Reg reset);
register!(BitReg reset);
register!(DataReg);

/// The pins of a part that are driven before the kernel, for its type.
pub(crate) fn pins<P: Part>(_: &P) -> &'static [&'static str] {
    P::PINS
}

/// The Verilog of a kernel with what stands before it, for the parts and their pins, and behind it, for outputs and what they show.
pub(crate) fn whole(kernel: Verilog, parts: &[(&str, &[&str])], shown: &[(&str, &str)]) -> Verilog {
    let Verilog::Combinatorial(mut kernel) = kernel else { return kernel };
    let signal = |name: String| VerilogExpression::Signal(name.replace('.', "$"));
    let drive =
        |target: String, value: String| VerilogStatement::Assignment(signal(target + ".next"), signal(value));
    let mut all = Vec::new();
    for pin in ["clock", "reset", "d"] {
        for (part, _) in parts.iter().filter(|(_, pins)| pins.contains(&pin)) {
            let value = match pin {
                "clock" => "clk_i".into(),
                "reset" => "rst_i".into(),
                _ => format!("{part}.q"),
            };
            all.push(drive(format!("{part}.{pin}"), value));
        }
    }
    all.append(&mut kernel);
    all.push(VerilogStatement::Comment(String::new()));
    all.extend(shown.iter().map(|(port, part)| drive(port.to_string(), part.to_string())));
    Verilog::Combinatorial(all)
}

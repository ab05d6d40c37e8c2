//! What every cell offers to the netlist: its ports by index, to be driven and read without knowing its type.

use crate::atoms::{Bus, Word};
use rust_hdl::prelude::*;

/// Whether a port is driven from outside or by the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dir {
    In,
    /// Driven by the module.
    Out,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPort {
    pub name: &'static str,
    pub dir: Dir,
    /// Its width in bits.
    pub width: u32,
    /// The Verilog parameter that is its width, if one is.
    pub width_name: Option<String>,
    /// What it is for: a phrase of plain text. "same cycle" marks an output that follows the inputs without a register.
    pub meaning: &'static str,
}

/// A rust-hdl block whose ports can be driven and read by their index in [`Cell::ports`].
pub trait Cell: Block + Send {
    /// All ports, in the order of the Verilog module.
    fn ports(&self) -> Vec<CellPort>;
    /// Drives an input; `value` must fit its width.
    fn drive(&mut self, port: usize, value: u64);
    fn read(&self, port: usize) -> u64;
}

/// A signal that can be driven or read as a number.
pub(crate) trait Wire {
    fn width(&self) -> u32;
    fn width_name(&self) -> Option<String> {
        None
    }
    fn drive(&mut self, value: u64);
    fn read(&self) -> u64;
}

impl Wire for Signal<In, Clock> {
    fn width(&self) -> u32 {
        1
    }
    fn drive(&mut self, value: u64) {
        self.next = (value != 0).into();
    }
    fn read(&self) -> u64 {
        self.val().clk as u64
    }
}

macro_rules! bit_wire {
    ($dir:ty) => {
        impl Wire for Signal<$dir, Bit> {
            fn width(&self) -> u32 {
                1
            }
            fn drive(&mut self, value: u64) {
                self.next = value != 0;
            }
            fn read(&self) -> u64 {
                self.val() as u64
            }
        }
    };
}
bit_wire!(In);
bit_wire!(Out);

macro_rules! bus_wire {
    ($dir:ty) => {
        impl Wire for Bus<$dir> {
            fn width(&self) -> u32 {
                self.bits() as u32
            }
            fn width_name(&self) -> Option<String> {
                Bus::width_name(self).map(String::from)
            }
            fn drive(&mut self, value: u64) {
                self.next = Word::new(value, self.bits());
            }
            fn read(&self) -> u64 {
                self.val().value()
            }
        }
    };
}
bus_wire!(In);
bus_wire!(Out);

/// Implements [`Cell`] for a block from the list of its ports with their meanings, in the order of its fields.
macro_rules! cell_ports {
    ($block:ident: $($dir:ident $port:ident $meaning:literal),+ $(,)?) => {
        impl $crate::cell::Cell for $block {
            fn ports(&self) -> Vec<$crate::cell::CellPort> {
                use $crate::cell::Wire;
                vec![$($crate::cell::CellPort {
                    name: stringify!($port),
                    dir: $crate::cell::Dir::$dir,
                    width: Wire::width(&self.$port),
                    width_name: Wire::width_name(&self.$port),
                    meaning: $meaning,
                }),+]
            }
            fn drive(&mut self, port: usize, value: u64) {
                let mut index = 0;
                $(
                    if index == port {
                        return $crate::cell::Wire::drive(&mut self.$port, value);
                    }
                    index += 1;
                )+
                unreachable!("port {port} of {index}")
            }
            fn read(&self, port: usize) -> u64 {
                let mut index = 0;
                $(
                    if index == port {
                        return $crate::cell::Wire::read(&self.$port);
                    }
                    index += 1;
                )+
                unreachable!("port {port} of {index}")
            }
        }
    };
}
pub(crate) use cell_ports;

use crate::atoms::{Bus, Memory};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`BankMemory`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankMemorySpec {
    /// Bits of a word.
    pub width: u32,
    /// Bits of an address.
    pub address_bits: u32,
}

impl Describe for BankMemorySpec {
    fn module(&self) -> String {
        "frit_bank_memory".into()
    }
    fn title(&self) -> &'static str {
        "frit_bank_memory"
    }
    fn summary(&self) -> &'static str {
        "A bank of a side: the words of 2^AddressBits buffers, written as messages come, read a cycle after the address (block RAM)."
    }
    fn details(&self) -> &'static str {
        "A word read in the cycle in which it is written may be any: a message moves only in a round after the one in which it came. State: the memory, without reset."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("AddressBits", self.address_bits, "bits of an address"),
            Parameter::plain("W", self.width, "bits of a word"),
        ]
    }
    fn word_width(&self) -> Option<u32> {
        Some(self.width)
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(BankMemory::new(simulated(self.width), self.address_bits as usize))
    }
    fn example() -> Self {
        BankMemorySpec { width: 8, address_bits: 4 }
    }
}

/// The buffers of a bank: a memory of 2^AddressBits words, read a cycle after the address. It can be a block RAM, without registers
/// beside it for a word that is read while it is written: nobody looks at that.
#[derive(LogicBlock)]
pub struct BankMemory {
    clk_i: Signal<In, Clock>,
    write_i: Signal<In, Bit>,
    write_address_i: Bus<In>,
    data_i: Bus<In>,
    read_address_i: Bus<In>,
    data_o: Bus<Out>,
    memory: Memory,
}

impl BankMemory {
    /// For 2^`address_bits` words of `width` bits.
    pub fn new(width: usize, address_bits: usize) -> Self {
        BankMemory {
            clk_i: Default::default(),
            write_i: Default::default(),
            write_address_i: Bus::named(address_bits, "AddressBits"),
            data_i: Bus::named(width, "W"),
            read_address_i: Bus::named(address_bits, "AddressBits"),
            data_o: Bus::named(width, "W"),
            memory: Memory::new(width, "W", address_bits, "AddressBits").collides(),
        }
    }
}

cell_ports!(BankMemory:
    In clk_i "clock, rising edge",
    In write_i "write data_i",
    In write_address_i "where",
    In data_i "the word",
    In read_address_i "which word is read",
    Out data_o "the word whose address was given in the last cycle",
);

impl Logic for BankMemory {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, memory);
        self.memory.write.next = self.write_i.val();
        self.memory.write_address.next = self.write_address_i.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read_address.next = self.read_address_i.val();
        self.data_o.next = self.memory.q.val();
    }
}

use crate::atoms::{Bus, Memory};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The messages of one terminal: a memory of 2^A words that is written by the input stream and read, a cycle after the
/// address, by the exchange. It can be a block RAM.
#[derive(LogicBlock)]
pub struct MessageMemory {
    clk_i: Signal<In, Clock>,
    write_i: Signal<In, Bit>,
    write_address_i: Bus<In>,
    data_i: Bus<In>,
    read_address_i: Bus<In>,
    data_o: Bus<Out>,
    memory: Memory,
}

impl MessageMemory {
    /// For 2^`address_bits` words of `width` bits.
    pub fn new(width: usize, address_bits: usize) -> Self {
        MessageMemory {
            clk_i: Default::default(),
            write_i: Default::default(),
            write_address_i: Bus::named(address_bits, "A"),
            data_i: Bus::named(width, "W"),
            read_address_i: Bus::named(address_bits, "A"),
            data_o: Bus::named(width, "W"),
            memory: Memory::new(width, "W", address_bits, "A"),
        }
    }
}

cell_ports!(MessageMemory: In clk_i, In write_i, In write_address_i, In data_i, In read_address_i, Out data_o);

impl Logic for MessageMemory {
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

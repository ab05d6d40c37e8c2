use crate::table::*;

cell! {
    /// The messages of one terminal: a memory of 2^AddressBits words that is written by the input stream and read, a cycle after the
    /// address, by the exchange. It can be a block RAM.
    MessageMemory, MessageMemorySpec, "frit_message_memory":
    "Messages of one terminal: a memory of 2^AddressBits words. The input stream writes it, and the exchange reads it one cycle after the address (block RAM).";
    "If a word is read in the cycle in which it is written, data_o is the old word. State: the memory, without reset.";
    parameters {
        AddressBits address_bits: u32 = 4, "bits of an address";
        W width: u32 = 8, "bits of a word";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In write_i: Bit, "writes data_i";
        In write_address_i: Bus(address_bits, "AddressBits"), "address at which data_i is written";
        In data_i: Bus(width, "W"), "word to write";
        In read_address_i: Bus(address_bits, "AddressBits"), "address of the word to read";
        Out data_o: Bus(width, "W") = memory.q, "word at the read address of the last cycle";
    }
    parts {
        memory: Memory = Memory::new(width, "W", address_bits, "AddressBits");
    }
}

impl kernel::Kernel for MessageMemory {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.write.next = self.write_i.val();
        self.memory.write_address.next = self.write_address_i.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read_address.next = self.read_address_i.val();
    }
}

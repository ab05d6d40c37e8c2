use crate::table::*;

cell! {
    /// [`TurnMemory`](super::TurnMemory) as a block RAM also if synthesis thinks that it is too small for one.
    ProgramMemory, ProgramMemorySpec, "frit_program_memory":
    "Memory of a piece of each entry of a large loaded schedule: 2^AddressBits words in a block RAM. The word at read_address_i appears after a cycle with read_i.";
    "If a word is read in the cycle in which it is written, data_o may have any value; reading and writing never meet here. While read_i is low, data_o keeps its word. State: the memory and the word read, without reset.";
    parameters {
        AddressBits address_bits: u32 = 4, "bits of an address, 1 or more";
        W width: u32 = 8, "bits of a word, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In write_i: Bit, "writes data_i";
        In write_address_i: Bus(address_bits, "AddressBits"), "address at which data_i is written";
        In data_i: Bus(width, "W"), "word to write";
        In read_i: Bit, "reads a word";
        In read_address_i: Bus(address_bits, "AddressBits"), "address of the word to read";
        Out data_o: Bus(width, "W") = memory.q, "word at the read address of the last cycle with read_i";
    }
    parts {
        memory: HeldMemory = HeldMemory::new(width, "W", address_bits, "AddressBits").collides().block();
    }
}

impl kernel::Kernel for ProgramMemory {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.write.next = self.write_i.val();
        self.memory.write_address.next = self.write_address_i.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read.next = self.read_i.val();
        self.memory.read_address.next = self.read_address_i.val();
    }
}

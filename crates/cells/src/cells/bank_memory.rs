use crate::table::*;

cell! {
    /// A memory of 2^AddressBits words, read a cycle after the address. It can be a block RAM, without registers beside it for a word that
    /// is read while it is written: nobody looks at that. In a multibutterfly a message moves at the earliest one round of moves after it
    /// arrived; a message of several words of the next set begins with another word than the last one, which the exchange still reads.
    BankMemory, BankMemorySpec, "frit_bank_memory":
    "A memory of 2^AddressBits words, read one cycle after the address (block RAM): the buffers of a side of a multibutterfly's node, or the messages of one terminal.";
    "If a word is read in the cycle in which it is written, data_o may have any value; that value is never used. State: the memory, without reset.";
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
        memory: Memory = Memory::new(width, "W", address_bits, "AddressBits").collides();
    }
}

impl kernel::Kernel for BankMemory {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.write.next = self.write_i.val();
        self.memory.write_address.next = self.write_address_i.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read_address.next = self.read_address_i.val();
    }
}

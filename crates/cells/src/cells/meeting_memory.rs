use crate::table::*;

cell! {
    /// A [`TurnMemory`](super::TurnMemory) where a word may be read while the next one is written over it: where the wait is a data set less a beat.
    MeetingMemory, MeetingMemorySpec, "frit_meeting_memory":
    "Memory of a lane of a streamed permutation whose wait is a data set less one beat, 2^AddressBits words (block RAM). The word at read_address_i appears after a cycle with read_i.";
    "If a word is read in the cycle in which it is written, data_o is the old word. While read_i is low, data_o keeps its word. State: the memory and the word read, without reset.";
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
        memory: HeldMemory = HeldMemory::new(width, "W", address_bits, "AddressBits");
    }
}

impl kernel::Kernel for MeetingMemory {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.write.next = self.write_i.val();
        self.memory.write_address.next = self.write_address_i.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read.next = self.read_i.val();
        self.memory.read_address.next = self.read_address_i.val();
    }
}

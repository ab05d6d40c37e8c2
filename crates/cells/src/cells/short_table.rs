use crate::table::*;

cell! {
    /// A small memory that is read in the same cycle: the lengths of the messages of a terminal.
    ShortTable, ShortTableSpec, "frit_short_table":
    "A memory of 2^AddressBits words that is read in the same cycle (RAM in LUTs): the lengths of the messages of a terminal.";
    "State: the memory, without reset.";
    parameters {
        AddressBits address_bits: u32 = 3, "bits of an address";
        W width: u32 = 3, "bits of a word";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In write_i: Bit, "writes data_i";
        In write_address_i: Bus(address_bits, "AddressBits"), "address at which data_i is written";
        In data_i: Bus(width, "W"), "word to write";
        In read_address_i: Bus(address_bits, "AddressBits"), "address of the word to read";
        Out data_o: Bus(width, "W") = memory.q, "word at the read address, same cycle";
    }
    parts {
        memory: ShortMemory = ShortMemory::new(width, "W", address_bits, "AddressBits");
    }
}

impl kernel::Kernel for ShortTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("One port to write, one to read.");
        self.memory.write.next = self.write_i.val();
        self.memory.write_address.next = self.write_address_i.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read_address.next = self.read_address_i.val();
    }
}

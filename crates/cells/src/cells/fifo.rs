use crate::table::*;

cell! {
    /// A FIFO of 2^AddressBits words between the two passes of a network: a memory with a write and a read pointer.
    ///
    /// The memory is read a cycle ahead, so that it can be a block RAM: a word can be popped two cycles after it was pushed.
    /// Pushing a word more than it holds overwrites the oldest; the plans that use it never do.
    Fifo, FifoSpec, "frit_fifo":
    "FIFO of 2^AddressBits words. Its memory is read one cycle ahead (block RAM), so a word can be popped two cycles after it was pushed.";
    "It stands between the two passes of the buffered plan, which stores at most N - n words. A push into a full FIFO overwrites the oldest word. State: the pointers and whether a word is stored (both reset to 0), and the memory, without reset.";
    parameters {
        AddressBits address_bits: u32 = 3, "bits of an address, 2 or more", at_least 2;
        W width: u32 = 8, "bits of a word";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: empties the FIFO";
        In push_i: Bit, "stores data_i";
        In data_i: Bus(width, "W"), "word to store";
        In pop_i: Bit, "removes the oldest word, if there is a word";
        Out valid_o: Bit = taken, "data_o holds a word that is popped, same cycle";
        Out data_o: Bus(width, "W") = memory.q, "oldest word, same cycle";
    }
    parts {
        one: Const = Const::one(address_bits, "AddressBits");
        taken: Signal<Local, Bit>;
        after: Bus<Local> = Bus::named(address_bits, "AddressBits");
        filled: BitReg = BitReg::default().purpose("a word is stored");
        head: Reg = Reg::zero(address_bits, "AddressBits");
        tail: Reg = Reg::zero(address_bits, "AddressBits");
        memory: Memory = Memory::new(width, "W", address_bits, "AddressBits");
    }
}

impl kernel::Kernel for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The oldest word leaves.");
        self.taken.next = self.pop_i.val() & self.filled.q.val();
        self.after.next = self.head.q.val();
        if self.taken.val() {
            self.after.next = self.head.q.val() + self.one.val();
        }
        comment!("The FIFO is empty when the head has reached the tail.");
        self.head.d.next = self.after.val();
        if self.taken.val() & (self.after.val() == self.tail.q.val()) {
            self.filled.d.next = false;
        }
        comment!("A word enters; then the memory is not empty.");
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
            self.filled.d.next = true;
        }
        comment!("The memory reads the word behind the one that leaves, so that it is there in the next cycle.");
        self.memory.write.next = self.push_i.val();
        self.memory.write_address.next = self.tail.q.val();
        self.memory.d.next = self.data_i.val();
        self.memory.read_address.next = self.after.val();
    }
}

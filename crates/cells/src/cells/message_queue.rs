use crate::table::*;

cell! {
    /// The messages that have arrived at a terminal, in the order of their last words. As many fit as can arrive in two exchanges.
    MessageQueue, MessageQueueSpec, "frit_message_queue":
    "Queue of the messages that have arrived at a terminal, oldest first: 2^AddressBits entries of W bits.";
    "No more messages than entries can arrive in two exchanges, and a third one begins only after the messages of the first have left. State: the entries, without reset; the pointers and whether there is an entry (reset to 0).";
    parameters {
        AddressBits address_bits: u32 = 3, "bits of an entry's number";
        W width: u32 = 8, "bits of an entry";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In push_i: Bit, "stores data_i";
        In data_i: Bus(width, "W"), "entry to store";
        In pop_i: Bit, "removes the oldest entry";
        Out some_o: Bit = some.q, "there is an entry";
        Out data_o: Bus(width, "W") = entries.q, "oldest entry; comes from registers";
    }
    parts {
        one: Const = Const::one(address_bits, "AddressBits");
        after: Bus<Local> = Bus::named(address_bits, "AddressBits").purpose("the entry behind the oldest");
        more: Signal<Local, Bit>;
        head: Reg = Reg::zero(address_bits, "AddressBits").purpose("oldest entry");
        tail: Reg = Reg::zero(address_bits, "AddressBits").purpose("entry to store next");
        some: BitReg = BitReg::default().purpose("there is an entry");
        entries: ShortMemory = ShortMemory::new(width, "W", address_bits, "AddressBits");
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("push_i & some_q & (head_q == tail_q)", "a message enters the full queue"),
            ]
        }
    }
}

impl kernel::Kernel for MessageQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The oldest entry is removed: there is another one if the next one is not where the tail is.");
        self.after.next = self.head.q.val() + self.one.val();
        self.more.next = self.after.val() != self.tail.q.val();
        if self.pop_i.val() {
            self.head.d.next = self.after.val();
        }
        comment!("An entry is stored, perhaps in the same cycle.");
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
        }
        self.some.d.next = self.push_i.val() | (self.pop_i.val() & self.more.val()) | (!self.pop_i.val() & self.some.q.val());
        comment!("Where it is stored, and where the oldest one is.");
        self.entries.write.next = self.push_i.val();
        self.entries.write_address.next = self.tail.q.val();
        self.entries.d.next = self.data_i.val();
        self.entries.read_address.next = self.head.q.val();
    }
}

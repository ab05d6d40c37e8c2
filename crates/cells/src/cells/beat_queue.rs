use crate::table::*;

cell! {
    /// The control of the output of a streamed permutation: a queue for the beats that are under way, so that nothing inside ever stands still.
    ///
    /// A beat takes a place when it is read from the last memories (`due_i`), long before it comes. When `Limit` places are taken,
    /// `advance_o` goes low a cycle later; the beats that are read after that find room above `Limit`.
    BeatQueue, BeatQueueSpec, "frit_beat_queue":
    "Control of the output of a streamed permutation: a queue of 2^AddressBits beats. advance_o, which lets beats in and out of the memories, comes from a register.";
    "A beat takes a place when it is read from the last memories, before it comes here. The words lie in memories beside this cell, whose outputs are the output of the stream. State: places taken, whether they reach Limit, the pointers, whether one or two beats are stored, whether one is shown, whether one left the memories (all reset to 0, but the place two behind the oldest to 2).";
    parameters {
        AddressBits address_bits: u32 = 4, "bits of an address, 2 or more", at_least 2;
        UsedBits used_bits: u32 = 5, "bits of a number of places: AddressBits + 1";
        Limit(used_bits) limit: u64 = 12, "number of taken places from which on advance_o is low, less than 2^AddressBits";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In due_i: Bit, "a beat is read from the last memories and takes a place";
        In push_i: Bit, "a beat comes and is stored at write_address_o";
        In tready_i: Bit, "the receiver takes the beat of the output";
        Out advance_o: Bit, "fewer than Limit places were taken";
        Out tvalid_o: Bit = shown.q, "the output shows a beat";
        Out write_address_o: Bus(address_bits, "AddressBits") = tail.q, "where the beat that comes is stored";
        Out read_o: Bit = taken, "the beat at read_address_o is shown in the next cycle";
        Out read_address_o: Bus(address_bits, "AddressBits") = head.q, "the oldest beat";
    }
    with {
        let two = Const::local(2 & ((1 << address_bits) - 1), address_bits, Some("AddressBits"), "2");
    }
    parts {
        limit: Const = Const::parameter(limit, used_bits, Some("UsedBits"));
        used_one: Const = Const::one(used_bits, "UsedBits");
        one: Const = Const::one(address_bits, "AddressBits");
        two: Const = two.clone();
        taken: Signal<Local, Bit>;
        kept: Signal<Local, Bit>;
        lots: Signal<Local, Bit>;
        after: Signal<Local, Bit>;
        more: Signal<Local, Bit>;
        used: Reg = Reg::zero(used_bits, "UsedBits").purpose("places taken");
        full: BitReg = BitReg::default().purpose("Limit places were taken");
        many: BitReg = BitReg::default().purpose("two beats or more are stored");
        some: BitReg = BitReg::default().purpose("a beat is stored");
        shown: BitReg = BitReg::default().purpose("the output shows a beat");
        freed: BitReg = BitReg::default().purpose("a beat left its place");
        head: Reg = Reg::zero(address_bits, "AddressBits").purpose("place of the oldest beat");
        third: Reg = Reg::reset_to(&two, "AddressBits", "TWO").purpose("place two behind the oldest beat");
        tail: Reg = Reg::zero(address_bits, "AddressBits").purpose("place of the beat that comes next");
    }
    describe {
        fn assertions(&self) -> Vec<Assertion> {
            vec![
                Assertion::Never("push_i & some_q & (head_q == tail_q)", "a beat enters the full memory"),
            ]
        }
    }
}

impl kernel::Kernel for BeatQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A beat leaves the memory when the register at the port is free or is being read.");
        self.taken.next = self.some.q.val() & (self.tready_i.val() | !self.shown.q.val());
        comment!("Places that beats in the memory, and beats under way to it, take. A place is free a cycle after its beat left.");
        if self.due_i.val() & !self.freed.q.val() {
            self.used.d.next = self.used.q.val() + self.used_one.val();
        }
        if !self.due_i.val() & self.freed.q.val() {
            self.used.d.next = self.used.q.val() - self.used_one.val();
        }
        self.full.d.next = self.used.q.val() >= self.limit.val();
        self.freed.d.next = self.taken.val();
        comment!("The output shows a beat until it is taken.");
        self.shown.d.next = self.taken.val() | (self.shown.q.val() & !self.tready_i.val());
        comment!("Written as sums of products, since enables of registers would make the way from tready_i longer.");
        self.kept.next = !self.taken.val() & self.some.q.val();
        self.some.d.next = self.push_i.val() | (self.taken.val() & self.many.q.val()) | self.kept.val();
        self.lots.next = self.many.q.val() & (self.third.q.val() != self.tail.q.val());
        self.after.next = (self.push_i.val() & self.many.q.val()) | (!self.push_i.val() & self.lots.val());
        self.more.next = (self.push_i.val() & self.some.q.val()) | (!self.push_i.val() & self.many.q.val());
        self.many.d.next =
            (self.taken.val() & self.after.val()) | (!self.taken.val() & self.more.val());
        comment!("Where the next beat is read and written.");
        if self.taken.val() {
            self.head.d.next = self.head.q.val() + self.one.val();
            self.third.d.next = self.third.q.val() + self.one.val();
        }
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
        }
        comment!("The beats go on while places are left.");
        self.advance_o.next = !self.full.q.val();
    }
}

use crate::table::*;

cell! {
    /// The control of the queue at an output of a streamed permutation or of a crossbar. When the receiver pauses, the beats (of a crossbar: the
    /// words) that are inside flow on into the queue, so no register inside needs an enable.
    ///
    /// A beat takes a place when it is read from the last memories (`due_i`), long before it comes. When `Limit` places are taken,
    /// `advance_o` goes low a cycle later; the beats that are read after that find room above `Limit`.
    BeatQueue, BeatQueueSpec, "frit_beat_queue":
    "Control of the queue at an output of a streamed permutation or of a crossbar: 2^AddressBits beats. advance_o, which lets beats in and out of the memories, comes from a register.";
    "A beat takes a place when it is read from the last memories, before it comes here. The words lie in memories beside this cell, whose outputs are the output of the stream; frit_queue_pointer cells read them. The counters go down one cycle after a beat has left, so no path leads from tready_i to a counter. Synthesis must not join the registers of this cell with the equal ones in frit_queue_pointer ((* keep *), Yosys). State: the number of places taken, plus 2^AddressBits - Limit (reset to this difference); whether Limit places were taken, the number of stored beats, whether at least one, two and three beats are stored, whether a beat is shown, whether a beat left in the last cycle, the place of the next beat (all reset to 0).";
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
        Out write_o: Bit, "the place at write_address_o is free, and the memories write there; a beat that comes later overwrites what they wrote without one";
        Out some_o: Bit = some_next, "a beat is stored in the next cycle";
        Out shown_o: Bit = shown_next, "the output shows a beat in the next cycle";
    }
    with {
        let places = 1u64 << (used_bits - 1);
        let top = Const::local(places, used_bits, Some("UsedBits"), "{1'b1, {(UsedBits-1){1'b0}}}");
        let start = Const::local(places - limit, used_bits, Some("UsedBits"), "{1'b1, {(UsedBits-1){1'b0}}} - Limit");
    }
    parts {
        limit: Const = Const::parameter(limit, used_bits, Some("UsedBits"));
        top: Const = top.clone();
        start: Const = start.clone();
        four: Const = Const::local(4, used_bits, Some("UsedBits"), "4");
        used_one: Const = Const::one(used_bits, "UsedBits");
        less_one: Const = Const::local((1 << used_bits) - 1, used_bits, Some("UsedBits"), "{UsedBits{1'b1}}");
        one: Const = Const::one(address_bits, "AddressBits");
        taken: Signal<Local, Bit>;
        step: Bus<Local> = Bus::named(used_bits, "UsedBits").purpose("1, or -1");
        fourth: Signal<Local, Bit>;
        more: Signal<Local, Bit>;
        less: Signal<Local, Bit>;
        some_next: Signal<Local, Bit>;
        shown_next: Signal<Local, Bit>;
        used: Reg = Reg::reset_to(&start, "UsedBits", "START").purpose("places taken, plus 2^AddressBits - Limit");
        full: BitReg = BitReg::default().purpose("Limit places were taken");
        stored: Reg = Reg::zero(used_bits, "UsedBits").purpose("beats stored, and the one that left in the last cycle");
        lots: BitReg = BitReg::default().purpose("three beats or more are stored");
        many: BitReg = BitReg::default().purpose("two beats or more are stored");
        some: BitReg = BitReg::default().purpose("a beat is stored");
        shown: BitReg = BitReg::default().purpose("the output shows a beat");
        freed: BitReg = BitReg::default().purpose("a beat left in the last cycle");
        tail: Reg = Reg::zero(address_bits, "AddressBits").purpose("place of the beat that comes next");
    }
    describe {
        fn kept(&self) -> bool {
            true
        }
        fn assertions(&self) -> Vec<Assertion> {
            vec![Assertion::Never("push_i & ~write_o", "a beat enters the full memory")]
        }
    }
}

impl kernel::Kernel for BeatQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A beat leaves the memory when the register at the port is free or is being read.");
        self.taken.next = self.some.q.val() & (self.tready_i.val() | !self.shown.q.val());
        comment!("Places that beats in the memory, and beats under way to it, take. A place is free a cycle after its beat left.");
        self.freed.d.next = self.taken.val();
        self.step.next = self.used_one.val();
        if self.freed.q.val() {
            self.step.next = self.less_one.val();
        }
        if self.due_i.val() ^ self.freed.q.val() {
            self.used.d.next = self.used.q.val() + self.step.val();
        }
        comment!("The highest bit of used_q is 1 if Limit places or more are taken.");
        self.full.d.next = (self.used.q.val() & self.top.val()).any();
        comment!("The number of stored beats, and a flag each for at least one, two and three of them. When a beat leaves, each flag takes the value of the next higher one.");
        if self.push_i.val() ^ self.freed.q.val() {
            self.stored.d.next = self.stored.q.val() + self.step.val();
        }
        self.fourth.next = (self.stored.q.val() >= self.four.val())
            & ((self.stored.q.val() != self.four.val()) | !self.freed.q.val());
        self.more.next = self.push_i.val() & !self.taken.val();
        self.less.next = self.taken.val() & !self.push_i.val();
        self.lots.d.next = (self.more.val() & self.many.q.val())
            | (self.lots.q.val() & (!self.less.val() | self.fourth.val()));
        self.many.d.next =
            (self.more.val() & self.some.q.val()) | (self.many.q.val() & (!self.less.val() | self.lots.q.val()));
        self.some_next.next =
            self.push_i.val() | (self.some.q.val() & (!self.taken.val() | self.many.q.val()));
        self.some.d.next = self.some_next.val();
        comment!("The output shows a beat until it is taken.");
        self.shown_next.next = self.taken.val() | (self.shown.q.val() & !self.tready_i.val());
        self.shown.d.next = self.shown_next.val();
        comment!("The place of the next beat. The memories write there in every cycle in which it is free, so their write enable does not depend on push_i. A place is free a cycle after its beat left, as above: no beat comes sooner.");
        self.write_o.next = !(self.stored.q.val() & self.top.val()).any();
        if self.push_i.val() {
            self.tail.d.next = self.tail.q.val() + self.one.val();
        }
        comment!("The beats go on while places are left.");
        self.advance_o.next = !self.full.q.val();
    }
}

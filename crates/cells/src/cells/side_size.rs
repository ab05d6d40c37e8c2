use crate::table::*;

cell! {
    /// The size W of what a side must send: a power of two, so it is kept with a bit for each.
    SideSize, SideSizeSpec, "frit_side_size":
    "Size W that a side of a multibutterfly's node asks for: the smallest power of two greater than the number of its full buffers (Strict 1), or not less than that number (Strict 0). Once the side is committed, it asks for nothing.";
    "The highest 1 of the count is found by doubling steps (counts of at most 32 bits). A size without a bit of Asks is small: the side commits without asking. State: W, without reset; W has no meaning before the first set_i.";
    parameters {
        SizeBits bits: u32 = 5, "bits of a size, 2 to 32", at_least 2;
        Strict(1) strict: u64 = 1, "1: W is greater than the count; 0: W is not less than the count";
        Asks(bits) asks: u64 = 24, "sizes that must ask, one bit for each size";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In set_i: Bit, "the node becomes an input: W is set";
        In end_i: Bus(bits, "SizeBits"), "number of full buffers of the side";
        In committed_i: Bit, "the side is committed";
        Out small_o: Bit, "the side need not ask";
        Out request_o: Bus(bits, "SizeBits"), "W, or 0 if the side is committed";
    }
    parts {
        by_1: Const = Const::local(1, 5, None, "5'd1");
        by_2: Const = Const::local(2, 5, None, "5'd2");
        by_4: Const = Const::local(4, 5, None, "5'd4");
        by_8: Const = Const::local(8, 5, None, "5'd8");
        by_16: Const = Const::local(16, 5, None, "5'd16");
        strict: Const = Const::parameter(strict, 1, None);
        asks: Const = Const::parameter(asks, bits, Some("SizeBits"));
        none: Const = Const::zero(bits, "SizeBits");
        two: Bus<Local> = Bus::named(bits, "SizeBits");
        four: Bus<Local> = Bus::named(bits, "SizeBits");
        eight: Bus<Local> = Bus::named(bits, "SizeBits");
        sixteen: Bus<Local> = Bus::named(bits, "SizeBits");
        below: Bus<Local> = Bus::named(bits, "SizeBits");
        top: Bus<Local> = Bus::named(bits, "SizeBits");
        rest: Bus<Local> = Bus::named(bits, "SizeBits");
        size: DataReg = DataReg::new(bits, "SizeBits").purpose("W");
    }
}

impl kernel::Kernel for SideSize {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The highest bit of the number, and the bits below it.");
        self.two.next = self.end_i.val() | (self.end_i.val() >> self.by_1.val());
        self.four.next = self.two.val() | (self.two.val() >> self.by_2.val());
        self.eight.next = self.four.val() | (self.four.val() >> self.by_4.val());
        self.sixteen.next = self.eight.val() | (self.eight.val() >> self.by_8.val());
        self.below.next = self.sixteen.val() | (self.sixteen.val() >> self.by_16.val());
        self.top.next = self.below.val() & !(self.below.val() >> self.by_1.val());
        self.rest.next = self.end_i.val() & !self.top.val();
        if self.set_i.val() {
            self.size.d.next = self.top.val();
            if self.rest.val().any() | self.strict.val().any() {
                self.size.d.next = self.top.val() << self.by_1.val();
            }
        }
        self.small_o.next = !(self.size.q.val() & self.asks.val()).any();
        self.request_o.next = self.size.q.val();
        if self.committed_i.val() {
            self.request_o.next = self.none.val();
        }
    }
}

use crate::table::*;

cell! {
    /// Counts the cycles of an exchange, as long as `count_i` is high.
    ///
    /// The count has as many bits as the longest exchange needs, in a word of 32: a synthesis tool keeps no register for the
    /// others, and the carry and the fan-out of `count_i` are as short.
    CycleCounter, CycleCounterSpec, "frit_cycle_counter":
    "Counts the cycles of an exchange: one more after each cycle with count_i, 0 after every other.";
    "The upper bits of cycles_o are 0. After Most the count begins again at 0. State: the count, reset to 0.";
    parameters {
        Most(32) most: u64 = 15, "the greatest count, one less than a power of two";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous, active high";
        In count_i: Bit, "adds 1 to the count; while low the next count is 0";
        Out cycles_o: Bus(32) = count.q, "cycles counted before this cycle";
    }
    parts {
        by1: Const = Const::local(1, 32, None, "1");
        by2: Const = Const::local(2, 32, None, "2");
        by4: Const = Const::local(4, 32, None, "4");
        by8: Const = Const::local(8, 32, None, "8");
        by16: Const = Const::local(16, 32, None, "16");
        none: Const = Const::local(0, 32, None, "32'd0");
        most: Const = Const::parameter(most, 32, None);
        below0: Bus<Local> = Bus::new(32).purpose("a bit is 0 among the 1 below");
        below1: Bus<Local> = Bus::new(32).purpose("a bit is 0 among the 2 below");
        below2: Bus<Local> = Bus::new(32).purpose("a bit is 0 among the 4 below");
        below3: Bus<Local> = Bus::new(32).purpose("a bit is 0 among the 8 below");
        below4: Bus<Local> = Bus::new(32).purpose("a bit is 0 among the 16 below");
        below5: Bus<Local> = Bus::new(32).purpose("a bit is 0 among the 32 below");
        kept: Bus<Local> = Bus::new(32).purpose("the bits of the next count that are kept");
        count: Reg = Reg::fixed(32);
    }
}

impl kernel::Kernel for CycleCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A bit of the number changes when all bits below it are 1. Each line looks twice as far down as the one before.");
        self.below0.next = !self.count.q.val() << self.by1.val();
        self.below1.next = self.below0.val() | (self.below0.val() << self.by1.val());
        self.below2.next = self.below1.val() | (self.below1.val() << self.by2.val());
        self.below3.next = self.below2.val() | (self.below2.val() << self.by4.val());
        self.below4.next = self.below3.val() | (self.below3.val() << self.by8.val());
        self.below5.next = self.below4.val() | (self.below4.val() << self.by16.val());
        comment!("The number is 0 unless a cycle is counted.");
        self.kept.next = self.none.val();
        if self.count_i.val() {
            self.kept.next = self.most.val();
        }
        self.count.d.next = (self.count.q.val() ^ !self.below5.val()) & self.kept.val();
    }
}

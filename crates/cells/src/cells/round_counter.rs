use crate::table::*;

cell! {
    /// Counts the rounds that are sent, or those that arrive.
    RoundCounter, RoundCounterSpec, "frit_round_counter":
    "Counts the rounds that are sent, or those that arrive.";
    "It stands beside a sequencer, or behind it and the frit_delay_line of sending_o. After the last round the number is 0 again, so between exchanges round_o is 0. State, reset to 0: the number of the next round.";
    parameters {
        RoundBits bits: u32 = 4, "bits of a round's number, 2 or more", at_least 2;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In step_i: Bit, "a round is sent, or arrives, in this cycle";
        In last_i: Bit, "it is the last round; may stay low if the number of rounds is 2^RoundBits";
        Out round_o: Bus(bits, "RoundBits") = round.q, "number of the next round; in a cycle with step_i the number of this round";
    }
    parts {
        by1: Const = Const::local(1, 32, None, "1");
        by2: Const = Const::local(if bits > 2 { 2 } else { 1 }, 32, None, "RoundBits > 2 ? 2 : 1");
        by4: Const = Const::local(if bits > 4 { 4 } else { 1 }, 32, None, "RoundBits > 4 ? 4 : 1");
        by8: Const = Const::local(if bits > 8 { 8 } else { 1 }, 32, None, "RoundBits > 8 ? 8 : 1");
        by16: Const = Const::local(if bits > 16 { 16 } else { 1 }, 32, None, "RoundBits > 16 ? 16 : 1");
        zero: Const = Const::zero(bits, "RoundBits");
        every: Const = Const::local(u64::MAX >> (64 - bits), bits, Some("RoundBits"), "{RoundBits{1'b1}}");
        below0: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 1 below");
        below1: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 2 below");
        below2: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 4 below");
        below3: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 8 below");
        below4: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 16 below");
        below5: Bus<Local> = Bus::named(bits, "RoundBits").purpose("a bit is 0 among the 32 below");
        moving: Bus<Local> = Bus::named(bits, "RoundBits").purpose("all bits in a step");
        kept: Bus<Local> = Bus::named(bits, "RoundBits").purpose("the bits of the next number that are kept");
        round: Reg = Reg::zero(bits, "RoundBits");
    }
}

impl kernel::Kernel for RoundCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A bit of the number changes when all bits below it are 1. Each line looks twice as far down as the one before.");
        self.below0.next = !self.round.q.val() << self.by1.val();
        self.below1.next = self.below0.val() | (self.below0.val() << self.by1.val());
        self.below2.next = self.below1.val() | (self.below1.val() << self.by2.val());
        self.below3.next = self.below2.val() | (self.below2.val() << self.by4.val());
        self.below4.next = self.below3.val() | (self.below3.val() << self.by8.val());
        self.below5.next = self.below4.val() | (self.below4.val() << self.by16.val());
        comment!("No multiplexer that holds the number: the net that enables its registers would be slow.");
        self.moving.next = self.zero.val();
        if self.step_i.val() {
            self.moving.next = self.every.val();
        }
        self.kept.next = self.every.val();
        if self.last_i.val() {
            self.kept.next = self.zero.val();
        }
        self.round.d.next = (self.round.q.val() ^ (!self.below5.val() & self.moving.val())) & self.kept.val();
    }
}

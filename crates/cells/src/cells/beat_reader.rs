use crate::atoms::{BitReg, Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Says when the memories of a streamed permutation are read: beat h as soon as beat h + Lag of its data set is written, and the
    /// last beats of a data set, for which there is no such beat, one after the other behind its end.
    ///
    /// The last beats of a data set take Lag cycles, and the next data set needs as many before its first beat is due, so the two never meet.
    BeatReader, BeatReaderSpec, "frit_beat_reader":
    "Says when the memories of a streamed permutation are read: a beat Lag beats behind the one that is written, and the last beats of a data set one after the other behind its end.";
    "State: whether a beat is read, the beats still to read of a data set that is complete and whether there are any, the beats written of the present one and whether they are Lag or more (all reset to 0, the last to Lag = 0).";
    parameters {
        LagBits bits: u32 = 3, "bits of Lag, 1 or more";
        Lag(bits) lag: u64 = 5, "beats by which reading stays behind writing";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In advance_i: Bit, "beats may be read; beats are written in such cycles only";
        In wrote_i: Bit, "a beat is written";
        In ends_i: Bit, "the beat that is written is the last of a data set";
        Out due_o: Bit, "a beat is read, one cycle later";
    }
    with {
        let at_once = Const::local(u64::from(lag == 0), 1, None, "Lag == 0");
    }
    parts {
        lag: Const = Const::parameter(lag, bits, Some("LagBits"));
        lag_before: Const = Const::before(lag, bits, "LagBits", "Lag");
        one: Const = Const::one(bits, "LagBits");
        zero: Const = Const::zero(bits, "LagBits");
        at_once: Const = at_once.clone();
        yes: Const = Const::local(1, 1, None, "1'b1");
        due: BitReg = BitReg::default().purpose("a beat is read");
        more: BitReg = BitReg::default().purpose("left is not 0");
        reached: Reg = Reg::fixed_reset_to(&at_once, "AT_ONCE").purpose("Lag beats or more are written of a data set");
        left: Reg = Reg::zero(bits, "LagBits").purpose("beats still to read of a complete data set");
        seen: Reg = Reg::zero(bits, "LagBits").purpose("beats written of a data set; used until Lag are");
    }
}

impl Logic for BeatReader {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, due, more, reached, left, seen);
        self.due.reset.next = self.rst_i.val();
        self.more.reset.next = self.rst_i.val();
        self.reached.reset.next = self.rst_i.val();
        self.left.reset.next = self.rst_i.val();
        self.seen.reset.next = self.rst_i.val();
        self.due.d.next = false;
        self.more.d.next = self.more.q.val();
        self.reached.d.next = self.reached.q.val();
        self.left.d.next = self.left.q.val();
        self.seen.d.next = self.seen.q.val();
        if self.advance_i.val() {
            self.due.d.next = (self.wrote_i.val() & (self.reached.q.val() == self.yes.val())) | self.more.q.val();
            if self.more.q.val() {
                self.left.d.next = self.left.q.val() - self.one.val();
                self.more.d.next = self.left.q.val() != self.one.val();
            }
        }
        if self.wrote_i.val() {
            self.seen.d.next = self.seen.q.val() + self.one.val();
            if self.seen.q.val() == self.lag_before.val() {
                self.reached.d.next = self.yes.val();
            }
            if self.ends_i.val() {
                self.seen.d.next = self.zero.val();
                self.reached.d.next = self.at_once.val();
                self.left.d.next = self.lag.val();
                self.more.d.next = self.at_once.val() != self.yes.val();
            }
        }
        self.due_o.next = self.due.q.val();
    }
}

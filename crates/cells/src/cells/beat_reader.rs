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
    "State: whether a beat is read, the beats still to read of a data set that is complete, and the beats written of the present one, up to Lag (all reset to 0).";
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
    parts {
        lag: Const = Const::parameter(lag, bits, Some("LagBits"));
        one: Const = Const::one(bits, "LagBits");
        zero: Const = Const::zero(bits, "LagBits");
        reached: Signal<Local, Bit>;
        due: BitReg = BitReg::default().purpose("a beat is read");
        left: Reg = Reg::zero(bits, "LagBits").purpose("beats still to read of a complete data set");
        seen: Reg = Reg::zero(bits, "LagBits").purpose("beats written of a data set, up to Lag");
    }
}

impl Logic for BeatReader {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, due, left, seen);
        self.due.reset.next = self.rst_i.val();
        self.left.reset.next = self.rst_i.val();
        self.seen.reset.next = self.rst_i.val();
        self.reached.next = self.seen.q.val() == self.lag.val();
        self.due.d.next = false;
        self.left.d.next = self.left.q.val();
        self.seen.d.next = self.seen.q.val();
        if self.advance_i.val() {
            self.due.d.next = self.wrote_i.val() & self.reached.val();
            if self.left.q.val() != self.zero.val() {
                self.due.d.next = true;
                self.left.d.next = self.left.q.val() - self.one.val();
            }
            if self.wrote_i.val() {
                if !self.reached.val() {
                    self.seen.d.next = self.seen.q.val() + self.one.val();
                }
                if self.ends_i.val() {
                    self.seen.d.next = self.zero.val();
                    self.left.d.next = self.lag.val();
                }
            }
        }
        self.due_o.next = self.due.q.val();
    }
}

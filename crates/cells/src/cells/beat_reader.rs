use crate::table::*;

cell! {
    /// Says when the memories of a streamed permutation are read: beat h as soon as beat h + Lag of its data set is written, and the
    /// last beats of a data set, for which there is no such beat, one after the other behind its end.
    ///
    /// The last beats of a data set take Lag cycles, and the next data set needs as many before its first beat is due, so the two never meet.
    BeatReader, BeatReaderSpec, "frit_beat_reader":
    "Says when the memories of a streamed permutation are read: a beat Lag beats behind the one that is written, and the last beats of a data set one after the other behind its end.";
    "Both counts run up to 2^(LagBits-1), so that their highest bit says that they are there. State: whether a beat is read (reset to 0), the count of the beats still to read of a complete data set (reset to its end), the count of the beats written of the present one (reset to its start).";
    parameters {
        LagBits bits: u32 = 4, "bits of a count, 2 or more", at_least 2;
        Lag(bits) lag: u64 = 5, "beats by which reading stays behind writing, at most 2^(LagBits-1)";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In advance_i: Bit, "beats may be read; beats are written in such cycles only";
        In wrote_i: Bit, "a beat is written";
        In ends_i: Bit, "the beat that is written is the last of a data set";
        Out due_o: Bit = due.q, "a beat is read, one cycle later";
    }
    with {
        let end = 1u64 << (bits - 1);
        let top = Const::local(end, bits, Some("LagBits"), "{1'b1, {(LagBits-1){1'b0}}}");
        let start = Const::local(end - lag, bits, Some("LagBits"), "{1'b1, {(LagBits-1){1'b0}}} - Lag");
    }
    parts {
        lag: Const = Const::parameter(lag, bits, Some("LagBits"));
        top: Const = top.clone();
        start: Const = start.clone();
        one: Const = Const::one(bits, "LagBits");
        reached: Signal<Local, Bit>;
        more: Signal<Local, Bit>;
        due: BitReg = BitReg::default().purpose("a beat is read");
        left: Reg = Reg::reset_to(&top, "LagBits", "TOP").purpose("counts the beats still to read of a complete data set");
        seen: Reg = Reg::reset_to(&start, "LagBits", "START").purpose("counts the beats written of a data set until they are Lag");
    }
}

impl kernel::Kernel for BeatReader {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The first beat can leave when enough beats have been written; then a beat leaves in every cycle.");
        self.reached.next = (self.seen.q.val() & self.top.val()).any();
        self.more.next = !(self.left.q.val() & self.top.val()).any();
        self.due.d.next = self.advance_i.val() & ((self.wrote_i.val() & self.reached.val()) | self.more.val());
        comment!("The beats that have left since the reset of the count, and the beats that have been written.");
        if self.advance_i.val() & self.more.val() {
            self.left.d.next = self.left.q.val() + self.one.val();
        }
        if self.wrote_i.val() {
            if !self.reached.val() {
                self.seen.d.next = self.seen.q.val() + self.one.val();
            }
            if self.ends_i.val() {
                self.seen.d.next = self.start.val();
                self.left.d.next = self.start.val();
            }
        }
    }
}

use crate::table::*;

cell! {
    /// Which terminals have had their message in this set: a mark for each, looked up a cycle ahead.
    ///
    /// `marked_o` and `unknown_o` speak of the terminal that was `look_i` in the last cycle with `move_i`: it has had its message; it is
    /// beyond `LastTerminal`. `mark_i` marks that terminal, again if it is marked; it is high in the cycle of the next `move_i` if it
    /// was high before. Every terminal is marked before `turn_i` begins the next set: so a mark says in which of two turns it was made, even and odd sets take turns, and
    /// nothing is cleared between them. The last mark of a set may be made in the cycle of `turn_i`; what is looked up in that cycle
    /// belongs to the next set. After reset the marks are written once, in 2^TerminalBits cycles; then `ready_o` is high.
    AxisMarks, AxisMarksSpec, "frit_axis_marks":
    "Marks the terminals whose message of this set has arrived. marked_o and unknown_o report on the terminal that was look_i in the last cycle with move_i, and mark_i marks that terminal. turn_i begins the next set.";
    "Every terminal is marked before turn_i. A mark says whether it was made in an even or an odd set, so marks need not be cleared between sets. turn_i comes with move_i only; mark_i may come before move_i, and stays until then. After reset all marks are written once, in 2^TerminalBits cycles. State: the marks (a memory, not reset), whether the set is odd, the terminal looked up and whether it exists, whether it was marked in the cycle in which it was looked up, and whether turn_i came with that mark.";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a terminal's number, 2 or more", at_least 2;
        LastTerminal(bits) last: u64 = 5, "number of the last terminal";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In move_i: Bit, "looks look_i up; otherwise the outputs stay";
        In look_i: Bus(bits, "TerminalBits"), "terminal to look up";
        In mark_i: Bit, "marks the terminal that was looked up";
        In turn_i: Bit, "the next set begins; look_i of this cycle belongs to it";
        Out marked_o: Bit, "the terminal that was looked up is marked; any value if there is no such terminal";
        Out unknown_o: Bit = unknown.q, "the terminal that was looked up is greater than LastTerminal";
        Out ready_o: Bit = ready.q, "the marks have been written after reset";
    }
    parts {
        last_terminal: Const = Const::parameter(last, bits, Some("TerminalBits"));
        next_terminal: Const = Const::one(bits, "TerminalBits");
        no_terminal: Const = Const::zero(bits, "TerminalBits");
        off: Const = Const::local(0, 1, None, "1'd0");
        on: Const = Const::local(1, 1, None, "1'd1");
        mark: Bus<Local> = Bus::new(1);
        limit: Bus<Local> = Bus::named(bits, "TerminalBits");
        following: Bus<Local> = Bus::named(bits, "TerminalBits");
        ready: BitReg;
        odd_turn: BitReg = BitReg::default().purpose("the set is odd");
        fresh: BitReg = BitReg::default().purpose("the terminal was marked in the cycle in which it was looked up");
        turned: BitReg = BitReg::default().purpose("a set ended with that cycle");
        unknown: BitReg = BitReg::default().purpose("no such terminal");
        at: Reg = Reg::zero(bits, "TerminalBits").purpose("the terminal whose mark is written after reset");
        looked: DataReg = DataReg::new(bits, "TerminalBits").purpose("the terminal that was looked up");
        marks: HeldMemory = HeldMemory::fixed(1, bits, "TerminalBits");
    }
}

impl kernel::Kernel for AxisMarks {
    #[hdl_gen]
    fn update(&mut self) {
        self.odd_turn.d.next = self.odd_turn.q.val() ^ self.turn_i.val();
        comment!("A mark of this set.");
        self.mark.next = self.off.val();
        if self.odd_turn.q.val() {
            self.mark.next = self.on.val();
        }
        comment!("Not compared with the constant itself: linters call that constant where every number is a terminal.");
        self.limit.next = self.last_terminal.val();
        comment!("The terminal that is looked up.");
        self.marks.read.next = self.move_i.val();
        self.marks.read_address.next = self.look_i.val();
        if self.move_i.val() {
            self.fresh.d.next = self.mark_i.val() & (self.look_i.val() == self.looked.q.val());
            self.turned.d.next = self.turn_i.val();
            self.unknown.d.next = self.look_i.val() > self.limit.val();
            self.looked.d.next = self.look_i.val();
        }
        comment!("A mark written in the cycle in which it was looked up was not seen: what was read may be anything. It counts unless its set ended with that cycle.");
        self.marked_o.next = self.marks.q.val() == self.mark.val();
        if self.fresh.q.val() {
            self.marked_o.next = !self.turned.q.val();
        }

        comment!("The mark is written; after a reset all marks are, as those of the set before.");
        self.marks.write.next = self.mark_i.val();
        self.marks.write_address.next = self.looked.q.val();
        self.marks.d.next = self.mark.val();
        self.following.next = self.at.q.val() + self.next_terminal.val();
        if !self.ready.q.val() {
            self.marks.write.next = true;
            self.marks.write_address.next = self.at.q.val();
            self.marks.d.next = self.on.val();
            self.at.d.next = self.following.val();
            if self.following.val() == self.no_terminal.val() {
                self.ready.d.next = true;
            }
        }
    }
}

use crate::table::*;

cell! {
    /// Reads the entries of a program ahead of the network: one in the output of the memories, one that is next, one that runs.
    ///
    /// The output of a memory is slow, so the next entry stands in registers, from which its run length is counted. The memories also say whether
    /// the run length is 1 or 2, because comparing it here would take too long. Entries of one round follow each other without a gap. What makes an
    /// entry run enables many registers, so it is known a cycle before.
    ScheduleFetch, ScheduleFetchSpec, "frit_schedule_fetch":
    "Reads the entries of a loaded program and says when each of them sets the network: one entry is in the output of the memories, one is next, one runs.";
    "A program can be started as soon as the last entry of the one before it was read, so that their rounds follow each other. State: the bank and the entry to read, the last entry, whether entries are left to read, whether an entry is in the output of the memories, next and running, and whether each is the last of its program, the rounds left of the running one and whether there are only one or two, whether the next one begins to run, the error (all reset to 0).";
    parameters {
        EntryBits entry_bits: u32 = 4, "bits of the number of an entry, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In start_i: Bit, "starts the loaded program";
        In full_i: Bit, "a program is loaded";
        In bank_i: Bit, "bank of the loaded program";
        In last_i: Bus(entry_bits, "EntryBits"), "number of the last entry of the loaded program";
        In run_i: Bus(16), "run length of the next entry";
        In once_i: Bit, "run_i is 1";
        In twice_i: Bit, "run_i is 2";
        Out ready_o: Bit = ready, "a start is taken";
        Out take_o: Bit = take, "the loaded program is taken, same cycle as start_i";
        Out read_o: Bit = reads, "the memories are read";
        Out bank_o: Bit = odd.q, "bank to read";
        Out entry_o: Bus(entry_bits, "EntryBits") = entry.q, "entry to read";
        Out move_o: Bit = moves, "the entry in the output of the memories becomes the next one";
        Out step_o: Bit = steps.q, "the next entry becomes the running one";
        Out round_o: Bit = running.q, "a round: an entry runs";
        Out ends_o: Bit, "the round is the last of its program";
        Out error_o: Bit = late.q, "error: start_i was high while ready_o was low; stays until reset";
    }
    parts {
        entry_one: Const = Const::one(entry_bits, "EntryBits");
        entry_zero: Const = Const::zero(entry_bits, "EntryBits");
        one: Const = Const::local(1, 16, None, "16'd1");
        three: Const = Const::local(3, 16, None, "16'd3");
        ready: Signal<Local, Bit>;
        take: Signal<Local, Bit>;
        free: Signal<Local, Bit>;
        reads: Signal<Local, Bit>;
        moves: Signal<Local, Bit>;
        follows: Signal<Local, Bit>;
        runs: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        at_last: Signal<Local, Bit>;
        reading: BitReg = BitReg::default().purpose("entries are left to read");
        fetched: BitReg = BitReg::default().purpose("an entry is in the output of the memories");
        fetched_last: BitReg = BitReg::default().purpose("it is the last of its program");
        ahead: BitReg = BitReg::default().purpose("there is a next entry");
        ahead_last: BitReg = BitReg::default().purpose("it is the last of its program");
        running: BitReg = BitReg::default().purpose("an entry runs");
        running_last: BitReg = BitReg::default().purpose("it is the last of its program");
        only: BitReg = BitReg::default().purpose("one round is left of the running entry");
        both: BitReg = BitReg::default().purpose("two rounds are left of it");
        steps: BitReg = BitReg::default().purpose("the next entry begins to run");
        late: BitReg = BitReg::default().purpose("a start came too early");
        odd: BitReg = BitReg::default().purpose("bank to read");
        left: Reg = Reg::fixed(16).purpose("rounds left of the running entry");
        entry: Reg = Reg::zero(entry_bits, "EntryBits").purpose("entry to read");
        last: Reg = Reg::zero(entry_bits, "EntryBits").purpose("last entry of the program");
    }
}

impl kernel::Kernel for ScheduleFetch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A start takes the bank that is full. A start without one is late.");
        self.ready.next = self.full_i.val() & !self.reading.q.val();
        self.take.next = self.start_i.val() & self.ready.val();
        self.late.d.next = self.late.q.val() | (self.start_i.val() & !self.ready.val());
        comment!("Three entries are under way: one is read, one waits, one runs. Each moves on when the next place is free.");
        self.free.next = !self.ahead.q.val() | self.steps.q.val();
        self.moves.next = self.fetched.q.val() & self.free.val();
        self.reads.next = self.reading.q.val() & (!self.fetched.q.val() | self.free.val());
        self.at_last.next = self.entry.q.val() == self.last.q.val();

        comment!("The entries of the bank are read one after the other, up to the last.");
        self.reading.d.next = self.take.val() | (self.reading.q.val() & !(self.reads.val() & self.at_last.val()));
        if self.take.val() {
            self.odd.d.next = self.bank_i.val();
            self.entry.d.next = self.entry_zero.val();
            self.last.d.next = self.last_i.val();
        }
        self.fetched.d.next = self.reads.val() | (self.fetched.q.val() & !self.moves.val());
        if self.reads.val() {
            self.entry.d.next = self.entry.q.val() + self.entry_one.val();
            self.fetched_last.d.next = self.at_last.val();
        }
        comment!("The entry that waits.");
        self.follows.next = self.moves.val() | (self.ahead.q.val() & !self.steps.q.val());
        self.ahead.d.next = self.follows.val();
        if self.moves.val() {
            self.ahead_last.d.next = self.fetched_last.q.val();
        }
        comment!("The entry that runs, and how many of its rounds are left.");
        self.runs.next = self.steps.q.val() | (self.running.q.val() & !self.only.q.val());
        self.ends.next = (self.steps.q.val() & self.once_i.val()) | (!self.steps.q.val() & self.both.q.val());
        self.running.d.next = self.runs.val();
        self.only.d.next = self.ends.val();
        self.steps.d.next = self.follows.val() & (!self.runs.val() | self.ends.val());
        self.left.d.next = self.left.q.val() - self.one.val();
        self.both.d.next = self.left.q.val() == self.three.val();
        if self.steps.q.val() {
            self.running_last.d.next = self.ahead_last.q.val();
            self.left.d.next = self.run_i.val();
            self.both.d.next = self.twice_i.val();
        }
        comment!("The last round of a program is the last one of its last entry.");
        self.ends_o.next = self.running.q.val() & self.running_last.q.val() & self.only.q.val();
    }
}

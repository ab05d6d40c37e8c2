use crate::table::*;

cell! {
    /// Takes programs from a stream into the bank that does not run.
    ///
    /// A program is the number of its entries and then Beats words for each. What is wrong with one is known from the count, from the place
    /// of `tlast_i` and from the run length in the first word of an entry; such a program is never `full_o`.
    ScheduleLoader, ScheduleLoaderSpec, "frit_schedule_loader":
    "Takes a program from an AXI4-Stream into the bank of the memories that does not run: first the number of entries, 1 to 2^EntryBits, then Beats words for each entry.";
    "error_o rises, and stays until reset, if the number of entries is not possible, if tlast_i is not at the last word, or if an entry has the run length 0; the rest of such a program is dropped up to tlast_i, and the next one is loaded in its place. State: which bank, whether a program is being loaded, dropped or complete, the word of an entry as one bit, the entry, the last entry, the entries between both and whether the last one is reached, the error (all reset to 0, the word to the first).";
    parameters {
        Beats beats: u32 = 2, "words of an entry, 1 to 64";
        EntryBits entry_bits: u32 = 4, "bits of the number of an entry, 1 to 31";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In tvalid_i: Bit, "a word is offered";
        In count_i: Bus(entry_bits, "EntryBits"), "lowest EntryBits bits of the word";
        In fits_i: Bit, "the word is possible as a number of entries: 1 to 2^EntryBits";
        In run_i: Bit, "the lowest 16 bits of the word, which are a run length, are not 0";
        In tlast_i: Bit, "the word is the last of its program";
        In take_i: Bit, "the complete program is taken; the next one goes into the other bank";
        Out tready_o: Bit, "the word is taken; comes from a register";
        Out write_o: Bus(beats, "Beats"), "writes: a bit for each word of an entry, same cycle; until the bank is full, also in cycles without a word";
        Out bank_o: Bit = odd.q, "bank that is loaded";
        Out entry_o: Bus(entry_bits, "EntryBits") = entry.q, "entry that is loaded";
        Out full_o: Bit = full.q, "the bank holds a complete program";
        Out last_o: Bus(entry_bits, "EntryBits") = last.q, "number of the last entry of the program";
        Out error_o: Bit = wrong.q, "error: a program of a wrong length, or an entry with run length 0";
    }
    with {
        let one = Const::one(beats, "Beats");
    }
    parts {
        entry_one: Const = Const::one(entry_bits, "EntryBits");
        entry_zero: Const = Const::zero(entry_bits, "EntryBits");
        one: Const = one.clone();
        top: Const = Const::local(1 << (beats - 1), beats, Some("Beats"), "1 << (Beats - 1)");
        none: Const = Const::zero(beats, "Beats");
        taken: Signal<Local, Bit>;
        ends: Signal<Local, Bit>;
        empty: Signal<Local, Bit>;
        loading: BitReg = BitReg::default().purpose("the first word of a program was taken");
        dropping: BitReg = BitReg::default().purpose("the rest of a program with an error is dropped");
        full: BitReg = BitReg::default().purpose("the bank holds a complete program");
        odd: BitReg = BitReg::default().purpose("which bank is loaded");
        at_last: BitReg = BitReg::default().purpose("the last entry of the program comes next");
        wrong: BitReg = BitReg::default().purpose("a program had an error");
        beat: Reg = Reg::reset_to(&one, "Beats", "ONE").purpose("which word of an entry comes next");
        entry: Reg = Reg::zero(entry_bits, "EntryBits").purpose("which entry comes next");
        last: Reg = Reg::zero(entry_bits, "EntryBits").purpose("last entry of the program");
        rest: Reg = Reg::zero(entry_bits, "EntryBits").purpose("entries behind the one that comes next");
    }
}

impl kernel::Kernel for ScheduleLoader {
    #[hdl_gen]
    fn update(&mut self) {
        self.taken.next = self.tvalid_i.val() & !self.full.q.val();
        comment!("An entry has one beat for each piece; the first piece has the run length.");
        self.ends.next = (self.beat.q.val() & self.top.val()).any() & self.at_last.q.val();
        self.empty.next = (self.beat.q.val() & self.one.val()).any() & !self.run_i.val();
        comment!("A beat is a piece of an entry, the head of a program, or a beat of a program that is dropped.");
        if self.taken.val() {
            if self.loading.q.val() {
                self.beat.d.next = self.beat.q.val() << self.one.val();
                if (self.beat.q.val() & self.top.val()).any() {
                    self.beat.d.next = self.one.val();
                    self.entry.d.next = self.entry.q.val() + self.entry_one.val();
                    self.rest.d.next = self.rest.q.val() - self.entry_one.val();
                    self.at_last.d.next = self.rest.q.val() == self.entry_one.val();
                }
                if self.empty.val() | (self.tlast_i.val() ^ self.ends.val()) {
                    self.wrong.d.next = true;
                    self.loading.d.next = false;
                    self.dropping.d.next = !self.tlast_i.val();
                } else {
                    if self.ends.val() {
                        self.loading.d.next = false;
                        self.full.d.next = true;
                    }
                }
            } else {
                self.beat.d.next = self.one.val();
                self.entry.d.next = self.entry_zero.val();
                self.last.d.next = self.count_i.val() - self.entry_one.val();
                self.rest.d.next = self.count_i.val() - self.entry_one.val();
                self.at_last.d.next = self.count_i.val() == self.entry_one.val();
                self.dropping.d.next = !self.tlast_i.val();
                if !self.dropping.q.val() {
                    self.loading.d.next = self.fits_i.val() & !self.tlast_i.val();
                    self.dropping.d.next = !self.fits_i.val() & !self.tlast_i.val();
                    self.wrong.d.next = self.wrong.q.val() | self.tlast_i.val() | !self.fits_i.val();
                }
            }
        }
        comment!("The place that comes next is written in each cycle. What is there when the word comes overwrites it, so the write enable depends on one register.");
        self.write_o.next = self.none.val();
        if !self.full.q.val() {
            self.write_o.next = self.beat.q.val();
        }
        comment!("The bank that was full runs; the other one is loaded next.");
        if self.take_i.val() {
            self.full.d.next = false;
            self.odd.d.next = !self.odd.q.val();
        }
        comment!("A bank that is full takes nothing until it runs.");
        self.tready_o.next = !self.full.q.val();
    }
}

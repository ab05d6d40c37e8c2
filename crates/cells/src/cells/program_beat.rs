use crate::table::*;

cell! {
    /// A register between the stream of programs and the loader, so that what is asked of a whole word of 32 bits is known at the
    /// beginning of the cycle in which the loader takes it.
    ProgramBeat, ProgramBeatSpec, "frit_program_beat":
    "Takes the words of a program from an AXI4-Stream, and says in the next cycle what the loader must know of a word.";
    "No word is taken in the cycle behind the last word of a program, in which the loader may find it complete. State: whether a word was taken in the last cycle, and what is known of it (reset to 0).";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In tvalid_i: Bit, "a word is offered";
        In some_i: Bit, "one of the lowest EntryBits bits is 1";
        In most_i: Bit, "the next higher bit";
        In above_i: Bit, "one of the bits above is 1";
        In one_i: Bit, "its lowest bit";
        In two_i: Bit, "the bit above";
        In more_i: Bit, "one of the 14 bits above is 1";
        In tlast_i: Bit, "it is the last of its program";
        In full_i: Bit, "the loader holds a complete program";
        Out tready_o: Bit = ready, "the word is taken; follows registers only";
        Out valid_o: Bit = taken.q, "a word was taken in the last cycle";
        Out fits_o: Bit = fits.q, "as a number of entries it is possible: 1 to 2^EntryBits";
        Out run_o: Bit = run.q, "the lowest 16 bits of that word, a run length, are not 0";
        Out once_o: Bit = once.q, "they are 1";
        Out twice_o: Bit = twice.q, "they are 2";
        Out last_o: Bit = last.q, "tlast_i of that word";
    }
    parts {
        ready: Signal<Local, Bit>;
        taken: BitReg = BitReg::default().purpose("a word was taken in the last cycle");
        fits: BitReg;
        run: BitReg;
        once: BitReg;
        twice: BitReg;
        last: BitReg;
    }
}

impl kernel::Kernel for ProgramBeat {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A beat is taken while the loader has room, and none behind the last one of a program before it is done.");
        self.ready.next = !self.full_i.val() & !(self.taken.q.val() & self.last.q.val());
        comment!("What the loader asks of the run length, a cycle ahead.");
        self.taken.d.next = self.tvalid_i.val() & self.ready.val();
        self.fits.d.next = !self.above_i.val() & (self.most_i.val() ^ self.some_i.val());
        self.run.d.next = self.one_i.val() | self.two_i.val() | self.more_i.val();
        self.once.d.next = self.one_i.val() & !self.two_i.val() & !self.more_i.val();
        self.twice.d.next = !self.one_i.val() & self.two_i.val() & !self.more_i.val();
        self.last.d.next = self.tlast_i.val();
    }
}

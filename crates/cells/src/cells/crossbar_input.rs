use crate::table::*;

cell! {
    /// An input of a crossbar: it is open while it leads to an output that wants it, and takes words while that output has room.
    CrossbarInput, CrossbarInputSpec, "frit_crossbar_input":
    "Input of a crossbar. After a commit it hears from the output to which it leads whether that output is on and the number of the source that it wants. If that is its own number, the input is open, and takes words while the output has room.";
    "What it hears is compared with registers that hold the own bit. State: the step that is heard and the own bit in it, whether the input is open, whether the output is on, whether the bits so far fit, an error (all reset to 0).";
    parameters {
        Steps steps: u32 = 4, "bits that are heard after a commit: whether the output is on, and the number of its source";
        Number(steps) number: u64 = 11, "those bits for this input: 2 times its number, and 1";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In close_i: Bit, "a commit begins: the input takes no word from the next cycle on";
        In check_i: Bus(steps, "Steps"), "which bit is heard in the next cycle, as one bit; 0: none";
        In back_i: Bit, "what the output says";
        In tvalid_i: Bit, "a word is offered";
        Out tready_o: Bit, "a word is taken; comes from registers";
        Out valid_o: Bit, "the word goes into the network, same cycle";
        Out open_o: Bit = open.q, "the input is open";
        Out wrong_o: Bit = wrong.q, "error: the output wants another input; high for one cycle";
    }
    with {
        let one = Const::one(steps, "Steps");
    }
    parts {
        number: Const = Const::parameter(number, steps, Some("Steps"));
        first: Const = one.clone();
        top: Const = Const::local(1 << (steps - 1), steps, Some("Steps"), "1 << (Steps - 1)");
        same: Signal<Local, Bit>;
        mine: Signal<Local, Bit>;
        ready: Signal<Local, Bit>;
        hears: BitReg = BitReg::default().purpose("a bit is heard");
        begins: BitReg = BitReg::default().purpose("it is the first one");
        ends: BitReg = BitReg::default().purpose("it is the last one");
        expects: BitReg = BitReg::default().purpose("the own bit");
        open: BitReg = BitReg::default().purpose("the output wants this input");
        on: BitReg = BitReg::default().purpose("the output is on");
        fits: BitReg = BitReg::default().purpose("the bits so far are those of this input");
        wrong: BitReg = BitReg::default().purpose("the output wants another input");
    }
}

impl kernel::Kernel for CrossbarInput {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The bit of the next cycle, and the own one.");
        self.hears.d.next = self.check_i.val().any();
        self.begins.d.next = (self.check_i.val() & self.first.val()).any();
        self.ends.d.next = (self.check_i.val() & self.top.val()).any();
        self.expects.d.next = (self.check_i.val() & self.number.val()).any();
        self.wrong.d.next = false;
        comment!("The bit that is heard, and the own one. The first says whether the output is on, and nothing has been heard before it.");
        self.same.next = !(self.back_i.val() ^ self.expects.q.val());
        self.mine.next = self.same.val() & self.fits.q.val();
        if self.hears.q.val() {
            self.fits.d.next = self.mine.val();
        }
        if self.begins.q.val() {
            self.on.d.next = self.back_i.val();
            self.fits.d.next = self.back_i.val();
        }
        comment!("After the last bit: if all bits fit, the input is open. If not, and the output is on, the settings lead it to an input that it does not want.");
        if self.ends.q.val() {
            self.open.d.next = self.mine.val();
            self.wrong.d.next = self.on.q.val() & !self.mine.val();
        }
        comment!("A commit begins. Words that are in the network arrive, since their outputs had room for them.");
        if self.close_i.val() {
            self.open.d.next = false;
        }
        comment!("A word is taken if the output had room when it spoke; the input does not wait for tvalid_i.");
        self.ready.next = self.open.q.val() & self.back_i.val();
        self.tready_o.next = self.ready.val();
        self.valid_o.next = self.ready.val() & self.tvalid_i.val();
    }
}

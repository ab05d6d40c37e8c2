use crate::table::*;

cell! {
    /// A number of a window, which grows by `Step` from round to round and is folded back into the window.
    WindowCounter, WindowCounterSpec, "frit_window_counter":
    "Adds Step each round and folds the sum back into a window of Modulus numbers up to Last. It makes a label, a destination or a source of algorithm=latin.";
    "One adder adds Step, or Step - Modulus where the sum would be greater than Last. The window need not begin at 0. If Step is coprime to Modulus, the count is at Start again after Modulus rounds. State: the number (reset to Start).";
    parameters {
        CountBits bits: u32 = 3, "bits of the number, 1 or more";
        Start(bits) start: u64 = 6, "number in round 0, inside the window";
        Step(bits) step: u64 = 1, "added each round, less than Modulus";
        Last(bits) last: u64 = 6, "greatest number of the window, at least Modulus - 1";
        Modulus(bits) modulus: u64 = 6, "how many numbers the window has, less than 2^CountBits";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset to round 0";
        In advance_i: Bit, "moves to the next round";
        Out count_o: Bus(bits, "CountBits") = count.q, "number of the round";
    }
    with {
        let parameter = |value| Const::parameter(value, bits, Some("CountBits"));
        let local = |value: u64, text| {
            Const::local(value & (u64::MAX >> (64 - bits)), bits, Some("CountBits"), text)
        };
        let start = parameter(start);
    }
    parts {
        start: Const = start.clone();
        step: Const = parameter(step);
        last: Const = parameter(last);
        modulus: Const = parameter(modulus);
        fold: Const = local(step.wrapping_sub(modulus), "Step - Modulus");
        limit: Const = local(last.wrapping_sub(step), "Last - Step");
        grown: Bus<Local> = Bus::named(bits, "CountBits").purpose("the amount to add");
        count: Reg = Reg::reset_to(&start, "CountBits", "Start");
    }
}

impl kernel::Kernel for WindowCounter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A step that would leave the window is folded back into it.");
        self.grown.next = self.step.val();
        if self.count.q.val() > self.limit.val() {
            self.grown.next = self.fold.val();
        }
        if self.advance_i.val() {
            self.count.d.next = self.count.q.val() + self.grown.val();
        }
    }
}

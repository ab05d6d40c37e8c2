use crate::table::*;

cell! {
    /// A reset that comes and goes at any time becomes one that comes and goes with the clock.
    ResetSync, ResetSyncSpec, "frit_reset_sync":
    "Synchronises a reset: arst_i may rise and fall at any time, and rst_o changes only with the clock.";
    "Two registers are set asynchronously, so that even a pulse shorter than a cycle has an effect. Two more registers without reset follow them, so that rst_o changes only with the clock. rst_o rises 2 cycles after arst_i, lasts 2 cycles or more, and falls 4 cycles after arst_i. The clock must run. State: these 4 bits.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In arst_i: Bit, "reset, at any time";
        Out rst_o: Bit = settled.q, "reset, synchronous to the clock";
    }
    parts {
        caught: PresetReg = PresetReg::new("set at once, cleared at the first clock edge");
        held: PresetReg = PresetReg::new("set at once, cleared at the second clock edge");
        settling: FreeReg = FreeReg::new("may be metastable for part of a cycle");
        settled: FreeReg = FreeReg::new("changes only with the clock");
    }
}

impl kernel::Kernel for ResetSync {
    #[hdl_gen]
    fn update(&mut self) {
        self.caught.reset.next = self.arst_i.val();
        self.held.reset.next = self.arst_i.val();
        self.caught.d.next = false;
        self.held.d.next = self.caught.q.val();
        self.settling.d.next = self.held.q.val();
        self.settled.d.next = self.settling.q.val();
    }
}

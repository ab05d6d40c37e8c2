use crate::atoms::{FreeReg, PresetReg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// A reset that comes and goes at any time becomes one that comes and goes with the clock.
    ResetSync, ResetSyncSpec, "frit_reset_sync":
    "Makes of a reset that comes and goes at any time one that comes and goes with the clock, for registers with a synchronous reset.";
    "Two registers are set at once, so that a pulse shorter than a cycle is not missed; two more without reset stand behind them, so that rst_o changes with the clock only. rst_o comes 2 cycles after arst_i and lasts 2 cycles or more; it goes 4 cycles after arst_i. The clock must run. State: these 4 bits.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In arst_i: Bit, "reset, at any time";
        Out rst_o: Bit, "reset, with the clock";
    }
    parts {
        caught: PresetReg = PresetReg::new("set at once, goes with the first clock");
        held: PresetReg = PresetReg::new("set at once, goes with the second");
        settling: FreeReg = FreeReg::new("may be undecided for a part of a cycle");
        settled: FreeReg = FreeReg::new("changes with the clock");
    }
}

impl Logic for ResetSync {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, caught, held, settling, settled);
        self.caught.reset.next = self.arst_i.val();
        self.held.reset.next = self.arst_i.val();
        self.caught.d.next = false;
        self.held.d.next = self.caught.q.val();
        self.settling.d.next = self.held.q.val();
        self.settled.d.next = self.settling.q.val();
        self.rst_o.next = self.settled.q.val();
    }
}

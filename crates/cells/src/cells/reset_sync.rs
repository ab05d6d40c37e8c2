use crate::atoms::{FreeReg, PresetReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`ResetSync`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResetSyncSpec;

impl Describe for ResetSyncSpec {
    fn module(&self) -> String {
        "frit_reset_sync".into()
    }
    fn title(&self) -> &'static str {
        "frit_reset_sync"
    }
    fn summary(&self) -> &'static str {
        "Makes of a reset that comes and goes at any time one that comes and goes with the clock, for registers with a synchronous reset."
    }
    fn details(&self) -> &'static str {
        "Two registers are set at once, so that a pulse shorter than a cycle is not missed; two more without reset stand behind them, so that rst_o changes with the clock only. rst_o comes 2 cycles after arst_i and lasts 2 cycles or more; it goes 4 cycles after arst_i. The clock must run. State: these 4 bits."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(ResetSync::default())
    }
    fn example() -> Self {
        ResetSyncSpec
    }
}

/// A reset that comes and goes at any time becomes one that comes and goes with the clock.
#[derive(LogicBlock)]
pub struct ResetSync {
    clk_i: Signal<In, Clock>,
    arst_i: Signal<In, Bit>,
    rst_o: Signal<Out, Bit>,
    caught: PresetReg,
    held: PresetReg,
    settling: FreeReg,
    settled: FreeReg,
}

impl Default for ResetSync {
    fn default() -> Self {
        ResetSync {
            clk_i: Default::default(),
            arst_i: Default::default(),
            rst_o: Default::default(),
            caught: PresetReg::new("set at once, goes with the first clock"),
            held: PresetReg::new("set at once, goes with the second"),
            settling: FreeReg::new("may be undecided for a part of a cycle"),
            settled: FreeReg::new("changes with the clock"),
        }
    }
}

cell_ports!(ResetSync:
    In clk_i "clock, rising edge",
    In arst_i "reset, at any time",
    Out rst_o "reset, with the clock",
);

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

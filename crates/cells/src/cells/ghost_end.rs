use crate::atoms::{Bus, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`GhostEnd`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GhostEndSpec {
    /// Bits of a count of buffers.
    pub bits: u32,
}

impl Describe for GhostEndSpec {
    fn module(&self) -> String {
        "frit_ghost_end".into()
    }
    fn title(&self) -> &'static str {
        "frit_ghost_end"
    }
    fn summary(&self) -> &'static str {
        "The end of the ghosts of a side, e: m + g' + g'' since it was last settled."
    }
    fn details(&self) -> &'static str {
        "Ghosts are the buffers from m to e. State: e (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", self.bits, "bits of a count of buffers, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(GhostEnd::new(self.bits as usize))
    }
    fn example() -> Self {
        GhostEndSpec { bits: 4 }
    }
}

/// Where the ghosts of a side end: buffers from there on are empty.
#[derive(LogicBlock)]
pub struct GhostEnd {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    settle_i: Signal<In, Bit>,
    fill_i: Bus<In>,
    kept_i: Bus<In>,
    end_o: Bus<Out>,
    ghosts_end: Reg,
}

impl GhostEnd {
    /// Counts of `bits` bits.
    pub fn new(bits: usize) -> Self {
        GhostEnd {
            clk_i: Default::default(),
            rst_i: Default::default(),
            settle_i: Default::default(),
            fill_i: Bus::named(bits, "CountBits"),
            kept_i: Bus::named(bits, "CountBits"),
            end_o: Bus::named(bits, "CountBits"),
            ghosts_end: Reg::zero(bits, "CountBits").purpose("e"),
        }
    }
}

cell_ports!(GhostEnd:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no ghosts",
    In settle_i "ghosts are made or deleted until there are kept_i",
    In fill_i "m",
    In kept_i "ghosts that are needed, g' + g''",
    Out end_o "e",
);

impl Logic for GhostEnd {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, ghosts_end);
        self.ghosts_end.reset.next = self.rst_i.val();
        self.ghosts_end.d.next = self.ghosts_end.q.val();
        if self.settle_i.val() {
            self.ghosts_end.d.next = self.fill_i.val() + self.kept_i.val();
        }
        self.end_o.next = self.ghosts_end.q.val();
    }
}

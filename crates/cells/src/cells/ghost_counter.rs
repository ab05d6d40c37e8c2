use crate::atoms::{Bus, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`GhostCounter`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GhostCounterSpec {
    /// Bits of a count of buffers.
    pub bits: u32,
}

impl Describe for GhostCounterSpec {
    fn module(&self) -> String {
        "frit_ghost_counter".into()
    }
    fn title(&self) -> &'static str {
        "frit_ghost_counter"
    }
    fn summary(&self) -> &'static str {
        "Counts the ghosts that an output needs: g', the sum of the different sizes that stand, and g'', what the committed inputs report."
    }
    fn details(&self) -> &'static str {
        "Different powers of two: their sum is the word with their bits. State: g' and g'' (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", self.bits, "bits of a count of buffers"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(GhostCounter::new(self.bits as usize))
    }
    fn example() -> Self {
        GhostCounterSpec { bits: 4 }
    }
}

/// How many ghosts an output needs on either side: g' for inputs that are not committed, g'' for those that are.
#[derive(LogicBlock)]
pub struct GhostCounter {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    weigh_i: Signal<In, Bit>,
    sizes_i: Bus<In>,
    count_i: Signal<In, Bit>,
    sum_i: Bus<In>,
    asked_o: Bus<Out>,
    told_o: Bus<Out>,
    asked: Reg,
    told: Reg,
}

impl GhostCounter {
    /// For counts of `bits` bits.
    pub fn new(bits: usize) -> Self {
        GhostCounter {
            clk_i: Default::default(),
            rst_i: Default::default(),
            weigh_i: Default::default(),
            sizes_i: Bus::named(bits, "CountBits"),
            count_i: Default::default(),
            sum_i: Bus::named(bits, "CountBits"),
            asked_o: Bus::named(bits, "CountBits"),
            told_o: Bus::named(bits, "CountBits"),
            asked: Reg::zero(bits, "CountBits").purpose("g'"),
            told: Reg::zero(bits, "CountBits").purpose("g''"),
        }
    }
}

cell_ports!(GhostCounter:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no ghosts",
    In weigh_i "set g'",
    In sizes_i "the sizes that stand, in their places",
    In count_i "set g''",
    In sum_i "the sum of the reports",
    Out asked_o "g'",
    Out told_o "g''",
);

impl Logic for GhostCounter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, asked, told);
        self.asked.reset.next = self.rst_i.val();
        self.told.reset.next = self.rst_i.val();
        self.asked.d.next = self.asked.q.val();
        self.told.d.next = self.told.q.val();
        if self.weigh_i.val() {
            self.asked.d.next = self.sizes_i.val();
        }
        if self.count_i.val() {
            self.told.d.next = self.sum_i.val();
        }
        self.asked_o.next = self.asked.q.val();
        self.told_o.next = self.told.q.val();
    }
}

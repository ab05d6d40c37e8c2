use crate::atoms::{Bus, DataReg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The driver of the routers of one level: a copy of the control bit in a register of its own, where one register
/// cannot drive all routers. It takes the bit of the next cycle, so that every level has it in the right one.
#[derive(LogicBlock)]
pub struct LevelDriver {
    clk_i: Signal<In, Clock>,
    ahead_i: Bus<In>,
    control_o: Bus<Out>,
    control: DataReg,
}

impl LevelDriver {
    /// A driver for `bits` equal lines: a level may be divided once more.
    pub fn new(bits: usize) -> Self {
        LevelDriver {
            clk_i: Default::default(),
            ahead_i: Bus::named(bits, "K"),
            control_o: Bus::named(bits, "K"),
            control: DataReg::new(bits, "K"),
        }
    }
}

cell_ports!(LevelDriver: In clk_i, In ahead_i, Out control_o);

impl Logic for LevelDriver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, control);
        self.control.d.next = self.ahead_i.val();
        self.control_o.next = self.control.q.val();
    }
}

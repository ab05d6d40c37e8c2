use crate::atoms::{Bus, DataReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`LevelDriver`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelDriverSpec {
    /// Lines.
    pub bits: u32,
}

impl Describe for LevelDriverSpec {
    fn module(&self) -> String {
        "frit_level_driver".into()
    }
    fn title(&self) -> &'static str {
        "frit_level_driver"
    }
    fn summary(&self) -> &'static str {
        "Driver of the routers of one level: the control bit of the next cycle, in a register of its own."
    }
    fn details(&self) -> &'static str {
        "For where one register cannot drive all routers. Latency 1 cycle. State: the lines, without reset (they follow the controller, which has one). Synthesis keeps it ((* keep *), Yosys) although the drivers of other levels hold the same bit."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Lines", self.bits, "equal lines, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(LevelDriver::new(self.bits as usize))
    }
    fn example() -> Self {
        LevelDriverSpec { bits: 1 }
    }
    fn kept(&self) -> bool {
        true
    }
}

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
            ahead_i: Bus::named(bits, "Lines"),
            control_o: Bus::named(bits, "Lines"),
            control: DataReg::new(bits, "Lines"),
        }
    }
}

cell_ports!(LevelDriver:
    In clk_i "clock, rising edge",
    In ahead_i "control bit of the next cycle",
    Out control_o "control bit of this cycle",
);

impl Logic for LevelDriver {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, control);
        self.control.d.next = self.ahead_i.val();
        self.control_o.next = self.control.q.val();
    }
}

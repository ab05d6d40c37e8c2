use crate::table::*;

cell! {
    /// The driver of the routers of one level: a copy of the control bit in a register of its own, where one register
    /// cannot drive all routers. It takes the bit of the next cycle, so that every level has it in the right one.
    LevelDriver, LevelDriverSpec, "frit_level_driver":
    "Driver of the routers of one level: stores the control bit of the next cycle in a register of its own.";
    "It is for networks where one register cannot drive all routers. Latency 1 cycle. State: the lines, without reset: they follow the controller, which has a reset. Synthesis keeps the register ((* keep *), Yosys) although the drivers of other levels hold the same bit.";
    parameters {
        Lines bits: u32 = 1, "number of equal lines, 1 or more";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In ahead_i: Bus(bits, "Lines"), "control bit of the next cycle";
        Out control_o: Bus(bits, "Lines") = control.q, "control bit of this cycle";
    }
    parts {
        control: DataReg = DataReg::new(bits, "Lines");
    }
    describe {
        fn kept(&self) -> bool {
            true
        }
    }
}

impl kernel::Kernel for LevelDriver {
    #[hdl_gen]
    fn update(&mut self) {
        self.control.d.next = self.ahead_i.val();
    }
}

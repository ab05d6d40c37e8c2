use crate::table::*;

cell! {
    /// A copy of [`AxisControl`](super::AxisControl)'s `begin_o` for a terminal, where one register would drive all of them.
    BeginCopy, BeginCopySpec, "frit_begin_copy":
    "Copy of begin_o of frit_axis_control for a terminal, in a register of its own.";
    "One register that drives all terminals would be slow. Synthesis keeps the register ((* keep *), Yosys) although those of other terminals hold the same bit. State: the bit, reset to 0.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In soon_i: Bit, "soon_o of frit_axis_control";
        Out begin_o: Bit = begins.q, "an exchange begins";
    }
    parts {
        begins: BitReg = BitReg::default().purpose("an exchange begins in this cycle");
    }
    describe {
        fn kept(&self) -> bool {
            true
        }
    }
}

impl kernel::Kernel for BeginCopy {
    #[hdl_gen]
    fn update(&mut self) {
        self.begins.d.next = self.soon_i.val();
    }
}

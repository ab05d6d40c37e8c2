use crate::table::*;

cell! {
    /// One terminal's own register for the start of an exchange. It holds the same bit as `begin_o` of [`AxisControl`](super::AxisControl);
    /// with one register for all terminals the wires to them would decide the clock.
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

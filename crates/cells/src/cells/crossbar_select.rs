use crate::table::*;

cell! {
    /// Whether a register of a crossbar is addressed.
    CrossbarSelect, CrossbarSelectSpec, "frit_crossbar_select":
    "Says whether a register of a crossbar is addressed, by a write or by a read.";
    "State: whether it was addressed in the last cycle (reset to 0).";
    parameters {
        AddressBits address_bits: u32 = 3, "bits of the number of a register";
        Address(address_bits) address: u64 = 5, "number of the register";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In word_i: Bus(address_bits, "AddressBits"), "number of the register that is addressed";
        Out here_o: Bit = here.q, "in the last cycle this register was addressed";
    }
    parts {
        address: Const = Const::parameter(address, address_bits, Some("AddressBits"));
        here: BitReg = BitReg::default().purpose("this register was addressed");
    }
}

impl kernel::Kernel for CrossbarSelect {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A register of its own for each register that can be addressed, so that few gates follow it.");
        self.here.d.next = self.word_i.val() == self.address.val();
    }
}

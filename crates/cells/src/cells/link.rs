use crate::atoms::{BitReg, Bus, DataReg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// A link between two optical switches: a fibre that holds one packet for one step.
#[derive(LogicBlock)]
pub struct Link {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    data_i: Bus<In>,
    valid_o: Signal<Out, Bit>,
    data_o: Bus<Out>,
    valid: BitReg,
    data: DataReg,
}

impl Link {
    /// A link for words of `width` bits.
    pub fn new(width: usize) -> Self {
        Link {
            clk_i: Default::default(),
            rst_i: Default::default(),
            valid_i: Default::default(),
            data_i: Bus::named(width, "W"),
            valid_o: Default::default(),
            data_o: Bus::named(width, "W"),
            valid: Default::default(),
            data: DataReg::new(width, "W"),
        }
    }
}

cell_ports!(Link: In clk_i, In rst_i, In valid_i, In data_i, Out valid_o, Out data_o);

impl Logic for Link {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, valid, data);
        self.valid.reset.next = self.rst_i.val();
        self.valid.d.next = self.valid_i.val();
        self.data.d.next = self.data_i.val();
        self.valid_o.next = self.valid.q.val();
        self.data_o.next = self.data.q.val();
    }
}

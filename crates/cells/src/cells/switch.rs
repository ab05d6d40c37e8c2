use crate::atoms::{BitReg, Bus, DataReg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The controlled 2×2 switch: `state_i` 0 is straight, 1 is cross. One register deep; data have no reset.
#[derive(LogicBlock)]
pub struct Switch {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    state_i: Signal<In, Bit>,
    valid0_i: Signal<In, Bit>,
    data0_i: Bus<In>,
    valid1_i: Signal<In, Bit>,
    data1_i: Bus<In>,
    valid0_o: Signal<Out, Bit>,
    data0_o: Bus<Out>,
    valid1_o: Signal<Out, Bit>,
    data1_o: Bus<Out>,
    valid0: BitReg,
    valid1: BitReg,
    data0: DataReg,
    data1: DataReg,
}

impl Switch {
    /// A switch for words of `width` bits.
    pub fn new(width: usize) -> Self {
        Switch {
            clk_i: Default::default(),
            rst_i: Default::default(),
            state_i: Default::default(),
            valid0_i: Default::default(),
            data0_i: Bus::named(width, "W"),
            valid1_i: Default::default(),
            data1_i: Bus::named(width, "W"),
            valid0_o: Default::default(),
            data0_o: Bus::named(width, "W"),
            valid1_o: Default::default(),
            data1_o: Bus::named(width, "W"),
            valid0: Default::default(),
            valid1: Default::default(),
            data0: DataReg::new(width, "W"),
            data1: DataReg::new(width, "W"),
        }
    }
}

cell_ports!(Switch: In clk_i, In rst_i, In state_i, In valid0_i, In data0_i, In valid1_i, In data1_i,
    Out valid0_o, Out data0_o, Out valid1_o, Out data1_o);

impl Logic for Switch {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, valid0, valid1, data0, data1);
        self.valid0.reset.next = self.rst_i.val();
        self.valid1.reset.next = self.rst_i.val();
        self.valid0.d.next = self.valid0_i.val();
        self.valid1.d.next = self.valid1_i.val();
        self.data0.d.next = self.data0_i.val();
        self.data1.d.next = self.data1_i.val();
        if self.state_i.val() {
            self.valid0.d.next = self.valid1_i.val();
            self.valid1.d.next = self.valid0_i.val();
            self.data0.d.next = self.data1_i.val();
            self.data1.d.next = self.data0_i.val();
        }
        self.valid0_o.next = self.valid0.q.val();
        self.valid1_o.next = self.valid1.q.val();
        self.data0_o.next = self.data0.q.val();
        self.data1_o.next = self.data1.q.val();
    }
}

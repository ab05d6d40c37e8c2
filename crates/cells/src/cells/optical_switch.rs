use crate::atoms::Bus;
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The optical 2×2 switch (a LiNbO3 directional coupler, say): light passes, the links hold the delay. `control_i` 0 is
/// push (up to up, down to down), 1 is invert. No register. Port 0 is up, 1 is down.
#[derive(LogicBlock)]
pub struct OpticalSwitch {
    control_i: Signal<In, Bit>,
    valid0_i: Signal<In, Bit>,
    data0_i: Bus<In>,
    valid1_i: Signal<In, Bit>,
    data1_i: Bus<In>,
    valid0_o: Signal<Out, Bit>,
    data0_o: Bus<Out>,
    valid1_o: Signal<Out, Bit>,
    data1_o: Bus<Out>,
}

impl OpticalSwitch {
    /// A switch for words of `width` bits.
    pub fn new(width: usize) -> Self {
        OpticalSwitch {
            control_i: Default::default(),
            valid0_i: Default::default(),
            data0_i: Bus::named(width, "W"),
            valid1_i: Default::default(),
            data1_i: Bus::named(width, "W"),
            valid0_o: Default::default(),
            data0_o: Bus::named(width, "W"),
            valid1_o: Default::default(),
            data1_o: Bus::named(width, "W"),
        }
    }
}

cell_ports!(OpticalSwitch: In control_i, In valid0_i, In data0_i, In valid1_i, In data1_i,
    Out valid0_o, Out data0_o, Out valid1_o, Out data1_o);

impl Logic for OpticalSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid0_o.next = self.valid0_i.val();
        self.valid1_o.next = self.valid1_i.val();
        self.data0_o.next = self.data0_i.val();
        self.data1_o.next = self.data1_i.val();
        if self.control_i.val() {
            self.valid0_o.next = self.valid1_i.val();
            self.valid1_o.next = self.valid0_i.val();
            self.data0_o.next = self.data1_i.val();
            self.data1_o.next = self.data0_i.val();
        }
    }
}

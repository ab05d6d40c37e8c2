use crate::atoms::Bus;
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`OpticalSwitch`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpticalSwitchSpec {
    /// Bits of a word.
    pub width: u32,
}

impl Describe for OpticalSwitchSpec {
    fn module(&self) -> String {
        "frit_optical_switch".into()
    }
    fn title(&self) -> &'static str {
        "frit_optical_switch"
    }
    fn summary(&self) -> &'static str {
        "Optical 2x2 switch: control_i 0 is push (up to up, down to down), 1 is invert. Combinational: light passes, the links hold the delay."
    }
    fn details(&self) -> &'static str {
        "Port 0 is up, 1 is down. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("W", self.width, "bits of a word, 1 or more"),
        ]
    }
    fn word_width(&self) -> Option<u32> {
        Some(self.width)
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(OpticalSwitch::new(simulated(self.width)))
    }
    fn example() -> Self {
        OpticalSwitchSpec { width: 8 }
    }
}

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

cell_ports!(OpticalSwitch:
    In control_i "0: push. 1: invert",
    In valid0_i "a packet comes in above",
    In data0_i "its word",
    In valid1_i "a packet comes in below",
    In data1_i "its word",
    Out valid0_o "a packet goes out above, same cycle",
    Out data0_o "its word, same cycle. It follows the input even where that is not valid",
    Out valid1_o "a packet goes out below, same cycle",
    Out data1_o "its word, same cycle",
);

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

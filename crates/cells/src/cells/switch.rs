use crate::atoms::{BitReg, Bus, DataReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`Switch`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchSpec {
    /// Bits of a word.
    pub width: u32,
}

impl Describe for SwitchSpec {
    fn module(&self) -> String {
        "frit_switch".into()
    }
    fn title(&self) -> &'static str {
        "frit_switch"
    }
    fn summary(&self) -> &'static str {
        "Controlled 2x2 switch: state_i 0 is straight, 1 is cross. Latency 1 cycle, initiation interval 1."
    }
    fn details(&self) -> &'static str {
        "State: 2 valid bits (reset to 0) and 2 words, which have no reset."
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
        ready(Switch::new(simulated(self.width)))
    }
    fn example() -> Self {
        SwitchSpec { width: 8 }
    }
}

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

cell_ports!(Switch:
    In clk_i "clock, rising edge",
    In rst_i "reset of the valid bits",
    In state_i "0: input 0 goes to output 0 and 1 to 1. 1: they change places",
    In valid0_i "input 0 holds a word",
    In data0_i "the word of input 0",
    In valid1_i "input 1 holds a word",
    In data1_i "the word of input 1",
    Out valid0_o "output 0 holds a word",
    Out data0_o "the word of output 0. It follows its input even where that is not valid",
    Out valid1_o "output 1 holds a word",
    Out data1_o "the word of output 1",
);

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

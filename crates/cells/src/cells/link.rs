use crate::atoms::{BitReg, Bus, DataReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`Link`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkSpec {
    /// Bits of a word.
    pub width: u32,
}

impl Describe for LinkSpec {
    fn module(&self) -> String {
        "frit_link".into()
    }
    fn title(&self) -> &'static str {
        "frit_link"
    }
    fn summary(&self) -> &'static str {
        "Link between optical switches: holds a packet for one step. Latency 1 cycle, initiation interval 1."
    }
    fn details(&self) -> &'static str {
        "State: 1 valid bit (reset to 0) and 1 word."
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
        ready(Link::new(simulated(self.width)))
    }
    fn example() -> Self {
        LinkSpec { width: 8 }
    }
}

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

cell_ports!(Link:
    In clk_i "clock, rising edge",
    In rst_i "reset of the valid bit",
    In valid_i "a packet goes in",
    In data_i "its word",
    Out valid_o "a packet comes out",
    Out data_o "its word",
);

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

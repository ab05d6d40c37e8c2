use crate::atoms::{BitReg, Bus};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready, simulated};
use rust_hdl::prelude::*;

/// What an instance of [`AxisMerge`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisMergeSpec {
    /// Bits of a word with its source.
    pub width: u32,
}

impl Describe for AxisMergeSpec {
    fn module(&self) -> String {
        "frit_axis_merge".into()
    }
    fn title(&self) -> &'static str {
        "frit_axis_merge"
    }
    fn summary(&self) -> &'static str {
        "Two AXI4-Streams as one, a message of each in turn. Combinational but for whose turn it is."
    }
    fn details(&self) -> &'static str {
        "What arrives on the two lanes of a terminal of the optical butterfly, which are always as many. State: whose turn it is (reset to up)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("W", self.width, "bits of a word with its source"),
        ]
    }
    fn word_width(&self) -> Option<u32> {
        Some(self.width)
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(AxisMerge::new(simulated(self.width)))
    }
    fn example() -> Self {
        AxisMergeSpec { width: 8 }
    }
}

/// Two AXI4-Streams as one, a message of each in turn: what arrives on the two lanes of a terminal of the optical
/// butterfly, which are always as many. Combinational but for whose turn it is.
#[derive(LogicBlock)]
pub struct AxisMerge {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    up_tvalid_i: Signal<In, Bit>,
    up_tready_o: Signal<Out, Bit>,
    up_tdata_i: Bus<In>,
    up_tlast_i: Signal<In, Bit>,
    down_tvalid_i: Signal<In, Bit>,
    down_tready_o: Signal<Out, Bit>,
    down_tdata_i: Bus<In>,
    down_tlast_i: Signal<In, Bit>,
    tvalid_o: Signal<Out, Bit>,
    tready_i: Signal<In, Bit>,
    tdata_o: Bus<Out>,
    tlast_o: Signal<Out, Bit>,
    valid: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    down: BitReg,
}

impl AxisMerge {
    /// For words of `width` bits (data and source).
    pub fn new(width: usize) -> Self {
        AxisMerge {
            clk_i: Default::default(),
            rst_i: Default::default(),
            up_tvalid_i: Default::default(),
            up_tready_o: Default::default(),
            up_tdata_i: Bus::named(width, "W"),
            up_tlast_i: Default::default(),
            down_tvalid_i: Default::default(),
            down_tready_o: Default::default(),
            down_tdata_i: Bus::named(width, "W"),
            down_tlast_i: Default::default(),
            tvalid_o: Default::default(),
            tready_i: Default::default(),
            tdata_o: Bus::named(width, "W"),
            tlast_o: Default::default(),
            valid: Default::default(),
            ends: Default::default(),
            down: BitReg::default().purpose("it is the turn of the down lane"),
        }
    }
}

cell_ports!(AxisMerge:
    In clk_i "clock, rising edge",
    In rst_i "reset",
    In up_tvalid_i "the up lane offers a word",
    Out up_tready_o "it is taken",
    In up_tdata_i "the word with its source",
    In up_tlast_i "it is the last of its message",
    In down_tvalid_i "the down lane offers a word",
    Out down_tready_o "it is taken",
    In down_tdata_i "the word with its source",
    In down_tlast_i "it is the last of its message",
    Out tvalid_o "a word is offered",
    In tready_i "the receiver takes it",
    Out tdata_o "the word with its source",
    Out tlast_o "it is the last of its message",
);

impl Logic for AxisMerge {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, down);
        self.down.reset.next = self.rst_i.val();
        self.valid.next = self.up_tvalid_i.val();
        self.ends.next = self.up_tlast_i.val();
        self.tdata_o.next = self.up_tdata_i.val();
        self.up_tready_o.next = self.tready_i.val();
        self.down_tready_o.next = false;
        if self.down.q.val() {
            self.valid.next = self.down_tvalid_i.val();
            self.ends.next = self.down_tlast_i.val();
            self.tdata_o.next = self.down_tdata_i.val();
            self.up_tready_o.next = false;
            self.down_tready_o.next = self.tready_i.val();
        }
        self.tvalid_o.next = self.valid.val();
        self.tlast_o.next = self.ends.val();
        self.down.d.next = self.down.q.val() ^ (self.valid.val() & self.ends.val() & self.tready_i.val());
    }
}

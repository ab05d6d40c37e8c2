use crate::atoms::{BitReg, Bus, Const, DataReg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`SelfRoutingSwitch`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfRoutingSwitchSpec {
    /// Bits of a label.
    pub bits: u32,
}

impl Describe for SelfRoutingSwitchSpec {
    fn module(&self) -> String {
        "frit_self_routing_switch".into()
    }
    fn title(&self) -> &'static str {
        "frit_self_routing_switch"
    }
    fn summary(&self) -> &'static str {
        "Self-routing 2x2 switch for labels: the top bit asks for output 0 or 1 and is shifted out. state_o sets the data switch beside it in the same cycle; conflict_o: both inputs want one output. Latency 1 cycle, initiation interval 1."
    }
    fn details(&self) -> &'static str {
        "It routes labels only: the word of the same message passes the data switch beside it in the same cycle. State: 2 valid bits (reset to 0) and 2 labels."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("LabelBits", self.bits, "bits of a label, 1 or more: one per stage, the first stage's the most significant"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(SelfRoutingSwitch::new(self.bits as usize))
    }
    fn example() -> Self {
        SelfRoutingSwitchSpec { bits: 5 }
    }
}

/// The self-routing 2×2 switch: the top bit of a label asks for output 0 or 1, and is shifted out.
///
/// It routes labels; `state_o` sets the data switch beside it in the same cycle (0 while nothing is valid), so that
/// data paths of any width share one label path. `conflict_o` is high while both inputs want the same output; input 0
/// wins then, and the message of input 1 leaves by the other output.
#[derive(LogicBlock)]
pub struct SelfRoutingSwitch {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    valid0_i: Signal<In, Bit>,
    label0_i: Bus<In>,
    valid1_i: Signal<In, Bit>,
    label1_i: Bus<In>,
    state_o: Signal<Out, Bit>,
    conflict_o: Signal<Out, Bit>,
    valid0_o: Signal<Out, Bit>,
    label0_o: Bus<Out>,
    valid1_o: Signal<Out, Bit>,
    label1_o: Bus<Out>,
    top: Const,
    one: Const,
    crossed: Signal<Local, Bit>,
    valid0: BitReg,
    valid1: BitReg,
    label0: DataReg,
    label1: DataReg,
}

impl SelfRoutingSwitch {
    /// A switch for labels of `bits` bits, 2 at least.
    pub fn new(bits: usize) -> Self {
        SelfRoutingSwitch {
            clk_i: Default::default(),
            rst_i: Default::default(),
            valid0_i: Default::default(),
            label0_i: Bus::named(bits, "LabelBits"),
            valid1_i: Default::default(),
            label1_i: Bus::named(bits, "LabelBits"),
            state_o: Default::default(),
            conflict_o: Default::default(),
            valid0_o: Default::default(),
            label0_o: Bus::named(bits, "LabelBits"),
            valid1_o: Default::default(),
            label1_o: Bus::named(bits, "LabelBits"),
            top: Const::top(bits, "LabelBits"),
            one: Const::one(bits, "LabelBits"),
            crossed: Default::default(),
            valid0: Default::default(),
            valid1: Default::default(),
            label0: DataReg::new(bits, "LabelBits"),
            label1: DataReg::new(bits, "LabelBits"),
        }
    }
}

cell_ports!(SelfRoutingSwitch:
    In clk_i "clock, rising edge",
    In rst_i "reset of the valid bits",
    In valid0_i "input 0 holds a label",
    In label0_i "the label of input 0",
    In valid1_i "input 1 holds a label",
    In label1_i "the label of input 1",
    Out state_o "the state of the switch, same cycle: what input 0 asks for; if that is not valid, what input 1 asks for; else 0",
    Out conflict_o "both inputs want one output, same cycle. Input 0 gets it; the message of input 1 leaves by the other output",
    Out valid0_o "output 0 holds a label",
    Out label0_o "what is left of it, shifted up by one bit",
    Out valid1_o "output 1 holds a label",
    Out label1_o "what is left of it, shifted up by one bit",
);

impl Logic for SelfRoutingSwitch {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, valid0, valid1, label0, label1);
        self.valid0.reset.next = self.rst_i.val();
        self.valid1.reset.next = self.rst_i.val();
        self.crossed.next = self.valid1_i.val() & !self.label1_i.val().get_bit(self.top.val().index());
        if self.valid0_i.val() {
            self.crossed.next = self.label0_i.val().get_bit(self.top.val().index());
        }
        self.state_o.next = self.crossed.val();
        self.conflict_o.next = self.valid0_i.val()
            & self.valid1_i.val()
            & (self.label0_i.val().get_bit(self.top.val().index())
                == self.label1_i.val().get_bit(self.top.val().index()));
        self.valid0.d.next = self.valid0_i.val();
        self.valid1.d.next = self.valid1_i.val();
        self.label0.d.next = self.label0_i.val() << self.one.val();
        self.label1.d.next = self.label1_i.val() << self.one.val();
        if self.crossed.val() {
            self.valid0.d.next = self.valid1_i.val();
            self.valid1.d.next = self.valid0_i.val();
            self.label0.d.next = self.label1_i.val() << self.one.val();
            self.label1.d.next = self.label0_i.val() << self.one.val();
        }
        self.valid0_o.next = self.valid0.q.val();
        self.valid1_o.next = self.valid1.q.val();
        self.label0_o.next = self.label0.q.val();
        self.label1_o.next = self.label1.q.val();
    }
}

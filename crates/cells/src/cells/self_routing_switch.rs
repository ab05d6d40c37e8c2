use crate::atoms::{BitReg, Bus, Const, DataReg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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
            label0_i: Bus::named(bits, "K"),
            valid1_i: Default::default(),
            label1_i: Bus::named(bits, "K"),
            state_o: Default::default(),
            conflict_o: Default::default(),
            valid0_o: Default::default(),
            label0_o: Bus::named(bits, "K"),
            valid1_o: Default::default(),
            label1_o: Bus::named(bits, "K"),
            top: Const::top(bits, "K"),
            one: Const::one(bits, "K"),
            crossed: Default::default(),
            valid0: Default::default(),
            valid1: Default::default(),
            label0: DataReg::new(bits, "K"),
            label1: DataReg::new(bits, "K"),
        }
    }
}

cell_ports!(SelfRoutingSwitch: In clk_i, In rst_i, In valid0_i, In label0_i, In valid1_i, In label1_i,
    Out state_o, Out conflict_o, Out valid0_o, Out label0_o, Out valid1_o, Out label1_o);

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

use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`PassGate`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassGateSpec;

impl Describe for PassGateSpec {
    fn module(&self) -> String {
        "frit_pass_gate".into()
    }
    fn title(&self) -> &'static str {
        "frit_pass_gate"
    }
    fn summary(&self) -> &'static str {
        "End of the first pass of a network that messages pass twice: deliver_i lets a word leave the network, else the word goes back for its second pass. Combinational."
    }
    fn details(&self) -> &'static str {
        "Only valid bits pass this cell; the word itself is wired both ways. No state."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(PassGate::default())
    }
    fn example() -> Self {
        PassGateSpec
    }
}

/// The end of the first pass of a network that is passed twice: a word goes on, or back. The word itself is wired both ways.
#[derive(Default, LogicBlock)]
pub struct PassGate {
    deliver_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    valid_o: Signal<Out, Bit>,
    back_valid_o: Signal<Out, Bit>,
}

cell_ports!(PassGate:
    In deliver_i "0: the word goes back. 1: the word is in its second pass and leaves",
    In valid_i "valid bit of the word",
    Out valid_o "valid bit of a word that leaves, same cycle",
    Out back_valid_o "valid bit of a word that goes back, same cycle",
);

impl Logic for PassGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.valid_i.val() & self.deliver_i.val();
        self.back_valid_o.next = self.valid_i.val() & !self.deliver_i.val();
    }
}

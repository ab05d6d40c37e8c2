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
        "End of the first pass of a network that is passed twice: deliver_i lets a word go on, else it goes back. Combinational."
    }
    fn details(&self) -> &'static str {
        "The word itself is wired both ways. No state."
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
    In deliver_i "1: words here are in their second pass and go on",
    In valid_i "the valid bit",
    Out valid_o "the valid bit of what goes on, same cycle",
    Out back_valid_o "the valid bit of what goes back, same cycle",
);

impl Logic for PassGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.valid_i.val() & self.deliver_i.val();
        self.back_valid_o.next = self.valid_i.val() & !self.deliver_i.val();
    }
}

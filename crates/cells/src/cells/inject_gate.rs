use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, ready};
use rust_hdl::prelude::*;

/// What an instance of [`InjectGate`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectGateSpec;

impl Describe for InjectGateSpec {
    fn module(&self) -> String {
        "frit_inject_gate".into()
    }
    fn title(&self) -> &'static str {
        "frit_inject_gate"
    }
    fn summary(&self) -> &'static str {
        "Takes a message of a source between two runs, while both of its sides have room."
    }
    fn details(&self) -> &'static str {
        "Combinational. No state."
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(InjectGate::default())
    }
    fn example() -> Self {
        InjectGateSpec
    }
}

/// Where messages enter a multibutterfly: a source takes them between runs, while both of its sides have room.
#[derive(LogicBlock, Default)]
pub struct InjectGate {
    idle_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    full0_i: Signal<In, Bit>,
    full1_i: Signal<In, Bit>,
    ready_o: Signal<Out, Bit>,
    take_o: Signal<Out, Bit>,
    ready: Signal<Local, Bit>,
}

cell_ports!(InjectGate:
    In idle_i "no run goes on",
    In valid_i "a message is offered",
    In full0_i "the upper side is full",
    In full1_i "the lower side is full",
    Out ready_o "a message that is offered is taken, same cycle",
    Out take_o "it is taken, same cycle",
);

impl Logic for InjectGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.idle_i.val() & !self.full0_i.val() & !self.full1_i.val();
        self.ready_o.next = self.ready.val();
        self.take_o.next = self.ready.val() & self.valid_i.val();
    }
}

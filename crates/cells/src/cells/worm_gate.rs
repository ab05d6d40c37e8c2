use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`WormGate`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WormGateSpec {
    /// Packets that start in a row.
    pub packets: u32,
}

impl Describe for WormGateSpec {
    fn module(&self) -> String {
        "frit_worm_gate".into()
    }
    fn title(&self) -> &'static str {
        "frit_worm_gate"
    }
    fn summary(&self) -> &'static str {
        "Keeps packets out of the network while it does not run."
    }
    fn details(&self) -> &'static str {
        "Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Packets", self.packets, "packets that start in a row, 1 or more"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(WormGate::new(self.packets as usize))
    }
    fn example() -> Self {
        WormGateSpec { packets: 3 }
    }
}

/// The packets of a row wait until the network runs.
#[derive(LogicBlock)]
pub struct WormGate {
    run_i: Signal<In, Bit>,
    valid_i: Bus<In>,
    valid_o: Bus<Out>,
    none: Const,
}

impl WormGate {
    /// For rows where `packets` packets start.
    pub fn new(packets: usize) -> Self {
        WormGate {
            run_i: Default::default(),
            valid_i: Bus::named(packets, "Packets"),
            valid_o: Bus::named(packets, "Packets"),
            none: Const::zero(packets, "Packets"),
        }
    }
}

cell_ports!(WormGate:
    In run_i "the network runs",
    In valid_i "packets that have a bit to send",
    Out valid_o "the same while it runs, same cycle",
);

impl Logic for WormGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.none.val();
        if self.run_i.val() {
            self.valid_o.next = self.valid_i.val();
        }
    }
}

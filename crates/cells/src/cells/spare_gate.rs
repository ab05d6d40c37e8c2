use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`SpareGate`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpareGateSpec {
    /// Bits of a terminal's number.
    pub bits: u32,
    /// Terminals that are served.
    pub served: u64,
}

impl Describe for SpareGateSpec {
    fn module(&self) -> String {
        "frit_spare_gate".into()
    }
    fn title(&self) -> &'static str {
        "frit_spare_gate"
    }
    fn summary(&self) -> &'static str {
        "A terminal of a padded exchange asks for a word in the rounds in which it sends to a terminal that is served, not to a spare one."
    }
    fn details(&self) -> &'static str {
        "The spare terminals themselves never ask. Combinational. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("AddressBits", self.bits, "bits of a terminal's number, 1 or more"),
            Parameter::sized("Served", self.served, self.bits, "terminals 0 to Served - 1 are served, those behind them spare"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(SpareGate::new(self.bits as usize, self.served))
    }
    fn example() -> Self {
        SpareGateSpec { bits: 3, served: 5 }
    }
}

/// Tells a terminal of a padded exchange when to ask for a word.
#[derive(LogicBlock)]
pub struct SpareGate {
    sending_i: Signal<In, Bit>,
    dest_i: Bus<In>,
    send_valid_o: Signal<Out, Bit>,
    served: Const,
}

impl SpareGate {
    /// For numbers of `bits` bits, of which those below `served` are served.
    pub fn new(bits: usize, served: u64) -> Self {
        SpareGate {
            sending_i: Default::default(),
            dest_i: Bus::named(bits, "AddressBits"),
            send_valid_o: Default::default(),
            served: Const::parameter(served, bits, Some("AddressBits")),
        }
    }
}

cell_ports!(SpareGate:
    In sending_i "a round is sent in this cycle",
    In dest_i "whom the terminal sends to in this round",
    Out send_valid_o "it asks for a word, same cycle",
);

impl Logic for SpareGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.send_valid_o.next = self.sending_i.val() & (self.served.val() > self.dest_i.val());
    }
}

use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`PortChoice`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortChoiceSpec {
    /// Ports of a side.
    pub ports: u32,
    /// The port of a side that commits unasked, a bit for each.
    pub first: u64,
}

impl Describe for PortChoiceSpec {
    fn module(&self) -> String {
        "frit_port_choice".into()
    }
    fn title(&self) -> &'static str {
        "frit_port_choice"
    }
    fn summary(&self) -> &'static str {
        "The port of a bank: its first one, or the granted port whose rank among the granted is the number of the bank."
    }
    fn details(&self) -> &'static str {
        "State: the port, a bit for each (reset to none)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("Ports", self.ports, "ports of a side"),
            Parameter::sized("First", self.first, self.ports, "the port of a side that commits unasked, a bit for each"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(PortChoice::new(self.ports as usize, self.first))
    }
    fn example() -> Self {
        PortChoiceSpec { ports: 4, first: 2 }
    }
}

/// The port to which a bank of a side sends, a bit for each; none until the side is committed.
#[derive(LogicBlock)]
pub struct PortChoice {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    first_i: Signal<In, Bit>,
    granted_i: Signal<In, Bit>,
    grant_i: Bus<In>,
    rank_i: Bus<In>,
    chosen_o: Bus<Out>,
    first: Const,
    chosen: Reg,
}

impl PortChoice {
    /// For `ports` ports, of which `first` is the first.
    pub fn new(ports: usize, first: u64) -> Self {
        PortChoice {
            clk_i: Default::default(),
            rst_i: Default::default(),
            first_i: Default::default(),
            granted_i: Default::default(),
            grant_i: Bus::named(ports, "Ports"),
            rank_i: Bus::named(ports, "Ports"),
            chosen_o: Bus::named(ports, "Ports"),
            first: Const::parameter(first, ports, Some("Ports")),
            chosen: Reg::zero(ports, "Ports"),
        }
    }
}

cell_ports!(PortChoice:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: no port",
    In first_i "the side commits unasked",
    In granted_i "the side commits to granted ports",
    In grant_i "the ports that are granted",
    In rank_i "those below which as many are granted as there are banks before this one",
    Out chosen_o "the port",
);

impl Logic for PortChoice {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, chosen);
        self.chosen.reset.next = self.rst_i.val();
        self.chosen.d.next = self.chosen.q.val();
        if self.first_i.val() {
            self.chosen.d.next = self.first.val();
        }
        if self.granted_i.val() {
            self.chosen.d.next = self.grant_i.val() & self.rank_i.val();
        }
        self.chosen_o.next = self.chosen.q.val();
    }
}

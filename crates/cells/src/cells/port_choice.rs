use crate::atoms::{Const, Reg};
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The port to which a bank of a side sends, a bit for each; none until the side is committed.
    PortChoice, PortChoiceSpec, "frit_port_choice":
    "The port of a bank: its first one, or the granted port whose rank among the granted is the number of the bank.";
    "State: the port, a bit for each (reset to none).";
    parameters {
        Ports ports: u32 = 4, "ports of a side";
        First(ports) first: u64 = 2, "the port of a side that commits unasked, a bit for each";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no port";
        In first_i: Bit, "the side commits unasked";
        In granted_i: Bit, "the side commits to granted ports";
        In grant_i: Bus(ports, "Ports"), "the ports that are granted";
        In rank_i: Bus(ports, "Ports"), "those below which as many are granted as there are banks before this one";
        Out chosen_o: Bus(ports, "Ports"), "the port";
    }
    parts {
        first: Const = Const::parameter(first, ports, Some("Ports"));
        chosen: Reg = Reg::zero(ports, "Ports");
    }
}

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

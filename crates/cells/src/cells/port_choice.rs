use crate::table::*;

cell! {
    /// The port to which a bank of a side sends, a bit for each; none until the side is committed.
    PortChoice, PortChoiceSpec, "frit_port_choice":
    "Port of a bank of a side of a multibutterfly's node. A side that commits without asking uses First; else bank b uses the b-th granted port, counted from 0.";
    "State: the port, one bit for each port (reset to none).";
    parameters {
        Ports ports: u32 = 4, "ports of a side";
        First(ports) first: u64 = 2, "port of the bank if the side commits without asking, one bit for each port";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: no port";
        In first_i: Bit, "the side commits without asking";
        In granted_i: Bit, "the side commits to granted ports";
        In grant_i: Bus(ports, "Ports"), "ports that are granted, one bit for each port";
        In rank_i: Bus(ports, "Ports"), "ports below which exactly as many ports are granted as there are banks before this one, one bit for each port";
        Out chosen_o: Bus(ports, "Ports") = chosen.q, "port of the bank, one bit for each port";
    }
    parts {
        first: Const = Const::parameter(first, ports, Some("Ports"));
        chosen: Reg = Reg::zero(ports, "Ports");
    }
}

impl kernel::Kernel for PortChoice {
    #[hdl_gen]
    fn update(&mut self) {
        if self.first_i.val() {
            self.chosen.d.next = self.first.val();
        }
        if self.granted_i.val() {
            self.chosen.d.next = self.grant_i.val() & self.rank_i.val();
        }
    }
}

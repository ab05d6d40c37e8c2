use crate::table::*;

cell! {
    /// The packets of a row wait until the network runs.
    DilatedGate, DilatedGateSpec, "frit_dilated_gate":
    "Keeps packets out of a dilated butterfly while no run is under way.";
    "Combinational. No state.";
    parameters {
        Packets packets: u32 = 3, "packets that start in a row, 1 or more";
    }
    ports {
        In run_i: Bit, "a run is under way";
        In valid_i: Bus(packets, "Packets"), "packets that have a bit to send, one bit for each packet";
        Out valid_o: Bus(packets, "Packets"), "packets whose bit is offered to the network: valid_i during a run, else 0, same cycle";
    }
    parts {
        none: Const = Const::zero(packets, "Packets");
    }
}

impl kernel::Kernel for DilatedGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.none.val();
        if self.run_i.val() {
            self.valid_o.next = self.valid_i.val();
        }
    }
}

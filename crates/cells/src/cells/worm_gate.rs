use crate::atoms::Const;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// The packets of a row wait until the network runs.
    WormGate, WormGateSpec, "frit_worm_gate":
    "Keeps packets out of the network while it does not run.";
    "Combinational. No state.";
    parameters {
        Packets packets: u32 = 3, "packets that start in a row, 1 or more";
    }
    ports {
        In run_i: Bit, "the network runs";
        In valid_i: Bus(packets, "Packets"), "packets that have a bit to send";
        Out valid_o: Bus(packets, "Packets"), "the same while it runs, same cycle";
    }
    parts {
        none: Const = Const::zero(packets, "Packets");
    }
}

impl Logic for WormGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_o.next = self.none.val();
        if self.run_i.val() {
            self.valid_o.next = self.valid_i.val();
        }
    }
}

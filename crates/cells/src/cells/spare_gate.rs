use crate::table::*;

cell! {
    /// Tells a terminal of a padded exchange when to ask for a word.
    SpareGate, SpareGateSpec, "frit_spare_gate":
    "Makes a terminal of a padded exchange ask for a word only in rounds in which its destination is served, not spare.";
    "The spare terminals never ask. Combinational. No state.";
    parameters {
        AddressBits bits: u32 = 3, "bits of a terminal's number, 1 or more";
        Served(bits) served: u64 = 5, "number of served terminals: terminals 0 to Served - 1 are served, those from Served on are spare";
    }
    ports {
        In sending_i: Bit, "a round is sent in this cycle";
        In dest_i: Bus(bits, "AddressBits"), "destination of the terminal in this round";
        Out send_valid_o: Bit, "the terminal asks for a word, same cycle";
    }
    parts {
        served: Const = Const::parameter(served, bits, Some("AddressBits"));
    }
}

impl kernel::Kernel for SpareGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.send_valid_o.next = self.sending_i.val() & (self.served.val() > self.dest_i.val());
    }
}

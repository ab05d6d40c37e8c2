use crate::atoms::Const;
use crate::table::cell;
use rust_hdl::prelude::*;

cell! {
    /// Tells a terminal of a padded exchange when to ask for a word.
    SpareGate, SpareGateSpec, "frit_spare_gate":
    "A terminal of a padded exchange asks for a word in the rounds in which it sends to a terminal that is served, not to a spare one.";
    "The spare terminals themselves never ask. Combinational. No state.";
    parameters {
        AddressBits bits: u32 = 3, "bits of a terminal's number, 1 or more";
        Served(bits) served: u64 = 5, "terminals 0 to Served - 1 are served, those behind them spare";
    }
    ports {
        In sending_i: Bit, "a round is sent in this cycle";
        In dest_i: Bus(bits, "AddressBits"), "whom the terminal sends to in this round";
        Out send_valid_o: Bit, "it asks for a word, same cycle";
    }
    parts {
        served: Const = Const::parameter(served, bits, Some("AddressBits"));
    }
}

impl Logic for SpareGate {
    #[hdl_gen]
    fn update(&mut self) {
        self.send_valid_o.next = self.sending_i.val() & (self.served.val() > self.dest_i.val());
    }
}

use crate::table::*;

cell! {
    /// Whether a round is sent in the next cycle: what [`Sequencer`](super::Sequencer)'s `sending_o` becomes.
    SendAhead, SendAheadSpec, "frit_send_ahead":
    "Says whether a round is sent in the next cycle.";
    "A frit_modulo_counter of these cycles has the number of the next cycle's round, for settings that are needed a cycle ahead. Combinational. No state.";
    ports {
        In start_i: Bit, "start_i of the sequencer";
        In ready_i: Bit, "ready_o of the sequencer";
        In sending_i: Bit, "sending_o of the sequencer";
        In last_i: Bit, "last_o of the sequencer";
        Out ahead_o: Bit, "a round is sent in the next cycle, same cycle";
    }
}

impl kernel::Kernel for SendAhead {
    #[hdl_gen]
    fn update(&mut self) {
        self.ahead_o.next =
            (self.start_i.val() & self.ready_i.val()) | (self.sending_i.val() & !self.last_i.val());
    }
}

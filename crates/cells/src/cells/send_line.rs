use crate::table::*;

cell! {
    /// A copy of [`Sequencer`](super::Sequencer)'s `sending_o` for a group of lanes, where one register would drive all of them.
    ///
    /// It follows from itself, so that a synthesis tool does not see that it always equals that of the sequencer or of another group.
    SendLine, SendLineSpec, "frit_send_line":
    "Copy of a sequencer's sending_o for a group of lanes, in a register of its own.";
    "One register that drives all lanes would be slow. State: the bit, reset to 0.";
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset";
        In start_i: Bit, "start_i of the sequencer";
        In ready_i: Bit, "ready_o of the sequencer";
        In last_i: Bit, "last_o of the sequencer";
        Out sending_o: Bit = sending.q, "a round is sent in this cycle";
    }
    parts {
        sending: BitReg;
    }
}

impl kernel::Kernel for SendLine {
    #[hdl_gen]
    fn update(&mut self) {
        self.sending.d.next =
            (self.start_i.val() & self.ready_i.val()) | (self.sending.q.val() & !self.last_i.val());
    }
}

use crate::table::*;

cell! {
    /// The interface of a processor of the optical butterfly: the two destinations of the slot being sent, and the two
    /// sources of the slot arriving.
    ///
    /// `out_up` takes the packet for s XOR a, `out_down` the one for its complement. At the other end the packet whose last
    /// edge is straight (last bit of its word 0) comes in on `in_up`: its source is d XOR a or, if it went out below, d XOR the
    /// complement of a, which [`SourceWord`](super::SourceWord) tells apart.
    OpticalTerminal, OpticalTerminalSpec, "frit_optical_terminal":
    "Processor interface of the optical butterfly: the two destinations of the slot that is sent, and the two sources of the slot that arrives. Combinational.";
    "The routing word of the packet that leaves below is the complement of the word of the packet above. A packet whose last edge is straight (last bit of its word 0) arrives above, so the last bit of arrive_word_i is 0. No state.";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a processor's number, 2 or more", at_least 2;
        Terminal(bits) terminal: u64 = 0, "number of this processor";
    }
    ports {
        In send_word_i: Bus(bits, "TerminalBits"), "routing word of the slot that is sent, a_0 = 0 on top";
        In arrive_word_i: Bus(bits, "TerminalBits"), "bits in which the source of the packet that comes in above differs from this processor";
        Out up_dest_o: Bus(bits, "TerminalBits"), "destination of the packet that goes out above, same cycle";
        Out down_dest_o: Bus(bits, "TerminalBits"), "destination of the packet that goes out below, same cycle";
        Out up_source_o: Bus(bits, "TerminalBits"), "source of the packet that comes in above, same cycle";
        Out down_source_o: Bus(bits, "TerminalBits"), "source of the packet that comes in below, same cycle";
    }
    parts {
        terminal: Const = Const::parameter(terminal, bits, Some("TerminalBits"));
    }
}

impl kernel::Kernel for OpticalTerminal {
    #[hdl_gen]
    fn update(&mut self) {
        self.up_dest_o.next = self.terminal.val() ^ self.send_word_i.val();
        self.down_dest_o.next = !(self.terminal.val() ^ self.send_word_i.val());
        self.up_source_o.next = self.terminal.val() ^ self.arrive_word_i.val();
        self.down_source_o.next = !(self.terminal.val() ^ self.arrive_word_i.val());
    }
}

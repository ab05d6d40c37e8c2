use crate::table::*;

cell! {
    /// A terminal of the XOR method: asks for the word of the destination that it reaches in the round being sent, and knows
    /// whose word arrives in the round being received.
    ///
    /// Both are a constant of the terminal XOR the round. Where the network also rotates the bits of a number, the
    /// constants are rotated, and so is the round that `arrive_word_i` brings.
    XorTerminal, XorTerminalSpec, "frit_xor_terminal":
    "Terminal of the XOR method: destination of the round being sent and source of the round arriving, each a constant XOR the round. Combinational.";
    "Where the network also rotates the bits of a number (the Butterfly), the constants are rotated and the round comes to arrive_word_i with its bits rotated to the left. No state.";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a terminal's number, 2 or more", at_least 2;
        FirstDest(bits) dest: u64 = 0, "the destination in round 0";
        FirstSource(bits) source: u64 = 0, "the source in round 0";
    }
    ports {
        In send_word_i: Bus(bits, "TerminalBits"), "the round that is sent";
        In arrive_word_i: Bus(bits, "TerminalBits"), "the round that arrives, its bits rotated as the network rotates";
        Out send_dest_o: Bus(bits, "TerminalBits"), "its destination, same cycle";
        Out recv_source_o: Bus(bits, "TerminalBits"), "its source, same cycle";
    }
    parts {
        first_dest: Const = Const::parameter(dest, bits, Some("TerminalBits"));
        first_source: Const = Const::parameter(source, bits, Some("TerminalBits"));
    }
}

impl kernel::Kernel for XorTerminal {
    #[hdl_gen]
    fn update(&mut self) {
        self.send_dest_o.next = self.first_dest.val() ^ self.send_word_i.val();
        self.recv_source_o.next = self.first_source.val() ^ self.arrive_word_i.val();
    }
}

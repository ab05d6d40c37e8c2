use crate::table::*;

cell! {
    /// A terminal of the rotator: asks for the word of the destination that it reaches in the round being sent, and knows
    /// whose word arrives in the round being received.
    RotateTerminal, RotateTerminalSpec, "frit_rotate_terminal":
    "Terminal of a rotator: destination of the round being sent, its own number plus the round, and source of the round arriving, its own number less the round. Combinational.";
    "No state.";
    parameters {
        TerminalBits bits: u32 = 3, "bits of a terminal's number, 2 or more", at_least 2;
        Terminal(bits) terminal: u64 = 0, "number of the terminal";
    }
    ports {
        In send_round_i: Bus(bits, "TerminalBits"), "the round that is sent";
        In arrive_round_i: Bus(bits, "TerminalBits"), "the round that arrives";
        Out send_dest_o: Bus(bits, "TerminalBits"), "its destination, same cycle";
        Out recv_source_o: Bus(bits, "TerminalBits"), "its source, same cycle";
    }
    parts {
        terminal: Const = Const::parameter(terminal, bits, Some("TerminalBits"));
    }
}

impl kernel::Kernel for RotateTerminal {
    #[hdl_gen]
    fn update(&mut self) {
        self.send_dest_o.next = self.terminal.val() + self.send_round_i.val();
        self.recv_source_o.next = self.terminal.val() - self.arrive_round_i.val();
    }
}

use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`XorTerminal`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XorTerminalSpec {
    /// Bits of a terminal's number.
    pub bits: u32,
    /// The destination in round 0.
    pub dest: u64,
    /// The source in round 0.
    pub source: u64,
}

impl Describe for XorTerminalSpec {
    fn module(&self) -> String {
        "frit_xor_terminal".into()
    }
    fn title(&self) -> &'static str {
        "frit_xor_terminal"
    }
    fn summary(&self) -> &'static str {
        "Terminal of the XOR method: destination of the round being sent and source of the round arriving, each a constant XOR the round. Combinational."
    }
    fn details(&self) -> &'static str {
        "Where the network also rotates the bits of a number (the Butterfly), the constants are rotated and the round comes to arrive_word_i with its bits rotated to the left. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("TerminalBits", self.bits, "bits of a terminal's number, 2 or more").at_least(2),
            Parameter::sized("FirstDest", self.dest, self.bits, "the destination in round 0"),
            Parameter::sized("FirstSource", self.source, self.bits, "the source in round 0"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(XorTerminal::new(self.bits as usize, self.dest, self.source))
    }
    fn example() -> Self {
        XorTerminalSpec { bits: 3, dest: 0, source: 0 }
    }
}

/// A terminal of the XOR method: asks for the word of the destination that it reaches in the round being sent, and knows
/// whose word arrives in the round being received.
///
/// Both are a constant of the terminal XOR the round. Where the network also rotates the bits of a number, the
/// constants are rotated, and so is the round that `arrive_word_i` brings.
#[derive(LogicBlock)]
pub struct XorTerminal {
    send_word_i: Bus<In>,
    arrive_word_i: Bus<In>,
    send_dest_o: Bus<Out>,
    recv_source_o: Bus<Out>,
    first_dest: Const,
    first_source: Const,
}

impl XorTerminal {
    /// `dest` and `source` are the destination and the source of round 0, of `bits` bits.
    pub fn new(bits: usize, dest: u64, source: u64) -> Self {
        XorTerminal {
            send_word_i: Bus::named(bits, "TerminalBits"),
            arrive_word_i: Bus::named(bits, "TerminalBits"),
            send_dest_o: Bus::named(bits, "TerminalBits"),
            recv_source_o: Bus::named(bits, "TerminalBits"),
            first_dest: Const::parameter(dest, bits, Some("TerminalBits")),
            first_source: Const::parameter(source, bits, Some("TerminalBits")),
        }
    }
}

cell_ports!(XorTerminal:
    In send_word_i "the round that is sent",
    In arrive_word_i "the round that arrives, its bits rotated as the network rotates",
    Out send_dest_o "its destination, same cycle",
    Out recv_source_o "its source, same cycle",
);

impl Logic for XorTerminal {
    #[hdl_gen]
    fn update(&mut self) {
        self.send_dest_o.next = self.first_dest.val() ^ self.send_word_i.val();
        self.recv_source_o.next = self.first_source.val() ^ self.arrive_word_i.val();
    }
}

use crate::atoms::{Bus, Const};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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
    dest: Const,
    source: Const,
}

impl XorTerminal {
    /// `dest` and `source` are the destination and the source of round 0, of `bits` bits.
    pub fn new(bits: usize, dest: u64, source: u64) -> Self {
        XorTerminal {
            send_word_i: Bus::named(bits, "A"),
            arrive_word_i: Bus::named(bits, "A"),
            send_dest_o: Bus::named(bits, "A"),
            recv_source_o: Bus::named(bits, "A"),
            dest: Const::parameter(dest, bits, Some("A")),
            source: Const::parameter(source, bits, Some("A")),
        }
    }
}

cell_ports!(XorTerminal: In send_word_i, In arrive_word_i, Out send_dest_o, Out recv_source_o);

impl Logic for XorTerminal {
    #[hdl_gen]
    fn update(&mut self) {
        self.send_dest_o.next = self.dest.val() ^ self.send_word_i.val();
        self.recv_source_o.next = self.source.val() ^ self.arrive_word_i.val();
    }
}

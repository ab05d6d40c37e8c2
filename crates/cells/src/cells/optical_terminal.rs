use crate::atoms::{Bus, Const};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

/// The interface of a processor of the optical butterfly: the two destinations of the slot being sent, and the two
/// sources of the slot arriving.
///
/// `out_up` takes the packet for s XOR a, `out_down` the one for its complement. At the other end the packet whose last
/// edge is straight (last bit of its word 0) comes in on `in_up`.
#[derive(LogicBlock)]
pub struct OpticalTerminal {
    send_word_i: Bus<In>,
    arrive_word_i: Bus<In>,
    up_dest_o: Bus<Out>,
    down_dest_o: Bus<Out>,
    up_source_o: Bus<Out>,
    down_source_o: Bus<Out>,
    terminal: Const,
    low: Const,
}

impl OpticalTerminal {
    /// `terminal` among 2^bits.
    pub fn new(bits: usize, terminal: u64) -> Self {
        OpticalTerminal {
            send_word_i: Bus::named(bits, "A"),
            arrive_word_i: Bus::named(bits, "A"),
            up_dest_o: Bus::named(bits, "A"),
            down_dest_o: Bus::named(bits, "A"),
            up_source_o: Bus::named(bits, "A"),
            down_source_o: Bus::named(bits, "A"),
            terminal: Const::parameter(terminal, bits, Some("A")),
            low: Const::local(0, 32, None, "0"),
        }
    }
}

cell_ports!(OpticalTerminal: In send_word_i, In arrive_word_i, Out up_dest_o, Out down_dest_o, Out up_source_o,
    Out down_source_o);

impl Logic for OpticalTerminal {
    #[hdl_gen]
    fn update(&mut self) {
        self.up_dest_o.next = self.terminal.val() ^ self.send_word_i.val();
        self.down_dest_o.next = !(self.terminal.val() ^ self.send_word_i.val());
        self.up_source_o.next = self.terminal.val() ^ self.arrive_word_i.val();
        self.down_source_o.next = !(self.terminal.val() ^ self.arrive_word_i.val());
        if self.arrive_word_i.val().get_bit(self.low.val().index()) {
            self.up_source_o.next = !(self.terminal.val() ^ self.arrive_word_i.val());
            self.down_source_o.next = self.terminal.val() ^ self.arrive_word_i.val();
        }
    }
}

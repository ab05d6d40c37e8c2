use crate::atoms::{Bus, Const};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`OpticalTerminal`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpticalTerminalSpec {
    /// Bits of a terminal's number.
    pub bits: u32,
    /// The terminal.
    pub terminal: u64,
}

impl Describe for OpticalTerminalSpec {
    fn module(&self) -> String {
        "frit_optical_terminal".into()
    }
    fn title(&self) -> &'static str {
        "frit_optical_terminal"
    }
    fn summary(&self) -> &'static str {
        "Processor interface of the optical butterfly: two destinations of the slot being sent, two sources of the one arriving. Combinational."
    }
    fn details(&self) -> &'static str {
        "What leaves below takes the complement of the word above. What comes by a straight last edge (last bit of its word 0) comes in above. No state."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("TerminalBits", self.bits, "bits of a processor's number, 2 or more").at_least(2),
            Parameter::sized("Terminal", self.terminal, self.bits, "the processor's own number"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(OpticalTerminal::new(self.bits as usize, self.terminal))
    }
    fn example() -> Self {
        OpticalTerminalSpec { bits: 3, terminal: 0 }
    }
}

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
            send_word_i: Bus::named(bits, "TerminalBits"),
            arrive_word_i: Bus::named(bits, "TerminalBits"),
            up_dest_o: Bus::named(bits, "TerminalBits"),
            down_dest_o: Bus::named(bits, "TerminalBits"),
            up_source_o: Bus::named(bits, "TerminalBits"),
            down_source_o: Bus::named(bits, "TerminalBits"),
            terminal: Const::parameter(terminal, bits, Some("TerminalBits")),
            low: Const::local(0, 32, None, "0"),
        }
    }
}

cell_ports!(OpticalTerminal:
    In send_word_i "the routing word of the slot that is sent, a_0 = 0 on top",
    In arrive_word_i "the routing word of the slot that arrives",
    Out up_dest_o "the destination of the packet that goes out above, same cycle",
    Out down_dest_o "the destination of the packet that goes out below, same cycle",
    Out up_source_o "who sent the packet that comes in above, same cycle",
    Out down_source_o "who sent the packet that comes in below, same cycle",
);

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

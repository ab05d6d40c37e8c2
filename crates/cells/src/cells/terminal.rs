use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`Terminal`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalSpec {
    /// Bits of a terminal's number.
    pub bits: u32,
    /// The terminal.
    pub terminal: u64,
    /// What is added to the source with each arrival.
    pub step: u64,
}

impl Describe for TerminalSpec {
    fn module(&self) -> String {
        "frit_terminal".into()
    }
    fn title(&self) -> &'static str {
        "frit_terminal"
    }
    fn summary(&self) -> &'static str {
        "Terminal of a rotation schedule: asks for the word of the scheduled destination and knows whose word arrives."
    }
    fn details(&self) -> &'static str {
        "The sources go by one up or down from round to round. State: the source (reset to Terminal)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("TerminalBits", self.bits, "bits of a terminal's number, 2 or more").at_least(2),
            Parameter::sized("Terminal", self.terminal, self.bits, "the terminal's own number"),
            Parameter::sized("Step", self.step, self.bits, "added to the source with each arrival: 1 for right rotations, -1 (all ones) for left ones"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Terminal::new(self.bits as usize, self.terminal, self.step))
    }
    fn example() -> Self {
        TerminalSpec { bits: 3, terminal: 0, step: 1 }
    }
}

/// A terminal of a rotation schedule: asks for the word of the scheduled destination, and knows whose word arrives.
///
/// The source counts up (right rotations) or down (left) from the terminal's own number with each arrival.
#[derive(LogicBlock)]
pub struct Terminal {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    sending_i: Signal<In, Bit>,
    dest_i: Bus<In>,
    arriving_i: Signal<In, Bit>,
    send_valid_o: Signal<Out, Bit>,
    send_dest_o: Bus<Out>,
    recv_source_o: Bus<Out>,
    terminal: Const,
    step: Const,
    source: Reg,
}

impl Terminal {
    /// `terminal` among 2^bits; `step` is 1 for right rotations, -1 (mod 2^bits) for left ones.
    pub fn new(bits: usize, terminal: u64, step: u64) -> Self {
        let terminal = Const::parameter(terminal, bits, Some("TerminalBits"));
        Terminal {
            clk_i: Default::default(),
            rst_i: Default::default(),
            sending_i: Default::default(),
            dest_i: Bus::named(bits, "TerminalBits"),
            arriving_i: Default::default(),
            send_valid_o: Default::default(),
            send_dest_o: Bus::named(bits, "TerminalBits"),
            recv_source_o: Bus::named(bits, "TerminalBits"),
            step: Const::parameter(step, bits, Some("TerminalBits")),
            source: Reg::reset_to(&terminal, "TerminalBits", "Terminal"),
            terminal,
        }
    }
}

cell_ports!(Terminal:
    In clk_i "clock, rising edge",
    In rst_i "reset to round 0",
    In sending_i "a round is sent in this cycle",
    In dest_i "its destination, from the label generator",
    In arriving_i "a round arrives in this cycle",
    Out send_valid_o "sending_i, same cycle: the terminal takes a word",
    Out send_dest_o "dest_i, same cycle: for which destination",
    Out recv_source_o "who sent the word that arrives in this cycle",
);

impl Logic for Terminal {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, source);
        self.source.reset.next = self.rst_i.val();
        self.source.d.next = self.source.q.val();
        if self.arriving_i.val() {
            self.source.d.next = self.source.q.val() + self.step.val();
        }
        self.send_valid_o.next = self.sending_i.val();
        self.send_dest_o.next = self.dest_i.val();
        self.recv_source_o.next = self.source.q.val();
    }
}

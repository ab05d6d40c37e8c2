use crate::atoms::{Bus, Const, Reg};
use crate::cell::cell_ports;
use rust_hdl::prelude::*;

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
        let terminal = Const::parameter(terminal, bits, Some("A"));
        Terminal {
            clk_i: Default::default(),
            rst_i: Default::default(),
            sending_i: Default::default(),
            dest_i: Bus::named(bits, "A"),
            arriving_i: Default::default(),
            send_valid_o: Default::default(),
            send_dest_o: Bus::named(bits, "A"),
            recv_source_o: Bus::named(bits, "A"),
            step: Const::parameter(step, bits, Some("A")),
            source: Reg::reset_to(&terminal, "A", "TERMINAL"),
            terminal,
        }
    }
}

cell_ports!(Terminal: In clk_i, In rst_i, In sending_i, In dest_i, In arriving_i, Out send_valid_o,
    Out send_dest_o, Out recv_source_o);

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

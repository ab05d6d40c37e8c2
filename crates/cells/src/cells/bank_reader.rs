use crate::atoms::{Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`BankReader`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankReaderSpec {
    /// Ports of a side.
    pub ports: u32,
    /// Bits of a count of buffers of the bank.
    pub bits: u32,
}

impl Describe for BankReaderSpec {
    fn module(&self) -> String {
        "frit_bank_reader".into()
    }
    fn title(&self) -> &'static str {
        "frit_bank_reader"
    }
    fn summary(&self) -> &'static str {
        "The messages of a bank that have gone, and the next one: it is sent when it is the turn of the in-port to which the port of the bank leads."
    }
    fn details(&self) -> &'static str {
        "limit_i counts buffers of this bank alone. after_o is the address to be read, a cycle ahead. State: messages sent (reset to 0)."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("CountBits", self.bits, "bits of a count of buffers of the bank, 2 or more").at_least(2),
            Parameter::plain("Ports", self.ports, "ports of a side"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(BankReader::new(self.ports as usize, self.bits as usize))
    }
    fn example() -> Self {
        BankReaderSpec { ports: 2, bits: 4 }
    }
}

/// Reads a bank of a side: its messages go out one a cycle when it is the turn of the bank's port.
#[derive(LogicBlock)]
pub struct BankReader {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    chosen_i: Bus<In>,
    turn_i: Bus<In>,
    limit_i: Bus<In>,
    offer_o: Bus<Out>,
    sends_o: Signal<Out, Bit>,
    waits_o: Signal<Out, Bit>,
    after_o: Bus<Out>,
    one: Const,
    none: Const,
    waits: Signal<Local, Bit>,
    sends: Signal<Local, Bit>,
    after: Bus<Local>,
    sent: Reg,
}

impl BankReader {
    /// For `ports` ports and counts of `bits` bits.
    pub fn new(ports: usize, bits: usize) -> Self {
        BankReader {
            clk_i: Default::default(),
            rst_i: Default::default(),
            chosen_i: Bus::named(ports, "Ports"),
            turn_i: Bus::named(ports, "Ports"),
            limit_i: Bus::named(bits, "CountBits"),
            offer_o: Bus::named(ports, "Ports"),
            sends_o: Default::default(),
            waits_o: Default::default(),
            after_o: Bus::named(bits, "CountBits"),
            one: Const::one(bits, "CountBits"),
            none: Const::zero(ports, "Ports"),
            waits: Default::default(),
            sends: Default::default(),
            after: Bus::named(bits, "CountBits"),
            sent: Reg::zero(bits, "CountBits"),
        }
    }
}

cell_ports!(BankReader:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: nothing is sent",
    In chosen_i "the port of the bank, a bit for each",
    In turn_i "ports whose turn it is",
    In limit_i "messages that were there when the round began",
    Out offer_o "the port on which the word that is read is sent, same cycle",
    Out sends_o "a word is sent, same cycle",
    Out waits_o "messages are left that may go in this round",
    Out after_o "messages sent with this cycle, same cycle",
);

impl Logic for BankReader {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, sent);
        self.sent.reset.next = self.rst_i.val();
        self.waits.next = self.sent.q.val() != self.limit_i.val();
        self.sends.next = self.waits.val() & (self.chosen_i.val() & self.turn_i.val()).any();
        self.after.next = self.sent.q.val();
        self.offer_o.next = self.none.val();
        if self.sends.val() {
            self.after.next = self.sent.q.val() + self.one.val();
            self.offer_o.next = self.chosen_i.val();
        }
        self.sent.d.next = self.after.val();
        self.sends_o.next = self.sends.val();
        self.waits_o.next = self.waits.val();
        self.after_o.next = self.after.val();
    }
}

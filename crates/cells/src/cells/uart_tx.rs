use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, counter_bits, ready};
use crate::table::comment;
use rust_hdl::prelude::*;

/// What an instance of [`UartTx`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UartTxSpec {
    /// Cycles of a bit, 4 at least.
    pub divider: u64,
}

impl Describe for UartTxSpec {
    fn module(&self) -> String {
        "frit_uart_tx".into()
    }
    fn title(&self) -> &'static str {
        "frit_uart_tx"
    }
    fn summary(&self) -> &'static str {
        "Serial line, 8N1: a byte is taken in a cycle with valid_i and ready_o, and each bit lasts Divider cycles."
    }
    fn details(&self) -> &'static str {
        "A byte is sent as a start bit (0), 8 data bits, least significant first, and a stop bit (1). ready_o is low until the stop bit has been sent. While no byte is sent, the line is 1."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("TimerBits", counter_bits(self.divider), "bits of the counter of the cycles of a bit"),
            Parameter::sized("Divider", self.divider, counter_bits(self.divider), "cycles of a bit, 4 or more").at_least(4),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(UartTx::new(counter_bits(self.divider) as usize, self.divider))
    }
    fn example() -> Self {
        UartTxSpec { divider: 104 }
    }
}

/// Sends bytes over a serial line: 8 data bits, the least significant first, no parity, one stop bit (8N1).
///
/// A byte is taken in a cycle with `valid_i` and `ready_o`. Every bit lasts Divider cycles; the line rests at 1.
#[derive(LogicBlock)]
pub struct UartTx {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    valid_i: Signal<In, Bit>,
    char_i: Bus<In>,
    ready_o: Signal<Out, Bit>,
    uart_o: Signal<Out, Bit>,
    divider: Const,
    two: Const,
    one: Const,
    zero: Const,
    almost: Const,
    right: Const,
    stop: Const,
    step: Const,
    start: Const,
    last: Const,
    low: Const,
    busy: BitReg,
    space: BitReg,
    tick: BitReg,
    timer: Reg,
    sent: Reg,
    shift: Reg,
}

impl UartTx {
    /// With bits of `divider` cycles, 4 at least, counted in `bits` bits.
    pub fn new(bits: usize, divider: u64) -> Self {
        UartTx {
            clk_i: Default::default(),
            rst_i: Default::default(),
            valid_i: Default::default(),
            char_i: Bus::new(8),
            ready_o: Default::default(),
            uart_o: Default::default(),
            divider: Const::parameter(divider, bits, Some("TimerBits")),
            two: Const::local(2, bits, Some("TimerBits"), "2"),
            one: Const::one(bits, "TimerBits"),
            zero: Const::zero(bits, "TimerBits"),
            almost: Const::local(divider - 2, bits, Some("TimerBits"), "Divider - TWO"),
            right: Const::local(1, 8, None, "8'd1"),
            stop: Const::local(0x80, 8, None, "8'h80"),
            step: Const::local(1, 4, None, "4'd1"),
            start: Const::local(0, 4, None, "4'd0"),
            last: Const::local(9, 4, None, "4'd9"),
            low: Const::local(0, 32, None, "0"),
            busy: Default::default(),
            space: BitReg::default().purpose("the line is 0"),
            tick: BitReg::default().purpose("the bit ends in this cycle"),
            timer: Reg::zero(bits, "TimerBits"),
            sent: Reg::fixed(4).purpose("bits sent"),
            shift: Reg::fixed(8).purpose("bits left to send, the next bit on the right"),
        }
    }
}

cell_ports!(UartTx:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous: the line is 1",
    In valid_i "a byte is offered",
    In char_i "byte",
    Out ready_o "a byte can be taken",
    Out uart_o "serial line",
);

impl Logic for UartTx {
    // The start bit and every 0 are a space on the line, so that the register of the line is reset to rest.
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, busy, space, tick, timer, sent, shift);
        self.busy.reset.next = self.rst_i.val();
        self.space.reset.next = self.rst_i.val();
        self.tick.reset.next = self.rst_i.val();
        self.timer.reset.next = self.rst_i.val();
        self.sent.reset.next = self.rst_i.val();
        self.shift.reset.next = self.rst_i.val();
        comment!("");
        self.busy.d.next = self.busy.q.val();
        self.space.d.next = self.space.q.val();
        self.sent.d.next = self.sent.q.val();
        self.shift.d.next = self.shift.q.val();
        comment!("A bit lasts from one tick to the next.");
        self.tick.d.next = self.busy.q.val() & (self.timer.q.val() == self.almost.val());
        self.timer.d.next = self.timer.q.val() + self.one.val();
        if self.tick.q.val() | !self.busy.q.val() {
            self.timer.d.next = self.zero.val();
        }
        comment!("The next bit goes to the line, the lowest first, then the stop bit.");
        if self.tick.q.val() {
            self.space.d.next = !self.shift.q.val().get_bit(self.low.val().index());
            self.shift.d.next = (self.shift.q.val() >> self.right.val()) | self.stop.val();
            self.sent.d.next = self.sent.q.val() + self.step.val();
            if self.sent.q.val() == self.last.val() {
                self.busy.d.next = false;
            }
        }
        comment!("A character begins with the start bit.");
        if self.valid_i.val() & !self.busy.q.val() {
            self.busy.d.next = true;
            self.space.d.next = true;
            self.sent.d.next = self.start.val();
            self.shift.d.next = self.char_i.val();
        }
        comment!("");
        self.ready_o.next = !self.busy.q.val();
        self.uart_o.next = !self.space.q.val();
    }
}

use crate::table::*;

cell! {
    /// Sends bytes over a serial line: 8 data bits, the least significant first, no parity, one stop bit (8N1).
    ///
    /// A byte is taken in a cycle with `valid_i` and `ready_o`. Every bit lasts Divider cycles; the line rests at 1.
    UartTx, UartTxSpec, "frit_uart_tx":
    "Serial line, 8N1: a byte is taken in a cycle with valid_i and ready_o, and each bit lasts Divider cycles.";
    "A byte is sent as a start bit (0), 8 data bits, least significant first, and a stop bit (1). ready_o is low until the stop bit has been sent. While no byte is sent, the line is 1.";
    members {
        divider: u64 = 104, "cycles of a bit, 4 at least";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous: the line is 1";
        In valid_i: Bit, "a byte is offered";
        In char_i: Bus(8), "byte";
        Out ready_o: Bit, "a byte can be taken";
        Out uart_o: Bit, "serial line";
    }
    with {
        let bits = counter_bits(divider) as usize;
    }
    parts {
        divider: Const = Const::parameter(divider, bits, Some("TimerBits"));
        two: Const = Const::local(2, bits, Some("TimerBits"), "2");
        one: Const = Const::one(bits, "TimerBits");
        zero: Const = Const::zero(bits, "TimerBits");
        almost: Const = Const::local(divider - 2, bits, Some("TimerBits"), "Divider - TWO");
        right: Const = Const::local(1, 8, None, "8'd1");
        stop: Const = Const::local(0x80, 8, None, "8'h80");
        step: Const = Const::local(1, 4, None, "4'd1");
        start: Const = Const::local(0, 4, None, "4'd0");
        last: Const = Const::local(9, 4, None, "4'd9");
        low: Const = Const::local(0, 32, None, "0");
        busy: BitReg;
        space: BitReg = BitReg::default().purpose("the line is 0");
        tick: BitReg = BitReg::default().purpose("the bit ends in this cycle");
        timer: Reg = Reg::zero(bits, "TimerBits");
        sent: Reg = Reg::fixed(4).purpose("bits sent");
        shift: Reg = Reg::fixed(8).purpose("bits left to send, the next bit on the right");
    }
    describe {
        fn parameters(&self) -> Vec<Parameter> {
            vec![
                Parameter::plain("TimerBits", counter_bits(self.divider), "bits of the counter of the cycles of a bit"),
                Parameter::sized("Divider", self.divider, counter_bits(self.divider), "cycles of a bit, 4 or more").at_least(4),
            ]
        }
    }
}

impl kernel::Kernel for UartTx {
    // The start bit and every 0 are a space on the line, so that the register of the line is reset to rest.
    #[hdl_gen]
    fn update(&mut self) {
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
        comment!("The line is high when nothing is sent.");
        self.ready_o.next = !self.busy.q.val();
        self.uart_o.next = !self.space.q.val();
    }
}

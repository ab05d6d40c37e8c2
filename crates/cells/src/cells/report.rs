use crate::table::*;

cell! {
    /// Sends a line of text to a UART: the characters of a table, some of which stand for a hexadecimal digit.
    ///
    /// The fields are taken in the cycle after `send_i`.
    ///
    /// `index_o` asks the table for `code_i`: a character, 128 for the next digit of the fields, 0 for the end. `fields_o`
    /// and `more_o` hold what is left of the fields; `digit_i` is their four top bits, `rest_i` and `later_i` are the others with four zeros behind. Each character takes four cycles and as many as
    /// the UART needs; the line is sent when the UART has sent the last of them.
    Report, ReportSpec, "frit_report":
    "Sends a line of text to a UART. The characters come from a table; code 128 stands for the next hexadecimal digit of the fields, and code 0 ends the line.";
    "index_o asks a table (frit_rom) for the next code. After each digit the fields move up by four bits; digit_i, rest_i and later_i are sliced from fields_o and more_o outside this cell.";
    parameters {
        IndexBits bits: u32 = 6, "bits of a character's position in the line, 2 or more", at_least 2;
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In send_i: Bit, "sends a line; ignored while a line is being sent";
        In fields_i: Bus(64), "first fields of the line, 16 digits, taken in the cycle after send_i";
        In more_i: Bus(32), "last field, 8 digits, taken in the same cycle";
        In code_i: Bus(8), "code of the table at index_o";
        In digit_i: Bus(8), "top four bits of fields_o";
        In rest_i: Bus(64), "other bits of fields_o, followed by the top four bits of more_o";
        In later_i: Bus(32), "other bits of more_o, followed by four zeros";
        In uart_ready_i: Bit, "the UART can take a character";
        Out ready_o: Bit, "no line is being sent";
        Out index_o: Bus(bits, "IndexBits") = index.q, "position of the next character";
        Out fields_o: Bus(64) = fields.q, "digits that have not been sent";
        Out more_o: Bus(32) = more.q, "digits that follow those of fields_o";
        Out valid_o: Bit = offer.q, "a character is offered";
        Out char_o: Bus(8) = symbol.q, "character";
    }
    with {
        let byte = |value: u64| Const::local(value, 8, None, &format!("8'h{value:02x}"));
    }
    parts {
        one: Const = Const::one(bits, "IndexBits");
        start: Const = Const::zero(bits, "IndexBits");
        finish: Const = byte(0);
        nine: Const = byte(9);
        numeral: Const = byte(b'0' as u64);
        letter: Const = byte(b'a' as u64 - 10);
        top: Const = Const::local(7, 32, None, "7");
        active: BitReg = BitReg::default().purpose("a line is being sent");
        load: BitReg = BitReg::default().purpose("the fields are taken in this cycle");
        shift: BitReg = BitReg::default().purpose("a digit leaves the fields in this cycle");
        ending: BitReg = BitReg::default().purpose("the code ends the line");
        fetch: BitReg = BitReg::default().purpose("index_o is valid and the table is read in this cycle");
        look: BitReg = BitReg::default().purpose("the code has come");
        convert: BitReg = BitReg::default().purpose("the code becomes a character in this cycle");
        offer: BitReg = BitReg::default().purpose("the character waits for the UART");
        index: Reg = Reg::zero(bits, "IndexBits");
        code: Reg = Reg::fixed(8);
        symbol: Reg = Reg::fixed(8);
        fields: Reg = Reg::fixed(64);
        more: Reg = Reg::fixed(32);
    }
}

impl kernel::Kernel for Report {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The steps of a character: fetch its code, look the digit up, convert it, offer it to the line.");
        self.load.d.next = self.send_i.val() & !self.active.q.val();
        self.shift.d.next = self.convert.q.val() & self.code.q.val().get_bit(self.top.val().index());
        self.ending.d.next = self.code.q.val() == self.finish.val();
        self.fetch.d.next = self.load.q.val() | (self.offer.q.val() & self.uart_ready_i.val());
        self.look.d.next = self.fetch.q.val();
        self.convert.d.next =
            self.look.q.val() | (self.convert.q.val() & self.ending.q.val() & !self.uart_ready_i.val());
        self.offer.d.next =
            (self.offer.q.val() & !self.uart_ready_i.val()) | (self.convert.q.val() & !self.ending.q.val());
        comment!("A report lasts from its request to the code that ends it.");
        if self.send_i.val() {
            self.active.d.next = true;
        }
        if self.convert.q.val() & self.ending.q.val() & self.uart_ready_i.val() {
            self.active.d.next = false;
        }
        comment!("The code that was fetched.");
        if self.fetch.q.val() {
            self.code.d.next = self.code_i.val();
        }
        comment!("A code with its top bit is a digit of the fields, in hexadecimal; any other is a character.");
        if self.convert.q.val() {
            self.symbol.d.next = self.code.q.val();
            if self.code.q.val().get_bit(self.top.val().index()) {
                self.symbol.d.next = self.digit_i.val() + self.numeral.val();
                if self.digit_i.val() > self.nine.val() {
                    self.symbol.d.next = self.digit_i.val() + self.letter.val();
                }
            }
        }
        comment!("The place in the text, and the fields with the next digit on top.");
        if self.offer.q.val() & self.uart_ready_i.val() {
            self.index.d.next = self.index.q.val() + self.one.val();
        }
        if self.shift.q.val() {
            self.fields.d.next = self.rest_i.val();
            self.more.d.next = self.later_i.val();
        }
        if self.load.q.val() {
            self.index.d.next = self.start.val();
            self.fields.d.next = self.fields_i.val();
            self.more.d.next = self.more_i.val();
        }
        comment!("The next report can be requested when this one is over.");
        self.ready_o.next = !self.active.q.val();
    }
}

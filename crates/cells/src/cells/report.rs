use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use rust_hdl::prelude::*;

/// What an instance of [`Report`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportSpec {
    /// Bits of a character's place in the line.
    pub bits: u32,
}

impl Describe for ReportSpec {
    fn module(&self) -> String {
        "frit_report".into()
    }
    fn title(&self) -> &'static str {
        "frit_report"
    }
    fn summary(&self) -> &'static str {
        "Line of text for a UART: characters of a table, and the hexadecimal digits of the fields where the table has 128; 0 ends it."
    }
    fn details(&self) -> &'static str {
        "index_o asks a table (frit_rom) for the next code. The fields move up by four bits for each digit; the slices are taken outside."
    }
    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::plain("IndexBits", self.bits, "bits of a character's place in the line, 2 or more").at_least(2),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(Report::new(self.bits as usize))
    }
    fn example() -> Self {
        ReportSpec { bits: 6 }
    }
}

/// Sends a line of text to a UART: the characters of a table, some of which stand for a hexadecimal digit.
///
/// The fields are taken in the cycle after `send_i`.
///
/// `index_o` asks the table for `code_i`: a character, 128 for the next digit of the fields, 0 for the end. `fields_o`
/// holds what is left of the fields; `digit_i` is its four top bits, `rest_i` the others with four zeros behind. Each character takes four cycles and as many as
/// the UART needs; the line is sent when the UART has sent the last of them.
#[derive(LogicBlock)]
pub struct Report {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    send_i: Signal<In, Bit>,
    fields_i: Bus<In>,
    code_i: Bus<In>,
    digit_i: Bus<In>,
    rest_i: Bus<In>,
    uart_ready_i: Signal<In, Bit>,
    ready_o: Signal<Out, Bit>,
    index_o: Bus<Out>,
    fields_o: Bus<Out>,
    valid_o: Signal<Out, Bit>,
    char_o: Bus<Out>,
    one: Const,
    start: Const,
    finish: Const,
    nine: Const,
    numeral: Const,
    letter: Const,
    top: Const,
    active: BitReg,
    load: BitReg,
    shift: BitReg,
    ending: BitReg,
    fetch: BitReg,
    look: BitReg,
    convert: BitReg,
    offer: BitReg,
    index: Reg,
    code: Reg,
    symbol: Reg,
    fields: Reg,
}

impl Report {
    /// For a table of at most 2^`bits` characters, 2 bits at least.
    pub fn new(bits: usize) -> Self {
        let byte = |value: u64| Const::local(value, 8, None, &format!("8'h{value:02x}"));
        Report {
            clk_i: Default::default(),
            rst_i: Default::default(),
            send_i: Default::default(),
            fields_i: Bus::new(64),
            code_i: Bus::new(8),
            digit_i: Bus::new(8),
            rest_i: Bus::new(64),
            uart_ready_i: Default::default(),
            ready_o: Default::default(),
            index_o: Bus::named(bits, "IndexBits"),
            fields_o: Bus::new(64),
            valid_o: Default::default(),
            char_o: Bus::new(8),
            one: Const::one(bits, "IndexBits"),
            start: Const::zero(bits, "IndexBits"),
            finish: byte(0),
            nine: byte(9),
            numeral: byte(b'0' as u64),
            letter: byte(b'a' as u64 - 10),
            top: Const::local(7, 32, None, "7"),
            active: BitReg::default().purpose("a line is being sent"),
            load: BitReg::default().purpose("the fields are taken in this cycle"),
            shift: BitReg::default().purpose("a digit leaves the fields in this cycle"),
            ending: BitReg::default().purpose("the code ends the line"),
            fetch: BitReg::default().purpose("a code is asked for in this cycle"),
            look: BitReg::default().purpose("the code has come"),
            convert: BitReg::default().purpose("the code becomes a character in this cycle"),
            offer: BitReg::default().purpose("the character waits for the UART"),
            index: Reg::zero(bits, "IndexBits"),
            code: Reg::fixed(8),
            symbol: Reg::fixed(8),
            fields: Reg::fixed(64),
        }
    }
}

cell_ports!(Report:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous",
    In send_i "send a line; ignored while one is sent",
    In fields_i "the fields of the line, 16 digits, taken in the cycle after send_i",
    In code_i "the table's code for index_o",
    In digit_i "the four top bits of fields_o",
    In rest_i "the others, and four zeros behind them",
    In uart_ready_i "the UART takes a character",
    Out ready_o "no line is being sent",
    Out index_o "the place of the next character",
    Out fields_o "what is left of the fields",
    Out valid_o "a character is offered",
    Out char_o "the character",
);

impl Logic for Report {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self, clk_i, active, load, shift, ending, fetch, look, convert, offer, index, code, symbol,
            fields
        );
        self.active.reset.next = self.rst_i.val();
        self.load.reset.next = self.rst_i.val();
        self.shift.reset.next = self.rst_i.val();
        self.ending.reset.next = self.rst_i.val();
        self.fetch.reset.next = self.rst_i.val();
        self.look.reset.next = self.rst_i.val();
        self.convert.reset.next = self.rst_i.val();
        self.offer.reset.next = self.rst_i.val();
        self.index.reset.next = self.rst_i.val();
        self.code.reset.next = self.rst_i.val();
        self.symbol.reset.next = self.rst_i.val();
        self.fields.reset.next = self.rst_i.val();
        self.active.d.next = self.active.q.val();
        self.load.d.next = self.send_i.val() & !self.active.q.val();
        self.shift.d.next = self.convert.q.val() & self.code.q.val().get_bit(self.top.val().index());
        self.ending.d.next = self.code.q.val() == self.finish.val();
        self.fetch.d.next = self.load.q.val() | (self.offer.q.val() & self.uart_ready_i.val());
        self.look.d.next = self.fetch.q.val();
        self.convert.d.next =
            self.look.q.val() | (self.convert.q.val() & self.ending.q.val() & !self.uart_ready_i.val());
        self.offer.d.next =
            (self.offer.q.val() & !self.uart_ready_i.val()) | (self.convert.q.val() & !self.ending.q.val());
        if self.send_i.val() {
            self.active.d.next = true;
        }
        if self.convert.q.val() & self.ending.q.val() & self.uart_ready_i.val() {
            self.active.d.next = false;
        }
        self.code.d.next = self.code.q.val();
        if self.fetch.q.val() {
            self.code.d.next = self.code_i.val();
        }
        self.symbol.d.next = self.symbol.q.val();
        if self.convert.q.val() {
            self.symbol.d.next = self.code.q.val();
            if self.code.q.val().get_bit(self.top.val().index()) {
                self.symbol.d.next = self.digit_i.val() + self.numeral.val();
                if self.digit_i.val() > self.nine.val() {
                    self.symbol.d.next = self.digit_i.val() + self.letter.val();
                }
            }
        }
        self.index.d.next = self.index.q.val();
        if self.offer.q.val() & self.uart_ready_i.val() {
            self.index.d.next = self.index.q.val() + self.one.val();
        }
        self.fields.d.next = self.fields.q.val();
        if self.shift.q.val() {
            self.fields.d.next = self.rest_i.val();
        }
        if self.load.q.val() {
            self.index.d.next = self.start.val();
            self.fields.d.next = self.fields_i.val();
        }
        self.ready_o.next = !self.active.q.val();
        self.index_o.next = self.index.q.val();
        self.fields_o.next = self.fields.q.val();
        self.valid_o.next = self.offer.q.val();
        self.char_o.next = self.symbol.q.val();
    }
}

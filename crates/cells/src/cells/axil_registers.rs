use crate::atoms::{BitReg, Bus, Const, Reg};
use crate::cell::{Cell, cell_ports};
use crate::describe::{Describe, Parameter, ready};
use crate::registers::{Constants, ID, VERSION, register};
use rust_hdl::prelude::*;

/// What an instance of [`AxilRegisters`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxilRegistersSpec {
    /// What its constant registers read.
    pub constants: Constants,
}

impl Describe for AxilRegistersSpec {
    fn module(&self) -> String {
        "frit_axil_registers".into()
    }
    fn title(&self) -> &'static str {
        "frit_axil_registers"
    }
    fn summary(&self) -> &'static str {
        "Control and status registers behind an AXI4-Lite port: start, status, errors, interrupt, counts, and the values that the design was generated with. docs/registers.md has the map."
    }
    fn details(&self) -> &'static str {
        "The port takes the address and the word of a write independently. The write takes effect in the cycle after both have been taken, and its response comes one cycle later. The response to a read comes in the cycle after its address was taken. One write and one read can be under way at a time. An access to address 64 or above is answered with SLVERR (2) and has no effect. A write to a read-only register is answered with OKAY and has no effect. Only the lowest 5 bits of a word and the lowest strobe are used. State, all reset to 0: a write and its response, a read, control, the interrupt, the exchanges done."
    }
    fn parameters(&self) -> Vec<Parameter> {
        let number = |name, value: u32, meaning| Parameter::sized(name, value.into(), 32, meaning);
        let constants = self.constants;
        vec![
            number("System", constants.system, "value of register SYSTEM"),
            number("Terminals", constants.terminals, "value of register TERMINALS"),
            number("Width", constants.width, "value of register WIDTH"),
            number("Message", constants.message, "value of register MESSAGE"),
            number("RunCycles", constants.run_cycles, "value of register RUN_CYCLES"),
        ]
    }
    fn prototype(&self) -> Box<dyn Cell> {
        ready(AxilRegisters::new(self.constants))
    }
    fn example() -> Self {
        let constants =
            Constants { system: 0x0123_4567, terminals: 8, width: 32, message: 0x0001_0001, run_cycles: 13 };
        AxilRegistersSpec { constants }
    }
}

/// Registers of control and status behind an AXI4-Lite port; the map is [`crate::registers`].
#[derive(LogicBlock)]
pub struct AxilRegisters {
    clk_i: Signal<In, Clock>,
    rst_i: Signal<In, Bit>,
    awvalid_i: Signal<In, Bit>,
    awready_o: Signal<Out, Bit>,
    awword_i: Bus<In>,
    wvalid_i: Signal<In, Bit>,
    wready_o: Signal<Out, Bit>,
    wdata_i: Bus<In>,
    wstrb_i: Signal<In, Bit>,
    bvalid_o: Signal<Out, Bit>,
    bready_i: Signal<In, Bit>,
    bresp_o: Bus<Out>,
    arvalid_i: Signal<In, Bit>,
    arready_o: Signal<Out, Bit>,
    arword_i: Bus<In>,
    rvalid_o: Signal<Out, Bit>,
    rready_i: Signal<In, Bit>,
    rdata_o: Bus<Out>,
    rresp_o: Bus<Out>,
    start_o: Signal<Out, Bit>,
    clear_o: Bus<Out>,
    ready_i: Signal<In, Bit>,
    busy_i: Signal<In, Bit>,
    done_i: Signal<In, Bit>,
    cycles_i: Bus<In>,
    errors_i: Bus<In>,
    irq_o: Signal<Out, Bit>,
    system: Const,
    terminals: Const,
    width: Const,
    message: Const,
    run_cycles: Const,
    id: Const,
    version: Const,
    at_id: Const,
    at_version: Const,
    at_system: Const,
    at_terminals: Const,
    at_width: Const,
    at_message: Const,
    at_run_cycles: Const,
    at_control: Const,
    at_status: Const,
    at_errors: Const,
    at_irq_status: Const,
    at_irq_enable: Const,
    at_cycles: Const,
    at_exchanges: Const,
    at_end: Const,
    zero: Const,
    one: Const,
    is_auto: Const,
    is_busy: Const,
    is_missing: Const,
    is_double: Const,
    is_unknown: Const,
    is_length: Const,
    is_conflict: Const,
    is_error: Const,
    okay: Const,
    error_response: Const,
    no_errors: Const,
    missing: Const,
    double: Const,
    unknown: Const,
    length: Const,
    conflict: Const,
    auto_bit: Const,
    start_bit: Const,
    done_bit: Const,
    error_bit: Const,
    read: Bus<Local>,
    writing: Signal<Local, Bit>,
    changing: Signal<Local, Bit>,
    reading: Signal<Local, Bit>,
    aw_held: BitReg,
    w_held: BitReg,
    strobe: BitReg,
    answered: BitReg,
    shown: BitReg,
    start: BitReg,
    auto_start: BitReg,
    done: BitReg,
    done_enabled: BitReg,
    error_enabled: BitReg,
    aw_word: Reg,
    w_data: Reg,
    response: Reg,
    read_data: Reg,
    read_response: Reg,
    exchanges: Reg,
}

/// Bits of the number of a word.
const WORD_BITS: usize = 6;
/// Bits of a word that mean something when they are written.
const WRITTEN_BITS: usize = 5;

impl AxilRegisters {
    /// With these constants.
    pub fn new(constants: Constants) -> Self {
        let number = |value: u32| Const::local(value.into(), 32, None, &format!("32'h{value:08x}"));
        let parameter = |value: u32| Const::parameter(value.into(), 32, None);
        let word = |at: u64| Const::local(at, WORD_BITS, None, &format!("{WORD_BITS}'d{at}"));
        let at = |name: &str| word(register(name).index());
        let mask = |name: &str, field: &str| number(register(name).field(field).mask());
        let index = |name: &str, field: &str| {
            let low = register(name).field(field).low;
            Const::local(low.into(), 32, None, &low.to_string())
        };
        let response = |value: u64| Const::local(value, 2, None, &format!("2'd{value}"));
        AxilRegisters {
            clk_i: Default::default(),
            rst_i: Default::default(),
            awvalid_i: Default::default(),
            awready_o: Default::default(),
            awword_i: Bus::new(WORD_BITS),
            wvalid_i: Default::default(),
            wready_o: Default::default(),
            wdata_i: Bus::new(WRITTEN_BITS),
            wstrb_i: Default::default(),
            bvalid_o: Default::default(),
            bready_i: Default::default(),
            bresp_o: Bus::new(2),
            arvalid_i: Default::default(),
            arready_o: Default::default(),
            arword_i: Bus::new(WORD_BITS),
            rvalid_o: Default::default(),
            rready_i: Default::default(),
            rdata_o: Bus::new(32),
            rresp_o: Bus::new(2),
            start_o: Default::default(),
            clear_o: Bus::new(WRITTEN_BITS),
            ready_i: Default::default(),
            busy_i: Default::default(),
            done_i: Default::default(),
            cycles_i: Bus::new(32),
            errors_i: Bus::new(WRITTEN_BITS),
            irq_o: Default::default(),
            system: parameter(constants.system),
            terminals: parameter(constants.terminals),
            width: parameter(constants.width),
            message: parameter(constants.message),
            run_cycles: parameter(constants.run_cycles),
            id: number(ID),
            version: number(VERSION),
            at_id: at("ID"),
            at_version: at("VERSION"),
            at_system: at("SYSTEM"),
            at_terminals: at("TERMINALS"),
            at_width: at("WIDTH"),
            at_message: at("MESSAGE"),
            at_run_cycles: at("RUN_CYCLES"),
            at_control: at("CONTROL"),
            at_status: at("STATUS"),
            at_errors: at("ERRORS"),
            at_irq_status: at("IRQ_STATUS"),
            at_irq_enable: at("IRQ_ENABLE"),
            at_cycles: at("CYCLES"),
            at_exchanges: at("EXCHANGES"),
            at_end: word(u64::from(crate::registers::SPACE / 4)),
            zero: number(0),
            one: number(1),
            is_auto: mask("CONTROL", "AUTO"),
            is_busy: mask("STATUS", "BUSY"),
            is_missing: mask("ERRORS", "MISSING"),
            is_double: mask("ERRORS", "DOUBLE"),
            is_unknown: mask("ERRORS", "UNKNOWN"),
            is_length: mask("ERRORS", "LENGTH"),
            is_conflict: mask("ERRORS", "CONFLICT"),
            is_error: mask("IRQ_STATUS", "ERROR"),
            okay: response(0),
            error_response: response(2),
            no_errors: Const::local(0, WRITTEN_BITS, None, &format!("{WRITTEN_BITS}'d0")),
            missing: index("ERRORS", "MISSING"),
            double: index("ERRORS", "DOUBLE"),
            unknown: index("ERRORS", "UNKNOWN"),
            length: index("ERRORS", "LENGTH"),
            conflict: index("ERRORS", "CONFLICT"),
            start_bit: index("CONTROL", "START"),
            auto_bit: index("CONTROL", "AUTO"),
            done_bit: index("IRQ_ENABLE", "DONE"),
            error_bit: index("IRQ_ENABLE", "ERROR"),
            read: Bus::new(32).purpose("value of the register at arword_i"),
            writing: Default::default(),
            changing: Default::default(),
            reading: Default::default(),
            aw_held: BitReg::default().purpose("the address of a write has been taken"),
            w_held: BitReg::default().purpose("the word of a write has been taken"),
            strobe: BitReg::default().purpose("the strobe of its lowest byte"),
            answered: BitReg::default().purpose("the response to a write waits to be taken"),
            shown: BitReg::default().purpose("the word of a read waits to be taken"),
            start: BitReg::default().purpose("START was written in the last cycle"),
            auto_start: BitReg::default().purpose("AUTO"),
            done: BitReg::default().purpose("DONE of IRQ_STATUS"),
            done_enabled: BitReg::default().purpose("DONE of IRQ_ENABLE"),
            error_enabled: BitReg::default().purpose("ERROR of IRQ_ENABLE"),
            aw_word: Reg::fixed(WORD_BITS),
            w_data: Reg::fixed(WRITTEN_BITS),
            response: Reg::fixed(2),
            read_data: Reg::fixed(32),
            read_response: Reg::fixed(2),
            exchanges: Reg::fixed(32),
        }
    }
}

cell_ports!(AxilRegisters:
    In clk_i "clock, rising edge",
    In rst_i "reset, synchronous",
    In awvalid_i "write address is offered",
    Out awready_o "a write address can be taken",
    In awword_i "bits 7:2 of the write address",
    In wvalid_i "write word is offered",
    Out wready_o "a write word can be taken",
    In wdata_i "bits 4:0 of the write word",
    In wstrb_i "strobe of the lowest byte of the write word",
    Out bvalid_o "write response is offered",
    In bready_i "the write response can be taken",
    Out bresp_o "write response: 0 OKAY, 2 SLVERR",
    In arvalid_i "read address is offered",
    Out arready_o "a read address can be taken",
    In arword_i "bits 7:2 of the read address",
    Out rvalid_o "read word and read response are offered",
    In rready_i "the read word can be taken",
    Out rdata_o "read word",
    Out rresp_o "read response: 0 OKAY, 2 SLVERR",
    Out start_o "starts an exchange; with AUTO set, high in the same cycle as ready_i",
    Out clear_o "errors to clear, one bit for each, for one cycle: missing, double, unknown, length, conflict from bit 0 on",
    In ready_i "an exchange can begin",
    In busy_i "an exchange runs",
    In done_i "an exchange ended in the last cycle",
    In cycles_i "cycles of the last exchange",
    In errors_i "errors, one bit for each, in the order of clear_o",
    Out irq_o "interrupt; for errors high in the same cycle as errors_i",
);

impl Logic for AxilRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clk_i, aw_held, w_held, strobe, answered, shown, start, auto_start, done);
        clock!(self, clk_i, done_enabled, error_enabled, aw_word, w_data, response, read_data);
        clock!(self, clk_i, read_response, exchanges);
        self.aw_held.reset.next = self.rst_i.val();
        self.w_held.reset.next = self.rst_i.val();
        self.strobe.reset.next = self.rst_i.val();
        self.answered.reset.next = self.rst_i.val();
        self.shown.reset.next = self.rst_i.val();
        self.start.reset.next = self.rst_i.val();
        self.auto_start.reset.next = self.rst_i.val();
        self.done.reset.next = self.rst_i.val();
        self.done_enabled.reset.next = self.rst_i.val();
        self.error_enabled.reset.next = self.rst_i.val();
        self.aw_word.reset.next = self.rst_i.val();
        self.w_data.reset.next = self.rst_i.val();
        self.response.reset.next = self.rst_i.val();
        self.read_data.reset.next = self.rst_i.val();
        self.read_response.reset.next = self.rst_i.val();
        self.exchanges.reset.next = self.rst_i.val();

        // A write: its two halves, then what it does, then its response.
        self.awready_o.next = !self.aw_held.q.val();
        self.wready_o.next = !self.w_held.q.val();
        self.writing.next = self.aw_held.q.val() & self.w_held.q.val() & !self.answered.q.val();
        self.changing.next =
            self.writing.val() & self.strobe.q.val() & (self.aw_word.q.val() < self.at_end.val());
        self.aw_held.d.next = (self.aw_held.q.val() | self.awvalid_i.val()) & !self.writing.val();
        self.w_held.d.next = (self.w_held.q.val() | self.wvalid_i.val()) & !self.writing.val();
        self.aw_word.d.next = self.aw_word.q.val();
        if !self.aw_held.q.val() {
            self.aw_word.d.next = self.awword_i.val();
        }
        self.w_data.d.next = self.w_data.q.val();
        self.strobe.d.next = self.strobe.q.val();
        if !self.w_held.q.val() {
            self.w_data.d.next = self.wdata_i.val();
            self.strobe.d.next = self.wstrb_i.val();
        }
        self.answered.d.next = self.writing.val() | (self.answered.q.val() & !self.bready_i.val());
        self.response.d.next = self.response.q.val();
        if self.writing.val() {
            self.response.d.next = self.okay.val();
            if self.aw_word.q.val() >= self.at_end.val() {
                self.response.d.next = self.error_response.val();
            }
        }
        self.bvalid_o.next = self.answered.q.val();
        self.bresp_o.next = self.response.q.val();

        // What is written.
        self.start.d.next = false;
        self.auto_start.d.next = self.auto_start.q.val();
        self.done_enabled.d.next = self.done_enabled.q.val();
        self.error_enabled.d.next = self.error_enabled.q.val();
        self.done.d.next = self.done.q.val();
        self.clear_o.next = self.no_errors.val();
        if self.changing.val() {
            if self.aw_word.q.val() == self.at_control.val() {
                self.start.d.next = self.w_data.q.val().get_bit(self.start_bit.val().index());
                self.auto_start.d.next = self.w_data.q.val().get_bit(self.auto_bit.val().index());
            }
            if self.aw_word.q.val() == self.at_errors.val() {
                self.clear_o.next = self.w_data.q.val();
            }
            if self.aw_word.q.val() == self.at_irq_status.val() {
                self.done.d.next =
                    self.done.q.val() & !self.w_data.q.val().get_bit(self.done_bit.val().index());
            }
            if self.aw_word.q.val() == self.at_irq_enable.val() {
                self.done_enabled.d.next = self.w_data.q.val().get_bit(self.done_bit.val().index());
                self.error_enabled.d.next = self.w_data.q.val().get_bit(self.error_bit.val().index());
            }
        }
        self.exchanges.d.next = self.exchanges.q.val();
        if self.done_i.val() {
            self.done.d.next = true;
            self.exchanges.d.next = self.exchanges.q.val() + self.one.val();
        }
        self.start_o.next = self.start.q.val() | (self.auto_start.q.val() & self.ready_i.val());
        self.irq_o.next = (self.done.q.val() & self.done_enabled.q.val())
            | (self.errors_i.val().any() & self.error_enabled.q.val());

        // A read.
        self.arready_o.next = !self.shown.q.val();
        self.reading.next = self.arvalid_i.val() & !self.shown.q.val();
        self.shown.d.next = self.reading.val() | (self.shown.q.val() & !self.rready_i.val());
        self.read.next = self.zero.val();
        if self.arword_i.val() == self.at_id.val() {
            self.read.next = self.id.val();
        }
        if self.arword_i.val() == self.at_version.val() {
            self.read.next = self.version.val();
        }
        if self.arword_i.val() == self.at_system.val() {
            self.read.next = self.system.val();
        }
        if self.arword_i.val() == self.at_terminals.val() {
            self.read.next = self.terminals.val();
        }
        if self.arword_i.val() == self.at_width.val() {
            self.read.next = self.width.val();
        }
        if self.arword_i.val() == self.at_message.val() {
            self.read.next = self.message.val();
        }
        if self.arword_i.val() == self.at_run_cycles.val() {
            self.read.next = self.run_cycles.val();
        }
        if self.arword_i.val() == self.at_cycles.val() {
            self.read.next = self.cycles_i.val();
        }
        if self.arword_i.val() == self.at_exchanges.val() {
            self.read.next = self.exchanges.q.val();
        }
        if (self.arword_i.val() == self.at_control.val()) & self.auto_start.q.val() {
            self.read.next = self.is_auto.val();
        }
        if self.arword_i.val() == self.at_status.val() {
            if self.ready_i.val() {
                self.read.next = self.one.val();
            }
            if self.busy_i.val() {
                self.read.next = self.read.val() | self.is_busy.val();
            }
        }
        if self.arword_i.val() == self.at_errors.val() {
            if self.errors_i.val().get_bit(self.missing.val().index()) {
                self.read.next = self.is_missing.val();
            }
            if self.errors_i.val().get_bit(self.double.val().index()) {
                self.read.next = self.read.val() | self.is_double.val();
            }
            if self.errors_i.val().get_bit(self.unknown.val().index()) {
                self.read.next = self.read.val() | self.is_unknown.val();
            }
            if self.errors_i.val().get_bit(self.length.val().index()) {
                self.read.next = self.read.val() | self.is_length.val();
            }
            if self.errors_i.val().get_bit(self.conflict.val().index()) {
                self.read.next = self.read.val() | self.is_conflict.val();
            }
        }
        if self.arword_i.val() == self.at_irq_status.val() {
            if self.done.q.val() {
                self.read.next = self.one.val();
            }
            if self.errors_i.val().any() {
                self.read.next = self.read.val() | self.is_error.val();
            }
        }
        if self.arword_i.val() == self.at_irq_enable.val() {
            if self.done_enabled.q.val() {
                self.read.next = self.one.val();
            }
            if self.error_enabled.q.val() {
                self.read.next = self.read.val() | self.is_error.val();
            }
        }
        self.read_data.d.next = self.read_data.q.val();
        self.read_response.d.next = self.read_response.q.val();
        if self.reading.val() {
            self.read_data.d.next = self.read.val();
            self.read_response.d.next = self.okay.val();
            if self.arword_i.val() >= self.at_end.val() {
                self.read_response.d.next = self.error_response.val();
            }
        }
        self.rvalid_o.next = self.shown.q.val();
        self.rdata_o.next = self.read_data.q.val();
        self.rresp_o.next = self.read_response.q.val();
    }
}

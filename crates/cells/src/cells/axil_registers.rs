use crate::registers::{Constants, ID, VERSION, register};
use crate::table::*;

/// Bits of the number of a register.
const WORD_BITS: usize = 6;
/// Bits of a word that mean something when they are written.
const WRITTEN_BITS: usize = 5;

cell! {
    /// Registers of control and status behind an AXI4-Lite port; the map is [`crate::registers`].
    AxilRegisters, AxilRegistersSpec, "frit_axil_registers":
    "Control and status registers behind frit_axil_port: start, status, errors, interrupt, counts, and the values that the design was generated with. docs/registers.md has the map.";
    "A write without the strobe or to a read-only register has no effect. State, all reset to 0: control, the interrupt, the exchanges done.";
    parameters {
        System(32) system: u64 = 0x0123_4567, "value of register SYSTEM";
        Terminals(32) terminals: u64 = 8, "value of register TERMINALS";
        Width(32) width: u64 = 32, "value of register WIDTH";
        Message(32) message: u64 = 0x0001_0001, "value of register MESSAGE";
        RunCycles(32) run_cycles: u64 = 13, "value of register RUN_CYCLES";
    }
    ports {
        In clk_i: Clock, "clock, rising edge";
        In rst_i: Bit, "reset, synchronous";
        In write_i: Bit, "a write takes effect";
        In word_i: Bus(6), "register that is written: bits 7:2 of its address";
        In data_i: Bus(5), "bits 4:0 of the write word";
        In strobe_i: Bit, "strobe of the lowest byte of the write word";
        In arword_i: Bus(6), "bits 7:2 of the read address";
        Out value_o: Bus(32) = value, "value of the register at arword_i, same cycle";
        Out start_o: Bit, "starts an exchange; with AUTO set, high in the same cycle as ready_i";
        Out clear_o: Bus(5), "errors to clear, one bit for each, for one cycle: missing, double, unknown, length, conflict from bit 0 on";
        In ready_i: Bit, "an exchange can begin";
        In busy_i: Bit, "an exchange runs";
        In done_i: Bit, "an exchange ended in the last cycle";
        In cycles_i: Bus(32), "cycles of the last exchange";
        In errors_i: Bus(32), "value of register ERRORS";
        Out irq_o: Bit, "interrupt; for errors high in the same cycle as errors_i";
    }
    with {
        let number = |value: u32| Const::local(value.into(), 32, None, &format!("32'h{value:08x}"));
        let parameter = |value: u64| Const::parameter(value, 32, None);
        let at = |name: &str| {
            let index = register(name).index();
            Const::local(index, WORD_BITS, None, &format!("{WORD_BITS}'d{index}"))
        };
        let mask = |name: &str, field: &str| number(register(name).field(field).mask());
        let index = |name: &str, field: &str| {
            let low = register(name).field(field).low;
            Const::local(low.into(), 32, None, &low.to_string())
        };
    }
    parts {
        system: Const = parameter(system);
        terminals: Const = parameter(terminals);
        width: Const = parameter(width);
        message: Const = parameter(message);
        run_cycles: Const = parameter(run_cycles);
        id: Const = number(ID);
        version: Const = number(VERSION);
        at_id: Const = at("ID");
        at_version: Const = at("VERSION");
        at_system: Const = at("SYSTEM");
        at_terminals: Const = at("TERMINALS");
        at_width: Const = at("WIDTH");
        at_message: Const = at("MESSAGE");
        at_run_cycles: Const = at("RUN_CYCLES");
        at_control: Const = at("CONTROL");
        at_status: Const = at("STATUS");
        at_errors: Const = at("ERRORS");
        at_irq_status: Const = at("IRQ_STATUS");
        at_irq_enable: Const = at("IRQ_ENABLE");
        at_cycles: Const = at("CYCLES");
        at_exchanges: Const = at("EXCHANGES");
        zero: Const = number(0);
        one: Const = number(1);
        is_auto: Const = mask("CONTROL", "AUTO");
        is_busy: Const = mask("STATUS", "BUSY");
        is_error: Const = mask("IRQ_STATUS", "ERROR");
        no_errors: Const = Const::local(0, WRITTEN_BITS, None, &format!("{WRITTEN_BITS}'d0"));
        start_bit: Const = index("CONTROL", "START");
        auto_bit: Const = index("CONTROL", "AUTO");
        done_bit: Const = index("IRQ_ENABLE", "DONE");
        error_bit: Const = index("IRQ_ENABLE", "ERROR");
        value: Bus<Local> = Bus::new(32).purpose("value of the register at arword_i");
        start: BitReg = BitReg::default().purpose("START was written in the last cycle");
        auto_start: BitReg = BitReg::default().purpose("AUTO");
        done: BitReg = BitReg::default().purpose("DONE of IRQ_STATUS");
        done_enabled: BitReg = BitReg::default().purpose("DONE of IRQ_ENABLE");
        error_enabled: BitReg = BitReg::default().purpose("ERROR of IRQ_ENABLE");
        exchanges: Reg = Reg::fixed(32);
    }
}

impl From<Constants> for AxilRegistersSpec {
    fn from(constants: Constants) -> Self {
        let Constants { system, terminals, width, message, run_cycles } = constants;
        let [system, terminals, width, message, run_cycles] =
            [system, terminals, width, message, run_cycles].map(u64::from);
        AxilRegistersSpec { system, terminals, width, message, run_cycles }
    }
}

impl kernel::Kernel for AxilRegisters {
    #[allow(clippy::collapsible_if, reason = "conditions on one signal are printed as a case")]
    #[hdl_gen]
    fn update(&mut self) {
        comment!("What is written.");
        self.start.d.next = false;
        self.clear_o.next = self.no_errors.val();
        if self.write_i.val() & self.strobe_i.val() {
            if self.word_i.val() == self.at_control.val() {
                self.start.d.next = self.data_i.val().get_bit(self.start_bit.val().index());
                self.auto_start.d.next = self.data_i.val().get_bit(self.auto_bit.val().index());
            }
            if self.word_i.val() == self.at_errors.val() {
                self.clear_o.next = self.data_i.val();
            }
            if self.word_i.val() == self.at_irq_status.val() {
                self.done.d.next =
                    self.done.q.val() & !self.data_i.val().get_bit(self.done_bit.val().index());
            }
            if self.word_i.val() == self.at_irq_enable.val() {
                self.done_enabled.d.next = self.data_i.val().get_bit(self.done_bit.val().index());
                self.error_enabled.d.next = self.data_i.val().get_bit(self.error_bit.val().index());
            }
        }
        comment!("An exchange that ends is counted, and its flag wins over a write of 1 in the same cycle.");
        if self.done_i.val() {
            self.done.d.next = true;
            self.exchanges.d.next = self.exchanges.q.val() + self.one.val();
        }
        comment!("A start is written, or it follows the exchange by itself. The interrupt stays while a flag stays that is enabled.");
        self.start_o.next = self.start.q.val() | (self.auto_start.q.val() & self.ready_i.val());
        self.irq_o.next = (self.done.q.val() & self.done_enabled.q.val())
            | (self.errors_i.val().any() & self.error_enabled.q.val());

        comment!("What is read.");
        self.value.next = self.zero.val();
        if self.arword_i.val() == self.at_id.val() {
            self.value.next = self.id.val();
        }
        if self.arword_i.val() == self.at_version.val() {
            self.value.next = self.version.val();
        }
        if self.arword_i.val() == self.at_system.val() {
            self.value.next = self.system.val();
        }
        if self.arword_i.val() == self.at_terminals.val() {
            self.value.next = self.terminals.val();
        }
        if self.arword_i.val() == self.at_width.val() {
            self.value.next = self.width.val();
        }
        if self.arword_i.val() == self.at_message.val() {
            self.value.next = self.message.val();
        }
        if self.arword_i.val() == self.at_run_cycles.val() {
            self.value.next = self.run_cycles.val();
        }
        if self.arword_i.val() == self.at_cycles.val() {
            self.value.next = self.cycles_i.val();
        }
        if self.arword_i.val() == self.at_exchanges.val() {
            self.value.next = self.exchanges.q.val();
        }
        if self.arword_i.val() == self.at_control.val() {
            if self.auto_start.q.val() {
                self.value.next = self.is_auto.val();
            }
        }
        if self.arword_i.val() == self.at_status.val() {
            if self.ready_i.val() {
                self.value.next = self.one.val();
            }
            if self.busy_i.val() {
                self.value.next = self.value.val() | self.is_busy.val();
            }
        }
        if self.arword_i.val() == self.at_errors.val() {
            self.value.next = self.errors_i.val();
        }
        if self.arword_i.val() == self.at_irq_status.val() {
            if self.done.q.val() {
                self.value.next = self.one.val();
            }
            if self.errors_i.val().any() {
                self.value.next = self.value.val() | self.is_error.val();
            }
        }
        if self.arword_i.val() == self.at_irq_enable.val() {
            if self.done_enabled.q.val() {
                self.value.next = self.one.val();
            }
            if self.error_enabled.q.val() {
                self.value.next = self.value.val() | self.is_error.val();
            }
        }
    }
}

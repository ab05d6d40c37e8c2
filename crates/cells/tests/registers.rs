//! The registers of control and status as software sees them: the cell is driven by AXI4-Lite, every register of the map is read.

use crate::common;

use common::Rig;
use frit_cells::cells::{AxilPortSpec, AxilRegistersSpec};
use frit_cells::registers::{Access, Constants, REGISTERS, Register, SPACE, register};

const CONSTANTS: Constants = Constants {
    system: 0xdead_beef,
    terminals: 12,
    width: 0x8003_0020,
    message: 0x0002_0010,
    run_cycles: 77,
};

/// The cell behind `frit_axil_port`, whose handshakes are proved by themselves.
struct Bus(Rig);

impl Bus {
    fn new() -> Self {
        Bus(Rig::after_reset(&AxilRegistersSpec::from(CONSTANTS).into()))
    }

    /// The value at an address.
    fn read(&mut self, address: u32) -> u32 {
        self.0.set("arword_i", u64::from(address / 4));
        self.0.settle();
        self.0.get("value_o") as u32
    }

    fn read_register(&mut self, name: &str) -> u32 {
        self.read(register(name).address)
    }

    /// Writes a word.
    fn write(&mut self, address: u32, word: u32, strobe: u64) {
        let rig = &mut self.0;
        rig.set("word_i", u64::from(address / 4));
        rig.set("data_i", u64::from(word & 0x1f));
        rig.set("strobe_i", strobe);
        rig.set("write_i", 1);
        rig.clock();
        rig.set("write_i", 0);
        rig.settle();
    }

    fn write_register(&mut self, name: &str, word: u32) {
        self.write(register(name).address, word, 1);
    }
}

fn mask(register_name: &str, field: &str) -> u32 {
    register(register_name).field(field).mask()
}

#[test]
fn every_constant_reads_what_it_should() {
    let mut bus = Bus::new();
    for Register { name, address, .. } in REGISTERS {
        let expected = CONSTANTS.of(name).unwrap_or(0);
        assert_eq!(bus.read(address), expected, "{name}");
    }
    // Nothing is between the registers, nor behind them.
    for address in [0x1c, SPACE, 0xfc] {
        bus.write(address, 0x1f, 1);
        assert_eq!(bus.read(address), 0);
    }
}

#[test]
fn every_field_that_is_read_and_written_keeps_what_was_written_with_its_strobe() {
    for register in REGISTERS {
        for field in register.fields.iter().filter(|field| field.access == Access::ReadWrite) {
            let mut bus = Bus::new();
            for (word, strobe, expected) in
                [(field.mask(), 0, 0), (field.mask(), 1, field.mask()), (0, 0, field.mask()), (0, 1, 0)]
            {
                bus.write(register.address, word, strobe);
                assert_eq!(bus.read(register.address), expected, "{}.{}", register.name, field.name);
            }
        }
    }
}

#[test]
fn what_the_design_does_is_read() {
    let mut bus = Bus::new();
    for field in register("ERRORS").fields {
        bus.0.set("errors_i", u64::from(field.mask()));
        assert_eq!(bus.read_register("ERRORS"), field.mask(), "{}", field.name);
        assert_eq!(bus.read_register("IRQ_STATUS"), mask("IRQ_STATUS", "ERROR"));
    }
    bus.0.set("errors_i", 0);
    for (port, field) in [("ready_i", "READY"), ("busy_i", "BUSY")] {
        bus.0.set(port, 1);
        assert_eq!(bus.read_register("STATUS"), mask("STATUS", field), "{field}");
        bus.0.set(port, 0);
    }
    bus.0.set("cycles_i", 0xfedc_ba98);
    assert_eq!(bus.read_register("CYCLES"), 0xfedc_ba98);
    for done in 1..=3 {
        bus.0.set("done_i", 1);
        bus.0.clock();
        bus.0.set("done_i", 0);
        assert_eq!(bus.read_register("EXCHANGES"), done);
    }
}

#[test]
fn an_interrupt_comes_where_it_is_enabled_and_ends_by_a_write_of_1() {
    let mut bus = Bus::new();
    let irq = |bus: &mut Bus| {
        bus.0.settle();
        bus.0.get("irq_o")
    };
    bus.0.set("done_i", 1);
    bus.0.clock();
    bus.0.set("done_i", 0);
    assert_eq!((bus.read_register("IRQ_STATUS"), irq(&mut bus)), (mask("IRQ_STATUS", "DONE"), 0));
    bus.write_register("IRQ_ENABLE", mask("IRQ_ENABLE", "DONE"));
    assert_eq!(irq(&mut bus), 1);
    bus.write_register("IRQ_STATUS", 0);
    assert_eq!(irq(&mut bus), 1);
    bus.write_register("IRQ_STATUS", mask("IRQ_STATUS", "DONE"));
    assert_eq!((bus.read_register("IRQ_STATUS"), irq(&mut bus)), (0, 0));
    bus.0.set("errors_i", 4);
    assert_eq!(irq(&mut bus), 0);
    bus.write_register("IRQ_ENABLE", mask("IRQ_ENABLE", "ERROR"));
    assert_eq!(irq(&mut bus), 1);
}

#[test]
fn a_start_lasts_a_cycle_and_auto_follows_ready() {
    let mut bus = Bus::new();
    let mut starts = Vec::new();
    bus.write_register("CONTROL", mask("CONTROL", "START"));
    for _ in 0..3 {
        starts.push(bus.0.get("start_o"));
        bus.0.clock();
        bus.0.settle();
    }
    assert_eq!(starts, [1, 0, 0]);
    assert_eq!(bus.read_register("CONTROL"), 0);
    bus.write_register("CONTROL", mask("CONTROL", "AUTO"));
    for ready in [0, 1, 0] {
        bus.0.set("ready_i", ready);
        bus.0.settle();
        assert_eq!(bus.0.get("start_o"), ready);
    }
}

#[test]
fn the_port_refuses_what_the_registers_refuse_and_what_is_behind_them() {
    let mut port = Rig::after_reset(&AxilPortSpec { bits: 6 }.into());
    port.set("value_i", 0x1234_5678);
    for (word, refused, response) in [(3, 0, 0), (3, 1, 2), (16, 0, 2), (63, 0, 2)] {
        for name in ["awword_i", "arword_i", "wbits_i"] {
            port.set(name, word);
        }
        port.set("refused_i", refused);
        // Any half may come first.
        for half in if word == 3 { ["awvalid_i", "wvalid_i"] } else { ["wvalid_i", "awvalid_i"] } {
            assert_eq!(port.get("write_o"), 0);
            port.set(half, 1);
            port.clock();
            port.set(half, 0);
            port.settle();
        }
        let taken = ["write_o", "word_o", "bits_o", "bvalid_o"].map(|name| port.get(name));
        assert_eq!(taken, [1, word, word, 0]);
        port.set("arvalid_i", 1);
        port.clock();
        port.set("arvalid_i", 0);
        for _ in 0..2 {
            port.settle();
            let said = ["write_o", "bvalid_o", "bresp_o", "rvalid_o", "rdata_o"].map(|name| port.get(name));
            assert_eq!(said, [0, 1, response, 1, 0x1234_5678], "{word}");
            assert_eq!(port.get("rresp_o"), if word < 16 { 0 } else { 2 });
            port.clock();
        }
        for name in ["bready_i", "rready_i"] {
            port.set(name, 1);
            port.clock();
            port.set(name, 0);
        }
        port.settle();
        assert_eq!(["bvalid_o", "rvalid_o"].map(|name| port.get(name)), [0, 0]);
    }
}

//! The registers of control and status as software sees them: the cell is driven by AXI4-Lite, every register of the map is read.

use crate::common;

use common::Rig;
use frit_cells::cells::AxilRegistersSpec;
use frit_cells::registers::{Access, Constants, REGISTERS, Register, SPACE, register};

const CONSTANTS: Constants = Constants {
    system: 0xdead_beef,
    terminals: 12,
    width: 0x8003_0020,
    message: 0x0002_0010,
    run_cycles: 77,
};

/// The cell and a master that takes what is offered at once.
struct Bus(Rig);

impl Bus {
    fn new() -> Self {
        let mut bus = Bus(Rig::after_reset(&AxilRegistersSpec { constants: CONSTANTS }.into()));
        bus.0.set("bready_i", 1);
        bus.0.set("rready_i", 1);
        bus
    }

    /// What is read at an address, and the response.
    fn read(&mut self, address: u32) -> (u32, u64) {
        let rig = &mut self.0;
        rig.set("arvalid_i", 1);
        rig.set("arword_i", u64::from(address / 4));
        rig.settle();
        assert_eq!(rig.get("arready_o"), 1);
        rig.clock();
        rig.set("arvalid_i", 0);
        rig.settle();
        assert_eq!(rig.get("rvalid_o"), 1);
        let got = (rig.get("rdata_o") as u32, rig.get("rresp_o"));
        rig.clock();
        got
    }

    fn read_register(&mut self, name: &str) -> u32 {
        let (value, response) = self.read(register(name).address);
        assert_eq!(response, 0, "{name}");
        value
    }

    /// Writes a word, the address first or last, and returns the response.
    fn write(&mut self, address: u32, word: u32, strobe: u64, address_first: bool) -> u64 {
        let rig = &mut self.0;
        rig.set("awword_i", u64::from(address / 4));
        rig.set("wdata_i", u64::from(word & 0x1f));
        rig.set("wstrb_i", strobe);
        let halves = if address_first { ["awvalid_i", "wvalid_i"] } else { ["wvalid_i", "awvalid_i"] };
        for half in halves {
            rig.set(half, 1);
            rig.clock();
            rig.set(half, 0);
            rig.settle();
        }
        assert_eq!(rig.get("bvalid_o"), 0);
        rig.clock();
        assert_eq!(rig.get("bvalid_o"), 1);
        let response = rig.get("bresp_o");
        rig.clock();
        assert_eq!(rig.get("bvalid_o"), 0);
        response
    }

    fn write_register(&mut self, name: &str, word: u32) {
        assert_eq!(self.write(register(name).address, word, 1, true), 0, "{name}");
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
        assert_eq!(bus.read(address), (expected, 0), "{name}");
        assert_eq!(bus.write(address, 0, 1, false), 0, "{name}");
    }
    // Nothing is between the registers, and behind them an access is an error.
    assert_eq!(bus.read(0x1c), (0, 0));
    for address in [SPACE, 0xfc] {
        assert_eq!(bus.read(address), (0, 2));
        assert_eq!(bus.write(address, 3, 1, true), 2);
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
                assert_eq!(bus.write(register.address, word, strobe, strobe == 0), 0);
                assert_eq!(bus.read(register.address), (expected, 0), "{}.{}", register.name, field.name);
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
    let control = register("CONTROL").address;
    bus.0.set("awword_i", u64::from(control / 4));
    bus.0.set("wdata_i", u64::from(mask("CONTROL", "START")));
    for (port, value) in [("wstrb_i", 1), ("awvalid_i", 1), ("wvalid_i", 1)] {
        bus.0.set(port, value);
    }
    let mut starts = Vec::new();
    for _ in 0..5 {
        bus.0.clock();
        bus.0.set("awvalid_i", 0);
        bus.0.set("wvalid_i", 0);
        bus.0.settle();
        starts.push(bus.0.get("start_o"));
    }
    assert_eq!(starts, [0, 1, 0, 0, 0]);
    assert_eq!(bus.read_register("CONTROL"), 0);
    bus.write_register("CONTROL", mask("CONTROL", "AUTO"));
    for ready in [0, 1, 0] {
        bus.0.set("ready_i", ready);
        bus.0.settle();
        assert_eq!(bus.0.get("start_o"), ready);
    }
}

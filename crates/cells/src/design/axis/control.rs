//! Registers of control and status in a top with bundles, behind an AXI4-Lite port.

use super::cycles;
use super::streams::{Bundles, Streams};
use crate::cells::AxilRegistersSpec;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};
use crate::registers::{ADDRESS_BITS, Constants};
use frit_schedule::Plan;
use frit_traffic::fnv::Fnv32;

/// The ports: name, whether it is an input, bits, meaning.
pub const AXIL: [(&str, bool, u32, &str); 20] = [
    ("s_axil_awaddr", true, ADDRESS_BITS, "registers, AXI4-Lite: write address"),
    ("s_axil_awprot", true, 3, "write protection, ignored"),
    ("s_axil_awvalid", true, 1, "write address is offered"),
    ("s_axil_awready", false, 1, "write address can be taken"),
    ("s_axil_wdata", true, 32, "write word"),
    ("s_axil_wstrb", true, 4, "bytes of the write word that are valid, one bit for each"),
    ("s_axil_wvalid", true, 1, "write word is offered"),
    ("s_axil_wready", false, 1, "write word can be taken"),
    ("s_axil_bresp", false, 2, "write response: 0 OKAY, 2 SLVERR"),
    ("s_axil_bvalid", false, 1, "write response is offered"),
    ("s_axil_bready", true, 1, "write response can be taken"),
    ("s_axil_araddr", true, ADDRESS_BITS, "read address"),
    ("s_axil_arprot", true, 3, "read protection, ignored"),
    ("s_axil_arvalid", true, 1, "read address is offered"),
    ("s_axil_arready", false, 1, "read address can be taken"),
    ("s_axil_rdata", false, 32, "read word"),
    ("s_axil_rresp", false, 2, "read response: 0 OKAY, 2 SLVERR"),
    ("s_axil_rvalid", false, 1, "read word and read response are offered"),
    ("s_axil_rready", true, 1, "read word can be taken"),
    ("irq", false, 1, "interrupt, as enabled in the registers"),
];

/// Inputs at some of whose bits the registers look: port, the cell's, high, low.
const LOOKED_AT: [(&str, &str, u32, u32); 4] = [
    ("s_axil_awaddr", "awword_i", ADDRESS_BITS - 1, 2),
    ("s_axil_wdata", "wdata_i", 4, 0),
    ("s_axil_wstrb", "wstrb_i", 0, 0),
    ("s_axil_araddr", "arword_i", ADDRESS_BITS - 1, 2),
];

/// What the constant registers of a design read. A word of its exchange has `width` bits.
pub fn constants(plan: &Plan, width: u32, streams: Streams, bundles: Bundles) -> Constants {
    let Bundles { data_bits, user_bits, keep, .. } = bundles;
    let run_cycles = cycles(plan, streams);
    Constants {
        system: Fnv32::of_text(&plan.design_name(width)),
        terminals: plan.network.terminals(),
        width: data_bits | user_bits << 16 | u32::from(keep) << 31,
        message: streams.words | streams.sets << 16,
        run_cycles: u32::try_from(run_cycles).expect("an exchange takes less than 2^32 cycles"),
    }
}

/// What the registers drive.
pub(super) struct Registers {
    start: Net,
    /// Errors that end.
    pub clear: Net,
}

impl Registers {
    /// A start by the registers, or by the port.
    pub fn or_start(&self, port: &Expr) -> Expr {
        Expr::Any(port.parts().1.iter().cloned().chain([self.start.into()]).collect())
    }
}

/// Adds the registers to the module, which has their ports and those of control.
pub(super) fn add(module: &mut Module, clk: Net, rst: Expr, constants: Constants) -> Registers {
    let [start, clear] =
        [("axil_start", 1), ("axil_clear", 5)].map(|(name, bits)| module.net(Kind::Wires, name, bits));
    let net = |name: &str| port(module, name);
    let errors = ["conflict", "length", "unknown", "double", "missing"];
    let errors = errors.map(|error| Part::from(net(&format!("error_{error}"))));
    let mut instance = Instance::new("u_registers", Of::cell(AxilRegistersSpec { constants }))
        .input("clk_i", clk)
        .input("rst_i", rst)
        .input("ready_i", net("ready"))
        .input("busy_i", net("busy"))
        .input("done_i", net("done"))
        .input("cycles_i", net("cycles"))
        .input("errors_i", Expr::Concat(errors.into()))
        .output("start_o", start)
        .output("clear_o", clear)
        .output("irq_o", net("irq"));
    for (name, cell_port, high, low) in LOOKED_AT {
        instance = instance.input(cell_port, bits(module, name, high, low));
    }
    for (name, input, ..) in AXIL.iter().filter(|(name, ..)| *name != "irq") {
        let inside = name.trim_start_matches("s_axil_");
        let handshake = inside.ends_with("valid") || inside.ends_with("ready");
        instance = match input {
            true if handshake => instance.input(&format!("{inside}_i"), net(name)),
            true => instance,
            false => instance.output(&format!("{inside}_o"), net(name)),
        };
    }
    module.instances.push(instance);
    unused(module);
    Registers { start, clear }
}

fn port(module: &Module, name: &str) -> Net {
    Net { signal: module.find(name).unwrap_or_else(|| panic!("{} has a port {name}", module.name)), lane: 0 }
}

fn bits(module: &Module, name: &str, high: u32, low: u32) -> Expr {
    Expr::Concat(vec![Part::Net { net: port(module, name), bits: Some((high, low)), invert: false }])
}

/// Says of the bits that the registers do not look at that nothing reads them; linters know the names.
fn unused(module: &mut Module) {
    for (name, input, width, _) in AXIL {
        let looked = LOOKED_AT.iter().find(|(port, ..)| *port == name).map(|&(.., high, low)| (high, low));
        let (high, low) = match looked {
            Some((high, 0)) => (width - 1, high + 1),
            Some((_, low)) => (low - 1, 0),
            None if input && name.ends_with("prot") => (width - 1, 0),
            None => continue,
        };
        let wire = module.net(Kind::Wires, format!("unused_{name}"), high - low + 1);
        let rest = bits(module, name, high, low);
        module.assigns.push((wire, rest));
    }
}

//! Registers of control and status in a top with bundles, behind an AXI4-Lite port.

use super::cycles;
use super::streams::{Bundles, Streams};
use crate::cells::AxilRegistersSpec;
use crate::design::axil::{self, Bits};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};
use crate::registers::Constants;
use frit_schedule::Plan;
use frit_traffic::fnv::Fnv32;

/// What the registers see of a write: the strobe of the lowest byte and its lowest bits.
const SEEN: [Bits; 2] = [("s_axil_wstrb", 0, 0), ("s_axil_wdata", 4, 0)];

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
    let net = |name: &str| axil::port(module, name);
    let errors = ["conflict", "length", "unknown", "double", "missing"];
    let errors = errors.map(|error| Part::from(net(&format!("error_{error}"))));
    let above = Part::Const { value: 0, bits: 32 - errors.len() as u32 };
    let instance = Instance::new("u_registers", Of::cell(AxilRegistersSpec::from(constants)))
        .input("ready_i", net("ready"))
        .input("busy_i", net("busy"))
        .input("done_i", net("done"))
        .input("cycles_i", net("cycles"))
        .input("errors_i", Expr::Concat([above].into_iter().chain(errors).collect()))
        .output("start_o", start)
        .output("clear_o", clear)
        .output("irq_o", net("irq"));
    axil::add(module, [clk.into(), rst], &SEEN, &[("strobe_i", 1), ("data_i", 5)], instance);
    Registers { start, clear }
}

//! `D_axil`: a corner turn whose sizes are loaded through an AXI4-Lite port.

use super::loaded::{self, count_bits};
use super::{PORTS, arguments, design_name};
use crate::cells::AxilSizeSpec;
use crate::design::axil::{self, AXIL, Bits, slice};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Netlist, Of};
use frit_permute::Streamed;
use frit_traffic::fnv::Fnv32;

/// What the constant registers read, by their names.
pub fn constants(plan: &Streamed, width: u32) -> Vec<(&'static str, u32)> {
    let [keep, user] = plan.side_bits(width);
    let (rows, columns) = plan.largest().expect("sizes that are loaded");
    vec![
        ("SYSTEM", Fnv32::of_text(&design_name(plan, width))),
        ("TERMINALS", plan.lanes),
        ("WIDTH", width | user << 16 | u32::from(keep > 0) << 31),
        ("LIMITS", rows | columns << 16),
    ]
}

/// The netlist with `D_axil` around its top, if sizes are loaded.
pub fn with_registers(plan: &Streamed, width: u32, core: &Netlist) -> Netlist {
    let mut netlist = core.clone();
    if let Some(largest) = plan.largest() {
        netlist.add(top(plan, width, core, largest));
    }
    netlist
}

fn top(plan: &Streamed, width: u32, core: &Netlist, (rows, columns): (u32, u32)) -> Module {
    let mut module = Module::new(format!("{}_axil", design_name(plan, width)), contract(plan, width));
    let inner = core.top();
    let sizes = ["rows_i", "columns_i"];
    let mut instance = Instance::new("u_permute", Of::Module(core.top_id()));
    for port in inner.signals.iter().filter(|signal| matches!(signal.kind, Kind::Input | Kind::Output)) {
        if sizes.contains(&port.name.as_str()) {
            continue;
        }
        match port.vector {
            true => drop(module.bundle(port.kind, &port.name, port.lanes, port.width)),
            false => drop(module.net(port.kind, &port.name, port.width)),
        }
        let outer = Bundle::of(&module, &port.name);
        instance = match port.kind {
            Kind::Input => instance.inputs(&port.name, outer.drive()),
            _ => instance.outputs(&port.name, outer.driven()),
        };
    }
    for (name, input, bits, _) in AXIL.iter().filter(|(name, ..)| *name != "irq") {
        module.net(if *input { Kind::Input } else { Kind::Output }, *name, *bits);
    }
    let meanings: Vec<(&str, &'static str)> = loaded::PORTS
        .iter()
        .chain(PORTS)
        .copied()
        .chain(AXIL.iter().map(|&(name, _, _, said)| (name, said)))
        .collect();
    module.explain(&meanings);
    let [next_rows, next_columns] =
        ["next_rows", "next_columns"].map(|name| module.net(Kind::Wires, name, 16));
    let lane_bits = plan.lanes.trailing_zeros();
    for (name, net, most) in [(sizes[0], next_rows, rows), (sizes[1], next_columns, columns)] {
        let high = lane_bits + count_bits(most / plan.lanes) - 1;
        instance = instance.input(name, Expr::Concat(vec![slice(net, high, lane_bits)]));
    }
    registers(&mut module, plan, width, [next_rows, next_columns]);
    module.instances.push(instance);
    unused(
        &mut module,
        [next_rows, next_columns],
        [rows, columns].map(|side| (lane_bits, count_bits(side / plan.lanes))),
    );
    module
}

/// What the registers see of a write: all of it.
const SEEN: [Bits; 2] = [("s_axil_wstrb", 3, 0), ("s_axil_wdata", 31, 0)];
/// The inputs of their cell for it.
const WRITTEN: [(&str, u32); 3] = [("strobes_i", 4), ("wcolumns_i", 16), ("wrows_i", 16)];

/// Adds the registers.
fn registers(module: &mut Module, plan: &Streamed, width: u32, [rows, columns]: [Net; 2]) {
    let constants = constants(plan, width);
    let value =
        |name: &str| constants.iter().find(|(own, _)| *own == name).map_or(0, |&(_, value)| u64::from(value));
    let limits = value("LIMITS");
    let spec = AxilSizeSpec {
        system: value("SYSTEM"),
        terminals: value("TERMINALS"),
        width: value("WIDTH"),
        row_limit: limits & 0xffff,
        column_limit: limits >> 16,
        lane_mask: u64::from(plan.lanes) - 1,
    };
    let refused = module.net(Kind::Wires, "axil_refused", 1);
    let instance = Instance::new("u_registers", Of::cell(spec))
        .input("limits_i", Expr::constant(limits, 32))
        .input("size_i", Expr::Concat(vec![columns.into(), rows.into()]))
        .output("refused_o", refused)
        .output("rows_o", rows)
        .output("columns_o", columns);
    let clock = ["clk_i", "rst_i"].map(|name| Expr::from(axil::port(module, name)));
    axil::add(module, clock, &SEEN, &WRITTEN, instance);
}

/// Says of the bits of a size that nothing looks at that nothing reads them; linters know the names.
fn unused(module: &mut Module, sizes: [Net; 2], used: [(u32, u32); 2]) {
    for ((name, net), (low, own)) in ["rows", "columns"].into_iter().zip(sizes).zip(used) {
        let (above, below) = (slice(net, 15, low + own), slice(net, low - 1, 0));
        let parts = if low + own < 16 { vec![above, below] } else { vec![below] };
        let wire = module.net(Kind::Wires, format!("unused_{name}"), 16 - own);
        module.assigns.push((wire, Expr::Concat(parts)));
    }
}

/// What the module promises.
fn contract(plan: &Streamed, width: u32) -> Vec<String> {
    vec![
        "A corner turn whose sizes are loaded through an AXI4-Lite port.".into(),
        format!("Generated by Fritillary: frit generate {}; do not edit.", arguments(plan, width)),
        format!(
            "Register SIZE (byte 0x3c): rows in bits 15:0, columns in bits 31:16, both multiples of {}. A matrix takes the size that SIZE has in the cycle before its first beat enters. A write of a size that is not possible is answered with SLVERR and changes nothing. docs/registers.md and the C header beside this file have the map.",
            plan.lanes
        ),
    ]
}

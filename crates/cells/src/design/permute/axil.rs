//! `D_axil`: a corner turn whose sizes are loaded through an AXI4-Lite port.

use super::loaded::{self, count_bits};
use super::{PORTS, arguments, design_name};
use crate::cells::AxilSizeSpec;
use crate::design::axis::AXIL;
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Netlist, Of, Part};
use crate::registers::ADDRESS_BITS;
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
        let blocks = Part::Net { net, bits: Some((high, lane_bits)), invert: false };
        instance = instance.input(name, Expr::Concat(vec![blocks]));
    }
    let registers = registers(&module, plan, width, [next_rows, next_columns]);
    module.instances.extend([registers, instance]);
    unused(
        &mut module,
        [next_rows, next_columns],
        [rows, columns].map(|side| (lane_bits, count_bits(side / plan.lanes))),
    );
    module
}

fn port(module: &Module, name: &str) -> Net {
    Bundle::of(module, name).lane(0)
}

fn bits(module: &Module, name: &str, high: u32, low: u32) -> Expr {
    Expr::Concat(vec![Part::Net { net: port(module, name), bits: Some((high, low)), invert: false }])
}

/// The registers.
fn registers(module: &Module, plan: &Streamed, width: u32, [rows, columns]: [Net; 2]) -> Instance {
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
    let strobes = Part::Net { net: port(module, "s_axil_wstrb"), bits: None, invert: true };
    let mut instance = Instance::new("u_registers", Of::cell(spec))
        .input("clk_i", port(module, "clk_i"))
        .input("rst_i", port(module, "rst_i"))
        .input("awword_i", bits(module, "s_axil_awaddr", ADDRESS_BITS - 1, 2))
        .input("wrows_i", bits(module, "s_axil_wdata", 15, 0))
        .input("wcolumns_i", bits(module, "s_axil_wdata", 31, 16))
        .input("wpartial_i", Expr::Any(vec![strobes]))
        .input("arword_i", bits(module, "s_axil_araddr", ADDRESS_BITS - 1, 2))
        .input("limits_i", Expr::constant(limits, 32))
        .input("size_i", Expr::Concat(vec![columns.into(), rows.into()]))
        .output("rows_o", rows)
        .output("columns_o", columns);
    for (name, input, ..) in AXIL.iter().filter(|(name, ..)| *name != "irq") {
        let inside = name.trim_start_matches("s_axil_");
        let handshake = inside.ends_with("valid") || inside.ends_with("ready");
        instance = match input {
            true if handshake => instance.input(&format!("{inside}_i"), port(module, name)),
            true => instance,
            false => instance.output(&format!("{inside}_o"), port(module, name)),
        };
    }
    instance
}

/// Says of the bits that nothing looks at that nothing reads them; linters know the names.
fn unused(module: &mut Module, sizes: [Net; 2], used: [(u32, u32); 2]) {
    let mut rest: Vec<(String, Expr, u32)> = ["s_axil_awprot", "s_axil_arprot"]
        .map(|name| (name.to_string(), Expr::from(port(module, name)), 3))
        .into();
    for name in ["s_axil_awaddr", "s_axil_araddr"] {
        rest.push((name.into(), bits(module, name, 1, 0), 2));
    }
    for ((name, net), (low, own)) in ["rows", "columns"].into_iter().zip(sizes).zip(used) {
        let below = Part::Net { net, bits: Some((low - 1, 0)), invert: false };
        let above = Part::Net { net, bits: Some((15, low + own)), invert: false };
        let parts = if low + own < 16 { vec![above, below] } else { vec![below] };
        rest.push((name.into(), Expr::Concat(parts), 16 - own));
    }
    for (name, expr, bits) in rest {
        let wire = module.net(Kind::Wires, format!("unused_{name}"), bits);
        module.assigns.push((wire, expr));
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

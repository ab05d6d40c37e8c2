//! `D_axil`: a streamed permutation with registers behind an AXI4-Lite port: they identify it, and load its sizes where these are loaded.

use super::loaded::{self, count_bits};
use super::{PORTS, arguments, design_name, top_name};
use crate::cells::AxilSizeSpec;
use crate::design::axil::{self, AXIL, Bits, slice};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Netlist, Of};
use frit_network::{Refusal, refuse};
use frit_permute::Streamed;
use frit_traffic::fnv::Fnv32;

/// The largest number of a half of a register.
const MOST: u32 = 0xffff;

/// What the constant registers read, by their names.
pub fn constants(plan: &Streamed, width: u32) -> Vec<(&'static str, u32)> {
    let [keep, user] = plan.side_bits(width);
    let (rows, columns) = size(plan);
    vec![
        ("SYSTEM", Fnv32::of_text(&design_name(plan, width))),
        ("TERMINALS", plan.lanes),
        ("WIDTH", width | user << 16 | u32::from(keep > 0) << 31),
        ("LIMITS", rows | columns << 16),
    ]
}

/// The largest rows and columns; of an order that is no matrix's, the beats of a data set and the words of a beat.
fn size(plan: &Streamed) -> (u32, u32) {
    plan.largest().or_else(|| plan.matrix()).unwrap_or((plan.cycles, plan.lanes))
}

/// Adds `D_axil` around the top of the netlist of a core.
pub(super) fn add_registers(plan: &Streamed, width: u32, netlist: &mut Netlist) -> Result<(), Refusal> {
    let (rows, columns) = size(plan);
    if rows.max(columns) > MOST {
        refuse!(
            "--axil has registers for sizes up to {MOST} x {MOST}, but {} has {rows} x {columns}; leave --axil out, or give fewer words",
            plan.name()
        );
    }
    netlist.add(top(plan, width, netlist));
    Ok(())
}

/// The netlist with `D_axil` beside its top, if that has no registers but sizes are loaded.
pub fn with_registers(plan: &Streamed, width: u32, netlist: &Netlist) -> Netlist {
    let mut netlist = netlist.clone();
    let name = registers_name(plan, width);
    if plan.largest().is_some() && netlist.modules.iter().all(|module| module.name != name) {
        netlist.add(top(plan, width, &netlist));
    }
    netlist
}

/// What the top with registers is called.
pub fn registers_name(plan: &Streamed, width: u32) -> String {
    format!("{}_axil", design_name(plan, width))
}

fn top(plan: &Streamed, width: u32, netlist: &Netlist) -> Module {
    let mut module = Module::new(registers_name(plan, width), contract(plan, width));
    let core = top_name(plan, width);
    let (core, inner) = netlist.with_ids().find(|(_, module)| module.name == core).expect("a core");
    let loads = plan.largest().is_some();
    let sizes = ["rows_i", "columns_i"];
    let mut instance = Instance::new("u_permute", Of::Module(core));
    for port in inner.ports() {
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
    let own = if loads { &loaded::PORTS[..] } else { &[] };
    let meanings: Vec<(&str, &'static str)> =
        own.iter().chain(PORTS).copied().chain(AXIL.iter().map(|&(name, _, _, said)| (name, said))).collect();
    module.explain(&meanings);
    let next = loads.then(|| ["next_rows", "next_columns"].map(|name| module.net(Kind::Wires, name, 16)));
    // Of each side the bits of its net that say how many blocks it has: the lowest one, how many.
    let (rows, columns) = size(plan);
    let used = [rows, columns].map(|side| (plan.lanes.trailing_zeros(), count_bits(side / plan.lanes)));
    for ((name, net), (low, own)) in sizes.into_iter().zip(next.into_iter().flatten()).zip(used) {
        instance = instance.input(name, Expr::Concat(vec![slice(net, low + own - 1, low)]));
    }
    registers(&mut module, plan, width, next);
    module.instances.push(instance);
    if let Some(next) = next {
        unused(&mut module, next, used);
    }
    module
}

/// What the registers see of a write: all of it.
const SEEN: [Bits; 2] = [("s_axil_wstrb", 3, 0), ("s_axil_wdata", 31, 0)];
/// The inputs of their cell for it.
const WRITTEN: [(&str, u32); 3] = [("strobes_i", 4), ("wcolumns_i", 16), ("wrows_i", 16)];

/// Adds the registers; `size` are the rows and columns that they load.
fn registers(module: &mut Module, plan: &Streamed, width: u32, size: Option<[Net; 2]>) {
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
        // No size is a multiple of 2^16: where none is loaded, each write is refused.
        lane_mask: size.map_or(MOST.into(), |_| u64::from(plan.lanes) - 1),
    };
    let refused = module.net(Kind::Wires, "axil_refused", 1);
    let shown = size.map_or(Expr::constant(limits, 32), |[rows, columns]| {
        Expr::Concat(vec![columns.into(), rows.into()])
    });
    let mut instance = Instance::new("u_registers", Of::cell(spec))
        .input("limits_i", Expr::constant(limits, 32))
        .input("size_i", shown)
        .output("refused_o", refused);
    for (at, port) in ["rows_o", "columns_o"].into_iter().enumerate() {
        instance = instance.outputs(port, vec![size.map(|nets| nets[at])]);
    }
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
    let loads = plan.largest().is_some();
    let (first, size) = match loads {
        true => (
            "A corner turn whose sizes are loaded through an AXI4-Lite port.".into(),
            format!(
                "Register SIZE (byte 0x3c): rows in bits 15:0, columns in bits 31:16, both multiples of {}. A matrix takes the size that SIZE has in the cycle before its first beat enters. A write of a size that is not possible is answered with SLVERR and changes nothing.",
                plan.lanes
            ),
        ),
        false => (
            format!("{}, with registers behind an AXI4-Lite port that identify it.", top_name(plan, width)),
            "The registers are read only; register SIZE (byte 0x3c) has the size of a data set, and a write to it is answered with SLVERR.".into(),
        ),
    };
    let registers = if loads { "" } else { " --port-style axis --axil" };
    vec![
        first,
        format!("Generated by Fritillary: frit generate {}{registers}; do not edit.", arguments(plan, width)),
        format!("{size} docs/registers.md and the C header beside this file have the map."),
    ]
}

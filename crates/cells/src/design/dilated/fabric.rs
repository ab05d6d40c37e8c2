//! `D_fabric`: the switches and bundles.

use super::Hardware;
use crate::netlist::{Expr, Instance, Kind, Module, ModuleId, Of};
use frit_network::dilated::Node;

/// What the ports of `D_fabric` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("inject_valid_i", "inject_bit_i holds a bit of a packet of the row"),
    ("inject_bit_i", "next bit of the packet"),
    ("inject_pop_o", "the bit on inject_bit_i is taken"),
    ("inject_last_i", "the bit on inject_bit_i is the last of its packet"),
    ("last_o", "the bit on bit_o is the last of its packet"),
    ("valid_o", "bit_o holds a bit that comes out on the edge; bundle by bundle, two to a row"),
    ("bit_o", "bit that comes out"),
    ("moves_o", "a bit moves"),
    ("holds_o", "a bit is in a queue or waits to be sent"),
];

/// The name of the switch (`level`, `row`) in the fabric.
pub fn switch_name(node: Node) -> String {
    format!("u_s{}_{}", node.level, node.row)
}

pub(super) fn module(hardware: &Hardware, first: ModuleId, inner: Option<ModuleId>) -> Module {
    let network = hardware.network();
    let (rows, levels, bundle) = (network.rows(), network.levels(), network.bundle());
    let what = "The network: all switches. The last edges always have room.";
    let mut module = Module::new(format!("{}_fabric", hardware.design_name()), hardware.header(what));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let inject_valid = module.bundle(Kind::Input, "inject_valid_i", rows, hardware.per_input());
    let inject_bit = module.bundle(Kind::Input, "inject_bit_i", rows, hardware.per_input());
    let inject_pop = module.bundle(Kind::Output, "inject_pop_o", rows, hardware.per_input());
    let valid_o = module.bundle(Kind::Output, "valid_o", 2 * rows, bundle);
    let bit_o = module.bundle(Kind::Output, "bit_o", 2 * rows, bundle);
    let moves_o = module.net(Kind::Output, "moves_o", 1);
    let holds_o = module.net(Kind::Output, "holds_o", 1);
    // The bundles behind each level, by the rows and in bundles in which they end.
    let between = |module: &mut Module, name: &str| -> Vec<_> {
        (1..levels)
            .map(|level| module.bundle(Kind::Wires, format!("e{level}_{name}"), 2 * rows, bundle))
            .collect()
    };
    let valid = between(&mut module, "valid");
    let bits = between(&mut module, "bit");
    let room = between(&mut module, "room");
    let tails = hardware.release().then(|| {
        let inject = module.bundle(Kind::Input, "inject_last_i", rows, hardware.per_input());
        let sink = module.bundle(Kind::Output, "last_o", 2 * rows, bundle);
        (inject, sink, between(&mut module, "last"), between(&mut module, "free"))
    });
    let moves = module.bundle(Kind::Wires, "moves", levels * rows, 1);
    let holds = module.bundle(Kind::Wires, "holds", levels * rows, 1);
    for number in 0..network.switches() as u32 {
        let node = network.node(number);
        let level = node.level as usize;
        let mut switch = match level {
            0 => Instance::new(switch_name(node), Of::Module(first))
                .input("valid_i", inject_valid.lane(node.row.0))
                .input("bit_i", inject_bit.lane(node.row.0))
                .output("pop_o", inject_pop.lane(node.row.0)),
            _ => {
                let ends = [2 * node.row.0, 2 * node.row.0 + 1];
                let lanes = |of: &[crate::netlist::Bundle]| ends.map(|end| of[level - 1].lane(end));
                Instance::new(switch_name(node), Of::Module(inner.expect("there are inner switches")))
                    .inputs("valid_i", lanes(&valid).map(Expr::from).to_vec())
                    .inputs("bit_i", lanes(&bits).map(Expr::from).to_vec())
                    .outputs("room_o", lanes(&room).map(Some).to_vec())
            }
        };
        let ends = [0, 1].map(|x| {
            let end = network.end(node, x, 0);
            2 * end.node.row.0 + end.y
        });
        let all = (1u64.checked_shl(bundle).unwrap_or(0)).wrapping_sub(1);
        switch = match room.get(level) {
            Some(room) => switch.inputs("room_i", ends.map(|end| room.lane(end).into()).to_vec()),
            None => switch.inputs("room_i", vec![Expr::constant(all, bundle); 2]),
        };
        if let Some((inject, sink, last, free)) = &tails {
            let own = [2 * node.row.0, 2 * node.row.0 + 1];
            switch = match level {
                0 => switch.input("last_i", inject.lane(node.row.0)),
                _ => switch
                    .inputs("last_i", own.map(|end| last[level - 1].lane(end).into()).to_vec())
                    .outputs("free_o", own.map(|end| Some(free[level - 1].lane(end))).to_vec()),
            };
            // A last bit that comes out has left its last edge.
            let (last, free) = (last.get(level).unwrap_or(sink), free.get(level).unwrap_or(sink));
            switch = switch
                .outputs("last_o", ends.map(|end| Some(last.lane(end))).to_vec())
                .inputs("free_i", ends.map(|end| free.lane(end).into()).to_vec());
        }
        let (valid, bits) = (valid.get(level).unwrap_or(&valid_o), bits.get(level).unwrap_or(&bit_o));
        module.instances.push(
            switch
                .input("clk_i", clk)
                .input("rst_i", rst)
                .outputs("valid_o", ends.map(|end| Some(valid.lane(end))).to_vec())
                .outputs("bit_o", ends.map(|end| Some(bits.lane(end))).to_vec())
                .output("moves_o", moves.lane(number))
                .output("holds_o", holds.lane(number)),
        );
    }
    for (net, of) in [(moves_o, moves), (holds_o, holds)] {
        let any = Expr::Any((0..levels * rows).map(|switch| of.lane(switch).into()).collect());
        module.assigns.push((net, any));
    }
    module.explain(PORTS);
    module
}

//! `D_switch`: queues, targets, who is given which edge, and for each out edge the OR of what is offered.

use super::{Hardware, Heads, ranker};
use crate::cells::{BitQueueSpec, ShuntSpec, WeakChoiceSpec, WeakTurnSpec};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Of, Part};
use frit_router::dilated::Switch;

/// What the ports of a switch are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("valid_i", "a bit is offered on the in edge, in bundle 0 in the least significant places"),
    ("bit_i", "the bit"),
    ("room_o", "the in edge has room: a bit that is offered is taken"),
    ("pop_o", "the bit of the packet is taken"),
    ("valid_o", "a bit is offered on the out edge, out bundle 0 in the least significant places"),
    ("bit_o", "the bit"),
    ("room_i", "the out edge has room"),
    ("moves_o", "a bit moves"),
    ("holds_o", "there is a bit"),
];

/// `count` lanes of one bit as a word, from lane `first` on.
fn slice(bundle: Bundle, first: u32, count: u32) -> Expr {
    Expr::Concat((first..first + count).rev().map(|lane| bundle.lane(lane).into()).collect())
}

/// A bit of a net of several.
fn bit(net: Net, at: u32) -> Expr {
    Expr::Concat(vec![Part::Net { net, bits: Some((at, at)), invert: false }])
}

/// A switch of a level: where packets start there are no queues, the packets being whole in front of it.
pub(super) fn module(hardware: &Hardware, level: u32) -> Module {
    let (bundle, inputs) = (hardware.bundle(), hardware.inputs(level));
    let starts = level == 0;
    let (name, what) = match starts {
        true => ("switch_first", "A switch where packets start: they are whole in front of it."),
        false => ("switch", "A switch: a queue and a target for each in edge."),
    };
    let mut module = Module::new(format!("{}_{name}", hardware.design_name()), hardware.header(what));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let (bundles, edges) = if starts { (1, inputs) } else { (2, bundle) };
    let valid_i = module.bundle(Kind::Input, "valid_i", bundles, edges);
    let bit_i = module.bundle(Kind::Input, "bit_i", bundles, edges);
    let room_i = module.bundle(Kind::Input, "room_i", 2, bundle);
    let back = module.bundle(Kind::Output, if starts { "pop_o" } else { "room_o" }, bundles, edges);
    let valid_o = module.bundle(Kind::Output, "valid_o", 2, bundle);
    let bit_o = module.bundle(Kind::Output, "bit_o", 2, bundle);
    let moves = module.net(Kind::Output, "moves_o", 1);
    let holds = module.net(Kind::Output, "holds_o", 1);

    let valid = module.bundle(Kind::Vector, "valid", inputs, 1);
    let front = module.bundle(Kind::Vector, "front", inputs, 1);
    let pop = module.bundle(Kind::Vector, "pop", inputs, 1);
    let room = module.bundle(Kind::Vector, "room", inputs, 1);
    let want = [0, 1].map(|x| module.bundle(Kind::Vector, format!("want{x}"), inputs, 1));
    let take = module.bundle(Kind::Vector, "take", inputs, 1);
    let edge = module.bundle(Kind::Vector, "edge_taken", inputs, bundle);
    let offer = [0, 1].map(|x| module.bundle(Kind::Wires, format!("offer{x}"), inputs, bundle));
    let ones = [0, 1].map(|x| module.bundle(Kind::Wires, format!("ones{x}"), inputs, bundle));
    for input in 0..inputs {
        let (y, e) = (input / edges, input % edges);
        let (offered, given) = (bit(valid_i.lane(y), e), bit(bit_i.lane(y), e));
        if starts {
            module.assigns.push((valid.lane(input), offered));
            module.assigns.push((front.lane(input), given));
            module.assigns.push((room.lane(input), pop.lane(input).into()));
        } else {
            module.instances.push(
                Instance::new(format!("u_queue_{input}"), Of::cell(BitQueueSpec))
                    .input("clk_i", clk)
                    .input("rst_i", rst)
                    .input("valid_i", offered)
                    .input("bit_i", given)
                    .input("pop_i", pop.lane(input))
                    .output("room_o", room.lane(input))
                    .output("valid_o", valid.lane(input))
                    .output("bit_o", front.lane(input)),
            );
        }
        module.instances.push(
            Instance::new(format!("u_shunt_{input}"), Of::cell(ShuntSpec { edges: bundle }))
                .input("clk_i", clk)
                .input("rst_i", rst)
                .input("valid_i", valid.lane(input))
                .input("bit_i", front.lane(input))
                .input("take_i", take.lane(input))
                .input("edge_i", edge.lane(input))
                .input("room0_i", room_i.lane(0))
                .input("room1_i", room_i.lane(1))
                .output("want0_o", want[0].lane(input))
                .output("want1_o", want[1].lane(input))
                .output("pop_o", pop.lane(input))
                .output("offer0_o", offer[0].lane(input))
                .output("offer1_o", offer[1].lane(input))
                .output("ones0_o", ones[0].lane(input))
                .output("ones1_o", ones[1].lane(input)),
        );
    }
    let heads = Heads { want, take, edge };
    match hardware.switch() {
        Switch::Strong => ranker::add(hardware, &mut module, clk, rst, &heads),
        Switch::Weak => picker(&mut module, bundle, edges, clk, rst, &heads),
    }
    for y in 0..bundles {
        module.assigns.push((back.lane(y), slice(room, y * edges, edges)));
    }
    for (name, from, to) in [("out_valid", offer, valid_o), ("out_bit", ones, bit_o)] {
        let out = module.bundle(Kind::Wires, name, 2 * bundle, 1);
        for (x, from) in (0..).zip(from) {
            for e in 0..bundle {
                let part = |input| Part::Net { net: from.lane(input), bits: Some((e, e)), invert: false };
                let any = Expr::Any((0..inputs).map(part).collect());
                module.assigns.push((out.lane(x * bundle + e), any));
            }
            module.assigns.push((to.lane(x), slice(out, x * bundle, bundle)));
        }
    }
    for (net, of) in [(moves, pop), (holds, valid)] {
        let any = Expr::Any((0..inputs).map(|input| of.lane(input).into()).collect());
        module.assigns.push((net, any));
    }
    module.explain(PORTS);
    module
}

/// Adds a weak switch's choice: whose turn it is in each in bundle, and which of the two is served.
fn picker(module: &mut Module, bundle: u32, edges: u32, clk: Net, rst: Net, heads: &Heads) {
    let bundles = heads.take.lanes() / edges;
    let chosen = module.net(Kind::Wires, "chosen", bundle);
    let mut choice = Instance::new("u_choice", Of::cell(WeakChoiceSpec { edges: bundle }))
        .input("clk_i", clk)
        .input("rst_i", rst)
        .output("edge_o", chosen);
    for (y, side) in (0..).zip(["upper", "lower"]) {
        if y >= bundles {
            choice = choice
                .input(&format!("{side}0_i"), Expr::constant(0, 1))
                .input(&format!("{side}1_i"), Expr::constant(0, 1))
                .unused(&format!("{side}_o"));
            continue;
        }
        let wants = [0, 1].map(|x| module.net(Kind::Wires, format!("{side}{x}"), 1));
        let given = module.net(Kind::Wires, format!("{side}_take"), 1);
        let takes = module.net(Kind::Wires, format!("{side}_takes"), edges);
        module.instances.push(
            Instance::new(format!("u_turn_{side}"), Of::cell(WeakTurnSpec { edges }))
                .input("clk_i", clk)
                .input("rst_i", rst)
                .input("want0_i", slice(heads.want[0], y * edges, edges))
                .input("want1_i", slice(heads.want[1], y * edges, edges))
                .input("take_i", given)
                .output("want0_o", wants[0])
                .output("want1_o", wants[1])
                .output("take_o", takes),
        );
        for e in 0..edges {
            module.assigns.push((heads.take.lane(y * edges + e), bit(takes, e)));
        }
        choice = choice
            .input(&format!("{side}0_i"), wants[0])
            .input(&format!("{side}1_i"), wants[1])
            .output(&format!("{side}_o"), given);
    }
    module.instances.push(choice);
    for input in 0..heads.edge.lanes() {
        module.assigns.push((heads.edge.lane(input), chosen.into()));
    }
}

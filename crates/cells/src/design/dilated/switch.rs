//! `D_switch`: queues, targets, who is given which edge, and for each out edge the OR of what is offered.

use super::{Hardware, Heads, Unused, bit, picker, ranker, slice};
use crate::cells::{BitQueueSpec, DilatedTailSpec, EdgeUseSpec, ShuntSpec};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Of, Part};
use frit_router::dilated::Switch;

/// What the ports of a switch are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("valid_i", "bit_i holds a bit on the in edge; in bundle 0 in the least significant places"),
    ("bit_i", "bit on the in edge"),
    ("room_o", "the in edge has room: a bit that is offered is taken"),
    ("pop_o", "the bit of the packet is taken"),
    ("valid_o", "bit_o holds a bit on the out edge; out bundle 0 in the least significant places"),
    ("bit_o", "bit on the out edge"),
    ("room_i", "the out edge has room"),
    ("last_i", "the bit on the in edge is the last of its packet"),
    ("free_o", "the packet on the in edge leaves: the in edge is free in the next cycle"),
    ("last_o", "the bit on the out edge is the last of its packet"),
    ("free_i", "the packet on the out edge leaves: the out edge is free in the next cycle"),
    ("moves_o", "a bit moves"),
    ("holds_o", "a bit is in the switch"),
];

/// A switch of a level: where packets start there are no queues, the packets being whole in front of it.
pub(super) fn module(hardware: &Hardware, level: u32) -> Module {
    let (bundle, inputs) = (hardware.bundle(), hardware.inputs(level));
    let starts = level == 0;
    let (name, what) = match starts {
        true => (
            "switch_first",
            "A switch where packets start: the complete packets wait in front of the switch.",
        ),
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
    let tails = hardware.release().then(|| Tails {
        last_i: module.bundle(Kind::Input, "last_i", bundles, edges),
        free_o: (!starts).then(|| module.bundle(Kind::Output, "free_o", bundles, edges)),
        last_o: module.bundle(Kind::Output, "last_o", 2, bundle),
        free_i: module.bundle(Kind::Input, "free_i", 2, bundle),
        last: module.bundle(Kind::Wires, "last", inputs, 1),
        freed: (!starts).then(|| module.bundle(Kind::Wires, "freed", inputs, 1)),
        lasts: [0, 1].map(|x| module.bundle(Kind::Wires, format!("lasts{x}"), inputs, bundle)),
    });
    let ports = SwitchInputs { clk, rst, valid_i, bit_i, room_i, bundle };
    let wires = Wires::declare(&mut module, inputs, bundle);
    for input in 0..inputs {
        in_edge(&mut module, &ports, &wires, tails.as_ref(), starts, [input, input / edges, input % edges]);
    }
    let Wires { valid, pop, room, want, take, edge, offer, ones, .. } = wires;
    let heads = Heads { want, take, edge };
    let unused = tails.as_ref().map(|tails| unused(&mut module, bundle, clk, rst, tails));
    match (hardware.switch(), &unused) {
        (Switch::Strong, None) => ranker::add(hardware, &mut module, clk, rst, &heads),
        (Switch::Strong, Some(unused)) => ranker::add_released(hardware, &mut module, &heads, unused),
        (Switch::Weak, unused) => {
            // Packets do not come round: where they start the turn ends with the last.
            let around = unused.is_some() && !starts;
            picker::add(&mut module, bundle, edges, clk, rst, &heads, unused.as_ref(), around);
        }
    }
    for y in 0..bundles {
        module.assigns.push((back.lane(y), slice(room, y * edges, edges)));
    }
    let mut out = vec![("out_valid", offer, valid_o), ("out_bit", ones, bit_o)];
    if let Some(tails) = &tails {
        out.push(("out_last", tails.lasts, tails.last_o));
        if let Some((port, freed)) = tails.free_o.zip(tails.freed) {
            for y in 0..bundles {
                module.assigns.push((port.lane(y), slice(freed, y * edges, edges)));
            }
        }
    }
    for (name, from, to) in out {
        out_edges(&mut module, name, from, to, inputs, bundle);
    }
    for (net, of) in [(moves, pop), (holds, valid)] {
        let any = Expr::Any((0..inputs).map(|input| of.lane(input).into()).collect());
        module.assigns.push((net, any));
    }
    module.explain(PORTS);
    module
}

struct SwitchInputs {
    clk: Net,
    rst: Net,
    valid_i: Bundle,
    bit_i: Bundle,
    room_i: Bundle,
    /// Edges of an out bundle.
    bundle: u32,
}

/// What an in edge has, a lane for each in edge; in pairs by out bundle.
struct Wires {
    /// A bit stands at the end of the edge, and which.
    valid: Bundle,
    front: Bundle,
    /// It leaves; the edge has room.
    pop: Bundle,
    room: Bundle,
    /// A head wants an edge of the out bundle, it is given one, which.
    want: [Bundle; 2],
    take: Bundle,
    edge: Bundle,
    /// Out edges to which a bit is offered, and those to which a 1 is.
    offer: [Bundle; 2],
    ones: [Bundle; 2],
}

impl Wires {
    fn declare(module: &mut Module, inputs: u32, bundle: u32) -> Self {
        let mut vector = |name: &str, width| module.bundle(Kind::Vector, name, inputs, width);
        let [valid, front, pop, room] = ["valid", "front", "pop", "room"].map(|name| vector(name, 1));
        let want = ["want0", "want1"].map(|name| vector(name, 1));
        let (take, edge) = (vector("take", 1), vector("edge_taken", bundle));
        let mut wires = |name: &str| module.bundle(Kind::Wires, name, inputs, bundle);
        let (offer, ones) = (["offer0", "offer1"].map(&mut wires), ["ones0", "ones1"].map(&mut wires));
        Wires { valid, front, pop, room, want, take, edge, offer, ones }
    }
}

/// Adds an in edge, number, bundle and place in the bundle being given: its queue, its target, and where edges are released the end of
/// its worm.
fn in_edge(
    module: &mut Module,
    ports: &SwitchInputs,
    wires: &Wires,
    tails: Option<&Tails>,
    starts: bool,
    [input, y, e]: [u32; 3],
) {
    let clocked =
        |name: String, of| Instance::new(name, of).input("clk_i", ports.clk).input("rst_i", ports.rst);
    let lane = |bundle: Bundle| bundle.lane(input);
    let offered = || bit(ports.valid_i.lane(y), e);
    let given = bit(ports.bit_i.lane(y), e);
    if starts {
        module.assigns.push((lane(wires.valid), offered()));
        module.assigns.push((lane(wires.front), given));
        module.assigns.push((lane(wires.room), lane(wires.pop).into()));
    } else {
        module.instances.push(
            clocked(format!("u_queue_{input}"), Of::cell(BitQueueSpec))
                .input("valid_i", offered())
                .input("bit_i", given)
                .input("pop_i", lane(wires.pop))
                .output("room_o", lane(wires.room))
                .output("valid_o", lane(wires.valid))
                .output("bit_o", lane(wires.front)),
        );
    }
    let edges = ports.bundle;
    let mut shunt = clocked(format!("u_shunt_{input}"), Of::cell(ShuntSpec { edges }))
        .input("valid_i", lane(wires.valid))
        .input("bit_i", lane(wires.front))
        .input("take_i", lane(wires.take))
        .input("edge_i", lane(wires.edge))
        .input("room0_i", ports.room_i.lane(0))
        .input("room1_i", ports.room_i.lane(1))
        .output("want0_o", lane(wires.want[0]))
        .output("want1_o", lane(wires.want[1]))
        .output("pop_o", lane(wires.pop))
        .output("offer0_o", lane(wires.offer[0]))
        .output("offer1_o", lane(wires.offer[1]))
        .output("ones0_o", lane(wires.ones[0]))
        .output("ones1_o", lane(wires.ones[1]));
    if let Some(tails) = tails {
        shunt = tails.shunt(shunt, input);
        let last = bit(tails.last_i.lane(y), e);
        if starts {
            module.assigns.push((lane(tails.last), last));
        } else {
            module.instances.push(
                clocked(format!("u_tail_{input}"), Of::cell(DilatedTailSpec))
                    .input("valid_i", offered())
                    .input("last_i", last)
                    .input("room_i", lane(wires.room))
                    .input("pop_i", lane(wires.pop))
                    .output("last_o", lane(tails.last)),
            );
        }
    } else {
        shunt = shunt
            .input("last_i", Expr::constant(0, 1))
            .unused("lasts0_o")
            .unused("lasts1_o")
            .unused("free_o");
    }
    module.instances.push(shunt);
}

/// Gives each out edge the OR of what in edges offer there.
fn out_edges(module: &mut Module, name: &str, from: [Bundle; 2], to: Bundle, inputs: u32, bundle: u32) {
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

/// What a switch has besides where edges are released.
struct Tails {
    last_i: Bundle,
    /// No edge ends where packets start.
    free_o: Option<Bundle>,
    last_o: Bundle,
    free_i: Bundle,
    /// The bit in front of an in edge is the last of its worm, and leaves.
    last: Bundle,
    freed: Option<Bundle>,
    /// Out edges to which in edges offer last bits, by out bundle.
    lasts: [Bundle; 2],
}

impl Tails {
    /// Connects what a shunt has besides.
    fn shunt(&self, shunt: Instance, input: u32) -> Instance {
        let shunt = shunt
            .input("last_i", self.last.lane(input))
            .output("lasts0_o", self.lasts[0].lane(input))
            .output("lasts1_o", self.lasts[1].lane(input));
        match self.freed {
            Some(freed) => shunt.output("free_o", freed.lane(input)),
            None => shunt.unused("free_o"),
        }
    }
}

/// Adds the registers of which out edges worms have.
fn unused(module: &mut Module, bundle: u32, clk: Net, rst: Net, tails: &Tails) -> Unused {
    let [free, given] =
        ["unused", "given"].map(|name| [0, 1].map(|x| module.net(Kind::Wires, format!("{name}{x}"), bundle)));
    for x in 0..2 {
        module.instances.push(
            Instance::new(format!("u_use{x}"), Of::cell(EdgeUseSpec { edges: bundle }))
                .input("clk_i", clk)
                .input("rst_i", rst)
                .input("given_i", given[x])
                .input("free_i", tails.free_i.lane(x as u32))
                .output("free_o", free[x]),
        );
    }
    Unused { free, given }
}

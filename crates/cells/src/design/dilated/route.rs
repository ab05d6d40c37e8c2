//! `D_route`: the network and its controller.

use super::Hardware;
use crate::cells::{DilatedControlSpec, DilatedGateSpec};
use crate::netlist::{Expr, Instance, Kind, Module, ModuleId, Of};

/// What the ports of `D_route` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("start_i", "starts a run; ignored during a run"),
    ("busy_o", "a run is under way; each cycle is a bit step, the first after start_i"),
    ("done_o", "high for one cycle after the end of a run: no bit moved in the last cycle"),
    ("stuck_o", "packets that cannot move were left when the last run ended"),
    ("steps_o", "steps of the last run, up to its last bit that came out"),
    (
        "inject_valid_i",
        "inject_bit_i holds a bit of the packet, routing bits first, then the payload; row by row, the packets of a row from the least significant place on",
    ),
    ("inject_bit_i", "next bit of the packet"),
    ("inject_pop_o", "the bit on inject_bit_i is taken in this cycle"),
    (
        "sink_valid_o",
        "sink_bit_o holds a payload bit that comes out on the edge; row by row, the two bundles of a row, the first edge in the least significant place",
    ),
    ("sink_bit_o", "payload bit that comes out"),
    ("inject_last_i", "the bit on inject_bit_i is the last of its packet"),
    ("sink_last_o", "the bit on sink_bit_o is the last of its packet"),
];

pub(super) fn module(hardware: &Hardware, fabric: ModuleId) -> Module {
    let network = hardware.network();
    let (rows, bundle, packets) = (network.rows(), network.bundle(), hardware.per_input());
    let what = "The network with its controller: runs until no bit moves. Each cycle is a bit step.";
    let mut module = Module::new(format!("{}_route", hardware.design_name()), hardware.header(what));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let start = module.net(Kind::Input, "start_i", 1);
    let busy = module.net(Kind::Output, "busy_o", 1);
    let done = module.net(Kind::Output, "done_o", 1);
    let stuck = module.net(Kind::Output, "stuck_o", 1);
    let steps = module.net(Kind::Output, "steps_o", 32);
    let valid_i = module.bundle(Kind::Input, "inject_valid_i", rows, packets);
    let bit_i = module.bundle(Kind::Input, "inject_bit_i", rows, packets);
    let pop_o = module.bundle(Kind::Output, "inject_pop_o", rows, packets);
    let sink_valid = module.bundle(Kind::Output, "sink_valid_o", 2 * rows, bundle);
    let sink_bit = module.bundle(Kind::Output, "sink_bit_o", 2 * rows, bundle);
    let clear = module.net(Kind::Wires, "clear", 1);
    let moves = module.net(Kind::Wires, "moves", 1);
    let holds = module.net(Kind::Wires, "holds", 1);
    let arrives = module.net(Kind::Wires, "arrives", 1);
    let gated = module.bundle(Kind::Wires, "gated", rows, packets);
    for row in 0..rows {
        module.instances.push(
            Instance::new(format!("u_gate_{row}"), Of::cell(DilatedGateSpec { packets }))
                .input("run_i", busy)
                .input("valid_i", valid_i.lane(row))
                .output("valid_o", gated.lane(row)),
        );
    }
    let mut instance = Instance::new("u_fabric", Of::Module(fabric))
        .input("clk_i", clk)
        .input("rst_i", Expr::Any(vec![rst.into(), clear.into()]))
        .inputs("inject_valid_i", gated.drive())
        .inputs("inject_bit_i", bit_i.drive())
        .outputs("inject_pop_o", pop_o.driven())
        .outputs("valid_o", sink_valid.driven())
        .outputs("bit_o", sink_bit.driven())
        .output("moves_o", moves)
        .output("holds_o", holds);
    if hardware.release() {
        let last_i = module.bundle(Kind::Input, "inject_last_i", rows, packets);
        let last_o = module.bundle(Kind::Output, "sink_last_o", 2 * rows, bundle);
        instance = instance.inputs("inject_last_i", last_i.drive()).outputs("last_o", last_o.driven());
    }
    module.instances.push(instance);
    let any = Expr::Any((0..2 * rows).map(|end| sink_valid.lane(end).into()).collect());
    module.assigns.push((arrives, any));
    module.instances.push(
        Instance::new("u_control", Of::cell(DilatedControlSpec))
            .input("clk_i", clk)
            .input("rst_i", rst)
            .input("start_i", start)
            .input("moves_i", moves)
            .input("holds_i", holds)
            .input("arrives_i", arrives)
            .output("clear_o", clear)
            .output("busy_o", busy)
            .output("done_o", done)
            .output("stuck_o", stuck)
            .output("steps_o", steps),
    );
    module.explain(PORTS);
    module
}

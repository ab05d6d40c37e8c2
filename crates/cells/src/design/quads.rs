//! The 4×4 switches of a group of stages, and what selects their words.
//!
//! The settings stay those of the 2×2 switches: a small network of [`NumberSwitch`](crate::cells::NumberSwitch)es, wired like the group, finds
//! for each output of a 4×4 switch the number of the input whose word it has.

use crate::cells::{LevelDriverSpec, NumberSwitchSpec, Switch4Spec};
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of};
use frit_network::group::Quad;
use frit_network::{Network, StageIdx, SwitchIdx};

/// The number of the input of its 4×4 switch that reaches each port behind the last stage of a group; `state` is the bit that sets a switch.
pub(super) fn numbers(
    module: &mut Module,
    network: &Network,
    group: u32,
    mut state: impl FnMut(&mut Module, StageIdx, SwitchIdx) -> Expr,
) -> Vec<Expr> {
    let stages = network.group(group);
    let mut ports: Vec<Expr> = vec![Expr::constant(0, 2); network.lanes() as usize];
    for quad in network.quads(group) {
        for (number, port) in (0..).zip(quad.inputs) {
            ports[port as usize] = Expr::constant(number, 2);
        }
    }
    for stage in stages.clone() {
        if stage > stages.start {
            let sources = network.sources(StageIdx(stage));
            ports = sources.iter().map(|&source| ports[source as usize].clone()).collect();
        }
        for switch in 0..network.switches_per_stage() {
            let at = [2 * switch, 2 * switch + 1].map(|port| port as usize);
            let bit = state(module, StageIdx(stage), SwitchIdx(switch));
            let from = at.map(|port| module.net(Kind::Wires, format!("s{stage}_from_{port}"), 2));
            let instance = Instance::new(format!("u_s{stage}_{switch}"), Of::cell(NumberSwitchSpec))
                .input("state_i", bit)
                .input("from0_i", ports[at[0]].clone())
                .input("from1_i", ports[at[1]].clone())
                .output("from0_o", from[0])
                .output("from1_o", from[1]);
            module.instances.push(instance);
            at.into_iter().zip(from).for_each(|(port, net)| ports[port] = net.into());
        }
    }
    ports
}

/// The numbers a cycle later, each in registers of its own.
pub(super) fn later(module: &mut Module, name: &str, clk: Net, numbers: Vec<Expr>) -> Vec<Expr> {
    let register = |(port, number): (usize, Expr)| {
        let held = module.net(Kind::Wires, format!("{name}_from_{port}"), 2);
        let instance = Instance::new(format!("u_{name}_from_{port}"), Of::cell(LevelDriverSpec { bits: 2 }))
            .input("clk_i", clk)
            .input("ahead_i", number)
            .output("control_o", held);
        module.instances.push(instance);
        held.into()
    };
    numbers.into_iter().enumerate().map(register).collect()
}

/// A 4×4 switch without its words. Its name has the numbers of its two 2×2 switches in the first stage of the group.
pub(super) fn switch(first_stage: u32, quad: &Quad, width: u32, [clk, rst]: [Net; 2], numbers: &[Expr]) -> Instance {
    let [one, other] = quad.switches[0];
    let name = format!("u_s{first_stage}_{}_{}", one.0, other.0);
    let instance = Instance::new(name, Of::cell(Switch4Spec { width })).input("clk_i", clk).input("rst_i", rst);
    (0..).zip(quad.outputs).fold(instance, |instance, (output, port)| {
        instance.input(&format!("from{output}_i"), numbers[port as usize].clone())
    })
}

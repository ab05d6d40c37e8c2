//! The 4×4 switches of a group of stages, and what selects their words.
//!
//! The settings stay those of the 2×2 switches: a small network of [`PlainSwitch`](crate::cells::PlainSwitch)es, wired like the group, finds
//! for each output of a 4×4 switch the number of the input whose word it has. Registers store the numbers, because nothing else is fast enough
//! in front of the multiplexers of wide words; so the settings come a cycle before the words.

use crate::cells::{LevelDriverSpec, PlainSwitchSpec, Switch4Spec};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Of};
use frit_network::{Network, StageIdx, SwitchIdx};

/// The number of the input of its 4×4 switch that reaches each port behind the last stage of a group; `state` is the bit that sets a
/// switch, and `prefix` the beginning of the names of the switches.
pub(super) fn numbers(
    module: &mut Module,
    prefix: &str,
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
            let instance =
                Instance::new(format!("{prefix}{stage}_{switch}"), Of::cell(PlainSwitchSpec { width: 2 }))
                    .input("state_i", bit)
                    .input("data0_i", ports[at[0]].clone())
                    .input("data1_i", ports[at[1]].clone())
                    .output("data0_o", from[0])
                    .output("data1_o", from[1]);
            module.instances.push(instance);
            at.into_iter().zip(from).for_each(|(port, net)| ports[port] = net.into());
        }
    }
    ports
}

/// A column of 4×4 switches: `words` are the words in front of a group of stages (valid, word), and `numbers` what its states selected in the
/// cycle before. Gives the words behind it.
pub(super) fn column(
    module: &mut Module,
    network: &Network,
    group: u32,
    width: u32,
    [clk, rst]: [Net; 2],
    numbers: &[Expr],
    words: &[(Expr, Expr)],
) -> [Bundle; 2] {
    let stages = network.group(group);
    let (first, last, quads) = (stages.start, stages.end - 1, network.quads(group));
    module.heading(format!("Stages {first} to {last}: 4x4 switches 0 to {}.", quads.len() - 1));
    let lanes = network.lanes();
    let out = [("valid", 1), ("data", width)]
        .map(|(what, bits)| module.bundle(Kind::Wires, format!("s{last}_{what}"), lanes, bits));
    let numbers = later(module, &format!("s{last}_select"), clk, numbers.to_vec());
    for quad in &quads {
        let [one, other] = quad.switches[0];
        // The name has the two 2×2 switches in the first stage.
        let name = format!("u_s{first}_{}_{}", one.0, other.0);
        let mut instance =
            Instance::new(name, Of::cell(Switch4Spec { width })).input("clk_i", clk).input("rst_i", rst);
        for (number, (input, output)) in quad.inputs.into_iter().zip(quad.outputs).enumerate() {
            let (valid, word) = &words[input as usize];
            instance = instance
                .input(&format!("from{number}_i"), numbers[output as usize].clone())
                .input(&format!("valid{number}_i"), valid.clone())
                .input(&format!("data{number}_i"), word.clone())
                .output(&format!("valid{number}_o"), out[0].lane(output))
                .output(&format!("data{number}_o"), out[1].lane(output));
        }
        module.instances.push(instance);
    }
    out
}

/// The numbers a cycle later, each in registers of its own.
pub(super) fn later(module: &mut Module, name: &str, clk: Net, numbers: Vec<Expr>) -> Vec<Expr> {
    let register = |(port, number): (usize, Expr)| {
        let held = module.net(Kind::Wires, format!("{name}_{port}"), 2);
        let instance = Instance::new(format!("u_{name}_{port}"), Of::cell(LevelDriverSpec { bits: 2 }))
            .input("clk_i", clk)
            .input("ahead_i", number)
            .output("control_o", held);
        module.instances.push(instance);
        held.into()
    };
    numbers.into_iter().enumerate().map(register).collect()
}

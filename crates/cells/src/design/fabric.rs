//! `D_fabric`: the switches and wires, set from outside.

use super::feedback::Feedback;
use super::quads;
use crate::cells::{
    LevelDriverSpec, LinkSpec, OpticalSwitchSpec, RotatePairSpec, SwitchSpec, WideSwitchSpec,
};
use crate::netlist::{Bundle, Expr, Instance, Kind, Module, Net, Of};
use frit_network::{StageIdx, SwitchIdx};
use frit_schedule::control_inputs::ControlPort;
use frit_schedule::{Control, Plan};
use std::ops::Range;

/// Adds a control input; gives its bits.
fn control_input(module: &mut Module, port: ControlPort) -> Vec<Net> {
    if !port.vector {
        return vec![module.net(Kind::Input, port.name, port.bits)];
    }
    let bits = module.bundle(Kind::Input, port.name, port.bits, 1);
    (0..port.bits).map(|bit| bits.lane(bit)).collect()
}

/// What the ports of `D_fabric` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("valid_i", "data_i holds a word that enters on the lane"),
    ("data_i", "word that enters"),
    ("state_i", "state of every switch, stage by stage: 0 straight, 1 cross"),
    ("stage_i", "state of the switches of every stage: 0 straight, 1 cross"),
    ("stage_odd_i", "state of the odd switches of every stage: 0 straight, 1 cross"),
    ("control_i", "state of all switches: 0 straight, 1 cross"),
    ("again_i", "0: new words enter. 1: words that come back enter for their second pass"),
    ("deliver_i", "0: words at the end go back. 1: words at the end leave"),
    ("valid_o", "data_o holds a word that leaves on the lane"),
    ("data_o", "word that leaves"),
];

pub(super) fn module(plan: &Plan, width: u32) -> Module {
    let network = &plan.network;
    let (lanes, stages, per_stage) = (network.lanes(), network.stages(), network.switches_per_stage());
    let what = "The fabric: registered switches and wires. Data registers have no reset.";
    let mut module =
        Module::new(format!("{}_fabric", plan.design_name(width)), super::header(plan, width, what));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let valid_i = module.bundle(Kind::Input, "valid_i", lanes, 1);
    let data_i = module.bundle(Kind::Input, "data_i", lanes, width);
    let inputs = plan.control_inputs();
    let controls: Vec<Vec<Net>> = inputs.ports().map(|port| control_input(&mut module, port)).collect();
    let feedback = Feedback::new(plan, &mut module, clk, rst, width, "data");
    let valid_o = module.bundle(Kind::Output, "valid_o", lanes, 1);
    let data_o = module.bundle(Kind::Output, "data_o", lanes, width);
    let systolic = matches!(plan.control, Control::Systolic(_));
    let optical = systolic && plan.pipeline == 1;
    let (mut valid, mut data) = (valid_i, data_i);
    if systolic {
        // The first edge leads from the processors to the routers of level 1.
        (valid, data) = links(&mut module, "e", clk, rst, width, valid, data, lanes);
    }
    if let Some(feedback) = &feedback {
        (valid, data) = feedback.enter(&mut module, valid, data);
    }
    let end = StageIdx(stages);
    for stage in 0..stages {
        let column = StageIdx(stage);
        let group = network.group(network.group_of(column));
        if group.len() > 1 {
            if stage == group.start {
                (valid, data) = quads(&mut module, plan, width, group, [clk, rst], &controls, (valid, data));
            }
            continue;
        }
        let sources = network.sources(column);
        if let Some(feedback) = &feedback {
            valid = feedback.leave(&mut module, column, &sources, valid, data);
        }
        let turn = plan.turn(column);
        // Words and states wait in front of the switches; a wide switch has two of the registers.
        let wide = plan.pipeline > 1 && turn.is_none();
        let waits = plan.pipeline - 1 - u32::from(wide);
        for wait in 0..waits {
            let name = format!("w{stage}_{wait}");
            (valid, data) = links(&mut module, &name, clk, rst, width, valid, data, lanes);
        }
        module.heading(super::stage_heading(column, per_stage, turn));
        // What leaves the switches: registers of electronic ones, light of optical ones.
        let name = if optical { format!("x{stage}") } else { format!("s{stage}") };
        let next_valid = module.bundle(Kind::Wires, format!("{name}_valid"), lanes, 1);
        let next_data = module.bundle(Kind::Wires, format!("{name}_data"), lanes, width);
        for switch in 0..per_stage {
            let [in0, in1] = [sources[2 * switch as usize], sources[2 * switch as usize + 1]];
            let [out0, out1] = [2 * switch, 2 * switch + 1];
            let name = format!("u_s{stage}_{switch}");
            let at = inputs.bit(column, SwitchIdx(switch));
            let state = controls[at.port][at.bit as usize];
            let state = match plan.control_ahead() {
                0 => state,
                _ => waiting(&mut module, &format!("s{stage}_state_{switch}"), clk, state),
            };
            let state = (0..waits).fold(state, |state, wait| {
                waiting(&mut module, &format!("w{stage}_{wait}_state_{switch}"), clk, state)
            });
            let instance = if let Some(by) = turn {
                let [from0, from1] = [out0, out1].map(|port| sources[((port + lanes - by) % lanes) as usize]);
                Instance::new(name, Of::cell(RotatePairSpec { width }))
                    .input("clk_i", clk)
                    .input("rst_i", rst)
                    .input("state_i", state)
                    .input("turned_valid0_i", valid.lane(from0))
                    .input("turned_data0_i", data.lane(from0))
                    .input("turned_valid1_i", valid.lane(from1))
                    .input("turned_data1_i", data.lane(from1))
            } else if optical {
                Instance::new(name, Of::cell(OpticalSwitchSpec { width })).input("control_i", state)
            } else if wide {
                wide_switch(&mut module, [stage, switch], width, [clk, rst], state)
            } else {
                Instance::new(name, Of::cell(SwitchSpec { width }))
                    .input("clk_i", clk)
                    .input("rst_i", rst)
                    .input("state_i", state)
            };
            module.instances.push(
                instance
                    .input("valid0_i", valid.lane(in0))
                    .input("data0_i", data.lane(in0))
                    .input("valid1_i", valid.lane(in1))
                    .input("data1_i", data.lane(in1))
                    .output("valid0_o", next_valid.lane(out0))
                    .output("data0_o", next_data.lane(out0))
                    .output("valid1_o", next_valid.lane(out1))
                    .output("data1_o", next_data.lane(out1)),
            );
        }
        (valid, data) = (next_valid, next_data);
        if optical {
            (valid, data) = links(&mut module, &format!("s{stage}"), clk, rst, width, valid, data, lanes);
        }
    }
    if let Some(feedback) = &feedback {
        valid = feedback.leave(&mut module, end, &network.sources(end), valid, data);
    }
    for (port, &source) in network.sources(end).iter().enumerate() {
        module.assigns.push((valid_o.lane(port as u32), valid.lane(source).into()));
        module.assigns.push((data_o.lane(port as u32), data.lane(source).into()));
    }
    match plan.control_ahead() {
        0 => module.explain(PORTS),
        _ => module.explain(&[&[STATE_AHEAD], PORTS].concat()),
    }
    module
}

/// What `state_i` is where the words pass 4×4 switches.
const STATE_AHEAD: (&str, &str) =
    ("state_i", "state of every switch in the next cycle, stage by stage: 0 straight, 1 cross");

/// A group of stages: a column of 4×4 switches.
fn quads(
    module: &mut Module,
    plan: &Plan,
    width: u32,
    group: Range<u32>,
    [clk, rst]: [Net; 2],
    controls: &[Vec<Net>],
    (mut valid, mut data): (Bundle, Bundle),
) -> (Bundle, Bundle) {
    let (network, inputs) = (&plan.network, plan.control_inputs());
    let (first, last, number) = (group.start, group.end - 1, network.group_of(StageIdx(group.start)));
    module.heading(format!("Stages {first} to {last}: what their states select."));
    let mut numbers = quads::numbers(module, "u_s", network, number, |_, stage, switch| {
        let at = inputs.bit(stage, switch);
        controls[at.port][at.bit as usize].into()
    });
    // Words and numbers wait in front of the switches.
    for wait in 1..plan.pipeline {
        let name = format!("w{first}_{}", wait - 1);
        (valid, data) = links(module, &name, clk, rst, width, valid, data, network.lanes());
        numbers = quads::later(module, &format!("{name}_select"), clk, numbers);
    }
    let words: Vec<(Expr, Expr)> = network
        .sources(StageIdx(first))
        .into_iter()
        .map(|source| (valid.lane(source).into(), data.lane(source).into()))
        .collect();
    let [valid, data] = quads::column(module, network, number, width, [clk, rst], &numbers, &words);
    (valid, data)
}

/// A wide switch without its words, and the registers that set its halves.
fn wide_switch(
    module: &mut Module,
    [stage, switch]: [u32; 2],
    width: u32,
    [clk, rst]: [Net; 2],
    state: Net,
) -> Instance {
    let instance = Instance::new(format!("u_s{stage}_{switch}"), Of::cell(WideSwitchSpec { width }));
    let clocked = instance.input("clk_i", clk).input("rst_i", rst);
    ["lower", "upper"].into_iter().fold(clocked, |instance, half| {
        let held = waiting(module, &format!("s{stage}_{half}_{switch}"), clk, state);
        instance.input(&format!("{half}_i"), held)
    })
}

/// A register for the state of a switch whose words wait; synthesis keeps those of several switches apart.
fn waiting(module: &mut Module, name: &str, clk: Net, state: Net) -> Net {
    let held = module.net(Kind::Wires, name, 1);
    module.instances.push(
        Instance::new(format!("u_{name}"), Of::cell(LevelDriverSpec { bits: 1 }))
            .input("clk_i", clk)
            .input("ahead_i", state)
            .output("control_o", held),
    );
    held
}

/// A link behind every lane; its registers are the wires `<name>_valid` and `<name>_data`.
#[allow(clippy::too_many_arguments)] // the nets of one column
pub(super) fn links(
    module: &mut Module,
    name: &str,
    clk: Net,
    rst: Net,
    width: u32,
    valid: Bundle,
    data: Bundle,
    lanes: u32,
) -> (Bundle, Bundle) {
    module.heading(format!("Links {name}: hold the packet of each lane for one step."));
    let held_valid = module.bundle(Kind::Wires, format!("{name}_valid"), lanes, 1);
    let held_data = module.bundle(Kind::Wires, format!("{name}_data"), lanes, width);
    for lane in 0..lanes {
        module.instances.push(
            Instance::new(format!("u_{name}_link_{lane}"), Of::cell(LinkSpec { width }))
                .input("clk_i", clk)
                .input("rst_i", rst)
                .input("valid_i", valid.lane(lane))
                .input("data_i", data.lane(lane))
                .output("valid_o", held_valid.lane(lane))
                .output("data_o", held_data.lane(lane)),
        );
    }
    (held_valid, held_data)
}

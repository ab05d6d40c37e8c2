//! `D_labels`: the labels route themselves through a copy of the network and set the switches of the fabric.

use super::feedback::Feedback;
use crate::cells::{LabelEntrySpec, LabelSwitchSpec, RoundDelaySpec, SelfRoutingSwitchSpec};
use crate::design::fabric::links;
use crate::netlist::{Expr, Instance, Kind, Module, Net, Of, Part};
use frit_network::StageIdx;
use frit_schedule::Plan;

/// What the ports of `D_labels` are for.
const PORTS: &[(&str, &str)] = &[
    ("clk_i", "clock, rising edge"),
    ("rst_i", "reset, synchronous, active high"),
    ("valid_i", "label_i holds a label that enters on the lane"),
    ("label_i", "label: one output bit for each stage, the first stage on top"),
    ("again_i", "0: new labels enter. 1: labels that come back enter for their second pass"),
    ("deliver_i", "0: labels at the end go back. 1: labels at the end leave"),
    ("state_o", "state of every switch of the fabric, stage by stage: 0 straight, 1 cross"),
    ("conflict_o", "two messages of the round at the last stage wanted the same output of a switch"),
];

/// A switch of a stage without its labels. Where labels pass the network once, registers stand in front of every stage but the
/// first, so that states are registers; labels that come back come from registers behind a switch.
fn switch_cell(plan: &Plan, bits: u32, stage: u32, name: String, [clk, rst]: [Net; 2]) -> Instance {
    let clocked = |of| Instance::new(name.clone(), of).input("clk_i", clk).input("rst_i", rst);
    match (plan.second_pass, stage) {
        (Some(_), _) => clocked(Of::cell(SelfRoutingSwitchSpec { bits })),
        (None, 0) => Instance::new(name, Of::cell(LabelEntrySpec { bits })),
        (None, _) => clocked(Of::cell(LabelSwitchSpec { bits })),
    }
}

/// The module, for plans whose switches are set by labels.
pub(super) fn module(plan: &Plan, width: u32) -> Option<Module> {
    if !plan.self_routing() {
        return None;
    }
    let network = &plan.network;
    let (lanes, stages, per_stage) = (network.lanes(), network.stages(), network.switches_per_stage());
    let bits = plan.hops();
    let what =
        "Self-routing: labels travel beside the data and set the switch that both pass in the same cycle.";
    let mut module =
        Module::new(format!("{}_labels", plan.design_name(width)), super::header(plan, width, what));
    let clk = module.net(Kind::Input, "clk_i", 1);
    let rst = module.net(Kind::Input, "rst_i", 1);
    let mut valid = module.bundle(Kind::Input, "valid_i", lanes, 1);
    let mut label = module.bundle(Kind::Input, "label_i", lanes, bits);
    let feedback = Feedback::new(plan, &mut module, clk, rst, bits, "label");
    let state_o = module.bundle(Kind::Output, "state_o", stages * per_stage, 1);
    let conflict_o = plan.tells_conflicts().then(|| module.net(Kind::Output, "conflict_o", 1));
    // Whether there was a conflict in the stages before, of the round that is at this one.
    let mut before: Option<Net> = None;
    if let Some(feedback) = &feedback {
        (valid, label) = feedback.enter(&mut module, valid, label);
    }
    // Behind the last stage a label is needed only if it goes back to the first.
    let kept = plan.second_pass.map_or(stages - 1, |second| second.after.max(stages - 1));
    let end = StageIdx(stages);
    for stage in 0..stages {
        let column = StageIdx(stage);
        let sources = network.sources(column);
        if let Some(feedback) = &feedback {
            valid = feedback.leave(&mut module, column, &sources, valid, label);
        }
        // The registers of a stage before, but for the one in front of the switches.
        for wait in 0..if stage == 0 { 0 } else { plan.pipeline - 1 } {
            (valid, label) =
                links(&mut module, &format!("w{stage}_{wait}"), clk, rst, bits, valid, label, lanes);
        }
        module.heading(super::stage_heading(column, per_stage, None));
        let last = stage == kept;
        let conflict =
            conflict_o.map(|_| module.bundle(Kind::Vector, format!("s{stage}_conflict"), per_stage, 1));
        // A vector of its own: those of stage 0 may be gates, and the others registers.
        let state = module.bundle(Kind::Vector, format!("s{stage}_state"), per_stage, 1);
        let next = (!last).then(|| {
            let valid = module.bundle(Kind::Wires, format!("s{stage}_valid"), lanes, 1);
            (valid, module.bundle(Kind::Wires, format!("s{stage}_label"), lanes, bits))
        });
        for switch in 0..per_stage {
            let [in0, in1] = [sources[2 * switch as usize], sources[2 * switch as usize + 1]];
            let instance = switch_cell(plan, bits, stage, format!("u_s{stage}_{switch}"), [clk, rst])
                .input("valid0_i", valid.lane(in0))
                .input("label0_i", label.lane(in0))
                .input("valid1_i", valid.lane(in1))
                .input("label1_i", label.lane(in1))
                .output("state_o", state.lane(switch))
                .outputs("conflict_o", vec![conflict.map(|conflict| conflict.lane(switch))]);
            module.assigns.push((state_o.lane(stage * per_stage + switch), state.lane(switch).into()));
            module.instances.push(match next {
                Some((valid, label)) => instance
                    .output("valid0_o", valid.lane(2 * switch))
                    .output("label0_o", label.lane(2 * switch))
                    .output("valid1_o", valid.lane(2 * switch + 1))
                    .output("label1_o", label.lane(2 * switch + 1)),
                None => instance.unused("valid0_o").unused("label0_o").unused("valid1_o").unused("label1_o"),
            });
        }
        if let (Some(conflict), Some(told)) = (conflict, conflict_o) {
            let own = (0..per_stage).map(|switch| conflict.lane(switch).into());
            let any = own.chain(before.map(Part::from)).collect();
            let mut round = Expr::Any(any);
            for cycle in 1..=plan.pipeline {
                let (end, last) = (cycle == plan.pipeline, stage + 1 == stages);
                let name = if end { format!("s{stage}_told") } else { format!("s{stage}_told_{cycle}") };
                let next = if end && last { told } else { module.net(Kind::Wires, name.clone(), 1) };
                module.instances.push(
                    Instance::new(format!("u_{name}"), Of::cell(RoundDelaySpec { bits: 1 }))
                        .input("clk_i", clk)
                        .input("rst_i", rst)
                        .input("round_i", round)
                        .output("round_o", next),
                );
                (before, round) = (Some(next), next.into());
            }
        }
        if let Some(next) = next {
            (valid, label) = next;
        }
    }
    if let Some(feedback) = feedback.filter(|_| kept == stages) {
        feedback.end(&mut module, &network.sources(end), valid, label);
    }
    module.explain(PORTS);
    Some(module)
}

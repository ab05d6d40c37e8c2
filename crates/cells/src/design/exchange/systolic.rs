//! The optical butterfly: one de Bruijn controller for all routers, one that follows what arrives, and the interfaces of
//! the processors.

use super::{Controls, Exchange};
use crate::cells::{
    CellSpec, DeBruijnSpec, FeedbackSpec, LevelDriverSpec, NextBitTableSpec, OpticalTerminalSpec,
    RoundDelaySpec, RoutingWordSpec, SourceWordSpec, SuccessorSpec,
};
use crate::netlist::{Bundle, Expr, Instance, Kind, Net, Of, Part};
use frit_network::Name;
use frit_schedule::Plan;
use frit_schedule::systolic::Systolic;

impl Exchange<'_> {
    /// One controller for all routers, one that follows what arrives, and the interfaces of the processors.
    pub(super) fn systolic(&mut self, rule: &Systolic, busy: Net, ends: Net) -> Controls {
        let order = rule.sequence().order();
        let arrived = self.arrived();
        let (long, per_level) = (self.form.words > 1, self.plan.control_per_level());
        // One bit drives all routers, or the bit of the next cycle a register for each level.
        let output = match (long, per_level && !self.form.ahead) {
            (true, _) => None,
            (_, true) => Some(("ahead_o", self.module.net(Kind::Wires, "ahead", 1))),
            (_, false) => Some(("control_o", self.module.net(Kind::Wires, "control", 1))),
        };
        let step = if long { self.advance.into() } else { Expr::constant(1, 1) };
        // The routers are driven as long as packets are under way, beyond the last slot.
        let next = self.controller(rule, [busy.into(), step, ends.into()], output);
        // Both words are those of slot 0 first.
        let idle = u64::from(rule.routing_word(0));
        let idle_source = if idle & 1 == 1 { !(idle >> 1) } else { idle >> 1 };
        let (send, arrive) = (
            RoutingWordSpec { order, idle },
            SourceWordSpec { order, idle: idle_source & (u64::MAX >> (64 - order)) },
        );
        let word = self.word("send", rule, Of::cell(send), self.advance);
        let arrive_word = self.word("arrive", rule, Of::cell(arrive), arrived);
        // a_0 = 0 is the top bit of the routing word; the other one ends with s_l = 0.
        let zero = || Part::Const { value: 0, bits: 1 };
        let send_word = Expr::Concat(vec![zero(), word.into()]);
        let arrive_word = Expr::Concat(vec![arrive_word.into(), zero()]);
        self.module.heading("The processors: the destinations and the sources of each.");
        for terminal in 0..self.plan.network.terminals() {
            let spec = OpticalTerminalSpec { bits: order + 1, terminal: terminal as u64 };
            let (up, down) = (2 * terminal, 2 * terminal + 1);
            self.module.instances.push(
                Instance::new(format!("u_terminal_{terminal}"), Of::cell(spec))
                    .input("send_word_i", send_word.clone())
                    .input("arrive_word_i", arrive_word.clone())
                    .output("up_dest_o", self.send_dest.lane(up))
                    .output("down_dest_o", self.send_dest.lane(down))
                    .output("up_source_o", self.recv_source.lane(up))
                    .output("down_source_o", self.recv_source.lane(down)),
            );
            self.module.assigns.push((self.send_valid.lane(up), self.sends(up).into()));
            self.module.assigns.push((self.send_valid.lane(down), self.sends(down).into()));
        }
        self.module.tie_low(self.conflict, super::NO_CONFLICTS);
        let stages = self.plan.network.stages();
        let Some((_, control)) = output else {
            let next = next.expect("a controller without an output tells the state of its next step");
            assert!(per_level, "one control bit for all levels changes in every cycle");
            let stage = self.module.bundle(Kind::Vector, "stage", stages, 1);
            self.held_levels(next, stage);
            return vec![("stage_i", stage.drive())];
        };
        if !per_level {
            return vec![("control_i", vec![self.in_time("entering_control", control.into(), 1)])];
        }
        let stage = self.module.bundle(Kind::Vector, "stage", stages, 1);
        // With more registers in a stage one driver is enough: each level has the bit of the one before, so many cycles later.
        for level in 0..if self.plan.pipeline > 1 { 1 } else { stages } {
            self.module.instances.push(
                Instance::new(format!("u_level_driver_{level}"), Of::cell(LevelDriverSpec { bits: 1 }))
                    .input("clk_i", self.clk)
                    .input("ahead_i", control)
                    .output("control_o", stage.lane(level)),
            );
        }
        if self.plan.pipeline > 1 {
            self.later_levels(stage, ends, rule.state(0).bit());
        }
        vec![("stage_i", stage.drive())]
    }

    /// The bits of all levels but the first. What waits in them becomes the `idle` bit when nothing is under way.
    fn later_levels(&mut self, stage: Bundle, ends: Net, idle: bool) {
        let turned = |net| Expr::Concat(vec![Part::Net { net, bits: None, invert: idle }]);
        for level in 1..self.plan.network.stages() {
            let mut bit = turned(stage.lane(level - 1));
            for cycle in 1..self.plan.pipeline {
                let name = format!("level_{level}_{cycle}");
                let later = self.module.net(Kind::Wires, name.clone(), 1);
                self.module.instances.push(
                    Instance::new(format!("u_{name}"), Of::cell(RoundDelaySpec { bits: 1 }))
                        .input("clk_i", self.clk)
                        .input("rst_i", Expr::Any(vec![self.rst.into(), ends.into()]))
                        .input("round_i", bit)
                        .output("round_o", later),
                );
                bit = later.into();
            }
            let last = bit.as_net().expect("a stage has two registers here");
            self.module.assigns.push((stage.lane(level), turned(last)));
        }
    }

    /// Drivers of the levels for rounds of several cycles: the bits that the words of a round will meet go on from level
    /// to level with them.
    fn held_levels(&mut self, next: Net, stage: Bundle) {
        let stages = self.plan.network.stages();
        let mut word: Expr = next.into();
        for register in 0..self.plan.entry_delay {
            word = self.later(&format!("edge_word_{register}"), word, stages).into();
        }
        let word = self.in_time("entering_word", word, stages);
        match stages {
            // A word of one bit has nothing to hand on.
            1 => self.module.assigns.push((stage.lane(0), word)),
            _ => self.stage_drivers(stages, word, stage),
        }
    }

    /// The de Bruijn controller with its next-bit rule, that runs, steps and stops as the inputs say; returns the state of its next step if it
    /// drives no `output`.
    fn controller(
        &mut self,
        rule: &Systolic,
        [run, step, stop]: [Expr; 3],
        output: Option<(&str, Net)>,
    ) -> Option<Net> {
        let order = rule.sequence().order();
        let state = self.module.net(Kind::Wires, "send_state", order);
        let next = output.is_none().then(|| self.module.net(Kind::Wires, "send_next", order));
        let bit = self.next_bit("send", rule, state);
        let spec = DeBruijnSpec { order, start: rule.sequence().word(0) as u64 };
        let instance = Instance::new("u_send_controller", Of::cell(spec))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("run_i", run)
            .input("step_i", step)
            .input("stop_i", stop)
            .input("bit_i", bit)
            .output("state_o", state)
            .outputs("next_o", vec![next]);
        let used = output.map_or("", |(port, _)| port);
        let mut instance = output.iter().fold(instance, |instance, (port, net)| instance.output(port, *net));
        for port in ["control_o", "ahead_o"].into_iter().filter(|port| *port != used) {
            instance = instance.unused(port);
        }
        self.module.instances.push(instance);
        next
    }

    /// The word from which the terminals know whom the packets of a slot are for or from, in a register; `step`: the slot ends with
    /// this cycle.
    fn word(&mut self, which: &str, rule: &Systolic, cell: Of, step: Net) -> Net {
        let order = rule.sequence().order();
        let word = self.module.net(Kind::Wires, format!("{which}_word"), order);
        let tau = self.module.net(Kind::Wires, format!("{which}_tau"), order);
        let bit = self.next_bit(&format!("{which}_word"), rule, tau);
        self.module.instances.push(
            Instance::new(format!("u_{which}_word"), cell)
                .input("clk_i", self.clk)
                .input("rst_i", self.rst)
                .input("step_i", step)
                .input("bit_i", bit)
                .output("tau_o", tau)
                .output("word_o", word),
        );
        word
    }

    /// The bit that follows these bits of the sequence.
    fn next_bit(&mut self, which: &str, rule: &Systolic, state: Net) -> Net {
        let bit = self.module.net(Kind::Wires, format!("{which}_bit"), 1);
        self.module.instances.push(
            Instance::new(format!("u_{which}_rule"), Of::cell(next_bit_rule(self.plan, rule)))
                .input("state_i", state)
                .output("bit_o", bit),
        );
        bit
    }
}

/// The next-bit rule that the plan's option `controller` asks for; `auto` takes the successor rule if the
/// sequence has one, a minimised feedback function up to the order where one is computed, else a table.
fn next_bit_rule(plan: &Plan, rule: &Systolic) -> CellSpec {
    let option = |key: &str| plan.options.get(key).map_or("", Name::as_str);
    let name = option("sequence").replace('-', "_");
    let sequence = rule.sequence();
    let successor = SuccessorSpec { order: sequence.order() };
    let table = || NextBitTableSpec::of(sequence, &name).into();
    let minimised = || FeedbackSpec::of(sequence, &name).map_or_else(table, CellSpec::from);
    match option("controller") {
        // One bit of state leaves nothing to compute.
        _ if sequence.order() == 1 => table(),
        "table" => table(),
        "feedback" => minimised(),
        _ if name == "prefer_one" => successor.into(),
        _ => minimised(),
    }
}

//! Stage control: a driver for each stage, and terminals that compute the ends of the path of their messages.

use super::{Controls, Exchange};
use crate::cells::{
    AlternatingDriverSpec, Ata2WordSpec, RotateTerminalSpec, ShuffleTerminalSpec, StageDriverSpec,
    XorTerminalSpec,
};
use crate::netlist::{Bundle, Expr, Instance, Kind, Net, Of, Part};
use frit_network::StageIdx;
use frit_schedule::stage_control::{Rule, StageControl, rotate_right};

impl Exchange<'_> {
    /// A driver per stage, and a terminal per lane that computes the ends of the path of its messages.
    pub(super) fn stage_control(&mut self, rule: StageControl, counted: Option<[Net; 2]>) -> Controls {
        let [round, arrival] = self.rounds(counted);
        let (lanes, stages) = (self.plan.network.lanes(), self.plan.network.stages());
        let off = || Expr::constant(0, 1);
        let alternating = (0..stages).any(|stage| rule.alternating_stage(StageIdx(stage)));
        // The control words of the round being sent and of the one arriving, and whether they alternate.
        let (word, alternate, arrive_word, arrive_alternate) = if alternating {
            let (word, alternate) = self.ata2_word("send", round);
            let (arrive_word, arrive_alternate) = self.ata2_word("arrive", arrival);
            (word, Expr::from(alternate), arrive_word, Expr::from(arrive_alternate))
        } else {
            (round, off(), arrival, off())
        };
        match rule.rule {
            Rule::Xor { rotation } => self.xor_terminals(rotation, [word, arrive_word]),
            Rule::Turn => self.rotate_terminals([word, arrive_word]),
            Rule::Counter | Rule::Ata2 => {
                self.shuffle_terminals([word, arrive_word], [alternate.clone(), arrive_alternate]);
            }
        }
        for lane in 0..lanes {
            self.module.assigns.push((self.send_valid.lane(lane), self.sends(lane).into()));
        }
        self.module.tie_low(self.conflict, super::NO_CONFLICTS);
        let word = self.in_time("entering_word", word.into(), stages);
        let even = self.module.bundle(Kind::Vector, "stage", stages, 1);
        if !alternating {
            self.stage_drivers(stages, word, even);
            return vec![("stage_i", even.drive())];
        }
        let alternate = self.in_time("entering_alternate", alternate, 1);
        let odd = self.module.bundle(Kind::Vector, "stage_odd", stages, 1);
        self.alternating_drivers(rule, word, alternate, even, odd);
        vec![("stage_i", even.drive()), ("stage_odd_i", odd.drive())]
    }

    /// Terminals that follow the path through the shuffle-exchange network, from the control words of the round being
    /// sent and of the one arriving, and whether each alternates.
    fn shuffle_terminals(&mut self, [word, arrive_word]: [Net; 2], [alternate, arrive_alternate]: [Expr; 2]) {
        let (lanes, stages) = (self.plan.network.lanes(), self.plan.network.stages());
        self.module.heading("The terminals: the destination and the source of each.");
        for lane in 0..lanes {
            let spec = ShuffleTerminalSpec { stages, terminal: lane as u64, half: lanes as u64 / 2 };
            // The terminal takes the bits in the order of the stages, so the word reversed.
            let bit = |at| Part::Net { net: word, bits: Some((at, at)), invert: false };
            self.module.instances.push(
                Instance::new(format!("u_terminal_{lane}"), Of::cell(spec))
                    .input("send_word_i", Expr::Concat((0..stages).map(bit).collect()))
                    .input("send_alternate_i", alternate.clone())
                    .input("arrive_word_i", arrive_word)
                    .input("arrive_alternate_i", arrive_alternate.clone())
                    .output("send_dest_o", self.send_dest.lane(lane))
                    .output("recv_source_o", self.recv_source.lane(lane)),
            );
        }
    }

    /// Terminals of the XOR method on a network that rotates numbers to the right by `rotation` bits, so that a receiver
    /// rotates them back.
    fn xor_terminals(&mut self, rotation: u32, [word, arrive_word]: [Net; 2]) {
        let bits = self.plan.network.stages();
        let bit = |at: u32| {
            let at = (at + bits - rotation) % bits;
            Part::Net { net: arrive_word, bits: Some((at, at)), invert: false }
        };
        let arrive: Expr = match rotation {
            0 => arrive_word.into(),
            _ => Expr::Concat((0..bits).rev().map(bit).collect()),
        };
        self.module.heading("The terminals: the destination and the source of each.");
        for lane in 0..self.plan.network.lanes() {
            let dest = rotate_right(lane, rotation, bits) as u64;
            let source = rotate_right(lane, bits - rotation, bits) as u64;
            let spec = XorTerminalSpec { bits, dest, source };
            self.module.instances.push(
                Instance::new(format!("u_terminal_{lane}"), Of::cell(spec))
                    .input("send_word_i", word)
                    .input("arrive_word_i", arrive.clone())
                    .output("send_dest_o", self.send_dest.lane(lane))
                    .output("recv_source_o", self.recv_source.lane(lane)),
            );
        }
    }

    fn rotate_terminals(&mut self, [round, arrive_round]: [Net; 2]) {
        let bits = self.plan.network.stages();
        self.module.heading("The terminals: the destination and the source of each.");
        for lane in 0..self.plan.network.lanes() {
            let spec = RotateTerminalSpec { bits, terminal: lane.into() };
            self.module.instances.push(
                Instance::new(format!("u_terminal_{lane}"), Of::cell(spec))
                    .input("send_round_i", round)
                    .input("arrive_round_i", arrive_round)
                    .output("send_dest_o", self.send_dest.lane(lane))
                    .output("recv_source_o", self.recv_source.lane(lane)),
            );
        }
    }

    fn ata2_word(&mut self, which: &str, round: Net) -> (Net, Net) {
        let bits = self.plan.network.stages();
        let word = self.module.net(Kind::Wires, format!("{which}_word"), bits);
        let alternate = self.module.net(Kind::Wires, format!("{which}_alternate"), 1);
        self.module.instances.push(
            Instance::new(format!("u_{which}_word"), Of::cell(Ata2WordSpec { bits }))
                .input("round_i", round)
                .output("word_o", word)
                .output("alternate_o", alternate),
        );
        (word, alternate)
    }

    pub(super) fn stage_drivers(&mut self, stages: u32, mut word: Expr, state: Bundle) {
        self.module.heading("A driver for each stage: the control word passes from driver to driver.");
        for stage in 0..stages {
            let instance =
                Instance::new(format!("u_stage_driver_{stage}"), Of::cell(StageDriverSpec { bits: stages }))
                    .input("clk_i", self.clk)
                    .input("rst_i", self.rst)
                    .input("word_i", word.clone())
                    .output("state_o", state.lane(stage));
            let instance = if stage + 1 < stages {
                let next = self.module.net(Kind::Wires, format!("word_{stage}"), stages);
                word = self.with_words(&format!("word_{stage}"), next, stages).into();
                instance.output("word_o", next)
            } else {
                instance.unused("word_o")
            };
            self.module.instances.push(instance);
        }
    }

    fn alternating_drivers(
        &mut self,
        rule: StageControl,
        mut word: Expr,
        mut alternate: Expr,
        even: Bundle,
        odd: Bundle,
    ) {
        let stages = self.plan.network.stages();
        self.module.heading("A driver for each stage: the control word passes from driver to driver.");
        for stage in 0..stages {
            let instance = Instance::new(
                format!("u_stage_driver_{stage}"),
                Of::cell(AlternatingDriverSpec { bits: stages }),
            )
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("word_i", word.clone())
            .input("alternate_i", alternate.clone())
            .output("even_o", even.lane(stage));
            let instance = if rule.alternating_stage(StageIdx(stage)) {
                instance.output("odd_o", odd.lane(stage))
            } else {
                // All switches of the first and the last stage follow the same bit.
                self.module.assigns.push((odd.lane(stage), even.lane(stage).into()));
                instance.unused("odd_o")
            };
            let instance = if stage + 1 < stages {
                let next_word = self.module.net(Kind::Wires, format!("word_{stage}"), stages);
                let next = self.module.net(Kind::Wires, format!("alternate_{stage}"), 1);
                word = self.with_words(&format!("word_{stage}"), next_word, stages).into();
                alternate = self.with_words(&format!("alternate_{stage}"), next, 1).into();
                instance.output("word_o", next_word).output("alternate_o", next)
            } else {
                instance.unused("word_o").unused("alternate_o")
            };
            self.module.instances.push(instance);
        }
    }
}

//! The columns of switches of a network with a loaded schedule.

use super::{Core, Piece, bit};
use crate::cells::SwitchSpec;
use crate::design::quads;
use crate::netlist::{Expr, Net, Of};
use frit_network::StageIdx;
use std::ops::Range;

impl Core {
    /// The columns of switches, each with its settings of the round whose words it has.
    pub(super) fn stages(&mut self, running: &[Piece], words: Vec<(Expr, Expr)>) -> Vec<(Expr, Expr)> {
        let (switches, width) = (self.shape.switches(), self.word_bits());
        let mut words = self.wired(0, words);
        for stage in 0..self.shape.stages() {
            let number = self.network.group_of(StageIdx(stage));
            let group = self.network.group(number);
            if group.len() > 1 {
                if stage == group.start {
                    words = self.quads(number, group, running, &words);
                }
                continue;
            }
            self.module.heading(format!("Stage {stage}: its settings, and its switches."));
            let settings = self.field(running, self.shape.stage_at(stage), switches);
            let state = (0..=number).fold(settings, |data, cycle| {
                self.delay(format!("state_{stage}_{cycle}"), switches, data).into()
            });
            let state = state.as_net().expect("settings are delayed by a cycle or more");
            let mut after = Vec::with_capacity(words.len());
            for (switch, pair) in words.chunks_exact(2).enumerate() {
                let mut instance = self
                    .clocked(format!("u_switch_{stage}_{switch}"), Of::cell(SwitchSpec { width }))
                    .input("state_i", Expr::Concat(vec![bit(state, switches, switch as u32)]));
                for (side, (valid, data)) in pair.iter().enumerate() {
                    let port = 2 * switch + side;
                    let out = [("valid", 1), ("data", width)]
                        .map(|(what, bits)| self.wire(format!("s{stage}_{what}_{port}"), bits));
                    instance = instance
                        .input(&format!("valid{side}_i"), valid.clone())
                        .input(&format!("data{side}_i"), data.clone())
                        .output(&format!("valid{side}_o"), out[0])
                        .output(&format!("data{side}_o"), out[1]);
                    after.push((out[0].into(), out[1].into()));
                }
                self.module.instances.push(instance);
            }
            words = self.wired(stage + 1, after);
        }
        words
    }

    /// A group of stages as a column of 4×4 switches: what the states of a round select is stored in the cycle before its words come.
    fn quads(
        &mut self,
        number: u32,
        group: Range<u32>,
        running: &[Piece],
        words: &[(Expr, Expr)],
    ) -> Vec<(Expr, Expr)> {
        let (switches, width) = (self.shape.switches(), self.word_bits());
        let (first, last) = (group.start, group.end - 1);
        self.module.heading(format!("Stages {first} to {last}: their settings, and what they select."));
        let states: Vec<Net> = group
            .map(|stage| {
                let settings = self.field(running, self.shape.stage_at(stage), switches);
                let state = self.wire(format!("state_{stage}"), switches);
                let delayed = (0..number).fold(settings, |data, cycle| {
                    self.delay(format!("state_{stage}_{cycle}"), switches, data).into()
                });
                self.module.assigns.push((state, delayed));
                state
            })
            .collect();
        let numbers =
            quads::numbers(&mut self.module, "u_switch_", &self.network, number, |_, stage, switch| {
                Expr::Concat(vec![bit(states[(stage.0 - first) as usize], switches, switch.0)])
            });
        let [valid, data] = quads::column(
            &mut self.module,
            &self.network,
            number,
            width,
            [self.clk, self.rst],
            &numbers,
            words,
        );
        let after = (0..self.network.lanes()).map(|port| (valid.lane(port).into(), data.lane(port).into()));
        let after = after.collect();
        self.wired(last + 1, after)
    }

    /// The words behind a link column.
    fn wired(&self, column: u32, words: Vec<(Expr, Expr)>) -> Vec<(Expr, Expr)> {
        let mut wired = words.clone();
        for (word, &to) in words.into_iter().zip(self.network.link(StageIdx(column))) {
            wired[to as usize] = word;
        }
        wired
    }
}

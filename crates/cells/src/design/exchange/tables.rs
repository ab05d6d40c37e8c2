//! Stored schedules: a ROM with the settings of each stage, or with the labels of each terminal, and terminals that read
//! their destinations and sources.

use super::{Controls, Exchange};
use crate::cells::{ModuloCounterSpec, RomSpec, SendAheadSpec};
use crate::design::SWITCHES_PER_ROM;
use crate::netlist::{Expr, Instance, Kind, ModuleId, Net, Of, Part};
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::tables::Tables;

impl Exchange<'_> {
    /// ROMs in place of drivers and label generators. `labels` is the module that routes labels, if labels are stored.
    pub(super) fn tables(
        &mut self,
        tables: &Tables,
        counted: Option<[Net; 2]>,
        labels: Option<ModuleId>,
        passes: &Controls,
    ) -> Controls {
        assert!(self.plan.second_pass.is_none(), "a stored schedule passes its network once");
        let [round, arrival] = self.rounds(counted);
        self.table_terminals(tables, round, arrival);
        match labels {
            Some(labels) => {
                let label = self.stored_labels(tables, round);
                self.routed_labels(labels, label, passes)
            }
            None => {
                self.module.tie_low(self.conflict, super::NO_CONFLICTS);
                self.stored_settings(tables, round)
            }
        }
    }

    /// A ROM for the destinations and one for the sources of every lane.
    fn table_terminals(&mut self, tables: &Tables, round: Net, arrival: Net) {
        let (lanes, address) = (self.plan.network.lanes(), self.plan.address_bits());
        let owned = self.plan.lanes_per_terminal();
        let mut sources: Vec<Vec<u64>> = vec![Vec::new(); lanes as usize];
        for round in RoundIdx::all(tables.rounds()) {
            for (lane, source) in tables.sources(round).into_iter().enumerate() {
                sources[lane].push(u64::from(source / owned));
            }
        }
        for (lane, sources) in (0..lanes).zip(sources) {
            let destination = |round| u64::from(tables.destination(round, LaneIdx(lane)).0 / owned);
            let destinations = RoundIdx::all(tables.rounds()).map(destination).collect();
            let (dest, source) = (self.send_dest.lane(lane), self.recv_source.lane(lane));
            self.rom(format!("dest_{lane}"), round, address, destinations, dest);
            self.rom(format!("source_{lane}"), arrival, address, sources, source);
            self.module.assigns.push((self.send_valid.lane(lane), self.sends(lane).into()));
        }
    }

    /// The label of every lane: its destination, or a word from a ROM of its own.
    fn stored_labels(&mut self, tables: &Tables, round: Net) -> Vec<Expr> {
        let (lanes, stages) = (self.plan.network.lanes(), self.plan.network.stages());
        if tables.labels_are_destinations() {
            return self.send_dest.drive();
        }
        let label = self.module.bundle(Kind::Wires, "label", lanes, stages);
        for lane in 0..lanes {
            let words = RoundIdx::all(tables.rounds())
                .map(|round| tables.label(round, LaneIdx(lane)).unwrap_or(0))
                .collect();
            self.rom(format!("label_{lane}"), round, stages, words, label.lane(lane));
        }
        label.drive()
    }

    /// The states of all switches, from the ROMs of the stages; each group of stages is as many round registers behind the one before as a group
    /// has registers.
    fn stored_settings(&mut self, tables: &Tables, mut round: Net) -> Controls {
        let ahead = self.plan.control_ahead();
        let mut entry_delay = self.plan.entry_delay + u32::from(self.form.ahead);
        if entry_delay < ahead {
            round = self.round_ahead(round);
        } else {
            entry_delay -= ahead;
        }
        let (stages, switches) = (self.plan.network.stages(), self.plan.network.switches_per_stage());
        let bits = self.module.signal(round.signal).width;
        let mut states = Vec::new();
        for register in 0..entry_delay + stages {
            let Some(stage) = register.checked_sub(entry_delay) else {
                round = self.later(&format!("round_{register}"), round.into(), bits);
                continue;
            };
            for first in (0..switches).step_by(SWITCHES_PER_ROM as usize) {
                let width = SWITCHES_PER_ROM.min(switches - first);
                let word = |round| {
                    let state = |at| tables.state(round, StageIdx(stage), SwitchIdx(first + at));
                    (0..width).fold(0, |word, at| word | u64::from(state(at).is_some_and(|s| s.bit())) << at)
                };
                let name = match switches > SWITCHES_PER_ROM {
                    false => format!("state_{stage}"),
                    true => format!("state_{stage}_{first}"),
                };
                let net = self.module.net(Kind::Wires, name.clone(), width);
                self.rom(name, round, width, RoundIdx::all(tables.rounds()).map(word).collect(), net);
                let bit = |at| Expr::Concat(vec![Part::Net { net, bits: Some((at, at)), invert: false }]);
                states.extend((0..width).map(bit));
            }
            // The stages of a group have the same round in the same cycle.
            let network = &self.plan.network;
            let ends = stage + 1 < stages
                && !network.group(network.group_of(StageIdx(stage))).contains(&(stage + 1));
            if ends {
                let name = format!("round_{register}");
                let next = self.later(&name, round.into(), bits);
                round = self.with_words(&name, next, bits);
            }
        }
        vec![("state_i", states)]
    }

    /// The number of the round that is sent in the next cycle, or 0.
    fn round_ahead(&mut self, round: Net) -> Net {
        let bits = self.module.signal(round.signal).width;
        let last = u64::from(self.plan.rounds) - 1;
        let [step, ahead] = [("sending_ahead", 1), ("round_ahead", bits)]
            .map(|(name, bits)| self.module.net(Kind::Wires, name, bits));
        let start = |name: &str| Net { signal: self.module.find(name).expect("an exchange has it"), lane: 0 };
        let step_of = Instance::new("u_send_ahead", Of::cell(SendAheadSpec))
            .input("start_i", start("start_i"))
            .input("ready_i", start("ready_o"))
            .input("sending_i", start("sending"))
            .input("last_i", start("sending_last"))
            .output("ahead_o", step);
        let counter = Instance::new("u_round_ahead", Of::cell(ModuloCounterSpec { bits, last }))
            .input("clk_i", self.clk)
            .input("rst_i", self.rst)
            .input("step_i", step)
            .output("count_o", ahead)
            .unused("wrap_o");
        self.module.instances.extend([step_of, counter]);
        ahead
    }

    fn rom(&mut self, what: String, round: Net, width: u32, words: Vec<u64>, word: Net) {
        let bits = self.module.signal(round.signal).width;
        let instance = format!("u_{what}_rom");
        self.module.instances.push(
            Instance::new(instance, Of::cell(RomSpec { name: what, bits, width, words }))
                .input("round_i", round)
                .output("word_o", word),
        );
    }
}

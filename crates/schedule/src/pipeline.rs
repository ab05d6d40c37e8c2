//! Registers of a stage. A switch has one; more of them make an exchange longer by a constant and the clock faster.

use crate::plan::Plan;
use frit_network::options::{NumberDefault, OptionSpec, Values};
use frit_network::{Name, StageIdx, SwitchState};
use std::collections::BTreeMap;

/// The option that says how many registers a word passes in a stage.
pub const PIPELINE: OptionSpec = OptionSpec {
    name: "pipeline",
    values: Values::Number { min: 1, max: 4, default: NumberDefault::Fixed(1) },
    help: "registers of each stage; 2 is for wide words: the control bit has a register before the multiplexers",
    compared: false,
};

impl Plan {
    /// The same plan, whose words pass so many registers in each stage. Only a plan whose messages pass the network once has this.
    pub fn pipelined(mut self, registers: u32) -> Plan {
        assert!(self.second_pass.is_none(), "a window of a second pass has a cycle for each stage");
        let stages = self.network.groups();
        let more = u64::from(registers - self.pipeline) * u64::from(stages);
        if more > 0 {
            self.figures.cycles_paper += more;
            self.figures.cycles_lower_bound += more;
            let what = if self.network.is_grouped() { "groups" } else { "stages" };
            self.figures.bound_reason += &format!("; each of the {stages} {what} has {registers} registers");
        }
        // One register is the default and is not written down, so that plans made before the option existed keep their bytes.
        match registers {
            1 => self.options.remove(PIPELINE.name),
            _ => self
                .options
                .insert(PIPELINE.name.into(), Name::new(registers.to_string()).expect("a number is a name")),
        };
        Plan { pipeline: registers, ..self }
    }

    /// The same for a plan that files gave: the options of its request were checked, and say how many registers.
    pub fn pipelined_as(self, options: &BTreeMap<String, String>) -> Plan {
        match options.get(PIPELINE.name).and_then(|registers| registers.parse().ok()) {
            Some(registers) => self.pipelined(registers),
            None => self,
        }
    }

    /// The state that systolic control gives the switches of a stage in a cycle, if that is what sets them. Where a word spends more
    /// than one cycle in a stage, it meets the bit that it would have met, so that bit comes later at each stage.
    pub fn systolic_state(&self, stage: StageIdx, cycle: u64) -> Option<SwitchState> {
        let behind = u64::from(self.control_behind(stage));
        self.systolic().map(|rule| rule.state(cycle.saturating_sub(behind)))
    }

    /// Cycles by which the control bit of a stage comes later than with one register in each stage.
    pub fn control_behind(&self, stage: StageIdx) -> u32 {
        (self.pipeline - 1) * stage.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Request, SYSTEMS, plan};
    use frit_network::RoundIdx;

    /// Latency and cycles grow by a constant; rounds, interval and destinations are the same.
    #[test]
    fn every_system_that_has_the_option_takes_as_many_cycles_more_as_it_has_registers() {
        let systems = SYSTEMS.iter().filter(|system| system.row.options.contains(&PIPELINE));
        for system in systems {
            let request = Request::new(system.row.key, system.row.example);
            let one = plan(&request).unwrap();
            for registers in 1..=4u32 {
                let more = plan(&request.clone().with("pipeline", &registers.to_string())).unwrap();
                let added = (registers - 1) * one.network.stages();
                assert_eq!(more.latency(), one.latency() + added, "{}", more.name());
                assert_eq!(more.cycles(), one.cycles() + u64::from(added));
                assert_eq!(more.cycles(), more.figures.cycles_paper);
                assert_eq!((more.period(), more.rounds), (one.period(), one.rounds));
                for round in RoundIdx::all(more.rounds) {
                    for stage in 0..more.network.stages() {
                        let (cycle, before) = (more.acts_at(stage, round), one.acts_at(stage, round));
                        assert_eq!(cycle - before, u64::from((registers - 1) * stage));
                        assert_eq!(
                            more.systolic_state(StageIdx(stage), cycle),
                            one.systolic_state(StageIdx(stage), before)
                        );
                    }
                }
                assert_eq!(more.name() == one.name(), registers == 1, "{}", more.name());
                assert_eq!(plan(&more.request()).unwrap().name(), more.name());
            }
        }
    }

    #[test]
    fn what_has_no_such_option_or_number_says_so() {
        let error = |key: &str, registers: &str| {
            plan(&Request::new(key, 8).with("pipeline", registers)).unwrap_err().to_string()
        };
        assert_eq!(error("rls", "0"), "rls: pipeline=0 is out of range; give 1 to 4");
        assert_eq!(error("obf", "5"), "obf: pipeline=5 is out of range; give 1 to 4");
        for key in ["rls-folded", "rls-flattened"] {
            assert!(error(key, "2").starts_with(&format!("{key} has no option \"pipeline\"")));
        }
    }
}

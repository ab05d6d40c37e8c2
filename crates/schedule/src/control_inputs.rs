//! The control inputs of a fabric: which there are, how wide they are, and which bit sets which switch.
//!
//! Netlist, benches, testbench and waveforms ask for this shape here. What the bits are each of them finds in its own way,
//! so that comparing them proves something.

use crate::plan::{Control, Plan};
use frit_network::{StageIdx, SwitchIdx};

/// Which control inputs a fabric has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlInputs {
    /// `state_i`: a bit for each switch, stage after stage.
    Switches {
        /// Stages of switches.
        stages: u32,
        /// Switches of each.
        per_stage: u32,
    },
    /// `stage_i`: a bit for all switches of each stage.
    Stages {
        /// Stages of switches.
        stages: u32,
    },
    /// `stage_i` and `stage_odd_i`: a bit for the even and one for the odd switches of each stage.
    Parities {
        /// Stages of switches.
        stages: u32,
    },
    /// `control_i`: one bit for all switches.
    Shared,
}

/// A control input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlPort {
    /// In Verilog and in waveforms.
    pub name: &'static str,
    /// Its width.
    pub bits: u32,
    /// Whether it is a vector, if only of one bit.
    pub vector: bool,
}

/// A bit of the control inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlBit {
    /// The place of the input among [`ControlInputs::ports`].
    pub port: usize,
    /// The bit of it.
    pub bit: u32,
}

impl ControlInputs {
    /// The inputs, in the order in which the fabric has them.
    pub fn ports(self) -> impl ExactSizeIterator<Item = ControlPort> {
        let (names, bits): (&[&'static str], u32) = match self {
            ControlInputs::Switches { stages, per_stage } => (&["state_i"], stages * per_stage),
            ControlInputs::Stages { stages } => (&["stage_i"], stages),
            ControlInputs::Parities { stages } => (&["stage_i", "stage_odd_i"], stages),
            ControlInputs::Shared => (&["control_i"], 1),
        };
        names.iter().map(move |name| ControlPort { name, bits, vector: self != ControlInputs::Shared })
    }

    /// The bit that sets `switch` of `stage`. Both must exist.
    pub fn bit(self, stage: StageIdx, switch: SwitchIdx) -> ControlBit {
        match self {
            ControlInputs::Switches { per_stage, .. } => {
                ControlBit { port: 0, bit: stage.0 * per_stage + switch.0 }
            }
            ControlInputs::Stages { .. } => ControlBit { port: 0, bit: stage.0 },
            ControlInputs::Parities { .. } => ControlBit { port: switch.idx() % 2, bit: stage.0 },
            ControlInputs::Shared => ControlBit { port: 0, bit: 0 },
        }
    }
}

impl Plan {
    /// Cycles by which the control inputs come before the words that they set: 1 where the network has groups of several stages. The
    /// fabric stores what the states of a group select in registers in front of its 4×4 switches.
    pub fn control_ahead(&self) -> u32 {
        self.network.is_grouped().into()
    }

    /// The control inputs of its fabric.
    pub fn control_inputs(&self) -> ControlInputs {
        let stages = self.network.stages();
        match &self.control {
            Control::Labels(_) | Control::Table(_) => {
                ControlInputs::Switches { stages, per_stage: self.network.switches_per_stage() }
            }
            Control::Stages(rule) if (0..stages).any(|stage| rule.alternating_stage(StageIdx(stage))) => {
                ControlInputs::Parities { stages }
            }
            Control::Stages(_) => ControlInputs::Stages { stages },
            Control::Systolic(_) if self.control_per_level() => ControlInputs::Stages { stages },
            Control::Systolic(_) => ControlInputs::Shared,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Request, SYSTEMS, plan};
    use frit_network::RoundIdx;
    use std::collections::{BTreeMap, BTreeSet};

    fn switches(plan: &Plan) -> impl Iterator<Item = (StageIdx, SwitchIdx)> {
        let (stages, per_stage) = (plan.network.stages(), plan.network.switches_per_stage());
        (0..stages).flat_map(move |s| (0..per_stage).map(move |w| (StageIdx(s), SwitchIdx(w))))
    }

    /// Every system in each of its variants at its example's size, and the sizes at which few switches or stages are left.
    fn plans() -> Vec<Plan> {
        let examples = SYSTEMS.iter().flat_map(|system| {
            system.row.variants().into_iter().map(|variant| {
                let request = Request::new(system.row.key, system.row.example);
                variant.into_iter().fold(request, |request, (name, value)| request.with(name, value))
            })
        });
        let more = [
            Request::new("gsen", 10).with("algorithm", "ata2"),
            Request::new("gsen", 6).with("algorithm", "ata2"),
            Request::new("obf", 8).with("fanout", "per-level"),
        ];
        // Not every variant exists at the size of the example.
        let examples = examples.filter_map(|request| plan(&request).ok());
        examples.chain(more.map(|request| plan(&request).unwrap())).collect()
    }

    #[test]
    fn every_switch_has_a_bit_and_every_bit_a_switch() {
        for plan in plans() {
            let inputs = plan.control_inputs();
            let used: BTreeSet<(usize, u32)> = switches(&plan)
                .map(|(stage, switch)| inputs.bit(stage, switch))
                .map(|at| (at.port, at.bit))
                .collect();
            let all = inputs.ports().enumerate();
            let all: BTreeSet<_> =
                all.flat_map(|(port, input)| (0..input.bits).map(move |bit| (port, bit))).collect();
            assert_eq!(used, all, "{}", plan.name());
        }
    }

    /// The first stage of the first round, if any, in which two switches that share a bit are set differently. What each
    /// switch is set to is the schedule's word, with which the shape has nothing to do.
    fn torn(plan: &Plan, inputs: ControlInputs) -> Option<(u32, StageIdx)> {
        (0..plan.rounds).find_map(|round| {
            let mut set = BTreeMap::new();
            switches(plan).find_map(|(stage, switch)| {
                let at = inputs.bit(stage, switch);
                // The one bit of all levels is another one in the cycle in which the next level acts.
                let time = if inputs == ControlInputs::Shared { stage.0 } else { 0 };
                let state = plan.stage_state(RoundIdx(round), stage, switch)?;
                let first = *set.entry((at.port, at.bit, time)).or_insert(state);
                (first != state).then_some((round, stage))
            })
        })
    }

    #[test]
    fn switches_that_share_a_bit_are_set_alike() {
        for plan in plans() {
            assert_eq!(torn(&plan, plan.control_inputs()), None, "{}", plan.name());
        }
    }

    #[test]
    fn a_shape_with_too_few_bits_is_seen() {
        let ata2 = plan(&Request::new("gsen", 10).with("algorithm", "ata2")).unwrap();
        assert_eq!(ata2.control_inputs(), ControlInputs::Parities { stages: 4 });
        // Round 8 is the first in which the inner stages alternate.
        assert_eq!(torn(&ata2, ControlInputs::Stages { stages: 4 }), Some((8, StageIdx(1))));
        let benes = plan(&Request::new("benes", 8)).unwrap();
        assert!(torn(&benes, ControlInputs::Parities { stages: 5 }).is_some());
    }

    #[test]
    fn names_and_widths() {
        let shape = |request: Request| -> Vec<(&str, u32, bool)> {
            let plan = plan(&request).unwrap();
            plan.control_inputs().ports().map(|port| (port.name, port.bits, port.vector)).collect()
        };
        assert_eq!(shape(Request::new("rls", 8)), [("state_i", 20, true)]);
        assert_eq!(shape(Request::new("gsen", 10)), [("stage_i", 4, true)]);
        assert_eq!(
            shape(Request::new("gsen", 10).with("algorithm", "ata2")),
            [("stage_i", 4, true), ("stage_odd_i", 4, true)]
        );
        assert_eq!(shape(Request::new("obf", 8)), [("control_i", 1, false)]);
        let per_level = shape(Request::new("obf", 8).with("fanout", "per-level"));
        assert!(matches!(per_level[..], [("stage_i", 2.., true)]), "{per_level:?}");
    }
}

//! The faults that a design has places for.

use super::{PlantedFault, inject};
use crate::netlist::Netlist;
use frit_network::{LaneIdx, RoundIdx, TerminalIdx};
use frit_schedule::Plan;

impl PlantedFault {
    /// The words with which the forms begin.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Self::FORMS.iter().map(|form| form.split(':').next().unwrap_or(form))
    }

    /// The word with which it begins, as it is written.
    pub fn word(&self) -> &'static str {
        let text = self.to_string();
        let own = |word: &&str| text.split(':').next() == Some(*word);
        Self::words().find(own).unwrap_or_else(|| panic!("{text} is none of the forms"))
    }

    /// All faults of the form with this word for which the netlist of a plan has a place, none twice; none of a word that is no
    /// form's.
    pub fn all(word: &str, plan: &Plan, netlist: &Netlist) -> Vec<PlantedFault> {
        let has_place = |group: &Vec<PlantedFault>| {
            group.first().is_some_and(|&first| inject(&mut netlist.clone(), first).is_ok())
        };
        groups(word, plan).into_iter().filter(has_place).flatten().collect()
    }
}

/// The faults of a form that there can be, in groups that have places in a design all or not at all.
fn groups(word: &str, plan: &Plan) -> Vec<Vec<PlantedFault>> {
    let network = &plan.network;
    let (terminals, lanes, rounds) = (network.terminals(), network.lanes(), plan.rounds);
    let each =
        |count: u32, fault: &dyn Fn(u32) -> PlantedFault| (0..count).map(|at| vec![fault(at)]).collect();
    let stages = |faults: &dyn Fn(u32, u32) -> Vec<PlantedFault>| {
        let of_stage =
            |stage| (0..network.switches_per_stage()).flat_map(|switch| faults(stage, switch)).collect();
        (0..network.stages()).map(of_stage).collect()
    };
    match word {
        "swapped-wire" => each(network.stages(), &|stage| PlantedFault::SwappedWire { stage }),
        "inverted-control" => stages(&|stage, switch| vec![PlantedFault::InvertedControl { stage, switch }]),
        "late-driver" => each(network.stages(), &|stage| PlantedFault::LateDriver { stage }),
        "dropped-valid" => stages(&|stage, switch| vec![PlantedFault::DroppedValid { stage, switch }]),
        "wrong-label-bit" => (0..plan.hops())
            .map(|stage| {
                TerminalIdx::all(terminals)
                    .map(|terminal| PlantedFault::WrongLabelBit { terminal, stage })
                    .collect()
            })
            .collect(),
        "off-by-one-counter" => vec![vec![PlantedFault::OffByOneCounter]],
        "stuck-switch" => stages(&|stage, switch| {
            [false, true].map(|cross| PlantedFault::StuckSwitch { stage, switch, cross }).into()
        }),
        "flipped-bit" => each(terminals, &|bit| PlantedFault::FlippedBit { bit }),
        "stuck-again" => vec![vec![PlantedFault::StuckAgain]],
        "wrong-complement" => {
            each(terminals, &|terminal| PlantedFault::WrongComplement { terminal: TerminalIdx(terminal) })
        }
        "flipped-setting" => stages(&|stage, switch| {
            RoundIdx::all(rounds).map(|round| PlantedFault::FlippedSetting { stage, switch, round }).collect()
        }),
        "wrong-destination" => LaneIdx::all(lanes)
            .map(|lane| {
                RoundIdx::all(rounds).map(|round| PlantedFault::WrongDestination { lane, round }).collect()
            })
            .collect(),
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design;
    use frit_schedule::{Request, plan};
    use std::collections::BTreeSet;

    /// A group stands for its first: every fault that is listed has a place.
    #[test]
    fn every_fault_that_is_listed_has_a_place() {
        for (system, terminals, forms) in [
            ("rls", 8, 6),
            ("gsen", 6, 6),
            ("obf", 8, 8),
            ("benes", 8, 8),
            ("rls-folded", 8, 7),
            ("rls-flattened", 8, 7),
        ] {
            let plan = plan(&Request::new(system, terminals)).unwrap();
            let netlist = design::build(&plan, 8);
            let mut with = 0;
            for word in PlantedFault::words() {
                let all = PlantedFault::all(word, &plan, &netlist);
                with += usize::from(!all.is_empty());
                assert_eq!(all.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len(), all.len());
                for fault in all {
                    assert_eq!(fault.word(), word);
                    inject(&mut netlist.clone(), fault).unwrap_or_else(|error| panic!("{system}: {error}"));
                }
            }
            assert_eq!(with, forms, "{system}");
        }
    }

    #[test]
    fn a_small_design_has_as_many_as_can_be_counted() {
        let plan = plan(&Request::new("rls", 4)).unwrap(); // 3 stages of 2 switches
        let netlist = design::build(&plan, 8);
        let count = |word: &str| PlantedFault::all(word, &plan, &netlist).len();
        assert_eq!(
            ["stuck-switch", "swapped-wire", "wrong-label-bit", "late-driver"].map(count),
            [12, 3, 12, 0]
        );
        assert_eq!(count("no-such-form"), 0);
    }
}

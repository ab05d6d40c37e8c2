//! Which [faults](crate::faults) the hardware of a plan can have.

use crate::faults::{Fault, Faults};
use crate::plan::{Control, Plan};
use frit_network::{Refusal, StageIdx, SwitchIdx, refuse};

impl Fault {
    /// Whether the hardware of a plan can have it.
    fn fits(self, plan: &Plan) -> bool {
        let (network, labels) = (&plan.network, plan.self_routing());
        let stage = |stage: StageIdx| stage.0 < network.stages();
        match self {
            Fault::StuckSwitch(at, switch, _) => stage(at) && switch.0 < network.switches_per_stage(),
            Fault::BrokenLink(at, port) => stage(at) && port < network.lanes(),
            Fault::StuckDriver(at, _) => stage(at) && matches!(plan.control, Control::Stages(_)),
            Fault::StuckLabel(terminal, at, _) => stage(at) && terminal < network.terminals() && labels,
        }
    }

    /// All single faults that the hardware of a plan can have.
    pub fn all(plan: &Plan) -> Vec<Fault> {
        let stages = || StageIdx::all(plan.network.stages());
        let switches = || SwitchIdx::all(plan.network.switches_per_stage());
        let bits = [false, true];
        let all: Vec<Fault> =
            stages()
                .flat_map(|stage| switches().map(move |switch| (stage, switch)))
                .flat_map(|(stage, switch)| bits.map(|bit| Fault::StuckSwitch(stage, switch, bit)))
                .chain(stages().flat_map(|stage| {
                    (0..plan.network.lanes()).map(move |port| Fault::BrokenLink(stage, port))
                }))
                .chain(stages().flat_map(|stage| bits.map(|bit| Fault::StuckDriver(stage, bit))))
                .chain((0..plan.network.terminals()).flat_map(|terminal| {
                    stages().flat_map(move |stage| bits.map(|bit| Fault::StuckLabel(terminal, stage, bit)))
                }))
                .collect();
        all.into_iter().filter(|fault| fault.fits(plan)).collect()
    }
}

impl Faults {
    /// Reads faults as `--fault` names them.
    ///
    /// # Errors
    /// If one is none of [`Fault::FORMS`], has no place in the plan's hardware, or says twice what one place does; if the plan is of a kind whose
    /// faults the model does not follow.
    pub fn parse(plan: &Plan, given: &[String]) -> Result<Faults, Refusal> {
        if let (false, Some(why)) = (given.is_empty(), not_followed(plan)) {
            refuse!(
                "the model does not follow faults of {}: {why}; frit verify --fault finds them",
                plan.system
            );
        }
        let mut faults = Vec::new();
        for text in given {
            let Some(fault) = Fault::parse(text) else {
                refuse!(
                    "--fault {text:?} is not a fault that the model follows; give one of {}",
                    Fault::FORMS.join(", ")
                );
            };
            if !fault.fits(plan) {
                let named: Vec<String> = Fault::all(plan).iter().map(|fault| fault.to_string()).collect();
                let word = text.split(':').next().unwrap_or_default();
                match named.iter().filter(|name| name.split(':').next() == Some(word)).collect::<Vec<_>>()[..]
                {
                    [] => refuse!(
                        "--fault {text}: {} has no part of this kind (drivers set stages of xor, gsen; labels lead messages of rls, atape)",
                        plan.name()
                    ),
                    [first, .., last] => refuse!(
                        "--fault {text}: {} has no such place; they are {first} to {last}",
                        plan.name()
                    ),
                    [only] => refuse!("--fault {text}: {} has no such place; it has {only}", plan.name()),
                }
            }
            faults.push(fault);
        }
        faults.sort_unstable();
        if let Some(pair) = faults.windows(2).find(|pair| pair[0].place() == pair[1].place()) {
            refuse!("--fault {} and --fault {} name the same place; give one of them", pair[0], pair[1]);
        }
        Ok(faults.into_iter().collect())
    }
}

/// The reason why the model cannot follow faults of this plan; none if it can.
pub fn not_followed(plan: &Plan) -> Option<&'static str> {
    if plan.second_pass.is_some() {
        Some("its network is passed twice")
    } else if plan.network.is_grouped() {
        Some("its network has groups of several stages")
    } else if plan.has_spare() {
        Some("it has spare terminals")
    } else {
        plan.turn(StageIdx(0)).map(|_| "it has multiplexers in place of 2x2 switches")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;

    fn plan(system: &str) -> Plan {
        crate::plan(&Request::new(system, 8)).unwrap()
    }

    #[test]
    fn every_fault_is_read_as_it_is_written() {
        for (system, count) in
            [("rls", 40 + 40 + 80), ("benes", 40 + 40), ("xor", 24 + 24 + 6), ("obf", 32 + 32)]
        {
            let plan = plan(system);
            let all = Fault::all(&plan);
            assert_eq!(all.len(), count, "{system}");
            for fault in all {
                assert_eq!(Faults::parse(&plan, &[fault.to_string()]).unwrap().given(), [fault]);
            }
        }
    }

    #[test]
    fn what_has_no_place_is_named() {
        let plan = plan("xor");
        let text = |given: &[&str]| {
            let given: Vec<String> = given.iter().map(|text| text.to_string()).collect();
            Faults::parse(&plan, &given).unwrap_err().to_string()
        };
        assert!(
            text(&["late"])
                .starts_with("--fault \"late\" is not a fault that the model follows; give one of stuck-")
        );
        assert!(text(&["stuck-switch:0:0:2"]).contains("is not a fault"));
        assert_eq!(
            text(&["stuck-driver:3:1"]),
            "--fault stuck-driver:3:1: xor_n8 has no such place; they are stuck-driver:0:0 to stuck-driver:2:1"
        );
        assert_eq!(
            text(&["stuck-label:0:0:1"]),
            "--fault stuck-label:0:0:1: xor_n8 has no part of this kind (drivers set stages of xor, gsen; labels lead messages of rls, atape)"
        );
        assert_eq!(
            text(&["stuck-switch:1:2:1", "broken-link:0:3", "stuck-switch:1:2:0"]),
            "--fault stuck-switch:1:2:0 and --fault stuck-switch:1:2:1 name the same place; give one of them"
        );
        assert!(text(&["broken-link:0:3", "broken-link:0:3"]).contains("name the same place"));
        let folded = crate::plan(&Request::new("rls-folded", 8)).unwrap();
        assert!(
            Faults::parse(&folded, &["stuck-switch:0:0:1".into()])
                .unwrap_err()
                .to_string()
                .contains("does not follow")
        );
    }
}

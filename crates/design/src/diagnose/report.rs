//! Which faults explain the report of a self-test: the signatures of all are computed.

use super::{Explained, check, deliveries, explain_by};
use frit_cells::design::selftest::{Line, Signature, bit_of_word};
use frit_network::{LaneIdx, Refusal, refuse};
use frit_schedule::{Fault, Plan};
use frit_traffic::Payload;
use frit_traffic::trace::Delivery;

/// The runs of a self-test on the model.
pub struct Told<'a> {
    plan: &'a Plan,
    width: u32,
    /// The words of a run whose seed is 0: the seed changes no signature.
    payload: Payload,
}

impl<'a> Told<'a> {
    pub fn new(plan: &'a Plan, width_bits: u32) -> Told<'a> {
        let terminals = plan.network.terminals();
        let mut payload = Payload::zero(terminals, width_bits);
        for source in 0..terminals {
            for destination in 0..terminals {
                let mut word = vec![0u64; width_bits.div_ceil(u64::BITS) as usize];
                for at in
                    (0..width_bits).filter(|&at| bit_of_word(plan, width_bits, [source, destination], at))
                {
                    word[(at / u64::BITS) as usize] |= 1 << (at % u64::BITS);
                }
                payload.set(source, destination, &word);
            }
        }
        Told { plan, width: width_bits, payload }
    }

    /// The signature of a run on hardware with these faults.
    pub fn signature(&self, faults: &[Fault]) -> u32 {
        let mut signature = Signature::new(self.plan, self.width);
        for delivery in deliveries(self.plan, faults, &self.payload) {
            let Delivery { cycle, output, source, ref payload, .. } = delivery;
            let (expected, came) =
                (self.payload.word(source, output), payload.as_deref().unwrap_or_default());
            let wrong = |at: u32| {
                let limb = (at / u64::BITS) as usize;
                (expected[limb] ^ came[limb]) >> (at % u64::BITS) & 1 == 1
            };
            signature.word(cycle, self.lane(&delivery), wrong);
        }
        signature.value()
    }

    /// The lane on which a message arrives.
    fn lane(&self, delivery: &Delivery) -> LaneIdx {
        let owned = self.plan.lanes_per_terminal();
        if owned == 1 {
            return LaneIdx(delivery.output);
        }
        let sources = self.plan.sources(delivery.round);
        let own = LaneIdx::all(self.plan.network.lanes()).filter(|lane| lane.0 / owned == delivery.output);
        own.into_iter().find(|lane| sources[lane.idx()] == delivery.source).expect("the schedule has it")
    }
}

/// Reads the report of a design's self-test.
///
/// # Errors
/// If it is no report, or that of another design.
pub fn read_report(plan: &Plan, width_bits: u32, line: &str) -> Result<Line, Refusal> {
    check(plan)?;
    let line: Line = line.parse()?;
    let name = plan.design_name(width_bits);
    // A fault that was planted stands behind the name.
    let planted = line.design.strip_prefix(&name).is_some_and(|rest| rest.starts_with("_fault_"));
    if line.design != name && !planted {
        refuse!(
            "this is a report of {}, not of {name}; name the design and the width that the board has",
            line.design
        );
    }
    Ok(line)
}

/// All single faults, and if none fits and the network is small, all pairs, with which a run has this signature; none is given by a
/// report without an error.
pub fn explain_report(plan: &Plan, width_bits: u32, signature: Option<u32>) -> Explained {
    let told = Told::new(plan, width_bits);
    let seen = signature.unwrap_or_else(|| told.signature(&[]));
    explain_by(plan, |faults| told.signature(faults) == seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_cells::design::selftest::build;
    use frit_cells::fault::EXCHANGE;
    use frit_cells::netlist::simulate::Simulated;
    use frit_schedule::{Request, plan as plan_of};

    /// The signature that the hardware has at the end of its first run.
    fn of_hardware(plan: &Plan, width: u32, fault: Option<Fault>) -> u32 {
        let mut netlist = build(plan, width, 4);
        if let Some(fault) = fault {
            EXCHANGE.plant(&mut netlist, &fault.to_string()).unwrap();
        }
        let mut design = Simulated::new(&netlist).unwrap();
        let [clk, rst, start, signature] =
            ["clk_i", "rst_i", "start_i", "signature_o"].map(|name| design.find("", name).unwrap());
        let reset = u64::from(plan.latency()) + 2;
        for cycle in 0..reset + plan.message_cycles(1) + 20 {
            design.set(&rst, 0, u64::from(cycle < reset));
            design.set(&start, 0, u64::from(cycle == reset));
            for level in [0, 1] {
                design.set(&clk, 0, level);
                design.settle().unwrap();
            }
        }
        design.get(&signature, 0) as u32
    }

    #[test]
    fn hardware_with_each_fault_has_the_signature_of_the_model() {
        for (system, terminals, width, every) in [
            ("rls", 4, 4, 5),
            ("benes", 4, 33, 3),
            ("xor", 4, 1, 2),
            ("gsen", 6, 8, 7),
            ("obf", 4, 64, 3),
            ("atape", 8, 5, 11),
        ] {
            let plan = plan_of(&Request::new(system, terminals)).unwrap();
            let told = Told::new(&plan, width);
            assert_eq!(of_hardware(&plan, width, None), told.signature(&[]), "{system}");
            for fault in Fault::all(&plan).into_iter().step_by(every) {
                assert_eq!(
                    of_hardware(&plan, width, Some(fault)),
                    told.signature(&[fault]),
                    "{system} {fault}"
                );
            }
        }
    }

    #[test]
    fn a_report_tells_as_much_as_the_deliveries() {
        for (system, terminals) in [("rls", 8), ("benes", 8), ("xor", 16), ("gsen", 10), ("obf", 8)] {
            let plan = plan_of(&Request::new(system, terminals)).unwrap();
            let all = super::super::classes(&plan, 8);
            let report = all.by_report.clone().unwrap();
            assert_eq!((&report.classes, &report.unseen), (&all.classes, &all.unseen), "{system}");
            let told = Told::new(&plan, 8);
            let class = &all.classes[all.classes.len() / 2];
            let found = explain_report(&plan, 8, Some(told.signature(&class[..1])));
            assert_eq!((found.verdict(), found.faults.concat()), ("single", class.clone()));
            assert_eq!(explain_report(&plan, 8, None).verdict(), "healthy");
        }
    }
}

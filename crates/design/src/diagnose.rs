//! Which faults of the hardware explain what arrived, and which of them no exchange tells apart: all are tried on the model.

mod report;

pub use report::{Told, explain_report, read_report};

use frit_model::exchange;
use frit_network::facts::Facts;
use frit_network::{LaneIdx, Refusal, RoundIdx, facts, refuse};
use frit_schedule::faulty::not_followed;
use frit_schedule::stuck::another_exchange;
use frit_schedule::{Fault, Faults, Plan};
use frit_traffic::Payload;
use frit_traffic::trace::{Delivery, Recorder};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Terminals up to which pairs of faults are tried.
pub const LARGEST_PAIRS: u32 = 16;
/// Terminals up to which single faults are tried.
pub const LARGEST: u32 = 256;
/// Bits of the words with which classes are told apart, and their seed.
const WORD: (u32, u64) = (64, 1);

/// What explains the deliveries of an exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Whether they are those of hardware without a fault.
    pub healthy: bool,
    /// Each set of faults that gives just these deliveries, all of one size.
    pub faults: Vec<Vec<Fault>>,
    /// Single faults that were tried.
    pub singles: usize,
    /// Whether pairs of them were tried, too.
    pub pairs: bool,
}

/// Refuses a plan whose faults the model does not follow, or of which there are too many.
pub fn check(plan: &Plan) -> Result<(), Refusal> {
    if let Some(why) = not_followed(plan) {
        refuse!(
            "the faults of {} are not followed by the model: {why}; diagnose another design",
            plan.name()
        );
    }
    if plan.network.terminals() > LARGEST {
        refuse!(
            "{} terminals are too many to try every fault (at most {LARGEST}); use a smaller -n",
            plan.network.terminals()
        );
    }
    Ok(())
}

/// What an exchange delivers with these faults.
fn deliveries(plan: &Plan, faults: &[Fault], payload: &Payload) -> Vec<Delivery> {
    let faulty = Plan { faults: faults.iter().copied().collect::<Faults>(), ..plan.clone() };
    let mut recorder = Recorder::default();
    exchange(&faulty, Some(payload), &mut recorder);
    recorder.deliveries
}

/// The deliveries of one exchange as a file has them, looked at: the schedule, which faults do not change, says who is heard where and when.
///
/// # Errors
/// If they are those of another design, or have no words.
pub fn check_deliveries(plan: &Plan, observed: &[Delivery], file: &str) -> Result<(), Refusal> {
    let owned = plan.lanes_per_terminal();
    let mut rounds: BTreeMap<RoundIdx, Vec<(u32, u32)>> = BTreeMap::new();
    for (delivery, line) in observed.iter().zip(2..) {
        let Delivery { cycle, output, source, round, .. } = *delivery;
        if round.0 >= plan.rounds {
            refuse!(
                "{file}, line {line}: round {round}, but an exchange of {} has {} rounds; give the deliveries of one exchange of this design",
                plan.name(),
                plan.rounds
            );
        }
        if cycle != plan.arrives_at(round) {
            refuse!(
                "{file}, line {line}: round {round} arrives in cycle {cycle}, in {} in cycle {}; these are deliveries of another design",
                plan.name(),
                plan.arrives_at(round)
            );
        }
        let pairs = rounds.entry(round).or_insert_with(|| {
            let sources = plan.sources(round);
            LaneIdx::all(plan.network.lanes()).map(|lane| (lane.0 / owned, sources[lane.idx()])).collect()
        });
        match pairs.iter().position(|&pair| pair == (output, source)) {
            Some(at) => drop(pairs.swap_remove(at)),
            None if observed
                .iter()
                .filter(|row| (row.output, row.source, row.round) == (output, source, round))
                .count()
                > 1 =>
            {
                refuse!(
                    "{file}, line {line}: the message from {source} for {output} in round {round} stands there twice"
                )
            }
            None => refuse!(
                "{file}, line {line}: the schedule of {} has no message from {source} for {output} in round {round}; these are deliveries of another design",
                plan.name()
            ),
        }
        if delivery.payload.is_none() {
            refuse!(
                "{file}, line {line}: there is no word, and only words show which message came; write the deliveries of a run with --payload FILE or random"
            );
        }
    }
    Ok(())
}

/// Whether most of the words that arrived were sent at all, by anyone: else the words are not those of this run.
///
/// # Errors
/// If they were not.
pub fn check_words(payload: &Payload, observed: &[Delivery], file: &str) -> Result<(), Refusal> {
    let terminals = payload.terminals();
    let pairs =
        (0..terminals).flat_map(|source| (0..terminals).map(move |destination| (source, destination)));
    let sent: BTreeSet<&[u64]> =
        pairs.map(|(source, destination)| payload.word(source, destination)).collect();
    let known = |row: &&Delivery| row.payload.as_deref().is_some_and(|word| sent.contains(word));
    let unknown = observed.len() - observed.iter().filter(known).count();
    if 2 * unknown > observed.len() {
        refuse!(
            "{file}: {unknown} of {} words are none that was sent, words of {} bits; give the -w, --payload and --seed of the run",
            observed.len(),
            payload.width_bits()
        );
    }
    Ok(())
}

/// All single faults, and if none fits and the network is small, all pairs, whose deliveries are these.
pub fn explain(plan: &Plan, payload: &Payload, observed: &[Delivery]) -> Explained {
    explain_by(plan, |faults| deliveries(plan, faults, payload) == observed)
}

/// All single faults, and if none fits and the network is small, all pairs, of which `same` says that they show what was seen.
fn explain_by(plan: &Plan, same: impl Fn(&[Fault]) -> bool + Sync) -> Explained {
    let all = Fault::all(plan);
    let healthy = same(&[]);
    let singles: Vec<Vec<Fault>> = all.par_iter().map(|&fault| vec![fault]).filter(|one| same(one)).collect();
    let pairs = !healthy && singles.is_empty() && plan.network.terminals() <= LARGEST_PAIRS;
    let faults = match pairs {
        false => singles,
        true => {
            // Two faults of one place are no hardware.
            let behind = all.iter().enumerate().map(|(at, &one)| (one, &all[at + 1..]));
            let apart = behind.flat_map(|(one, others)| {
                others
                    .iter()
                    .filter(move |other| other.place() != one.place())
                    .map(move |&other| vec![one, other])
            });
            let pairs: Vec<Vec<Fault>> = apart.collect();
            pairs.into_par_iter().filter(|pair| same(pair)).collect()
        }
    };
    Explained { healthy, faults, singles: all.len(), pairs }
}

/// Faults as `--fault` takes them.
pub fn named(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(|fault| fault.to_string()).collect()
}

impl Explained {
    /// What the report says: `healthy`, `single`, `pair` or `none`.
    pub fn verdict(&self) -> &'static str {
        match (self.healthy, self.faults.first().map(Vec::len)) {
            (true, _) => "healthy",
            (false, Some(1)) => "single",
            (false, Some(_)) => "pair",
            (false, None) => "none",
        }
    }

    /// The figures of the report; `seen` is what the verdict is about.
    pub fn facts(&self, plan: &Plan, seen: Facts) -> Facts {
        let faults: Vec<Value> = self.faults.iter().map(|set| named(set).into()).collect();
        let mut facts = facts! { "design": plan.name() };
        facts.extend(seen);
        facts.extend(facts! {
            "verdict": self.verdict(), "faults": faults,
            "singles_tried": self.singles, "pairs_tried": self.pairs,
        });
        facts
    }
}

/// The single faults of a design, and those that its exchange does not tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The faults that give the same deliveries, each class in the order of [`Fault::all`]; the classes by their first fault.
    pub classes: Vec<Vec<Fault>>,
    /// Those that change nothing that arrives.
    pub unseen: Vec<Fault>,
    /// The same two with the deliveries of another exchange on the same network as well, if there is one.
    pub with_another: Option<Box<Classes>>,
    /// The same two with the report of a self-test in place of the deliveries.
    pub by_report: Option<Box<Classes>>,
}

/// Tries all single faults of a plan, whose self-test has words of `width_bits`.
pub fn classes(plan: &Plan, width_bits: u32) -> Classes {
    let another = another_exchange(plan);
    let own = of_exchanges(&[plan]);
    let with_another = another.map(|other| Box::new(of_exchanges(&[plan, &other])));
    let told = Told::new(plan, width_bits);
    let by_report = Some(Box::new(classes_by(plan, |faults| told.signature(faults))));
    Classes { with_another, by_report, ..own }
}

fn of_exchanges(plans: &[&Plan]) -> Classes {
    let payload = Payload::random(plans[0].network.terminals(), WORD.0, WORD.1);
    classes_by(plans[0], |faults| {
        plans.iter().map(|plan| deliveries(plan, faults, &payload)).collect::<Vec<_>>()
    })
}

/// The faults of a plan by what is seen of them.
fn classes_by<S: Ord + Send>(plan: &Plan, seen: impl Fn(&[Fault]) -> S + Sync) -> Classes {
    let healthy = seen(&[]);
    let faults = Fault::all(plan);
    let all: Vec<S> = faults.par_iter().map(|&fault| seen(&[fault])).collect();
    let mut found: BTreeMap<S, Vec<Fault>> = BTreeMap::new();
    faults.iter().zip(all).for_each(|(&fault, seen)| found.entry(seen).or_default().push(fault));
    let unseen = found.remove(&healthy).unwrap_or_default();
    let mut classes: Vec<Vec<Fault>> = found.into_values().collect();
    classes.sort_unstable();
    Classes { classes, unseen, with_another: None, by_report: None }
}

impl Classes {
    /// Single faults in all.
    pub fn faults(&self) -> usize {
        self.unseen.len() + self.classes.iter().map(Vec::len).sum::<usize>()
    }

    /// Faults in the largest class of those that are seen.
    pub fn largest(&self) -> usize {
        self.classes.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The figures of the report.
    pub fn facts(&self, plan: &Plan) -> Facts {
        let (other, report) = (self.with_another.as_deref(), self.by_report.as_deref());
        facts! {
            "design": plan.name(), "faults": self.faults(), "unseen": self.unseen.len(), "classes": self.classes.len(),
            "largest_class": self.largest(), "unseen_with_another": other.map(|other| other.unseen.len()),
            "classes_with_another": other.map(|other| other.classes.len()),
            "largest_with_another": other.map(Classes::largest),
            "unseen_by_report": report.map(|report| report.unseen.len()),
            "classes_by_report": report.map(|report| report.classes.len()),
            "largest_by_report": report.map(Classes::largest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan as plan_of};

    fn of(system: &str, terminals: u64) -> Plan {
        plan_of(&Request::new(system, terminals)).unwrap()
    }

    #[test]
    fn each_fault_is_among_those_that_explain_its_deliveries() {
        for (system, terminals) in [("rls", 4), ("benes", 8), ("xor", 8), ("gsen", 6), ("obf", 8)] {
            let plan = of(system, terminals);
            let payload = Payload::random(plan.network.terminals(), 16, 3);
            let all = classes(&plan, 8);
            let healthy = explain(&plan, &payload, &deliveries(&plan, &[], &payload));
            assert_eq!((healthy.verdict(), healthy.faults.len()), ("healthy", all.unseen.len()));
            for class in &all.classes {
                let observed = deliveries(&plan, &class[..1], &payload);
                check_deliveries(&plan, &observed, "f").unwrap();
                let found = explain(&plan, &payload, &observed);
                let singles: Vec<Fault> = found.faults.iter().map(|set| set[0]).collect();
                assert_eq!((found.verdict(), &singles), ("single", class), "{system}");
            }
        }
    }

    #[test]
    fn two_faults_are_found_together_and_three_are_not() {
        let plan = of("xor", 4);
        let payload = Payload::random(4, 16, 3);
        let faults = |texts: &[&str]| -> Vec<Fault> {
            let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
            Faults::parse(&plan, &texts).unwrap().given().to_vec()
        };
        let two = faults(&["stuck-switch:0:0:1", "broken-link:1:3"]);
        let found = explain(&plan, &payload, &deliveries(&plan, &two, &payload));
        assert_eq!(found.verdict(), "pair");
        assert!(found.faults.contains(&two), "{found:?}");
        let mut damaged = deliveries(&plan, &[], &payload);
        damaged[5].payload = Some(vec![0]);
        let found = explain(&plan, &payload, &damaged);
        assert_eq!((found.verdict(), found.pairs, found.faults.len()), ("none", true, 0));
    }

    #[test]
    fn deliveries_of_other_designs_are_refused() {
        let (plan, payload) = (of("xor", 8), Payload::random(8, 16, 3));
        let error = |other: &Plan| {
            let payload = Payload::random(other.network.terminals(), 16, 3);
            check_deliveries(&plan, &deliveries(other, &[], &payload), "d.csv").unwrap_err().to_string()
        };
        assert!(
            error(&of("rls", 8))
                .starts_with("d.csv, line 2: round 0 arrives in cycle 5, in xor_n8 in cycle 3;")
        );
        assert!(error(&of("xor", 4)).contains("arrives in cycle 2"));
        let left = plan_of(&Request::new("rls", 8).with("direction", "left")).unwrap();
        let turned = check_deliveries(&of("rls", 8), &deliveries(&left, &[], &payload), "d.csv").unwrap_err();
        assert!(turned.to_string().contains("has no message from"), "{turned}");
        let mut twice = deliveries(&plan, &[], &payload);
        twice.push(twice[0].clone());
        assert!(
            check_deliveries(&plan, &twice, "d.csv").unwrap_err().to_string().contains("stands there twice")
        );
        twice[0].payload = None;
        assert!(
            check_deliveries(&plan, &twice, "d.csv").unwrap_err().to_string().contains("there is no word")
        );
    }
}

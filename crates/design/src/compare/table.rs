//! The rows of a comparison: every system of the table, in each of its fabrics and schedules, at one size. Nothing is
//! printed here.

use super::hardware::Hardware;
use crate::estimate;
use frit_network::facts::Facts;
use frit_network::{Refusal, StuckSwitches, facts};
use frit_schedule::stuck::STUCK;
use frit_schedule::{BASELINES, Plan, Request, SYSTEMS, System, baseline, plan};
use rayon::prelude::*;

/// Above this many terminals an exchange is not run for its row: it takes minutes.
pub const MEASURED_UP_TO: u32 = 4096;

/// A fabric with a schedule.
#[derive(Clone)]
pub struct Subject {
    /// The row of the table of systems.
    pub system: &'static System,
    /// The values of its compared options.
    pub variant: Vec<(&'static str, &'static str)>,
    /// The stuck switches round which it goes, as its option names them.
    pub stuck: Option<String>,
}

impl Subject {
    /// Names and values of the options: the compared ones, and the stuck switches.
    pub fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        let stuck = self.stuck.as_deref().map(|stuck| (STUCK.name, stuck));
        self.variant.iter().copied().chain(stuck)
    }

    /// The options, `plan=windowed`, separated by spaces.
    pub fn options(&self) -> String {
        self.given().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// System and options.
    pub fn name(&self) -> String {
        format!("{} {}", self.system.row.key, self.options()).trim_end().into()
    }

    fn request(&self, terminals: u64) -> Request {
        let request = Request::new(self.system.row.key, terminals);
        self.given().fold(request, |request, (name, value)| request.with(name, value))
    }

    /// The same round stuck switches, if its system takes them.
    pub fn around(self, stuck: &StuckSwitches) -> Option<Subject> {
        let takes = self.system.row.options.iter().any(|option| option.name == STUCK.name);
        takes.then(|| Subject { stuck: Some(stuck.name()), ..self })
    }
}

/// All subjects of these systems, or of all systems if none is named, in the order of the table; baselines only if they are named.
pub fn subjects(keys: &[String]) -> Result<Vec<Subject>, Refusal> {
    if let Some(unknown) =
        keys.iter().find(|key| frit_schedule::system(key).is_none() && baseline(key).is_none())
    {
        let known: Vec<&str> = SYSTEMS.iter().map(|system| system.row.key).collect();
        return Err(frit_network::name::unknown(unknown, "a system", "the systems", &known));
    }
    let named = |system: &&System| keys.iter().any(|key| key == system.row.key);
    let chosen = SYSTEMS.iter().filter(|system| keys.is_empty() || named(system));
    Ok(chosen
        .chain(BASELINES.iter().filter(named))
        .flat_map(|system| {
            system.row.variants().into_iter().map(move |variant| Subject { system, variant, stuck: None })
        })
        .collect())
}

/// What the model measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measured {
    Complete,
    /// It is not complete, or something went wrong on the way: the first thing, in words.
    Incomplete(String),
    /// It was not run: too many terminals.
    NotRun,
}

/// What is known of a plan. The plan itself is not kept: a large one takes hundreds of megabytes.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The arguments of the other commands that give this plan.
    pub arguments: String,
    /// The cycles are those that the model measured, null if the exchange was not run or is not complete.
    pub facts: Facts,
    /// What the model measured.
    pub measured: Measured,
}

#[derive(Clone)]
pub struct CompareRow {
    pub subject: Subject,
    pub asked: u64,
    /// Why there is no plan with as many, if there is none.
    pub refusal: Option<String>,
    /// The figures at this size or the nearest one; none if there is none.
    pub entry: Option<Entry>,
    /// What its design takes on an FPGA, if it was synthesised.
    pub hardware: Option<Hardware>,
}

impl CompareRow {
    /// What a reader must know of the row beside its figures.
    pub fn note(&self) -> Option<String> {
        let size = match (&self.refusal, &self.entry) {
            (None, _) => None,
            (Some(_), Some(_)) => {
                Some(format!("does not exist with {} terminals; nearest size shown", self.asked))
            }
            (Some(refusal), None) => Some(refusal.clone()),
        };
        let fault = self.fault().map(|fault| format!("not complete: {fault}"));
        let large = self.hardware.as_ref().and_then(|hardware| hardware.too_large.as_ref());
        let large = large.map(|reason| format!("does not fit: {reason}"));
        let switches =
            baseline(self.subject.system.row.key).map(|_| "switches: pairs of 2:1 multiplexers".into());
        let notes: Vec<String> = size.into_iter().chain(switches).chain(fault).chain(large).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// What went wrong when the model ran it.
    pub fn fault(&self) -> Option<&str> {
        match &self.entry.as_ref()?.measured {
            Measured::Incomplete(fault) => Some(fault),
            Measured::Complete | Measured::NotRun => None,
        }
    }
}

/// A row for each subject and size, those of the first subject first, computed in parallel. `done` is told of each, with
/// its subject and size.
pub fn rows(subjects: &[Subject], sizes: &[u64], done: impl Fn(&CompareRow) + Sync) -> Vec<CompareRow> {
    let points: Vec<(&Subject, u64)> =
        subjects.iter().flat_map(|subject| sizes.iter().map(move |&size| (subject, size))).collect();
    // One at a time: the last ones of a system are by far the longest.
    let rows = points.par_iter().with_max_len(1).map(|&(subject, terminals)| {
        let row = row(subject, terminals);
        done(&row);
        row
    });
    rows.collect()
}

/// Bytes that the rows take: as many at a time as there are cores, the largest of all.
pub fn bytes(subjects: &[Subject], sizes: &[u64]) -> u64 {
    let of = |(subject, size): (&Subject, u64)| estimate::compared(subject.system.row.key, size);
    let all = subjects.iter().flat_map(|subject| sizes.iter().map(move |&size| (subject, size)));
    let mut all: Vec<u64> = all.map(of).collect();
    all.sort_unstable();
    all.iter().rev().take(rayon::current_num_threads()).sum()
}

fn row(subject: &Subject, asked: u64) -> CompareRow {
    let row = |refusal: Option<Refusal>, entry| CompareRow {
        subject: subject.clone(),
        asked,
        refusal: refusal.map(|error| error.to_string()),
        entry,
        hardware: None,
    };
    let mut refusal = None;
    let mut size = asked;
    // The size that a fabric names may be one that the algorithm refuses, and then names another.
    for _ in 0..3 {
        match plan(&subject.request(size)) {
            Ok(plan) => return row(refusal, Some(entry(&plan, None))),
            Err(error) => {
                let nearest = error.nearest();
                refusal.get_or_insert(error);
                match nearest {
                    Some(nearest) => size = nearest,
                    None => break,
                }
            }
        }
    }
    row(refusal, None)
}

/// The plan whose figures a row has.
pub fn design(row: &CompareRow) -> Option<Plan> {
    plan(&row.subject.request(row.entry.as_ref()?.facts["terminals"].as_u64()?)).ok()
}

/// The facts of a plan with words of `width` bits; the model runs its exchange, unless it is too large.
pub fn entry(plan: &Plan, width: Option<u32>) -> Entry {
    let mut facts = plan.facts(width);
    let (measured, cycles) = measure(plan);
    facts.extend(cycles);
    Entry { arguments: plan.arguments(), facts, measured }
}

/// Runs the exchange in the model.
fn measure(plan: &Plan) -> (Measured, Facts) {
    let none = || facts! { "cycles": null, "cycles_total": null };
    if plan.network.terminals() > MEASURED_UP_TO {
        return (Measured::NotRun, none());
    }
    let run = frit_model::fast::exchange(plan, None, &mut ()).run;
    if run.ok() {
        return (Measured::Complete, facts! { "cycles": run.cycles, "cycles_total": run.cycles_total });
    }
    let fault = run.first_fault.map(|fault| fault.to_string());
    (Measured::Incomplete(fault.unwrap_or_else(|| "messages are missing".into())), none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_that_is_not_complete_has_no_cycles() {
        let mut wrong = plan(&Request::new("rls", 8)).unwrap();
        assert_eq!(measure(&wrong), (Measured::Complete, facts! { "cycles": 12, "cycles_total": 12 }));
        wrong.rounds -= 1;
        let (Measured::Incomplete(fault), _) = measure(&wrong) else { panic!("a round is missing") };
        assert!(fault.ends_with("did not arrive"), "{fault}");
        let subject = subjects(&["rls".into()]).unwrap().remove(0);
        let row =
            CompareRow { subject, asked: 8, refusal: None, entry: Some(entry(&wrong, None)), hardware: None };
        assert_eq!(row.note(), Some(format!("not complete: {fault}")));
    }

    #[test]
    fn every_variant_has_its_row_in_the_order_of_the_table() {
        let subjects = subjects(&[]).unwrap();
        let names: Vec<String> = subjects.iter().map(Subject::name).collect();
        for system in SYSTEMS {
            assert!(
                names.iter().any(|name| name.split(' ').next() == Some(system.row.key)),
                "{}",
                system.row.key
            );
        }
        assert_eq!(
            names[..4],
            ["rls", "rls-folded plan=windowed", "rls-folded plan=buffered", "rls-folded plan=two-plane"]
        );
        let rows = rows(&subjects, &[8, 10], |_| ());
        let shown: Vec<(String, u64)> = rows.iter().map(|row| (row.subject.name(), row.asked)).collect();
        let expected: Vec<(String, u64)> =
            names.into_iter().flat_map(|name| [(name.clone(), 8), (name, 10)]).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_has_no_size_near_says_why() {
        // A refusal that names no size: no figures, and the reason in the row.
        let subject = subjects(&["rls".into()]).unwrap().remove(0);
        let row =
            CompareRow { subject, asked: 8, refusal: Some("too large".into()), entry: None, hardware: None };
        assert_eq!(row.note().as_deref(), Some("too large"));
    }

    #[test]
    fn large_exchanges_are_not_run() {
        let subject = &subjects(&["xor".into()]).unwrap()[0];
        let entry = row(subject, 8192).entry.unwrap();
        assert_eq!(
            (entry.measured, &entry.facts["cycles_paper"]),
            (Measured::NotRun, &(8192 + 13 - 1).into())
        );
    }
}

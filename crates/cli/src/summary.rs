//! The summary of a run, as facts and as text: `simulate` and `verify` share it. Documented in docs/formats.md.

use crate::table::pairs;
use frit_model::fast::Checked;
use frit_network::facts::{Facts, rows};
use frit_network::{RoundIdx, facts};
use frit_schedule::{Phases, Plan};
use frit_traffic::trace::Run;

/// The facts that every summary has: those of the plan, and those of the run.
pub fn facts(plan: &Plan, width: u32, run: &Run) -> Facts {
    let mut facts = plan.facts(Some(width));
    facts.extend(run.facts());
    facts
}

/// The facts of a run of some rounds (`simulate --rounds`).
pub fn facts_of_rounds(plan: &Plan, width: u32, checked: &Checked) -> Facts {
    let [first, last] = [checked.rounds.start, checked.rounds.end - 1];
    let cycles = plan.arrives_at(RoundIdx(last));
    let mut facts = plan.facts(Some(width));
    facts.extend(facts! {
        "cycles": cycles, "cycles_total": cycles + (plan.phases.count() - 1) * plan.message_cycles(1),
        "delivered": checked.pairs, "duplicates": checked.arrived - checked.pairs, "rounds_run": [first, last],
        "cycles_first": plan.arrives_at(RoundIdx(first)), "sent": checked.sent, "arrived": checked.arrived,
        "rounds_with_misroute": checked.rounds_with_misroute, "rounds_with_conflict": checked.rounds_with_conflict,
    });
    facts
}

/// The facts of a run of some rounds for people.
pub fn text_of_rounds(plan: &Plan, facts: &Facts) -> String {
    let [first, last] = [0, 1].map(|at| &facts["rounds_run"][at]);
    pairs(&rows(
        facts,
        &[
            ("network", &network(plan)),
            ("rounds", &format!("{first} to {last} of {{rounds}}")),
            ("cycles", "delivered in cycles {cycles_first} to {cycles}"),
            ("delivered", "{arrived} of {sent}"),
            ("time", "{time_us} us; {gb_per_s} GB/s in all"),
            ("duplicates", "{duplicates}"),
            ("rounds with a misrouted message", "{rounds_with_misroute}"),
            ("rounds with a conflict", "{rounds_with_conflict}"),
        ],
    ))
}

fn network(plan: &Plan) -> String {
    let all = u64::from(plan.network.stages()) * u64::from(plan.stage_parts().0);
    format!("{{network}}, {{stages}} stages of {{stage}}, {all} in all")
}

/// What is said of the terminals that a padded exchange does not serve.
pub fn spare(plan: &Plan) -> String {
    let (first, last) = (plan.served(), plan.network.terminals() - 1);
    match first == last {
        true => format!("terminal {first} neither sends nor receives"),
        false => format!("terminals {first} to {last} neither send nor receive"),
    }
}

/// The facts of a run for people.
pub fn text(plan: &Plan, facts: &Facts) -> String {
    let (network, spare) = (network(plan), plan.has_spare().then(|| spare(plan)));
    let two_phases = plan.phases == Phases::PrepareAndSend;
    let due = plan.pairs_due() * u64::from(plan.exchanges);
    let cycles = match two_phases {
        true => "{cycles} a phase (paper {cycles_paper}, lower bound {cycles_lower_bound}: {bound_reason})",
        false => "{cycles} (paper {cycles_paper}, lower bound {cycles_lower_bound}: {bound_reason})",
    };
    let several = if plan.exchanges == 1 { "" } else { "{exchanges} exchanges; " };
    let no_gap = format!(
        "{several}the next exchange can begin after {{period}} cycles; K exchanges take {{period}}\u{b7}(K - 1) + {{exchange_cycles}} cycles"
    );
    let duplicates = facts["duplicates"] != 0;
    let lines: [Option<(&str, &str)>; 17] = [
        Some(("network", network.as_str())),
        spare.as_deref().map(|spare| ("spare", spare)),
        Some(("rounds", "{rounds}, {rhythm}")),
        Some(("cycles", cycles)),
        two_phases.then_some(("", "{cycles_total} including the prepare phase")),
        Some(("time", "{time_us} us; {gb_per_s} GB/s in all")),
        Some(("no gap", &no_gap)),
        Some(("drivers", "{drivers}")),
        Some(("stored", "{stored_bits} bits of schedule")),
        Some(("buffers", "{buffer_words} words in addition to the switches' registers")),
        Some(("delivered", &format!("{{delivered}} of {due}"))),
        duplicates.then_some(("duplicates", "{duplicates}")),
        Some(("missing", "{missing}")),
        Some(("misrouted", "{misrouted}")),
        Some(("conflicts", "{conflicts}")),
        Some(("first fault", "{first_fault}")),
        Some(("payload", "{payload} ({width} bits)")),
    ];
    pairs(&rows(facts, &lines.into_iter().flatten().collect::<Vec<_>>()))
}

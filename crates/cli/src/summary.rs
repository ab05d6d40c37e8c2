//! The summary of a run, as text and as JSON: `simulate` and `verify` share it. Documented in docs/formats.md.

use crate::table::pairs;
use frit_model::fast::Checked;
use frit_network::RoundIdx;
use frit_schedule::{Phases, Plan};
use frit_traffic::trace::Run;
use serde_json::{Map, Value, json};

/// The members that every summary has.
pub fn json(plan: &Plan, width: u32, run: &Run) -> Map<String, Value> {
    let value = json!({
        "system": plan.system,
        "options": plan.options,
        "terminals": plan.served(),
        "width": width,
        "stages": plan.network.stages(),
        "switches": plan.network.switches(),
        "drivers": plan.figures.drivers,
        "stored_bits": plan.figures.stored_bits,
        "rounds": plan.rounds,
        "exchanges": plan.exchanges,
        "period": plan.period(),
        "cycles": run.cycles,
        "cycles_total": run.cycles_total,
        "cycles_paper": plan.figures.cycles_paper,
        "cycles_lower_bound": plan.figures.cycles_lower_bound,
        "delivered": run.delivered,
        "duplicates": run.duplicates,
        "missing": run.missing,
        "misrouted": run.misrouted,
        "conflicts": run.conflicts,
    });
    match value {
        Value::Object(mut members) => {
            if plan.has_spare() {
                members.insert("spare".into(), (plan.network.terminals() - plan.served()).into());
            }
            members
        }
        _ => unreachable!("json! was given an object"),
    }
}

/// The members of a run of some rounds (`simulate --rounds`).
pub fn rounds_json(plan: &Plan, width: u32, checked: &Checked) -> Map<String, Value> {
    let mut members = json(plan, width, &rounds_run(plan, checked));
    for counted_by_pair_or_message in ["missing", "misrouted", "conflicts"] {
        members.remove(counted_by_pair_or_message);
    }
    members.insert("rounds_run".into(), json!([checked.rounds.start, checked.rounds.end - 1]));
    members.insert("sent".into(), checked.sent.into());
    members.insert("rounds_with_misroute".into(), checked.rounds_with_misroute.into());
    members.insert("rounds_with_conflict".into(), checked.rounds_with_conflict.into());
    members
}

fn rounds_run(plan: &Plan, checked: &Checked) -> Run {
    let cycles = plan.arrives_at(RoundIdx(checked.rounds.end - 1));
    Run {
        cycles,
        cycles_total: cycles + (plan.phases.count() - 1) * plan.message_cycles(1),
        delivered: checked.pairs,
        duplicates: checked.arrived - checked.pairs,
        ..Run::default()
    }
}

/// The same for people.
pub fn rounds_text(plan: &Plan, checked: &Checked) -> String {
    let [first, last] = [checked.rounds.start, checked.rounds.end - 1].map(RoundIdx);
    pairs(&[
        ("network", network(plan)),
        ("rounds", format!("{first} to {last} of {}", plan.rounds)),
        ("cycles", format!("delivered in cycles {} to {}", plan.arrives_at(first), plan.arrives_at(last))),
        ("delivered", format!("{} of {}", checked.arrived, checked.sent)),
        ("duplicates", (checked.arrived - checked.pairs).to_string()),
        ("rounds with a misrouted message", checked.rounds_with_misroute.to_string()),
        ("rounds with a conflict", checked.rounds_with_conflict.to_string()),
    ])
}

/// When the next exchange may begin, and what several take.
fn without_gap(plan: &Plan) -> String {
    let (period, alone) = (plan.period(), plan.message_cycles(1));
    let each = format!(
        "the next exchange can begin after {period} cycles; K exchanges take {period}\u{b7}(K - 1) + {alone} cycles"
    );
    match plan.exchanges {
        1 => each,
        exchanges => format!("{exchanges} exchanges; {each}"),
    }
}

fn network(plan: &Plan) -> String {
    let (network, (count, parts)) = (&plan.network, plan.stage_parts());
    let (stages, all) = (network.stages(), u64::from(network.stages()) * u64::from(count));
    format!("{}, {stages} stages of {count} {parts}, {all} in all", network.name())
}

/// What is said of the terminals that a padded exchange does not serve.
pub fn spare(plan: &Plan) -> String {
    let (first, last) = (plan.served(), plan.network.terminals() - 1);
    match first == last {
        true => format!("terminal {first} neither sends nor receives"),
        false => format!("terminals {first} to {last} neither send nor receive"),
    }
}

/// The summary for people.
pub fn text(plan: &Plan, run: &Run) -> String {
    let mut rows = vec![
        ("network", self::network(plan)),
        ("rounds", format!("{}, {}", plan.rounds, plan.rhythm())),
        (
            "cycles",
            format!(
                "{}{} (paper {}, lower bound {}: {})",
                run.cycles,
                if plan.phases == Phases::One { "" } else { " a phase" },
                plan.figures.cycles_paper,
                plan.figures.cycles_lower_bound,
                plan.figures.bound_reason
            ),
        ),
        ("no gap", without_gap(plan)),
        ("drivers", plan.figures.drivers.to_string()),
        ("stored", format!("{} bits of schedule", plan.figures.stored_bits)),
        ("buffers", format!("{} words in addition to the switches' registers", plan.figures.buffer_words)),
        ("delivered", format!("{} of {}", run.delivered, plan.pairs_due() * u64::from(plan.exchanges))),
    ];
    if plan.phases == Phases::PrepareAndSend {
        rows.insert(3, ("", format!("{} including the prepare phase", run.cycles_total)));
    }
    // Behind what stands by its number.
    if plan.has_spare() {
        rows.insert(1, ("spare", spare(plan)));
    }
    for (name, count) in [
        ("duplicates", run.duplicates),
        ("missing", run.missing),
        ("misrouted", run.misrouted),
        ("conflicts", run.conflicts),
    ] {
        if count > 0 || name != "duplicates" {
            rows.push((name, count.to_string()));
        }
    }
    if let Some(fault) = &run.first_fault {
        rows.push(("first fault", fault.to_string()));
    }
    pairs(&rows)
}

//! A user's own network with a user's own schedule: both come from files and run like a built-in system.
//!
//! The network is in the format that [`frit_network::export`] writes and reads; the schedule in the one below, which
//! `frit schedule SYSTEM --format json` writes as well, so that a built-in schedule can be taken as a beginning.

use crate::pipeline::PIPELINE;
use crate::plan::{Control, Demand, Figures, Plan};
use crate::stuck::STUCK;
use crate::tables::{Tables, check_size};
use frit_network::file::{check_format, parse};
use frit_network::name::beginning;
use frit_network::options::{OptionSpec, Row, Values};
use frit_network::{LaneIdx, Network, Refusal, RoundIdx, SwitchState, refusal, refuse};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The system's key.
pub const KEY: &str = "user";

/// The `format` member of a schedule file.
pub const FORMAT: &str = "fritillary-schedule-1";

/// How the system describes itself. It stands beside the table: no request without files makes a plan of it.
pub static ROW: Row = Row {
    key: KEY,
    title: "your own network and schedule, from two JSON files (docs/user-networks.md)",
    sizes: "that of the network",
    cycles: "those of the schedule",
    drivers: "a table of settings per stage, or of labels per terminal",
    paper: "none",
    options: &[
        OptionSpec {
            name: "network",
            values: Values::File,
            help: "file with the network, in the JSON format of `frit network --format json`",
            compared: false,
        },
        OptionSpec {
            name: "schedule",
            values: Values::File,
            help: "file with the rounds, in the JSON format of `frit schedule --format json`",
            compared: false,
        },
        PIPELINE,
        STUCK,
    ],
    example: 8,
};

#[derive(Deserialize)]
struct ScheduleFile {
    format: String,
    rounds: Vec<Round>,
}

#[derive(Deserialize)]
struct Round {
    /// A row per stage, a character per switch: 0 straight, 1 cross.
    states: Option<Vec<String>>,
    /// A label per lane, a character per stage, the first stage's first: 0 takes output 0, 1 takes output 1.
    labels: Option<Vec<String>>,
    /// Where every lane leads, checked if it is there.
    destinations: Option<Vec<u32>>,
}

/// The plan of a user's network and the text of a schedule file. Where rounds have labels, these route the messages and
/// states are not looked at.
pub fn plan(network: Network, schedule: &str) -> Result<Plan, Refusal> {
    let members = "format and rounds, and each round states or labels";
    let file: ScheduleFile = parse("a schedule file", schedule, members)?;
    check_format("the schedule file", &file.format, FORMAT)?;
    let (terminals, lanes) = (network.terminals(), network.lanes());
    if terminals != lanes {
        refuse!(
            "the network has {terminals} terminals and {lanes} lanes; give a network with one lane for each terminal"
        );
    }
    check_size(file.rounds.len() as u64, lanes.into())?;
    let tables = tables(&network, &file.rounds)?;
    check_destinations(&tables, &file.rounds)?;
    let self_routing = tables.self_routing();
    if self_routing && network.is_grouped() {
        refuse!(
            "the network has groups of several stages, and the schedule has labels; give states, or a network without groups"
        );
    }
    let figures = Figures {
        drivers: if self_routing { lanes.into() } else { network.switches() },
        stored_bits: tables.stored_bits().total(),
        label_bits: if self_routing { network.stages() } else { 0 },
        ..Figures::tight(0, String::new(), "a network and a schedule of the user's")
    };
    let options = BTreeMap::from([("network".to_string(), network.name().to_string())]);
    let rounds = tables.rounds();
    let mut plan = Plan::new(&ROW, &options, network, rounds, Control::Table(tables), figures);
    plan.demand = Demand::Scheduled;
    let due = most_sources(&plan);
    // No paper says how long this takes: the schedule itself does.
    plan.figures.cycles_paper = plan.cycles();
    plan.figures.cycles_lower_bound = u64::from(plan.network.groups()) + due - 1;
    plan.figures.bound_reason = format!(
        "some output takes messages of {due} sources, one a cycle, the first after {} {}",
        plan.network.groups(),
        if plan.network.is_grouped() { "groups of stages" } else { "stages" }
    );
    if plan.pairs_due() == u64::from(terminals).pow(2) {
        plan.demand = Demand::AllToAll;
    }
    Ok(plan)
}

fn tables(network: &Network, rounds: &[Round]) -> Result<Tables, Refusal> {
    let self_routing = rounds.first().is_some_and(|round| round.labels.is_some());
    if let Some(round) = rounds.iter().position(|round| round.labels.is_some() != self_routing) {
        refuse!(
            "round {round} has {}, unlike the first round; give labels in all rounds, or states in all rounds",
            if self_routing { "no labels" } else { "labels" }
        );
    }
    let (stages, lanes) = (network.stages() as usize, network.lanes() as usize);
    if self_routing {
        let rows = rounds.iter().enumerate().map(|(at, round)| {
            let labels = round.labels.as_deref().unwrap_or_default();
            let rows = rows(at, labels, ("labels", "label"), lanes, "one per lane", stages)?;
            Ok(rows
                .into_iter()
                .map(|row| row.into_iter().fold(0, |label, bit| label << 1 | u64::from(bit)))
                .collect())
        });
        let labels: Vec<Vec<u64>> = rows.collect::<Result<_, Refusal>>()?;
        return Tables::labels(network, rounds.len() as u32, |round, lane| labels[round.idx()][lane.idx()]);
    }
    let settings = rounds.iter().enumerate().map(|(at, round)| {
        let states = round.states.as_deref().ok_or_else(|| {
            refusal!("round {at} has neither states (a row of 0 and 1 per stage) nor labels (one per lane)")
        })?;
        let rows = rows(at, states, ("rows of states", "stage"), stages, "one per stage", lanes / 2)?;
        Ok(rows.into_iter().map(|row| row.into_iter().map(SwitchState::from_bit).collect()).collect())
    });
    let settings: Vec<Vec<Vec<SwitchState>>> = settings.collect::<Result<_, Refusal>>()?;
    Tables::settings(network, rounds.len() as u32, |round| settings[round.idx()].clone())
}

/// `count` rows of `bits` zeros and ones each.
fn rows(
    round: usize,
    rows: &[String],
    (what, one): (&'static str, &'static str),
    count: usize,
    reason: &'static str,
    bits: usize,
) -> Result<Vec<Vec<bool>>, Refusal> {
    if rows.len() != count {
        refuse!("round {round} has {} {what}, expected {count}: {reason}", rows.len());
    }
    let row = |(at, text): (usize, &String)| {
        let good = text.len() == bits && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        if !good {
            refuse!("round {round}, {one} {at}: {:?} is not a row of {bits} zeros and ones", beginning(text));
        }
        Ok(text.bytes().map(|byte| byte == b'1').collect())
    };
    rows.iter().enumerate().map(row).collect()
}

fn check_destinations(tables: &Tables, rounds: &[Round]) -> Result<(), Refusal> {
    for (at, round) in rounds.iter().enumerate() {
        let Some(claimed) = &round.destinations else { continue };
        let reached = tables.sources(RoundIdx(at as u32)).len();
        if claimed.len() != reached {
            let (what, reason, given) = ("destinations", "one per lane", claimed.len());
            refuse!("round {at} has {given} {what}, expected {reached}: {reason}");
        }
        for (lane, &claimed) in (0..).zip(claimed) {
            let (round, lane) = (RoundIdx(at as u32), LaneIdx(lane));
            let reached = tables.destination(round, lane);
            if claimed != reached.0 {
                refuse!(
                    "round {round}: according to the file, lane {lane} reaches {claimed}, but on this network lane {lane} reaches {}",
                    reached.0
                );
            }
        }
    }
    Ok(())
}

/// Of the outputs, the most different sources that one takes messages from.
fn most_sources(plan: &Plan) -> u64 {
    let lanes = plan.network.lanes();
    let mut pairs: Vec<(LaneIdx, LaneIdx)> = RoundIdx::all(plan.rounds)
        .flat_map(|round| LaneIdx::all(lanes).map(move |lane| (plan.destination(round, lane), lane)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let count = |group: &[(LaneIdx, LaneIdx)]| group.len() as u64;
    pairs.chunk_by(|a, b| a.0 == b.0).map(count).max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_plan;
    use frit_network::butterfly;

    fn file(rounds: &str) -> String {
        format!("{{\"format\": \"{FORMAT}\", \"rounds\": [{rounds}]}}")
    }

    fn error(rounds: &str) -> String {
        plan(butterfly(4).unwrap(), &file(rounds)).unwrap_err().to_string()
    }

    #[test]
    fn settings_and_labels_make_plans() {
        let round = |stage0: &str, stage1: &str| format!("{{\"states\": [\"{stage0}\", \"{stage1}\"]}}");
        let all = [round("00", "00"), round("00", "11"), round("11", "00"), round("11", "11")].join(",");
        let whole = plan(butterfly(4).unwrap(), &file(&all)).unwrap();
        assert_eq!(
            (whole.name().as_str(), whole.cycles(), whole.demand),
            ("user_butterfly_n4", 5, Demand::AllToAll)
        );
        assert_eq!(whole.figures.cycles_lower_bound, 5);
        assert!(check_plan(&whole).complete());
        let part = plan(butterfly(4).unwrap(), &file(&round("01", "10"))).unwrap();
        assert_eq!((part.demand, part.pairs_due(), part.cycles()), (Demand::Scheduled, 4, 2));
        assert!(check_plan(&part).complete());
        // i goes to i with its bits rotated: 0, 2, 1, 3.
        let labels = "{\"labels\": [\"00\", \"10\", \"01\", \"11\"], \"destinations\": [0, 2, 1, 3]}";
        let labelled = plan(butterfly(4).unwrap(), &file(labels)).unwrap();
        assert!(labelled.self_routing() && check_plan(&labelled).complete());
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        assert_eq!(
            error("{}"),
            "round 0 has neither states (a row of 0 and 1 per stage) nor labels (one per lane)"
        );
        assert_eq!(
            error("{\"states\": [\"00\"]}"),
            "round 0 has 1 rows of states, expected 2: one per stage"
        );
        assert_eq!(
            error("{\"states\": [\"00\", \"0x\"]}"),
            "round 0, stage 1: \"0x\" is not a row of 2 zeros and ones"
        );
        assert_eq!(
            error("{\"states\": [\"00\", \"00\"]}, {\"labels\": [\"00\", \"10\", \"01\", \"11\"]}"),
            "round 1 has labels, unlike the first round; give labels in all rounds, or states in all rounds"
        );
        assert_eq!(
            error("{\"states\": [\"00\", \"00\"], \"destinations\": [0, 1, 2, 3]}"),
            "round 0: according to the file, lane 1 reaches 1, but on this network lane 1 reaches 2"
        );
        assert!(error("{\"labels\": [\"00\", \"00\", \"01\", \"11\"]}").contains("both want output 0"));
        assert_eq!(error(""), "the schedule has no round; give at least one");
        let wrong = plan(butterfly(4).unwrap(), "{\"format\": \"x\", \"rounds\": []}").unwrap_err();
        assert!(wrong.to_string().contains("format \"x\""));
    }
}

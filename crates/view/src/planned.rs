//! The film of an exchange: from the plan, which says where things are, and from what an engine reported.

use crate::film::{ArrivalRows, Arrivals, Body, FORMAT, Film, Planned, Ways, Words};
use frit_network::drawing::Layout;
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchIdx, SwitchState};
use frit_schedule::{Control, Phases, Plan};
use frit_traffic::trace::{Delivery, Recorder, Setting};
use std::collections::BTreeSet;

/// Above so many labels a page would be mostly labels.
const MAX_LABELS: u64 = 1 << 18;

/// A run of something else than the model, beside the model's.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    pub name: &'a str,
    /// The arguments that ask for it, each with a space before.
    pub arguments: &'a str,
    /// What the model reported.
    pub expected: &'a Recorder,
    /// What of the two was compared.
    pub compared: &'a str,
    /// The first difference in words; nothing if there is none.
    pub difference: Option<&'a str>,
    /// Where words were seen within its fabric ([`Planned::ways`]), if somebody looked.
    pub ways: Option<&'a Ways>,
}

/// The film of one exchange of `plan` as an engine reported it; of several exchanges in a row the first.
pub fn film(plan: &Plan, reported: &Recorder, beside: Option<Beside>) -> Film {
    let plan = &plan.repeated(1);
    let last = plan.cycles();
    let network = &plan.network;
    let unrolled = plan.unrolled();
    let expected = beside
        .map(|beside| beside.expected)
        .filter(|_| beside.is_some_and(|beside| beside.difference.is_some()));
    let stages = network.stages();
    let body = Planned {
        layout: Layout::new(network.lanes(), stages, plan.second_pass.is_some()),
        lanes_per_terminal: plan.lanes_per_terminal(),
        columns: unrolled.links().to_vec(),
        configuration: None,
        stage_of: (0..plan.hops()).map(|hop| plan.stage_of(hop).0).collect(),
        second_pass: plan.second_pass.map(|second| second.after),
        injected: RoundIdx::all(plan.rounds).map(|round| plan.injected_at(round)).collect(),
        delay: (0..plan.hops())
            .map(|hop| plan.acts_at(hop, RoundIdx(0)) - plan.injected_at(RoundIdx(0)))
            .collect(),
        latency: plan.latency().into(),
        states: states(plan, &reported.settings, last),
        expected: expected.map(|expected| states(plan, &expected.settings, last)),
        stuck: stuck(plan),
        deliveries: arrivals(reported, last, network.terminals()),
        wrong: expected.map_or(vec![], |expected| wrong(reported, expected)),
        missing: expected.map_or(vec![], |expected| missing(reported, expected)),
        ways: beside.and_then(|beside| beside.ways).cloned(),
        silent: silent(plan),
        demand: None,
        labels: labels(plan),
        control: RoundIdx::all(plan.rounds).map(|round| plan.control_word(round)).collect(),
    };
    let given = beside.map_or("", |beside| beside.arguments);
    Film {
        format: FORMAT,
        title: plan.name(),
        about: about(plan, beside),
        why: why(plan),
        command: format!("frit view {}{given}", plan.arguments()),
        unit: "cycle",
        last,
        terminals: network.terminals(),
        difference: beside.and_then(|beside| beside.difference).map(String::from),
        words: words(plan),
        body: Body::Planned(body),
    }
}

/// The stuck switches of a plan, as [`Planned::stuck`] has them.
pub fn stuck(plan: &Plan) -> Vec<(u32, u32)> {
    plan.stuck.iter().map(|(stage, switch, _)| (stage.0, switch.0)).collect()
}

/// What the system of a plan calls its parts.
pub fn words(plan: &Plan) -> Words {
    match plan.system {
        "obf" => Words::OPTICAL,
        "rls-flattened" => Words { rows: Some("router"), ..Words::ELECTRONIC },
        _ => Words::ELECTRONIC,
    }
}

/// Why a switch has the state that it has.
fn why(plan: &Plan) -> String {
    let Words { switch, stage, ports, states, .. } = words(plan);
    match &plan.control {
        Control::Labels(_) => format!(
            "Why: the first bit of what is left of a label names the output of the {switch}, 0 {}, 1 {}.",
            ports[0], ports[1]
        ),
        Control::Table(tables) if tables.self_routing() => format!(
            "Why: the first bit of what is left of a stored label names the output of the {switch}, 0 {}, 1 {}.",
            ports[0], ports[1]
        ),
        Control::Stages(_) => format!(
            "Why: a driver sets all of a {stage} by one bit of the round's control word, 0 {}, 1 {}.",
            states[0], states[1]
        ),
        Control::Table(_) => format!("Why: a stored table has the state of each {switch} for each round."),
        Control::Systolic(_) => format!(
            "Why: one control bit, a new one in each cycle, sets all {switch}s; when a message is sent decides where it arrives."
        ),
    }
}

fn about(plan: &Plan, beside: Option<Beside>) -> Vec<String> {
    let network = &plan.network;
    let words = words(plan);
    let control = match &plan.control {
        Control::Labels(_) => "labels that travel with the messages",
        Control::Stages(_) => "a driver for each stage",
        Control::Table(tables) if tables.self_routing() => "stored labels that travel with the messages",
        Control::Table(_) => "stored settings",
        Control::Systolic(_) => "one control bit for all routers",
    };
    let mut about = vec![format!(
        "{} {}s, {} {}s of {} 2×2 {}, set by {control}. {} rounds in {} cycles: {}.",
        network.terminals(),
        words.terminal,
        network.stages(),
        words.stage,
        network.switches_per_stage(),
        if words.switch == "router" { "routers" } else { "switches" },
        plan.rounds,
        plan.cycles(),
        plan.rhythm()
    )];
    if !plan.stuck.is_empty() {
        let one = |(stage, switch, state): (StageIdx, SwitchIdx, SwitchState)| {
            let state = words.states[usize::from(state.bit())];
            format!(
                "{} {} of {} {} {state}",
                words.switch,
                switch.0,
                words.stage,
                stage.0 + words.first_stage
            )
        };
        about.push(format!(
            "Stuck, with a dashed frame: {}. Every round uses them as they are.",
            plan.stuck.iter().map(one).collect::<Vec<_>>().join(", ")
        ));
    }
    if plan.has_spare() {
        about.push(format!(
            "The first {} are served; the others are spare and neither send nor receive.",
            plan.served()
        ));
    }
    if plan.phases == Phases::PrepareAndSend {
        about.push(
            "Shown is the run that carries the messages; the one before it, which tells each source for whom it sends, goes the same way.".into(),
        );
    }
    if let Some(second) = plan.second_pass {
        about.push(format!(
            "Every message passes twice: behind {} stages it goes back to the inputs ({}). A ring marks its second pass.",
            second.after,
            match second.wait {
                0 => "at once".into(),
                wait => format!("through a buffer, {wait} cycles"),
            }
        ));
    }
    if plan.system == "rls-flattened" {
        about.push("A row of switches is one router; its wires to the same row lie inside it, the others are its channels.".into());
    }
    if let Some(Beside { name, compared, difference, ways, .. }) = beside {
        about.push(match difference {
            Some(_) => format!("Shown is {name}; what differs from the model is red."),
            None => format!("Shown is {name}; nothing of what was compared differs from the model."),
        });
        about.push(format!("Compared with the model were {compared}."));
        if ways.is_none() && difference.is_some() {
            about.push("Where each word was within the network is not known: messages follow the switches as they were reported, so what goes wrong elsewhere is seen at the outputs only.".into());
        }
    }
    about
}

/// `[cycle][stage]`, as [`Planned::states`] has them.
fn states(plan: &Plan, settings: &[Setting], last: u64) -> Vec<Vec<String>> {
    let (stages, switches) = (plan.network.stages() as usize, plan.network.switches_per_stage() as usize);
    let mut rows = vec![vec![Vec::new(); stages]; last as usize + 1];
    for setting in settings.iter().filter(|setting| setting.cycle <= last) {
        let Some(row) = rows[setting.cycle as usize].get_mut(setting.stage as usize) else { continue };
        if row.is_empty() {
            *row = vec![b'.'; switches];
        }
        if let Some(place) = row.get_mut(setting.switch as usize) {
            *place = b'0' + u8::from(setting.state);
        }
    }
    rows.into_iter().map(|cycle| cycle.iter().map(|row| packed(row)).collect()).collect()
}

/// The states of a stage's switches as [`Planned::states`] has them, from a character each: four switches a digit, or a character each if
/// some did not act.
pub fn packed(row: &[u8]) -> String {
    if row.contains(&b'.') {
        return format!(":{}", String::from_utf8_lossy(row));
    }
    let digit = |four: &[u8]| {
        four.iter().fold(0, |digit, bit| digit << 1 | u32::from(bit - b'0')) << (4 - four.len())
    };
    row.chunks(4).map(|four| char::from_digit(digit(four), 16).expect("four bits are a digit")).collect()
}

fn arrivals(reported: &Recorder, last: u64, terminals: u32) -> Vec<ArrivalRows> {
    let mut arrivals = vec![Arrivals::default(); last as usize + 1];
    for delivery in reported.deliveries.iter().filter(|delivery| delivery.cycle <= last) {
        arrivals[delivery.cycle as usize].0.push([delivery.output, delivery.source, delivery.round.0]);
    }
    arrivals.iter_mut().for_each(|cycle| cycle.0.sort_unstable());
    arrivals.iter().map(|cycle| cycle.rows(terminals)).collect()
}

/// Deliveries that are not among those expected, or with another word.
fn wrong(reported: &Recorder, expected: &Recorder) -> Vec<(u64, u32, u32)> {
    let place = |delivery: &Delivery| (delivery.cycle, delivery.output, delivery.source);
    let expected: BTreeSet<&Delivery> = expected.deliveries.iter().collect();
    reported.deliveries.iter().filter(|delivery| !expected.contains(delivery)).map(place).collect()
}

/// What is expected and not among what was reported, whatever its word.
fn missing(reported: &Recorder, expected: &Recorder) -> Vec<(u64, u32, u32)> {
    let place = |delivery: &Delivery| (delivery.cycle, delivery.output, delivery.source);
    let there: BTreeSet<_> = reported.deliveries.iter().map(place).collect();
    expected.deliveries.iter().map(place).filter(|place| !there.contains(place)).collect()
}

/// The lanes without a message in each round, if a round has some: those of spare terminals, and those for them.
fn silent(plan: &Plan) -> Option<Vec<Vec<u32>>> {
    let of = |round| (0..plan.network.lanes()).filter(|&lane| !plan.sends(round, LaneIdx(lane))).collect();
    plan.has_spare().then(|| RoundIdx::all(plan.rounds).map(of).collect())
}

/// All labels, if messages have some and there are not too many.
fn labels(plan: &Plan) -> Option<Vec<Vec<u64>>> {
    let lanes = plan.network.lanes();
    if u64::from(plan.rounds) * u64::from(lanes) > MAX_LABELS {
        return None;
    }
    RoundIdx::all(plan.rounds)
        .map(|round| LaneIdx::all(lanes).map(|lane| plan.label(round, lane)).collect())
        .collect()
}

/// The switch states of a hop in a round as they were reported: `0`, `1` or `.` each.
pub fn reported_states(film: &Planned, round: RoundIdx, hop: u32) -> Vec<u8> {
    let cycle = film.injected[round.idx()] + film.delay[hop as usize];
    let stage = StageIdx(film.stage_of[hop as usize]);
    let switches = film.columns[0].len() / 2;
    unpacked(&film.states[cycle as usize][stage.idx()], switches)
}

fn unpacked(text: &str, switches: usize) -> Vec<u8> {
    if let Some(each) = text.strip_prefix(':') {
        return each.bytes().collect();
    }
    let bits = text.chars().flat_map(|digit| {
        let digit = digit.to_digit(16).expect("packed states are hexadecimal");
        (0..4).rev().map(move |bit| b'0' + (digit >> bit & 1) as u8)
    });
    let bits: Vec<u8> = bits.take(switches).collect();
    if bits.is_empty() { vec![b'.'; switches] } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn states_are_packed_and_unpacked() {
        for row in ["0110", "01", "10011", ".1.0", "111100001"] {
            assert_eq!(unpacked(&packed(row.as_bytes()), row.len()), row.as_bytes());
        }
        assert_eq!(
            (packed(b"0110").as_str(), packed(b"01").as_str(), packed(b".1").as_str()),
            ("6", "4", ":.1")
        );
        assert_eq!(unpacked("", 3), b"...");
    }

    #[test]
    fn every_setting_and_delivery_is_in_the_film() {
        for request in [
            Request::new("rls", 8),
            Request::new("gsen", 10).with("algorithm", "ata2"),
            Request::new("obf", 8),
            Request::new("rls-folded", 8).with("plan", "buffered"),
        ] {
            let plan = plan(&request).unwrap();
            let mut recorder = Recorder::default();
            frit_model::exchange(&plan, None, &mut recorder);
            let film = film(&plan, &recorder, None);
            let Body::Planned(body) = &film.body else { panic!("a plan is planned") };
            let arrived = body.deliveries.iter().map(|cycle| match cycle {
                ArrivalRows::Regular(row) => row.len() - 1,
                ArrivalRows::Each(rows) => rows.len(),
            });
            assert_eq!(arrived.sum::<usize>(), recorder.deliveries.len());
            let switches = plan.network.switches_per_stage() as usize;
            let mut settings = Vec::new();
            for (cycle, stages) in (0..).zip(&body.states) {
                for (stage, row) in (0..).zip(stages) {
                    let states = (0..).zip(unpacked(row, switches)).filter(|&(_, state)| state != b'.');
                    settings.extend(states.map(|(switch, state)| Setting {
                        cycle,
                        stage,
                        switch,
                        state: state == b'1',
                    }));
                }
            }
            assert_eq!(settings, recorder.settings, "{}", plan.name());
        }
    }
}

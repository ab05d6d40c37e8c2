//! Deliberate faults in the rust-hdl network are seen, each at the cycle that the schedule says.
//!
//! The prediction is a walk of the messages over the bare network with the fault in place, with no pipeline in it: what
//! happens to round k at stage s is seen in cycle k + s there, and in cycle k + stages at the outputs.

use frit_cells::bench::{self, BenchOutcome};
use frit_cells::design;
use frit_cells::dilated::fault::DILATED;
use frit_cells::fault::{CROSSBAR, EXCHANGE, LOADED, MESSAGES, Numbers, count};
use frit_cells::multibutterfly::fault::MULTIBUTTERFLY;
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::{Phases, Plan, Request, plan};
use frit_traffic::Payload;
use frit_traffic::payload::hex;
use frit_traffic::trace::{Delivery, Recorder, Setting};

const WIDTH: u32 = 8;

fn designs() -> Vec<Plan> {
    let requests = [
        Request::new("rls", 8),
        Request::new("gsen", 10),
        Request::new("gsen", 6).with("algorithm", "ata2"),
        Request::new("gsen", 10).with("algorithm", "latin"),
        Request::new("gsen", 6).with("algorithm", "latin").with("labels", "adder"),
        Request::new("xor", 8),
        Request::new("atape", 8),
        Request::new("benes", 8),
    ];
    requests.iter().map(|request| plan(request).unwrap()).collect()
}

/// Words that are all different, so that no two can be exchanged unseen.
fn payload(plan: &Plan) -> Payload {
    let terminals = plan.network.terminals();
    let mut payload = Payload::zero(terminals, WIDTH);
    for source in 0..terminals {
        for destination in 0..terminals {
            payload.set(source, destination, &[(source * terminals + destination) as u64]);
        }
    }
    payload
}

fn simulate(plan: &Plan, fault: Option<&str>) -> (BenchOutcome, Recorder) {
    let mut netlist = design::build(plan, WIDTH);
    if let Some(fault) = fault {
        EXCHANGE.plant(&mut netlist, fault).unwrap();
    }
    let mut recorder = Recorder::default();
    let outcome = bench::run(plan, &netlist, &payload(plan), &mut recorder, &mut ()).unwrap();
    (outcome, recorder)
}

/// One round with a fault in the network.
struct Walk {
    /// The control bits at the ports of the fabric, `states[stage][switch]`.
    states: Vec<Vec<bool>>,
    /// `occupants[stage][port]`: whose message is at the port, before the switch.
    occupants: Vec<Vec<u32>>,
    /// The output that each lane reaches.
    destinations: Vec<u32>,
}

/// The word and the numbers of a fault.
fn parts(fault: &str) -> (&'static str, Numbers) {
    let fault = EXCHANGE.find(fault).unwrap();
    (fault.word(), fault.numbers)
}

fn walk(plan: &Plan, fault: Option<&str>, round: u32) -> Walk {
    let fault = fault.map_or(("none", [0; 4]), parts);
    let (network, stages) = (&plan.network, plan.network.stages());
    let move_through = |column: u32, at: &[u32]| {
        let mut moved = vec![0; at.len()];
        for (port, &lane) in at.iter().enumerate() {
            moved[network.link(StageIdx(column))[port] as usize] = lane;
        }
        moved
    };
    // Whose message, and whose label, is at each port: labels have switches of their own, which have no fault.
    let mut at: Vec<u32> = (0..network.lanes()).collect();
    let mut label_at = at.clone();
    let mut result = Walk { states: vec![], occupants: vec![], destinations: vec![0; at.len()] };
    for stage in 0..stages {
        (at, label_at) = (move_through(stage, &at), move_through(stage, &label_at));
        if fault == ("swapped-wire", [stage, 0, 0, 0]) {
            at.swap(0, 2);
        }
        result.occupants.push(at.clone());
        let mut states = Vec::new();
        for switch in 0..network.switches_per_stage() {
            let upper = 2 * switch as usize;
            let state = match plan.label(RoundIdx(round), LaneIdx(label_at[upper])) {
                // The upper input comes first when both want one output.
                Some(label) => {
                    let wrong = fault == ("wrong-label-bit", [label_at[upper], stage, 0, 0]);
                    (label >> (stages - 1 - stage) & 1 == 1) ^ wrong
                }
                None if fault == ("late-driver", [stage, 0, 0, 0]) => {
                    round > 0 && stage_state(plan, round - 1, stage, switch)
                }
                None => {
                    let flipped = fault == ("flipped-setting", [stage, switch, round, 0]);
                    stage_state(plan, round, stage, switch) ^ flipped
                }
            };
            states.push(state);
            if state {
                label_at.swap(upper, upper + 1);
            }
            if state ^ (fault == ("inverted-control", [stage, switch, 0, 0])) {
                at.swap(upper, upper + 1);
            }
        }
        result.states.push(states);
    }
    for (output, &lane) in move_through(stages, &at).iter().enumerate() {
        result.destinations[lane as usize] = output as u32;
    }
    result
}

fn stage_state(plan: &Plan, round: u32, stage: u32, switch: u32) -> bool {
    plan.stage_state(RoundIdx(round), StageIdx(stage), SwitchIdx(switch)).unwrap().bit()
}

/// What is to be seen first.
#[derive(Debug, PartialEq)]
struct Seen {
    /// Cycle, signal, what the plan says, what the signal said.
    complaint: (u64, String, String, String),
    /// Cycle, stage, switch.
    setting: Option<(u64, u32, u32)>,
    /// Cycle, output.
    delivery: Option<(u64, u32)>,
    /// Deliveries that do not happen.
    lost: usize,
}

/// The cycle and place of the first row that differs.
fn first_difference<Row: PartialEq, Place>(
    good: &[Row],
    bad: &[Row],
    place: fn(&Row) -> Place,
) -> Option<Place> {
    let at = (0..good.len().max(bad.len())).find(|&at| good.get(at) != bad.get(at))?;
    good.get(at).or(bad.get(at)).map(place)
}

fn seen(plan: &Plan, fault: &str, good: &Recorder) -> Seen {
    let (outcome, bad) = simulate(plan, Some(fault));
    let complaint = outcome.complaint.unwrap_or_else(|| panic!("{}: {fault} was not seen", plan.name()));
    assert!(fault == "off-by-one-counter" || bad.settings.len() == good.settings.len());
    Seen {
        complaint: (complaint.cycle, complaint.signal, complaint.expected, complaint.got),
        setting: first_difference(&good.settings, &bad.settings, |s: &Setting| (s.cycle, s.stage, s.switch)),
        delivery: first_difference(&good.deliveries, &bad.deliveries, |d: &Delivery| (d.cycle, d.output)),
        lost: good.deliveries.len() - bad.deliveries.len(),
    }
}

fn predicted(plan: &Plan, fault: &str) -> Seen {
    let (stages, rounds) = (plan.network.stages() as u64, plan.rounds);
    let signal = |name: &str, lane: u32| format!("{name}[{lane}]");
    let pair = |expected: u64, got: u64| (expected.to_string(), got.to_string());
    match parts(fault) {
        // The message of every round in that place is lost, the first in round 0.
        ("dropped-valid", [stage, switch, ..]) => {
            let round_0 = walk(plan, None, 0);
            let lane = round_0.occupants[stage as usize][2 * switch as usize];
            let output = round_0.destinations[lane as usize];
            let (expected, got) = pair(1, 0);
            Seen {
                complaint: (stages, signal("recv_valid_o", output), expected, got),
                setting: None,
                delivery: Some((stages, output)),
                lost: rounds as usize,
            }
        }
        // The last round is not sent. Idle switches show their state of round 0 (stage control) or 0 (labels).
        ("off-by-one-counter", _) => {
            let last = walk(plan, None, rounds - 1).states;
            let crossed = |stage: usize| last[stage].iter().position(|&state| state);
            // A start would be taken a cycle too early.
            let (expected, got) = pair(0, 1);
            Seen {
                complaint: (rounds as u64 - 2, "ready_o".into(), expected, got),
                setting: (0..stages as usize).find_map(|stage| {
                    let switch = crossed(stage)? as u32;
                    Some((rounds as u64 - 1 + stage as u64, stage as u32, switch))
                }),
                // The round that is sent last ends the exchange, so the next run counts arrivals from 0.
                delivery: Some((rounds as u64 - 1 + stages, 0)),
                lost: plan.network.lanes() as usize,
            }
        }
        _ => predicted_by_walking(plan, fault),
    }
}

/// Faults that send messages to wrong places.
fn predicted_by_walking(plan: &Plan, fault: &str) -> Seen {
    let stages = plan.network.stages() as u64;
    let walks: Vec<(Walk, Walk)> =
        (0..plan.rounds).map(|round| (walk(plan, None, round), walk(plan, Some(fault), round))).collect();
    let mut setting: Option<(u64, u32, u32)> = None;
    for (round, (good, bad)) in walks.iter().enumerate() {
        for (stage, (good, bad)) in good.states.iter().zip(&bad.states).enumerate() {
            if let Some(switch) = (0..good.len()).find(|&switch| good[switch] != bad[switch]) {
                let place = ((round + stage) as u64, stage as u32, switch as u32);
                setting = Some(setting.map_or(place, |first| first.min(place)));
            }
        }
    }
    // The first round that goes wrong, and the lanes whose messages do.
    let wrong = walks.iter().enumerate().find_map(|(round, (good, bad))| {
        let lanes: Vec<usize> =
            (0..good.destinations.len()).filter(|&i| good.destinations[i] != bad.destinations[i]).collect();
        (!lanes.is_empty()).then_some((round as u64, lanes, good, bad))
    });
    let delivery = wrong.as_ref().map(|(round, lanes, good, _)| {
        (round + stages, lanes.iter().map(|&lane| good.destinations[lane]).min().unwrap())
    });
    let complaint = match (parts(fault).0, plan.phases, wrong) {
        // Every switch has two messages in every round: a wrong label is a conflict, told when its round arrives.
        ("wrong-label-bit", ..) => (stages, "conflict_o".to_string(), "0".to_string(), "1".to_string()),
        // The labels of the prepare run arrive where the fault sends them: the message queued for this round is
        // another than the one that is asked for.
        (_, Phases::PrepareAndSend, Some((round, lanes, good, bad))) => {
            let lane = lanes[0];
            let (expected, got) = (bad.destinations[lane], good.destinations[lane]);
            (round, format!("send_dest_o[{lane}]"), expected.to_string(), got.to_string())
        }
        // The wrong word arrives.
        (_, Phases::One, Some((round, _, good, bad))) => {
            let output = delivery.unwrap().1;
            let source_in = |walk: &Walk| walk.destinations.iter().position(|&d| d == output).unwrap();
            let word =
                |source: usize| hex(payload(plan).word(source as u32, good.destinations[source]), WIDTH);
            let (expected, got) = (word(source_in(good)), word(source_in(bad)));
            (round + stages, format!("recv_data_o[{output}]"), expected, got)
        }
        (_, _, None) => panic!("{}: {fault} changes nothing", plan.name()),
    };
    Seen { complaint, setting, delivery, lost: 0 }
}

/// Plants all faults with a word for which designs have a place and that are `asked`.
fn check_all(word: &str, asked: impl Fn(&Plan, Numbers) -> bool, cycle: impl Fn(&Plan, Numbers) -> u64) {
    let mut checked = 0;
    for plan in designs() {
        let (outcome, good) = simulate(&plan, None);
        assert_eq!(outcome.complaint, None, "{}", plan.name());
        let netlist = design::build(&plan, WIDTH);
        let all = EXCHANGE.all(word, &netlist, |argument| count(&plan, argument));
        for fault in all.iter().filter(|fault| asked(&plan, parts(fault).1)) {
            let (seen, predicted) = (seen(&plan, fault, &good), predicted(&plan, fault));
            assert_eq!(seen, predicted, "{}: {fault}", plan.name());
            assert_eq!(seen.complaint.0, cycle(&plan, parts(fault).1), "{}: {fault}", plan.name());
            checked += 1;
        }
    }
    assert!(checked > 0);
}

/// Round 0 goes wrong: seen when it arrives, or, if there is a prepare run, when it is sent.
fn cycle_of_round_0(plan: &Plan) -> u64 {
    match plan.phases {
        Phases::One => plan.network.stages() as u64,
        Phases::PrepareAndSend => 0,
    }
}

#[test]
fn without_a_fault_the_walk_is_the_plan() {
    for plan in designs() {
        for round in 0..plan.rounds {
            let planned: Vec<u32> = LaneIdx::all(plan.network.lanes())
                .map(|lane| plan.destination(RoundIdx(round), lane).0)
                .collect();
            assert_eq!(walk(&plan, None, round).destinations, planned);
        }
    }
}

#[test]
fn swapped_wires() {
    check_all("swapped-wire", |_, _| true, |plan, _| cycle_of_round_0(plan));
}

#[test]
fn an_inverted_control_bit() {
    check_all("inverted-control", |_, _| true, |plan, _| cycle_of_round_0(plan));
}

#[test]
fn a_dropped_valid() {
    // Valid bits are looked at in every run, so the prepare run does not show this one earlier.
    check_all("dropped-valid", |_, _| true, |plan, _| plan.network.stages() as u64);
}

#[test]
fn a_stage_driver_one_cycle_late() {
    // A stage that is set alike in every round has no such fault: the first of the Benes network.
    check_all(
        "late-driver",
        |plan, [stage, ..]| first_change(plan, stage).is_some(),
        |plan, [stage, ..]| cycle_of_round_0(plan) + u64::from(first_change(plan, stage).unwrap()),
    );
    // Bit n - s of the round's number drives stage s: it first differs from that of the round before in round 2^(n-s).
    for plan in designs().iter().filter(|plan| plan.control_word(RoundIdx(0)).is_some()) {
        for stage in 0..plan.network.stages() {
            assert_eq!(first_change(plan, stage), Some(1 << (plan.network.stages() - 1 - stage)));
        }
    }
}

/// The first round in which a stage is set otherwise than in the one before.
fn first_change(plan: &Plan, stage: u32) -> Option<u32> {
    (1..plan.rounds).find(|&round| {
        (0..plan.network.switches_per_stage()).any(|switch| {
            stage_state(plan, round, stage, switch) != stage_state(plan, round - 1, stage, switch)
        })
    })
}

#[test]
fn a_flipped_setting_in_a_table() {
    check_all(
        "flipped-setting",
        |_, [_, _, round, _]| [0, 3, 7].contains(&round),
        |plan, [_, _, round, _]| cycle_of_round_0(plan) + u64::from(round),
    );
}

#[test]
fn a_wrong_label_bit() {
    check_all("wrong-label-bit", |_, _| true, |plan, _| plan.network.stages().into());
}

#[test]
fn a_counter_off_by_one() {
    check_all("off-by-one-counter", |_, _| true, |plan, _| plan.rounds as u64 - 2);
}

#[test]
fn faults_are_read_as_they_are_written() {
    for table in [EXCHANGE, CROSSBAR, LOADED, MESSAGES, DILATED, MULTIBUTTERFLY] {
        for (at, row) in table.rows.iter().enumerate() {
            assert!(!row.effect.is_empty() && table.words().take(at).all(|word| word != row.word()));
            let numbers = row.form.split(':').skip(1).zip(1..).map(|(_, number)| format!(":{number}"));
            let text = format!("{}{}", row.word(), numbers.collect::<String>());
            assert_eq!(table.find(&text).unwrap().to_string(), text);
            for given in [format!("{text}:7"), format!("{text}x"), format!(" {text}"), format!("{text}:-1")] {
                let error = table.find(&given).map(|fault| fault.to_string()).unwrap_err().to_string();
                assert!(error.starts_with(&format!("--fault {given:?} is not a fault of {}", table.core)));
                assert!(table.rows.iter().all(|row| error.contains(row.form) && error.contains(row.effect)));
            }
        }
    }
    assert_eq!(EXCHANGE.find("late-driver:01").unwrap().to_string(), "late-driver:1");
    assert!(["", "late-driver", "Late-driver:1"].iter().all(|given| EXCHANGE.find(given).is_err()));
}

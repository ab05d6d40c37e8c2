//! Networks, schedules and wirings: JSON.

use crate::mutate::json;
use crate::rules::{Answer, Outcome, equal, refused};
use crate::scratch::Scratch;
use frit_network::drawing::{Scene, Words, layout, to_svg};
use frit_network::export::{from_json, to_dot, to_json};
use frit_network::multibutterfly::file as wiring_file;
use frit_network::{LaneIdx, Network, RoundIdx, StageIdx, SwitchIdx, baseline, butterfly};
use frit_schedule::check::check_plan;
use frit_schedule::tables::Tables;
use frit_schedule::{Control, Request, plan, user};
use frit_traffic::random::SplitMix64;

/// JSON errors say the line; the others the column, the port, the lanes, the groups, or the member.
const NETWORK: [&str; 6] = ["line ", "column ", "lanes", "the name ", "format ", "groups"];
const WIRING: [&str; 5] = ["line ", "column", "terminals", "ports of a node", "format "];
const SCHEDULE: [&str; 4] = ["line ", "round", "format ", "lanes"];

pub(super) fn network(_: &Scratch, input: &[u8]) -> Outcome {
    let network = match from_json(&String::from_utf8_lossy(input)) {
        Ok(network) => network,
        Err(error) => return refused(&error, &NETWORK),
    };
    let again = from_json(&to_json(&network)).map_err(|error| error.to_string())?;
    equal("network", &again, &network)?;
    let places = layout(&network);
    let scene = Scene::new(network.name().to_string(), Words::ELECTRONIC, &network, &places);
    for drawn in [to_dot(&network, None), to_svg(&[scene])] {
        if drawn.chars().any(|c| c.is_control() && c != '\n') {
            return Err("a raw control character in a drawing".into());
        }
    }
    Ok(Answer::Taken)
}

pub(super) fn wiring(_: &Scratch, input: &[u8]) -> Outcome {
    let network = match wiring_file::from_json(&String::from_utf8_lossy(input)) {
        Ok(network) => network,
        Err(error) => return refused(&error, &WIRING),
    };
    let again = wiring_file::from_json(&wiring_file::to_json(&network)).map_err(|error| error.to_string())?;
    equal("wiring", &again, &network)?;
    Ok(Answer::Taken)
}

/// The network of a schedule, by the first byte.
fn network_of(choice: u8) -> Network {
    let of = |system| plan(&Request::new(system, 4)).map(|plan| plan.network);
    match choice % 4 {
        0 => butterfly(4).expect("a butterfly"),
        1 => baseline(8).expect("a baseline network"),
        2 => of("gsen").expect("the network of gsen"),
        _ => of("rls").expect("the network of rls"),
    }
}

pub(super) fn schedule(_: &Scratch, input: &[u8]) -> Outcome {
    let Some((&choice, text)) = input.split_first() else { return Ok(Answer::Refused) };
    let routed = match user::plan(network_of(choice), &String::from_utf8_lossy(text)) {
        Ok(routed) => routed,
        Err(error) => return refused(&error, &SCHEDULE),
    };
    let report = check_plan(&routed);
    let Control::Table(tables) = &routed.control else { return Err("no table of a user's schedule".into()) };
    // Written with what the network gives as destinations, it is the same schedule.
    let rounds: Vec<_> =
        RoundIdx::all(tables.rounds()).map(|round| round_again(&routed.network, tables, round)).collect();
    let text = serde_json::json!({ "format": user::FORMAT, "rounds": rounds }).to_string();
    let again = user::plan(network_of(choice), &text).map_err(|error| error.to_string())?;
    equal("rounds", &again.rounds, &routed.rounds)?;
    equal("what the checker says", &format!("{:?}", check_plan(&again)), &format!("{report:?}"))?;
    Ok(Answer::Taken)
}

/// A round as a file has it.
fn round_again(network: &Network, tables: &Tables, round: RoundIdx) -> serde_json::Value {
    let destinations: Vec<u32> =
        LaneIdx::all(network.lanes()).map(|lane| tables.destination(round, lane).0).collect();
    let bit = |stage, switch| match tables.state(round, StageIdx(stage), SwitchIdx(switch)) {
        Some(state) if state.bit() => '1',
        _ => '0',
    };
    if tables.self_routing() {
        let stages = network.stages() as usize;
        let label = |lane| format!("{:0stages$b}", tables.label(round, lane).unwrap_or_default());
        let labels: Vec<String> = LaneIdx::all(network.lanes()).map(label).collect();
        return serde_json::json!({ "labels": labels, "destinations": destinations });
    }
    let row = |stage| (0..network.switches_per_stage()).map(|switch| bit(stage, switch)).collect();
    let states: Vec<String> = (0..network.stages()).map(row).collect();
    serde_json::json!({ "states": states, "destinations": destinations })
}

/// The first byte is the network, the others JSON.
pub(super) fn mutate_schedule(input: &mut Vec<u8>, random: &mut SplitMix64) {
    let mut text = input.split_off(input.len().min(1));
    json(&mut text, random);
    let choice =
        if random.below(16) == 0 { random.next() as u8 } else { input.first().copied().unwrap_or(0) };
    *input = [&[choice][..], &text].concat();
}

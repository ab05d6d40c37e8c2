//! Drawings of the networks of planned systems, and the way of one message.

use crate::args::Pair;
use anyhow::{Result, bail};
use frit_network::drawing::{self, Act, Layout, Message, Scene, Shown, to_svg, ways};
use frit_network::{
    LaneIdx, Network, PortIdx, RoundIdx, StageIdx, SwitchState, export, flattened as routers, optical,
};
use frit_schedule::check::route_round;
use frit_schedule::{Plan, flattened};
use frit_view::planned::{stuck, words};

/// Smaller networks within an optical butterfly are drawn as far as their frames can be told apart.
const SPLITS: u32 = 2;

/// The way of a message.
pub(super) struct Path {
    pair: Pair,
    round: RoundIdx,
    /// The lane of the source from which it leaves.
    lane: LaneIdx,
    /// The output port of each hop that it takes, behind the lane.
    ports: Vec<PortIdx>,
    states: Vec<SwitchState>,
}

impl Path {
    /// Its switches in order, by stage (as the system counts them) and number, with their states.
    pub(super) fn in_words(&self, plan: &Plan) -> String {
        let words = words(plan);
        let hop = |(hop, (port, state)): (u32, (&PortIdx, &SwitchState))| {
            let stage = words.first_stage + plan.stage_of(hop).0;
            format!("{stage}.{} {}", port.0 / 2, words.states[usize::from(state.bit())])
        };
        let hops: Vec<String> = (0..).zip(self.ports[1..].iter().zip(&self.states)).map(hop).collect();
        format!("round {}, {}.{} {}", self.round, words.stage, words.switch, hops.join(", "))
    }

    /// What is left of its label on the wire to a hop. In the optical butterfly the bits of its routing word, 1 for a cross edge
    /// ("Systolic Routing in an Optical Butterfly", section 3.1).
    fn left(&self, plan: &Plan, hop: u32) -> String {
        let bits = match plan.systolic() {
            Some(_) => {
                let bits = plan.address_bits() as usize;
                format!("{:0bits$b}", self.pair.source ^ self.pair.destination)
            }
            None => {
                let hops = plan.hops() as usize;
                plan.label(self.round, self.lane).map_or(String::new(), |label| format!("{label:0hops$b}"))
            }
        };
        bits.get(hop as usize..).unwrap_or("").to_string()
    }
}

/// The way from one terminal to another, in the first round that has one.
pub(super) fn path(plan: &Plan, pair: Pair) -> Result<Path> {
    let (terminals, lanes) = (plan.served(), plan.lanes_per_terminal());
    if pair.source.max(pair.destination) >= terminals {
        bail!(
            "--path {}:{} is out of range; {} has terminals 0..{terminals}",
            pair.source,
            pair.destination,
            plan.name()
        );
    }
    let own = || (pair.source * lanes..(pair.source + 1) * lanes).map(LaneIdx);
    let found = RoundIdx::all(plan.rounds)
        .flat_map(|round| own().map(move |lane| (round, lane)))
        .find(|&(round, lane)| plan.destination(round, lane).0 / lanes == pair.destination);
    let Some((round, lane)) = found else {
        bail!(
            "--path {}:{} has no message: no round of {} sends it",
            pair.source,
            pair.destination,
            plan.name()
        )
    };
    let routed = route_round(plan, round).map_err(|conflict| anyhow::anyhow!("{conflict}"))?;
    let unrolled = plan.unrolled();
    let (mut ports, mut states) = (vec![PortIdx(lane.0)], Vec::new());
    for (hop, row) in (0..).zip(&routed.states) {
        let input = PortIdx(unrolled.link(StageIdx(hop))[ports[hop as usize].idx()]);
        let state = row[input.idx() / 2];
        ports.push(state.output_port(input));
        states.push(state);
    }
    Ok(Path { pair, round, lane, ports, states })
}

/// The heading of what is shown of a network.
pub(super) fn title(plan: &Plan, network: &Network, round: Option<RoundIdx>, path: Option<&Path>) -> String {
    let name = format!("{} ({})", plan.name(), network.name());
    match (round, path) {
        (Some(round), _) => {
            let word =
                plan.control_word(round).map_or(String::new(), |word| format!(", control word {word}"));
            format!("{name}, round {round}{word}")
        }
        (_, Some(Path { pair, round, .. })) => {
            let Pair { source, destination } = pair;
            format!("{name}, {} {source} to {destination} in round {round}", words(plan).terminal)
        }
        _ => name,
    }
}

/// As routers and channels, if a row of switches is a router and no round is to be seen; else as switches.
pub(super) fn dot(plan: &Plan, network: &Network, states: Option<&[Vec<SwitchState>]>) -> String {
    if plan.system == flattened::KEY && states.is_none() {
        return routers::drawing::to_dot(network.switches_per_stage(), network.name());
    }
    export::to_dot(network, states)
}

pub(super) fn switch_states(plan: &Plan) -> String {
    drawing::states(&words(plan))
}

/// The network; with the states of a round, the messages of round `labelled`, or one way. `states` are of each hop.
pub(super) fn svg(
    plan: &Plan,
    title: &str,
    states: Option<&[Vec<SwitchState>]>,
    labelled: Option<RoundIdx>,
    path: Option<&Path>,
) -> String {
    let network = &plan.network;
    if states.is_none() && path.is_none() {
        if plan.system == flattened::KEY {
            return routers::drawing::to_svg(network.switches_per_stage(), network.stages(), title);
        }
        let unrolled = plan.unrolled();
        let layout = Layout::new(network.lanes(), network.stages(), plan.second_pass.is_some());
        let mut scene = scene(plan, title, network, &layout);
        scene.columns = unrolled.links();
        scene.stage_of = (0..plan.hops()).map(|hop| plan.stage_of(hop).0).collect();
        scene.second_pass = plan.second_pass.map(|second| second.after);
        return to_svg(&[scene]);
    }
    let unrolled = plan.unrolled();
    let layout = drawing::layout(&unrolled);
    let mut scene = scene(plan, title, &unrolled, &layout);
    scene.again = plan.second_pass.map(|second| second.after);
    if let Some(states) = states {
        scene.acts =
            Some(states.iter().map(|row| row.iter().map(|&state| Act::Set(state)).collect()).collect());
        if let Some(round) = labelled {
            let hops = plan.hops() as usize;
            let label =
                |lane| plan.label(round, lane).map_or(String::new(), |label| format!("{label:0hops$b}"));
            scene.messages = ways(&unrolled, states, label);
            scene.messages.retain(|(message, _)| plan.sends(round, message.lane));
        }
    }
    if let Some(path) = path {
        let mut acts = vec![vec![Act::Idle; unrolled.switches_per_stage() as usize]; plan.hops() as usize];
        for ((row, &port), &state) in acts.iter_mut().zip(&path.ports[1..]).zip(&path.states) {
            row[port.idx() / 2] = Act::Set(state);
        }
        scene.acts = Some(acts);
        let message = |(hop, &port): (u32, &PortIdx)| Message {
            lane: path.lane,
            hop,
            port,
            left: path.left(plan, hop),
        };
        scene.messages = (0..).zip(&path.ports).map(|place| (message(place), false)).collect();
    }
    to_svg(&[scene])
}

/// A network of the plan with nothing happening.
fn scene<'a>(plan: &Plan, title: &str, network: &'a Network, layout: &'a Layout) -> Scene<'a> {
    let mut scene = Scene::new(title.into(), words(plan), network, layout);
    scene.shown = Shown::Ways;
    scene.stuck = stuck(plan);
    if plan.systolic().is_some() {
        scene.blocks = optical::blocks(network.terminals(), SPLITS);
    }
    scene
}

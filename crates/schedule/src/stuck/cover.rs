//! Rounds for what no Latin square serves: small networks are searched whole, larger ones pair by pair.

use super::ways::{forced, leading_to};
use super::{Rounds, Settings};
use crate::bits::Bits;
use crate::route::route_settings;
use frit_network::{Network, Refusal, StageIdx, StuckSwitches, SwitchIdx, SwitchState, refuse};
use frit_traffic::random::{SplitMix64, stream};
use std::collections::BTreeMap;

/// Switches that are free in a network whose settings are all tried.
const SEARCHED_WHOLE: u64 = 10;
/// Switches that are free in a network of at most 8 terminals whose permutations are all listed.
const LISTED: u64 = 20;
/// Settings that are looked at for a Latin square among them, or for fewer rounds.
const STEPS: u32 = 40_000;
/// Terminals up to which pairs are covered.
const LARGEST: u32 = 256;
/// Orders of the pairs that are tried for each round.
const ORDERS: u32 = 24;
/// What the random orders begin with.
const SEED: u64 = 2;

/// An exchange that begins with the rounds `begun`.
///
/// # Errors
/// If the network is too large.
pub fn rounds(network: &Network, stuck: &StuckSwitches, begun: Vec<Settings>) -> Result<Rounds, Refusal> {
    let terminals = network.terminals();
    let free = network.switches() - stuck.len() as u64;
    if free <= SEARCHED_WHOLE {
        return Ok(whole(network, stuck));
    }
    let listed = (terminals <= 8 && free <= LISTED).then(|| Free::of(network, stuck));
    let listed = listed.map(|free| (free.served(), free));
    if let Some(found) = listed.as_ref().and_then(|(seen, free)| latin(seen.clone(), free)) {
        return Ok(found);
    }
    if terminals > LARGEST {
        refuse!(
            "no exchange in {terminals} rounds was found that uses the stuck switches ({stuck}); longer ones are looked for up to {LARGEST} terminals: give fewer switches or a smaller network"
        );
    }
    let wire = forced(network, stuck).filter(|wire| wire.pairs > terminals);
    let (bound, reason) = match wire {
        Some(wire) => (
            wire.pairs,
            format!(
                "{} pairs have no path but through output {} of stage {}, one a round",
                wire.pairs, wire.port, wire.stage
            ),
        ),
        None => (terminals, one_a_round(terminals)),
    };
    let mut open = Bits::zeros((terminals * terminals) as usize);
    let mut settings = begun;
    for round in &settings {
        serve(network, round, &mut open);
    }
    let all = u64::from(terminals) * u64::from(terminals);
    let mut random = stream(SEED, u64::from(terminals));
    while open.count_ones() < all {
        let pairs =
            (0..terminals).flat_map(|source| (0..terminals).map(move |destination| (source, destination)));
        let left: Vec<(u32, u32)> = pairs
            .filter(|&(source, destination)| !open.get((source * terminals + destination) as usize))
            .collect();
        let round = fullest(network, stuck, &left, &mut random);
        serve(network, &round, &mut open);
        settings.push(round);
    }
    if let Some((seen, free)) = &listed {
        let chosen = scarcest_first(seen, all_pairs(terminals));
        if chosen.len() < settings.len() {
            settings = chosen.into_iter().map(|number| free.settings(number)).collect();
        }
    }
    Ok(Rounds { settings, bound, reason })
}

/// Marks the pairs that a round serves.
fn serve(network: &Network, round: &Settings, served: &mut Bits) {
    let routed = route_settings(network, round);
    let lanes = network.lanes() as usize;
    let pairs = routed.destinations.iter().enumerate();
    for (source, &destination) in pairs {
        served.set(source * lanes + destination as usize);
    }
}

/// A round that serves as many pairs (source, destination) of those left as were found, one at least if it has a path: paths are laid for one after the other, in
/// several orders. Each terminal has one lane.
pub(super) fn fullest(
    network: &Network,
    stuck: &StuckSwitches,
    left: &[(u32, u32)],
    random: &mut SplitMix64,
) -> Settings {
    let lanes = network.lanes();
    let one = |random: &mut SplitMix64| {
        let mut order = left.to_vec();
        random.shuffle(&mut order);
        let mut fixed = stuck.clone();
        let (mut sends, mut takes) = (vec![false; lanes as usize], vec![false; lanes as usize]);
        for (source, destination) in order {
            if sends[source as usize] || takes[destination as usize] {
                continue;
            }
            if let Some(with) = path(network, &fixed, source, destination, random) {
                fixed = with;
                (sends[source as usize], takes[destination as usize]) = (true, true);
            }
        }
        let row = |stage| {
            let state = |switch| fixed.state(StageIdx(stage), SwitchIdx(switch)).unwrap_or_default();
            (0..lanes / 2).map(state).collect::<Vec<SwitchState>>()
        };
        let settings: Settings = (0..network.stages()).map(row).collect();
        let reached = route_settings(network, &settings).destinations;
        let new = left.iter().filter(|&&(source, to)| reached[source as usize] == to).count();
        (new, settings)
    };
    let tried = (0..ORDERS).map(|_| one(random));
    tried.max_by_key(|(new, _)| *new).expect("an order").1
}

/// The switches with a path for one more pair, if the settings that are fixed leave it one.
fn path(
    network: &Network,
    fixed: &StuckSwitches,
    source: u32,
    destination: u32,
    random: &mut SplitMix64,
) -> Option<StuckSwitches> {
    let leads = leading_to(network, fixed, |lane| lane.0 == destination);
    let mut x = source;
    leads[0][x as usize].then_some(())?;
    let mut taken = Vec::new();
    for stage in 0..network.stages() {
        let port = network.link(StageIdx(stage))[x as usize];
        let state = fixed.state(StageIdx(stage), SwitchIdx(port / 2));
        let turn = (random.next() & 1) as u32;
        let open = |&&cross: &&u32| {
            state.is_none_or(|state| u32::from(state.bit()) == cross)
                && leads[stage as usize + 1][(port ^ cross) as usize]
        };
        let cross = *[turn, 1 - turn].iter().find(open).expect("it leads there");
        taken.push((StageIdx(stage), SwitchIdx(port / 2), SwitchState::from_bit(cross == 1)));
        x = port ^ cross;
    }
    Some(fixed.iter().chain(taken).collect())
}

/// The switches that are not stuck, and the settings of a number that has a bit for each of them.
struct Free<'a> {
    network: &'a Network,
    stuck: &'a StuckSwitches,
    switches: Vec<(StageIdx, SwitchIdx)>,
}

impl<'a> Free<'a> {
    fn of(network: &'a Network, stuck: &'a StuckSwitches) -> Free<'a> {
        let all = StageIdx::all(network.stages()).flat_map(|stage| {
            SwitchIdx::all(network.switches_per_stage()).map(move |switch| (stage, switch))
        });
        Free {
            network,
            stuck,
            switches: all.filter(|&(stage, switch)| stuck.state(stage, switch).is_none()).collect(),
        }
    }

    fn settings(&self, number: u32) -> Settings {
        let row = vec![SwitchState::Straight; self.network.switches_per_stage() as usize];
        let mut settings = vec![row; self.network.stages() as usize];
        let free = self.switches.iter().enumerate();
        let free =
            free.map(|(at, &(stage, switch))| (stage, switch, SwitchState::from_bit(number >> at & 1 == 1)));
        for (stage, switch, state) in free.chain(self.stuck.iter()) {
            settings[stage.idx()][switch.idx()] = state;
        }
        settings
    }

    /// The pairs that each number serves, bit source · lanes + destination, each set of pairs once. At most 8 lanes.
    fn served(&self) -> Vec<(u64, u32)> {
        let lanes = self.network.lanes();
        let mut seen = BTreeMap::new();
        for number in 0..1u32 << self.switches.len() {
            let settings = self.settings(number);
            let routed = route_settings(self.network, &settings);
            let pair = |(source, &destination): (u32, &u32)| 1u64 << (source * lanes + destination);
            let pairs = (0..).zip(&routed.destinations).map(pair).sum::<u64>();
            seen.entry(pairs).or_insert(number);
        }
        seen.into_iter().collect()
    }
}

/// All pairs of a network of at most 8 lanes.
fn all_pairs(lanes: u32) -> u64 {
    u64::MAX >> (64 - lanes * lanes)
}

/// The rounds that a search of all settings of the free switches finds, and a bound that it proves. If the search stops early, the bound
/// may be lower than the number of rounds.
fn whole(network: &Network, stuck: &StuckSwitches) -> Rounds {
    let free = Free::of(network, stuck);
    let (seen, lanes) = (free.served(), network.lanes());
    let all = all_pairs(lanes);
    let (mut rounds, mut bound) = (lanes, lanes);
    let chosen = loop {
        let mut steps = STEPS;
        match covering(&seen, 0, all, rounds, &mut steps) {
            Some(chosen) => break chosen,
            None if steps > 0 && bound == rounds => bound = rounds + 1,
            None => {}
        }
        rounds += 1;
    };
    let greedy = scarcest_first(&seen, all);
    let chosen = if greedy.len() < chosen.len() { greedy } else { chosen };
    let settings = chosen.into_iter().map(|number| free.settings(number)).collect();
    let tried = 1u32 << free.switches.len();
    let reason = format!(
        "all {tried} settings of its free switches were tried: no {} of them serve all pairs",
        bound - 1
    );
    Rounds { settings, bound, reason }
}

/// Of the pairs that are left, the one that the fewest settings serve.
fn scarcest(seen: &[(u64, u32)], left: u64) -> u64 {
    let mut counts = [0u32; 64];
    for (pairs, _) in seen {
        let mut pairs = pairs & left;
        while pairs != 0 {
            counts[pairs.trailing_zeros() as usize] += 1;
            pairs &= pairs - 1;
        }
    }
    let open = (0..64).filter(|at| left >> at & 1 == 1);
    1 << open.min_by_key(|&at| counts[at]).expect("a pair is left")
}

/// At most so many of the settings that serve all that is left; the scarcest pair decides among them. None with steps left: there are none.
fn covering(seen: &[(u64, u32)], served: u64, all: u64, rounds: u32, steps: &mut u32) -> Option<Vec<u32>> {
    let left = all & !served;
    if left == 0 {
        return Some(Vec::new());
    }
    let most = seen.iter().map(|(pairs, _)| (pairs & left).count_ones()).max()?;
    if left.count_ones() > rounds * most {
        return None;
    }
    let first = scarcest(seen, left);
    seen.iter().filter(|(pairs, _)| pairs & first != 0).find_map(|&(pairs, number)| {
        *steps = steps.checked_sub(1)?;
        let mut rest = covering(seen, served | pairs, all, rounds - 1, steps)?;
        rest.push(number);
        Some(rest)
    })
}

/// Chooses settings until all pairs are served: each time, of the settings that serve the scarcest pair, the one that serves the most
/// pairs that are left.
fn scarcest_first(seen: &[(u64, u32)], all: u64) -> Vec<u32> {
    let (mut left, mut chosen) = (all, Vec::new());
    while left != 0 {
        let first = scarcest(seen, left);
        let serving = seen.iter().filter(|(pairs, _)| pairs & first != 0);
        let (pairs, number) = serving.max_by_key(|(pairs, _)| (pairs & left).count_ones()).expect("a path");
        left &= !pairs;
        chosen.push(*number);
    }
    chosen
}

/// As many rounds as terminals, if they are found soon.
fn latin(mut seen: Vec<(u64, u32)>, free: &Free) -> Option<Rounds> {
    let lanes = free.network.lanes();
    stream(SEED, u64::from(lanes)).shuffle(&mut seen);
    let mut steps = STEPS;
    let chosen = disjoint(&seen, 0, all_pairs(lanes), &mut steps)?;
    let settings = chosen.into_iter().map(|number| free.settings(number)).collect();
    Some(Rounds { settings, bound: lanes, reason: one_a_round(lanes) })
}

/// Settings without a common pair that serve all pairs that are left.
fn disjoint(seen: &[(u64, u32)], served: u64, all: u64, steps: &mut u32) -> Option<Vec<u32>> {
    if served == all {
        return Some(Vec::new());
    }
    let first = scarcest(seen, all & !served);
    for &(pairs, number) in seen.iter().filter(|(pairs, _)| pairs & first != 0) {
        *steps = steps.checked_sub(1)?;
        let apart: Vec<(u64, u32)> = seen.iter().filter(|(other, _)| other & pairs == 0).copied().collect();
        if let Some(mut rest) = disjoint(&apart, served | pairs, all, steps) {
            rest.push(number);
            return Some(rest);
        }
    }
    None
}

/// Why no exchange has fewer rounds than terminals.
pub(super) fn one_a_round(terminals: u32) -> String {
    format!("each output takes {terminals} messages, one a round")
}

//! Latin squares, round by round, each round with several settings: those that go round the stuck switches are looked for among them.

use super::translate::Masks;
use super::{Settings, obeys};
use crate::check::route_round;
use crate::looping::settings_choosing;
use crate::plan::Plan;
use crate::route::{route_labels, route_settings};
use frit_network::{LaneIdx, Network, RoundIdx, StuckSwitches, benes};
use frit_traffic::random::{SplitMix64, stream};
use std::cell::LazyCell;

/// Settings of one round that are tried, each with all masks: fewer of large networks, whose masks are many.
fn attempts(terminals: u32) -> u32 {
    ((1 << 16) / terminals).clamp(16, 512)
}

/// Attempts at settings of one permutation that no settings serve.
const NEAREST: u32 = 16;

/// Latin squares that are drawn, tried behind the others.
const RANDOM_SQUARES: u64 = 4;
/// What their random numbers, and those of settings, begin with.
const SEED: u64 = 1;

/// Rounds that each join every terminal with one other.
pub struct Square<'a> {
    /// What they are, for people.
    pub name: &'static str,
    network: &'a Network,
    /// The plan whose rounds they are, if they are a plan's.
    plan: Option<&'a Plan>,
    masks: Option<Masks>,
    rounds: Rounds<'a>,
}

/// How a round is set.
enum Rounds<'a> {
    /// As the plan sets it.
    Own,
    /// By the looping algorithm, of a Beneš network: `destination(round, source)`.
    Looping(Box<dyn Fn(u32, u32) -> u32 + 'a>),
    /// i -> A·i ^ round on the Butterfly–Butterfly, A a matrix of bits, the middle bits linear in those of i.
    Linear(LazyCell<Vec<Linear>, Box<dyn FnOnce() -> Vec<Linear>>>),
}

impl<'a> Square<'a> {
    /// The rounds of the plan.
    pub fn of_plan(plan: &'a Plan) -> Square<'a> {
        let network = &plan.network;
        let destination = |round: u32, source: u32| plan.destination(RoundIdx(round), LaneIdx(source)).0;
        let rounds = match is_benes(network) {
            true => Rounds::Looping(Box::new(destination)),
            false => Rounds::Own,
        };
        Square { name: "the system's own", network, plan: Some(plan), masks: Masks::of(network), rounds }
    }

    /// A single round of a Beneš network, which joins source i with `to[i]`.
    pub(super) fn of_permutation(network: &'a Network, to: &'a [u32]) -> Square<'a> {
        let rounds = Rounds::Looping(Box::new(|_, source| to[source as usize]));
        Square { name: "a permutation", network, plan: None, masks: Masks::of(network), rounds }
    }

    /// Settings of round 0, which joins source i with `to[i]`, with the stuck switches forced into their states: those with the fewest messages astray that a
    /// few attempts find. The square is looped.
    pub(super) fn nearest(&self, to: &[u32], stuck: &StuckSwitches) -> Settings {
        let forced = (0..NEAREST).map(|attempt| {
            let mut settings = self.settings(RoundIdx(0), attempt, stuck).expect("it is looped");
            stuck.iter().for_each(|(stage, switch, state)| settings[stage.idx()][switch.idx()] = state);
            settings
        });
        let astray = |settings: &Settings| {
            let reached = route_settings(self.network, settings).destinations;
            reached.iter().zip(to).filter(|(reached, to)| reached != to).count()
        };
        forced.min_by_key(astray).expect("an attempt")
    }

    /// Those that are compared in light: the plan's first, then others of the same network, each once.
    pub fn compared(plan: &'a Plan) -> Vec<Square<'a>> {
        let mut squares = Square::all(plan, 2);
        if let Some(Square { network, masks, rounds: Rounds::Looping(_), .. }) = squares.first() {
            let rounds = Rounds::Looping(Box::new(|round, i| i ^ round));
            let xor = Square { name: "i ^ k", network, plan: None, masks: masks.clone(), rounds };
            squares.insert(1, xor);
        }
        // One of those that are drawn is enough.
        let mut names = std::collections::BTreeSet::new();
        squares.retain(|square| names.insert(square.name));
        squares
    }

    /// Those that a complete exchange can take, in the order in which they are tried: the plan's first.
    pub fn all(plan: &'a Plan, stuck: usize) -> Vec<Square<'a>> {
        let network = &plan.network;
        let terminals = network.terminals();
        let (masks, own) = (Masks::of(network), Square::of_plan(plan));
        let with = |name, rounds| Square { name, network, plan: None, masks: masks.clone(), rounds };
        if masks.is_none() || terminals < 8 {
            return vec![own];
        }
        let n = terminals.trailing_zeros();
        if !own.is_looped() {
            // One stuck switch never needs the second.
            let more = if stuck > 1 { attempts(terminals) } else { 1 };
            let linear = |number| {
                let solutions: Box<dyn FnOnce() -> Vec<Linear>> =
                    Box::new(move || Linear::solutions(n, number, more));
                let name = if number == 0 { "i ^ k" } else { "A·i ^ k, A a drawn matrix of bits" };
                with(name, Rounds::Linear(LazyCell::new(solutions)))
            };
            return [own].into_iter().chain((0..=RANDOM_SQUARES).map(linear)).collect();
        }
        let turned = move |i: u32| (i << (n - 2) | i >> 2) & (terminals - 1);
        let mut squares = vec![
            own,
            with(
                "r(i) - k, r turns the bits of i",
                Rounds::Looping(Box::new(move |round, i| turned(i).wrapping_sub(round) % terminals)),
            ),
            with(
                "r(i) ^ k, r turns the bits of i",
                Rounds::Looping(Box::new(move |round, i| turned(i) ^ round)),
            ),
        ];
        squares.extend((0..RANDOM_SQUARES).map(|number| {
            let order = stream(SEED, number).permutation(terminals);
            let rounds = move |round, i: u32| order[i as usize].wrapping_sub(round) % terminals;
            with("d(i) - k, d drawn", Rounds::Looping(Box::new(rounds)))
        }));
        squares
    }

    /// Settings of a round in which every stuck switch has its state, if they are found.
    pub fn around(&self, round: RoundIdx, stuck: &StuckSwitches) -> Option<Settings> {
        (0..attempts(self.network.terminals()))
            .map_while(|attempt| self.settings(round, attempt, stuck))
            .find_map(|settings| match &self.masks {
                Some(masks) => masks.find(&settings, stuck).map(|mask| masks.translated(&settings, mask)),
                None => obeys(&settings, stuck).then_some(settings),
            })
    }

    /// The network that has them.
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// The masks of its network, if it has some and no switch of the plan is stuck.
    pub fn masks(&self) -> Option<&Masks> {
        self.masks.as_ref().filter(|_| self.plan.is_none_or(|plan| plan.stuck.is_empty()))
    }

    /// Whether the looping algorithm sets its rounds.
    pub fn is_looped(&self) -> bool {
        matches!(self.rounds, Rounds::Looping(_))
    }

    /// Several settings of a round, first those that the plan has.
    pub fn several(&self, round: RoundIdx, most: u32) -> Vec<Settings> {
        let none = StuckSwitches::default();
        let mut several: Vec<Settings> =
            (0..most).map_while(|attempt| self.settings(round, attempt, &none)).collect();
        if let Some(own) = self.own(round) {
            several.retain(|settings| *settings != own);
            several.insert(0, own);
        }
        several
    }

    /// The settings that the plan has, if the rounds are a plan's.
    fn own(&self, round: RoundIdx) -> Option<Settings> {
        self.plan.map(|plan| route_round(plan, round).expect("a plan without conflicts").states)
    }

    /// Settings of a round, those of attempt 0 the plan's own; none if there are no more.
    fn settings(&self, round: RoundIdx, attempt: u32, stuck: &StuckSwitches) -> Option<Settings> {
        match &self.rounds {
            Rounds::Own => self.own(round).filter(|_| attempt == 0),
            Rounds::Looping(destination) => {
                let permutation: Vec<u32> =
                    (0..self.network.terminals()).map(|source| destination(round.0, source)).collect();
                let mut random = stream(SEED, u64::from(round.0) << 32 | u64::from(attempt));
                let settings = settings_choosing(&permutation, |of_loop| {
                    let wrong = |switch: &crate::looping::OfLoop| {
                        let state = stuck.state(switch.stage, switch.switch)?;
                        Some(state.bit() != switch.cross)
                    };
                    // The first attempt leaves the stuck switches of other stages than the middle one to the masks.
                    match attempt {
                        0 => false,
                        _ => of_loop.iter().find_map(wrong).unwrap_or_else(|| random.next() & 1 == 1),
                    }
                });
                Some(settings.expect("the network has this size"))
            }
            Rounds::Linear(solutions) => {
                let solution = solutions.get(attempt as usize)?;
                let stages = self.network.stages();
                let bit = |lane: LaneIdx, stage: frit_network::StageIdx| {
                    solution.label(lane.0, round.0) >> (stages - 1 - stage.0) & 1 == 1
                };
                Some(route_labels(self.network, round, bit).expect("a solution has no conflict").states)
            }
        }
    }

    /// Why a round has no settings, in words behind its number, if that can be said.
    pub fn why_not(&self, round: RoundIdx, stuck: &StuckSwitches) -> String {
        let (Some(_), Some(settings)) = (&self.masks, self.settings(round, 0, stuck)) else {
            return String::new();
        };
        let middle = settings.len() / 2;
        let crossed = settings[middle].iter().filter(|state| state.bit()).count();
        for (state, there, word) in
            [(true, crossed, "crossed"), (false, settings[middle].len() - crossed, "straight")]
        {
            let asked = stuck
                .iter()
                .filter(|(stage, _, stuck)| stage.idx() == middle && stuck.bit() == state)
                .count();
            if asked > there {
                return format!(
                    " (its permutation needs exactly {there} {word} switches in the middle stage, and {asked} are stuck so)"
                );
            }
        }
        String::new()
    }
}

fn is_benes(network: &Network) -> bool {
    benes(network.terminals().into()).is_ok_and(|other| other.links() == network.links())
}

/// Labels of i -> A·i ^ k on the Butterfly–Butterfly: n - 1 bits that are linear in the bits of i, then the n bits of the destination.
struct Linear {
    /// Which bits of i are added for each of the middle bits, the first stage's first.
    middle: Vec<u32>,
    /// The same for the bits of A·i, the most significant first.
    destination: Vec<u32>,
}

impl Linear {
    /// Up to `count` for the matrix of this number: 0 is i itself, the others are drawn.
    fn solutions(n: u32, number: u64, count: u32) -> Vec<Linear> {
        let mut random = stream(SEED, number << 8 | u64::from(n));
        let mut matrix = || (0..n).map(|_| random.below(1 << n)).collect::<Vec<u32>>();
        let destination = match number {
            0 => (0..n).rev().map(|bit| 1 << bit).collect(),
            _ => std::iter::repeat_with(&mut matrix)
                .find(|rows| independent(rows))
                .expect("one in three or four is"),
        };
        let draws = (0..2 * count).filter_map(|_| Linear::drawn(n, &destination, &mut random));
        draws.take(count as usize).collect()
    }

    /// What stands in a lane behind stage `stage`, as rows over the bits of i: the rest of the source (bit 0, then n - 1 down to 1),
    /// middle bits, the first bits of the destination. Those of the middle that are not drawn yet are left out.
    fn window(n: u32, middle: &[u32], destination: &[u32], stage: u32) -> Vec<u32> {
        let source = (0..n).map(|at| if at == 0 { 1 } else { 1 << (n - at) });
        let all: Vec<Option<u32>> = source
            .map(Some)
            .chain((0..n as usize - 1).map(|at| middle.get(at).copied()))
            .chain(destination.iter().copied().map(Some))
            .collect();
        all[stage as usize + 1..(stage + 1 + n) as usize].iter().copied().flatten().collect()
    }

    /// Draws the middle bits one after the other, each so that what stands in the lanes stays independent.
    fn drawn(n: u32, destination: &[u32], random: &mut SplitMix64) -> Option<Linear> {
        let mut middle: Vec<u32> = Vec::new();
        for _ in 0..n - 1 {
            let candidates = random.permutation(1 << n);
            let fits = |row: &u32| {
                let with: Vec<u32> = middle.iter().copied().chain([*row]).collect();
                (0..2 * n - 1).all(|stage| independent(&Linear::window(n, &with, destination, stage)))
            };
            middle.push(candidates.into_iter().find(fits)?);
        }
        Some(Linear { middle, destination: destination.to_vec() })
    }

    fn label(&self, source: u32, round: u32) -> u64 {
        let parity = |row: &u32| (row & source).count_ones() & 1;
        let bits = |rows: &[u32]| rows.iter().fold(0, |label, row| label << 1 | u64::from(parity(row)));
        bits(&self.middle) << self.destination.len() | bits(&self.destination) ^ u64::from(round)
    }
}

/// Whether no row is a sum of others.
fn independent(rows: &[u32]) -> bool {
    let mut basis: Vec<u32> = Vec::new();
    for &row in rows {
        let rest = basis.iter().fold(row, |rest, &vector| rest.min(rest ^ vector));
        if rest == 0 {
            return false;
        }
        basis.push(rest);
        basis.sort_unstable_by(|a, b| b.cmp(a));
    }
    true
}

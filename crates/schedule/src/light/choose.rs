//! Settings of a round that are chosen with care.
//!
//! First the settings that are known: the system's own and others (on a Beneš network other choices of the looping algorithm), each with all masks
//! ([`crate::stuck::translate`]). Then, up to eight terminals, all settings of the round; with more the same search (`paths::all`) has a limit on its steps and may
//! end before it. Last, small changes: two messages that meet at two switches change places between them. What no settings can fall below
//! ([`bounds`](super::bounds)) says how much can be left.

use super::bounds::bound;
use super::paths::{self, Way, Ways};
use super::{Figures, Meter};
use crate::route::{route_settings, through};
use crate::stuck::Settings;
use crate::stuck::translate::Masks;
use frit_network::{Aim, SwitchState};
use frit_traffic::random::{SplitMix64, stream};
use std::cell::Cell;

/// The search through all settings of a round of N terminals, N more than [`WHOLE`], has this many steps divided by N^3, which is what a step costs. It is not
/// made for crosstalk, for which what is known does not cut it short.
const STEPS: u64 = 20_000 << 15;
/// Terminals up to which all settings of a round are tried.
pub const WHOLE: u32 = 8;
/// Small changes that are tried for the rounds of N terminals: this, divided by N, for each.
const CHANGES: u32 = 1 << 17;
/// Settings of a round with which they begin.
pub const STARTS: u32 = 16;
/// What their random numbers begin with.
const SEED: u64 = 1;

/// What was chosen for a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The settings.
    pub settings: Settings,
    /// What they come to.
    pub figures: Figures,
    /// No settings of the round come to less.
    pub bound: u64,
}

/// Chooses settings of a round of a network with these masks. `starts` are some, the system's own first; `round` is its number, for the random numbers.
pub fn choose(meter: &mut Meter, masks: &Masks, mut starts: Vec<Settings>, aim: Aim, round: u32) -> Chosen {
    let network = meter.network;
    let mut best = Best::of(meter, starts[0].clone(), aim);
    let terminals = network.terminals();
    let reached = route_settings(network, &starts[0]).destinations;
    let ways = paths::ways(meter, &reached);
    let lower = bound(meter, &ways, aim);
    let mut random = stream(SEED, round.into());
    // Where the system knows one only, others are made of it.
    while terminals > WHOLE && starts.len() < 4 {
        let mut other = starts[0].clone();
        for _ in 0..terminals {
            let pairs = meeting_twice(meter, &other);
            if !pairs.is_empty() {
                turn(&mut other, pairs[random.below(pairs.len() as u32) as usize]);
            }
        }
        starts.push(other);
    }
    for start in &mut starts {
        let mut of_start = Best::of(meter, start.clone(), aim);
        for mask in 1..masks.count() {
            of_start.take(Best::of(meter, masks.translated(start, mask), aim));
        }
        *start = of_start.settings.clone();
        best.take(of_start);
    }
    let done = |best: &Best| best.rank.0 <= lower;
    let steps = match aim {
        _ if terminals <= WHOLE => u64::MAX,
        Aim::Loss | Aim::Spread => STEPS / u64::from(terminals).pow(3),
        Aim::Crosstalk => 0,
    };
    if !done(&best) && tried_all(meter, &ways, &mut best, steps) {
        let bound = best.rank.0;
        return best.chosen(meter, bound);
    }
    let changes = CHANGES / terminals / starts.len() as u32;
    for start in starts {
        if done(&best) {
            break;
        }
        let mut of_start = Best::of(meter, start, aim);
        changed(meter, &mut of_start, changes, &mut random);
        best.take(of_start);
    }
    best.chosen(meter, lower)
}

/// The best settings that are known.
struct Best {
    aim: Aim,
    settings: Settings,
    /// The figure that is to be small; then how many messages have it, or the crosstalk of all.
    rank: (u64, u64),
}

impl Best {
    fn of(meter: &mut Meter, settings: Settings, aim: Aim) -> Best {
        let rank = rank(meter, &settings, aim);
        Best { aim, settings, rank }
    }

    fn take(&mut self, other: Best) {
        if other.rank < self.rank {
            *self = other;
        }
    }

    fn chosen(self, meter: &mut Meter, bound: u64) -> Chosen {
        let figures = meter.figures(&self.settings);
        Chosen { settings: self.settings, figures, bound }
    }
}

fn rank(meter: &mut Meter, settings: &Settings, aim: Aim) -> (u64, u64) {
    let messages = meter.followed(settings, aim == Aim::Crosstalk);
    let figures = Figures::of_messages(&messages);
    let least = figures.loss - figures.spread;
    let having = |loss| messages.iter().filter(|message| message.loss == loss).count() as u64;
    let second = match aim {
        Aim::Loss => having(figures.loss),
        Aim::Spread => having(figures.loss) + having(least),
        Aim::Crosstalk => messages.iter().map(|message| message.crosstalk >> 8).sum(),
    };
    (figures.of(aim), second)
}

/// Whether the search that tries all came to its end, or would have only found what is no better.
fn tried_all(meter: &mut Meter, ways: &Ways, best: &mut Best, steps: u64) -> bool {
    let (network, aim) = (meter.network, best.aim);
    // A spread that is smaller than what is known begins at one of these losses and ends below it plus what is known.
    let mut least: Vec<i64> = ways.iter().flatten().map(|way| way.loss).collect();
    least.sort_unstable();
    least.dedup();
    if aim != Aim::Spread {
        least.truncate(1);
    }
    let mut whole = true;
    for &least in &least {
        let known = Cell::new(best.rank.0);
        let worth = |way: &Way| match aim {
            Aim::Loss => way.loss.unsigned_abs() < known.get(),
            Aim::Spread => way.loss >= least && (way.loss - least).unsigned_abs() < known.get(),
            Aim::Crosstalk => true,
        };
        let mut found: Option<Best> = None;
        whole &= paths::all(ways, steps, &mut |way| worth(way), &mut |taken| {
            let of_these = Best::of(meter, paths::settings(network, taken.iter().copied()), aim);
            if of_these.rank.0 < known.get() {
                known.set(of_these.rank.0);
                found = Some(of_these);
            }
        });
        found.into_iter().for_each(|found| best.take(found));
    }
    whole
}

/// Two messages that meet at two switches change places between them, again and again. What is worse than before is taken, too, if only by a little, and by less and
/// less (threshold accepting).
fn changed(meter: &mut Meter, best: &mut Best, changes: u32, random: &mut SplitMix64) {
    let a_little = match best.aim {
        Aim::Loss | Aim::Spread => (meter.light.straight.loss - meter.light.cross.loss).unsigned_abs(),
        Aim::Crosstalk => best.rank.0 / 64,
    };
    let (mut settings, mut now) = (best.settings.clone(), best.rank);
    let mut pairs = meeting_twice(meter, &settings);
    for left in (0..u64::from(changes)).rev() {
        if pairs.is_empty() {
            return;
        }
        let places = pairs[random.below(pairs.len() as u32) as usize];
        turn(&mut settings, places);
        let then = rank(meter, &settings, best.aim);
        let worse = a_little * left / u64::from(changes);
        if then <= now || then.0 < now.0.saturating_add(worse) {
            now = then;
            pairs = meeting_twice(meter, &settings);
            if now < best.rank {
                (best.rank, best.settings) = (now, settings.clone());
            }
        } else {
            turn(&mut settings, places);
        }
    }
}

fn turn(settings: &mut Settings, places: [(usize, usize); 2]) {
    for (stage, switch) in places {
        settings[stage][switch] = SwitchState::from_bit(!settings[stage][switch].bit());
    }
}

/// The pairs of switches, `(stage, switch)`, at which the same two messages meet.
fn meeting_twice(meter: &Meter, settings: &Settings) -> Vec<[(usize, usize); 2]> {
    let network = meter.network;
    let mut at: Vec<u32> = (0..network.lanes()).collect();
    // The two messages of every switch, and which it is.
    let mut met: Vec<([u32; 2], (usize, usize))> = Vec::new();
    for (stage, (link, row)) in network.links().iter().zip(settings).enumerate() {
        at = through(link, &at);
        for (switch, (pair, state)) in at.chunks_exact_mut(2).zip(row).enumerate() {
            met.push(([pair[0].min(pair[1]), pair[0].max(pair[1])], (stage, switch)));
            if state.bit() {
                pair.swap(0, 1);
            }
        }
    }
    met.sort_unstable();
    let together = met.chunk_by(|one, other| one.0 == other.0);
    let pairs = together.flat_map(|same| {
        let with_later = |(at, first): (usize, &(_, (usize, usize)))| {
            let first = first.1;
            same[at + 1..].iter().map(move |second| [first, second.1])
        };
        same.iter().enumerate().flat_map(with_later)
    });
    pairs.collect()
}

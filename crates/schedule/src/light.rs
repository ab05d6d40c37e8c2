//! Light through a network whose switches lose and leak by their state: what the settings of a round come to, and settings that are chosen with care.
//!
//! *Loss* of a message is the sum over the switches on its way, each by its state, and over the crossings of waveguides if they are counted.
//! *Crosstalk* is of the first order: at every switch the message that it meets there leaks into it, weaker or stronger by the difference of what both have lost
//! before; what has leaked goes on with the message and is lost as it is. All sources send with the same power. The figures of a round are those of
//! its worst message; the *spread* is the loss of the worst less that of the best.
//!
//! Settings of the Butterfly–Butterfly and of the Beneš network are not unique, so they can be chosen ([`choose`](mod@choose)).
//!
//! All figures are whole numbers, thousandths of a decibel or [`CrosstalkSum`]s, so that the same settings are chosen on every machine.

pub mod bounds;
pub mod choose;
pub mod every;
mod paths;

use crate::plan::{Demand, Plan};
use crate::stuck::squares::Square;
use crate::stuck::translate::Masks;
use crate::stuck::{Settings, stored};
use choose::{Chosen, choose};
use frit_network::light::{Millidecibels, OfState};
use frit_network::options::{OptionSpec, Values};
use frit_network::{Aim, Choice, Light, Name, Network, Refusal, RoundIdx, StageIdx, refuse};

/// Terminals up to which settings are chosen.
pub const MAX_TERMINALS: u32 = 256;

/// The option that asks for chosen settings.
pub const CHOOSE: OptionSpec = OptionSpec {
    name: "choose",
    values: Values::Choice,
    help: "settings of each round chosen for the least worst loss, spread of losses or worst crosstalk of optical switches; the schedule is stored",
    compared: false,
};

/// Crosstalk that has come together, as a part of the message; 1 is 10^-12. More than 72 dB is counted as 72 dB.
pub type CrosstalkSum = u64;

/// Ten to the power of a tenth of these decibels.
pub fn ratio(figure: Millidecibels) -> CrosstalkSum {
    (1e12 * 10f64.powf(figure as f64 / 1e4)).round() as CrosstalkSum
}

/// A figure in decibels, rounded to thousandths.
pub fn in_decibels(aim: Aim, figure: u64) -> f64 {
    match aim {
        Aim::Loss | Aim::Spread => figure as f64 / 1e3,
        Aim::Crosstalk => (1e4 * (figure as f64 / 1e12).log10()).round() / 1e3,
    }
}

/// What the settings of a round come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Of the message that loses most.
    pub loss: Millidecibels,
    /// That less the loss of the message that loses least.
    pub spread: Millidecibels,
    /// Of the message with most crosstalk.
    pub crosstalk: CrosstalkSum,
}

impl Figures {
    /// Those of a round with these messages.
    fn of_messages(messages: &[Message]) -> Figures {
        let losses = messages.iter().map(|message| message.loss);
        let (least, most) = (losses.clone().min().unwrap_or(0), losses.max().unwrap_or(0));
        let crosstalk = messages.iter().map(|message| message.crosstalk).max().unwrap_or(0);
        Figures { loss: most, spread: most - least, crosstalk }
    }

    /// The one that is to be small.
    pub fn of(&self, aim: Aim) -> u64 {
        match aim {
            Aim::Loss => self.loss.unsigned_abs(),
            Aim::Spread => self.spread.unsigned_abs(),
            Aim::Crosstalk => self.crosstalk,
        }
    }
}

/// What one message has met on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Lost.
    pub loss: Millidecibels,
    /// Come together.
    pub crosstalk: CrosstalkSum,
}

/// Measures settings of one network.
#[derive(Clone, Debug)]
pub struct Meter<'a> {
    /// The network.
    pub network: &'a Network,
    /// Its switches.
    pub light: &'a Light,
    /// `[column][port]`: what the wire that ends at the port loses where it crosses others.
    crossings: Vec<Vec<Millidecibels>>,
    /// Ratios from -`far` to `far`, 0 where none was asked for yet.
    ratios: Vec<CrosstalkSum>,
    far: Millidecibels,
}

/// Leaks up to which ratios are kept.
const FAR: Millidecibels = 200_000;

impl<'a> Meter<'a> {
    /// For this network with such switches.
    pub fn new(network: &'a Network, light: &'a Light) -> Self {
        let crossed = |link: &[u32], from: usize| {
            let over = |(other, &end): (usize, &u32)| {
                (other < from && end > link[from]) || (other > from && end < link[from])
            };
            link.iter().enumerate().filter(|&wire| over(wire)).count() as Millidecibels
        };
        let column = |link: &Vec<u32>| {
            let mut lost = vec![0; link.len()];
            for (from, &to) in link.iter().enumerate().filter(|_| light.crossing > 0) {
                lost[to as usize] = light.crossing * crossed(link, from);
            }
            lost
        };
        let crossings: Vec<Vec<Millidecibels>> = network.links().iter().map(column).collect();
        let most =
            |through: OfState| through.loss * Millidecibels::from(network.stages()) - through.crosstalk;
        let far = most(light.straight).max(most(light.cross)).min(FAR);
        Meter { network, light, crossings, ratios: vec![0; 2 * far as usize + 1], far }
    }

    fn ratio(&mut self, leak: Millidecibels) -> CrosstalkSum {
        let Some(known) = self.ratios.get_mut((leak + self.far) as usize) else { return ratio(leak) };
        if *known == 0 {
            *known = ratio(leak);
        }
        *known
    }

    /// Every message, by the output that it reaches.
    pub fn messages(&mut self, settings: &Settings) -> Vec<Message> {
        self.followed(settings, true)
    }

    /// The same; without `crosstalk` that is 0.
    fn followed(&mut self, settings: &Settings, crosstalk: bool) -> Vec<Message> {
        let network = self.network;
        let mut at = vec![Message::default(); network.lanes() as usize];
        let mut behind = at.clone();
        for (column, link) in network.links().iter().enumerate() {
            let lost = &self.crossings[column];
            for (&message, &to) in at.iter().zip(link) {
                behind[to as usize] = Message { loss: message.loss + lost[to as usize], ..message };
            }
            std::mem::swap(&mut at, &mut behind);
            let Some(row) = settings.get(column) else { break };
            for (pair, &state) in at.chunks_exact_mut(2).zip(row) {
                let through = self.light.of(state);
                if crosstalk {
                    let apart = pair[0].loss - pair[1].loss;
                    for (message, apart) in pair.iter_mut().zip([apart, -apart]) {
                        let leak = self.ratio(through.crosstalk + apart);
                        message.crosstalk = message.crosstalk.saturating_add(leak);
                    }
                }
                pair.iter_mut().for_each(|message| message.loss += through.loss);
                if state.bit() {
                    pair.swap(0, 1);
                }
            }
        }
        at
    }

    /// The figures of a round.
    pub fn figures(&mut self, settings: &Settings) -> Figures {
        Figures::of_messages(&self.messages(settings))
    }
}

/// The plan with the settings that its options ask to be chosen, if they do.
///
/// # Errors
/// As of [`chosen`].
pub fn chosen_named(plan: Plan) -> Result<Plan, Refusal> {
    match plan.options.get(CHOOSE.name).map(|text| Choice::parse(text.as_str())) {
        None => Ok(plan),
        Some(choice) => chosen(plan, &choice?),
    }
}

/// The plan of the same rounds with settings that are chosen, stored.
///
/// # Errors
/// If the plan has other switches, other settings are not known, or it is too large.
pub fn chosen(plan: Plan, choice: &Choice) -> Result<Plan, Refusal> {
    check(&plan)?;
    if Masks::of(&plan.network).is_none() {
        refuse!("{} has no settings to choose between; rls and benes have", plan.system);
    }
    if !plan.stuck.is_empty() {
        refuse!("settings are chosen where no switch is stuck; give one of the options stuck and choose");
    }
    let rounds = of_square(&Square::of_plan(&plan), plan.rounds, &choice.light, choice.aim, || ());
    let settings = rounds.into_iter().filter_map(|round| Some(round.chosen?.settings)).collect();
    let mut plan = stored(plan, settings)?;
    plan.options.insert(CHOOSE.name.into(), Name::new(choice.name())?);
    Ok(plan)
}

/// Whether light can be followed through the network of a plan.
///
/// # Errors
/// If it cannot.
pub fn check(plan: &Plan) -> Result<(), Refusal> {
    let terminals = plan.network.terminals();
    let twice = plan.second_pass.is_some() || plan.turn(StageIdx(0)).is_some();
    if twice || plan.network.lanes() != terminals {
        refuse!(
            "light is not followed through {}, whose messages pass a network twice or which has several lanes for a terminal; give rls, benes, xor, atape, gsen or user",
            plan.system
        );
    }
    if plan.has_spare() {
        refuse!(
            "light is not followed through padded exchanges; give a number of terminals that needs no padding"
        );
    }
    if terminals > MAX_TERMINALS {
        refuse!("{terminals} terminals are too many: light is followed through up to {MAX_TERMINALS}");
    }
    Ok(())
}

/// Whether other settings of the rounds of a plan are known.
pub fn has_choice(plan: &Plan) -> bool {
    Masks::of(&plan.network).is_some() && plan.stuck.is_empty()
}

/// A round as its system sets it, and as it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// As the system sets it.
    pub own: Figures,
    /// As it was chosen, if there is a choice.
    pub chosen: Option<Chosen>,
}

/// The rounds of a square, one after the other; `done` is called after each.
pub fn of_square(square: &Square, rounds: u32, light: &Light, aim: Aim, done: impl Fn()) -> Vec<Round> {
    let mut meter = Meter::new(square.network(), light);
    let of = |round: RoundIdx| {
        let starts = square.several(round, choose::STARTS);
        let own = meter.figures(&starts[0]);
        let chosen = square.masks().map(|masks| choose(&mut meter, masks, starts, aim, round.0));
        done();
        Round { own, chosen }
    };
    RoundIdx::all(rounds).map(of).collect()
}

/// Whether the rounds of a plan are a complete exchange.
pub fn is_exchange(plan: &Plan) -> bool {
    plan.demand != Demand::Scheduled
}

#[cfg(test)]
mod tests;

//! Exchanges round switches that are stuck: every round uses them in the state that they have.
//!
//! *Two networks in which one stuck switch costs no round.* Write a message's way through the Butterfly–Butterfly or the Beneš
//! network as bits: it carries n - 1 bits c of its own choice from the first n - 1 stages to the last n - 1 ([`translate`]). The settings of a round
//! stay settings of the same round if the c of all messages are XORed with one mask. A bit of the mask turns the switches of the two stages between which its bit of
//! c is carried, in place: so a stuck switch of any stage but the middle one has the state it should have with the mask or without. In
//! the middle stage the mask moves settings from switch w to switch w ^ mask: what is needed is one middle switch, whichever, with the right state. A middle
//! switch is straight if its two messages leave by the side on which they came. On the Butterfly–Butterfly these sides are bit 1 of the source and bit n - 1 of the
//! destination: of the N messages of a rotation (or of i -> i ^ k) a quarter has each of the four pairs of these two bits if n >= 3, so N/4 of the middle
//! switches are straight and N/4 crossed. *Hence every rotation, and every XOR, survives any one stuck switch, for all n >= 3.* On the Beneš network
//! the two bits are bit 1 of both, equal in a rotation by a multiple of 4: there the rounds are i -> (bits of i turned by n - 2) - k instead, in
//! which bit 1 of the source is bit n - 1 of what is rotated ([`squares`]). With N = 4 all settings were tried: four rounds are left, too ([`cover`]).
//!
//! *Several switches.* Each of the 2^(n-1) masks is tried, then other settings of the same round, then other Latin squares; what
//! is left over is covered with as many more rounds as it takes ([`cover`]). Small networks are searched whole.
//!
//! *Not at all.* A pair that no path joins any more ([`ways`]) is an error that names it and the switches in its way.

pub mod cover;
pub mod permutation;
pub mod squares;
pub mod translate;
pub mod ways;

use crate::check::route_round;
use crate::plan::{CUSTOM, Control, Demand, Phases, Plan};
use crate::tables::{Tables, check_size};
use frit_network::options::{OptionSpec, Values};
use frit_network::{Name, Network, Refusal, RoundIdx, StuckSwitches, SwitchState, refuse};
use squares::Square;
use translate::Masks;

/// The states `[stage][switch]` of a round.
pub type Settings = Vec<Vec<SwitchState>>;

/// The option that names them.
pub const STUCK: OptionSpec = OptionSpec {
    name: "stuck",
    values: Values::Stuck,
    help: "switches that are stuck, STATE 0 straight or 1 cross: the exchange uses them as they are, its schedule is stored",
    compared: false,
};

/// Rounds, the fewest that are known to be needed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The settings of each round.
    pub settings: Vec<Settings>,
    /// No exchange has fewer rounds.
    pub bound: u32,
    /// Why, in one line.
    pub reason: String,
}

/// The plan with the stuck switches that its options name, if they name some.
///
/// # Errors
/// As of [`around`].
pub fn around_named(plan: Plan) -> Result<Plan, Refusal> {
    match plan.options.get(STUCK.name).map(|text| StuckSwitches::parse(text.as_str())) {
        None => Ok(plan),
        Some(stuck) => around(plan, &stuck?),
    }
}

/// The plan of the same exchange, in the fewest rounds that were found, in which each stuck switch has in every round the state in
/// which it is stuck. Where the switches route themselves, the labels are stored, else the settings.
///
/// # Errors
/// If the network has not these switches; if a pair of terminals has no path any more; if the plan is one of a single round that
/// they make impossible, or of a kind that cannot go round.
pub fn around(plan: Plan, stuck: &StuckSwitches) -> Result<Plan, Refusal> {
    stuck.fits(&plan.network)?;
    let network = &plan.network;
    let (lanes, terminals) = (network.lanes(), network.terminals());
    let simple = plan.second_pass.is_none() && plan.turn(frit_network::StageIdx(0)).is_none();
    if plan.has_spare() {
        refuse!(
            "padded exchanges do not go round stuck switches; give a number of terminals that needs no padding"
        );
    }
    if !simple {
        refuse!("{} does not go round stuck switches; rls, benes and user do", plan.system);
    }
    // What a schedule of single permutations names is looked at when its rounds are set.
    let all_pairs = plan.demand != Demand::Scheduled;
    if let Some(cut) = all_pairs.then(|| ways::cut(network, stuck)).flatten() {
        return Err(cut.refusal(network, stuck));
    }
    if lanes != terminals {
        refuse!("{} has several lanes for each terminal and does not go round stuck switches", plan.system);
    }
    let found = match plan.demand {
        Demand::Scheduled => one_by_one(&plan, stuck)?,
        Demand::AllToAll | Demand::Among(_) => exchange(&plan, stuck)?,
    };
    with_rounds(plan, stuck, found)
}

/// The rounds that the plan has, each with its own permutation.
fn one_by_one(plan: &Plan, stuck: &StuckSwitches) -> Result<Rounds, Refusal> {
    let square = Square::of_plan(plan);
    let mut settings = Vec::new();
    for round in RoundIdx::all(plan.rounds) {
        match square.around(round, stuck) {
            Some(found) => settings.push(found),
            None => refuse!(
                "no settings of {} were found that use the stuck switches ({stuck}) and serve round {round}{}; name fewer stuck switches, or give another schedule",
                plan.system,
                square.why_not(round, stuck)
            ),
        }
    }
    let (bound, reason) = (plan.rounds, "the schedule names so many rounds".to_string());
    Ok(Rounds { settings, bound, reason })
}

/// A complete exchange.
fn exchange(plan: &Plan, stuck: &StuckSwitches) -> Result<Rounds, Refusal> {
    let network = &plan.network;
    check_size(network.terminals().into(), network.lanes().into())?;
    let mut best: Option<(usize, Vec<Settings>)> = None;
    for square in Square::all(plan, stuck.len()) {
        let rounds: Vec<Settings> =
            RoundIdx::all(network.terminals()).filter_map(|round| square.around(round, stuck)).collect();
        let served = rounds.len();
        if best.as_ref().is_none_or(|(most, _)| served > *most) {
            best = Some((served, rounds));
        }
        if served == network.terminals() as usize {
            break;
        }
    }
    let (served, begun) = best.unwrap_or_default();
    let terminals = network.terminals();
    if served == terminals as usize {
        return Ok(Rounds { settings: begun, bound: terminals, reason: cover::one_a_round(terminals) });
    }
    cover::rounds(network, stuck, begun)
}

fn with_rounds(plan: Plan, stuck: &StuckSwitches, found: Rounds) -> Result<Plan, Refusal> {
    let rounds = u32::try_from(found.settings.len()).expect("the tables are limited");
    check_size(rounds.into(), plan.network.lanes().into())?;
    let mut plan = stored(plan, found.settings)?;
    let name = Name::new(stuck.name()).unwrap_or_else(|_| Name::new(CUSTOM).expect("a name"));
    plan.options.insert(STUCK.name.into(), name);
    plan.figures.source = "rounds round stuck switches (docs/stuck.md)";
    // No paper says how long this takes: the rounds do.
    let cycles = plan.cycles();
    plan.figures.cycles_lower_bound = cycles - u64::from(rounds - found.bound);
    plan.figures.cycles_paper = cycles;
    if found.bound != plan.network.terminals() || rounds != found.bound {
        plan.figures.bound_reason = found.reason;
    }
    plan.stuck = stuck.clone();
    Ok(plan)
}

/// Another exchange on the same network in as many rounds, which sets other switches: each round of the plan with all bits of the mask inverted
/// ([`translate`]). None if the network has no masks.
pub fn another_exchange(plan: &Plan) -> Option<Plan> {
    let masks = Masks::of(&plan.network).filter(|_| plan.second_pass.is_none())?;
    let settings = |round| Some(masks.translated(&route_round(plan, round).ok()?.states, masks.count() - 1));
    let settings: Option<Vec<Settings>> = RoundIdx::all(plan.rounds).map(settings).collect();
    stored(plan.clone(), settings?).ok()
}

/// The plan whose rounds have these settings, stored: as labels where switches route themselves.
pub(crate) fn stored(plan: Plan, mut settings: Vec<Settings>) -> Result<Plan, Refusal> {
    let rounds = u32::try_from(settings.len()).expect("the tables are limited");
    let mut taken = |round: RoundIdx| std::mem::take(&mut settings[round.idx()]);
    let tables = match plan.self_routing() {
        false => Tables::settings(&plan.network, rounds, taken)?,
        true => {
            let rows: Vec<Vec<u64>> =
                RoundIdx::all(rounds).map(|round| labels(&plan.network, &taken(round))).collect();
            Tables::labels(&plan.network, rounds, |round, lane| rows[round.idx()][lane.idx()])?
        }
    };
    // The tables hold the destinations, so no prepare phase is needed.
    let mut plan = Plan { rounds, phases: Phases::One, ..plan };
    plan.figures.stored_bits = tables.stored_bits().total();
    plan.figures.drivers =
        if tables.self_routing() { plan.network.lanes().into() } else { plan.network.switches() };
    plan.control = Control::Table(tables);
    Ok(plan)
}

/// The labels by which every lane's message takes the way that the settings give it: a bit for each stage, the first the most significant.
pub fn labels(network: &Network, settings: &Settings) -> Vec<u64> {
    let lanes = network.lanes() as usize;
    let mut labels = vec![0; lanes];
    let mut at: Vec<u32> = (0..network.lanes()).collect();
    for (row, link) in settings.iter().zip(network.links()) {
        let mut behind = vec![0; lanes];
        for (&lane, &port) in at.iter().zip(link) {
            let out = port ^ u32::from(row[port as usize / 2].bit());
            behind[out as usize] = lane;
            labels[lane as usize] = labels[lane as usize] << 1 | u64::from(out & 1);
        }
        at = behind;
    }
    labels
}

/// Whether a round has every stuck switch in its state.
pub fn obeys(settings: &Settings, stuck: &StuckSwitches) -> bool {
    stuck.iter().all(|(stage, switch, state)| settings[stage.idx()][switch.idx()] == state)
}

#[cfg(test)]
mod tests;

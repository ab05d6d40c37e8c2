//! What a plan is: states of a whole network, one after the other, and for how many rounds each is held.
//!
//! A round is one cycle in which every lane may send a word; the round of number r enters in cycle r.

use crate::ideal;
use crate::peel::Held;
use frit_network::{LaneIdx, Network, Refusal, RoundIdx, StageIdx, SwitchIdx, SwitchState};
use frit_schedule::check::route_round;
use frit_schedule::looping;
use frit_schedule::route::{Conflict, Routed, route_settings, route_states};
use frit_schedule::{Plan, Request};

/// A state of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub hold: u32,
    /// What the state is; which of them depends on the machine.
    pub state: State,
}

/// What a slot tells the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The destination of each source; the looping algorithm sets the switches.
    Permutation(Vec<u16>),
    /// A round of the system's own exchange.
    Round(RoundIdx),
    /// The control bits of the cycles to come.
    Bits,
}

/// The hardware that runs a plan.
#[derive(Clone, Debug)]
pub enum Machine {
    /// A Beneš network whose settings are stored.
    Benes(Network),
    /// An ideal crossbar of so many terminals, whose configurations are stored: any permutation at any time.
    Ideal(u32),
    /// A system with a cyclic exchange, each round of which may last several cycles.
    Cyclic(Box<Plan>),
    /// The optical butterfly: one control bit for all routers, a new one in each cycle. The bits of all cycles.
    Systolic(Box<Plan>, Vec<bool>),
}

#[derive(Clone, Debug)]
pub struct Exchange {
    pub machine: Machine,
    pub slots: Vec<Slot>,
}

impl Machine {
    /// The Beneš network of so many terminals.
    pub fn benes(terminals: u32) -> Result<Machine, Refusal> {
        Ok(Machine::Benes(frit_network::benes(terminals.into())?))
    }

    /// The machine with this key whose configurations are stored: one of [`STORED`].
    ///
    /// # Errors
    ///
    /// If it does not exist with so many terminals.
    ///
    /// # Panics
    ///
    /// If there is no such machine.
    pub fn stored(key: &str, terminals: u32) -> Result<Machine, Refusal> {
        match key {
            "benes" => Machine::benes(terminals),
            ideal::KEY => Ok(Machine::Ideal(terminals)),
            other => panic!("{other} is no machine whose configurations are stored"),
        }
    }

    /// Key and size: `benes_n16`.
    pub fn name(&self) -> String {
        match self {
            Machine::Benes(network) => format!("benes_n{}", network.terminals()),
            Machine::Ideal(terminals) => format!("{}_n{terminals}", ideal::KEY),
            Machine::Cyclic(plan) | Machine::Systolic(plan, _) => plan.name(),
        }
    }

    /// The network of 2×2 switches. An ideal crossbar has none.
    pub fn network(&self) -> Option<&Network> {
        match self {
            Machine::Benes(network) => Some(network),
            Machine::Ideal(_) => None,
            Machine::Cyclic(plan) | Machine::Systolic(plan, _) => Some(&plan.network),
        }
    }

    pub fn lanes(&self) -> u32 {
        self.network().map_or(self.terminals(), Network::lanes)
    }

    /// The plan of the system's own exchange, if it has one.
    pub fn plan(&self) -> Option<&Plan> {
        match self {
            Machine::Benes(_) | Machine::Ideal(_) => None,
            Machine::Cyclic(plan) | Machine::Systolic(plan, _) => Some(plan),
        }
    }

    /// Terminals that send and receive.
    pub fn terminals(&self) -> u32 {
        match self {
            Machine::Benes(network) => network.terminals(),
            Machine::Ideal(terminals) => *terminals,
            Machine::Cyclic(plan) | Machine::Systolic(plan, _) => plan.served(),
        }
    }

    /// Lanes of a terminal: lane l belongs to terminal l / this.
    pub fn lanes_per_terminal(&self) -> u32 {
        match self {
            Machine::Benes(_) | Machine::Ideal(_) => 1,
            Machine::Cyclic(plan) | Machine::Systolic(plan, _) => plan.lanes_per_terminal(),
        }
    }

    /// Cycles from the round in which a word enters to its arrival.
    pub fn latency(&self) -> u32 {
        match self {
            Machine::Benes(network) => network.stages(),
            Machine::Ideal(_) => 1,
            Machine::Cyclic(plan) | Machine::Systolic(plan, _) => plan.latency(),
        }
    }

    /// Bits that set the network in one slot: of a Beneš network one for each switch, of an ideal crossbar the destination of each source, of a
    /// cyclic system none.
    pub fn settings_bits(&self) -> u64 {
        match self {
            Machine::Benes(network) => network.switches(),
            Machine::Ideal(terminals) => u64::from(*terminals) * u64::from(bits_for(*terminals)),
            // Rounds that a demand asks for are stored with it; a system has its own without one.
            Machine::Cyclic(plan) if plan.system == "benes" => plan.network.switches(),
            Machine::Cyclic(_) => 0,
            Machine::Systolic(..) => 1,
        }
    }
}

/// The keys of the machines whose configurations are stored.
pub const STORED: [&str; 2] = ["benes", ideal::KEY];

/// Bits of a terminal's number.
fn bits_for(terminals: u32) -> u32 {
    terminals.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}

impl Exchange {
    /// The exchange that holds permutations one after the other.
    pub fn held(machine: Machine, held: Vec<Held>) -> Exchange {
        let slot = |held: Held| Slot { hold: held.hold, state: State::Permutation(held.to) };
        Exchange { machine, slots: held.into_iter().map(slot).collect() }
    }

    pub fn rounds(&self) -> u64 {
        self.slots.iter().map(|slot| u64::from(slot.hold)).sum()
    }

    /// The cycle in which the last round arrives; 0 without rounds.
    pub fn cycles(&self) -> u64 {
        self.rounds().checked_sub(1).map_or(0, |last| last + u64::from(self.machine.latency()))
    }

    /// Bits of all slots in memory: settings or bits, and 32 bits of length where slots are held.
    pub fn stored_bits(&self) -> u64 {
        let length = match self.machine {
            Machine::Benes(_) | Machine::Ideal(_) | Machine::Cyclic(_) => 32,
            Machine::Systolic(..) => 0,
        };
        self.slots.len() as u64 * (self.machine.settings_bits() + length)
    }

    /// For each lane the lane that its words of a slot are meant for, `None` if it has none to send.
    pub fn meant(&self, at: usize) -> Vec<Option<u32>> {
        let lanes = |plan: &Plan| LaneIdx::all(plan.served() * plan.lanes_per_terminal());
        match (&self.machine, &self.slots[at].state) {
            (Machine::Benes(_) | Machine::Ideal(_), State::Permutation(to)) => {
                to.iter().map(|&to| Some(to.into())).collect()
            }
            (Machine::Cyclic(plan), &State::Round(round)) => lanes(plan)
                .map(|lane| plan.sends(round, lane).then(|| plan.destination(round, lane).0))
                .collect(),
            (Machine::Systolic(plan, bits), State::Bits) => {
                let slot = slot_of(plan, &bits[at..]);
                lanes(plan).map(|lane| Some(plan.destination(RoundIdx(slot), lane).0)).collect()
            }
            (machine, state) => panic!("{} has no slots like {state:?}", machine.name()),
        }
    }

    /// For each lane the lane that its words of a slot reach on the bare network, and the switches that lead them there: of stage k those
    /// of k cycles later, if they change in every cycle.
    pub fn routed(&self, at: usize) -> Result<Routed, Conflict> {
        match (&self.machine, &self.slots[at].state) {
            (Machine::Benes(network), State::Permutation(to)) => {
                let to: Vec<u32> = to.iter().map(|&to| to.into()).collect();
                let states = looping::settings(&to).expect("the network has this size");
                Ok(route_settings(network, &states))
            }
            (Machine::Ideal(_), State::Permutation(to)) => ideal::routed(to),
            (Machine::Cyclic(plan), &State::Round(round)) => route_round(plan, round),
            (Machine::Systolic(plan, bits), State::Bits) => {
                let state = |stage: StageIdx, _| SwitchState::from_bit(bits[at + stage.idx()]);
                Ok(route_states(&plan.network, state))
            }
            (machine, state) => panic!("{} has no slots like {state:?}", machine.name()),
        }
    }
}

/// The slot of the plan's own exchange that has the window with which these bits begin.
fn slot_of(plan: &Plan, bits: &[bool]) -> u32 {
    let same = |&slot: &u32| {
        bits.iter().zip(0..plan.network.stages()).all(|(&bit, stage)| {
            plan.stage_state(RoundIdx(slot), StageIdx(stage), SwitchIdx(0))
                .is_some_and(|state| state.bit() == bit)
        })
    };
    (0..plan.rounds).find(same).expect("a de Bruijn sequence has every window")
}

/// The plan of a system's own exchange, by key, size and no options.
pub fn plain(key: &str, terminals: u32) -> Result<Plan, Refusal> {
    frit_schedule::plan(&Request::new(key, terminals.into()))
}

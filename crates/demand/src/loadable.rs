//! What a schedule is loaded into: a network with two banks of memory. It is the Beneš network, which takes any permutation, or a network of
//! the user's, which takes rounds of the user's schedule.

use crate::demand::Demand;
use crate::exchange::{Exchange, State};
use crate::peel::Held;
use crate::program::{Entry, Program, Shape};
use frit_network::{
    Network, Refusal, RoundIdx, StageIdx, StuckSwitches, SwitchIdx, SwitchState, TerminalIdx, benes,
    benes_radix4,
};
use frit_schedule::Plan;
use frit_schedule::check::route_round;
use frit_schedule::route::route_states;
use frit_traffic::random::SplitMix64;

/// A network with the sizes of its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loadable {
    /// What its designs are called.
    name: String,
    network: Network,
    shape: Shape,
    /// Whether every permutation has settings, which the looping algorithm finds.
    permutes: bool,
    /// The switches that are stuck.
    stuck: StuckSwitches,
}

impl Loadable {
    /// The Beneš network.
    pub fn benes(shape: Shape) -> Loadable {
        let (n, radix4) = (shape.terminals(), shape.groups() < shape.stages());
        let network = if radix4 { benes_radix4(n.into()) } else { benes(n.into()) };
        let network = network.expect("a shape has the size of a network");
        let name = format!("benes{}_n{n}", if radix4 { "_radix4" } else { "" });
        Loadable { name, network, shape, permutes: true, stuck: StuckSwitches::default() }
    }

    /// The network of a plan, its stuck switches included, with banks of so many entries.
    ///
    /// # Errors
    ///
    /// If there is no hardware of this size.
    pub fn user(plan: &Plan, entries: u64) -> Result<Loadable, Refusal> {
        let shape = Shape::of(&plan.network, entries)?;
        let (name, network, stuck) = (plan.name(), plan.network.clone(), plan.stuck.clone());
        Ok(Loadable { name, network, shape, permutes: false, stuck })
    }

    /// The system and its size in words that are fit for a module: `benes_n16`.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn network(&self) -> &Network {
        &self.network
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether every permutation has settings.
    pub fn permutes(&self) -> bool {
        self.permutes
    }

    /// The switches that are stuck, whatever an entry says.
    pub fn stuck(&self) -> &StuckSwitches {
        &self.stuck
    }

    /// Settings of all switches that are drawn, and the destinations to which they lead, held for so many rounds.
    pub fn drawn(&self, random: &mut SplitMix64, run: u32) -> Entry {
        let stage = |random: &mut SplitMix64| -> Vec<SwitchState> {
            (0..self.shape.switches()).map(|_| SwitchState::from_bit(random.below(2) == 1)).collect()
        };
        let mut states: Vec<Vec<SwitchState>> = (0..self.shape.stages()).map(|_| stage(random)).collect();
        self.stuck.iter().for_each(|(stage, switch, state)| states[stage.idx()][switch.idx()] = state);
        let to = self.reached(&states).into_iter().map(|to| to as u16).collect();
        Entry { run, to, states }
    }

    /// Where the network leads each terminal with these settings.
    pub fn reached(&self, states: &[Vec<SwitchState>]) -> Vec<u32> {
        let state = |stage: StageIdx, switch: SwitchIdx| {
            self.stuck.state(stage, switch).unwrap_or(states[stage.idx()][switch.idx()])
        };
        route_states(&self.network, state).destinations
    }

    /// The switch of the last stage that leads to a terminal.
    pub fn last_switch(&self, terminal: TerminalIdx) -> u32 {
        let last = self.network.link(StageIdx(self.shape.stages()));
        (0..).zip(last).find(|(_, to)| **to == terminal.0).map_or(0, |(port, _)| port / 2)
    }
}

/// A program and the words of its exchange.
#[derive(Clone, Debug)]
pub struct Job {
    pub program: Program,
    /// The words of each pair, row = source.
    pub words: Vec<u32>,
}

impl Job {
    /// The job of a demand and its plan, and that of the transposed demand: the inverse permutations, the last one first.
    ///
    /// # Errors
    ///
    /// If the plan does not fit the memory.
    pub fn permutations(shape: Shape, demand: &Demand, held: &[Held]) -> Result<[Job; 2], Refusal> {
        let n = shape.terminals();
        let transposed = (0..n).flat_map(|row| (0..n).map(move |column| demand.words(column, row)));
        let back = Job { program: Program::new(shape, &inverse(held))?, words: transposed.collect() };
        Ok([Job { program: Program::new(shape, held)?, words: demand.matrix().to_vec() }, back])
    }

    /// The job of states of a network, of which each is held as long as it says, and the one with the last state first. Without a demand each
    /// terminal has a word in each round.
    ///
    /// # Errors
    ///
    /// If they do not fit the memory.
    pub fn states(shape: Shape, states: &[Entry], demand: Option<&Demand>) -> Result<[Job; 2], Refusal> {
        let whole = Job::filled(shape, states.iter().cloned())?;
        let back = Job::filled(shape, states.iter().rev().cloned())?;
        let with = |job: Job| match demand {
            Some(demand) => Job { words: demand.matrix().to_vec(), ..job },
            None => job,
        };
        Ok([whole, back].map(with))
    }

    /// States, and a word for each terminal in each of their rounds.
    ///
    /// # Errors
    ///
    /// If they do not fit the memory.
    pub fn filled(shape: Shape, states: impl Iterator<Item = Entry>) -> Result<Job, Refusal> {
        let program = Program::of_states(shape, states)?;
        let n = shape.terminals() as usize;
        let mut words = vec![0; n * n];
        for Entry { to, run, .. } in &program.entries {
            to.iter().enumerate().for_each(|(from, &to)| words[from * n + usize::from(to)] += run);
        }
        Ok(Job { program, words })
    }
}

/// The states of a user's plan: its rounds, each held once; rounds that are equal and follow each other are one state. With an exchange the
/// rounds that it has, each held as long as it says.
pub fn states(plan: &Plan, exchange: Option<&Exchange>) -> Vec<Entry> {
    let held: Vec<(RoundIdx, u32)> = match exchange {
        None => RoundIdx::all(plan.rounds).map(|round| (round, 1)).collect(),
        Some(exchange) => exchange.slots.iter().map(|slot| (round(&slot.state), slot.hold)).collect(),
    };
    let mut states: Vec<Entry> = Vec::new();
    for (round, run) in held {
        let routed = route_round(plan, round).expect("the rounds of a plan have no conflict");
        match states.last_mut().filter(|last| last.states == routed.states) {
            Some(last) => last.run += run,
            None => {
                let to = routed.destinations.iter().map(|&to| to as u16).collect();
                states.push(Entry { run, to, states: routed.states });
            }
        }
    }
    states
}

fn round(state: &State) -> RoundIdx {
    match state {
        State::Round(round) => *round,
        state => panic!("a schedule of rounds has no {state:?}"),
    }
}

/// The plan of the transposed demand: the inverse permutations, the last one first.
fn inverse(held: &[Held]) -> Vec<Held> {
    let one = |held: &Held| {
        let mut to = vec![0; held.to.len()];
        (0..).zip(&held.to).for_each(|(from, &at)| to[usize::from(at)] = from);
        Held { to, hold: held.hold }
    };
    held.iter().rev().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cyclic;
    use frit_network::LaneIdx;
    use frit_network::butterfly;
    use frit_schedule::user;

    fn plan(terminals: u64, rounds: &str) -> Plan {
        let text = format!("{{\"format\": \"{}\", \"rounds\": [{rounds}]}}", user::FORMAT);
        user::plan(butterfly(terminals).unwrap(), &text).unwrap()
    }

    const STATES: [&str; 4] =
        ["[\"00\", \"00\"]", "[\"00\", \"11\"]", "[\"11\", \"00\"]", "[\"11\", \"11\"]"];

    fn of_states(rounds: &[usize]) -> Plan {
        let round = |&round: &usize| format!("{{\"states\": {}}}", STATES[round]);
        plan(4, &rounds.iter().map(round).collect::<Vec<_>>().join(","))
    }

    #[test]
    fn equal_rounds_that_follow_each_other_are_one_state() {
        let states = states(&of_states(&[2, 2, 2, 1, 2]), None);
        assert_eq!(states.iter().map(|state| state.run).collect::<Vec<_>>(), [3, 1, 1]);
        let [whole, back] =
            Job::states(Shape::of(&butterfly(4).unwrap(), 4).unwrap(), &states, None).unwrap();
        assert_eq!((whole.program.rounds(), whole.words.iter().sum::<u32>()), (5, 20));
        assert_eq!(back.program.entries.iter().map(|entry| entry.run).collect::<Vec<_>>(), [1, 1, 3]);
        assert_eq!(whole.words, back.words);
    }

    #[test]
    fn labels_make_the_entries_of_the_states_that_they_set() {
        // Round 1: i goes to i with its bits rotated, as in a butterfly whose switches are all straight.
        let labels = plan(4, "{\"labels\": [\"00\", \"10\", \"01\", \"11\"]}");
        let straight = states(&of_states(&[0]), None);
        assert_eq!(states(&labels, None), straight);
        assert_eq!(straight[0].to, [0, 2, 1, 3]);
    }

    #[test]
    fn rounds_are_as_long_as_a_demand_needs_them() {
        let plan = of_states(&[0, 1, 2, 3]);
        let from =
            |round: usize, source: u32| (source, plan.destination(RoundIdx(round as u32), LaneIdx(source)));
        let pairs = [(from(3, 1), 70_000), (from(3, 0), 2), (from(1, 2), 5)];
        let demand =
            Demand::from_list(4, pairs.map(|((from, to), words)| (from.into(), to.0.into(), words))).unwrap();
        let exchange = cyclic::plan(&demand, plan.clone()).unwrap();
        let states = states(&plan, Some(&exchange));
        assert_eq!(states.iter().map(|state| state.run).collect::<Vec<_>>(), [5, 70_000]);
        let on = Loadable::user(&plan, 4).unwrap();
        let [whole, _] = Job::states(on.shape(), &states, Some(&demand)).unwrap();
        assert_eq!(whole.words, demand.matrix());
        let runs: Vec<u32> = whole.program.entries.iter().map(|entry| entry.run).collect();
        assert_eq!(runs, [5, 65_535, 4_465]);
        for entry in &whole.program.entries {
            assert!(on.reached(&entry.states).iter().map(|&to| to as u16).eq(entry.to.iter().copied()));
        }
    }

    #[test]
    fn drawn_states_fit_their_destinations_and_a_last_switch_leads_to_its_terminal() {
        let benes = Loadable::benes(Shape::new(8, 2).unwrap());
        for on in [benes, Loadable::user(&of_states(&[0]), 2).unwrap()] {
            let mut entry = on.drawn(&mut SplitMix64(5), 1);
            let before = on.reached(&entry.states);
            assert!(before.iter().map(|&to| to as u16).eq(entry.to.iter().copied()));
            for terminal in 0..on.shape().terminals() {
                let state =
                    &mut entry.states.last_mut().unwrap()[on.last_switch(TerminalIdx(terminal)) as usize];
                let old = std::mem::replace(state, SwitchState::from_bit(!state.bit()));
                let source = before.iter().position(|&to| to == terminal).unwrap();
                assert_ne!(on.reached(&entry.states)[source], terminal);
                entry.states.last_mut().unwrap()[on.last_switch(TerminalIdx(terminal)) as usize] = old;
            }
        }
    }

    #[test]
    fn networks_without_hardware_are_refused() {
        let two = Network::new("two", 2, vec![vec![0, 1]; 2]).unwrap();
        let error = |network: &Network, entries| Shape::of(network, entries).unwrap_err().to_string();
        assert!(
            error(&two, 4).starts_with("a loaded schedule needs 4 to 128 terminals, but the network has 2;")
        );
        assert!(error(&butterfly(256).unwrap(), 4).contains("the network has 256;"));
        let straight =
            |stages: u32| Network::new("long", 64, vec![(0..64).collect(); stages as usize + 1]).unwrap();
        // 16 + 64 * 6 + 32 S bits.
        assert_eq!(Shape::of(&straight(51), 4).unwrap().beats(), 64);
        assert!(
            error(&straight(52), 4)
                .starts_with("an entry of this network would have 65 words of 32 bits, and 64")
        );
        assert!(error(&straight(4), 3).starts_with("3 entries are not possible"));
        let ten = Network::new("ten", 10, vec![(0..10).collect(); 3]).unwrap();
        let shape = Shape::of(&ten, 4).unwrap();
        assert_eq!((shape.terminal_bits(), shape.latency(), shape.width()), (4, 3, 16 + 40 + 10));
    }
}

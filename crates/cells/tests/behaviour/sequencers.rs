//! Sequencers, against the timeline.

use crate::common::Rig;
use frit_cells::cells::{CellSpec, CycleCounterSpec, PassSequencerSpec, SequencerSpec};
use frit_schedule::{Request, plan};

/// A sequencer with the counter of its cycles beside it, as they stand in an exchange.
struct Counted {
    sequencer: Rig,
    counter: Rig,
}

impl Counted {
    fn after_reset(spec: &CellSpec) -> Self {
        let counter = Rig::after_reset(&CycleCounterSpec.into());
        Counted { sequencer: Rig::after_reset(spec), counter }
    }

    fn set(&mut self, name: &str, value: u64) {
        self.sequencer.set(name, value);
        if name == "rst_i" {
            self.counter.set(name, value);
        }
    }

    fn get(&self, name: &str) -> u64 {
        if name == "cycles_o" { self.counter.get(name) } else { self.sequencer.get(name) }
    }

    fn settle(&mut self) {
        self.sequencer.settle();
        self.counter.set("count_i", self.sequencer.get("busy_o"));
        self.counter.set("clear_i", self.sequencer.get("done_o"));
        self.counter.settle();
    }

    fn clock(&mut self) {
        self.settle();
        self.counter.clock();
        self.sequencer.clock();
        self.settle();
    }
}

/// Sending, second pass and arrival follow the plan's own arithmetic.
#[test]
fn a_pass_sequencer_follows_its_plan() {
    for request in [
        Request::new("rls-folded", 8),
        Request::new("rls-folded", 16),
        Request::new("rls-folded", 8).with("plan", "buffered"),
        Request::new("rls-flattened", 4),
        Request::new("rls-flattened", 16),
    ] {
        let plan = plan(&request).unwrap();
        let window = plan.second_pass.unwrap().window() as u64;
        let (last, latency) = (plan.rounds as u64 - 1, plan.latency() as u64);
        let spec = CellSpec::from(PassSequencerSpec { bits: 5, slot_bits: 4, last, window, latency });
        let mut rig = Counted::after_reset(&spec);
        for _ in 0..2 {
            rig.set("start_i", 1);
            rig.clock();
            rig.set("start_i", 0);
            for cycle in 0..=plan.cycles() {
                rig.settle();
                let flag = |name: &str| rig.get(name) != 0;
                assert!(flag("busy_o"));
                assert_eq!(rig.get("cycles_o"), cycle);
                assert_eq!(flag("sending_o"), plan.injecting(cycle).is_some(), "cycle {cycle}");
                assert_eq!(flag("again_o"), plan.second_pass_enters(cycle), "cycle {cycle}");
                assert_eq!(flag("arriving_o"), plan.arriving(cycle).is_some(), "cycle {cycle}");
                assert_eq!(flag("done_o"), cycle == plan.cycles());
                rig.clock();
            }
            let idle = ["busy_o", "sending_o", "again_o", "arriving_o", "done_o", "cycles_o"];
            assert_eq!(idle.map(|name| rig.get(name)), [0; 6]);
        }
    }
}

/// All outputs of a sequencer and its counter.
#[derive(Debug, PartialEq)]
struct Timing {
    busy: u64,
    sending: u64,
    round: u64,
    arriving: u64,
    arrival: u64,
    done: u64,
    cycles: u64,
}

const IDLE: Timing = Timing { busy: 0, sending: 0, round: 0, arriving: 0, arrival: 0, done: 0, cycles: 0 };

fn timing(rig: &Counted) -> Timing {
    Timing {
        busy: rig.get("busy_o"),
        sending: rig.get("sending_o"),
        round: rig.get("round_o"),
        arriving: rig.get("arriving_o"),
        arrival: rig.get("arrival_o"),
        done: rig.get("done_o"),
        cycles: rig.get("cycles_o"),
    }
}

/// What the timeline says for a cycle of a run: round k is sent in cycle k and arrives in cycle k + latency.
fn timing_of(cycle: u64, rounds: u64, latency: u64) -> Timing {
    let sending = cycle < rounds;
    let arriving = (latency..latency + rounds).contains(&cycle);
    Timing {
        busy: 1,
        sending: sending as u64,
        round: if sending { cycle } else { 0 },
        arriving: arriving as u64,
        arrival: if arriving { cycle - latency } else { 0 },
        done: (cycle == latency + rounds - 1) as u64,
        cycles: cycle,
    }
}

/// (bits, rounds, latency): arrivals that overlap with sending or not, rounds that fill their bits or not, one round, the
/// least latencies.
const SEQUENCERS: [(u32, u64, u64); 10] = [
    (4, 10, 4),
    (2, 3, 1),
    (2, 4, 1),
    (2, 1, 1),
    (2, 1, 4),
    (2, 2, 2),
    (2, 3, 2),
    (4, 16, 16),
    (3, 5, 300),
    (5, 32, 6),
];

/// So many cycles that every part of their counter carries.
const LONG: (u32, u64, u64) = (17, 70_000, 7);

fn sequencer(bits: u32, rounds: u64, latency: u64) -> Counted {
    Counted::after_reset(&CellSpec::from(SequencerSpec { bits, last: rounds - 1, latency }))
}

fn start(rig: &mut Counted) {
    rig.set("start_i", 1);
    rig.clock();
    rig.set("start_i", 0);
    rig.settle();
}

fn check_run(rig: &mut Counted, rounds: u64, latency: u64) {
    for cycle in 0..rounds + latency {
        assert_eq!(timing(rig), timing_of(cycle, rounds, latency), "{rounds} rounds, latency {latency}");
        rig.clock();
    }
}

#[test]
fn a_sequencer_follows_the_timeline_and_runs_again() {
    for (bits, rounds, latency) in SEQUENCERS.into_iter().chain([LONG]) {
        let mut rig = sequencer(bits, rounds, latency);
        for idle_cycles in [3, 1, 0] {
            for _ in 0..idle_cycles {
                assert_eq!(timing(&rig), IDLE);
                rig.clock();
            }
            start(&mut rig);
            check_run(&mut rig, rounds, latency);
        }
        assert_eq!(timing(&rig), IDLE);
    }
}

#[test]
fn a_sequencer_ignores_a_start_while_busy() {
    for (bits, rounds, latency) in SEQUENCERS {
        let mut rig = sequencer(bits, rounds, latency);
        // High throughout the run, the cycle of done included, and low in the cycle after it.
        rig.set("start_i", 1);
        rig.clock();
        check_run(&mut rig, rounds, latency);
        rig.set("start_i", 0);
        rig.settle();
        assert_eq!(timing(&rig), IDLE);
        rig.clock();
        assert_eq!(timing(&rig), IDLE);
    }
}

#[test]
fn reset_stops_a_sequencer_in_any_cycle() {
    for (bits, rounds, latency) in SEQUENCERS {
        for stop in 0..rounds + latency {
            let mut rig = sequencer(bits, rounds, latency);
            start(&mut rig);
            (0..stop).for_each(|_| rig.clock());
            assert_eq!(timing(&rig), timing_of(stop, rounds, latency));
            // A start in reset is none.
            rig.set("rst_i", 1);
            rig.set("start_i", 1);
            rig.clock();
            rig.set("rst_i", 0);
            rig.set("start_i", 0);
            rig.settle();
            assert_eq!(timing(&rig), IDLE, "stopped in cycle {stop}");
            start(&mut rig);
            check_run(&mut rig, rounds, latency);
        }
    }
}

//! What runs the rounds, against the timeline.

use crate::common::Rig;
use frit_cells::cells::{
    CellSpec, CycleCounterSpec, DelayLineSpec, FlightSpec, PassSequencerSpec, RoundCounterSpec, SendLineSpec,
    SequencerSpec,
};
use frit_schedule::{Plan, Request, plan};

/// A sequencer with the cells behind it, as they stand in an exchange.
struct Chain {
    sequencer: Rig,
    /// A copy of `sending_o`, and a count of the rounds that are sent; none of a sequencer of two passes.
    send_line: Option<Rig>,
    rounds: Option<Rig>,
    lines: Vec<Rig>,
    /// The lines of the last round.
    done: Vec<Rig>,
    flight: Rig,
    arrivals: Rig,
    counter: Rig,
    /// `start_i`.
    start: u64,
    /// Whether the next exchange may begin in any cycle behind the last round.
    late: bool,
    /// Whether a round arrives in the cycle after it was sent.
    short: bool,
}

impl Chain {
    fn after_reset(sequencer: &CellSpec, bits: u32, latency: u64) -> Self {
        let lines = || (0..latency).step_by(64).map(|from| (latency - from).min(64) as u32);
        let line = |cycles| Rig::after_reset(&DelayLineSpec { cycles }.into());
        let single = matches!(sequencer, CellSpec::Sequencer(_));
        let mut chain = Chain {
            sequencer: Rig::after_reset(sequencer),
            send_line: single.then(|| Rig::after_reset(&SendLineSpec.into())),
            rounds: single.then(|| Rig::after_reset(&RoundCounterSpec { bits }.into())),
            lines: lines().map(line).collect(),
            done: lines().map(line).collect(),
            flight: Rig::after_reset(&FlightSpec.into()),
            arrivals: Rig::after_reset(&RoundCounterSpec { bits }.into()),
            counter: Rig::after_reset(&CycleCounterSpec { most: u32::MAX.into() }.into()),
            start: 0,
            late: true,
            short: latency == 1,
        };
        chain.settle();
        chain
    }

    fn of(plan: &Plan, late: bool) -> Self {
        let (last, bits) = (plan.rounds as u64 - 1, 8);
        let sequencer = match plan.second_pass.map(|second| second.window() as u64) {
            None => CellSpec::from(SequencerSpec { bits, last }),
            Some(window) => PassSequencerSpec { bits, slot_bits: 8, last, window }.into(),
        };
        Chain { late, ..Chain::after_reset(&sequencer, bits, plan.latency().into()) }
    }

    fn rigs(&mut self) -> impl Iterator<Item = &mut Rig> {
        let alone = [&mut self.sequencer, &mut self.flight, &mut self.arrivals, &mut self.counter];
        alone
            .into_iter()
            .chain(&mut self.send_line)
            .chain(&mut self.rounds)
            .chain(&mut self.lines)
            .chain(&mut self.done)
    }

    fn set(&mut self, name: &str, value: u64) {
        match name {
            "rst_i" => self.rigs().for_each(|rig| rig.set(name, value)),
            _ => {
                self.start = value;
                self.sequencer.set(name, value);
            }
        }
        self.settle();
    }

    fn get(&self, name: &str) -> u64 {
        match name {
            "busy_o" | "ends_o" => self.flight.get(name),
            "arrival_o" => self.arrivals.get("round_o"),
            "round_o" => self.rounds.as_ref().expect("a count").get(name),
            "done_o" => self.done.last().expect("a line").get("bit_o"),
            "cycles_o" => self.counter.get(name),
            "arriving_o" => self.lines.last().expect("a line").get("bit_o"),
            _ => self.sequencer.get(name),
        }
    }

    /// Registers first, then what follows from them and the inputs.
    fn settle(&mut self) {
        if let Some(rounds) = &self.rounds {
            self.sequencer.set("round_i", rounds.get("round_o"));
        }
        self.sequencer.settle();
        let mut only = 0;
        for (lines, port) in [(&mut self.lines, "sending_o"), (&mut self.done, "last_o")] {
            let (mut bit, mut empty) = (self.sequencer.get(port), 1);
            for line in lines {
                line.set("bit_i", bit);
                line.set("empty_i", empty);
                line.settle();
                if port == "sending_o" {
                    only = line.get("only_o");
                }
                (bit, empty) = (line.get("bit_o"), line.get("empty_o"));
            }
        }
        if self.short {
            only = self.sequencer.get("last_o");
        }
        self.flight.set("begin_i", self.sequencer.get("begin_o"));
        self.flight.set("only_i", only);
        self.flight.settle();
        if !self.late {
            let stays = self.flight.get("stays_o");
            self.sequencer.set("hold_i", stays);
            self.sequencer.settle();
        }
        if let Some(line) = &mut self.send_line {
            line.set("start_i", self.start);
            line.set("ready_i", self.sequencer.get("ready_o"));
            line.set("last_i", self.sequencer.get("last_o"));
            line.settle();
            assert_eq!(line.get("sending_o"), self.sequencer.get("sending_o"));
        }
        if let Some(rounds) = &mut self.rounds {
            rounds.set("step_i", self.sequencer.get("sending_o"));
            rounds.set("last_i", self.sequencer.get("last_o"));
            rounds.settle();
        }
        self.arrivals.set("step_i", self.get("arriving_o"));
        self.arrivals.set("last_i", self.get("done_o"));
        self.arrivals.settle();
        self.counter.set("count_i", self.flight.get("ages_o"));
        self.counter.settle();
    }

    fn clock(&mut self) {
        self.settle();
        self.rigs().for_each(Rig::clock);
        self.settle();
    }
}

/// Every output in every cycle of so many exchanges without a gap, then nothing.
fn check(chain: &mut Chain, plan: &Plan, exchanges: u32) {
    let plan = plan.repeated(exchanges);
    let (name, alone) = (plan.name(), plan.repeated(1).cycles());
    chain.set("start_i", 1);
    chain.clock();
    for cycle in 0..=plan.cycles() {
        // The start of the next exchange, and never one more than there are.
        let next = (cycle + 1) % plan.period() == 0 && (cycle + 1) / plan.period() < u64::from(exchanges);
        chain.set("start_i", next.into());
        let flag = |name: &str| chain.get(name) != 0;
        let number = |name: &str, round: Option<u32>| {
            if let Some(round) = round {
                assert_eq!(chain.get(name), u64::from(round % plan.rounds), "{name} in cycle {cycle}");
            }
        };
        assert!(flag("busy_o"));
        assert_eq!(chain.get("cycles_o"), plan.since_start(cycle));
        assert_eq!(flag("ready_o"), plan.takes_start(cycle), "{name}: cycle {cycle}");
        if cycle < plan.cycles() {
            assert_eq!(flag("next_o"), plan.takes_start(cycle + 1), "{name}: cycle {cycle}");
        }
        assert_eq!(flag("sending_o"), plan.injecting(cycle).is_some(), "{name}: cycle {cycle}");
        assert_eq!(flag("arriving_o"), plan.arriving(cycle).is_some(), "{name}: cycle {cycle}");
        number("arrival_o", plan.arriving(cycle).map(|round| round.0));
        let done = cycle >= alone && (cycle - alone) % plan.period() == 0;
        assert_eq!(flag("done_o"), done, "{name}: cycle {cycle}");
        assert_eq!(flag("ends_o"), cycle == plan.cycles(), "{name}: cycle {cycle}");
        if plan.second_pass.is_some() {
            assert_eq!(flag("again_o"), plan.second_pass_enters(cycle), "{name}: cycle {cycle}");
        } else {
            number("round_o", plan.injecting(cycle).map(|round| round.0));
        }
        chain.clock();
    }
    idle(chain);
}

fn idle(chain: &Chain) {
    let low = ["busy_o", "sending_o", "arriving_o", "done_o", "cycles_o", "arrival_o"];
    assert_eq!(low.map(|name| chain.get(name)), [0; 6]);
    assert_eq!(chain.get("ready_o"), 1);
}

/// Sending, second pass and arrival follow the plan's own arithmetic, of one exchange and of several.
#[test]
fn sequencers_follow_their_plan_without_a_gap() {
    for request in [
        Request::new("rls", 4),
        Request::new("rls", 16),
        Request::new("rls", 128),
        Request::new("obf", 4),
        Request::new("obf", 8),
        Request::new("gsen", 10),
        Request::new("rls-folded", 8),
        Request::new("rls-folded", 16),
        Request::new("rls-folded", 8).with("plan", "buffered"),
        Request::new("rls-folded", 128).with("plan", "buffered"),
        Request::new("rls-flattened", 4),
        Request::new("rls-flattened", 16),
    ] {
        let plan = plan(&request).unwrap();
        let mut chain = Chain::of(&plan, plan.joins_late(1));
        for exchanges in [1, 3, 2, 1] {
            check(&mut chain, &plan, exchanges);
        }
    }
}

/// (rounds, latency): arrivals that overlap with sending or not, one round, the least latencies, several exchanges under way.
const SHAPES: [(u32, u32); 9] = [(10, 4), (3, 1), (4, 1), (1, 1), (1, 4), (2, 2), (3, 2), (16, 16), (5, 300)];

/// A plan of which only the times count.
fn timed(rounds: u32, latency: u32) -> Plan {
    let mut plan = plan(&Request::new("rls", 4)).unwrap();
    (plan.rounds, plan.entry_delay) = (rounds, latency - plan.network.stages().min(latency));
    plan.network = frit_network::butterfly(4).unwrap();
    plan.entry_delay = latency.saturating_sub(plan.network.stages());
    plan
}

#[test]
fn rounds_and_latencies_of_all_kinds() {
    for (rounds, latency) in SHAPES {
        let mut plan = timed(rounds, latency.max(2));
        if latency < 2 {
            plan = timed(rounds, 2);
        }
        let mut chain = Chain::of(&plan, true);
        for exchanges in [1, 4] {
            check(&mut chain, &plan, exchanges);
        }
    }
    // The least latency: the cell alone.
    let mut chain = Chain::after_reset(&SequencerSpec { bits: 2, last: 2 }.into(), 2, 1);
    chain.set("start_i", 1);
    chain.clock();
    chain.set("start_i", 0);
    for cycle in 0..4 {
        let seen = ["sending_o", "arriving_o", "done_o", "busy_o"].map(|name| chain.get(name));
        assert_eq!(seen, [u64::from(cycle < 3), u64::from(cycle > 0), u64::from(cycle == 3), 1], "{cycle}");
        chain.clock();
    }
    idle(&chain);
}

/// Starts at any time: taken where `ready_o` says it, and nothing else is under way than what they began.
#[test]
fn starts_at_any_time_are_taken_or_ignored() {
    for (rounds, latency, late) in [(10, 4, true), (2, 7, true), (1, 3, true), (10, 4, false), (2, 7, false)]
    {
        let plan = timed(rounds, latency);
        let mut chain = Chain::of(&plan, late);
        let mut random = frit_traffic::random::SplitMix64(u64::from(rounds));
        let mut begun: Vec<u64> = Vec::new();
        for now in 0..3000u64 {
            // High for long, low for long, or anything.
            let start = [1, 0, random.next() & 1, u64::from(random.next().is_multiple_of(16))]
                [(now / 50 % 4) as usize];
            chain.set("start_i", start);
            let age = |at: &u64| now.checked_sub(*at);
            let sent = begun.iter().filter_map(age).find(|&age| age < u64::from(rounds));
            let arrived: Vec<u64> =
                begun.iter().filter_map(|at| now.checked_sub(at + u64::from(latency))).collect();
            let arrived = arrived.into_iter().find(|&round| round < u64::from(rounds));
            let busy = begun.iter().filter_map(age).any(|age| age < u64::from(rounds + latency));
            assert_eq!(chain.get("busy_o"), u64::from(busy));
            let newest = begun.iter().filter_map(age).min().filter(|_| busy);
            assert_eq!(chain.get("cycles_o"), newest.unwrap_or(0));
            assert_eq!(chain.get("sending_o"), u64::from(sent.is_some()));
            assert_eq!(chain.get("round_o"), sent.unwrap_or(0));
            assert_eq!(chain.get("arriving_o"), u64::from(arrived.is_some()));
            assert_eq!(chain.get("arrival_o"), arrived.unwrap_or(0));
            assert_eq!(chain.get("done_o"), u64::from(arrived == Some(u64::from(rounds) - 1)));
            let ending = sent == Some(u64::from(rounds) - 1);
            let ready = ending || (sent.is_none() && (late || !busy));
            assert_eq!(chain.get("ready_o"), u64::from(ready), "{rounds} rounds, {latency}, cycle {now}");
            if start == 1 && ready {
                begun.push(now + 1);
            }
            chain.clock();
        }
        assert!(begun.len() > 100 / rounds as usize);
    }
}

#[test]
fn reset_stops_a_sequencer_in_any_cycle() {
    for (rounds, latency) in [(10, 4), (1, 2), (2, 2), (2, 5)] {
        let plan = timed(rounds, latency);
        for stop in 0..2 * u64::from(rounds) + u64::from(latency) {
            let mut chain = Chain::of(&plan, true);
            chain.set("start_i", 1);
            (0..=stop).for_each(|_| chain.clock());
            // A start in reset is none.
            chain.set("rst_i", 1);
            chain.clock();
            chain.set("rst_i", 0);
            chain.set("start_i", 0);
            idle(&chain);
            check(&mut chain, &plan, 2);
        }
    }
}

/// So many cycles that every part of their counter carries.
#[test]
fn a_long_exchange_is_counted() {
    let mut chain = Chain::after_reset(&SequencerSpec { bits: 17, last: 69_999 }.into(), 17, 7);
    chain.set("start_i", 1);
    chain.clock();
    chain.set("start_i", 0);
    for cycle in 0..70_007 {
        assert_eq!(chain.get("cycles_o"), cycle);
        assert_eq!(chain.get("done_o"), u64::from(cycle == 70_006));
        chain.clock();
    }
    idle(&chain);
}

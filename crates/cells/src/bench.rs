//! The testbench around the rust-hdl network: it follows the timeline, feeds words and reports what it sees.
//!
//! It mirrors the SystemVerilog testbench. Like that one it counts its own cycles and compares what the exchange says
//! (`send_dest_o`, `done_o`, `cycles_o`, `conflict_o`) with the plan.

use crate::netlist::Netlist;
use crate::netlist::simulate::{NamedNet, Simulated};
use frit_network::{LaneIdx, Refusal, RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::control_inputs::{ControlBit, ControlPort};
use frit_schedule::{Phases, Plan, Timeline};
use frit_traffic::Payload;
use frit_traffic::trace::{Delivered, Delivery, Observer, Run, Setting};

/// Something that a signal of the exchange should not have said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The run: prepare runs first, then the one that carries the messages.
    pub run: u32,
    /// The cycle of the run.
    pub cycle: u64,
    pub signal: String,
    /// What the plan says.
    pub expected: String,
    /// What the signal said.
    pub got: String,
}

/// What the rust-hdl network did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchOutcome {
    /// The counts of the run that carries the messages.
    pub run: Run,
    /// What was received: row = receiver, column = source.
    pub received: Option<Payload>,
    pub complaint: Option<Complaint>,
}

/// Sees every period of the simulation, for a waveform.
pub trait PeriodObserver {
    /// The values just before the rising edge that ends `period`.
    fn period(&mut self, period: u64, design: &Simulated);
}

impl PeriodObserver for () {
    fn period(&mut self, _: u64, _: &Simulated) {}
}

/// The ports of the exchange that the bench uses.
struct ExchangePorts {
    clk: NamedNet,
    rst: NamedNet,
    start: NamedNet,
    ready: NamedNet,
    send_valid: NamedNet,
    send_dest: NamedNet,
    send_data: NamedNet,
    recv_valid: NamedNet,
    recv_source: NamedNet,
    recv_data: NamedNet,
    busy: NamedNet,
    done: NamedNet,
    conflict: NamedNet,
    cycles: NamedNet,
    /// The control inputs of the fabric.
    states: Vec<NamedNet>,
}

impl ExchangePorts {
    fn find(design: &Simulated, plan: &Plan) -> Self {
        let top =
            |name: &str| design.find("", name).unwrap_or_else(|| panic!("the exchange has a port {name}"));
        let state = |port: ControlPort| {
            let found = design.find("u_fabric", port.name);
            found.unwrap_or_else(|| panic!("the fabric has a control input {}", port.name))
        };
        ExchangePorts {
            clk: top("clk_i"),
            rst: top("rst_i"),
            start: top("start_i"),
            ready: top("ready_o"),
            send_valid: top("send_valid_o"),
            send_dest: top("send_dest_o"),
            send_data: top("send_data_i"),
            recv_valid: top("recv_valid_o"),
            recv_source: top("recv_source_o"),
            recv_data: top("recv_data_o"),
            busy: top("busy_o"),
            done: top("done_o"),
            conflict: top("conflict_o"),
            cycles: top("cycles_o"),
            states: plan.control_inputs().ports().map(state).collect(),
        }
    }

    fn state(&self, design: &Simulated, at: ControlBit) -> bool {
        design.get(&self.states[at.port], at.bit as usize) != 0
    }

    /// The bits of all control inputs.
    fn all_states(&self, design: &Simulated, plan: &Plan) -> Vec<Vec<bool>> {
        let bits = |(port, input): (usize, ControlPort)| {
            (0..input.bits).map(|bit| self.state(design, ControlBit { port, bit })).collect()
        };
        plan.control_inputs().ports().enumerate().map(bits).collect()
    }
}

/// Runs the exchange of `netlist` under rust-hdl. Settings and deliveries of the run that carries the messages go to
/// `observer`. The payload must have the width of the netlist.
pub fn run(
    plan: &Plan,
    netlist: &Netlist,
    payload: &Payload,
    observer: &mut dyn Observer,
    periods: &mut dyn PeriodObserver,
) -> Result<BenchOutcome, Refusal> {
    let design = Simulated::new(netlist)?;
    let ports = ExchangePorts::find(&design, plan);
    let timeline = Timeline::new(plan, payload.width_bits());
    let mut bench = ExchangeBench {
        plan,
        once: plan.repeated(1),
        payload,
        timeline,
        ports,
        design,
        received: Payload::zero(plan.network.terminals(), payload.width_bits()),
        delivered: vec![plan.due(); plan.exchanges as usize],
        before: Vec::new(),
        run: Run::default(),
        complaint: None,
        running: 0,
        labels: vec![vec![0; plan.network.lanes() as usize]; plan.rounds as usize],
        done: 0,
    };
    for period in 0..timeline.periods() {
        bench.period(period, observer, periods)?;
    }
    let ExchangeBench { mut run, delivered, received, complaint, .. } = bench;
    run.delivered = delivered.iter().map(Delivered::count).sum();
    run.missing = delivered.iter().map(Delivered::missing_count).sum();
    run.cycles_total = plan.cycles_in_all(run.cycles);
    Ok(BenchOutcome { run, received: Some(received), complaint })
}

struct ExchangeBench<'a> {
    plan: &'a Plan,
    /// The same plan with one exchange: what a prepare run is.
    once: Plan,
    payload: &'a Payload,
    timeline: Timeline,
    ports: ExchangePorts,
    design: Simulated,
    received: Payload,
    delivered: Vec<Delivered>,
    /// The control inputs in the last period, where they come a cycle before the words.
    before: Vec<Vec<bool>>,
    run: Run,
    complaint: Option<Complaint>,
    /// The run being checked.
    running: u32,
    /// The label that arrived at each output in each round of the prepare runs.
    labels: Vec<Vec<u64>>,
    done: u32,
}

impl ExchangeBench<'_> {
    fn period(
        &mut self,
        period: u64,
        observer: &mut dyn Observer,
        periods: &mut dyn PeriodObserver,
    ) -> Result<(), Refusal> {
        let starts = self.timeline.starts(period);
        self.design.set(&self.ports.clk, 0, 0);
        self.design.set(&self.ports.rst, 0, (period < self.timeline.reset) as u64);
        self.design.set(&self.ports.start, 0, starts as u64);
        self.design.settle()?;
        let at = self.timeline.cycle_at(period);
        // The run whose words are offered: the first before it starts, the last after it has ended.
        let run = at.map_or(self.timeline.runs() - 1, |(run, _)| run);
        self.feed(run);
        self.design.settle()?;
        periods.period(period, &self.design);
        if let Some((run, cycle)) = at {
            self.check(run, cycle, observer);
        }
        if self.plan.control_ahead() > 0 {
            self.before = self.ports.all_states(&self.design, self.plan);
        }
        self.design.set(&self.ports.clk, 0, 1);
        self.design.settle()
    }

    /// Offers each lane the word it asks for.
    fn feed(&mut self, run: u32) {
        for lane in 0..self.plan.network.lanes() {
            let valid = self.design.get(&self.ports.send_valid, lane as usize) != 0;
            let dest = self.design.get(&self.ports.send_dest, lane as usize) as u32;
            let word = match valid && dest < self.plan.network.terminals() {
                false => 0,
                true if run < self.timeline.prepare_runs => self.label_slice(LaneIdx(lane), run),
                true => self.payload.word(lane / self.plan.lanes_per_terminal(), dest)[0],
            };
            self.design.set(&self.ports.send_data, lane as usize, word);
        }
    }

    /// The plan that a run follows: a prepare run is one exchange.
    fn of(&self, run: u32) -> &Plan {
        if run < self.timeline.prepare_runs { &self.once } else { self.plan }
    }

    /// The labels that arrived in the prepare runs in a round of any exchange.
    fn labels_of(&self, round: RoundIdx) -> &[u64] {
        &self.labels[(round.0 % self.plan.rounds) as usize]
    }

    /// The bits of a label that prepare run `run` carries.
    fn label_slice(&self, lane: LaneIdx, run: u32) -> u64 {
        let width = self.payload.width_bits();
        let slice = u64::from(lane.0).checked_shr(run * width).unwrap_or(0);
        if width < 64 { slice & ((1 << width) - 1) } else { slice }
    }

    fn check(&mut self, run: u32, cycle: u64, observer: &mut dyn Observer) {
        self.running = run;
        let timeline = self.timeline;
        let expect = |bench: &mut Self, net: fn(&ExchangePorts) -> &NamedNet, name: &str, expected: u64| {
            let got = bench.design.get(net(&bench.ports), 0);
            if got != expected {
                bench.complain(cycle, name, expected.to_string(), got.to_string());
            }
        };
        let takes_start = self.of(run).takes_start(cycle);
        expect(self, |p| &p.ready, "ready_o", takes_start as u64);
        expect(self, |p| &p.busy, "busy_o", 1);
        let since = self.of(run).since_start(cycle);
        expect(self, |p| &p.cycles, "cycles_o", since);
        expect(self, |p| &p.done, "done_o", timeline.done(run, cycle) as u64);
        expect(self, |p| &p.conflict, "conflict_o", 0);
        let messages = run == timeline.prepare_runs;
        if messages {
            self.run.conflicts += (self.design.get(&self.ports.conflict, 0) != 0) as u64;
            self.settings(cycle, observer);
        }
        self.requests(run, cycle);
        self.arrivals(run, cycle, observer);
        if messages && self.design.get(&self.ports.done, 0) != 0 && self.done < self.plan.exchanges {
            self.done += 1;
            // Counted by the design of the exchange that began last: of a single one all.
            let before = cycle - self.plan.since_start(cycle);
            self.run.cycles = before + self.design.get(&self.ports.cycles, 0);
        }
    }

    fn settings(&self, cycle: u64, observer: &mut dyn Observer) {
        let inputs = self.plan.control_inputs();
        for stage in 0..self.plan.network.stages() {
            let acts = self.plan.acting(StageIdx(stage), cycle).is_some();
            for switch in (0..self.plan.network.switches_per_stage()).filter(|_| acts).map(SwitchIdx) {
                let at = inputs.bit(StageIdx(stage), switch);
                let state = match self.plan.control_ahead() {
                    0 => self.ports.state(&self.design, at),
                    _ => self.before[at.port][at.bit as usize],
                };
                observer.setting(Setting { cycle, stage, switch: switch.0, state });
            }
        }
    }

    /// Every lane that has a message asks in every round, for the destination of the plan; after a prepare phase, for the output where
    /// its label arrived.
    fn requests(&mut self, run: u32, cycle: u64) {
        let sent = self.of(run).injecting(cycle);
        for lane in 0..self.plan.network.lanes() {
            let valid = self.design.get(&self.ports.send_valid, lane as usize) != 0;
            let sending = sent.is_some_and(|round| self.plan.sends(round, LaneIdx(lane)));
            if valid != sending {
                let (expected, got) = (sending as u8, valid as u8);
                self.complain(cycle, &format!("send_valid_o[{lane}]"), expected.to_string(), got.to_string());
            }
            let Some(round) = sent.filter(|_| valid) else { continue };
            let dest = self.design.get(&self.ports.send_dest, lane as usize) as u32;
            let expected = self.plan.destination(round, LaneIdx(lane)).0 / self.plan.lanes_per_terminal();
            let learned = run < self.timeline.prepare_runs
                || self.plan.phases == Phases::One
                || self.labels_of(round).get(dest as usize) == Some(&(lane as u64));
            if dest != expected || !learned {
                let expected = self.queued(run, round, LaneIdx(lane)).unwrap_or(expected);
                self.complain(cycle, &format!("send_dest_o[{lane}]"), expected.to_string(), dest.to_string());
            }
        }
    }

    /// Where the label of `lane` arrived in `round` of the prepare phase.
    fn queued(&self, run: u32, round: RoundIdx, lane: LaneIdx) -> Option<u32> {
        if run < self.timeline.prepare_runs || self.plan.phases == Phases::One {
            return None;
        }
        let arrived = self.labels_of(round);
        arrived.iter().position(|&label| label == u64::from(lane.0)).map(|output| output as u32)
    }

    fn arrivals(&mut self, run: u32, cycle: u64, observer: &mut dyn Observer) {
        let round = self.of(run).arriving(cycle);
        let due = self.due(round);
        for lane in LaneIdx::all(self.plan.network.lanes()) {
            let output = self.in_order(lane);
            let valid = self.design.get(&self.ports.recv_valid, output as usize) != 0;
            if valid != due[output as usize] {
                let expected = due[output as usize] as u8;
                self.complain(
                    cycle,
                    &format!("recv_valid_o[{output}]"),
                    expected.to_string(),
                    (valid as u8).to_string(),
                );
            }
            if !valid {
                continue;
            }
            let source = self.design.get(&self.ports.recv_source, output as usize) as u32;
            let word = self.design.get(&self.ports.recv_data, output as usize);
            if run < self.timeline.prepare_runs {
                if let Some(round) = round {
                    let shift = run * self.payload.width_bits();
                    self.labels[round.idx()][output as usize] |= word.checked_shl(shift).unwrap_or(0);
                }
                continue;
            }
            self.deliver(
                cycle,
                output / self.plan.lanes_per_terminal(),
                source,
                round.unwrap_or(RoundIdx(0)),
                word,
                observer,
            );
        }
    }

    /// The output lanes at which a message of a round is due.
    fn due(&self, round: Option<RoundIdx>) -> Vec<bool> {
        let lanes = self.plan.network.lanes();
        let mut due = vec![round.is_some(); lanes as usize];
        if let Some(round) = round.filter(|_| self.plan.has_spare()) {
            for lane in LaneIdx::all(lanes) {
                due[self.plan.destination(round, lane).idx()] = self.plan.sends(round, lane);
            }
        }
        due
    }

    /// Of two messages that arrive at one terminal the one with the lower source comes first.
    fn in_order(&self, lane: LaneIdx) -> u32 {
        if self.plan.lanes_per_terminal() != 2 {
            return lane.0;
        }
        let source = |lane: u32| self.design.get(&self.ports.recv_source, lane as usize);
        if source(lane.0 | 1) < source(lane.0 & !1) { lane.0 ^ 1 } else { lane.0 }
    }

    fn deliver(
        &mut self,
        cycle: u64,
        output: u32,
        source: u32,
        round: RoundIdx,
        word: u64,
        observer: &mut dyn Observer,
    ) {
        let known = source < self.plan.network.terminals();
        let exchange = (round.0 / self.plan.rounds) as usize;
        let first = known && self.delivered[exchange].insert(source, output);
        if known && !first {
            self.run.duplicates += 1;
        }
        if known {
            self.received.set(output, source, &[word]);
            let expected = self.payload.word(source, output)[0];
            if word != expected {
                self.run.misrouted += 1;
                let hex = |word| frit_traffic::payload::hex(&[word], self.payload.width_bits());
                let (expected, got) = (hex(expected), hex(word));
                self.complain(cycle, &format!("recv_data_o[{output}]"), expected, got);
            }
        }
        observer.delivery(&Delivery { cycle, output, source, round, first, payload: Some(vec![word]) });
    }

    fn complain(&mut self, cycle: u64, signal: &str, expected: String, got: String) {
        if self.complaint.is_none() {
            let run = self.running;
            self.complaint = Some(Complaint { run, cycle, signal: signal.into(), expected, got });
        }
    }
}

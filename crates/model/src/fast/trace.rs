//! Settings and deliveries of a flawless exchange, in the order of cycles.
//!
//! In a cycle every stage acts on another round, so the batch before the one that is just injected is kept until its
//! last round has left the last stage.

use super::plane::{Plane, WORDS};
use super::run::{Fast, batch};
use super::wiring::columns;
use super::worker::{Memory, Worker};
use frit_network::{LaneIdx, RoundIdx, RowIdx, StageIdx, SwitchIdx};
use frit_schedule::{Control, Plan};
use frit_traffic::trace::{Delivered, Delivery, Observer, Setting};
use frit_traffic::{Payload, WordMatrix};
use std::collections::VecDeque;

/// Runs the rounds once more, tells the observer of everything as the reference does, and gives what is received.
pub(super) fn show(
    fast: &Fast,
    payload: Option<&WordMatrix>,
    observer: &mut dyn Observer,
) -> Option<Payload> {
    if payload.is_none() && !observer.wants_settings() && !observer.wants_deliveries() {
        return None;
    }
    let receiver = Receiver::new(fast.plan, payload);
    // The rows keep the settings only in batches of whole vectors.
    let fast = Fast::with_words(fast.plan, fast.expected, fast.rounds.clone(), WORDS)?;
    Show::new(&fast, receiver).run(observer)
}

/// What a batch did.
struct Laid {
    first: u32,
    rounds: u32,
    /// The states of the switches at `stage * switches + switch`; empty where the plan gives them.
    settings: Vec<Plane<WORDS>>,
    /// Who sent what arrived at each lane, a row per round.
    senders: Vec<u32>,
}

impl Laid {
    fn holds(&self, round: RoundIdx) -> Option<u32> {
        round.0.checked_sub(self.first).filter(|&at| at < self.rounds)
    }
}

struct Show<'a> {
    fast: &'a Fast<'a>,
    receiver: Receiver<'a>,
    /// The rows at the ports of each stage.
    columns: Vec<Vec<u32>>,
    /// Batches of which not all has been told.
    laid: VecDeque<Laid>,
}

impl<'a> Show<'a> {
    fn new(fast: &'a Fast<'a>, receiver: Receiver<'a>) -> Self {
        Show { fast, receiver, columns: columns(&fast.plan.network), laid: VecDeque::new() }
    }

    fn run(mut self, observer: &mut dyn Observer) -> Option<Payload> {
        let plan = self.fast.plan;
        let mut worker = Worker::<WORDS>::new(plan, &self.fast.order, self.fast.expected, Memory::default());
        let mut cycle = 0;
        for number in 0.. {
            let Some(rounds) = batch(&self.fast.rounds, WORDS, number) else { break };
            worker.run(rounds.clone());
            self.laid.push_back(self.lay(&worker, rounds.start, rounds.len() as u32));
            let last = rounds.end == self.fast.rounds.end;
            // The next batch enters stage 0 in the cycle after this one's last round.
            let end = if last { plan.cycles() } else { plan.acts_at(0, RoundIdx(rounds.end - 1)) };
            while cycle <= end {
                self.tell(cycle, observer);
                cycle += 1;
            }
            let latency = plan.latency() as u64;
            self.laid.retain(|batch| (batch.first + batch.rounds) as u64 + latency > cycle);
        }
        self.receiver.received
    }

    /// Copies out of the rows what there is to tell.
    fn lay(&self, worker: &Worker<WORDS>, first: u32, rounds: u32) -> Laid {
        let plan = self.fast.plan;
        let mut settings = Vec::new();
        if let Control::Labels(_) = plan.control {
            for (stage, column) in (0..plan.network.stages()).zip(&self.columns) {
                settings.extend(column.iter().step_by(2).map(|&upper| worker.settings(stage, RowIdx(upper))));
            }
        }
        let lanes = plan.network.lanes() as usize;
        let mut senders = vec![0; rounds as usize * lanes];
        let mut of_lane = vec![0; 64 * WORDS];
        for lane in 0..lanes {
            worker.senders(LaneIdx(lane as u32), &mut of_lane);
            for (row, &sender) in senders.chunks_exact_mut(lanes).zip(&of_lane) {
                row[lane] = sender;
            }
        }
        Laid { first, rounds, settings, senders }
    }

    fn tell(&mut self, cycle: u64, observer: &mut dyn Observer) {
        let plan = self.fast.plan;
        if observer.wants_settings() {
            for stage in 0..plan.network.stages() {
                if let Some((batch, at)) = round_at(&self.laid, cycle, plan.acts_at(stage, RoundIdx(0))) {
                    settings(plan, batch, at, cycle, stage, observer);
                }
            }
        }
        if let Some((batch, at)) = round_at(&self.laid, cycle, plan.latency() as u64) {
            let lanes = plan.network.lanes() as usize;
            let senders = &batch.senders[at as usize * lanes..][..lanes];
            self.receiver.deliveries(cycle, RoundIdx(batch.first + at), senders, observer);
        }
    }
}

/// The round that a column of registers works on in a cycle, if it does round 0 in cycle `start`: its batch, and its
/// place there.
fn round_at(laid: &VecDeque<Laid>, cycle: u64, start: u64) -> Option<(&Laid, u32)> {
    let round = u32::try_from(cycle.checked_sub(start)?).ok()?;
    laid.iter().find_map(|batch| Some((batch, batch.holds(RoundIdx(round))?)))
}

fn settings(plan: &Plan, batch: &Laid, at: u32, cycle: u64, stage: u32, observer: &mut dyn Observer) {
    let switches = plan.network.switches_per_stage();
    let first = stage as usize * switches as usize;
    for switch in 0..switches {
        let state = match batch.settings.get(first + switch as usize) {
            Some(states) => states[at as usize / 64] >> (at % 64) & 1 == 1,
            None => {
                let state = plan.stage_state(RoundIdx(batch.first + at), StageIdx(stage), SwitchIdx(switch));
                state.is_some_and(|state| state.bit())
            }
        };
        observer.setting(Setting { cycle, stage, switch, state });
    }
}

/// Gathers what arrives, a round at a time.
struct Receiver<'a> {
    payload: Option<&'a WordMatrix<'a>>,
    received: Option<Payload>,
    delivered: Delivered,
    lanes_per_terminal: u32,
    /// (output, source) of a round.
    arrivals: Vec<(u32, u32)>,
}

impl<'a> Receiver<'a> {
    fn new(plan: &Plan, payload: Option<&'a WordMatrix<'a>>) -> Self {
        Receiver {
            payload,
            received: payload.map(|p| Payload::zero(p.terminals(), p.width_bits())),
            delivered: plan.due(),
            lanes_per_terminal: plan.lanes_per_terminal(),
            arrivals: Vec::new(),
        }
    }

    /// Tells of a round by output and source; every message is at its destination.
    fn deliveries(&mut self, cycle: u64, round: RoundIdx, senders: &[u32], observer: &mut dyn Observer) {
        let owned = self.lanes_per_terminal;
        self.arrivals.clear();
        self.arrivals
            .extend((0..).zip(senders).map(|(lane, &sender): (u32, _)| (lane / owned, sender / owned)));
        if owned > 1 {
            self.arrivals.sort_unstable();
        }
        for &(output, source) in &self.arrivals {
            let word = self.payload.map(|payload| payload.word(source, output));
            if let (Some(received), Some(word)) = (&mut self.received, word) {
                received.set(output, source, word);
            }
            if observer.wants_deliveries() {
                let first = self.delivered.insert(source, output);
                let payload = word.map(<[u64]>::to_vec);
                observer.delivery(&Delivery { cycle, output, source, round, first, payload });
            }
        }
    }
}

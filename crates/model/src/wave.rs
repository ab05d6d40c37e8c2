//! What a waveform of the exchange shows, clock period by clock period, on the timeline that the testbenches follow.

use crate::exchange::{ExchangeOutcome, Tally, payload_word};
use crate::fabric::{Fabric, LaneRow, StageActs, State, Token};
use crate::phase::{Messages, Moment, run};
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchIdx};
use frit_schedule::{Control, Plan, Timeline};
use frit_traffic::Payload;
use frit_traffic::payload::limbs_of;
use frit_traffic::trace::Observer;
use std::ops::Range;

/// Valid bit and word of a row of lanes or ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Whether there is a message.
    pub valid: Vec<bool>,
    /// Its word, ⌈width / 64⌉ limbs per lane, least significant first. Without a message zero, or in a network that is
    /// passed twice the word of one that goes another way.
    pub data: Vec<u64>,
}

/// A control input of the fabric. Its bits are 0 for a stage that does not act on a round; stored settings are those of
/// round 0 then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlSignal {
    /// Its name.
    pub name: &'static str,
    /// Its bits; [`ControlInputs`](frit_schedule::ControlInputs) says which of them sets which switch.
    pub bits: Vec<bool>,
}

/// The control inputs of a fabric that is passed twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSignals {
    /// `again_i`: the words at the inputs come from the end of the first pass.
    pub again: bool,
    /// `deliver_i`: the words at the end of the first pass are in their second, and go on.
    pub deliver: bool,
}

/// Everything the waveform shows in one clock period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The clock period.
    pub period: u64,
    /// `rst_i`.
    pub reset: bool,
    /// `start_i`.
    pub start: bool,
    /// `ready_o`: a start is taken.
    pub ready: bool,
    /// `busy_o`: in every cycle of a run.
    pub busy: bool,
    /// `done_o`: in the last cycle of each exchange.
    pub done: bool,
    /// `conflict_o`: two messages of a round wanted one output of a switch. Told when the round arrives: a stage hands on to the
    /// next what it knows of its own and of those before it.
    pub conflict: bool,
    /// `cycles_o`: the cycle of the exchange that began last, 0 when idle.
    pub cycles: u32,
    /// `send_valid_o` and `send_data_i` by lane; also what the fabric takes in.
    pub send: Lanes,
    /// `send_dest_o` by lane: the terminal asked for in the current round (of round 0 if there is none).
    pub send_destinations: Vec<u32>,
    /// `recv_valid_o` and `recv_data_o` by lane; also what the fabric gives out.
    pub receive: Lanes,
    /// `recv_source_o` by lane: the terminal that the arriving round (round 0 if there is none) brings here.
    pub receive_sources: Vec<u32>,
    /// The inputs that set the switches, those of [`Plan::control_inputs`] in their order.
    pub control: Vec<ControlSignal>,
    /// What steers the words of a network that is passed twice.
    pub passes: Option<PassSignals>,
    /// `s<k>_valid_<p>` and `s<k>_data_<p>`: the output registers of every stage by output port; of a group of stages only those of its
    /// last stage, which has registers.
    pub stages: Vec<Lanes>,
}

impl Snapshot {
    /// What stands there between runs.
    ///
    /// # Panics
    ///
    /// If the lanes of the network do not divide evenly among its terminals.
    pub fn idle(plan: &Plan, width_bits: u32) -> Snapshot {
        idle(&Fabric::new(plan), width_bits)
    }
}

/// Takes the snapshots, in the order of periods.
pub trait WaveObserver {
    /// The next period.
    fn snapshot(&mut self, snapshot: &Snapshot);
}

/// Collects all.
impl WaveObserver for Vec<Snapshot> {
    fn snapshot(&mut self, snapshot: &Snapshot) {
        self.push(snapshot.clone());
    }
}

/// Runs the exchange of a plan and shows every clock period of [`Timeline`]: reset, idle periods, the prepare runs
/// that carry the labels in slices of a word, the run that carries the payload. Without payload, give zeros of the
/// width wanted.
///
/// # Panics
///
/// If the payload is for another number of terminals than the plan, or the lanes of the network do not divide evenly
/// among its terminals.
pub fn waves(plan: &Plan, payload: &Payload, observer: &mut dyn WaveObserver) {
    let fabric = Fabric::new(plan);
    show(&fabric, payload, &Messages::of(&fabric), observer, |_| ());
}

/// [`exchange`](crate::exchange()) and [`waves`] in one run.
///
/// # Panics
///
/// As they do.
pub fn exchange_with_waves(
    plan: &Plan,
    payload: &Payload,
    observer: &mut dyn Observer,
    waves: &mut dyn WaveObserver,
) -> ExchangeOutcome {
    let fabric = Fabric::new(plan);
    let messages = Messages::of(&fabric);
    let mut tally = Tally::new(&fabric, Some(payload));
    show(&fabric, payload, &messages, waves, |moment| tally.see(moment, observer));
    tally.finish(&messages)
}

/// Shows every period; `see` looks at the cycles of the run that carries the payload as well.
fn show(
    fabric: &Fabric,
    payload: &Payload,
    messages: &Messages,
    observer: &mut dyn WaveObserver,
    mut see: impl FnMut(&Moment),
) {
    let plan = fabric.plan;
    let (given, terminals) = (payload.terminals(), plan.network.terminals());
    assert!(given == terminals, "a payload for {given} terminals, but the plan has {terminals}");
    let timeline = Timeline::new(plan, payload.width_bits());
    let once = plan.repeated(1);
    let preparing = Fabric::new(&once);
    let idle = idle(fabric, payload.width_bits());
    let (stages, pipeline) = (plan.network.stages() as usize, plan.pipeline as usize);
    let mut shown = 0; // periods so far
    for number in 0..timeline.runs() {
        show_idle(&timeline, &idle, shown..timeline.period(number, 0), observer);
        let prepares = number < timeline.prepare_runs;
        let (words, messages) = if prepares {
            let width = payload.width_bits();
            (Words::LabelSlice { first_bit: number * width, width }, &Messages::Labels)
        } else {
            (Words::Payload(payload), messages)
        };
        // Whether a conflict is told so many cycles from now.
        let mut told = vec![false; pipeline * stages + 1];
        let fabric = if prepares { &preparing } else { fabric };
        run(fabric, messages, |moment| {
            let mut snapshot = active(fabric, &words, moment);
            let clashes = moment.acts.iter().map(|acts| !acts.clashes.is_empty());
            clashes.enumerate().for_each(|(stage, clash)| told[pipeline * (stages - stage)] |= clash);
            snapshot.conflict = told[0] && plan.tells_conflicts();
            told.rotate_left(1);
            told[pipeline * stages] = false;
            snapshot.period = timeline.period(number, moment.cycle);
            snapshot.start = timeline.starts(snapshot.period);
            snapshot.done = timeline.done(number, moment.cycle);
            observer.snapshot(&snapshot);
            if !prepares {
                see(moment);
            }
        });
        shown = timeline.period(number, timeline.last_cycle(number)) + 1;
    }
    show_idle(&timeline, &idle, shown..timeline.periods(), observer);
}

/// Shows periods outside of runs: reset, start, or nothing.
fn show_idle(timeline: &Timeline, idle: &Snapshot, periods: Range<u64>, observer: &mut dyn WaveObserver) {
    for period in periods {
        let reset = period < timeline.reset;
        let start = timeline.starts(period);
        observer.snapshot(&Snapshot { period, reset, start, ..idle.clone() });
    }
}

/// What the messages of a run carry.
enum Words<'a> {
    /// Bits of the sender's number, from `first_bit` on.
    LabelSlice { first_bit: u32, width: u32 },
    /// The words of the payload.
    Payload(&'a Payload),
}

impl Words<'_> {
    fn width_bits(&self) -> u32 {
        match self {
            Words::LabelSlice { width, .. } => *width,
            Words::Payload(payload) => payload.width_bits(),
        }
    }

    /// Appends the word of a message, `limbs` long; zero without one.
    fn append(&self, fabric: &Fabric, token: Option<Token>, limbs: usize, data: &mut Vec<u64>) {
        let start = data.len();
        match (self, token) {
            (Words::Payload(payload), Some(token)) => {
                if let Some(word) = payload_word(fabric, payload, token) {
                    data.extend_from_slice(word);
                }
            }
            (&Words::LabelSlice { first_bit, width }, Some(token)) => {
                let mask = if width < 64 { (1 << width) - 1 } else { u64::MAX };
                data.push(u64::from(token.source.0).checked_shr(first_bit).unwrap_or(0) & mask);
            }
            (_, None) => {}
        }
        data.resize(start + limbs, 0);
    }

    /// Of each lane the message whose word stands there, and whether it is valid.
    fn lanes(&self, fabric: &Fabric, tokens: impl Iterator<Item = (Option<Token>, bool)>) -> Lanes {
        let (lanes, limbs) = (fabric.plan.network.lanes() as usize, limbs_of(self.width_bits()));
        let (mut valid, mut data) = (Vec::with_capacity(lanes), Vec::with_capacity(lanes * limbs));
        for (token, is_valid) in tokens {
            valid.push(token.is_some() && is_valid);
            self.append(fabric, token, limbs, &mut data);
        }
        Lanes { valid, data }
    }
}

fn idle(fabric: &Fabric, width: u32) -> Snapshot {
    let (state, acts) = (fabric.empty(), fabric.idle_acts());
    let injected = LaneRow::idle(fabric.plan.network.lanes());
    let moment = Moment { cycle: 0, injected: &injected, state: &state, acts: &acts };
    let words = Words::LabelSlice { first_bit: 0, width }; // there is no message to carry one
    let passes = fabric.plan.second_pass.map(|_| PassSignals { again: false, deliver: false });
    let control = control(fabric.plan, &acts, 0, &|_| None);
    Snapshot { ready: true, busy: false, passes, control, ..active(fabric, &words, &moment) }
}

fn active(fabric: &Fabric, words: &Words, moment: &Moment) -> Snapshot {
    let lanes = fabric.plan.network.lanes();
    let State(rows) = moment.state;
    let last_pass = fabric.arriving_round(moment.state).is_some();
    let of_row = |row: &LaneRow| words.lanes(fabric, row.tokens.iter().map(|&token| (token, !row.stray)));
    let last = |registers: &[LaneRow]| of_row(&registers[registers.len() - 1]);
    Snapshot {
        period: 0,
        reset: false,
        start: false,
        ready: fabric.plan.takes_start(moment.cycle),
        busy: true,
        done: false,
        conflict: false,
        cycles: fabric.plan.since_start(moment.cycle) as u32,
        send: of_row(moment.injected),
        send_destinations: destinations(fabric, fabric.plan.next_injection(moment.cycle)),
        receive: words
            .lanes(fabric, LaneIdx::all(lanes).map(|lane| (fabric.shown(moment.state, lane), last_pass))),
        receive_sources: fabric.plan.sources(fabric.plan.next_arrival(moment.cycle)),
        control: control(fabric.plan, moment.acts, moment.cycle, &|stage| {
            // A fabric of groups is told of a round a cycle before the words come.
            match fabric.plan.control_ahead() {
                0 => moment.acts[stage.idx()].round,
                ahead => {
                    fabric.plan.acting(stage, moment.cycle + u64::from(ahead)).map(|acting| acting.round)
                }
            }
        }),
        passes: passes(fabric.plan, moment.cycle),
        stages: rows[fabric.plan.entry_delay as usize..]
            .chunks(fabric.plan.pipeline as usize)
            .map(last)
            .collect(),
    }
}

fn destinations(fabric: &Fabric, round: RoundIdx) -> Vec<u32> {
    LaneIdx::all(fabric.plan.network.lanes()).map(|lane| fabric.destination(round, lane)).collect()
}

/// The pass signals in a cycle of a run.
fn passes(plan: &Plan, cycle: u64) -> Option<PassSignals> {
    plan.second_pass?;
    Some(PassSignals { again: plan.second_pass_enters(cycle), deliver: plan.second_pass_ends(cycle) })
}

/// The control signals in a cycle of a run; outside of runs everything shows cycle 0. `round` is the round for which a stage is set by tables.
fn control(
    plan: &Plan,
    acts: &[StageActs],
    cycle: u64,
    round: &dyn Fn(StageIdx) -> Option<RoundIdx>,
) -> Vec<ControlSignal> {
    let inputs = plan.control_inputs();
    let signals = inputs.ports().enumerate().map(|(at, port)| {
        let bits = match &plan.control {
            Control::Table(tables) if !tables.self_routing() => stored_states(plan, round).collect(),
            Control::Labels(_) | Control::Table(_) => acts.iter().flat_map(|a| a.states.clone()).collect(),
            // The first input is that of switch 0, the other that of switch 1; a stage of one switch has no odd one.
            Control::Stages(_) => {
                let state = |acts: &StageActs| acts.states.get(at).copied().unwrap_or(false);
                let stages = (0..).map(StageIdx).zip(acts);
                stages.map(|(stage, acts)| plan.faults.driver(stage, state(acts))).collect()
            }
            Control::Systolic(_) => {
                let state = |stage| plan.systolic_state(StageIdx(stage), cycle);
                (0..port.bits).map(|stage| state(stage).is_some_and(|state| state.bit())).collect()
            }
        };
        ControlSignal { name: port.name, bits }
    });
    signals.collect()
}

/// What the tables show each stage: its round, or round 0 when it has none.
fn stored_states<'a>(
    plan: &'a Plan,
    round: &'a dyn Fn(StageIdx) -> Option<RoundIdx>,
) -> impl Iterator<Item = bool> + 'a {
    StageIdx::all(plan.network.stages()).flat_map(move |stage| {
        let round = round(stage).unwrap_or(RoundIdx(0));
        (0..plan.network.switches_per_stage())
            .map(move |switch| plan.stage_state(round, stage, SwitchIdx(switch)).is_some_and(|s| s.bit()))
    })
}

#[cfg(test)]
mod tests;

use super::*;
use frit_schedule::Request;
use frit_schedule::timeline::Timeline;
use frit_traffic::Payload;
use std::collections::BTreeMap;

/// Keeps the changes and refuses what no waveform may do.
#[derive(Default)]
struct Recording {
    now: Option<u64>,
    /// Per signal: its value from a time on.
    changes: BTreeMap<usize, Vec<(u64, Vec<u64>)>>,
}

impl WaveSink for Recording {
    fn time(&mut self, ticks: u64) {
        assert!(self.now.is_none_or(|now| now < ticks), "time {ticks} after {:?}", self.now);
        self.now = Some(ticks);
    }
    fn change(&mut self, signal: usize, limbs: &[u64]) {
        let changes = self.changes.entry(signal).or_default();
        assert!(changes.last().is_none_or(|(_, last)| last != limbs), "signal {signal} did not change");
        changes.push((self.now.unwrap(), limbs.to_vec()));
    }
}

struct Wave {
    signals: Vec<SignalDecl>,
    recording: Recording,
    timeline: Timeline,
}

impl Wave {
    fn of(request: &Request, payload: impl Fn(u32) -> Payload) -> Wave {
        let plan = frit_schedule::plan(request).unwrap();
        let payload = payload(plan.network.terminals());
        let width = payload.width_bits();
        let mut wave = ModelWave::new(&plan, width, Recording::default());
        frit_model::waves(&plan, &payload, &mut wave);
        let recording = wave.finish();
        Wave { signals: declarations(&plan, width), recording, timeline: Timeline::new(&plan, width) }
    }

    fn signal(&self, path: &str) -> usize {
        let full = |s: &SignalDecl| format!("{}.{}", s.scope.join("."), s.name);
        self.signals.iter().position(|s| full(s).ends_with(path)).unwrap_or_else(|| panic!("no {path}"))
    }

    /// The value just before the rising edge that ends a period.
    fn at(&self, path: &str, period: u64) -> &[u64] {
        let edge = FIRST_EDGE_NS + period * PERIOD_NS;
        let changes = &self.recording.changes[&self.signal(path)];
        &changes.iter().rev().find(|(time, _)| *time < edge).unwrap().1
    }

    fn field(&self, path: &str, period: u64, lane: usize, bits: usize) -> u64 {
        let limbs = self.at(path, period);
        (0..bits).map(|b| lane * bits + b).rev().fold(0, |v, b| v << 1 | limbs[b / 64] >> (b % 64) & 1)
    }
}

fn names(request: &Request, width: u32) -> Vec<String> {
    declarations(&frit_schedule::plan(request).unwrap(), width)
        .iter()
        .map(|s| format!("{}.{}[{}]", s.scope.join("."), s.name, s.width_bits))
        .collect()
}

#[test]
fn the_names_of_a_self_routing_design() {
    let names = names(&Request::new("rls", 4), 8);
    let head = [
        "u_exchange.clk_i[1]",
        "u_exchange.rst_i[1]",
        "u_exchange.start_i[1]",
        "u_exchange.ready_o[1]",
        "u_exchange.busy_o[1]",
        "u_exchange.done_o[1]",
        "u_exchange.conflict_o[1]",
        "u_exchange.cycles_o[32]",
        "u_exchange.send_valid_o[4]",
        "u_exchange.send_dest_o[8]",
        "u_exchange.send_data_i[32]",
        "u_exchange.recv_valid_o[4]",
        "u_exchange.recv_source_o[8]",
        "u_exchange.recv_data_o[32]",
        "u_exchange.u_fabric.clk_i[1]",
        "u_exchange.u_fabric.rst_i[1]",
        "u_exchange.u_fabric.valid_i[4]",
        "u_exchange.u_fabric.data_i[32]",
        "u_exchange.u_fabric.state_i[6]",
        "u_exchange.u_fabric.valid_o[4]",
        "u_exchange.u_fabric.data_o[32]",
        "u_exchange.u_fabric.s0_valid_0[1]",
        "u_exchange.u_fabric.s0_data_0[8]",
        "u_exchange.u_fabric.s0_valid_1[1]",
    ];
    assert_eq!(names[..head.len()], head.map(|name| format!("tb_rls_n4_w8.{name}")));
    assert_eq!(names.len(), 21 + 3 * 4 * 2);
    assert_eq!(names.last().unwrap(), "tb_rls_n4_w8.u_exchange.u_fabric.s2_data_3[8]");
}

#[test]
fn stage_control_has_a_bit_per_stage_and_ata2_two() {
    let stage = names(&Request::new("gsen", 10), 33);
    assert!(stage.contains(&"tb_gsen_n10_w33.u_exchange.u_fabric.stage_i[4]".into()));
    assert!(!stage.iter().any(|name| name.contains("stage_odd_i") || name.contains("state_i")));
    assert!(stage.contains(&"tb_gsen_n10_w33.u_exchange.send_data_i[330]".into()));
    assert!(stage.contains(&"tb_gsen_n10_w33.u_exchange.send_dest_o[40]".into()));
    let ata2 = names(&Request::new("gsen", 10).with("algorithm", "ata2"), 8);
    let at = ata2.iter().position(|name| name.ends_with("u_fabric.stage_i[4]")).unwrap();
    assert_eq!(ata2[at + 1], "tb_gsen_ata2_n10_w8.u_exchange.u_fabric.stage_odd_i[4]");
}

#[test]
fn the_clock_rises_at_five_and_every_period_ends_with_an_edge() {
    let wave = Wave::of(&Request::new("rls", 4), |n| Payload::zero(n, 8));
    for clock in ["u_exchange.clk_i", "u_fabric.clk_i"] {
        let changes = &wave.recording.changes[&wave.signal(clock)];
        let rising = changes.iter().filter(|(_, value)| value[0] == 1).map(|(time, _)| *time);
        assert!(rising.eq((0..wave.timeline.periods()).map(|period| 5 + 10 * period)));
        let falling = changes.iter().filter(|(_, value)| value[0] == 0).map(|(time, _)| *time);
        assert!(falling.eq((0..wave.timeline.periods()).map(|period| 10 * period)));
    }
    // Everything else moves with a rising edge.
    for (signal, changes) in &wave.recording.changes {
        if wave.signals[*signal].name != CLOCK {
            assert!(changes.iter().all(|(time, _)| *time == 0 || time % 10 == 5));
        }
    }
    assert_eq!(wave.recording.changes.len(), wave.signals.len());
}

#[test]
fn controls_follow_the_timeline() {
    let wave = Wave::of(&Request::new("gsen", 6), |n| Payload::random(n, 2, 1));
    let t = wave.timeline;
    assert_eq!(t.runs(), 3);
    for period in 0..t.periods() {
        let bit = |name| wave.at(name, period)[0];
        assert_eq!(bit("u_exchange.rst_i"), u64::from(period < t.reset));
        assert_eq!(bit("start_i"), u64::from((0..3).any(|run| t.start_period(run) == period)));
        let cycle = t.cycle_at(period);
        assert_eq!(bit("busy_o"), u64::from(cycle.is_some()));
        assert_eq!(bit("done_o"), u64::from(cycle.is_some_and(|(_, cycle)| cycle == t.cycles)));
        assert_eq!(bit("cycles_o"), cycle.map_or(0, |(_, cycle)| cycle));
        assert_eq!(bit("conflict_o"), 0);
    }
}

#[test]
fn words_are_packed_from_lane_zero_up() {
    for width in [1, 8, 33, 64, 100] {
        let wave = Wave::of(&Request::new("rls", 8), |n| Payload::random(n, width, 9));
        let payload = Payload::random(8, width, 9);
        let cycle = wave.timeline.cycles; // the last round arrives: source = output - 1
        let period = wave.timeline.period(0, cycle);
        let bits = width.min(64) as usize;
        for output in 0..8u32 {
            let source = (output + 7) % 8;
            assert_eq!(wave.field("recv_source_o", period, output as usize, 3), source as u64);
            let word = payload.word(source, output);
            let low: u64 = (0..bits)
                .rev()
                .map(|b| output as usize * width as usize + b)
                .fold(0, |v, b| v << 1 | wave.at("u_exchange.recv_data_o", period)[b / 64] >> (b % 64) & 1);
            assert_eq!(low, word[0], "width {width}");
            // The last link column of this network is straight: the output registers of the last stage.
            assert_eq!(wave.at(&format!("s4_data_{output}"), period), word);
            assert_eq!(wave.at(&format!("s4_valid_{output}"), period), [1]);
            assert_eq!(wave.at(&format!("s3_valid_{output}"), period), [0]);
        }
        assert_eq!(wave.at("recv_valid_o", period), [0xff]);
        assert_eq!(wave.at("u_fabric.data_o", period), wave.at("u_exchange.recv_data_o", period));
    }
}

#[test]
fn every_switch_has_its_bit_of_state() {
    let request = Request::new("rls", 16);
    let wave = Wave::of(&request, |n| Payload::zero(n, 4));
    let mut trace = frit_traffic::trace::Recorder::default();
    frit_model::exchange(&frit_schedule::plan(&request).unwrap(), None, &mut trace);
    for s in &trace.settings {
        let bit = (s.stage * 8 + s.switch) as usize;
        assert_eq!(wave.field("state_i", wave.timeline.period(0, s.cycle), bit, 1), s.state as u64);
    }
}

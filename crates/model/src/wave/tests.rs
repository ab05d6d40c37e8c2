use super::*;
use crate::exchange;
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::Request;
use frit_traffic::trace::{Delivery, Recorder};
use proptest::prelude::*;

fn plan(request: &Request) -> Plan {
    frit_schedule::plan(request).unwrap()
}

fn record(plan: &Plan, payload: &Payload) -> Vec<Snapshot> {
    let mut snapshots = Vec::new();
    waves(plan, payload, &mut snapshots);
    snapshots
}

fn bits(bits: &[bool]) -> String {
    bits.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
}

fn list(numbers: &[impl std::fmt::Display]) -> String {
    numbers.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn one_run_shows_and_counts_what_two_do() {
    for (system, terminals) in [("rls", 8), ("gsen", 10), ("atape", 8), ("rls-folded", 8)] {
        let plan = plan(&Request::new(system, terminals));
        let payload = Payload::random(plan.network.terminals(), 8, 1);
        let (mut together, mut apart) = (Recorder::default(), Recorder::default());
        let mut snapshots = Vec::new();
        let outcome = exchange_with_waves(&plan, &payload, &mut together, &mut snapshots);
        assert_eq!(outcome, exchange(&plan, Some(&payload), &mut apart), "{system}");
        assert_eq!((together.settings, together.deliveries), (apart.settings, apart.deliveries), "{system}");
        assert!(snapshots == record(&plan, &payload), "{system}");
    }
}

#[test]
fn the_waveform_of_the_smallest_exchange() {
    let plan = plan(&Request::new("rls", 4));
    let mut payload = Payload::zero(4, 8);
    for (row, column) in (0..16).map(|i| (i / 4, i % 4)) {
        payload.set(row, column, &[(row * 10 + column + 1) as u64]);
    }
    let lines: Vec<String> = record(&plan, &payload)
        .iter()
        .map(|s| {
            let flags = bits(&[s.reset, s.start, s.busy, s.done, s.conflict]);
            let [ControlSignal { name: "state_i", bits: states }] = &s.control[..] else {
                panic!("rls routes itself")
            };
            format!(
                "{:2} {flags} {} | {} {} : {} | {} | {} {} : {}",
                s.period,
                s.cycles,
                bits(&s.send.valid),
                list(&s.send_destinations),
                list(&s.send.data),
                bits(states),
                bits(&s.receive.valid),
                list(&s.receive_sources),
                list(&s.receive.data)
            )
        })
        .collect();
    let idle = "0 | 0000 0 1 2 3 : 0 0 0 0 | 000000 | 0000 0 1 2 3 : 0 0 0 0";
    let expected = [
        format!(" 0 10000 {idle}"),
        format!(" 1 10000 {idle}"),
        format!(" 2 10000 {idle}"),
        format!(" 3 10000 {idle}"),
        format!(" 4 10000 {idle}"),
        format!(" 5 00000 {idle}"),
        format!(" 6 01000 {idle}"),
        " 7 00100 0 | 1111 0 1 2 3 : 1 12 23 34 | 000000 | 0000 0 1 2 3 : 0 0 0 0".into(),
        "".into(),
    ];
    for (line, expected) in lines.iter().zip(&expected).take(8) {
        assert_eq!(line, expected);
    }
    // The last two rounds arrive; nothing is sent any more, so round 0 is shown there.
    assert!(lines[8].contains("| 1111 3 0 1 2 : 4 11 22 33 |"), "{}", lines[8]);
    assert!(lines[11].starts_with("11 00100 4 | 0000 0 1 2 3 : 0 0 0 0 |"), "{}", lines[11]);
    assert!(lines[11].ends_with("| 1111 1 2 3 0 : 11 22 33 4"), "{}", lines[11]);
    assert!(lines[13].starts_with("13 00110 6 |"), "{}", lines[13]);
    assert!(lines[13].ends_with("| 000000 | 1111 3 0 1 2 : 31 2 13 24"), "{}", lines[13]);
    assert_eq!(lines[14], format!("14 00000 {idle}"));
    assert_eq!(lines[15], format!("15 00000 {idle}"));
    assert_eq!(lines.len(), 16);
}

#[test]
fn prepare_runs_carry_the_labels_in_slices() {
    let plan = plan(&Request::new("gsen", 10));
    let payload = Payload::random(10, 3, 1);
    let timeline = Timeline::new(&plan, 3);
    assert_eq!(timeline.prepare_runs, 2);
    let snapshots = record(&plan, &payload);
    for round in 0..plan.rounds {
        let sent = |run| &snapshots[timeline.period(run, round as u64) as usize].send.data;
        let got = |run| {
            &snapshots[timeline.period(run, round as u64 + plan.latency() as u64) as usize].receive.data
        };
        for lane in 0..10 {
            assert_eq!(sent(0)[lane] | sent(1)[lane] << 3, lane as u64);
            let output = plan.destination(RoundIdx(round), LaneIdx(lane as u32)).idx();
            assert_eq!(got(0)[output] | got(1)[output] << 3, lane as u64);
            assert_eq!(payload.word(lane as u32, output as u32), [sent(2)[lane]]);
        }
    }
}

#[test]
fn odd_switches_have_a_bit_of_their_own_in_ata2_only() {
    let control = |request: &Request| {
        let plan = plan(request);
        let timeline = Timeline::new(&plan, 8);
        let last_round = plan.rounds as u64 - 1;
        let snapshots = record(&plan, &Payload::zero(plan.network.terminals(), 8));
        let states: Vec<(bool, Option<bool>)> = (0..plan.network.stages())
            .map(|stage| {
                let period = timeline.period(timeline.prepare_runs, last_round + stage as u64);
                let bit = |name| {
                    let signals = &snapshots[period as usize].control;
                    Some(signals.iter().find(|signal| signal.name == name)?.bits[stage as usize])
                };
                assert_eq!(bit("state_i"), None, "gsen is stage controlled");
                (bit("stage_i").unwrap(), bit("stage_odd_i"))
            })
            .collect();
        states
    };
    // x = 1111: every stage crosses.
    assert_eq!(control(&Request::new("gsen", 10)), [(true, None); 4]);
    // x = 1101: stages 0 and 3 follow their bit, the odd switches of the others its opposite.
    let ata2 = control(&Request::new("gsen", 10).with("algorithm", "ata2"));
    assert_eq!(ata2, [(true, Some(true)), (true, Some(false)), (false, Some(true)), (true, Some(true))]);
}

#[test]
fn a_conflict_shows_when_its_round_arrives() {
    let mut plan = plan(&Request::new("rls", 8));
    let mut links = plan.network.links().to_vec();
    links[1].swap(0, 3);
    plan.network = frit_network::Network::new("miswired", 8, links).unwrap();
    // The first conflicts are in one cycle, at two stages: the one that is nearer to the outputs is told first.
    let (first, stage) = match exchange(&plan, None, &mut ()).run.first_fault {
        Some(frit_traffic::trace::FirstFault::Conflict { cycle, stage, .. }) => (cycle, u64::from(stage)),
        other => panic!("{other:?}"),
    };
    let timeline = Timeline::new(&plan, 8);
    let snapshots = record(&plan, &Payload::zero(8, 8));
    let shown = snapshots.iter().find(|s| s.conflict).unwrap();
    assert_eq!(shown.period, timeline.period(0, first + 5 - (stage + 1)));
}

#[test]
fn entry_registers_are_not_stages() {
    let mut plan = plan(&Request::new("rls", 8));
    plan.entry_delay = 2;
    let timeline = Timeline::new(&plan, 8);
    let snapshots = record(&plan, &Payload::random(8, 8, 1));
    assert_eq!(snapshots[0].stages.len(), 5);
    let full = |cycle| snapshots[timeline.period(0, cycle) as usize].stages[0].valid.iter().all(|&v| v);
    assert!(!full(2) && full(3) && full(10) && !full(11));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_waveform_and_the_trace_tell_the_same(
        request in crate::exchange::tests::requests(), width in 1u32..140, seed in any::<u64>()
    ) {
        let plan = plan(&request);
        let payload = Payload::random(plan.network.terminals(), width, seed);
        let timeline = Timeline::new(&plan, width);
        let snapshots = record(&plan, &payload);
        prop_assert_eq!(snapshots.len() as u64, timeline.periods());
        let mut trace = Recorder::default();
        exchange(&plan, Some(&payload), &mut trace);
        let idle = Snapshot::idle(&plan, width);
        let limbs = limbs_of(width);
        let owned = plan.network.lanes() / plan.network.terminals();
        let mut deliveries = Vec::new();
        for (period, s) in snapshots.iter().enumerate() {
            prop_assert_eq!(s.period, period as u64);
            let Some((run, cycle)) = timeline.cycle_at(s.period) else {
                let (period, reset, start) = (s.period, s.reset, s.start);
                prop_assert_eq!(reset, period < timeline.reset);
                prop_assert_eq!(start, (0..timeline.runs()).any(|r| timeline.start_period(r) == period));
                prop_assert_eq!(s, &Snapshot { period, reset, start, ..idle.clone() });
                continue;
            };
            prop_assert!(s.busy && !s.reset && !s.start && !s.conflict);
            prop_assert_eq!(s.cycles as u64, cycle);
            prop_assert_eq!(s.done, cycle == timeline.cycles);
            prop_assert!(s.send.valid.iter().all(|&v| v == plan.injecting(cycle).is_some()));
            let arriving = plan.arriving(cycle);
            prop_assert!(s.receive.valid.iter().all(|&v| v == arriving.is_some()));
            if run < timeline.prepare_runs {
                continue;
            }
            for (lane, word) in s.receive.data.chunks(limbs).enumerate().filter(|(l, _)| s.receive.valid[*l]) {
                deliveries.push(Delivery {
                    cycle,
                    output: lane as u32 / owned,
                    source: s.receive_sources[lane],
                    round: arriving.unwrap(),
                    first: false,
                    payload: Some(word.to_vec()),
                });
            }
        }
        trace.deliveries.iter_mut().for_each(|d| d.first = false);
        deliveries.sort(); // the lanes of a terminal hold its sources in any order
        prop_assert_eq!(deliveries, trace.deliveries);
    }
}

#[test]
fn stored_settings_are_those_of_round_0_where_a_stage_has_no_round() {
    let plan = frit_schedule::benes::plan_with_permutation(&[3, 7, 4, 0, 2, 6, 1, 5]).unwrap();
    let round_0: Vec<bool> = (0..5)
        .flat_map(|stage| (0..4).map(move |switch| (StageIdx(stage), SwitchIdx(switch))))
        .map(|(stage, switch)| plan.stage_state(RoundIdx(0), stage, switch).unwrap().bit())
        .collect();
    assert!(round_0.contains(&true));
    for snapshot in record(&plan, &Payload::zero(8, 8)) {
        let expected = [ControlSignal { name: "state_i", bits: round_0.clone() }];
        assert_eq!(snapshot.control, expected, "period {}", snapshot.period);
    }
    let exchange = frit_schedule::plan(&Request::new("benes", 8)).unwrap();
    let snapshots = record(&exchange, &Payload::zero(8, 8));
    let states = |period: usize| match &snapshots[period].control[..] {
        [ControlSignal { name: "state_i", bits }] => bits.clone(),
        other => panic!("{other:?}"),
    };
    // Stage 2 acts on round 1 in cycle 3, and idles on round 0 after cycle 9.
    let first = Timeline::new(&exchange, 8).period(0, 0) as usize;
    assert_eq!(bits(&states(first + 3)[8..12]), "1100");
    assert_eq!(bits(&states(first + 9)[8..12]), "0011");
    assert_eq!(bits(&states(first + 10)[8..12]), "0000");
}

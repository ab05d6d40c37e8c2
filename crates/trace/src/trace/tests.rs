use super::*;
use frit_network::RoundIdx;
use frit_schedule::Request;
use frit_traffic::Payload;

fn recorded(request: &Request, width_bits: u32) -> Recorder {
    let plan = frit_schedule::plan(request).unwrap();
    let payload = Payload::random(plan.network.terminals(), width_bits, 3);
    let mut trace = Recorder::default();
    frit_model::exchange(&plan, Some(&payload), &mut trace);
    trace
}

fn replay(trace: &Recorder, observer: &mut dyn Observer) {
    trace.settings.iter().for_each(|&setting| observer.setting(setting));
    trace.deliveries.iter().for_each(|delivery| observer.delivery(delivery));
}

#[test]
fn what_is_written_is_read_back() {
    for width in [1, 3, 4, 33, 64, 65, 128, 200] {
        let trace = recorded(&Request::new("gsen", 6), width);
        let mut settings = SettingsCsv::new(Vec::new());
        let mut deliveries = DeliveriesCsv::new(Vec::new(), width);
        replay(&trace, &mut Tee(vec![&mut settings, &mut deliveries]));
        let settings = settings.finish().unwrap();
        let deliveries = deliveries.finish().unwrap();
        let back = Recorder {
            settings: read_settings(&settings[..], "s.csv").unwrap(),
            deliveries: read_deliveries(&deliveries[..], "d.csv").unwrap(),
        };
        assert_eq!(back, trace);
        assert_eq!(first_difference(&trace, &back), None);
    }
}

#[test]
fn states_are_settings_a_stage_at_a_time() {
    let text = "cycle,stage,states\n3,0,10\n3,1,01\n4,0,11\n";
    let settings = read_states(text.as_bytes(), "s").unwrap();
    let mut csv = SettingsCsv::new(Vec::new());
    settings.iter().for_each(|&setting| csv.setting(setting));
    let expected = "cycle,stage,switch,state\n3,0,0,0\n3,0,1,1\n3,1,0,1\n3,1,1,0\n4,0,0,1\n4,0,1,1\n";
    assert_eq!(String::from_utf8(csv.finish().unwrap()).unwrap(), expected);

    let error = |text: &str| read_states(text.as_bytes(), "s").unwrap_err().to_string();
    assert!(
        error("cycle,stage,states\n3,0,1x\n")
            .contains("line 2, column states: expected a binary digit per switch")
    );
    assert!(error("cycle,stage,states\n3,1,10\n3,0,10\n").contains("line 3: expected the rows sorted"));
    assert!(error("cycle,stage,switch,state\n").contains("expected the header"));
}

#[test]
fn a_row_of_each_file() {
    let mut deliveries = DeliveriesCsv::new(Vec::new(), 9);
    let delivery = Delivery {
        cycle: 7,
        output: 5,
        source: 4,
        round: RoundIdx(2),
        first: false,
        payload: Some(vec![0x1f]),
    };
    deliveries.delivery(&delivery);
    deliveries.delivery(&Delivery { first: true, payload: None, ..delivery });
    let text = String::from_utf8(deliveries.finish().unwrap()).unwrap();
    assert_eq!(text, "cycle,output,source,round,first,payload\n7,5,4,2,0,01f\n7,5,4,2,1,\n");
    let mut settings = SettingsCsv::new(Vec::new());
    settings.setting(Setting { cycle: 3, stage: 1, switch: 2, state: true });
    assert_eq!(settings.finish().unwrap(), b"cycle,stage,switch,state\n3,1,2,1\n");
}

#[test]
fn an_error_of_the_writer_comes_out_at_the_end() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let trace = recorded(&Request::new("rls", 32), 8);
    for room in [0, 1] {
        let mut settings = SettingsCsv::new(Full(room));
        replay(&trace, &mut settings);
        assert_eq!(settings.finish().err().unwrap().kind(), io::ErrorKind::StorageFull);
    }
    assert!(DeliveriesCsv::new(Full(1), 8).finish().is_ok());
    assert!(DeliveriesCsv::new(Full(0), 8).finish().is_err());
}

#[test]
fn what_is_no_trace_is_explained() {
    let settings = |text: &str| read_settings(text.as_bytes(), "s.csv").unwrap_err().to_string();
    let head = SETTINGS_HEADER;
    assert_eq!(
        settings("cycle;stage\n"),
        "s.csv, line 1: expected the header \"cycle,stage,switch,state\", got \"cycle;stage\""
    );
    assert!(settings("").ends_with("got \"\""));
    assert_eq!(
        settings(&format!("{head}\n0,0,0\n")),
        "s.csv, line 2: expected 4 columns (cycle,stage,switch,state), got 3"
    );
    assert_eq!(
        settings(&format!("{head}\n0,0,0,0\n0,0,x,1\n")),
        "s.csv, line 3, column switch: expected a decimal number, got \"x\""
    );
    assert_eq!(
        settings(&format!("{head}\n0,0,0,x\n")),
        "s.csv, line 2, column state: expected 0 or 1, got \"x\""
    );
    assert_eq!(
        settings(&format!("{head}\n0,0,1,0\n0,0,0,0\n")),
        "s.csv, line 3: expected the rows sorted by cycle,stage,switch,state, but this one belongs before line 2"
    );
    let deliveries = format!("{DELIVERIES_HEADER}\n5,0,0,0,1,xx\n");
    assert_eq!(
        read_deliveries(deliveries.as_bytes(), "d.csv").unwrap_err().to_string(),
        "d.csv, line 2, column payload: expected a word in hexadecimal digits, or nothing, got \"xx\""
    );
    let not_text = read_settings(&b"cycle,stage,switch,state\n\xff\n"[..], "s.csv").unwrap_err();
    assert!(not_text.to_string().starts_with("s.csv: "), "{not_text}");
}

#[test]
fn a_file_with_a_byte_order_mark_and_carriage_returns_is_read() {
    let text = format!("\u{feff}{SETTINGS_HEADER}\r\n0,0,0,1\r\n");
    let expected = [Setting { cycle: 0, stage: 0, switch: 0, state: true }];
    assert_eq!(read_settings(text.as_bytes(), "s.csv").unwrap(), expected);
}

/// The first difference after `change`, as text.
fn after(change: impl Fn(&mut Recorder)) -> String {
    let expected = recorded(&Request::new("rls", 8), 8);
    let mut got = expected.clone();
    change(&mut got);
    let difference = first_difference(&expected, &got).unwrap();
    let TraceDifference { cycle, signal, expected, got } = difference;
    format!("{cycle} | {signal} | {expected} | {got}")
}

#[test]
fn a_setting_that_differs_is_named() {
    let at = |trace: &Recorder, cycle, stage, switch| {
        let place = |s: &Setting| (s.cycle, s.stage, s.switch) == (cycle, stage, switch);
        trace.settings.iter().position(place).unwrap()
    };
    let changed = after(|got| {
        let at = at(got, 1, 1, 1);
        got.settings[at].state = false;
    });
    assert_eq!(changed, "1 | settings stage 1 switch 1 | 1 | 0");
    let removed = after(|got| {
        got.settings.remove(at(got, 4, 2, 3));
    });
    assert_eq!(removed, "4 | settings stage 2 switch 3 | 1 | missing");
    let last = after(|got| {
        got.settings.pop();
    });
    assert_eq!(last, "11 | settings stage 4 switch 3 | 0 | missing");
    let added = after(|got| got.settings.push(Setting { cycle: 12, stage: 4, switch: 0, state: true }));
    assert_eq!(added, "12 | settings stage 4 switch 0 | missing | 1");
}

#[test]
fn a_delivery_that_differs_is_named() {
    // Cycle 6, output 5: round 1 from terminal 6.
    let at = 8 + 5;
    let changed = after(|got| got.deliveries[at].source = 4);
    assert!(changed.starts_with("6 | delivery at output 5 | from 6 in round 1, word 0x"), "{changed}");
    assert!(changed.contains("| from 4 in round 1, word 0x"), "{changed}");
    let zero = after(|got| got.deliveries[at].payload = Some(vec![0]));
    assert!(zero.ends_with("| from 6 in round 1, word 0x0"), "{zero}");
    let again = after(|got| {
        got.deliveries[at].first = false;
        got.deliveries[at].payload = None;
    });
    assert!(again.ends_with("| from 6 in round 1, again"), "{again}");
    let removed = after(|got| {
        got.deliveries.remove(at);
    });
    assert!(removed.ends_with("| missing"), "{removed}");
    let late = after(|got| {
        let mut delivery = got.deliveries.remove(at);
        delivery.cycle += 1;
        got.deliveries.insert(at + 8, delivery);
    });
    assert!(late.starts_with("6 | delivery at output 5 |") && late.ends_with("| missing"), "{late}");
}

#[test]
fn the_earlier_of_a_setting_and_a_delivery_counts() {
    let signal = |setting_cycle, delivery_cycle| {
        after(|got| {
            got.settings.iter_mut().find(|s| s.cycle == setting_cycle).unwrap().state ^= true;
            got.deliveries.iter_mut().find(|d| d.cycle == delivery_cycle).unwrap().round = RoundIdx(99);
        })
    };
    assert!(signal(8, 7).starts_with("7 | delivery"));
    assert!(signal(7, 7).starts_with("7 | settings"));
    assert!(signal(6, 7).starts_with("6 | settings"));
}

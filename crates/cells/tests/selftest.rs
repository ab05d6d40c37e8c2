//! The self-test's report, decoded from the simulated serial line: right for a right exchange, FAIL for every fault.

use crate::common::every;
use frit_cells::design::selftest::{Line, Signature, build};
use frit_cells::fault::EXCHANGE;
use frit_cells::netlist::simulate::Simulated;
use frit_network::{LaneIdx, RoundIdx};
use frit_schedule::{Plan, Request, plan};

const DIVIDER: u64 = 4;

/// The line of a run without an error.
fn passing(plan: &Plan, width: u32) -> Line {
    let cycles = plan.cycles() as u32;
    Line { design: plan.design_name(width), passed: true, cycles, errors: 0, signature: None }
}

/// The signature of a run whose words are all right.
fn healthy(plan: &Plan, width: u32) -> u32 {
    let mut signature = Signature::new(plan, width);
    for round in RoundIdx::all(plan.rounds) {
        let lanes = LaneIdx::all(plan.network.lanes());
        lanes.for_each(|lane| signature.word(plan.arrives_at(round), lane, |_| false));
    }
    signature.value()
}

struct Tested {
    lines: Vec<String>,
    passed: bool,
    failed: bool,
    signature: u32,
}

/// The bytes of an 8N1 line that is sampled once a cycle, or why it is none.
fn decode(line: &[bool]) -> Result<Vec<u8>, String> {
    let (bit, mut at, mut bytes) = (DIVIDER as usize, 0, Vec::new());
    while let Some(start) = (at..line.len()).find(|&at| !line[at]) {
        let sample = |number: usize| line.get(start + number * bit + bit / 2).copied();
        let bits: Option<Vec<bool>> = (0..10).map(sample).collect();
        let Some(bits) = bits else { break };
        if bits[0] || !bits[9] {
            return Err(format!("no frame of 8N1 at cycle {start}"));
        }
        bytes.push((0..8).fold(0, |byte, k| byte | (bits[k + 1] as u8) << k));
        at = start + 9 * bit + bit / 2;
    }
    Ok(bytes)
}

/// Runs the self-test of a design until it has reported `runs` times.
fn test(plan: &Plan, width: u32, fault: Option<&str>, runs: usize) -> Tested {
    let mut netlist = build(plan, width, DIVIDER);
    if let Some(fault) = fault {
        let injected = EXCHANGE.plant(&mut netlist, fault);
        injected.unwrap_or_else(|error| panic!("{fault}: {error}"));
    }
    let mut design = Simulated::new(&netlist).unwrap();
    let find = |design: &Simulated, name: &str| design.find("", name).unwrap();
    let [clk, rst, start, busy, uart, pass, fail, signature] =
        ["clk_i", "rst_i", "start_i", "busy_o", "uart_o", "pass_o", "fail_o", "signature_o"]
            .map(|name| find(&design, name));
    let mut line = Vec::new();
    let mut clock = |design: &mut Simulated, reset: u64, begin: u64| {
        design.set(&rst, 0, reset);
        design.set(&start, 0, begin);
        design.settle().unwrap();
        line.push(design.get(&uart, 0) == 1);
        for level in [1, 0] {
            design.set(&clk, 0, level);
            design.settle().unwrap();
        }
        design.get(&busy, 0) == 1
    };
    for _ in 0..plan.latency() + 2 {
        clock(&mut design, 1, 0);
    }
    for _ in 0..runs {
        assert!(clock(&mut design, 0, 1), "a start is taken");
        let most = plan.cycles() + 100 * 12 * DIVIDER;
        assert!((0..most).any(|_| !clock(&mut design, 0, 0)), "the report does not end");
    }
    let (passed, failed) = (design.get(&pass, 0) == 1, design.get(&fail, 0) == 1);
    let signature = design.get(&signature, 0) as u32;
    // What comes before reset has reached all registers is no part of the line.
    let text = String::from_utf8(decode(&line[1..]).unwrap()).unwrap();
    assert!(text.ends_with("\r\n"), "{text:?}");
    Tested { lines: text.split_terminator("\r\n").map(String::from).collect(), passed, failed, signature }
}

fn design(system: &str, terminals: u64) -> Plan {
    plan(&Request::new(system, terminals)).unwrap()
}

#[test]
fn every_system_passes_and_tells_its_cycles() {
    let designs = [
        ("rls", 8, 8),
        ("gsen", 10, 8),
        ("obf", 8, 8),
        ("rls-folded", 8, 8),
        ("rls-flattened", 8, 16),
        ("atape", 8, 5),
        ("xor", 4, 64),
        ("benes", 8, 1),
        ("gsen", 6, 33),
    ];
    for (system, terminals, width) in every(&designs, 3) {
        let plan = design(system, terminals);
        let tested = test(&plan, width, None, 3);
        let expected = passing(&plan, width).to_string();
        assert_eq!(tested.lines, [expected.clone(), expected.clone(), expected]);
        assert!(tested.passed && !tested.failed, "{system}");
        assert_eq!(tested.signature, healthy(&plan, width), "{system}");
    }
}

#[test]
fn faults_are_reported() {
    for (system, terminals, fault) in [
        ("rls", 8, "swapped-wire:1"),
        ("rls", 8, "stuck-switch:1:2:1"),
        ("rls", 8, "inverted-control:2:3"),
        ("rls", 8, "dropped-valid:0:1"),
        ("rls", 8, "wrong-label-bit:4:2"),
        ("rls", 8, "off-by-one-counter"),
        ("gsen", 10, "stuck-switch:1:2:1"),
        ("gsen", 10, "late-driver:0"),
        ("gsen", 10, "swapped-wire:1"),
        ("obf", 8, "stuck-switch:1:2:1"),
        ("obf", 8, "swapped-wire:1"),
        ("obf", 8, "wrong-complement:3"),
        ("obf", 16, "flipped-bit:5"),
        ("rls-folded", 8, "stuck-again"),
        ("rls-folded", 8, "swapped-wire:1"),
        ("atape", 8, "wrong-destination:3:1"),
        ("benes", 8, "flipped-setting:2:1:5"),
    ] {
        let plan = design(system, terminals);
        let tested = test(&plan, 8, Some(fault), 1);
        let head = format!("frit {} FAIL cycles=", plan.design_name(8));
        assert!(tested.lines[0].starts_with(&head), "{fault}: {:?}", tested.lines);
        let line: Line = tested.lines[0].parse().unwrap();
        assert!(line.errors > 0 && line.signature == Some(tested.signature), "{fault}: {line}");
        assert!(tested.failed && !tested.passed, "{fault}");
    }
}

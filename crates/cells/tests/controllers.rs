//! The three forms of the de Bruijn controller are one function: the printed Verilog of the successor rule, of the
//! feedback function and of the table, proved equal for every state by Yosys' SAT solver.

use crate::common;

use common::{run, sequences, tool, tools_found};
use frit_cells::cells::{CellSpec, FeedbackSpec, NextBitTableSpec, SuccessorSpec};
use frit_cells::minimise::MAX_ORDER;
use frit_cells::netlist::print::cell_file;
use frit_schedule::de_bruijn::DeBruijn;
use std::fmt::Write;

/// Rules that are to be the same function.
struct Claim {
    order: u32,
    rules: Vec<CellSpec>,
}

const PROVED: &str = "SAT proof finished - no model found: SUCCESS!";
const REFUTED: &str = "SAT proof finished - model found: FAIL!";
const END: &str = "FRIT END OF CLAIM";

/// What Yosys says about each claim, in one process: a state where two of the rules differ makes `differ_o` 1.
fn prove(claims: &[Claim]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut script = String::new();
    for (at, Claim { order, rules }) in claims.iter().enumerate() {
        let mut text: String = rules.iter().map(|rule| cell_file(rule).text).collect();
        let last = rules.len() - 1;
        let _ = writeln!(
            text,
            "module miter (input wire [{}:0] state_i, output wire differ_o);\n  wire [{last}:0] next;",
            order - 1
        );
        for (number, rule) in rules.iter().enumerate() {
            let module = rule.module();
            let _ = writeln!(text, "  {module} u_{number} (.state_i(state_i), .bit_o(next[{number}]));");
        }
        let _ = writeln!(text, "  assign differ_o = (|next) & ~(&next);\nendmodule");
        std::fs::write(folder.path().join(format!("claim_{at}.v")), text).unwrap();
        let _ = writeln!(
            script,
            "design -reset
             read_verilog claim_{at}.v
             hierarchy -check -top miter
             proc
             select -assert-none t:$dlatch
             flatten
             check -assert
             sat -prove differ_o 0 -show state_i
             log {END}"
        );
    }
    std::fs::write(folder.path().join("prove.ys"), script).unwrap();
    let log = run(tool("yosys", folder.path()).args(["-s", "prove.ys"]));
    let sections: Vec<&str> = log.split(&format!("\n{END}")).collect();
    assert_eq!(sections.len(), claims.len() + 1, "Yosys did not come to the end:\n{log}");
    sections[..claims.len()].iter().map(|text| text.to_string()).collect()
}

fn all_rules(order: u32) -> Vec<CellSpec> {
    let sequence = DeBruijn::prefer_one(order).unwrap();
    vec![
        CellSpec::from(SuccessorSpec { order }),
        FeedbackSpec::of(&sequence, "prefer_one").unwrap().into(),
        NextBitTableSpec::of(&sequence, "prefer_one").into(),
    ]
}

#[test]
fn successor_feedback_and_table_are_proved_equal() {
    if !tools_found(&["yosys"]) {
        return;
    }
    let mut claims: Vec<Claim> =
        (2..=MAX_ORDER).map(|order| Claim { order, rules: all_rules(order) }).collect();
    // The other sequences have no successor rule.
    for order in 1..=MAX_ORDER {
        for (name, sequence) in sequences(order) {
            let feedback = CellSpec::from(FeedbackSpec::of(&sequence, name).unwrap());
            let rules = vec![feedback, NextBitTableSpec::of(&sequence, name).into()];
            claims.push(Claim { order, rules });
        }
    }
    for (Claim { order, rules }, log) in claims.iter().zip(prove(&claims)) {
        let names: Vec<String> = rules.iter().map(CellSpec::module).collect();
        assert!(log.contains(PROVED), "{names:?} of order {order} are not proved equal:\n{log}");
    }
}

/// The state that Yosys shows: the decimal number behind its name.
fn counterexample(log: &str) -> Option<usize> {
    let line = log.lines().find(|line| line.trim_start().starts_with("\\state_i "))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn one_flipped_bit_of_the_table_is_found_at_its_state() {
    if !tools_found(&["yosys"]) {
        return;
    }
    let cases: Vec<(u32, usize)> = [2, 5, 10]
        .into_iter()
        .flat_map(|order| [0, 1, (1 << order) / 3, (1 << order) - 1].map(|state| (order, state)))
        .collect();
    let claims: Vec<Claim> = cases
        .iter()
        .map(|&(order, state)| {
            let mut rules = all_rules(order);
            let Some(CellSpec::NextBitTable(NextBitTableSpec { table, .. })) = rules.last_mut() else {
                panic!("a table")
            };
            table[state] = !table[state];
            Claim { order, rules }
        })
        .collect();
    for ((order, state), log) in cases.iter().zip(prove(&claims)) {
        assert!(log.contains(REFUTED), "order {order}, bit {state} flipped: no verdict\n{log}");
        assert_eq!(counterexample(&log), Some(*state), "order {order}\n{log}");
    }
}

//! The testbench of `D_selftest`, which reads its serial line, with file list and make targets.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::selftest;
use frit_schedule::Plan;
use serde::Serialize;

/// Reports that the testbench waits for.
const RUNS: u64 = 2;
/// Runs with other words, whose reports are not awaited.
const SEEDS: u64 = 32;

/// Short resets in a run; eight more are in a report.
const RESETS: u64 = 48;

/// What the templates are filled with.
#[derive(Serialize)]
struct Selftest<'a> {
    name: &'a str,
    kind: &'a str,
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    lanes: u32,
    /// Of them the last so many are of spare terminals.
    spare: u32,
    width_bits: u32,
    divider: u64,
    runs: u64,
    seeds: u64,
    resets: u64,
    cycles: u64,
    patience: u64,
    reset_periods: u32,
}

/// The testbench side of a self-test S = `D_selftest_dDIVIDER`: `tb_S.sv`, the file lists `S.f` and `S_tb.f`, and `S.mk`, which the
/// design's Makefile includes. `rtl_files` are the files of S in the order in which tools should read them, and a bit of the serial line lasts
/// `divider` cycles.
pub fn render(plan: &Plan, width_bits: u32, divider: u64, rtl_files: &[String]) -> Files {
    let design = plan.design_name(width_bits);
    let line = selftest::Line { design, passed: false, cycles: 0, errors: 0, signature: Some(0) };
    let design = &line.design;
    let name = selftest::suffix(divider);
    let top = format!("{design}_{name}");
    let tb = format!("tb_{top}");
    let command = format!("{} --selftest", plan.command(width_bits));
    // Ten bits a character, and a cycle between two of them.
    let report = (line.to_string().len() as u64 + 2) * (10 * divider + 1);
    let lanes = plan.network.lanes();
    // Short resets with a run before and behind, three faults in each lane, four of the whole exchange, and a run after the last of them.
    let trials = RUNS + SEEDS + 2 * (2 * RESETS + 8) + u64::from(3 * lanes + 5);
    let values = Selftest {
        name: &name,
        kind: "selftest",
        design,
        top: &top,
        tb: &tb,
        command: &command,
        lanes,
        spare: lanes - plan.served() * plan.lanes_per_terminal(),
        width_bits,
        divider,
        runs: RUNS,
        seeds: SEEDS,
        resets: RESETS,
        cycles: plan.message_cycles(1),
        patience: 2 * ((RUNS + 3) * report + trials * (2 * plan.message_cycles(1) + 100)),
        reset_periods: plan.latency() + 2,
    };
    let values = context(&values);
    let mut files =
        vec![(format!("{tb}.sv"), fill(include_str!("../testbench/selftest/tb.sv.tera"), &values))];
    files.extend(lists(&top, &command, rtl_files));
    files.push((format!("{top}.mk"), fill(include_str!("../testbench/top.mk.tera"), &values)));
    files
}

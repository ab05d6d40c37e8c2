//! The testbench of `D_selftest`, which reads its serial line, with file list and make targets.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::FileList;
use frit_schedule::Plan;
use serde::Serialize;

/// Reports that the testbench waits for.
const RUNS: u64 = 2;

/// What the templates are filled with.
#[derive(Serialize)]
struct Selftest<'a> {
    design: &'a str,
    tb: &'a str,
    command: &'a str,
    lanes: u32,
    width_bits: u32,
    divider: u64,
    runs: u64,
    cycles: u64,
    patience: u64,
    reset_periods: u32,
}

/// `tb_D_selftest.sv`, `D_selftest.f` and `D_selftest.mk`, which the design's Makefile includes. `rtl_files` are the files of
/// `D_selftest` in the order in which tools should read them, `line` is the report of a run without error, and a bit of
/// the serial line lasts `divider` cycles.
pub fn render(plan: &Plan, width_bits: u32, divider: u64, line: &str, rtl_files: &[String]) -> Files {
    let design = plan.design_name(width_bits);
    let tb = format!("tb_{design}_selftest");
    let command = format!("frit generate {} -w {width_bits} --selftest", plan.arguments());
    // Ten bits a character, and a cycle between two of them.
    let report = (line.len() as u64 + 2) * (10 * divider + 1);
    let lanes = plan.network.lanes();
    // Two faults in each lane, four of the whole exchange, and a run after the last of them.
    let trials = u64::from(2 * lanes + 5);
    let values = Selftest {
        design: &design,
        tb: &tb,
        command: &command,
        lanes,
        width_bits,
        divider,
        runs: RUNS,
        cycles: plan.cycles(),
        patience: 2 * ((RUNS + 1) * report + (RUNS + trials) * (2 * plan.cycles() + 100)),
        reset_periods: plan.latency() + 2,
    };
    let values = context(&values);
    let files = rtl_files.iter().map(String::as_str).collect();
    let list =
        FileList { what: &format!("The files of {design}_selftest"), command: &command, files }.render();
    vec![
        (format!("{tb}.sv"), fill(include_str!("../testbench/selftest/tb.sv.tera"), &values)),
        (format!("{design}_selftest.f"), list),
        (
            format!("{design}_selftest.mk"),
            fill(include_str!("../testbench/selftest/selftest.mk.tera"), &values),
        ),
    ]
}

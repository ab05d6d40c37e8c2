//! The testbench of a streamed permutation, its table, file lists and Makefile.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::permute::{arguments, top_name};
use frit_permute::Streamed;
use frit_permute::script::{limit, phases, seed};
use serde::Serialize;
use std::fmt::Write;

/// A phase of [`frit_permute::script`].
#[derive(Serialize)]
struct Phase {
    beats: u64,
    /// -1: it ends when all beats have left.
    cut: i64,
    offering: u32,
    taking: u32,
    limit: u64,
    seed: String,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Design<'a> {
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    lanes: u32,
    width_bits: u32,
    cycles: u32,
    latency: u32,
    phases: Vec<Phase>,
}

/// The testbench side of a design with words of `width_bits` bits, its top being T = `D_permute`: `tb_T.sv`, `T_sources.memh`, the file
/// lists `T.f` (without testbench) and `T_tb.f`, and the Makefile. `rtl_files` are the names of the design's own files in the order in which tools should read them.
pub fn render(plan: &Streamed, width_bits: u32, rtl_files: &[String]) -> Files {
    let design = top_name(plan, width_bits);
    let tb = format!("tb_{design}");
    let command = command(plan, width_bits);
    let phase = |(at, phase): (usize, frit_permute::script::Phase)| Phase {
        beats: phase.beats,
        cut: phase.cut.map_or(-1, |cut| cut as i64),
        offering: phase.pace.offering,
        taking: phase.pace.taking,
        limit: limit(plan, phase),
        seed: format!("{:08x}", seed(at)),
    };
    let values = context(&Design {
        design: &design,
        top: &design,
        tb: &tb,
        command: &command,
        lanes: plan.lanes,
        width_bits,
        cycles: plan.cycles,
        latency: plan.latency(),
        phases: phases(plan).into_iter().enumerate().map(phase).collect(),
    });
    let mut files = vec![
        (format!("{tb}.sv"), fill(include_str!("../testbench/permute/tb.sv.tera"), &values)),
        (format!("{design}_sources.memh"), sources(plan)),
    ];
    files.extend(lists(&design, &command, rtl_files));
    files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
    files
}

/// The command that makes the files.
pub fn command(plan: &Streamed, width_bits: u32) -> String {
    format!("frit generate {}", arguments(plan, width_bits))
}

/// The number of the input word in each place of the output.
fn sources(plan: &Streamed) -> String {
    let mut text =
        String::from("// The number of the input word in each place of the output, place 0 first.\n");
    for source in plan.order.sources() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{source:08x}");
    }
    text
}

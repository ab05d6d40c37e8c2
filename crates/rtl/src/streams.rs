//! The testbench of `D_axis`, its file lists, and its part of the Makefile.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::{FileList, command};
use frit_cells::design::axis::{self, Streams};
use frit_schedule::Plan;
use serde::Serialize;

/// Exchanges of the testbench: both sets of memories are used twice.
pub const EXCHANGES: u32 = 4;
/// The seed of its order and pauses, unless another is given.
const SEED: u32 = 1;

/// What the templates are filled with.
#[derive(Serialize)]
struct Top<'a> {
    /// The top's name in the Makefile.
    name: &'a str,
    design: &'a str,
    top: &'a str,
    tb: &'a str,
    command: &'a str,
    terminals: u32,
    address_bits: u32,
    width_bits: u32,
    words: u32,
    sets: u32,
    lanes: u32,
    exchanges: u32,
    cycles: u64,
    limit: u64,
    seed: u32,
}

/// The testbench side of `D_axis`: `tb_D_axis.sv`, the file lists `D_axis.f` (without testbench) and `D_axis_tb.f`, and
/// `D_axis.mk`, which the Makefile of the design includes. `rtl_files` are the module's own files in the order in which
/// tools should read them.
pub fn render(plan: &Plan, width_bits: u32, streams: Streams, rtl_files: &[String]) -> Files {
    let design = plan.design_name(width_bits);
    let (top, command) = (format!("{design}_axis"), generator(plan, width_bits, Some(streams)));
    let tb = format!("tb_{top}");
    let cycles = axis::cycles(plan, streams);
    let words = u64::from(plan.network.terminals()) * u64::from(streams.words);
    let values = context(&Top {
        name: "axis",
        design: &design,
        top: &top,
        tb: &tb,
        command: &command,
        terminals: plan.network.terminals(),
        address_bits: plan.address_bits(),
        width_bits,
        words: streams.words,
        sets: streams.sets,
        lanes: plan.lanes_per_terminal(),
        exchanges: EXCHANGES,
        cycles,
        // Streams that pause as often as not, and some more.
        limit: u64::from(EXCHANGES) * 16 * (words + cycles + 16),
        seed: SEED,
    });
    let tb_file = format!("{tb}.sv");
    let list = |what: &str, last: Option<&str>| {
        let files = rtl_files.iter().map(String::as_str).chain(last).collect();
        FileList { what, command: &command, files }.render()
    };
    vec![
        (tb_file.clone(), fill(include_str!("../testbench/axis.sv.tera"), &values)),
        (format!("{top}.f"), list(&format!("The files of {top}"), None)),
        (format!("{top}_tb.f"), list(&format!("The files of {tb}"), Some(&tb_file))),
        (format!("{top}.mk"), fill(include_str!("../testbench/top.mk.tera"), &values)),
    ]
}

/// The command that gives the design again, with its streams if it has some.
pub fn generator(plan: &Plan, width_bits: u32, streams: Option<Streams>) -> String {
    let options = streams.map(|streams| streams.arguments()).unwrap_or_default();
    format!("{}{options}", command(plan, width_bits))
}

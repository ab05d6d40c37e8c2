//! The testbench of `D_axis`, its file lists, and its part of the Makefile.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::lists;
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
    /// The top's name in the Makefile, and a target for all tops of its kind.
    name: &'a str,
    kind: &'a str,
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

/// The testbench side of a top with streams, S = `D_axis_lLENGTH_bBUFFERS`: `tb_S.sv`, the file lists `S.f` (without testbench)
/// and `S_tb.f`, and `S.mk`, which the Makefile of the design includes. `rtl_files` are the module's own files in the order in which
/// tools should read them.
pub fn render(plan: &Plan, width_bits: u32, streams: Streams, rtl_files: &[String]) -> Files {
    let design = plan.design_name(width_bits);
    let (name, command) = (streams.suffix(), generator(plan, width_bits, Some(streams)));
    let top = format!("{design}_{name}");
    let tb = format!("tb_{top}");
    let cycles = axis::cycles(plan, streams);
    let words = u64::from(plan.network.terminals()) * u64::from(streams.words);
    let values = context(&Top {
        name: &name,
        kind: "axis",
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
    let mut files = vec![(format!("{tb}.sv"), fill(include_str!("../testbench/axis.sv.tera"), &values))];
    files.extend(lists(&top, &command, rtl_files));
    files.push((format!("{top}.mk"), fill(include_str!("../testbench/top.mk.tera"), &values)));
    files
}

/// The command that gives the design again, with its streams if it has some.
pub fn generator(plan: &Plan, width_bits: u32, streams: Option<Streams>) -> String {
    let options = streams.map(|streams| streams.arguments()).unwrap_or_default();
    format!("{}{options}", plan.command(width_bits))
}

//! The testbench of an exchange with another reset, its file lists, and its part of the Makefile.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::lists;
use frit_cells::design::reset::Reset;
use frit_cells::netlist::{Kind, Module, Netlist, Signal};
use frit_schedule::Plan;
use serde::Serialize;

/// Runs of an exchange for which the two are compared, at least.
const RUNS: u64 = 16;

/// The seed of inputs and resets, unless another is given.
const SEED: u32 = 1;

/// What the templates are filled with.
#[derive(Serialize)]
struct Top<'a> {
    name: &'a str,
    kind: &'a str,
    design: &'a str,
    top: &'a str,
    inner: &'a str,
    tb: &'a str,
    command: &'a str,
    reset: &'a str,
    asynchronous: bool,
    low: bool,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    cycles: u64,
    flush: u64,
    seed: u32,
}

#[derive(Serialize)]
struct Port {
    name: String,
    bits: u32,
    range: String,
}

impl Port {
    fn of(signal: &Signal) -> Port {
        let bits = signal.lanes * signal.width;
        let range = if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
        Port { name: signal.name.clone(), bits, range }
    }
}

/// The command that gives the exchange with this reset.
pub fn generator(plan: &Plan, width_bits: u32, reset: Reset) -> String {
    format!("{}{}", plan.command(width_bits), reset.arguments(Reset::OWN))
}

/// The testbench side of T, the top of `netlist`, an exchange with this reset: `tb_T.sv`, the file lists `T.f` and `T_tb.f`, and
/// `T.mk`, which the Makefile of the design includes. `rtl_files` are those of T in the order in which tools should read them.
pub fn render(plan: &Plan, width_bits: u32, reset: Reset, netlist: &Netlist, rtl_files: &[String]) -> Files {
    let (design, command) = (plan.design_name(width_bits), generator(plan, width_bits, reset));
    let top = &netlist.top().name;
    let tb = format!("tb_{top}");
    let flush = u64::from(plan.latency()) + 2 + u64::from(reset.delay());
    let values = context(&Top {
        name: top.strip_prefix(&format!("{design}_")).unwrap_or(top),
        kind: "reset",
        design: &design,
        top,
        inner: &format!("{design}_exchange"),
        tb: &tb,
        command: &command,
        reset: reset.port(),
        asynchronous: reset.asynchronous,
        low: reset.low,
        inputs: ports(netlist.top(), Kind::Input, reset),
        outputs: ports(netlist.top(), Kind::Output, reset),
        cycles: (RUNS * plan.message_cycles(1)).max(1000) + flush,
        flush,
        seed: SEED,
    });
    let mut files = vec![(format!("{tb}.sv"), fill(include_str!("../testbench/reset.sv.tera"), &values))];
    files.extend(lists(top, &command, rtl_files));
    files.push((format!("{top}.mk"), fill(include_str!("../testbench/top.mk.tera"), &values)));
    files
}

/// The ports of one direction, without clock and reset.
fn ports(module: &Module, kind: Kind, reset: Reset) -> Vec<Port> {
    let is_other = |signal: &&Signal| signal.name != "clk_i" && signal.name != reset.port();
    module.signals.iter().filter(|signal| signal.kind == kind).filter(is_other).map(Port::of).collect()
}

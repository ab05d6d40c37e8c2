//! The files of a dilated butterfly with packets, and what its testbench runs after them.

mod further;

use frit_cells::design::dilated::Hardware;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_model::dilated::Trace;
use frit_router::dilated::Packets;
use frit_rtl::Files;
use frit_rtl::dilated::{Expected, Run, package, render};
use frit_rtl::library::Sources;

/// The files of a design: cells (if they are not in a folder `library`), modules, testbench, tables, lists and Makefile. The testbench
/// runs these packets, then those of `further`.
pub fn design_files(
    packets: &Packets,
    hardware: &Hardware,
    netlist: &Netlist,
    style: Style,
    expected: &Trace,
    command: &str,
    library: Option<&str>,
) -> Vec<(String, String)> {
    let Sources { mut files, list } = Sources::new(netlist, style, library);
    let further = further::traffics(packets, expected);
    let first = Run { packets, expected: of_trace(expected), what: "the packets given" };
    let others = further.iter().map(|traffic| Run {
        packets: &traffic.packets,
        expected: of_trace(&traffic.trace),
        what: &traffic.what,
    });
    let runs: Vec<Run> = std::iter::once(first).chain(others).collect();
    files.extend(render(&runs, hardware, command, &list));
    files
}

/// The packages of a design whose files are there, and its datasheet.
pub fn package_files(
    packets: &Packets,
    hardware: &Hardware,
    netlist: &Netlist,
    expected: &Trace,
    command: &str,
    files: &Files,
    library: Option<&str>,
) -> Vec<(String, String)> {
    package::render(packets, hardware, netlist, of_trace(expected), command, files, library)
}

fn of_trace(trace: &Trace) -> Expected<'_> {
    let Trace { shunts, arrivals, steps, left, .. } = trace;
    Expected { shunts, arrivals, steps: *steps, last_step: trace.last_step(), left }
}

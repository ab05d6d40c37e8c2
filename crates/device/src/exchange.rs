//! The files of an exchange, of the tops around it, and of its self-test.

use frit_cells::design::axis::Streams;
use frit_cells::design::reset::Reset;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_network::Refusal;
use frit_rtl::library::Sources;
use frit_schedule::Plan;
use frit_traffic::Payload;

/// The files of a design: cells (if they are not in a folder `library`), tops, testbench, tables, lists and Makefile.
pub fn design_files(
    plan: &Plan,
    payload: &Payload,
    netlist: &Netlist,
    style: Style,
    library: Option<&str>,
) -> Result<Vec<(String, String)>, Refusal> {
    let Sources { mut files, list } = Sources::new(netlist, style, library);
    files.extend(frit_rtl::testbench::render(plan, payload.width_bits(), payload, &list)?);
    Ok(files)
}

/// The files of the design with streams ([`frit_cells::design::axis`]) whose netlist this is, beside [`design_files`].
pub fn stream_files(
    plan: &Plan,
    width_bits: u32,
    streams: Streams,
    netlist: &Netlist,
    style: Style,
    library: Option<&str>,
) -> Vec<(String, String)> {
    let Sources { mut files, list } = Sources::new(netlist, style, library);
    files.extend(frit_rtl::streams::render(plan, width_bits, streams, netlist.top(), &list));
    files
}

/// The files of the exchange with this reset whose netlist this is, beside [`design_files`].
pub fn reset_files(
    plan: &Plan,
    width_bits: u32,
    reset: Reset,
    netlist: &Netlist,
    style: Style,
    library: Option<&str>,
) -> Vec<(String, String)> {
    let Sources { mut files, list } = Sources::new(netlist, style, library);
    files.extend(frit_rtl::reset::render(plan, width_bits, reset, netlist, &list));
    files
}

/// The files of a self-test: its sources (but for cells in a folder `library`), and its testbench with file list and make targets.
pub fn selftest_files(
    plan: &Plan,
    width: u32,
    divider: u64,
    netlist: &Netlist,
    library: Option<&str>,
) -> Vec<(String, String)> {
    let Sources { mut files, list } = Sources::new(netlist, Style::Unrolled, library);
    files.extend(frit_rtl::selftest::render(plan, width, divider, &list));
    files
}

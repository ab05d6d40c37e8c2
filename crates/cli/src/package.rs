//! The files of a design for other build tools, with the figures that only `frit compare` and `frit synth` know.

use crate::compare::column::figures;
use crate::compare::table::entry;
use frit_cells::netlist::Netlist;
use frit_cosim::synth::Floor;
use frit_rtl::datasheet::Facts;
use frit_rtl::{Files, package as rtl};
use frit_schedule::Plan;

/// The package of the design that `files` are of.
pub fn package(plan: &Plan, netlist: &Netlist, width: u32, files: &Files) -> Files {
    let cells =
        figures(&entry(plan)).map(|(column, cell)| (column.head.to_string(), cell.text("-"))).collect();
    let floor = Floor::of_fabric(plan, width);
    rtl::render(plan, netlist, width, files, &Facts { row: cells, floor: (floor.luts, floor.ffs) })
}

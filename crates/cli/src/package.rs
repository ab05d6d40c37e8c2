//! The files of a design for other build tools, with the figures that only `frit compare` and `frit synth` know.

use crate::compare::column::figures;
use crate::compare::table::entry;
use anyhow::Result;
use frit_cells::design::axis::{self, Streams};
use frit_cells::netlist::Netlist;
use frit_cosim::synth::Floor;
use frit_rtl::datasheet::Facts;
use frit_rtl::{Files, package as rtl, streams};
use frit_schedule::Plan;
use serde_json::{Value, json};

/// The package of the design that `files` are of, with words of `width` bits, of its form with `streams`, and of its
/// `selftest`.
pub fn package(
    plan: &Plan,
    netlist: &Netlist,
    width: u32,
    streams: Option<Streams>,
    selftest: Option<&Netlist>,
    files: &Files,
) -> Result<Files> {
    let with_streams = streams.map(|streams| axis::build(plan, width, streams)).transpose()?;
    let modules: Vec<_> =
        [netlist].into_iter().chain(&with_streams).chain(selftest).map(Netlist::top).collect();
    let cells =
        figures(&entry(plan)).map(|(column, cell)| (column.head.to_string(), cell.text("-"))).collect();
    let floor = Floor::of_fabric(plan, width);
    let facts = Facts {
        command: streams::generator(plan, width, streams)
            + if selftest.is_some() { " --selftest" } else { "" },
        row: cells,
        floor: (floor.luts, floor.ffs),
    };
    Ok(rtl::render(plan, &modules, width, files, &facts))
}

/// What the testbench of another language must know of `D_axis`.
pub fn about_streams(plan: &Plan, width: u32, asked: Streams, files: &Files) -> Value {
    let name = plan.design_name(width);
    let top = rtl::Top::of(&name, &format!("{name}_axis"), files);
    json!({
        "module": top.module, "files": top.rtl, "terminals": plan.network.terminals(), "width": width,
        "address_bits": plan.address_bits(), "words": asked.words, "sets": asked.sets,
        "cycles": axis::cycles(plan, asked),
    })
}

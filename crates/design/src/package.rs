//! The files of a design for other build tools, with the figures that only `frit compare` and `frit synth` know.

use crate::compare::column::figures;
use crate::compare::table::entry;
use frit_cells::design::axis::{self, Bundles, Face, Streams};
use frit_cells::design::reset::clock_and_reset;
use frit_cells::netlist::Module;
use frit_cells::registers::{REGISTERS, Register};
use frit_device::floor::Floor;
use frit_rtl::datasheet::Facts;
use frit_rtl::top::Top;
use frit_rtl::{Files, package as rtl};
use frit_schedule::Plan;
use serde_json::{Value, json};

/// The package of the design that `files` are of, with words of `width` bits: its tops `modules`, written by `command`; `cells`
/// is the folder of the cells that designs share, if it shares some.
pub fn package(
    plan: &Plan,
    modules: &[&Module],
    width: u32,
    command: String,
    cells: Option<&str>,
    files: &Files,
) -> Files {
    let row = figures(&entry(plan, Some(width)));
    let cells = cells.map(String::from);
    rtl::render(plan, modules, width, files, &Facts { command, cells, row, floor: floor(plan, width) })
}

/// The fewest look-up tables (of four inputs) and flip-flops that do the work of the fabric.
pub fn floor(plan: &Plan, width: u32) -> (u64, u64) {
    let floor = Floor::of_fabric(plan, width);
    (floor.luts, floor.ffs)
}

/// What the testbench of another language must know of `D_axis`.
pub fn about_streams(plan: &Plan, width: u32, asked: Streams, files: &Files) -> Value {
    let name = plan.design_name(width);
    let top = Top::of(&name, &format!("{name}_{}", asked.suffix()), files);
    json!({
        "module": top.module, "files": top.rtl, "terminals": plan.network.terminals(), "width": width,
        "address_bits": plan.address_bits(), "words": asked.words, "sets": asked.sets,
        "cycles": axis::cycles(plan, asked), "period": axis::period(plan, asked),
        "period_of_two_sets": axis::period(plan, Streams { sets: 2, ..asked }), "bundles": about_bundles(plan, width, asked),
    })
}

/// The ports of a top whose streams are bundles; null for vectors.
fn about_bundles(plan: &Plan, width: u32, asked: Streams) -> Value {
    let Face::Bundles(bundles) = asked.face else { return Value::Null };
    let [clock, reset] = clock_and_reset(bundles.reset);
    json!({
        "data_bits": bundles.data_bits, "keep": bundles.keep, "user_bits": bundles.user_bits,
        "clock": clock, "reset": reset, "registers": about_registers(plan, width, asked, bundles),
    })
}

/// Address and, if it is a constant, value of each register; null if there are none.
fn about_registers(plan: &Plan, width: u32, asked: Streams, bundles: Bundles) -> Value {
    if !bundles.registers {
        return Value::Null;
    }
    let constants = axis::constants(plan, width, asked, bundles);
    let about = |register: &Register| {
        let value = json!({ "address": register.address, "value": constants.of(register.name) });
        (register.name.to_string(), value)
    };
    Value::Object(REGISTERS.iter().map(about).collect())
}

//! The testbench `tb_D_units` of the modules and cells of a routed system one by one, with file list and make targets.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::FileList;
use crate::top::listed;
use frit_cells::units::{BLOCKS, PERIODS, Port, SEED, Unit};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// What the templates are filled with.
#[derive(Serialize)]
struct UnitValues<'a> {
    name: &'a str,
    design: &'a str,
    tb: &'a str,
    command: &'a str,
    periods: u32,
    drawn_blocks: u32,
    seed: String,
    /// How many units are modules and cells, and how many are the wires of a module.
    plain: usize,
    wires: usize,
    units: Vec<Entry<'a>>,
}

/// A module or cell in the templates.
#[derive(Serialize)]
struct Entry<'a> {
    number: usize,
    module: &'a str,
    parameters: String,
    clocked: bool,
    /// Whether it is the wires of a module.
    wires: bool,
    pins: String,
    /// Outputs of its instances that are forced, and inputs of its instances that are looked at.
    forced: Vec<Inner>,
    seen: Vec<Inner>,
    /// Bits of all inputs, and of all outputs.
    inputs: u32,
    outputs: u32,
    moods: usize,
    given: Vec<Piece>,
    shown: Vec<Piece>,
    first: u32,
    signatures: Vec<String>,
}

/// A port of an instance in a unit, and its bits.
#[derive(Serialize)]
struct Inner {
    path: String,
    slice: String,
    bits: u32,
}

/// Up to 32 bits of a port.
#[derive(Serialize)]
struct Piece {
    slice: String,
    bits: u32,
    mood: usize,
    reset: bool,
}

/// `tb_D_units.sv`, its file list and its make targets, which the Makefile of D includes; `files` has the list of D. Nothing without units.
pub fn render(design: &str, command: &str, units: &[Unit], files: &Files) -> Files {
    let rtl = listed(files, &format!("{design}.f"));
    // The text of a compact module has no instances of some cells of its netlist, so the design does not list their files.
    let modules = modules(&rtl, files);
    let units: Vec<&Unit> = units.iter().filter(|unit| modules.contains(unit.module.as_str())).collect();
    if units.is_empty() {
        return Vec::new();
    }
    let name = format!("{design}_units");
    let tb = format!("tb_{name}");
    let values = context(&UnitValues {
        name: &name,
        design,
        tb: &tb,
        command,
        periods: PERIODS,
        drawn_blocks: BLOCKS,
        seed: format!("{SEED:08x}"),
        plain: units.iter().filter(|unit| !unit.wires).count(),
        wires: units.iter().filter(|unit| unit.wires).count(),
        units: units.iter().enumerate().map(|(number, unit)| entry(number, unit)).collect(),
    });
    let bench = format!("{tb}.sv");
    // Without the checks of the cells: they are about inputs that a network gives.
    let files = rtl.iter().map(String::as_str).chain([bench.as_str()]).collect();
    let list = FileList { what: &format!("The files of {tb}"), command, files, checks: None }.render();
    vec![
        (bench.clone(), fill(include_str!("../testbench/units.sv.tera"), &values)),
        (format!("{name}.f"), list),
        (format!("{name}.mk"), fill(include_str!("../testbench/units.mk.tera"), &values)),
    ]
}

/// The modules of a design: one file may have them all, and those of a library are called as their files.
fn modules<'a>(rtl: &'a [String], files: &'a Files) -> BTreeSet<&'a str> {
    let own = files.iter().filter(|(name, _)| rtl.contains(name)).flat_map(|(_, text)| text.lines());
    let own = own.filter_map(|line| line.strip_prefix("module ")?.split([' ', '(']).next());
    own.chain(rtl.iter().filter_map(|path| Path::new(path).file_stem()?.to_str())).collect()
}

fn entry(number: usize, unit: &Unit) -> Entry<'_> {
    let parameters: Vec<String> =
        unit.parameters.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let clock = if unit.wires { "1'b0".into() } else { format!("clk_{number}") };
    let mut pins: Vec<String> = unit.clocked.then(|| format!(".clk_i({clock})")).into_iter().collect();
    let mut connect = |ports: &[Port], side: &str| {
        let (mut low, mut inner) = (0, Vec::new());
        for Port { name, bits } in ports {
            let slice = format!("{low} +: {bits}");
            match name.contains('.') {
                true => inner.push(Inner { path: format!("u_unit_{number}.{name}"), slice, bits: *bits }),
                false => pins.push(format!(".{name}({side}_{number}[{slice}])")),
            }
            low += bits;
        }
        inner
    };
    // The inputs that have one mood, and outputs that are taken together.
    let of = |ports: &[Port]| match unit.wires {
        true => vec![Port { name: "all".into(), bits: ports.iter().map(|port| port.bits).sum() }],
        false => ports.to_vec(),
    };
    let (forced, seen) = (connect(&unit.inputs, "in"), connect(&unit.outputs, "out"));
    Entry {
        number,
        module: &unit.module,
        parameters: parameters.join(", "),
        clocked: unit.clocked && !unit.wires,
        wires: unit.wires,
        pins: pins.join(",\n    "),
        forced,
        seen,
        inputs: unit.inputs.iter().map(|port| port.bits).sum(),
        outputs: unit.outputs.iter().map(|port| port.bits).sum(),
        moods: if unit.wires { 0 } else { unit.inputs.len() },
        given: pieces(&of(&unit.inputs)),
        shown: pieces(&of(&unit.outputs)),
        first: unit.first,
        signatures: unit.signatures.iter().map(|signature| format!("{signature:016x}")).collect(),
    }
}

/// The bits of ports side by side in pieces of up to 32 bits.
fn pieces(ports: &[Port]) -> Vec<Piece> {
    let (mut low, mut pieces) = (0, Vec::new());
    for (mood, port) in ports.iter().enumerate() {
        for from in (0..port.bits).step_by(32) {
            let bits = (port.bits - from).min(32);
            let slice = format!("{} +: {bits}", low + from);
            pieces.push(Piece { slice, bits, mood, reset: port.name == "rst_i" });
        }
        low += port.bits;
    }
    pieces
}

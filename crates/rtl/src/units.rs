//! The testbench `tb_D_units` of the modules and cells of a routed system one by one, with file list and make targets.

use crate::Files;
use crate::template::{context, fill};
use crate::testbench::FileList;
use crate::top::listed;
use frit_cells::units::{PERIODS, Port, SEED, Unit};
use serde::Serialize;

/// What the templates are filled with.
#[derive(Serialize)]
struct Bench<'a> {
    name: &'a str,
    design: &'a str,
    tb: &'a str,
    command: &'a str,
    periods: u32,
    seed: String,
    blocks: usize,
    units: Vec<Entry<'a>>,
}

/// A module or cell in the templates.
#[derive(Serialize)]
struct Entry<'a> {
    number: usize,
    module: &'a str,
    parameters: String,
    clocked: bool,
    pins: String,
    /// Bits of all inputs, and of all outputs.
    inputs: u32,
    outputs: u32,
    /// Number of inputs.
    moods: usize,
    given: Vec<Piece>,
    shown: Vec<Piece>,
    first: u32,
    signatures: Vec<String>,
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
    if units.is_empty() {
        return Vec::new();
    }
    let name = format!("{design}_units");
    let tb = format!("tb_{name}");
    let values = context(&Bench {
        name: &name,
        design,
        tb: &tb,
        command,
        periods: PERIODS,
        seed: format!("{SEED:08x}"),
        blocks: units.iter().map(|unit| unit.signatures.len() - unit.first as usize).sum(),
        units: units.iter().enumerate().map(|(number, unit)| entry(number, unit)).collect(),
    });
    let bench = format!("{tb}.sv");
    // Without the checks of the cells: they are about inputs that a network gives.
    let rtl = listed(files, &format!("{design}.f"));
    let files = rtl.iter().map(String::as_str).chain([bench.as_str()]).collect();
    let list = FileList { what: &format!("The files of {tb}"), command, files, checks: None }.render();
    vec![
        (bench.clone(), fill(include_str!("../testbench/units.sv.tera"), &values)),
        (format!("{name}.f"), list),
        (format!("{name}.mk"), fill(include_str!("../testbench/units.mk.tera"), &values)),
    ]
}

fn entry(number: usize, unit: &Unit) -> Entry<'_> {
    let parameters: Vec<String> =
        unit.parameters.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let mut pins: Vec<String> = unit.clocked.then(|| format!(".clk_i(clk_{number})")).into_iter().collect();
    for (ports, side) in [(&unit.inputs, "in"), (&unit.outputs, "out")] {
        let mut low = 0;
        for port in ports {
            pins.push(format!(".{}({side}_{number}[{low} +: {}])", port.name, port.bits));
            low += port.bits;
        }
    }
    Entry {
        number,
        module: &unit.module,
        parameters: parameters.join(", "),
        clocked: unit.clocked,
        pins: pins.join(",\n    "),
        inputs: unit.inputs.iter().map(|port| port.bits).sum(),
        outputs: unit.outputs.iter().map(|port| port.bits).sum(),
        moods: unit.inputs.len(),
        given: pieces(&unit.inputs),
        shown: pieces(&unit.outputs),
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

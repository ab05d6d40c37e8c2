//! Cells whose inputs have their value from their declaration and never change, as those of a user's testbench or of an input that is tied
//! off. An event-driven simulator then runs no block that waits for a change.

use crate::common;

use common::{Rig, parameters, run, tool, tools_found, variants};
use frit_cells::cell::Dir;
use frit_cells::cells::{CellSpec, RoundDelaySpec};
use frit_cells::netlist::print::cell_file;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Clock periods of the reset, and after it.
const RESET: usize = 6;
const AFTER: usize = 8;

/// What every input but clocks and resets has: the bits, repeated.
const PATTERNS: [u64; 3] = [0, u64::MAX, 0x5a5a_a5a5_3c3c_c3c3];

/// Ports that show a word of a memory before one is written, or a register without a reset before an input has loaded it: both hold
/// anything, under rust-hdl zeros. A known value must be the right one there, too.
const ANYTHING: [&str; 16] = [
    "frit_axis_drain.tdata_o",
    "frit_axis_marks.marked_o",
    "frit_bank_memory.data_o",
    "frit_fifo.data_o",
    "frit_meeting_memory.data_o",
    "frit_message_drain.source_o",
    "frit_message_drain.tid_o",
    "frit_message_memory.data_o",
    "frit_message_queue.data_o",
    "frit_pair_counter.stored_o",
    "frit_program_memory.data_o",
    "frit_schedule_word.data_o",
    "frit_short_table.data_o",
    "frit_side_size.request_o",
    "frit_side_size.small_o",
    "frit_turn_memory.data_o",
];

/// Whether a difference is an unknown value where anything may be.
fn may_be(line: &str) -> bool {
    let port = line.split(' ').nth(2).unwrap_or_default();
    let got = line.rsplit(' ').next().unwrap_or_default();
    got.contains('x') && ANYTHING.contains(&port)
}

fn is_reset(name: &str) -> bool {
    matches!(name, "rst_i" | "arst_i")
}

/// A module around a cell: its inputs declared, its outputs compared with those of rust-hdl.
fn bench(at: usize, spec: &CellSpec, pattern: u64) -> String {
    let mut rig = Rig::new(spec);
    let ports = rig.ports.clone();
    let value = |width: u32| pattern & (u64::MAX >> (64 - width));
    let (mut declared, mut pins, mut checks) = (String::new(), Vec::new(), String::new());
    for port in &ports {
        let range = format!("[{}:0]", port.width - 1);
        match (port.dir, port.name) {
            (_, "clk_i") => pins.push(".clk_i(clk)".to_string()),
            (_, name) if is_reset(name) => pins.push(format!(".{name}(rst)")),
            (Dir::In, name) => {
                let _ = writeln!(declared, "  logic {range} {name} = {}'d{};", port.width, value(port.width));
                pins.push(format!(".{name}({name})"));
            }
            (Dir::Out, name) => {
                let _ = writeln!(declared, "  wire {range} {name};");
                pins.push(format!(".{name}({name})"));
            }
        }
    }
    let mut expected: Vec<Vec<u64>> = Vec::new();
    for cycle in 0..RESET + AFTER {
        for port in ports.iter().filter(|port| port.dir == Dir::In && port.name != "clk_i") {
            let held = if cycle < RESET { 1 } else { 0 };
            rig.set(port.name, if is_reset(port.name) { held } else { value(port.width) });
        }
        rig.settle();
        let outputs = ports.iter().filter(|port| port.dir == Dir::Out);
        expected.push(outputs.map(|port| rig.get(port.name)).collect());
        if rig.is_clocked() {
            rig.clock();
        }
    }
    for (cycle, row) in expected.iter().enumerate().skip(RESET) {
        let outputs = ports.iter().filter(|port| port.dir == Dir::Out);
        for (port, value) in outputs.zip(row) {
            let _ = writeln!(
                checks,
                "    if (cycle == {cycle} && {name} !== {w}'d{value}) $display(\"cell {at} {module}.{name} pattern {pattern:x} cycle {cycle}: expected %b, got %b\", {w}'d{value}, {name});",
                name = port.name,
                module = spec.module(),
                w = port.width
            );
        }
    }
    format!(
        "module bench_{at} (input wire clk, input wire rst, input wire sample, input wire [31:0] cycle);\n{declared}  {} #({}) u_cell ({});\n  always @(posedge sample) begin\n{checks}  end\nendmodule\n",
        spec.module(),
        parameters(spec),
        pins.join(", ")
    )
}

/// The differences that Icarus reports; `change` may alter a module's text.
fn differences(specs: &[CellSpec], change: impl Fn(&str, String) -> String) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let (mut text, mut instances, mut files) = (String::new(), String::new(), BTreeSet::new());
    for (at, (spec, pattern)) in
        specs.iter().flat_map(|spec| PATTERNS.map(|pattern| (spec, pattern))).enumerate()
    {
        text += &bench(at, spec, pattern);
        let _ = writeln!(instances, "  bench_{at} b_{at} (clk, rst, sample, cycle);");
        let file = cell_file(spec);
        std::fs::write(folder.path().join(&file.name), change(&spec.module(), file.text)).unwrap();
        files.insert(file.name);
    }
    let _ = write!(
        text,
        "module tb;\n  reg clk = 0, rst = 1, sample = 0;\n  integer cycle = 0;\n{instances}  initial begin\n    repeat ({}) begin\n      rst = cycle < {RESET};\n      #1 sample = 1;\n      #1 clk = 1;\n      #1 sample = 0;\n      cycle = cycle + 1;\n      #1 clk = 0;\n    end\n    $display(\"END\");\n    $finish;\n  end\nendmodule\n",
        RESET + AFTER
    );
    simulated(folder.path(), &text, files)
}

fn simulated(folder: &Path, text: &str, files: BTreeSet<String>) -> Vec<String> {
    std::fs::write(folder.join("tb.sv"), text).unwrap();
    run(tool("iverilog", folder).args(["-g2012", "-s", "tb", "-o", "tb.vvp", "tb.sv"]).args(files));
    let log = run(tool("vvp", folder).args(["-n", "tb.vvp"]));
    assert!(log.contains("END"), "{log}");
    log.lines().filter(|line| line.starts_with("cell ")).map(String::from).collect()
}

#[test]
fn a_cell_is_right_if_its_inputs_never_change() {
    if !tools_found(&["iverilog", "vvp"]) {
        return;
    }
    let specs = variants();
    let found: Vec<String> =
        differences(&specs, |_, text| text).into_iter().filter(|line| !may_be(line)).collect();
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_block_that_waits_for_a_change_is_found() {
    if !tools_found(&["iverilog", "vvp"]) {
        return;
    }
    let waits = |_: &str, text: String| {
        let changed = text
            .replace(
                "  always @(posedge clk_i)",
                "  reg round_d;\n  always @(*) round_d = round_i;\n  always @(posedge clk_i)",
            )
            .replace("round_q <= round_i", "round_q <= round_d");
        assert_ne!(changed, text);
        changed
    };
    let found = differences(&[RoundDelaySpec { bits: 1 }.into()], waits);
    assert!(
        found.iter().any(|line| line.contains("frit_round_delay.round_o") && line.ends_with("got x")),
        "{found:?}"
    );
}

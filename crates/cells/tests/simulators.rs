//! The printed cells do in simulators what they do in rust-hdl, cycle by cycle, and linters say nothing about them.

use crate::common;

use common::{Rig, every, memory, parameters, run, text_of, tool, tools_found, variants};
use frit_cells::cell::{CellPort, Dir};
use frit_cells::cells::{CellSpec, NextBitTableSpec, SwitchSpec};
use frit_cells::netlist::print::cell_file;
use frit_schedule::de_bruijn::DeBruijn;
use frit_traffic::random::SplitMix64;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const CYCLES: usize = 300;

/// A cell's random inputs and what rust-hdl answers, as bits, the last port first.
struct Recording {
    spec: CellSpec,
    ports: Vec<CellPort>,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

fn is_clock(port: &CellPort) -> bool {
    port.name == "clk_i"
}

fn bits(value: u64, port: &CellPort) -> String {
    format!("{value:064b}").split_off(64 - port.width as usize)
}

fn record(spec: &CellSpec, random: &mut SplitMix64) -> Recording {
    let mut rig = Rig::new(spec);
    let ports = rig.ports.clone();
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for cycle in 0..CYCLES {
        let (mut row_in, mut row_out) = (String::new(), String::new());
        let in_reset = cycle < 2 || (120..122).contains(&cycle) || cycle == 250;
        for port in ports.iter().rev().filter(|port| port.dir == Dir::In && !is_clock(port)) {
            let value = match port.name {
                "rst_i" => in_reset as u64,
                // It comes at any time, but not always.
                "arst_i" => u64::from(in_reset || random.next().is_multiple_of(16)),
                // Where a FIFO would write before its first reset is anybody's guess.
                "push_i" if cycle == 0 => 0,
                // A register without reset holds something from the first time on that it is set.
                "set_i" | "advance_i" | "take_i" | "read_i" | "move_i" if cycle == 0 => 1,
                _ => random.next(),
            };
            let value = value & (u64::MAX >> (64 - port.width));
            rig.set(port.name, value);
            row_in += &bits(value, port);
        }
        rig.settle();
        for port in ports.iter().rev().filter(|port| port.dir == Dir::Out) {
            row_out += &bits(rig.get(port.name), port);
        }
        if rig.is_clocked() {
            rig.clock();
        }
        inputs.push(row_in);
        outputs.push(row_out);
    }
    Recording { spec: spec.clone(), ports, inputs, outputs }
}

fn recordings(specs: &[CellSpec]) -> Vec<Recording> {
    let mut random = SplitMix64(20);
    specs.iter().map(|spec| record(spec, &mut random)).collect()
}

/// The instance of a cell in the testbench, its ports slices of two vectors.
fn instance(at: usize, recording: &Recording) -> String {
    let mut offsets = BTreeMap::from([("in", 0), ("out", 0)]);
    let mut pins = Vec::new();
    for port in &recording.ports {
        if is_clock(port) {
            pins.push(".clk_i(clk)".to_string());
            continue;
        }
        let side = if port.dir == Dir::In { "in" } else { "out" };
        let offset = offsets.entry(side).or_default();
        pins.push(format!(".{}({side}_{at}[{offset} +: {}])", port.name, port.width));
        *offset += port.width;
    }
    format!(
        "  reg [{i}:0] in_{at}, given_{at} [0:{last}];
  wire [{o}:0] out_{at};
  reg [{o}:0] expected_{at} [0:{last}];
  {module} #({parameters}) u_{at} ({pins});
",
        i = recording.inputs[0].len() - 1,
        o = recording.outputs[0].len() - 1,
        last = CYCLES - 1,
        module = recording.spec.module(),
        parameters = parameters(&recording.spec),
        pins = pins.join(", "),
    )
}

/// A testbench that plays all recordings side by side and prints PASS or the places that differ.
fn testbench(recordings: &[Recording]) -> String {
    let mut text = String::from("module tb;\n  reg clk = 0;\n  integer cycle, word, failures = 0;\n");
    let (mut load, mut drive, mut check) = (String::new(), String::new(), String::new());
    for (at, recording) in recordings.iter().enumerate() {
        text += &instance(at, recording);
        let _ = writeln!(load, "    $readmemb(\"in_{at}.txt\", given_{at});");
        let _ = writeln!(load, "    $readmemb(\"out_{at}.txt\", expected_{at});");
        if let Some((name, address_bits)) = memory(&recording.spec) {
            // A memory holds anything until it is written; rust-hdl's holds zeros.
            let last = (1 << address_bits) - 1;
            let _ = writeln!(
                load,
                "    for (word = 0; word <= {last}; word = word + 1) u_{at}.{name}[word] = 0;"
            );
        }
        if matches!(recording.spec, CellSpec::ScheduleWord(_)) {
            // Nor has this register a reset, and it keeps what it holds.
            let _ = writeln!(load, "    u_{at}.word_q = 0;");
        }
        let _ = writeln!(drive, "      in_{at} = given_{at}[cycle];");
        // Before the first edge registers hold anything, and so does what a memory is read with at that edge.
        // Marks are written from then on, at addresses that are not known before.
        let settled = match recording.spec {
            // Two registers of a synchroniser have no reset.
            CellSpec::AxisMarks(_) | CellSpec::ResetSync(_) => 2,
            // Words pass two registers without a reset, or three.
            CellSpec::AxisDrain(_) | CellSpec::WideSwitch(_) => 2,
            CellSpec::AxisLoad(_) => 3,
            CellSpec::MessageInput(_) => 1,
            // The source of a word is not reset, and keeps until one is read.
            CellSpec::MessageDrain(_) => 8,
            _ => u32::from(memory(&recording.spec).is_some()),
        };
        let _ = writeln!(
            check,
            "      if (cycle > {settled} && out_{at} !== expected_{at}[cycle]) begin
        failures = failures + 1;
        $display(\"cell {at} cycle %0d: expected %b, got %b\", cycle, expected_{at}[cycle], out_{at});
      end"
        );
    }
    let _ = write!(
        text,
        "  initial begin
{load}    for (cycle = 0; cycle < {CYCLES}; cycle = cycle + 1) begin
{drive}      #1;
{check}      clk = 1; #1;
      clk = 0; #1;
    end
    if (failures == 0) $display(\"PASS\");
    $finish;
  end
endmodule
"
    );
    text
}

/// Writes testbench, stimulus and one file per module; returns the names of the Verilog files.
fn write_files(recordings: &[Recording], folder: &Path) -> Vec<String> {
    std::fs::write(folder.join("tb.v"), testbench(recordings)).unwrap();
    let mut names = vec!["tb.v".to_string()];
    for (at, recording) in recordings.iter().enumerate() {
        std::fs::write(folder.join(format!("in_{at}.txt")), recording.inputs.join("\n")).unwrap();
        std::fs::write(folder.join(format!("out_{at}.txt")), recording.outputs.join("\n")).unwrap();
        let file = cell_file(&recording.spec);
        if !names.contains(&file.name) {
            std::fs::write(folder.join(&file.name), &file.text).unwrap();
            names.push(file.name);
        }
    }
    names
}

fn icarus(recordings: &[Recording]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let files = write_files(recordings, folder.path());
    run(tool("iverilog", folder.path()).args(["-g2005", "-s", "tb", "-o", "tb.vvp"]).args(files));
    run(tool("vvp", folder.path()).args(["-n", "tb.vvp"]))
}

#[test]
fn icarus_agrees_with_rust_hdl() {
    if !tools_found(&["iverilog", "vvp"]) {
        return;
    }
    let recordings = recordings(&variants());
    let log = icarus(&recordings);
    assert!(log.contains("PASS"), "{log}");
    for Recording { spec, outputs, .. } in &recordings {
        assert!(outputs.iter().any(|row| *row != outputs[CYCLES - 1]), "{spec:?}: nothing happened");
    }
}

#[test]
fn a_wrong_bit_is_found_in_its_cycle() {
    if !tools_found(&["iverilog", "vvp"]) {
        return;
    }
    let mut recordings = recordings(&variants());
    let row = &mut recordings[4].outputs[200];
    let flipped = if row.pop() == Some('0') { '1' } else { '0' };
    row.push(flipped);
    let log = icarus(&recordings);
    assert!(!log.contains("PASS") && log.contains("cell 4 cycle 200:"), "{log}");
    assert_eq!(log.matches("expected").count(), 1, "{log}");
}

#[test]
fn verilator_agrees_with_rust_hdl() {
    if !tools_found(&["verilator"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let files = write_files(&recordings(&every(&variants(), 8)), folder.path());
    run(tool("verilator", folder.path())
        .args(["--binary", "--timing", "-j", "2", "-O0", "-Wno-lint", "-Wno-style", "--top-module", "tb"])
        // As `frit verify` does, so that Verilator's own library is compiled once for all.
        .args(["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"])
        .args(["--Mdir", "obj", "-o", "tb"])
        .args(files));
    let log = run(std::process::Command::new(folder.path().join("obj/tb")).current_dir(folder.path()));
    assert!(log.contains("PASS"), "{log}");
}

/// A module of nothing but the cell with its parameters set.
fn wrapper(spec: &CellSpec) -> String {
    let ports = spec.ports();
    let declared: Vec<String> = ports
        .iter()
        .map(|port| {
            let direction = if port.dir == Dir::In { "input" } else { "output" };
            let range = if port.width == 1 { String::new() } else { format!("[{}:0] ", port.width - 1) };
            format!("{direction} wire {range}{}", port.name)
        })
        .collect();
    let pins: Vec<String> = ports.iter().map(|port| format!(".{0}({0})", port.name)).collect();
    format!(
        "module wrapper ({});\n  {} #({}) u_cell ({});\nendmodule\n",
        declared.join(", "),
        spec.module(),
        parameters(spec),
        pins.join(", ")
    )
}

#[test]
fn linters_are_silent() {
    if !tools_found(&["verilator", "iverilog"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for spec in every(&variants(), 5) {
        let file = cell_file(&spec);
        std::fs::write(folder.path().join(&file.name), &file.text).unwrap();
        std::fs::write(folder.path().join("wrapper.v"), wrapper(&spec)).unwrap();
        // The file alone, and with these parameters.
        for files in [vec![file.name.as_str()], vec!["wrapper.v", &file.name]] {
            let mut commands = [tool("verilator", folder.path()), tool("iverilog", folder.path())];
            commands[0].args(["--lint-only", "-Wall"]).args(&files);
            commands[1].args(["-g2005", "-Wall", "-t", "null"]).args(&files);
            for command in &mut commands {
                let text = run(command);
                // Verilator's own statistics are no message about the file.
                let message = text.lines().find(|line| !line.is_empty() && !line.starts_with("- "));
                assert_eq!(message, None, "{spec:?}: {command:?}:\n{text}");
            }
        }
    }
}

#[test]
fn the_table_of_a_large_order_is_read() {
    if !tools_found(&["verilator", "iverilog"]) {
        return;
    }
    // As a literal of 16384 digits it was too long for Icarus, and of 32768 for Verilator.
    let sequence = DeBruijn::prefer_one(17).unwrap();
    let file = cell_file(&NextBitTableSpec::of(&sequence, "prefer_one").into());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(&file.name), &file.text).unwrap();
    run(tool("verilator", folder.path()).args(["--lint-only", "-Wall", &file.name]));
    run(tool("iverilog", folder.path()).args(["-g2005", "-Wall", "-t", "null", &file.name]));
}

#[test]
fn linters_are_not_silent_about_a_latch_and_a_width() {
    if !tools_found(&["verilator"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = cell_file(&CellSpec::from(SwitchSpec { width: 8 })).text;
    for (from, to, message) in [
        (
            "assign data0_o = data0_q;",
            "reg [W-1:0] latch;\n  always @(*) if (valid0_q) latch = data0_q;\n  assign data0_o = latch;",
            "LATCH",
        ),
        ("data0_q <= data1_i", "data0_q <= {data1_i, 1'b0}", "WIDTHTRUNC"),
    ] {
        std::fs::write(folder.path().join("frit_switch.v"), text.replacen(from, to, 1)).unwrap();
        let output =
            tool("verilator", folder.path()).args(["--lint-only", "-Wall", "frit_switch.v"]).output();
        let text = text_of(&output.unwrap());
        assert!(text.contains(message), "{message} is not in\n{text}");
    }
}

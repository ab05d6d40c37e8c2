//! Every kind of top with inputs that have their value from their declaration and never change: nothing but words that nobody has sent is
//! unknown after the reset, under Icarus, which runs a block only when a signal that it reads changes.

use crate::common;

use common::{have, run, some};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Designs, and the module that a user instantiates.
const DESIGNS: [(&str, &str); 18] = [
    ("transpose -n 4 --rows 8 -w 8", "_permute"),
    ("benes -n 4 -w 8 --crossbar", "_crossbar"),
    ("rls -n 4 -w 8 --axis --port-style axis --axil", "_ports_axil"),
    ("gsen -n 6 -w 8", "_exchange"),
    ("rls -n 8 -w 8 --fabric-style compact", "_exchange"),
    ("benes -n 4 -w 8 --demand examples/demand4.csv --entries 8", "_loaded"),
    ("benes -n 4 -w 8 --demand examples/demand4.csv --entries 8 --axis", "_l5_axis"),
    ("dilated -n 4", "_route"),
    ("multibutterfly -n 4", "_route"),
    ("rls -n 4 -w 8 --selftest", "_selftest_d104"),
    ("obf -n 4 -w 8 --axis", "_axis_l1_b1"),
    ("gsen --algorithm latin -n 6 -w 8 --fabric-style compact", "_exchange"),
    ("transpose -n 2 -w 8 --set dims=runtime --rows 4 --cols 8", "_permute"),
    ("permute -n 4 -w 8 --kind bitrev --set words=32", "_permute"),
    ("xor -n 8 -w 8", "_exchange"),
    ("transpose -n 4 --rows 8 -w 8 --port-style axis --axil --reset async", "_axil_ports_arstn"),
    ("transpose -n 2 -w 8 --set dims=runtime --rows 4 --cols 8 --port-style axis --axil", "_axil_ports"),
    ("rls-folded -n 8 -w 8", "_exchange"),
];

/// A port of a module: whether it is an input, its range, its name.
type Port = (bool, String, String);

/// The ports of a module as its text declares them.
fn ports(text: &str, module: &str) -> Vec<Port> {
    let (_, head) = text.split_once(&format!("module {module} ")).expect("the module of the top");
    let head = head.split_once(");").expect("a list of ports").0;
    let declared =
        head.lines().map(str::trim).filter(|line| line.starts_with("input") || line.starts_with("output"));
    let port = |line: &str| {
        let code = line.split("//").next().unwrap_or_default().trim().trim_end_matches(',');
        let name = code.split_whitespace().last().expect("a port has a name").to_string();
        let range = code
            .split_once('[')
            .and_then(|(_, rest)| rest.split_once(']'))
            .map(|(range, _)| format!("[{range}] "));
        (code.starts_with("input"), range.unwrap_or_default(), name)
    };
    declared.map(port).collect()
}

/// A word without a message is anything.
fn is_payload(name: &str) -> bool {
    ["tdata", "tid", "tlast", "tuser", "tkeep", "tdest", "payload"].iter().any(|word| name.contains(word))
}

/// A testbench whose inputs have bits of `value`, and which prints outputs that are unknown after the reset.
fn bench(module: &str, ports: &[Port], value: char) -> String {
    let (mut declared, mut pins, mut checks) = (String::new(), Vec::new(), String::new());
    for (input, range, name) in ports {
        pins.push(format!(".{name}({name})"));
        match name.as_str() {
            "clk_i" | "aclk" => {
                _ = writeln!(declared, "  logic {name} = 1'b0;\n  always #5 {name} = ~{name};")
            }
            "rst_i" => _ = writeln!(declared, "  logic {name} = 1'b1;"),
            "aresetn" => _ = writeln!(declared, "  logic {name} = 1'b0;"),
            _ if *input => _ = writeln!(declared, "  logic {range}{name} = '{value};"),
            _ => {
                _ = writeln!(declared, "  wire {range}{name};");
                if !is_payload(name) {
                    _ = writeln!(
                        checks,
                        "      if (^{name} === 1'bx) $display(\"UNKNOWN {name} %b\", {name});"
                    );
                }
            }
        }
    }
    let reset =
        ports.iter().map(|(_, _, name)| name).find(|name| ["rst_i", "aresetn"].contains(&name.as_str()));
    let released = match reset.map(String::as_str) {
        Some("aresetn") => "aresetn = 1'b1",
        _ => "rst_i = 1'b0",
    };
    format!(
        "`timescale 1ns/1ps\nmodule tb;\n  localparam integer W = 8;   // as the names of the designs say\n{declared}  {module} dut ({});\n  initial begin\n    #403 {released};\n    repeat (200) begin\n      #10;\n{checks}    end\n    $display(\"END\");\n    $finish;\n  end\nendmodule\n",
        pins.join(", ")
    )
}

/// The Verilog of a folder, without testbenches.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            all.extend(sources(&entry));
        } else if entry.extension().is_some_and(|end| end == "v") {
            all.push(entry);
        }
    }
    all.sort();
    all
}

/// What Icarus prints, for inputs of `value`.
fn simulated(folder: &Path, suffix: &str, value: char) -> String {
    let files = sources(folder);
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let mut modules = text.lines().filter_map(|line| line.strip_prefix("module ")?.split(' ').next());
    let module =
        modules.find(|name| name.ends_with(suffix)).unwrap_or_else(|| panic!("no {suffix}: {files:?}"));
    fs::write(folder.join("declared.sv"), bench(module, &ports(&text, module), value)).unwrap();
    let run = |command: &mut Command| {
        let output = command.current_dir(folder).output().unwrap();
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command:?}: {text}");
        text
    };
    run(Command::new("iverilog")
        .args(["-g2012", "-s", "tb", "-o", "declared.vvp", "declared.sv"])
        .args(&files));
    run(Command::new("vvp").args(["-n", "declared.vvp"]))
}

#[test]
fn no_top_shows_an_unknown_value_if_its_inputs_never_change() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (arguments, suffix) in some(&DESIGNS, 7) {
        let folder = tempfile::tempdir().unwrap();
        run(&format!("generate {arguments} -o {}", folder.path().display()), 0);
        for value in ['0', '1'] {
            let log = simulated(folder.path(), suffix, value);
            assert!(log.contains("END") && !log.contains("UNKNOWN"), "{arguments}, inputs {value}: {log}");
        }
    }
}

#[test]
fn a_block_of_a_top_that_waits_for_a_change_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    run(&format!("generate benes -n 4 -w 8 --crossbar --layout files -o {}", folder.path().display()), 0);
    let cell = folder.path().join("frit_cells/frit_crossbar_port.v");
    let text = fs::read_to_string(&cell).unwrap();
    let (process, copy) = ("  always @(posedge clk_i)", "looking_q <= reading_q;");
    assert!(text.contains(copy), "{text}");
    let block = format!("  reg bready_d;\n  always @(*) bready_d = bready_i;\n{process}");
    fs::write(&cell, text.replacen(process, &block, 1).replace("answered_q & ~bready_i", "bready_d"))
        .unwrap();
    assert!(simulated(folder.path(), "_crossbar", '0').contains("UNKNOWN"));
}

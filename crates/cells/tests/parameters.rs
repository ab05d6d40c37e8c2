//! A parameter out of range stops the elaboration: each tool refuses the instance, and says which parameter it is.

use crate::common;

use common::{run, text_of, tool, tools_found};
use frit_cells::cells::{CellSpec, SwitchSpec, UartTxSpec};
use frit_cells::describe::Parameter;
use frit_cells::netlist::print::cell_file;
use std::path::Path;
use std::process::{Command, Output};

/// A module around a switch of words of `width` bits.
fn top(width: u32) -> String {
    format!(
        "`default_nettype none
module probe (
  input  wire clk_i,
  input  wire rst_i,
  output wire valid_o,
  output wire read_o
);
  wire [7:0] data0, data1;
  wire valid1;
  assign read_o = ^{{data0, data1, valid1}};
  frit_switch #(.W({width})) u_switch (
    .clk_i(clk_i), .rst_i(rst_i), .state_i(1'b0), .valid0_i(1'b0), .data0_i(8'd0), .valid1_i(1'b0),
    .data1_i(8'd0), .valid0_o(valid_o), .data0_o(data0), .valid1_o(valid1), .data1_o(data1)
  );
endmodule
`default_nettype wire
"
    )
}

/// The tools' own names, and how each elaborates the module.
fn elaborations(folder: &Path) -> Vec<(&'static str, Command)> {
    let with = |name: &str, arguments: &[&str]| {
        let mut command = tool(name, folder);
        command.args(arguments);
        command
    };
    let yosys = "read_verilog switch.v top.v; hierarchy -check -top probe";
    let mut all = vec![
        ("verilator", with("verilator", &["--lint-only", "--top-module", "probe", "switch.v", "top.v"])),
        ("icarus", with("iverilog", &["-g2005", "-t", "null", "-s", "probe", "switch.v", "top.v"])),
        ("yosys", with("yosys", &["-q", "-p", yosys])),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join(".tools/venv/bin/python");
    if python.is_file() {
        let mut slang = Command::new(python);
        slang.current_dir(folder).arg(root.join("scripts/slang_lint.py"));
        slang.args(["probe", "switch.v", "top.v"]);
        all.push(("slang", slang));
    }
    all
}

fn elaborate(width: u32) -> Vec<(&'static str, Output)> {
    let folder = tempfile::tempdir().unwrap();
    let cell = CellSpec::from(SwitchSpec { width: 8 });
    std::fs::write(folder.path().join("switch.v"), cell_file(&cell).text).unwrap();
    std::fs::write(folder.path().join("top.v"), top(width)).unwrap();
    let output = |(name, mut command): (&'static str, Command)| (name, command.output().unwrap());
    elaborations(folder.path()).into_iter().map(output).collect()
}

#[test]
fn every_tool_refuses_a_width_of_0_and_names_the_parameter() {
    if !tools_found(&["verilator", "iverilog", "yosys"]) {
        return;
    }
    for (name, output) in elaborate(8) {
        assert!(output.status.success(), "{name} refuses a width of 8: {}", text_of(&output));
    }
    for (name, output) in elaborate(0) {
        assert!(!output.status.success(), "{name} takes a width of 0");
        let text = text_of(&output);
        assert!(text.contains("frit_switch_needs_W_of_1_or_more"), "{name} does not say why: {text}");
    }
}

/// The number in "2 or more".
fn promised(parameter: &Parameter) -> Option<u64> {
    let (before, _) = parameter.meaning.split_once(" or more")?;
    before.rsplit(' ').next()?.parse().ok()
}

#[test]
fn what_is_said_of_a_parameter_is_what_is_checked() {
    for spec in CellSpec::all() {
        let text = cell_file(&spec).text;
        for parameter in spec.parameters() {
            if let Some(least) = promised(&parameter) {
                assert_eq!(parameter.least, least, "{}: {}", spec.module(), parameter.name);
            }
            let check = format!("if ({} < {}) begin", parameter.name, parameter.least);
            assert_eq!(text.contains(&check), parameter.least > 0, "{}: {check}", spec.module());
            assert!(parameter.value >= parameter.least, "{}: {}", spec.module(), parameter.name);
        }
    }
}

#[test]
fn a_value_can_have_a_least_one_as_well() {
    if !tools_found(&["iverilog"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cell = CellSpec::from(UartTxSpec { divider: 104 });
    std::fs::write(folder.path().join("uart.v"), cell_file(&cell).text).unwrap();
    let with = |value: &str| {
        let mut command = tool("iverilog", folder.path());
        command.args(["-g2005", "-t", "null", "-s", "frit_uart_tx", "uart.v"]);
        command.arg(format!("-Pfrit_uart_tx.Divider={value}"));
        command
    };
    run(&mut with("104"));
    let refused = text_of(&with("3").output().unwrap());
    assert!(refused.contains("frit_uart_tx_needs_Divider_of_4_or_more"), "{refused}");
}

//! What cells rely on: each check speaks where it is broken, and only with the macro that turns the checks on.

use crate::common;

use common::{run, tool, tools_found};
use frit_cells::cell::Dir;
use frit_cells::cells::CellSpec;
use frit_cells::describe::Assertion;
use frit_cells::netlist::print::cell_file;
use frit_cells::printer::assertions::MACRO;
use std::path::Path;

/// A module, what breaks one of its checks after a reset (inputs are 0 before), and what the check says.
const BROKEN: [(&str, &str, &str); 14] = [
    (
        "frit_axil_port",
        "awvalid_i = 1; clock; clock; awvalid_i = 0; clock;",
        "awvalid_i or what it offers changed",
    ),
    (
        "frit_axil_port",
        "wvalid_i = 1; clock; clock; wbits_i = 1; clock;",
        "wvalid_i or what it offers changed",
    ),
    (
        "frit_axil_port",
        "arvalid_i = 1; clock; clock; arword_i = 5; clock;",
        "arvalid_i or what it offers changed",
    ),
    ("frit_crossbar_port", "wvalid_i = 1; clock; wdata_i = 1; clock;", "wvalid_i or what it offers changed"),
    (
        "frit_axis_load",
        "tvalid_i = 1; clock; clock; tdest_i = 1; clock;",
        "tvalid_i or what it offers changed",
    ),
    (
        "frit_message_input",
        "tvalid_i = 1; tset_i = 1; tlast_i = 1; repeat (3) clock; tdest_i = 1; clock;",
        "tvalid_i or what it offers changed",
    ),
    ("frit_message_queue", "push_i = 1; repeat (40) clock;", "a message enters the full queue"),
    ("frit_axis_drain", "push_i = 1; repeat (40) clock;", "a word enters the full memory"),
    ("frit_beat_queue", "push_i = 1; repeat (40) clock;", "a beat enters the full memory"),
    ("frit_shunt", "take_i = 1; edge_i = 1; clock;", "an edge is given to a packet that wants none"),
    (
        "frit_weak_choice",
        "force u_cell.upper_o = 1; force u_cell.lower_o = 1; clock;",
        "one edge is given to two",
    ),
    ("frit_shunt", "valid_i = 1; take_i = 1; edge_i = 3; clock;", "several edges are given at once"),
    ("frit_turn_ring", "force u_cell.turn_q = 0; clock;", "it is not the turn of exactly one port"),
    ("frit_bank_reader", "chosen_i = 3; clock;", "several ports are chosen for one bank"),
];

/// What Icarus says of a cell that this stimulus drives.
fn said(spec: &CellSpec, stimulus: &str, checked: bool, folder: &Path) -> String {
    let (mut declared, mut pins, mut zero) = (String::new(), Vec::new(), String::new());
    for port in spec.ports() {
        let class = if port.dir == Dir::In { "reg" } else { "wire" };
        declared += &format!("  {class} [{}:0] {};\n", port.width - 1, port.name);
        pins.push(format!(".{0}({0})", port.name));
        if port.dir == Dir::In {
            zero += &format!("{} = 0; ", port.name);
        }
    }
    let bench = format!(
        "module tb;\n{declared}  {} u_cell ({});\n  task clock; begin #1 clk_i = 1; #1 clk_i = 0; end endtask\n  initial begin\n    {zero}\n    rst_i = 1; clock; clock; rst_i = 0;\n    {stimulus}\n  end\nendmodule\n",
        spec.module(),
        pins.join(", "),
    );
    let file = cell_file(spec);
    std::fs::write(folder.join("tb.v"), bench).unwrap();
    std::fs::write(folder.join(&file.name), &file.text).unwrap();
    let mut compile = tool("iverilog", folder);
    if checked {
        compile.arg(format!("-D{MACRO}"));
    }
    run(compile.args(["-g2005", "-s", "tb", "-o", "tb.vvp", "tb.v", &file.name]));
    run(tool("vvp", folder).args(["-n", "tb.vvp"]))
}

#[test]
fn each_check_speaks_where_it_is_broken() {
    if !tools_found(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cells = CellSpec::all();
    let of = |module: &str| {
        cells.iter().find(|spec| spec.module() == module).unwrap_or_else(|| panic!("{module}"))
    };
    for (module, stimulus, message) in BROKEN {
        let heard = said(of(module), stimulus, true, folder.path());
        assert_eq!(
            heard.matches(&format!("FAIL in tb.u_cell: {message}")).count(),
            1,
            "{module}, {message}: {heard}"
        );
        assert!(!said(of(module), stimulus, false, folder.path()).contains("FAIL"), "{module}");
        assert!(!said(of(module), "repeat (40) clock;", true, folder.path()).contains("FAIL"), "{module}");
    }
}

#[test]
fn every_check_has_a_row_that_breaks_it() {
    for spec in CellSpec::all() {
        let checks = spec.assertions();
        let rows: Vec<&str> = BROKEN.iter().filter(|row| row.0 == spec.module()).map(|row| row.2).collect();
        for check in checks {
            let begins = match check {
                Assertion::Never(_, message) => message,
                Assertion::Stays { valid, .. } => valid,
            };
            assert!(
                rows.iter().any(|row| row.starts_with(begins) || begins.starts_with(row)),
                "{}: {check:?}",
                spec.module()
            );
        }
    }
}

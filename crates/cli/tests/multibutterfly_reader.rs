//! What a reader does with generated multibutterflies: their Makefile, both in one design, reset and start whenever they like.

use crate::common;

use common::{frit, have, run, tools_first};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A program with the tools of the project: whether it is content, and all that it says.
fn tool(folder: &Path, program: &str, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PATH", tools_first())
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// A generated design: its name and its testbench.
struct Design {
    name: String,
    bench: String,
}

impl Design {
    fn generate(folder: &Path, arguments: &str) -> Design {
        let output = frit(&format!(
            "generate multibutterfly {arguments} --layout files -o {} --format json",
            folder.display()
        ))
        .output()
        .unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let name = report["design"].as_str().unwrap().to_string();
        let bench = fs::read_to_string(folder.join(format!("tb_{name}.sv"))).unwrap();
        Design { name, bench }
    }

    /// A number that its testbench has.
    fn number(&self, name: &str) -> u32 {
        let (_, value) = self.bench.split_once(&format!("localparam int {name} = ")).unwrap();
        value.split_once(';').unwrap().0.parse().unwrap()
    }

    /// A user of it, as the module `user`.
    fn user(&self, user: &str) -> String {
        let payload = self.number("PayloadBits");
        let word = payload + self.number("Columns");
        let of = |name: &str| self.number(name).to_string();
        let numbers = [
            ("NAME", user.to_string()),
            ("TOP", format!("{}_route", self.name)),
            ("ROWS", of("Rows")),
            ("WORD;", format!("{word};")),
            ("PAYLOAD;", format!("{payload};")),
            ("MESSAGES", of("Messages")),
            ("CYCLES", of("Cycles")),
            ("LEFT", of("Left")),
            ("DATA", self.name.clone()),
        ];
        let text = include_str!("data/multibutterfly_user.sv").to_string();
        numbers.iter().fold(text, |text, (from, to)| text.replace(from, to))
    }
}

const SMALL: &str = "-n 4 --set d=2 --set r=1 --set h=2 --set z=1 --set free=2 --seed 3";
const THIN: &str = "-n 4 --set d=1 --set r=1 --set h=2 --set z=1 --set free=2 --seed 1";

#[test]
fn the_makefile_judges_a_run_by_its_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let Design { name, .. } = Design::generate(dir.path(), SMALL);
    if !have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        return;
    }
    let make = |target: &str| tool(dir.path(), "make", &[target]);
    let (fine, text) = make("lint");
    assert!(fine && !text.contains("arning"), "{text}");
    let (fine, text) = make("sim");
    assert!(fine && text.matches(&format!("\nPASS {name}: cycles=134")).count() == 2, "{text}");
    // A design that ends the simulation, or that is wrong.
    let file = dir.path().join(format!("{name}_route.v"));
    let right = fs::read_to_string(&file).unwrap();
    for (edit, says) in [
        (
            right.replace("endmodule", "  always @(posedge clk_i) $finish;\nendmodule"),
            "ended without a verdict",
        ),
        (
            right.replace("endmodule", "  initial $display(\"PASS\");\n  initial $finish;\nendmodule"),
            "without a verdict",
        ),
        (right.replace(".holds_i(holds)", ".holds_i(1'b0)"), "FAIL: cycle"),
    ] {
        assert_ne!(edit, right);
        fs::write(&file, edit).unwrap();
        let (fine, text) = make("icarus");
        assert!(!fine && text.contains(says), "{text}");
    }
}

/// The sources of both designs, each file once: the cells that they share are the same.
fn together(folder: &Path, designs: &[(&str, &Design)]) -> Vec<String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for (below, design) in designs {
        let list = fs::read_to_string(folder.join(below).join(format!("{}.f", design.name))).unwrap();
        for file in list.lines().filter(|line| !line.starts_with("//")) {
            let text = fs::read_to_string(folder.join(below).join(file)).unwrap();
            if let Some(other) = files.insert(file.into(), format!("{below}/{file}")) {
                assert_eq!(text, fs::read_to_string(folder.join(other)).unwrap(), "{file}");
            }
        }
    }
    files.into_values().collect()
}

#[test]
#[ignore = "long: make test-all"]
fn two_designs_stand_beside_each_other_and_are_used_roughly() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let designs =
        [("a", SMALL), ("b", THIN)].map(|(below, of)| (below, Design::generate(&folder.join(below), of)));
    let [(a, first), (b, second)] = &designs;
    let mut files = together(folder, &[(a, first), (b, second)]);
    let port = |design: &Design, name: &str, at: u32| {
        let (rows, payload) = (design.number("Rows"), design.number("PayloadBits"));
        let words = rows * (payload + design.number("Columns"));
        format!(
            "  {}_route {name} (.clk_i(clk_i), .rst_i(rst_i), .start_i(!busy_o[{at}]), .busy_o(busy_o[{at}]),\n    \
             .inject_valid_i({rows}'b0), .inject_word_i({words}'b0));\n",
            design.name
        )
    };
    let both = format!(
        "module both (input wire clk_i, input wire rst_i, output wire [1:0] busy_o);\n{}{}endmodule\n",
        port(first, "u_a", 0),
        port(second, "u_b", 1)
    );
    fs::write(folder.join("both.v"), both).unwrap();
    let sources = files.join(" ");
    if have(&["yosys"]) {
        let script =
            format!("read_verilog {sources} both.v; hierarchy -check -top both; proc; check -assert");
        let (fine, text) = tool(folder, "yosys", &["-q", "-p", &script]);
        assert!(fine, "{text}");
    }
    if have(&["verilator"]) {
        let mut arguments = vec!["--lint-only", "-Wall", "-Wno-PINMISSING", "--top-module", "both", "both.v"];
        arguments.extend(files.iter().map(String::as_str));
        let (fine, text) = tool(folder, "verilator", &arguments);
        assert!(fine && !text.contains("%Warning"), "{text}");
    }
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for (below, design) in &designs {
        let user = format!("user_{below}");
        fs::write(folder.join(format!("{user}.sv")), design.user(&user)).unwrap();
        files.push(format!("{user}.sv"));
        let table = format!("{}_messages.memh", design.name);
        fs::copy(folder.join(below).join(&table), folder.join(&table)).unwrap();
    }
    fs::write(folder.join("top.sv"), include_str!("data/multibutterfly_users.sv")).unwrap();
    files.push("top.sv".into());
    let simulate = || {
        let mut arguments = vec!["-g2012", "-Wall", "-Wno-timescale", "-s", "top", "-o", "top.vvp"];
        arguments.extend(files.iter().map(String::as_str));
        let (fine, text) = tool(folder, "iverilog", &arguments);
        assert!(fine && text.is_empty(), "{text}");
        tool(folder, "vvp", &["-n", "top.vvp"]).1
    };
    let text = simulate();
    for user in ["a", "b"] {
        assert!(text.contains(&format!("PASS user_{user}: ")) && !text.contains("FAIL"), "{text}");
    }
    // What users must be told: messages that are taken during a run, and a reset that leaves some.
    let cell =
        |name: &str| files.iter().find(|file| file.ends_with(name)).map(|file| folder.join(file)).unwrap();
    for (name, from, to, says) in [
        ("frit_inject_gate.v", "idle_i &", "1'b1 &", "a message is taken during a run"),
        ("frit_fill_pointer.v", "if (rst_i)", "if (1'b0)", "FAIL user_a"),
    ] {
        let right = fs::read_to_string(cell(name)).unwrap();
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right, "{name}");
        fs::write(cell(name), wrong).unwrap();
        let text = simulate();
        assert!(text.contains(says) && !text.contains("PASS user_a"), "{name}: {text}");
        fs::write(cell(name), right).unwrap();
    }
}

/// `frit_bank_memory` lets Yosys take any word for one that is read while it is written.
#[test]
fn a_word_that_is_read_while_it_is_written_is_not_used() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let designs = [SMALL, "-n 8 --set d=2 --set r=1 --set h=2 --set z=1 --set free=2 --seed 3"];
    for design in common::some(&designs, 1) {
        let dir = tempfile::tempdir().unwrap();
        let Design { name, .. } = Design::generate(dir.path(), design);
        let file = dir.path().join("frit_cells/frit_bank_memory.v");
        let right = fs::read_to_string(&file).unwrap();
        let read = "memory_q <= memory[memory_read_address];";
        assert_eq!(right.matches(read).count(), 1, "{right}");
        let wrong = "memory_q <= ~memory[memory_read_address];";
        let collision = format!(
            "if (memory_write && memory_write_address == memory_read_address) begin\n\
             {wrong} $display(\"COLLISION\"); end else {read}"
        );
        let simulate = |instead: &str| {
            fs::write(&file, right.replace(read, instead)).unwrap();
            tool(dir.path(), "make", &["icarus"])
        };
        let (fine, text) = simulate(&collision);
        assert!(fine && text.contains(&format!("\nPASS {name}: ")) && text.contains("COLLISION"), "{text}");
        // A wrong word that is used is seen.
        let (fine, text) = simulate(wrong);
        assert!(!fine && !text.contains("PASS") && text.contains("FAIL"), "{text}");
    }
}

#[test]
fn a_waveform_of_stages_is_refused() {
    let (_, error) = run("route multibutterfly -n 8 --wave x.fst", 2);
    assert!(error.contains("frit verify multibutterfly"), "{error}");
}

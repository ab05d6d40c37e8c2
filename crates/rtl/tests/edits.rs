//! `make` judges an emitted design by its testbench: it passes the design as it is, and none with an edit that changes what it does.
//!
//! Needs Icarus Verilog, Verilator and make on PATH, as the tests of the testbench do.

use frit_cells::design;
use frit_cells::netlist::print::{self, Style};
use frit_rtl::{optical, testbench};
use frit_schedule::photonics::Parameters;
use frit_schedule::photonics::device::Times;
use frit_schedule::{Request, plan};
use frit_traffic::Payload;
use std::fs;
use std::path::{Path, PathBuf};

mod support;

/// A name, a file, and pairs of texts: what stands there and what takes its place.
type Edit = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

const EDITS: &[Edit] = &[
    (
        "a switch does not cross its valid bits",
        "frit_switch.v",
        &[("        valid0_q <= valid1_i;\n        valid1_q <= valid0_i;\n", "")],
        "extra delivery",
    ),
    (
        "two valid inputs of the fabric are exchanged",
        "rls_n4_w4_fabric.v",
        &[
            (".valid0_i(valid_i[0])", ".valid0_i(valid_i[1])"),
            (".valid1_i(valid_i[1])", ".valid1_i(valid_i[0])"),
        ],
        "missing delivery",
    ),
    (
        "conflict_o never rises",
        "rls_n4_w4_labels.v",
        &[(".round_i(s2_conflict[0] | s2_conflict[1] | s1_told)", ".round_i(1'b0)")],
        "conflict_o is 0, expected 1",
    ),
    (
        "one switch never tells its conflict",
        "rls_n4_w4_labels.v",
        &[("s1_conflict[0] | s1_conflict[1]", "s1_conflict[0]")],
        "conflict_o is 0, expected 1",
    ),
    (
        "cycles_o is wrong while idle",
        "frit_cycle_counter.v",
        &[("cycles_o = count_q", "cycles_o = {31'd0, count_q == NONE} | count_q")],
        "cycles_o is 1, expected 0",
    ),
    (
        "a start while rounds are sent begins again",
        "frit_sequencer.v",
        &[("taken = start_i & ~refused_q", "taken = start_i")],
        "cycles_o is 0, expected 1",
    ),
    (
        "a start is not taken before all has arrived",
        "rls_n4_w4_exchange.v",
        &[(".hold_i(1'd0)", ".hold_i(busy_o)")],
        "ready_o is 0, expected 1",
    ),
    (
        "an exchange never begins without a gap",
        "frit_sequencer.v",
        &[("refused_q <= refuses", "refused_q <= refuses | ends")],
        "ready_o is 0, expected 1",
    ),
    (
        "the cycles go on over exchanges without a gap",
        "rls_n4_w4_exchange.v",
        &[(".count_i(ages)", ".count_i(ages | (beginning & busy_o))")],
        "cycles_o is 4, expected 0",
    ),
    (
        "words of an exchange without a gap are those of the one before",
        "rls_n4_w4_exchange.v",
        &[
            (
                "endmodule",
                "  reg [15:0] kept_q;\n  always @(posedge clk_i) if (ready_o & ~busy_o) kept_q <= send_data_i;\nendmodule",
            ),
            (".data_i(send_data_i)", ".data_i(busy_o & ready_o ? kept_q : send_data_i)"),
        ],
        "expected",
    ),
    (
        "an exchange works once",
        "frit_sequencer.v",
        &[
            (
                "  wire taken;\n",
                "  wire taken;\n  reg ran_q = 1'b0;\n  always @(posedge clk_i) if (at_last_q) ran_q <= 1'b1;\n",
            ),
            ("taken = start_i & ~refused_q", "taken = start_i & ~refused_q & ~ran_q"),
        ],
        "busy_o is 0, expected 1",
    ),
    (
        "a reset in the middle of a run does nothing",
        "frit_sequencer.v",
        &[("    if (rst_i) begin", "    if (rst_i && sending_q !== 1'b1) begin")],
        "send_valid_o is 1, expected 0",
    ),
    (
        "the design ends the simulation",
        "rls_n4_w4_exchange.v",
        &[("endmodule", "  always @(posedge clk_i) if (cycles_o == 3) $finish;\nendmodule")],
        "the simulation ended without a verdict",
    ),
    (
        "the clock stops early",
        "tb_rls_n4_w4.sv",
        &[("period < compared_periods || ", "period < 12 && ")],
        "8 pairs are missing",
    ),
];

fn design(test: &str) -> (PathBuf, String) {
    let plan = plan(&Request::new("rls", 4)).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("edits_{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let sources = print::files(&design::build(&plan, 4), Style::Unrolled);
    let names: Vec<String> = sources.iter().map(|file| file.name.clone()).collect();
    let files = testbench::render(&plan, 4, &Payload::random(4, 4, 1), &names).unwrap();
    for (name, text) in sources.into_iter().map(|file| (file.name, file.text)).chain(files) {
        fs::write(folder.join(name), text).unwrap();
    }
    (folder, plan.design_name(4))
}

/// Runs with a file changed, then puts it back.
fn with(folder: &Path, file: &str, change: impl FnOnce(String) -> String, simulator: &str) -> (bool, String) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    let changed = change(text.clone());
    assert_ne!(changed, text, "{file} is not changed");
    fs::write(&path, changed).unwrap();
    // Not only an older build: make compares times in seconds.
    let _ = fs::remove_dir_all(folder.join("build"));
    let result = support::make(folder, &["-s", simulator]);
    fs::write(&path, text).unwrap();
    result
}

fn apply(edit: &Edit) -> impl FnOnce(String) -> String {
    let (what, _, changes, _) = *edit;
    move |text| {
        changes.iter().fold(text, |text, (from, to)| {
            assert!(text.contains(from), "{what}: {from:?} is not there");
            text.replace(from, to)
        })
    }
}

#[test]
fn a_design_as_it_is_passes_and_no_edit_of_it_does() {
    if !support::tools() {
        return;
    }
    let (folder, name) = design("verilog");
    let (ok, text) = support::make(&folder, &["-s", "icarus"]);
    assert!(ok && text.contains(&format!("PASS {name}: ")), "{text}");
    let passed = EDITS.iter().filter_map(|edit| {
        let (ok, text) = with(&folder, edit.1, apply(edit), "icarus");
        let found = !ok && text.contains("FAIL") && text.contains(edit.3);
        (!found).then(|| format!("{}: {text}", edit.0))
    });
    let passed: Vec<String> = passed.collect();
    assert!(passed.is_empty(), "{}", passed.join("\n"));
    let (ok, text) = with(&folder, EDITS[0].1, apply(&EDITS[0]), "verilator");
    assert!(!ok && text.contains("FAIL") && text.contains(EDITS[0].3), "{text}");
}

#[test]
fn the_payload_has_known_words_that_fit_and_differ() {
    if !support::tools() {
        return;
    }
    let (folder, name) = design("payload");
    let file = format!("{name}_payload.memh");
    // The n-th word is replaced.
    let word = |text: String, n: usize, word: &dyn Fn(&str) -> String| {
        let mut at = 0;
        let lines = text.lines().map(|line| {
            let is_word = !line.starts_with("//");
            at += usize::from(is_word);
            if is_word && at == n + 1 { word(line) } else { line.to_string() }
        });
        lines.collect::<Vec<_>>().join("\n") + "\n"
    };
    let (ok, text) = with(&folder, &file, |text| word(text, 5, &|_| "x".into()), "icarus");
    assert!(!ok && text.contains("word 5 has the digit x"), "{text}");
    let (ok, text) = with(&folder, &file, |text| word(text, 7, &|word| format!("1{word}")), "icarus");
    assert!(!ok && text.contains("word 7 is wider than 4 bits"), "{text}");
    let (ok, text) =
        with(&folder, &file, |text| (4..8).fold(text, |t, n| word(t, n, &|_| "5".into())), "icarus");
    assert!(!ok && text.contains("the payload has 1 rows of equal words, expected 0 at most"), "{text}");
    let (ok, text) =
        with(&folder, &file, |text| word(text, 5, &|_| "5".into()) + "// another payload\n", "icarus");
    assert!(ok, "{text}");
}

#[test]
fn an_optical_device_that_ends_the_simulation_does_not_pass() {
    if !support::tools() {
        return;
    }
    let plan = plan(&Request::new("obf", 4)).unwrap();
    let times = Times::new(&Parameters::paper(), Times::PROPAGATION_PS).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits_optical");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in optical::render(&plan, &times, &Payload::random(4, times.packet_bits, 1)).unwrap() {
        fs::write(folder.join(name), text).unwrap();
    }
    let name = optical::design_name(&plan);
    for simulator in ["icarus", "events"] {
        let (ok, text) = support::make(&folder, &["-s", simulator]);
        assert!(ok && text.contains(&format!("PASS {name}: ")), "{text}");
        let ends = |text: String| text.replace("endmodule", "  initial #3000 $finish;\nendmodule");
        let (ok, text) = with(&folder, &format!("{name}_optics.v"), ends, simulator);
        assert!(!ok && text.contains("the simulation ended without a verdict"), "{simulator}: {text}");
    }
}

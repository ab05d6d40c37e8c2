//! Changes of emitted cores in one place that an emitted testbench once passed, and their neighbours: each address bit, each bit that must be 0, each
//! terminal, each cause of an error alone. The emitted testbench must find them. What changes nothing is proved equal.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common;

use common::{have, json, tools_first};

const CROSSBAR: &str = "benes -n 4 -w 8 --crossbar";
const LOADED: &str = "benes -n 4 -w 8 --entries 8";
const MESSAGES: &str = "benes -n 4 -w 8 --entries 8 --axis --length 8";
const CORNER_TURN: &str = "transpose -n 4 -w 4";
const TRANSPOSE: &str = "transpose -n 2 -w 8 --set dims=runtime --rows 4 --cols 8";

/// What is changed: the design, a cell, the top ("") or the module around its network ("core"), the text before and after.
#[derive(Clone)]
struct Change(&'static str, &'static str, String, String);

fn change(design: &'static str, cell: &'static str, before: &str, after: &str) -> Change {
    Change(design, cell, before.into(), after.into())
}

/// Writes a design with its testbench; its top.
fn generate(design: &str, folder: &Path) -> String {
    let demand = folder.join("demand.csv");
    fs::write(&demand, "0,5,2,1\n3,0,1,2\n2,2,0,4\n1,0,6,1\n").unwrap();
    let demand =
        if design.contains("entries") { format!("--demand {}", demand.display()) } else { String::new() };
    let out = folder.join("design");
    json(&format!("generate {design} {demand} --layout files -o {}", out.display()), 0);
    let file = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names = fs::read_dir(out).unwrap().map(|entry| file(entry.unwrap()));
    let tb = names.find(|name| name.starts_with("tb_")).unwrap();
    tb.trim_start_matches("tb_").trim_end_matches(".sv").into()
}

/// A text with the change, which must have one place.
fn changed(text: &str, Change(.., before, after): &Change) -> String {
    assert_eq!(text.matches(before.as_str()).count(), 1, "{before}");
    text.replace(before.as_str(), after)
}

/// Whether Icarus passes a design with this change, which is undone again.
fn passes(design: &Path, top: &str, change: &Change) -> bool {
    let file = design.join(match change.1 {
        "" => format!("{top}.v"),
        "core" => format!("{}.v", top.replace("_axis", "_core")),
        cell => format!("frit_cells/frit_{cell}.v"),
    });
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, changed(&text, change)).unwrap();
    let (passed, log) = common::make(design, &["icarus"]);
    assert!(passed || log.contains("FAIL"), "{log}");
    fs::write(&file, text).unwrap();
    passed
}

fn all_found(changes: Vec<Change>) {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let of = |design: &&str| changes.iter().any(|change| change.0 == *design);
    for design in [CROSSBAR, LOADED, MESSAGES, CORNER_TURN].into_iter().filter(of) {
        let folder = tempfile::tempdir().unwrap();
        let top = generate(design, folder.path());
        let out = folder.path().join("design");
        let found = common::make(&out, &["icarus"]);
        assert!(found.0, "{design}: {}", found.1);
        let of_design = changes.iter().filter(|change| change.0 == design);
        let missed: Vec<_> = of_design.filter(|change| passes(&out, &top, change)).collect();
        let names: Vec<String> =
            missed.iter().map(|change| format!("{} -> {}", change.2, change.3)).collect();
        assert!(names.is_empty(), "{design}: the testbench passes these changes: {names:#?}");
    }
}

/// Responses of registers, and the error of a crossbar.
fn registers() -> Vec<Change> {
    let mut changes = vec![
        change(CROSSBAR, "crossbar_port", "shown_q & ~rready_i)", "shown_q & ~rready_i & ~busy_i)"),
        change(CROSSBAR, "crossbar_port", "answered_q & ~bready_i)", "answered_q & ~bready_i & ~busy_i)"),
        change(
            CROSSBAR,
            "crossbar_control",
            "        age_q <= ONE;\n        wrong_q <= 1'b0;\n",
            "        age_q <= ONE;\n",
        ),
        change(
            CROSSBAR,
            "crossbar_control",
            "wrong_q <= wrong_q | wrong_i;\n      if (commit) begin\n        busy_q <= 1'b1;\n        age_q <= ONE;\n        wrong_q <= 1'b0;\n",
            "wrong_q <= (wrong_q & ~(busy_q & (age_q == ONE))) | wrong_i;\n      if (commit) begin\n        busy_q <= 1'b1;\n        age_q <= ONE;\n",
        ),
        change(CROSSBAR, "", "|s_axil_wdata[30:2]", "|{s_axil_wdata[30:5], s_axil_wdata[2]}"),
        change(CROSSBAR, "", "|s_axil_wdata[31:6]", "s_axil_wdata[6]"),
    ];
    for output in 0..4 {
        let start = |word: u32| format!(".Start(3'd{word})) u_source_{output}");
        changes.extend([0, 5].map(|word| change(CROSSBAR, "", &start(4), &start(word))));
    }
    let strobe = |byte: u32| format!("(wstrb_i | 4'd{}) == ALL", 1 << byte);
    changes.extend((0..4).map(|byte| change(CROSSBAR, "crossbar_port", "wstrb_i == ALL", &strobe(byte))));
    for (bits, low, high) in [("[30:2]", 2, 30), ("[31:6]", 6, 31)] {
        let missing =
            |bit: u32| format!("|(s_axil_wdata{bits} & ~{}'d{})", high - low + 1, 1u32 << (bit - low));
        let one = |bit| change(CROSSBAR, "", &format!("|s_axil_wdata{bits}"), &missing(bit));
        changes.extend((low..=high).map(one));
    }
    changes
}

/// A register that is written, or read, whatever a bit of the address is.
fn addresses() -> Vec<Change> {
    let registers = [
        ("control", 0),
        ("source_0", 16),
        ("source_1", 17),
        ("source_2", 18),
        ("source_3", 19),
        ("settings_0", 256),
    ];
    let one = |(name, address): (&str, u32), bit: u32| {
        let select = |word: &str| format!(".word_i({word}), .here_o(writes_{name})");
        let above = if bit < 8 { format!("s_axil_awaddr[10:{}], ", bit + 3) } else { String::new() };
        let below = if bit > 0 { format!(", s_axil_awaddr[{}:2]", bit + 1) } else { String::new() };
        let stuck = format!("{{{above}1'b{}{below}}}", address >> bit & 1);
        change(CROSSBAR, "", &select("s_axil_awaddr[10:2]"), &select(&stuck))
    };
    registers.into_iter().flat_map(|register| (0..9).map(move |bit| one(register, bit))).collect()
}

/// Starts that are too early, in each state of what runs; and what a damaged program does to the one that runs.
fn programs() -> Vec<Change> {
    let late = |cell: &'static str, design: &'static str, when: &str| {
        let flag = "late_q | (start_i & ~ready)";
        change(design, cell, flag, &format!("late_q | (start_i & ~ready & {when})"))
    };
    let fetch = ["~full_i", "reading_q", "~reading_q", "~running_q", "running_q", "~ahead_q", "~fetched_q"];
    let control = ["sending_q", "loaded_i", "complete_q", "room_q", "owed_q", "one_q", "two_q", "waiting_i"];
    let mut changes: Vec<Change> = fetch.map(|when| late("schedule_fetch", LOADED, when)).into();
    for when in control {
        changes.extend(
            [when.to_string(), format!("~{when}")].map(|when| late("message_control", MESSAGES, &when)),
        );
    }
    changes.push(change(
        LOADED,
        "schedule_fetch",
        "late_q | (start_i & ~ready)",
        "late_q | (start_i & ~full_i)",
    ));
    for (left, instead) in [
        ("left_q <= left_q - 1'b1;", "left_q <= {1'b0, left_q[14:0]} - 1'b1;"),
        ("left_q <= left_q - 1'b1;", "left_q <= (left_q == 16'd4096) ? 16'd4094 : left_q - 1'b1;"),
    ] {
        changes.push(change(LOADED, "schedule_fetch", left, instead));
    }
    let flips = [
        "loading_q & (empty | (tlast_i ^ ends)) & ~wrong_q",
        "loading_q & empty",
        "loading_q & ends & ~tlast_i",
        "loading_q & ~ends & tlast_i",
        "~loading_q & ~dropping_q & ~fits_i",
        "~loading_q & ~dropping_q & tlast_i",
    ];
    let flip = |when: &str| format!("if (take_i | (taken & {when})) begin");
    changes.extend(flips.map(|when| change(LOADED, "schedule_loader", "if (take_i) begin", &flip(when))));
    changes
}

/// Errors of messages: each cause alone, and those of each terminal.
fn messages() -> Vec<Change> {
    let causes = [
        "(some & twice)",
        "(writes & at_end & ~held_last_q)",
        "(some & held_set_q & ~held_last_q)",
        "(acts & held_set_q & held_empty_q & begun_q)",
    ];
    let mut changes: Vec<Change> =
        causes.iter().map(|cause| change(MESSAGES, "message_input", cause, "1'b0")).collect();
    for (before, after) in [
        ("others_q | more_q", "others_q | (more_q & others_q)"),
        ("others_q | more_q", "more_q | (more_q & others_q)"),
    ] {
        changes.push(change(MESSAGES, "message_send", before, after));
    }
    let flags =
        [(LOADED, "", "stray"), (MESSAGES, "core", "stray"), (MESSAGES, "", "wrong"), (MESSAGES, "", "left")];
    for (design, module, flag) in flags {
        let list = |without: u32| -> String {
            let term = |at: u32| if at == without { "1'b0".into() } else { format!("{flag}_{at}") };
            (0..4).map(term).collect::<Vec<String>>().join(" | ")
        };
        changes.extend((0..4).map(|terminal| change(design, module, &list(9), &list(terminal))));
    }
    changes
}

/// Flags of the queue at the output of a corner turn that no reset clears.
fn flags() -> Vec<Change> {
    [
        ("lots", "(more & many_q) | (lots_q & (~less | fourth))"),
        ("many", "(more & some_q) | (many_q & (~less | lots_q))"),
    ]
    .map(|(flag, next)| {
        change(CORNER_TURN, "beat_queue", &format!("{flag}_q <= 1'b0;"), &format!("{flag}_q <= {next};"))
    })
    .into()
}

#[test]
fn changes_that_the_testbenches_once_passed_are_found() {
    let first = |changes: Vec<Change>| changes.into_iter().next().unwrap();
    let [responses, starts, causes] = [registers(), programs(), messages()].map(first);
    all_found(vec![responses, first(addresses()), starts, causes, first(flags())]);
}

#[test]
#[ignore = "long: make test-all"]
fn all_such_changes_of_corner_turns_are_found() {
    all_found(flags());
}

#[test]
#[ignore = "long: make test-all"]
fn all_such_changes_of_a_crossbar_are_found() {
    all_found([registers(), addresses()].concat());
}

#[test]
#[ignore = "long: make test-all"]
fn all_such_changes_of_loaded_schedules_and_messages_are_found() {
    all_found([programs(), messages()].concat());
}

#[test]
fn tables_of_programs_and_writes_are_read() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    for (design, table) in [(CROSSBAR, "writes"), (LOADED, "program"), (MESSAGES, "program")] {
        let folder = tempfile::tempdir().unwrap();
        let top = generate(design, folder.path());
        let out = folder.path().join("design");
        let file = out.join(format!("{top}_{table}.memh"));
        let text = fs::read_to_string(&file).unwrap();
        // The first word and the last one with another digit at their end, and left out.
        let words: Vec<(usize, &str)> = text.lines().enumerate().skip(1).collect();
        for (at, line) in [words[0], words[words.len() - 1]] {
            let digit = if line.ends_with('3') { "4" } else { "3" };
            let other = format!("{}{digit}", &line[..line.len() - 1]);
            for instead in [other.as_str(), "// nothing"] {
                let lines =
                    text.lines().enumerate().map(|(number, own)| if number == at { instead } else { own });
                fs::write(&file, lines.collect::<Vec<_>>().join("\n")).unwrap();
                let (passed, log) = common::make(&out, &["icarus"]);
                assert!(!passed && log.contains(&format!("{top}_{table}.memh is ")), "{design} {at}: {log}");
            }
        }
    }
}

/// Changes that no input can show: of each the cell, the text before and after, and what the design around it says of the cell, as changes of both texts.
fn without_effect() -> Vec<(Change, Vec<(&'static str, &'static str)>)> {
    vec![
        // What one register leaves out keeps the other one low.
        (
            change(
                MESSAGES,
                "message_control",
                "~crowded & ~two_q & ~ended_q & ~starts",
                "~crowded & ~two_q & ~ended_q",
            ),
            vec![],
        ),
        (
            change(
                MESSAGES,
                "message_control",
                "~waiting_i & ~owed_q & ~taken_q & ~starts",
                "~waiting_i & ~owed_q & ~taken_q",
            ),
            vec![],
        ),
        // A push in the same cycle decides.
        (
            change(MESSAGES, "message_queue", "push_i | (pop_i & more)", "push_i | (pop_i & more & ~push_i)"),
            vec![],
        ),
        // The error of the top stays, so only the first one counts.
        (
            change(
                LOADED,
                "schedule_sink",
                "stray_q <= valid_i & ~mine;",
                "stray_q <= valid_i & ~mine & ~stray_q;",
            ),
            vec![(
                "  assign stray_o = stray_q;",
                "  reg kept_q;\n  always @(posedge clk_i) kept_q <= ~rst_i & (kept_q | stray_q);\n  assign stray_o = kept_q;",
            )],
        ),
        (
            change(
                MESSAGES,
                "message_input",
                "        full_q <= 1'b1;\n        begun_q <= 1'b0;\n",
                "        full_q <= 1'b1;\n",
            ),
            vec![(
                "  assign error_o = wrong_q;",
                "  reg kept_q;\n  always @(posedge clk_i) kept_q <= ~rst_i & (kept_q | wrong_q);\n  assign error_o = kept_q;",
            )],
        ),
        // An input says that it hears another number in the cycle after it heard a bit.
        (
            change(
                CROSSBAR,
                "crossbar_control",
                "wrong_q | (wrong_i & heard_q);",
                "wrong_q | (wrong_i & heard_q & busy_q);",
            ),
            vec![
                (
                    "  assign wrong_o = wrong_q;",
                    "  reg hears_q, heard_q;\n  always @(posedge clk_i) {heard_q, hears_q} <= {hears_q, |hear_q} & {2{~rst_i}};\n  assign wrong_o = wrong_q;",
                ),
                ("wrong_q <= wrong_q | wrong_i;", "wrong_q <= wrong_q | (wrong_i & heard_q);"),
            ],
        ),
        // A matrix is handed over when the one before was read.
        (
            change(
                TRANSPOSE,
                "matrix_reader",
                "start_q <= address_q + 1'b1;",
                "start_q <= start_q + rows_q;",
            ),
            vec![
                (
                    "active_q <= hand_i | (active_q & ~ending);",
                    "active_q <= (hand_i & free) | (active_q & ~ending);",
                ),
                ("      if (hand_i) begin", "      if (hand_i & free) begin"),
            ],
        ),
    ]
}

/// Whether a cell and its change show the same behind a reset, for all inputs, by Yosys and ABC.
fn equal(folder: &Path, cell: &str, texts: [&str; 2]) -> bool {
    let module = format!("frit_{cell}");
    for (name, text) in ["gold", "gate"].into_iter().zip(texts) {
        // No check of parameters, and no word of a memory: it is the same on both sides.
        let text = text.replace(&format!("module {module} "), &format!("module {name} "));
        fs::write(folder.join(format!("{name}.v")), text).unwrap();
    }
    // In the first cycle there is a reset.
    let script = "read_verilog gold.v gate.v\nhierarchy\nproc\nmiter -equiv -make_outputs -flatten gold gate both\n\
        hierarchy -top both\nflatten\nmemory_map\nopt -nodffe -nosdff\nasync2sync\nsimplemap\ntechmap\n\
        setundef -zero -undriven -init\nopt_clean\nselect -assert-count 1 o:trigger\ndelete -output o:* o:trigger %d\n\
        opt_clean\naigmap\nwrite_aiger both.aig\n";
    fs::write(folder.join("both.ys"), script).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let output = command.args(arguments).current_dir(folder).env("PATH", tools_first()).output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let log = run("yosys", &["-q", "both.ys"]);
    assert!(folder.join("both.aig").exists(), "{log}");
    run("berkeley-abc", &["-c", "read both.aig; strash; scorr; pdr -T 60"]).contains("Property proved")
}

#[test]
fn changes_that_no_testbench_finds_change_nothing() {
    if !have(&["yosys", "berkeley-abc"]) {
        return;
    }
    for (change, around) in without_effect() {
        let folder = tempfile::tempdir().unwrap();
        generate(change.0, folder.path());
        let file = folder.path().join(format!("design/frit_cells/frit_{}.v", change.1));
        let mut text = fs::read_to_string(file).unwrap();
        for (before, after) in around {
            text = changed(&text, &Change(change.0, change.1, before.into(), after.into()));
        }
        assert!(equal(folder.path(), change.1, [&text, &changed(&text, &change)]), "{}", change.3);
        // A change that does something is none.
        let wrong = text.replacen("if (rst_i)", "if (1'b1)", 1);
        assert!(!equal(folder.path(), change.1, [&text, &wrong]), "{}", change.1);
    }
}

//! Streamed systems in the commands: their figures, files that give an order, errors, and the core under every engine.

use crate::common;

use common::{frit, have, json, run};
use frit_traffic::npy::to_npy;
use frit_traffic::random::SplitMix64;
use serde_json::json as value;
use std::fs;

#[test]
fn figures_are_those_of_the_plan() {
    let turn = json("simulate transpose -n 8 --set rows=64 --set cols=64", 0);
    let figures = ["columns", "switches", "columns_two_banks", "wait", "latency", "memory_words"]
        .map(|name| turn[name].clone());
    assert_eq!(figures, [6, 24, 3, 497, 509, 4096].map(serde_json::Value::from));
    assert_eq!((&turn["misplaced"], &turn["pages"]), (&false.into(), &1.into()));
    let skewed = json("simulate transpose -n 8 --rows 128 --cols 384", 0);
    assert_eq!((&skewed["columns"], &skewed["columns_two_banks"]), (&6.into(), &serde_json::Value::Null));
}

#[test]
fn orders_come_from_files() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    // A transpose of 4 x 4, as a matrix and as the place of each word.
    let matrix = file("matrix.txt", "0010\n0001\n1000\n0100\n");
    let places: Vec<String> = (0..16).map(|word| (word % 4 * 4 + word / 4).to_string()).collect();
    let order = file("order.txt", &places.join(" "));
    let [a, b] = [format!("--matrix {matrix}"), format!("--permutation {order}")]
        .map(|option| json(&format!("simulate permute -n 2 {option}"), 0));
    assert_eq!((&a["columns"], &a["wait"], &a["form"]), (&2.into(), &5.into(), &b["form"]));
    assert_eq!((&b["columns"], &b["wait"]), (&2.into(), &5.into()));

    // The same by what leaves, and as arrays of NumPy; the inverse of a transpose of 2 x 8 is one of 8 x 2.
    let array = |name: &str, numbers: &[u64]| {
        let path = dir.path().join(name);
        fs::write(&path, to_npy(&[numbers.len()], numbers.iter().copied())).unwrap();
        path.display().to_string()
    };
    let places: Vec<u64> = (0..16).map(|word| word % 8 * 2 + word / 8).collect();
    let sources: Vec<u64> = (0..16).map(|place| place % 2 * 8 + place / 2).collect();
    let [placed, gathered] =
        [("p.npy", &places, "permutation"), ("g.npy", &sources, "gather")].map(|(name, list, option)| {
            json(&format!("simulate permute -n 2 --{option} {}", array(name, list)), 0)
        });
    assert_eq!((&placed["name"], &placed["wait"]), (&gathered["name"], &gathered["wait"]));
    let list = array("p.npy", &places);
    let back = json(&format!("simulate permute -n 2 --permutation {list} --inverse yes"), 0);
    let turn = json("simulate transpose -n 2 --rows 8 --cols 2", 0);
    assert_eq!((&back["wait"], &back["columns"]), (&turn["wait"], &turn["columns"]));
    assert_ne!(back["name"], placed["name"]);
    let straight = array("straight.npy", &(0..16).collect::<Vec<u64>>());
    json(&format!("schedule check --network butterfly --permutation {straight}"), 1);

    let error = |arguments: &str| run(arguments, 2).1;
    let said = error(&format!("simulate permute -n 2 --gather {order} --permutation {order}"));
    assert!(said.contains("--permutation and --gather were both given"), "{said}");
    let said = error("simulate permute -n 4 --kind bitrev --words 64 --stride 4");
    assert!(said.contains("stride does not apply to kind=bitrev"), "{said}");
    for named in ["--kind affine", "--words 8", "--radix 8"] {
        let said = error(&format!("simulate permute -n 2 --gather {list} {named}"));
        assert!(said.contains("does not apply to an order from a file"), "{said}");
    }
    let twice = array("twice.npy", &[1, 1, 0, 2]);
    let said = error(&format!("simulate permute -n 2 --gather {twice}"));
    assert!(said.contains("places 0 and 1 both take word 1"), "{said}");
    let singular = file("singular.txt", "11\n11\n");
    let said = error(&format!("simulate permute -n 2 --matrix {singular}"));
    assert!(said.contains("the matrix is singular: its rank is 1, not 2"), "{said}");
    let twice = file("twice.txt", "0 1 1 3");
    let said = error(&format!("simulate permute -n 2 --permutation {twice}"));
    assert!(said.contains("sources 1 and 2 both go to 1"), "{said}");
    let said = error(&format!("simulate permute -n 2 --matrix {matrix} --permutation {order}"));
    assert!(said.contains("--matrix and --permutation were both given"), "{said}");
    let said = error("simulate transpose -n 8 --rows 5 --cols 19");
    assert!(said.contains("the nearest sizes are cols=16 and cols=24"), "{said}");
    let said = error("schedule transpose -n 8");
    assert!(said.contains("transpose is a streamed system, which this command does not take yet"), "{said}");
    let said = error("verify transpose -n 4 --rows 8 --fault setting:9");
    assert!(said.contains("--fault setting:9 has no place in this design: the columns are 0 to 3"), "{said}");
}

#[test]
fn every_engine_agrees_and_a_fault_is_found() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    // Verilator is compiled for one design in four.
    for (at, design) in [
        "transpose -n 4 --rows 8 -w 8",
        "transpose -n 2 --rows 6 --cols 10 --keep yes --user 3 -w 5",
        "permute -n 3 --kind pfa --factors 3,4 -w 4",
        "transpose -n 2 --rows 4 --cols 6 --set dims=runtime -w 3",
    ]
    .into_iter()
    .enumerate()
    {
        let engines = if at % 4 == 1 || common::all() {
            &["rust_hdl", "icarus", "verilator"][..]
        } else {
            &["rust_hdl", "icarus"]
        };
        let found = json(&format!("verify {design} --engines {}", engines.join(",").replace('_', "-")), 0);
        for &engine in engines {
            assert_eq!(found[engine]["agrees"], true, "{design}: {engine}");
            assert_eq!(found[engine]["beats"], found["model"]["beats"], "{design}: {engine}");
        }
    }
    let wrong = json("verify transpose -n 4 --rows 8 -w 8 --fault page --engines rust-hdl,icarus", 1);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(wrong[engine]["agrees"], false);
        assert!(wrong[engine]["first_difference"]["what"].as_str().unwrap().starts_with("beat "), "{wrong}");
    }
}

/// The testbench of loaded sizes fails a page that does not change, an address that is added up wrongly, a size that is taken at once, and
/// registers that take every size.
#[test]
fn the_testbench_of_loaded_sizes_finds_changes() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let made =
        frit("generate transpose -n 2 --rows 4 --cols 6 --set dims=runtime -w 3 --cells prefix -o core")
            .current_dir(dir.path())
            .output()
            .unwrap();
    assert!(made.status.success(), "{made:?}");
    let core = dir.path().join("core");
    let passes = || common::make(&core, &["icarus"]).0;
    assert!(passes());
    let changes = [
        ("matrix_writer", "odd_q <= odd_q ^ hand", "odd_q <= odd_q"),
        ("matrix_writer", "address_q <= address_q + rows_q", "address_q <= address_q + 1'b1"),
        ("matrix_writer", "renew = hand | idle", "renew = 1'b1"),
        ("matrix_writer", "& free_i", "& 1'b1"),
        ("matrix_reader", "start_q <= address_q + 1'b1", "start_q <= start_q + 1'b1"),
        ("matrix_reader", "free = ~active_q | ending", "free = ~active_q"),
        ("axil_size", "possible = ", "possible = 1'b1 | "),
        ("axil_size", "(wcolumns_i <= ColumnLimit)", "1'b1"),
    ];
    for &(cell, from, to) in common::some(&changes, 3) {
        let file = core.join(format!("transpose_4x6_p2_loaded_w3_own_{cell}.v"));
        let sound = fs::read_to_string(&file).unwrap();
        assert!(sound.contains(from), "{from} is not in {cell}:\n{sound}");
        fs::write(&file, sound.replacen(from, to, 1)).unwrap();
        assert!(!passes(), "{cell}: {from} -> {to} is not found");
        fs::write(&file, sound).unwrap();
    }
}

#[test]
fn loaded_sizes_are_refused_where_there_are_none() {
    let error = |arguments: &str| run(arguments, 2).1;
    let said = error("simulate transpose -n 6 --rows 12 --set dims=runtime");
    assert!(said.contains("dims=runtime with 12 x 12 words, 6 a cycle: it needs a power of two"), "{said}");
    let said = error("simulate transpose -n 4 --rows 6 --set dims=runtime");
    assert!(said.contains("rows and cols that are multiples of it"), "{said}");
    let said = error("simulate transpose -n 4 --rows 8 --set dims=runtime --set banks=2");
    assert!(said.contains("dims=runtime has one bank of memories and two pages"), "{said}");
    let said = error("verify transpose -n 4 --rows 8 --set dims=runtime --formal");
    assert!(said.contains("--formal proves cores of one size"), "{said}");
    let said = error("verify transpose -n 4 --rows 8 --set dims=runtime --netlist ecp5");
    assert!(said.contains("--netlist maps a core of one size"), "{said}");
    let said = error("view transpose -n 4 --rows 8 --set dims=runtime -o page.html");
    assert!(said.contains("a page shows matrices of one size"), "{said}");
    let said = error("simulate permute -n 4 --set dims=runtime");
    assert!(said.contains("permute has no option \"dims\""), "{said}");
    let found = json("simulate transpose -n 4 --rows 8 --cols 12 --set dims=runtime", 0);
    let figures = ["misplaced", "wait", "latency", "pages"].map(|name| found[name].clone());
    assert_eq!(figures, [value!(false), value!(20), value!(33), value!(2)]);
}

/// Designs of every form, with and without a second bank or page, and the widest words.
const DESIGNS: [&str; 33] = [
    "transpose -n 2 --rows 4 -w 1",
    "transpose -n 4 --rows 8 --banks 2 -w 8",
    "transpose -n 4 --rows 8 --cols 2 -w 9",
    "transpose -n 8 --rows 8 --keep yes --user 3 -w 16",
    "transpose -n 8 --rows 2 --cols 64 -w 5",
    "transpose -n 8 --rows 64 --cols 16 --pages 2 -w 12",
    "transpose -n 16 --rows 16 --cols 32 -w 4",
    "transpose -n 2 --rows 6 --cols 10 -w 5",
    "transpose -n 4 --rows 12 -w 33",
    "transpose -n 4 --rows 12 --cols 8 -w 16",
    "transpose -n 8 --rows 24 --cols 40 -w 7",
    "transpose -n 8 --rows 24 --pages 2 -w 3",
    "transpose -n 4 --rows 12 --cols 20 --dims runtime -w 9",
    "transpose -n 8 --rows 32 --cols 16 --dims runtime --keep yes --user 2 -w 16",
    "transpose -n 3 --rows 9 --cols 4 -w 6",
    "transpose -n 5 --rows 10 --cols 3 --user 1 -w 8",
    "transpose -n 6 --rows 6 -w 2",
    "permute -n 4 --words 64 -w 8",
    "permute -n 8 --words 128 --banks 2 -w 10",
    "permute -n 8 --kind stride --words 128 --stride 4 -w 64",
    "permute -n 3 --kind stride --words 36 --stride 4 -w 4",
    "permute -n 4 --kind shuffle --words 32 -w 11",
    "transpose -n 3 --rows 3 -w 5",
    "transpose -n 5 --rows 10 --cols 15 -w 7",
    "transpose -n 10 --rows 20 -w 3",
    "permute -n 4 --kind digitrev --words 64 --inverse yes -w 5",
    "permute -n 3 --kind digitrev --words 27 --radix 3 -w 5",
    "permute -n 4 --kind affine --words 64 --a 5 --c 3 -w 5",
    "permute -n 6 --kind crt --factors 7,6 --inverse yes -w 3",
    "permute -n 4 --kind axes --shape 2x4x3x4 --axes 0,2,1,3 -w 8",
    "permute -n 2 --matrix matrix.txt -w 6",
    "permute -n 4 --permutation four.txt -w 8",
    "permute -n 7 --permutation seven.txt -w 1",
];

#[test]
#[ignore = "long: make test-all"]
fn two_dozen_designs_agree_under_every_engine() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut random = SplitMix64(36);
    let mut order = |words: u32| -> String {
        random.permutation(words).iter().map(|place| format!("{place}\n")).collect()
    };
    for (name, text) in [("four.txt", order(44)), ("seven.txt", order(63)), ("matrix.txt", MATRIX.into())] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    for design in DESIGNS {
        let arguments = format!("verify {design} --require verilator,icarus --format json");
        let output = frit(&arguments).current_dir(dir.path()).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "{design}: {said}");
        assert_eq!(said.matches("\"agrees\": true").count(), 5, "{design}: {said}");
    }
}

/// An invertible matrix, and a constant.
const MATRIX: &str = "11010\n01101\n00110\n10011\n00001\nxor 10110\n";

#[test]
#[ignore = "long: make test-all"]
fn netlists_of_every_form_agree() {
    if !have(&["yosys", "verilator", "iverilog", "vvp"]) {
        return;
    }
    assert_eq!(netlist("--invert-lut 3", 1)["icarus"]["agrees"], false);
    let dir = tempfile::tempdir().unwrap();
    // Each memory of 512 words is a block RAM that uses its output register; a word of 20 bits uses the registers of both ports.
    for (design, family, registers) in [
        ("transpose -n 2 --rows 32 -w 8", "ecp5", 2),
        ("transpose -n 2 --rows 32 -w 20", "ecp5", 4),
        ("transpose -n 4 --rows 8 --banks 2 -w 3", "ice40", 0),
        ("transpose -n 2 --rows 6 --cols 10 -w 5", "ice40", 0),
        ("permute -n 3 --kind stride --words 36 --stride 4 -w 2", "ecp5", 0),
    ] {
        let folder = dir.path().join(design.replace(' ', "_"));
        let options = format!("--netlist {family} --require verilator,icarus -o {}", folder.display());
        let found = json(&format!("verify {design} {options}"), 0);
        assert_eq!(found["agrees"], true, "{found}");
        let netlist = fs::read_to_string(folder.join("netlist/netlist.v")).unwrap();
        assert_eq!(netlist.matches("\"OUTREG\"").count(), registers, "{design}");
    }
}

#[test]
fn a_fault_shows_in_the_same_cycle_under_every_engine() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    for fault in ["setting:0", "setting:3", "write", "read", "early"] {
        let wrong = json(
            &format!("verify transpose -n 4 --rows 8 -w 8 --fault {fault} --engines rust-hdl,icarus"),
            1,
        );
        let first = |engine: &str| {
            ["what", "cycle", "expected"].map(|member| wrong[engine]["first_difference"][member].clone())
        };
        assert!(first("icarus")[1].is_u64(), "{fault}: {wrong}");
        assert_eq!(first("rust_hdl"), first("icarus"), "{fault}");
    }
}

/// A netlist for iCE40 under Icarus.
fn netlist(more: &str, code: i32) -> serde_json::Value {
    json(&format!("verify transpose -n 2 --rows 4 -w 3 --netlist ice40 --engines icarus {more}"), code)
}

#[test]
fn a_netlist_does_what_the_model_says() {
    if !have(&["yosys", "iverilog", "vvp"]) {
        return;
    }
    let right = netlist("", 0);
    assert_eq!((&right["netlist"], &right["icarus"]["agrees"]), (&"ice40".into(), &true.into()));
}

#[test]
fn memories_of_the_core_are_block_rams() {
    if !have(&["yosys"]) {
        return;
    }
    let report = json("synth transpose -n 2 --rows 32 -w 8 --no-pnr --part permute", 0);
    let core = &report["modules"][0];
    assert_eq!(core["name"], "transpose_32x32_p2_w8_permute");
    // 512 words of 8 bits for each lane; and the queue.
    assert_eq!((&report["memory_words"], &core["brams"]), (&1024.into(), &4.into()), "{report}");
    assert_eq!(core["other"], serde_json::json!({}), "{report}");
}

#[test]
fn forms_of_an_order_stand_side_by_side() {
    let rows = |arguments: &str| json(arguments, 0)["rows"].as_array().unwrap().clone();
    let turn = rows("compare -n 8 --stream transpose rows=64");
    let column = |name: &str| turn.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("columns"), [6, 6, 3, 3].map(serde_json::Value::from));
    assert_eq!(column("memory_words"), [4096, 8192, 8192, 16384].map(serde_json::Value::from));
    // Fewer rows than columns: neither two banks nor one page.
    let skewed = rows("compare -n 8 --stream transpose rows=24 cols=40");
    assert_eq!((skewed.len(), &skewed[0]["pages"]), (1, &2.into()));
    for (arguments, expected) in [
        ("--stream rls", "--stream rls is no streamed system; give transpose or permute"),
        ("--stream turns", "turns"),
        ("--stream transpose rows", "--stream transpose rows is not of the form KEY=VALUE"),
        ("--stream transpose rows=5 cols=19", "the nearest sizes are cols=16 and cols=24"),
    ] {
        let said = run(&format!("compare -n 8 {arguments}"), 2).1;
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

/// The addresses of the memories of all lanes come from one module for each side, to which the lane is a constant.
#[test]
fn lanes_share_the_maps_of_their_addresses() {
    let dir = tempfile::tempdir().unwrap();
    for lanes in [8, 64] {
        let folder = dir.path().join(lanes.to_string());
        let line =
            format!("generate transpose -n {lanes} --rows 64 -w 1 --layout files -o {}", folder.display());
        let made = json(&line, 0);
        let (name, files) = (made["design"].as_str().unwrap(), made["files"].as_array().unwrap());
        let maps: Vec<&str> =
            files.iter().filter_map(|file| file.as_str()).filter(|file| file.contains("_map_bank")).collect();
        assert_eq!(maps, ["read", "write"].map(|side| format!("{name}_map_bank_{side}.v")));
        let top = fs::read_to_string(folder.join(format!("{name}_permute.v"))).unwrap();
        let instances = top.matches(&format!("{name}_map_bank_read u_")).count();
        assert_eq!(instances, lanes, "{name}");
    }
}

#[test]
fn the_testbench_of_emitted_files_passes_and_finds_a_changed_table() {
    if !have(&["iverilog", "vvp", "make"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("turn");
    run(&format!("generate transpose -n 4 --rows 8 -w 8 -o {}", folder.display()), 0);
    let make = || common::make(&folder, &["icarus"]);
    let (passed, log) = make();
    assert!(passed && log.contains("PASS transpose_8x8_p4_w8: 348 beats"), "{log}");
    let table = folder.join("transpose_8x8_p4_w8_sources.memh");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("00000008", "00000009", 1)).unwrap();
    let (passed, log) = make();
    assert!(!passed && log.contains("FAIL: phase 0"), "{log}");
    run(&format!("generate transpose -n 4 --rows 8 -w 8 --fault page -o {} --force", folder.display()), 0);
    assert!(folder.join("transpose_8x8_p4_w8_fault_page.v").is_file());
    let (passed, log) = make();
    assert!(!passed && log.contains("FAIL: phase 13, cycle"), "{log}");
    // tuser of a lane that stays behind.
    run(&format!("generate transpose -n 4 --rows 8 -w 8 --user 2 -o {} --force", folder.display()), 0);
    let (passed, log) = make();
    assert!(passed, "{log}");
    let core = folder.join("transpose_8x8_p4_u2_w8.v");
    let text = fs::read_to_string(&core).unwrap();
    let wrong = text.replace("= output_word_3[9:8]", "= output_word_2[9:8]");
    assert_ne!(text, wrong);
    fs::write(&core, wrong).unwrap();
    let (passed, log) = make();
    assert!(!passed && log.contains("FAIL: phase 0"), "{log}");
}

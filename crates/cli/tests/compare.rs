//! `frit compare` on the binary: the table, its formats, sorting, the plot, and docs/compare.md.

use crate::common;

use common::{frit, have, json, root, run};
use expect_test::expect_file;
use serde_json::Value;
use std::fs;

fn column(report: &Value, name: &str) -> Vec<u64> {
    report["rows"].as_array().unwrap().iter().map(|row| row[name].as_u64().unwrap()).collect()
}

/// Systems and options of the rows, `gsen ata2`.
fn names(report: &Value) -> Vec<String> {
    let name = |row: &Value| {
        let options = row["options"].as_object().unwrap().values();
        let words = std::iter::once(&row["system"]).chain(options);
        words.map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    report["rows"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn the_table_in_every_format_for_people_and_spreadsheets() {
    // Chosen systems: a new one does not change these files. At 10 gsen exists, the others do not.
    let arguments = "compare -n 10 --systems rls,rls-folded,gsen,obf";
    expect_file!["golden/compare.txt"].assert_eq(&run(arguments, 0).0);
    expect_file!["golden/compare.csv"].assert_eq(&run(&format!("{arguments} --format csv"), 0).0);
    expect_file!["golden/compare.md"].assert_eq(&run(&format!("{arguments} --format md"), 0).0);
}

#[test]
fn every_system_and_every_compared_option_has_a_row() {
    let report = json("compare -n 16", 0);
    let names = names(&report);
    let systems = json("systems", 0);
    for system in systems.as_array().unwrap().iter().filter(|system| system["kind"] == "planned") {
        let key = system["system"].as_str().unwrap();
        let own: Vec<&String> = names.iter().filter(|name| name.split(' ').next() == Some(key)).collect();
        let mut expected = 1;
        for option in system["options"].as_array().unwrap() {
            let values = option["values"].as_array().unwrap();
            let shown = |value: &Value| {
                own.iter().any(|name| name.split(' ').skip(1).any(|word| word == value.as_str().unwrap()))
            };
            let compared = option["compared"].as_bool().unwrap();
            assert!(values.iter().all(|value| shown(value) == compared), "{key} {option}: {own:?}");
            expected *= if compared { values.len() } else { 1 };
        }
        assert_eq!(own.len(), expected, "{key}");
    }
    // The figures are those of the other commands.
    for row in report["rows"].as_array().unwrap() {
        let summary = json(&format!("simulate {}", row["arguments"].as_str().unwrap()), 0);
        for member in ["terminals", "rounds", "cycles", "cycles_total", "cycles_paper", "stages", "switches"]
        {
            assert_eq!(row[member], summary[member], "{member} of {row}");
        }
    }
}

#[test]
fn cycles_wires_and_buffers_of_known_designs() {
    let report = json("compare -n 8 --systems rls-folded,rls-flattened,obf,gsen", 0);
    let of = |name: &str| {
        let at = names(&report).iter().position(|known| known == name).unwrap_or_else(|| panic!("{name}"));
        let row = &report["rows"][at];
        ["cycles", "cycles_total", "wires", "buffer_words"].map(|member| row[member].as_u64().unwrap())
    };
    // Three stages: two columns between them and the way back. A FIFO of N - n words at every input.
    assert_eq!(of("rls-folded windowed"), [19, 19, 24, 0]);
    assert_eq!(of("rls-folded buffered"), [18, 18, 24, 40]);
    assert_eq!(of("rls-folded two-plane"), [13, 13, 40, 0]);
    assert_eq!(of("rls-flattened 1"), [18, 18, 24, 0]);
    // Two levels of routers over 16 lanes, and the fibres in front of the first.
    assert_eq!(of("obf"), [6, 6, 32, 0]);
    assert_eq!(of("gsen stage-control"), [10, 20, 16, 0]);
}

#[test]
fn a_network_says_how_many_wires_it_has_as_the_comparison_does() {
    let compared = json("compare -n 64 --systems obf,rls-folded,xor", 0);
    for (arguments, name, said) in [
        // r 2^(r+1) = 768 edges in the paper: one column more, from the last level to the processors.
        (
            "obf",
            "obf",
            "640 (512 between stages, 128 from the terminals; 768 with those to the terminals, as the paper counts)",
        ),
        ("rls-folded", "rls-folded windowed", "384 (320 between stages, 64 back to the inputs)"),
        ("xor", "xor butterfly", "320 between stages"),
    ] {
        let (text, _) = run(&format!("network {arguments} -n 64"), 0);
        let line = text.lines().find(|line| line.trim_start().starts_with("wires")).unwrap();
        assert!(line.ends_with(said), "{line}");
        let at = names(&compared).iter().position(|known| known == name).unwrap();
        let first = said.split(' ').next().unwrap();
        assert_eq!(compared["rows"][at]["wires"].to_string(), first, "{name}");
    }
}

#[test]
fn what_does_not_exist_is_shown_at_the_nearest_size_and_says_so() {
    let report = json("compare -n 10 --systems rls,gsen", 0);
    assert_eq!(column(&report, "terminals"), [8, 10, 10, 10]);
    let refusals: Vec<bool> =
        report["rows"].as_array().unwrap().iter().map(|row| row["refusal"].is_string()).collect();
    assert_eq!(refusals, [true, false, false, false]);
    let (text, _) = run("compare -n 10 --systems rls,gsen", 0);
    let row = text.lines().find(|line| line.starts_with("rls ")).unwrap();
    assert!(row.ends_with("does not exist with 10 terminals; nearest size shown"), "{text}");
}

#[test]
fn large_exchanges_have_all_figures_but_the_measured_ones() {
    let (text, _) = run("compare -n 8192 --systems rls,rls-flattened", 0);
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("rls")).collect();
    assert!(rows.len() == 3 && rows.iter().all(|row| row.matches("not run").count() == 2), "{text}");
    assert!(text.contains("exchanges of up to 4096 terminals"), "{text}");
    let report = json("compare -n 8192 --systems rls", 0);
    let row = &report["rows"][0];
    assert_eq!((&row["cycles"], &row["cycles_total"]), (&Value::Null, &Value::Null));
    assert_eq!((&row["cycles_paper"], &row["switches"]), (&8216.into(), &102400.into()));
    let (csv, _) = run("compare -n 8192 --systems rls --format csv", 0);
    assert!(csv.contains("\nrls,,8192,8192,8216,not run,not run,8216,25,"), "{csv}");
}

#[test]
fn rows_are_sorted_by_any_column() {
    let sorted = |order: &str| json(&format!("compare -n 16 --sort {order}"), 0);
    let up = column(&sorted("cycles_total"), "cycles_total");
    assert!(up.is_sorted() && up.first() < up.last(), "{up:?}");
    for order in ["-switches", "switches --reverse", "-switches --reverse"] {
        let down = column(&sorted(order), "switches");
        assert!(down.iter().rev().is_sorted() && down.first() > down.last(), "{order}: {down:?}");
    }
    let by_name = names(&sorted("system"));
    let systems: Vec<&str> = by_name.iter().map(|name| name.split(' ').next().unwrap()).collect();
    assert!(systems.is_sorted(), "{systems:?}");
}

#[test]
fn all_members_and_columns_are_documented() {
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let report = json("compare -n 8 --systems rls", 0);
    let members = report.as_object().unwrap().keys().chain(report["rows"][0].as_object().unwrap().keys());
    for member in members {
        assert!(formats.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
    let (csv, _) = run("compare -n 8 --systems rls --format csv", 0);
    assert!(formats.contains(csv.lines().next().unwrap()), "the columns are not in docs/formats.md");
}

#[test]
fn the_plot_is_drawn_in_both_formats() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let arguments = "compare -n 8 --systems rls,gsen --sizes 8,4,10,16,8";
    let report = json(&format!("{arguments} --plot {}", path("c.svg").display()), 0);
    assert_eq!(report["plot"], path("c.svg").display().to_string());
    let svg = fs::read_to_string(path("c.svg")).unwrap();
    let parts = [
        "rls: cycles of a complete exchange",
        "gsen: switches",
        "cycles, all phases",
        "2x2 switches",
        "N: terminals",
        "algorithm=ata2",
    ];
    for part in parts {
        assert!(svg.contains(part), "{part}");
    }
    // Circles are the points of the first line of a panel, and one in its legend, each filled and edged: three of rls, four of gsen
    // and in the panel of switches three, where the only point of ATA-2 is in the place of the other.
    let circles = [3 + 1, 4 + 1, 3 + 1, 3 + 1].iter().sum::<usize>();
    assert_eq!(svg.matches("<circle").count(), 2 * circles, "{svg}");
    // Each has the colour of its system.
    assert!(["#0077BB", "#CC79A7"].iter().all(|colour| svg.contains(colour)), "{svg}");
    run(&format!("{arguments} --plot {}", path("c.png").display()), 0);
    assert_eq!(fs::read(path("c.png")).unwrap()[1..4], *b"PNG");
}

#[test]
fn input_that_makes_no_sense() {
    for (arguments, expected) in [
        (
            "compare -n 8 --sort speed",
            "error: --sort speed: \"speed\" is not a column; the columns are system, options, terminals, rounds, ",
        ),
        ("compare -n 8 --sort luts", "error: --sort luts: \"luts\" is not a column; the columns are "),
        ("compare -n 8 --systems rls,mesh", "error: \"mesh\" is not a system; the systems are rls, "),
        (
            "compare -n 4,8",
            "error: -n 4,8 is not a number of terminals; give a whole number, for example -n 16",
        ),
        (
            "compare -n 8 --plot c.pdf",
            "error: --plot c.pdf has no known format; give a name that ends in .svg or .png",
        ),
        (
            "compare -n 8 --plot c.svg --sizes 4,x",
            "error: --sizes x is not a number of terminals; give a whole number, for example --sizes 16",
        ),
        (
            "compare -n 8 --plot c.svg --sizes 7,9",
            "error: nothing to plot, because none of the systems exists at any of the --sizes; give other --sizes",
        ),
        ("compare -n 8 --plot /proc/frit/c.svg --sizes 4", "error: "),
        (
            "compare -n 8 --synth ecp5-25k -w 0",
            "error: words of 0 bits are not possible; give a width from 1 to 1024",
        ),
        (
            "compare -n 8192 --systems rls --synth ecp5-25k",
            "error: 8192 terminals are too many to emit Verilog; use -n up to 4096",
        ),
        ("compare", "error: the following required arguments were not provided"),
        ("compare -n 8 --sizes 4", "error: the following required arguments were not provided"),
        ("compare -n 8 --seeds 2", "error: the following required arguments were not provided"),
    ] {
        let (stdout, stderr) = run(arguments, 2);
        assert_eq!(stdout, "", "frit {arguments}");
        assert!(stderr.starts_with(expected), "frit {arguments}: {stderr}");
        assert!(!root().join("crates/cli/c.svg").exists() && !root().join("c.svg").exists());
    }
}

#[test]
fn synthesis_adds_its_columns() {
    if !have(&["yosys", "nextpnr-ice40"]) {
        return;
    }
    let report = json("compare -n 4 --systems rls,xor --synth ice40-hx8k -w 1 --seeds 0 --sort -luts", 0);
    assert_eq!(report["synthesis"], serde_json::json!({"target": "ice40-hx8k", "width": 1, "seeds": 0}));
    let luts = column(&report, "luts");
    assert!(luts.iter().rev().is_sorted() && luts.len() == 3, "{luts:?}");
    // What frit synth says of one of them.
    let alone = json("synth xor -n 4 -w 1 --no-pnr --part exchange", 0);
    let at = names(&report).iter().position(|name| name == "xor butterfly").unwrap();
    for member in ["luts", "ffs", "brams"] {
        assert_eq!(report["rows"][at][member], alone["modules"][0][member], "{member}");
    }
    assert_eq!(report["rows"][at]["fmax_mhz"], Value::Null);
    let placed = json("compare -n 4 --systems obf --synth ice40-hx8k -w 1", 0);
    assert!(placed["rows"][0]["fmax_mhz"].as_f64().unwrap() > 1.0, "{placed}");
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for member in report["rows"][0].as_object().unwrap().keys() {
        assert!(formats.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
}

#[test]
fn a_missing_tool_is_exit_code_3() {
    let output = frit("compare -n 4 --systems xor --synth ecp5-25k")
        .env("FRITILLARY_TOOLS", "/nonexistent")
        .env("PATH", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What stands between two lines of docs/compare.md.
const TABLE: [&str; 2] = ["<!-- frit compare -n 16 --format md -->\n", "<!-- end -->\n"];

#[test]
fn the_document_shows_what_the_command_prints_and_draws() {
    let dir = tempfile::tempdir().unwrap();
    let svg = dir.path().join("c.svg");
    let (table, _) = run(&format!("compare -n 16 --format md --plot {}", svg.display()), 0);
    let text = fs::read_to_string(root().join("docs/compare.md")).unwrap();
    let (before, rest) = text.split_once(TABLE[0]).expect("the beginning of the table is marked");
    let (_, after) = rest.split_once(TABLE[1]).expect("the end of the table is marked");
    // UPDATE_EXPECT=1 writes both.
    let expected = format!("{before}{}{table}{}{after}", TABLE[0], TABLE[1]);
    expect_file![root().join("docs/compare.md")].assert_eq(&expected);
    let drawn = fs::read_to_string(svg).unwrap();
    let kept = root().join("docs/images/compare.svg");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&kept, &drawn).unwrap();
    }
    assert!(
        fs::read_to_string(&kept).unwrap_or_default() == drawn,
        "docs/images/compare.svg is not what frit compare --plot draws: UPDATE_EXPECT=1 cargo test --release -p frit-cli --test it compare"
    );
}

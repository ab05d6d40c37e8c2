//! Sweeps of the multibutterfly and `frit compare --relation` on the binary, and the figures of docs/systems/multibutterfly-experiments.md.

use crate::common;

use common::rows::{mean, rows};
use common::{frit, have, json, root, run};
use std::collections::BTreeMap;
use std::fs;

type Row = BTreeMap<String, String>;

const SMALL: &str = "kind = \"route\"
system = \"multibutterfly\"
terminals = [8, 16]
options = { d = 2, r = 1, h = 2, free = 2, z = 1, x = [0, 4] }
traffic = [\"perm\", \"hcopies\"]
seeds = \"3..4\"
[drawing]
x = \"hx/n+n\"
y = \"delivered/total\"
formulas = [\"fit\"]
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";

#[test]
fn rows_of_a_sweep_are_those_of_frit_route() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("s.toml"), SMALL).unwrap();
    let report = json(&format!("sweep {0}/s.toml -o {0}", dir.path().display()), 0);
    assert_eq!((&report["points"], &report["ran"]), (&16.into(), &16.into()));
    let svg = fs::read_to_string(dir.path().join("s.svg")).unwrap();
    assert!(svg.contains("share of messages delivered") && svg.contains("least squares"), "{svg}");
    let text = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(text.lines().next().unwrap()), "the columns are not in docs/formats.md");
    let rows = rows(&text);
    let stuck = rows.iter().filter(|row| row["ok"] == "0").count();
    assert!(stuck > 0, "the smallest stuck network is among them");
    // Every run has a share delivered; steps are averaged over those that succeeded, and the summary and the plot say so.
    let said = report["conclusion"]["lines"][0].as_str().unwrap();
    assert!(said.starts_with(&format!("everything arrived in {} of 16 runs", 16 - stuck)), "{said}");
    assert!(!svg.contains("left out"), "{svg}");
    fs::write(dir.path().join("s.toml"), SMALL.replace("\"delivered/total\"", "\"stages\"")).unwrap();
    let report = json(&format!("sweep {0}/s.toml -o {0}", dir.path().display()), 0);
    assert_eq!(report["ran"], 0);
    let svg = fs::read_to_string(dir.path().join("s.svg")).unwrap();
    assert!(svg.contains("left out: ") && svg.contains("runs, in which not everything arrived"), "{svg}");
    for row in &rows {
        let arguments = format!(
            "route multibutterfly -n {} --d 2 --r 1 --h 2 --free 2 --z 1 --x {} --traffic {} --seed {}",
            row["terminals"], row["x"], row["traffic"], row["seed"]
        );
        let report = json(&arguments, if row["ok"] == "1" { 0 } else { 1 });
        for (name, cell) in
            row.iter().filter(|(name, _)| !["frit", "config", "row_digest"].contains(&name.as_str()))
        {
            let expected = match &report[name.as_str()] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Bool(yes) if name == "ok" => u8::from(*yes).to_string(),
                other => other.to_string(),
            };
            assert_eq!(*cell, expected, "{name} of {arguments}");
        }
    }
}

#[test]
fn sweeps_that_make_no_sense() {
    let dir = tempfile::tempdir().unwrap();
    for (from, to, expected) in [
        ("z = 1", "z = 1, rerun = \"yes\"", "rerun = \"yes\": a point of a sweep is one run"),
        ("z = 1", "z = 1, wiring = \"w.json\"", "wires of a sweep are drawn from its seeds"),
        ("r = 1", "r = 4", "r must not be greater than d"),
        ("seeds", "direct = true\nseeds", "have no intermediate rows"),
        ("\"hcopies\"", "\"transpose\"", "traffic = \"transpose\": give one of perm, hcopies"),
        ("hx/n+n", "bundle", "x = \"bundle\": give one of n, terminals, d"),
        ("\"fit\"", "\"closed-form\"", "give \"fit\", \"cover\", \"least-stages\" and \"paper-bound\""),
    ] {
        fs::write(dir.path().join("s.toml"), SMALL.replace(from, to)).unwrap();
        let output = frit("sweep s.toml").current_dir(dir.path()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{to}\n{stderr}");
        assert!(stderr.contains(expected), "{to}: {stderr}");
    }
}

fn kept(name: &str) -> Vec<Row> {
    rows(&fs::read_to_string(root().join(format!("examples/multibutterfly_{name}.csv"))).unwrap())
}

fn number(row: &Row, column: &str) -> u64 {
    row[column].parse().unwrap()
}

fn greatest<'a>(rows: impl IntoIterator<Item = &'a Row>, column: &str) -> u64 {
    rows.into_iter().map(|row| number(row, column)).max().unwrap()
}

#[test]
fn stages_and_steps_are_those_of_the_document() {
    let stages = kept("stages");
    assert_eq!(stages.len(), 160);
    for row in &stages {
        assert_eq!((number(row, "stages"), &row["ok"][..]), (number(row, "terminals").ilog2().into(), "1"));
    }
    let words = kept("words");
    for (h, rows, a_stage) in [("64", "32", 53.0), ("64", "4096", 35.0), ("1", "4096", 11.0)] {
        let cells = [("h", h), ("terminals", rows)];
        let got = mean(&words, &cells, "word_steps") / mean(&words, &cells, "stages");
        assert!((got - a_stage).abs() < 0.5, "h = {h}, N = {rows}: {got}");
    }
    // O(h (X + log N)), from the rows themselves.
    let bits = kept("bits");
    for row in &bits {
        let cells = ["h", "x", "terminals"].map(|column| (column, row[column].as_str()));
        let [h, x, rows] = ["h", "x", "terminals"].map(|column| number(row, column));
        let ratio = mean(&bits, &cells, "bit_steps") / (h * (x + u64::from(rows.ilog2()))) as f64;
        let (least, most) = if h == 64 { (1.1, 3.0) } else { (1.1, 23.0) };
        assert!((least..=most).contains(&ratio), "{ratio}: {row:?}");
    }
}

/// How far points are above a line, as its name says.
fn most(drawn: &str) -> f64 {
    drawn.split_once(" to ").unwrap().1.split(' ').next().unwrap().parse().unwrap()
}

/// The fitted constants stand in the document as in the plots, which are what the rows draw.
#[test]
fn fitted_constants_are_those_of_the_document() {
    let page = fs::read_to_string(root().join("docs/systems/multibutterfly-experiments.md")).unwrap();
    for (name, factor, drawn, told) in [
        ("words", "5.10 (h + log N)", "least squares, points at 0.76 to 2.00 of it", "0.76 to 2.00 of it"),
        ("packed", "17.08 (h ⌈X / log N⌉ + log N)", "the lowest at 0.07 of it", "0.07 of it"),
        ("bits", "22.20 h (X + log N)", "the lowest at 0.05 of it", "0.05 of it"),
        ("storage", "1.13 h", "least squares, points at 0.89 to 1.77 of it", "0.89 to 1.77 of it"),
    ] {
        let svg = fs::read_to_string(root().join(format!("docs/images/multibutterfly_{name}.svg"))).unwrap();
        let constant = factor.split(' ').next().unwrap();
        let fitted =
            svg.lines().any(|line| line.starts_with(&format!("{constant} ")) && line.contains(drawn));
        assert!(fitted, "{name}");
        assert!(page.contains(factor) && page.contains(told), "{name}");
        // A line that is called a fit has all points near it.
        assert!(!drawn.starts_with("least squares") || most(drawn) <= 2.0, "{name}");
    }
}

#[test]
fn shares_of_stuck_runs_are_those_of_the_document() {
    let page = fs::read_to_string(root().join("docs/systems/multibutterfly-experiments.md")).unwrap();
    let active = kept("active");
    for traffic in ["perm", "hcopies"] {
        for d in ["2", "4", "8", "16"] {
            let share = |l: &str| {
                let stuck = 1.0 - mean(&active, &[("traffic", traffic), ("d", d), ("l", l)], "ok");
                ((stuck * 100.0).round() / 100.0).to_string()
            };
            let shares = ["1", "2", "4", "8", "16", "32", "64"].map(share).join(" | ");
            let (line, rounded) = (format!("| {traffic} | {d} | "), shares.replace("0.3 ", "0.30 "));
            assert!(page.contains(&format!("{line}{rounded} |")), "{line}{rounded} |");
        }
    }
}

#[test]
fn rounds_of_moves_and_sizes_are_those_of_the_document() {
    let moves = kept("moves");
    assert!(moves.iter().all(|row| row["ok"] == "1"));
    for (y, late) in [("1", [1, 2, 3]), ("2", [0; 3]), ("3", [0; 3])] {
        let of = |rows: u64| {
            let chosen = moves
                .iter()
                .filter(|row| row["x"] == "0" && row["y"] == y && number(row, "terminals") == rows);
            chosen.filter(|row| number(row, "stages") > u64::from(rows.ilog2())).count()
        };
        assert_eq!([256, 512, 1024].map(of), late, "Y = {y}");
    }
    for (y, stages) in [("1", 30.15), ("2", 17.0), ("3", 15.0)] {
        let got = mean(&moves, &[("x", "32"), ("terminals", "1024"), ("y", y)], "stages");
        assert!((got - stages).abs() < 1e-9, "Y = {y}: {got}");
    }
    let sizes = kept("sizes");
    for row in &sizes {
        let (d, r, h) = (number(row, "d"), number(row, "r"), number(row, "h"));
        let bound = if r == 4 { 4 * d * h } else { (4 * d * h / (r - 4) + 1).next_power_of_two() };
        let w = number(row, "max_w");
        assert!(w <= bound && (row["l"] == "1" || w == h) && (h == 8 || w <= 2 * h), "{row:?}");
    }
    for (r, most) in [("4", 64), ("8", 128)] {
        assert_eq!(greatest(sizes.iter().filter(|row| row["r"] == r && row["h"] == "8"), "max_w"), most);
    }
}

/// Steps have closed forms where the schedule is known; the rest is held to the commands that run the systems alone.
#[test]
fn one_relation_on_four_networks() {
    let report = json("compare -n 16 --relation 4", 0);
    let rows = report["rows"].as_array().unwrap();
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let (csv, _) = run("compare -n 16 --relation 4 --format csv", 0);
    assert!(formats.contains(csv.lines().next().unwrap()));
    let page = fs::read_to_string(root().join("docs/compare.md")).unwrap();
    for member in rows[0].as_object().unwrap().keys().filter(|key| key.contains("_bits") || *key == "steps") {
        assert!(page.contains(&format!("`{member}`")), "{member} is not in docs/compare.md");
    }
    let row = |system: &str, options: &str| {
        let same = |row: &&serde_json::Value| {
            row["system"] == system && row["options"].as_str().unwrap().contains(options)
        };
        rows.iter().find(same).unwrap_or_else(|| panic!("{system} {options}"))
    };
    assert!(rows.iter().all(|row| row["delivered"] == 64), "{report}");
    let benes = row("benes", "");
    assert_eq!((&benes["steps"], &benes["control_bits"]), (&(7 + 4 * 32 - 1).into(), &(4 * 56).into()));
    assert_eq!(row("dilated", "strong")["steps"], 4 * 4 + 32 - 1);
    assert_eq!(row("dilated", "weak")["control_bits"], 2 * 4 * 64);
    // The same messages in files, through frit route.
    let dir = tempfile::tempdir().unwrap();
    for (x, steps) in [(0, "word_steps"), (32, "bit_steps")] {
        let alone = json(&format!("route multibutterfly -n 16 --d 8 --r 4 --h 8 --ha 4 --x {x}"), 0);
        let beside = row("multibutterfly", &format!("x={x}"));
        assert_eq!((&beside["steps"], &beside["stages"]), (&alone[steps], &alone["stages"]));
        let slot = if x == 0 { 36 } else { 4 };
        assert_eq!(beside["buffer_bits"], 2 * 16 * 3 * slot * alone["max_raw"].as_u64().unwrap());
    }
    // Every message of the relation as a line, taken from where the multibutterfly delivers it.
    let events = dir.path().join("events.csv");
    run(&format!("route multibutterfly -n 16 --d 8 --r 4 --h 8 --ha 4 --events {}", events.display()), 0);
    let text = fs::read_to_string(events).unwrap();
    let deliveries = text.lines().filter(|line| line.starts_with("deliver,"));
    let messages: String = deliveries
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{} {}\n", cells[7].parse::<u32>().unwrap() / 4, cells[4])
        })
        .collect();
    let file = dir.path().join("messages.txt");
    fs::write(&file, messages).unwrap();
    let turns = json(&format!("route obf -n 16 --traffic {}", file.display()), 0);
    assert_eq!(row("obf", "word=32")["steps"], turns["steps"]);
    let weak = "route dilated -n 16 --bundle 10 --switch weak";
    let dilated = json(&format!("{weak} --traffic {}", file.display()), 0);
    assert_eq!(dilated["delivered"], 64);
    for (arguments, expected) in [
        (
            "compare -n 2 --relation 1",
            "2 terminals are out of range; relations are compared for 4 to 1024 terminals",
        ),
        ("compare -n 12 --relation 1", "does not exist with 12 terminals"),
        ("compare -n 16 --relation 0", "0 is not in 1..=1024"),
        ("compare -n 16 --relation 2 --permutation", "cannot be used with"),
    ] {
        let (_, stderr) = run(arguments, 2);
        assert!(stderr.contains(expected), "frit {arguments}: {stderr}");
    }
}

/// What `frit synth` says of one of the designs alone: of the largest switch or node, and of all, in LUTs, flip-flops, block RAMs.
fn areas_alone(arguments: &str) -> [Vec<u64>; 2] {
    let report = json(&format!("synth {arguments} --no-pnr"), 0);
    let modules = report["modules"].as_array().unwrap();
    let number = |module: &serde_json::Value, name: &str| module[name].as_u64().unwrap();
    let largest = modules.iter().max_by_key(|module| number(module, "luts")).unwrap();
    let names = ["luts", "ffs", "brams"];
    let sum = |name: &str| modules.iter().map(|m| number(m, "count") * number(m, name)).sum();
    [names.map(|name| number(largest, name)).to_vec(), names.map(sum).to_vec()]
}

#[test]
#[ignore = "long: make test-all"]
fn the_hardware_of_one_relation() {
    if !have(&["yosys"]) {
        return;
    }
    // Two messages, as `frit synth dilated` has them at N = 4.
    let arguments = "compare -n 4 --relation 2 --synth ice40-hx8k";
    let report = json(arguments, 0);
    assert_eq!(report["area"], "ice40-hx8k");
    let rows = report["rows"].as_array().unwrap();
    let columns = ["node_luts", "node_ffs", "node_brams", "luts", "ffs", "brams"];
    let areas = |at: usize| columns.map(|column| rows[at][column].as_u64());
    // Planned systems have a fabric, and no node.
    for (at, of) in [(0, "benes -n 4 -w 1"), (1, "obf -n 4 -w 1"), (2, "obf -n 4 -w 32")] {
        let [_, all] = areas_alone(&format!("{of} --part fabric"));
        assert_eq!(areas(at), [None, None, None, Some(all[0]), Some(all[1]), Some(all[2])], "{of}");
    }
    let options = |at: usize| rows[at]["options"].as_str().unwrap();
    let bundle = options(3).split_once(' ').unwrap().0;
    let stages =
        "multibutterfly -n 4 --set d=2 --set r=2 --set h=4 --set ha=2 --set free=4 -w 32 --part node";
    assert_eq!(options(6), "d=2 r=2 h=4 x=0");
    for (at, of) in [
        (3, format!("dilated -n 4 --set {bundle} --set switch=strong --part switch")),
        (4, format!("dilated -n 4 --set {bundle} --set switch=weak --part switch")),
        (6, stages.into()),
    ] {
        let alone = areas_alone(&of).concat();
        assert_eq!(areas(at).to_vec(), alone.into_iter().map(Some).collect::<Vec<_>>(), "{of}");
    }
    // Bit by bit there is no hardware, and why is said.
    assert_eq!(areas(5), [None; 6]);
    let (text, _) = run(&format!("{arguments} --format md"), 0);
    let why = "multibutterfly d=2 r=2 h=4 x=32: no areas: the bit model (messages that move bit by bit) cannot be built in hardware";
    assert!(text.contains(why), "{text}");
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let page = fs::read_to_string(root().join("docs/compare.md")).unwrap();
    assert!(text.lines().next().unwrap().ends_with(&format!("{} |", columns.join(" | "))), "{text}");
    assert!(formats.contains(&format!("`{}`", columns.join(","))), "docs/formats.md");
    assert!(columns.iter().all(|column| page.contains(&format!("`{column}`"))), "docs/compare.md");
    // Without Yosys.
    let mut command = frit(arguments);
    let output = command.env("FRITILLARY_TOOLS", "/nonexistent").env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
}

//! `frit sweep` with kind = "route" on the binary, and the examples of docs/systems/dilated-experiments.md.

use crate::common;

use common::rows::{mean, rows};
use common::sweeps::signed;
use common::{frit, json, root, run};
use std::fs;
use std::path::Path;

const SMALL: &str = "kind = \"route\"
system = \"dilated\"
terminals = [16, 8]
options = { bundle = [2, 4], switch = [\"strong\", \"weak\"], release = \"yes\" }
traffic = [\"permutation\", \"bit-reversal\"]
direct = false
seeds = 2
[drawing]
x = \"bundle\"
values = [\"least\", \"greatest\"]
formulas = [\"closed-form\"]
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";

fn sweep(folder: &Path, text: &str, arguments: &str) -> (u64, u64) {
    fs::write(folder.join("s.toml"), text).unwrap();
    let report = json(&format!("sweep {0}/s.toml -o {0} {arguments}", folder.display()), 0);
    (report["points"].as_u64().unwrap(), report["ran"].as_u64().unwrap())
}

#[test]
fn points_that_are_known_are_not_run_again_and_are_those_of_frit_route() {
    let dir = tempfile::tempdir().unwrap();
    let csv = || fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert_eq!(sweep(dir.path(), SMALL, ""), (32, 32));
    let (first, drawn) = (csv(), fs::read(dir.path().join("s.svg")).unwrap());
    let svg = String::from_utf8(drawn.clone()).unwrap();
    for part in ["n = 4, strong, bit-reversal, greatest", "4n + M - 1", "b: edges in a bundle", "bit steps"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }

    // A sweep that was stopped, with one figure marked to see that it is kept.
    let mut lines: Vec<String> = first.lines().map(String::from).collect();
    lines.remove(7);
    lines[1] = lines[1].replace(",47,", ",1047,");
    fs::write(dir.path().join("s.csv"), signed(&(lines.join("\n") + "\n"))).unwrap();
    assert_eq!(sweep(dir.path(), SMALL, ""), (32, 1));
    assert_eq!(signed(&csv().replace(",1047,", ",47,")), first);
    // All again, by one thread: the same bytes. Another list: only what is new.
    assert_eq!(sweep(dir.path(), SMALL, "--again -j 1"), (32, 32));
    assert!(csv() == first && fs::read(dir.path().join("s.svg")).unwrap() == drawn);
    assert_eq!(sweep(dir.path(), &SMALL.replace("[2, 4]", "[2, 4, 6]"), ""), (48, 16));

    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(first.lines().next().unwrap()), "the columns are not in docs/formats.md");
    for row in rows(&first).iter().step_by(5) {
        let report = json(
            &format!(
                "route dilated -n {} --bundle {} --switch {} --release yes --traffic {} --seed {}",
                row["terminals"], row["bundle"], row["switch"], row["traffic"], row["seed"]
            ),
            0,
        );
        for (name, cell) in
            row.iter().filter(|(name, _)| !["frit", "config", "row_digest"].contains(&name.as_str()))
        {
            let value = report.get(name).unwrap_or_else(|| panic!("{name} is no member of frit route"));
            let text = value.as_str().map_or(value.to_string(), String::from);
            assert_eq!(*cell, if value.is_null() { String::new() } else { text }, "{name}");
        }
    }
}

#[test]
fn members_and_columns_of_dilated_are_documented() {
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let report = json("route dilated -n 16 --bundle 4 --seed 1", 1);
    let heads = report["blocked_heads"][0].as_object().unwrap().keys();
    for member in report.as_object().unwrap().keys().chain(heads) {
        assert!(formats.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
    let dir = tempfile::tempdir().unwrap();
    let events = dir.path().join("events.csv");
    run(&format!("route dilated -n 8 --seed 1 --events {}", events.display()), 0);
    let text = fs::read_to_string(events).unwrap();
    assert!(formats.contains(&format!("`{}`", text.lines().next().unwrap())), "the columns of --events");
}

#[test]
fn sweeps_that_make_no_sense() {
    let dir = tempfile::tempdir().unwrap();
    for (from, to, expected) in [
        ("\"dilated\"", "\"rls\"", "sweeps routed systems: dilated"),
        ("[16, 8]", "[12]", "does not exist with 12 terminals"),
        ("[16, 8]", "[]", "need at least one value"),
        ("[16, 8]", "[true]", "a value or a list of values"),
        ("[2, 4]", "[0]", "bundle=0 is out of range; give 1"),
        ("[2, 4]", "[2, \"x\"]", "bundle cannot be \"x\""),
        ("bundle =", "queue = 0, bundle =", "queue=0 is out of range"),
        ("bundle =", "payload = 16777000, queue = 16777000, bundle =", "MiB are allowed; take fewer rows"),
        ("bundle =", "colour = 1, bundle =", "dilated has no option \"colour\""),
        ("\"bit-reversal\"]", "\"hot-spot\"]", "traffic = \"hot-spot\": give one of permutation"),
        ("seeds = 2", "seeds = 0", "seeds = \"0\" is not a number or a range of seeds"),
        ("seeds = 2", "seeds = 1000000", "more than 1048576 points"),
        ("x = \"bundle\"", "x = \"seed\"", "x = \"seed\": give one of n, terminals"),
        ("x = \"bundle\"", "y = \"digest\"", "y = \"digest\": give one of steps"),
        ("x = \"bundle\"", "y = \"steps/cost\"", "a quotient like"),
        ("[\"least\", \"greatest\"]", "[]", "values needs at least one"),
        ("\"closed-form\"", "\"bound 0\"", "with a chance P above 0"),
        ("x = \"bundle\"", "z = 1", "unknown field `z`"),
    ] {
        fs::write(dir.path().join("s.toml"), SMALL.replace(from, to)).unwrap();
        let output = frit("sweep s.toml").current_dir(dir.path()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{to}\n{stderr}");
        assert!(stderr.contains(expected) && stderr.contains("s.toml"), "{to}: {stderr}");
    }
}

/// Experiments whose rows are kept beside their files.
const KEPT: [&str; 13] = [
    "dilated_time",
    "dilated_delivered",
    "dilated_release",
    "dilated_direct",
    "dilated_queue",
    "multibutterfly_stages",
    "multibutterfly_words",
    "multibutterfly_bits",
    "multibutterfly_packed",
    "multibutterfly_storage",
    "multibutterfly_active",
    "multibutterfly_moves",
    "multibutterfly_sizes",
];

/// The file of rows that an experiment names.
fn csv_of(name: &str) -> String {
    let text = fs::read_to_string(root().join(format!("examples/{name}.toml"))).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("csv = \"")).unwrap();
    line.trim_end_matches('"').into()
}

/// The drawings are those of the rows kept, of which none is missing.
#[test]
fn the_plots_of_the_experiments_are_what_their_rows_draw() {
    for name in KEPT {
        let dir = tempfile::tempdir().unwrap();
        let csv = csv_of(name);
        fs::copy(root().join("examples").join(&csv), dir.path().join(csv)).unwrap();
        let report = json(&format!("sweep examples/{name}.toml -o {}", dir.path().display()), 0);
        assert_eq!(report["ran"], 0, "{name}: rows are missing in examples/{name}.csv");
        let drawn = fs::read_to_string(dir.path().join(format!("{name}.svg"))).unwrap();
        let kept = fs::read_to_string(root().join(format!("docs/images/{name}.svg"))).unwrap();
        assert!(drawn == kept, "docs/images/{name}.svg is not what examples/{name}.csv draws");
    }
}

/// Some rows of each experiment, run again: the rest of a row is what it was.
#[test]
fn rows_of_the_experiments_are_what_runs_give_today() {
    for name in KEPT.into_iter().filter(|name| csv_of(name) == format!("{name}.csv")) {
        let dir = tempfile::tempdir().unwrap();
        let kept = fs::read_to_string(root().join(format!("examples/{name}.csv"))).unwrap();
        let mut large = 0;
        let few = kept.lines().enumerate().filter(|(at, line)| {
            let first = line.split(',').next().unwrap();
            large = first.parse().unwrap_or(0);
            *at == 0 || large > 256 || at % 29 != 0
        });
        let few: Vec<&str> = few.map(|(_, line)| line).collect();
        assert!(few.len() < kept.lines().count());
        let csv = dir.path().join(format!("{name}.csv"));
        fs::write(&csv, few.join("\n") + "\n").unwrap();
        run(&format!("sweep examples/{name}.toml -o {}", dir.path().display()), 0);
        assert!(fs::read_to_string(csv).unwrap() == kept, "examples/{name}.csv");
    }
}

/// The figures of docs/systems/dilated-experiments.md.
#[test]
fn the_rows_say_what_the_document_says() {
    let kept =
        |name: &str| rows(&fs::read_to_string(root().join(format!("examples/dilated_{name}.csv"))).unwrap());
    let time = kept("time");
    for row in time.iter().filter(|row| row["switch"] == "strong") {
        assert_eq!((&row["steps"], &row["waits"]), (&row["closed_form"], &"0".to_string()));
    }
    for row in &time {
        let number = |column: &str| row[column].parse::<u64>().unwrap();
        assert!(number("steps") >= number("least_steps") && number("blocked") == 0);
    }
    let weak = |n: u32| {
        let size = (1 << n).to_string();
        let cells = [("terminals", size.as_str()), ("switch", "weak"), ("mode", "unrolled")];
        mean(&time, &cells, "steps")
    };
    for (n, steps) in
        [(3, 48.0), (4, 55.0), (5, 64.0), (6, 70.0), (7, 76.0), (8, 84.0), (10, 97.0), (12, 112.0)]
    {
        assert!((weak(n) - steps).abs() <= 1.0, "n = {n}: {} in place of {steps}", weak(n));
    }
    let delivered = kept("delivered");
    for (bundle, share) in [("2", 0.47), ("4", 0.91), ("6", 0.994), ("8", 1.0)] {
        let cells = [("terminals", "16"), ("bundle", bundle), ("switch", "strong")];
        let arrived = mean(&delivered, &cells, "delivered") / mean(&delivered, &cells, "total");
        assert!((arrived - share).abs() < 0.01, "b = {bundle}: {arrived} in place of {share}");
    }
    let release = kept("release");
    assert!(release.iter().all(|row| row["delivered"] == row["total"]));
    for (bundle, steps) in [("1", 1335.0), ("2", 538.0), ("4", 234.0), ("8", 131.0), ("14", 63.0)] {
        // The figures of the references are means of seeds 1 and 2, rounded.
        let of = |seed| {
            let cells = [("terminals", "256"), ("bundle", bundle), ("switch", "strong"), ("seed", seed)];
            mean(&release, &cells, "steps")
        };
        let both = (of("1") + of("2")) / 2.0;
        assert!((both - steps).abs() <= 0.5, "b = {bundle}: {both} in place of {steps}");
    }
    let direct = kept("direct");
    let load = |way| {
        mean(&direct, &[("terminals", "4096"), ("traffic", "bit-reversal"), ("direct", way)], "max_load")
    };
    assert_eq!(load("true"), 384.0);
    assert!((19.0..=21.0).contains(&load("false")), "{}", load("false"));
    let queue = kept("queue");
    let steps = |bits| mean(&queue, &[("bundle", "14"), ("queue", bits)], "steps");
    assert_eq!([steps("1"), steps("2"), steps("4"), steps("44")], [97.0, 55.0, 55.0, 55.0]);
}

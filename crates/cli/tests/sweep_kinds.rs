//! The kinds h-relation and exchange of `frit sweep` on the binary, and files that are refused.

use crate::common;

use common::sweeps::{SMALL, joined, ran, sweep};
use common::{frit, json, root, run};
use std::fs;

#[test]
fn figure_4_is_what_the_example_draws() {
    let dir = tempfile::tempdir().unwrap();
    run(&format!("sweep examples/figure4.toml -o {}", dir.path().display()), 0);
    let drawn = fs::read_to_string(dir.path().join("figure4.svg")).unwrap();
    let kept = fs::read_to_string(root().join("docs/images/figure4.svg")).unwrap();
    assert!(drawn == kept, "docs/images/figure4.svg is not what frit sweep examples/figure4.toml draws");
    for part in
        ["n = 4", "n = 16", "limit c = 1/2", "h = n log2 n", "h: packets per processor", "c = steps / h"]
    {
        assert!(drawn.contains(part), "{part}");
    }
    // The figures of the command that shows one point.
    let csv = fs::read_to_string(dir.path().join("figure4.csv")).unwrap();
    let point = json("relation obf -n 16 --per-source 64 --seeds 3..3", 0);
    let p = &point["points"][0];
    let row = format!(
        "16,64,3,1024,64,{},{},{},{},",
        p["most_received"], p["largest_buffer"], p["steps"], p["cost_per_source"]
    );
    assert!(csv.contains(&row), "{row}");
}

#[test]
fn streams_are_swept_over_forms() {
    let dir = tempfile::tempdir().unwrap();
    let text = "kind = \"stream\"
[[systems]]
system = \"transpose\"
terminals = [4, 8]
options = { rows = [16, 64], banks = [1, 2] }
[[systems]]
system = \"permute\"
terminals = 8
options = { words = 1024 }
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";
    assert_eq!(ran(&sweep(dir.path(), text, "")), (9, 9));
    let csv = joined(&fs::read_to_string(dir.path().join("s.csv")).unwrap());
    let row = "transpose,banks=2 dims=fixed keep=no pages=auto rows=64 user=0,8,4096,one network between two banks of memories,3,12,6,3,";
    assert!(csv.contains(row), "{csv}");
    // The figures of the command that shows one point.
    let point = json("simulate permute -n 8 --words 1024", 0);
    let figures =
        ["wait", "registers", "latency", "pages", "memory_words"].map(|name| point[name].to_string());
    assert!(csv.contains(&format!(",{},", figures.join(","))), "{csv}");
    let drawn = fs::read_to_string(dir.path().join("s.svg")).unwrap();
    assert!(drawn.contains("transpose banks=2, N = 8") && drawn.contains("words of a data set"), "{drawn}");
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(csv.lines().next().unwrap()), "{csv}");
    for (from, to, expected) in [
        ("rows = [16, 64]", "rows = 5", "the nearest sizes are"),
        ("terminals = 8", "terminals = [8, 8]", "permute_bitrev_1024_p8 is listed twice"),
        ("[files]", "[drawing]\ny = \"form\"\n[files]", "give one of words, columns, switches"),
        ("[files]", "[drawing]\nx = \"rows\"\n[files]", "give words or terminals"),
        ("\"permute\"", "\"rls\"", "is not a streamed system"),
    ] {
        fs::write(dir.path().join("w.toml"), text.replace(from, to)).unwrap();
        let output = frit("sweep w.toml").current_dir(dir.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{to}: {said}");
    }
}

/// The form is in words, some with a comma, and no cell of a row that is known may be lost for it.
#[test]
fn a_sweep_of_streams_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let text = "kind = \"stream\"
[[systems]]
system = \"transpose\"
terminals = 4
options = { rows = 8, cols = [8, 12], dims = [\"fixed\", \"runtime\"] }
[files]
csv = \"s.csv\"
";
    assert_eq!(ran(&sweep(dir.path(), text, "")), (4, 4));
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert!(csv.contains(",skewed storage; sizes loaded at run time,"), "{csv}");
    assert_eq!(ran(&sweep(dir.path(), text, "")), (4, 0));
    assert_eq!(fs::read_to_string(dir.path().join("s.csv")).unwrap(), csv);
}

#[test]
fn exchanges_are_swept_over_systems() {
    let dir = tempfile::tempdir().unwrap();
    let text = "kind = \"exchange\"
systems = [
  { system = \"rls\", terminals = [8, 4] },
  { system = \"gsen\", terminals = [6], options = { algorithm = \"ata2\" } },
]
[files]
csv = \"s.csv\"
svg = \"s.svg\"
[plot]
x_scale = \"linear\"
";
    assert_eq!(ran(&sweep(dir.path(), text, "")), (3, 3));
    let csv = fs::read_to_string(dir.path().join("s.csv")).unwrap();
    // Each option has a column of its own beside the one of all, empty where a system has it not.
    assert!(
        csv.starts_with("system,options,option_algorithm,option_conflict,option_direction,terminals,"),
        "{csv}"
    );
    assert!(csv.contains("\ngsen,algorithm=ata2,ata2,,,6,"), "{csv}");
    let csv = joined(&csv);
    assert!(csv.contains("\nrls,conflict=yes direction=right,8,12,12,12,"), "{csv}");
    assert!(csv.contains("\ngsen,algorithm=ata2,6,8,16,8,"), "{csv}");
    assert!(!dir.path().join("s.png").exists());
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(csv.lines().next().unwrap()), "{csv}");
}

#[test]
fn sweeps_that_make_no_sense() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |text: &str| {
        fs::write(dir.path().join("s.toml"), text).unwrap();
        let output = frit("sweep s.toml").current_dir(dir.path()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}\n{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        stderr
    };
    let change = |from: &str, to: &str| refused(&SMALL.replace(from, to));
    for (from, to, expected) in [
        ("h-relation", "t-relation", "the kinds are \"h-relation\" and \"exchange\""),
        ("[8, 4]", "[8, 12]", "does not exist with 12 terminals"),
        ("[8, 4]", "[]", "each need at least one value"),
        ("[8, 4]", "[131072]", "up to 65536 terminals"),
        ("2*n", "2n", "\"2n\" is not a size"),
        ("[1,", "[true,", "a whole number or an expression of n"),
        ("h_max = 20", "h_max = 0", "no h is left for n = 4"),
        ("seeds = 2", "seeds = 0", "seeds = \"0\" is not a number or a range of seeds"),
        ("seeds = 2", "hot = 3", "belong to relation = \"hot-spot\""),
        ("seeds = 2", "sequence = \"x\"", "sequence cannot be \"x\""),
        ("seeds = 2", "colour = 2", "unknown field `colour`"),
        ("csv = \"s.csv\"\n", "", "missing field `csv`"),
        ("[files]", "[plot]\nwidth = 1\n[files]", "a plot of 1 x 640 pixels"),
    ] {
        let text = change(from, to);
        assert!(text.contains(expected) && text.contains("s.toml"), "{to}: {text}");
    }
    // A file of somebody else's is not overwritten.
    fs::write(dir.path().join("s.csv"), "a,b\n1,2\n").unwrap();
    let text = refused(SMALL);
    assert!(text.contains("s.csv: this file was not written by this kind of sweep"), "{text}");
    assert_eq!(fs::read_to_string(dir.path().join("s.csv")).unwrap(), "a,b\n1,2\n");
}

/// What a point is expected to take: moves of messages over links.
#[test]
fn the_work_of_an_exchange_counts_rounds_lanes_and_stages() {
    let dir = tempfile::tempdir().unwrap();
    let text = "kind = \"exchange\"
systems = [
  { system = \"rls\", terminals = 8 },
  { system = \"gsen\", terminals = 6 },
  { system = \"rls-folded\", terminals = 8, options = { plan = [\"windowed\", \"buffered\"] } },
]
[files]
csv = \"s.csv\"
";
    fs::write(dir.path().join("s.toml"), text).unwrap();
    let report = json(&format!("sweep {0}/s.toml -o {0} --list", dir.path().display()), 0);
    let work: Vec<u64> =
        report["listed"].as_array().unwrap().iter().map(|point| point["work"].as_u64().unwrap()).collect();
    // 8 rounds of 8 lanes through 5 stages; 2^3 rounds of 6 lanes through 3 stages, twice; 3 stages passed twice.
    assert_eq!(work, [8 * 8 * 5, 2 * 8 * 6 * 3, 8 * 8 * 6, 8 * 8 * 6]);
}

#[test]
fn planned_systems_that_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (entry, expected) in [
        ("system = \"dilated\", terminals = 8", "dilated is routed, and this kind sweeps planned systems"),
        ("system = \"rls\", terminals = []", "rls: terminals needs at least one value"),
        ("system = \"rls\", terminals = 8, widths = 8", "unknown field `widths`"),
        (
            "system = \"rls\", terminals = 8, options = { conflict = [] }",
            "every list of options needs at least one value",
        ),
        ("system = \"rls\", terminals = 12", "does not exist with 12 terminals"),
    ] {
        let text = format!("kind = \"exchange\"\nsystems = [{{ {entry} }}]\n[files]\ncsv = \"s.csv\"\n");
        let (code, said) = common::sweeps::said(dir.path(), &text, "");
        assert!(code == Some(2) && said.contains(expected), "{entry}: {said}");
    }
}

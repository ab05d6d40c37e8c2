//! `frit sweep` on the binary.

mod common;

use common::{frit, json, root, run};
use std::fs;
use std::path::Path;

const SMALL: &str = "kind = \"h-relation\"
terminals = [8, 4]
h = [1, \"2*n\", \"n*log2(n)\"]
h_max = 20
seeds = 2
[files]
csv = \"s.csv\"
svg = \"s.svg\"
png = \"s.png\"
";

fn sweep(folder: &Path, text: &str, arguments: &str) -> serde_json::Value {
    fs::write(folder.join("s.toml"), text).unwrap();
    json(&format!("sweep {0}/s.toml -o {0} {arguments}", folder.display()), 0)
}

fn ran(report: &serde_json::Value) -> (u64, u64) {
    (report["points"].as_u64().unwrap(), report["ran"].as_u64().unwrap())
}

#[test]
fn points_that_are_known_are_not_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, 8)); // n = 4: h = 1, 8; n = 8: 1, 16
    let csv = fs::read_to_string(path("s.csv")).unwrap();
    let (svg, png) = (fs::read(path("s.svg")).unwrap(), fs::read(path("s.png")).unwrap());
    assert_eq!(png[1..4], *b"PNG");
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, 0));

    // A sweep that was stopped, with one figure marked to see that it is kept.
    let mut lines: Vec<String> = csv.lines().map(String::from).collect();
    lines.remove(5);
    lines[1] = lines[1].replace(",4,4,", ",4,77,");
    fs::write(path("s.csv"), lines.join("\n") + "\n").unwrap();
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, 1));
    assert_eq!(fs::read_to_string(path("s.csv")).unwrap().replace(",4,77,", ",4,4,"), csv);

    // All again, by one thread: the same bytes.
    let report = sweep(dir.path(), SMALL, "--again -j 1");
    assert_eq!((ran(&report), &report["known"]), ((8, 8), &0.into()));
    assert_eq!(fs::read_to_string(path("s.csv")).unwrap(), csv);
    assert!(fs::read(path("s.svg")).unwrap() == svg && fs::read(path("s.png")).unwrap() == png);

    // More seeds: only those. Another sequence: another configuration.
    assert_eq!(ran(&sweep(dir.path(), &SMALL.replace("seeds = 2", "seeds = 3"), "")), (12, 4));
    let other = SMALL.replace("seeds = 2", "seeds = 2\nsequence = \"granddaddy\"");
    assert_eq!(ran(&sweep(dir.path(), &other, "")), (8, 8));
    let text = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for member in report.as_object().unwrap().keys() {
        assert!(text.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
    assert!(text.contains(csv.lines().next().unwrap()), "the columns are not in docs/formats.md");
}

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
        ("[8, 4]", "[]", "need a value each at least"),
        ("[8, 4]", "[131072]", "up to 65536 terminals"),
        ("2*n", "2n", "\"2n\" is not a size"),
        ("[1,", "[true,", "a whole number or an expression of n"),
        ("h_max = 20", "h_max = 0", "no h is left for n = 4"),
        ("seeds = 2", "seeds = 0", "seeds = \"0\": give how many"),
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
    assert!(text.contains("s.csv was not written by this kind of sweep"), "{text}");
    assert_eq!(fs::read_to_string(dir.path().join("s.csv")).unwrap(), "a,b\n1,2\n");
}

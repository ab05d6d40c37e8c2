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
    lines[1] = lines[1].replace(",3,3,", ",3,77,");
    assert!(lines[1].contains(",77,"));
    fs::write(path("s.csv"), lines.join("\n") + "\n").unwrap();
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, 1));
    assert_eq!(fs::read_to_string(path("s.csv")).unwrap().replace(",3,77,", ",3,3,"), csv);

    // All again, by one thread: the same bytes.
    let report = sweep(dir.path(), SMALL, "--again -j 1");
    assert_eq!((ran(&report), &report["known"]), ((8, 8), &0.into()));
    assert_eq!(fs::read_to_string(path("s.csv")).unwrap(), csv);
    assert!(fs::read(path("s.svg")).unwrap() == svg && fs::read(path("s.png")).unwrap() == png);

    // More seeds: only those. Another sequence: another configuration.
    assert_eq!(ran(&sweep(dir.path(), &SMALL.replace("seeds = 2", "seeds = 3"), "")), (12, 4));
    let other = SMALL.replace("seeds = 2", "seeds = 2\nsequence = \"granddaddy\"");
    assert_eq!(ran(&sweep(dir.path(), &other, "--drop")), (8, 8));
    let text = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for member in report.as_object().unwrap().keys() {
        assert!(text.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
    assert!(text.contains(csv.lines().next().unwrap()), "the columns are not in docs/formats.md");
}

/// The exit code of a sweep of these lines, and what it says on stderr.
fn said(folder: &Path, text: &str, arguments: &str) -> (Option<i32>, String) {
    fs::write(folder.join("s.toml"), text).unwrap();
    let mut command = frit(&format!("sweep {0}/s.toml -o {0} {arguments}", folder.display()));
    // The tests may run in a job themselves.
    for name in ["ID", "COUNT", "MIN", "MAX", "STEP"] {
        command.env_remove(format!("SLURM_ARRAY_TASK_{name}"));
    }
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn rows_that_are_not_asked_for_are_not_lost_silently() {
    let dir = tempfile::tempdir().unwrap();
    let csv = || fs::read_to_string(dir.path().join("s.csv")).unwrap();
    sweep(dir.path(), SMALL, "");
    let all = csv();
    let (fewer, other) =
        (SMALL.replace("[8, 4]", "[8]"), SMALL.replace("seeds = 2", "seeds = 2\nsequence = \"granddaddy\""));
    for (text, arguments, expected) in [
        (&fewer, "", "s.csv holds 4 rows for points that this sweep does not ask for (the first: 4,1,1)"),
        (&fewer, "--again", "s.csv holds 4 rows for points"),
        (
            &other,
            "",
            "s.csv holds 8 rows of another version of frit or another configuration (the first: 4,1,1)",
        ),
    ] {
        let (code, text) = said(dir.path(), text, arguments);
        assert!(code == Some(2) && text.contains(expected) && text.contains("--drop drops them"), "{text}");
        assert_eq!(csv(), all);
    }
    assert_eq!(ran(&sweep(dir.path(), &fewer, "--drop")), (4, 0));
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, 4));
    assert_eq!(csv(), all);
    assert_eq!(ran(&sweep(dir.path(), &other, "--again")), (8, 8)); // asked for
    // Of a shard's file only the points of that shard are.
    let shard = dir.path().join("s.shard-1-of-2.csv");
    fs::copy(dir.path().join("s.csv"), &shard).unwrap();
    let (code, text) = said(dir.path(), SMALL, "--shard 1/2 --again");
    assert!(code == Some(2) && text.contains("s.shard-1-of-2.csv holds 4 rows of another version"), "{text}");
}

#[test]
fn a_line_without_an_end_is_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.csv");
    sweep(dir.path(), SMALL, "");
    let all = fs::read_to_string(&path).unwrap();
    let header = all.find('\n').unwrap();
    let last = all.trim_end().rfind('\n').unwrap() + 1;
    for (end, lost) in [(all.len() - 2, 1), (last + 3, 1), (all.len() - 1, 0), (header - 5, 8), (0, 8)] {
        fs::write(&path, &all[..end]).unwrap();
        let (code, text) = said(dir.path(), SMALL, "");
        assert_eq!((code, fs::read_to_string(&path).unwrap()), (Some(0), all.clone()), "{end}: {text}");
        let torn = lost > 0 && end > 0;
        assert_eq!(text.contains("s.csv: the last line has no end"), torn, "{end}: {text}");
        fs::write(&path, &all[..end]).unwrap();
        assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, lost), "{end}");
    }
    // A line inside is nobody's interrupted write, and two figures for one point are not one run's.
    let first = all.lines().nth(1).unwrap();
    let other = first.replace(",3,3,", ",3,77,");
    for (text, expected) in [
        (
            all.replacen(first, &first[..9], 1),
            "line 2 was not written by a sweep; without it its point is run again: it has",
        ),
        (format!("{all}{other}\n"), "an earlier line has other figures for 4,1,1"),
    ] {
        fs::write(&path, text).unwrap();
        let (code, text) = said(dir.path(), SMALL, "");
        assert!(code == Some(2) && text.contains(expected) && text.contains("s.csv"), "{text}");
    }
}

#[test]
fn one_run_at_a_time_works_on_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("s.csv.lock");
    let lock = fs::File::create(&place).unwrap();
    lock.try_lock().unwrap();
    let (code, text) = said(dir.path(), SMALL, "");
    assert!(code == Some(2) && text.contains("s.csv: another run works on this file; wait for it"), "{text}");
    assert!(!dir.path().join("s.csv").exists());
    drop(lock);
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, 8));
    assert!(!place.exists(), "a lock leaves nothing behind");
    // Two at once: rows of both would be lost without it.
    fs::remove_file(dir.path().join("s.csv")).unwrap();
    let runs = ["4", "8"].map(|n| {
        let file = dir.path().join(format!("{n}.toml"));
        fs::write(&file, SMALL.replace("[8, 4]", &format!("[{n}]"))).unwrap();
        let arguments = [Path::new("sweep"), &file, Path::new("-o"), dir.path()];
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("frit"));
        command.args(arguments).stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command.spawn().unwrap()
    });
    let codes = runs.map(|mut run| run.wait().unwrap().code().unwrap());
    assert!(codes.contains(&2) && codes.contains(&0), "{codes:?}"); // locked, or rows that would be lost
}

/// `frit sweep` on the file that is there; as task `task` of three of a job array.
fn of_slurm(folder: &Path, task: &str) -> std::process::Output {
    let mut command = frit(&format!("sweep {0}/s.toml -o {0} --shard slurm --format json", folder.display()));
    for (name, value) in [("ID", task), ("COUNT", "3"), ("MIN", "0"), ("STEP", "1")] {
        command.env(format!("SLURM_ARRAY_TASK_{name}"), value);
    }
    command.output().unwrap()
}

#[test]
fn shards_join_to_the_bytes_of_one_run() {
    let (one, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    sweep(one.path(), SMALL, "");
    let path = |name: &str| parts.path().join(name);
    let merge = |code| json(&format!("sweep merge {0}/s.toml -o {0}", parts.path().display()), code);
    let list = |more| json(&format!("sweep {0}/s.toml -o {0} --list {more}", parts.path().display()), 0);

    let third = sweep(parts.path(), SMALL, "--shard 3/3");
    assert_eq!((&third["shard"], third["ran"].as_u64().unwrap()), (&"3/3".into(), 4)); // of 8
    assert!(!path("s.csv").exists());
    assert_eq!(ran(&sweep(parts.path(), SMALL, "--shard 3/3")), (4, 0));
    sweep(parts.path(), SMALL, "--shard 1/3");
    let (listed, part) = (list(""), list("--shard 2/3"));
    assert_eq!((&listed["points"], &listed["missing"]), (&8.into(), &part["points"]));
    assert_eq!(part["points"], part["missing"]);
    let missing = listed["listed"].as_array().unwrap().iter().find(|point| point["known"] == false).unwrap();
    assert_eq!(missing["key"], part["listed"][0]["key"]);
    let joined = merge(1);
    assert_eq!(
        (&joined["missing"], &joined["missing_shards"]),
        (&part["points"], &serde_json::json!(["2/3"]))
    );
    assert!(path("s.csv").exists() && !path("s.svg").exists());

    assert_eq!(of_slurm(parts.path(), "1").status.code(), Some(0)); // from 0: the second
    let joined = merge(0);
    for name in ["s.csv", "s.svg", "s.png"] {
        assert!(fs::read(path(name)).unwrap() == fs::read(one.path().join(name)).unwrap(), "{name}");
    }
    assert!(!path("s.csv.lock").exists() && !path("s.shard-2-of-3.csv.lock").exists());
    // What another file knows is not run again; what is asked for is.
    assert_eq!(ran(&sweep(parts.path(), SMALL, "--shard 1/2")).1, 0);
    let (points, again) = ran(&sweep(parts.path(), SMALL, "--shard 1/2 --again"));
    assert_eq!(points, again);
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for member in
        [&joined, &listed, &listed["listed"][0]].iter().flat_map(|value| value.as_object().unwrap().keys())
    {
        assert!(formats.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
}

#[test]
fn shards_that_do_not_fit_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let merge = || {
        let output = frit(&format!("sweep merge {0}/s.toml -o {0}", dir.path().display())).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (shard, expected) in [
        ("0/3", "give I/K, part I = 1 to K"),
        ("4/3", "give I/K"),
        ("3", "or slurm"),
        ("1/70000", "K = 1 to 65536"),
        ("slurm", "SLURM_ARRAY_TASK_ID is not set; it is in a job array"),
    ] {
        let (code, text) = said(dir.path(), SMALL, &format!("--shard {shard}"));
        assert!(code == Some(2) && text.contains(expected), "{shard}: {text}");
    }
    assert!(
        String::from_utf8_lossy(&of_slurm(dir.path(), "7").stderr).contains("task 7 of an array of 3 from 0")
    );
    let (code, text) = merge();
    assert!(code == Some(2) && text.contains("s.csv nor a file of a shard beside it is there"), "{text}");

    for shard in ["1/2", "2/2"] {
        sweep(dir.path(), SMALL, &format!("--shard {shard}"));
    }
    let path = dir.path().join("s.shard-1-of-2.csv");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let (code, text) = merge();
    assert!(code == Some(1) && text.contains("s.shard-1-of-2.csv: the last line has no end"), "{text}");
    // The same point with other figures: one of the two is wrong.
    fs::write(&path, &whole).unwrap();
    assert_eq!(merge().0, Some(0));
    let csv = dir.path().join("s.csv");
    let text = fs::read_to_string(&csv).unwrap();
    fs::write(&csv, text.replacen(",3,3,", ",3,77,", 1)).unwrap();
    let (code, text) = merge();
    assert!(code == Some(2) && text.contains("s.csv have different figures for 4,1,1"), "{text}");
    let lock = fs::File::create(dir.path().join("s.shard-2-of-2.csv.lock")).unwrap();
    lock.try_lock().unwrap();
    let (code, text) = said(dir.path(), SMALL, "--shard 2/2");
    assert!(code == Some(2) && text.contains("s.shard-2-of-2.csv: another run works on this file"), "{text}");
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
    assert!(text.contains("s.csv: this file was not written by this kind of sweep"), "{text}");
    assert_eq!(fs::read_to_string(dir.path().join("s.csv")).unwrap(), "a,b\n1,2\n");
}

//! `frit sweep` on the binary: its file of results, what is run again, what is not lost.

use crate::common;

use common::root;
use common::sweeps::{SMALL, cells, ran, said, signed, sweep};
use std::fs;
use std::path::Path;

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
    let changed = lines.join("\n") + "\n";
    fs::write(path("s.csv"), signed(&changed)).unwrap();
    assert_eq!(ran(&sweep(dir.path(), SMALL, "")), (8, 1));
    assert_eq!(signed(&fs::read_to_string(path("s.csv")).unwrap().replace(",3,77,", ",3,3,")), csv);
    // A figure that somebody has changed is refused, and the file is left as it is.
    fs::write(path("s.csv"), &changed).unwrap();
    let (code, text) = said(dir.path(), SMALL, "");
    assert!(
        code == Some(2) && text.contains("s.csv: line 2") && text.contains("some cell was changed"),
        "{text}"
    );
    assert_eq!(fs::read_to_string(path("s.csv")).unwrap(), changed);
    let older: Vec<&str> = csv.lines().map(cells).collect();
    fs::write(path("s.csv"), older.join("\n") + "\n").unwrap();
    let (code, text) = said(dir.path(), SMALL, "");
    assert!(code == Some(2) && text.contains("its rows have no digest (the column row_digest)"), "{text}");
    fs::write(path("s.csv"), &csv).unwrap();

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
        (signed(&format!("{all}{other}\n")), "an earlier line has other figures for 4,1,1"),
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
    assert!(
        code == Some(2) && text.contains("s.csv: another run is using this file; wait until that run ends"),
        "{text}"
    );
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

//! Parts of a sweep: `frit sweep --shard`, `merge` and `--list` on the binary.

use crate::common;

use common::sweeps::{SMALL, cells, ran, said, signed, sweep};
use common::{frit, json, root};
use std::fs;
use std::path::Path;

/// `frit sweep` on the file that is there; as task `task` of three of a job array.
fn of_slurm(folder: &Path, task: &str) -> std::process::Output {
    let mut command = frit(&format!("sweep {0}/s.toml -o {0} --shard slurm --format json", folder.display()));
    for (name, value) in [("ID", task), ("COUNT", "3"), ("MIN", "0")] {
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
    assert!(code == Some(2) && text.contains("s.csv nor its shard files"), "{text}");

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
    let altered = text.replacen(",3,3,", ",3,77,", 1);
    // A digit that somebody has changed: in the joined file, and in that of a shard.
    for path in [&csv, &path] {
        let kept = fs::read_to_string(path).unwrap();
        let first = kept.lines().nth(1).unwrap();
        // The last digit of the last figure, before version, configuration and digest.
        let cost = cells(cells(cells(first))).len() - 1;
        let other = if first.as_bytes()[cost] == b'7' { "8" } else { "7" };
        let line = format!("{}{other}{}", &first[..cost], &first[cost + 1..]);
        fs::write(path, kept.replacen(first, &line, 1)).unwrap();
        let (code, said) = merge();
        assert!(
            code == Some(2) && said.contains("line 2") && said.contains("some cell was changed"),
            "{said}"
        );
        fs::write(path, kept).unwrap();
    }
    assert_eq!(merge().0, Some(0));
    fs::write(&csv, signed(&altered)).unwrap();
    let (code, text) = merge();
    assert!(code == Some(2) && text.contains("s.csv have different figures for 4,1,1"), "{text}");
    let lock = fs::File::create(dir.path().join("s.shard-2-of-2.csv.lock")).unwrap();
    lock.try_lock().unwrap();
    let (code, text) = said(dir.path(), SMALL, "--shard 2/2");
    assert!(code == Some(2) && text.contains("s.shard-2-of-2.csv: another run is using this file"), "{text}");
}

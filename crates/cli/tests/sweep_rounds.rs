//! `frit sweep` of the rounds of an exchange, and of photonics, on the binary.

use crate::common;

use common::sweeps::signed;
use common::{json, root, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

const ROUNDS: &str = "kind = \"rounds\"
[[systems]]
system = \"rls\"
terminals = 256
blocks = 5
[[systems]]
system = \"obf\"
terminals = 64
blocks = 3
[files]
csv = \"s.csv\"
";

fn sweep(folder: &Path, arguments: &str, code: i32) -> Value {
    json(&format!("sweep {arguments} {0}/s.toml -o {0}", folder.display()), code)
}

fn lines(report: &Value) -> Vec<&str> {
    report["conclusion"]["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect()
}

#[test]
fn shards_are_together_every_pair_exactly_once() {
    let whole = tempfile::tempdir().unwrap();
    fs::write(whole.path().join("s.toml"), ROUNDS).unwrap();
    let report = sweep(whole.path(), "", 0);
    let said = [
        "rls_n256: every pair exactly once, in 256 rounds: 65536 messages",
        "obf_n64: every pair exactly once, in 32 rounds: 4096 messages",
    ];
    assert_eq!((lines(&report), &report["conclusion"]["fine"]), (said.to_vec(), &true.into()));

    let parts = tempfile::tempdir().unwrap();
    let path = |name: &str| parts.path().join(name);
    fs::write(path("s.toml"), ROUNDS).unwrap();
    let first = sweep(parts.path(), "--shard 1/2", 0);
    assert!(first["conclusion"].is_null());
    let joined = sweep(parts.path(), "merge", 1);
    assert!(joined["conclusion"].is_null() && joined["missing"].as_u64().unwrap() > 0);
    sweep(parts.path(), "--shard 2/2", 0);
    let joined = sweep(parts.path(), "merge", 0);
    assert_eq!(lines(&joined), said);
    assert_eq!(fs::read(path("s.csv")).unwrap(), fs::read(whole.path().join("s.csv")).unwrap());

    // A message that a shard has lost, and one that came from elsewhere.
    let csv = fs::read_to_string(path("s.csv")).unwrap();
    let row = csv.lines().nth(2).unwrap();
    let cells: Vec<&str> = row.split(',').collect();
    for (name, other) in [("arrived", "13055"), ("senders", "0x0000000000000001")] {
        let column = csv.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
        let mut cells = cells.clone();
        assert_ne!(cells[column], other);
        cells[column] = other;
        fs::write(path("s.csv"), signed(&csv.replace(row, &cells.join(",")))).unwrap();
        for shard in ["1-of-2", "2-of-2"] {
            let _ = fs::remove_file(path(&format!("s.shard-{shard}.csv")));
        }
        let report = sweep(parts.path(), "", 1);
        assert_eq!(report["conclusion"]["fine"], false);
        assert!(
            lines(&report)[0].starts_with("rls_n256: not the whole exchange: rounds 51 to 101: "),
            "{report}"
        );
        assert_eq!(lines(&report)[1], said[1]);
    }
    let (text, _) = run(&format!("sweep examples/rounds.toml -o {}", parts.path().display()), 0);
    assert!(
        text.contains("  obf_n4096: every pair exactly once, in 2048 rounds: 16777216 messages"),
        "{text}"
    );
    let (text, _) = run(&format!("sweep {0}/s.toml -o {0} --again", parts.path().display()), 0);
    assert!(text.contains("  rls_n256: every pair exactly once"), "{text}");
}

#[test]
fn devices_are_swept_with_the_figures_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let text = "kind = \"photonics\"\n[values]\nguard = [0, 50]\nlink = 1000\n[files]\ncsv = \"s.csv\"\nsvg = \"s.svg\"\n";
    fs::write(folder.path().join("s.toml"), text).unwrap();
    assert_eq!(sweep(folder.path(), "", 0)["points"], 2);
    run(&format!("sweep examples/guard.toml -o {}", folder.path().display()), 0);
    let csv = fs::read_to_string(folder.path().join("s.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let place = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    for row in &rows[1..] {
        let guard = row[place("guard")];
        let figures = &json(&format!("photonics --link 1000 --guard {guard}"), 0)["figures"];
        for column in
            ["slot_ns", "link_mm", "last_bit_ns", "payload_bits", "goodput_gbps", "energy_pj_per_bit"]
        {
            let cell: f64 = row[place(column)].parse().unwrap();
            assert_eq!(cell, figures[column].as_f64().unwrap(), "{column}");
        }
    }
    assert!(
        fs::read_to_string(folder.path().join("s.svg"))
            .unwrap()
            .contains("goodput gbps: Gb/s of a processor")
    );
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(
        formats.contains("(`dimension` to `electronics_power`") && formats.contains("(`slot_ns` to `closes`")
    );
}

//! Sweeps that tests run.

use super::{frit, json};
use std::fs;
use std::path::Path;

/// Eight points, in an instant.
pub const SMALL: &str = "kind = \"h-relation\"
terminals = [8, 4]
h = [1, \"2*n\", \"n*log2(n)\"]
h_max = 20
seeds = 2
[files]
csv = \"s.csv\"
svg = \"s.svg\"
png = \"s.png\"
";

/// Runs these lines as a sweep in a folder; what it reports.
pub fn sweep(folder: &Path, text: &str, arguments: &str) -> serde_json::Value {
    fs::write(folder.join("s.toml"), text).unwrap();
    json(&format!("sweep {0}/s.toml -o {0} {arguments}", folder.display()), 0)
}

/// Its points, and those that were run.
pub fn ran(report: &serde_json::Value) -> (u64, u64) {
    (report["points"].as_u64().unwrap(), report["ran"].as_u64().unwrap())
}

/// The exit code of a sweep of these lines, and what it says on stderr.
pub fn said(folder: &Path, text: &str, arguments: &str) -> (Option<i32>, String) {
    fs::write(folder.join("s.toml"), text).unwrap();
    let mut command = frit(&format!("sweep {0}/s.toml -o {0} {arguments}", folder.display()));
    // The tests may run in a job themselves.
    for name in ["ID", "COUNT", "MIN", "MAX", "STEP"] {
        command.env_remove(format!("SLURM_ARRAY_TASK_{name}"));
    }
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The rows of a file of results, some cells of which were changed, with the digests that now belong to them.
pub fn signed(text: &str) -> String {
    let (header, rows) = text.split_once('\n').unwrap();
    let row = |line: &str| {
        let cells = line.rsplit_once(',').unwrap().0;
        let digest = cells.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        format!("{cells},{digest:016x}\n")
    };
    format!("{header}\n{}", rows.lines().map(row).collect::<String>())
}

/// A row without its digest.
pub fn cells(line: &str) -> &str {
    line.rsplit_once(',').unwrap().0
}

/// The text of a file of results, without its `option_NAME` columns.
pub fn joined(text: &str) -> String {
    let alone: Vec<bool> =
        text.lines().next().unwrap().split(',').map(|column| column.starts_with("option_")).collect();
    let row = |line: &str| {
        let kept = line.split(',').zip(&alone).filter(|(_, alone)| !**alone).map(|(cell, _)| cell);
        kept.collect::<Vec<_>>().join(",") + "\n"
    };
    text.lines().map(row).collect()
}

//! Files that only the command reads, given to the command: its exit code and what it prints.

use crate::rules::{Answer, Outcome, equal, refused_text};
use crate::scratch::Scratch;
use std::process::Command;

/// Files that a design may name.
const BESIDE: [(&str, &[u8]); 4] = [
    ("network.json", include_bytes!("../../corpus/network/rls4.json")),
    ("schedule.json", include_bytes!("../../corpus/schedule/rls4").split_at(1).1),
    ("permutation.csv", include_bytes!("../../corpus/permutation/reversal")),
    ("wiring.json", include_bytes!("../../corpus/wiring/random4.json")),
];
/// Sweeps of a few points, whose rows are the input.
const SWEEP: &str =
    "kind = \"h-relation\"\nterminals = [8]\nh = [1, 2]\nseeds = 2\n[files]\ncsv = \"rows.csv\"\n";
const ROUTE: &str =
    "kind = \"route\"\nsystem = \"dilated\"\nterminals = [4, 8]\nseeds = 2\n[files]\ncsv = \"rows.csv\"\n";
/// KiB of addresses, and seconds of a core.
const LIMITS: &str = "ulimit -v 3000000; ulimit -t 20; exec \"$0\" \"$@\"";

struct Left {
    code: i32,
    printed: String,
    complaint: String,
}

fn frit(scratch: &Scratch, arguments: &[&str]) -> Result<Left, String> {
    let program = scratch.command().ok_or("the command frit is not given: FRIT=target/release/frit")?;
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", LIMITS]).arg(program).args(arguments).current_dir(scratch.folder());
    let output = shell.output().map_err(|error| format!("sh: {error}"))?;
    let [printed, complaint] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let Some(code @ (0 | 2)) = output.status.code() else {
        return Err(format!("{} of frit {arguments:?}: {complaint}", output.status));
    };
    let raw = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if let Some(raw) = printed.chars().chain(complaint.chars()).find(|c| raw(*c)) {
        return Err(format!("a raw {raw:?} in {printed:?} {complaint:?}"));
    }
    if (code == 2) != complaint.starts_with("error: ") || (code == 2 && !printed.is_empty()) {
        return Err(format!("exit code {code} with {complaint:?} and {printed:?}"));
    }
    Ok(Left { code, printed, complaint })
}

pub(super) fn design(scratch: &Scratch, input: &[u8]) -> Outcome {
    BESIDE.iter().for_each(|(name, content)| drop(scratch.file(name, content)));
    scratch.file("input.toml", input);
    let left = frit(scratch, &["network", "input.toml"])?;
    if left.code == 2 {
        // What is wrong is in the file, or in one that it names.
        let text = left.complaint.replace('\t', " ");
        return refused_text(
            &text,
            &["input.toml", ".json", ".csv", "-n is missing", "cannot read ", "an existing file"],
        );
    }
    equal("again", &frit(scratch, &["network", "input.toml"])?.printed, &left.printed)?;
    Ok(Answer::Taken)
}

/// With no thread to run anything the file is read, and that is all.
pub(super) fn sweep(scratch: &Scratch, input: &[u8]) -> Outcome {
    scratch.file("input.toml", input);
    let left = frit(scratch, &["sweep", "input.toml", "-j", "0"])?;
    if left.complaint.contains("-j 0: at least one point") {
        return Ok(Answer::Taken);
    }
    refused_text(&left.complaint.replace('\t', " "), &["input.toml"])
}

/// The rows that a sweep goes on from: what it writes then is the same the next time. They are those of a routed system if
/// one of their columns is.
pub(super) fn rows(scratch: &Scratch, input: &[u8]) -> Outcome {
    let column = b",bundle";
    let routed = input.windows(column.len()).any(|window| window == column);
    scratch.file("sweep.toml", if routed { ROUTE } else { SWEEP }.as_bytes());
    let path = scratch.file("rows.csv", input);
    let run = || frit(scratch, &["sweep", "sweep.toml", "-j", "1", "--quiet"]);
    let left = run()?;
    if left.code == 2 {
        return refused_text(&left.complaint, &["rows.csv"]);
    }
    let written = std::fs::read(&path).map_err(|error| error.to_string())?;
    run()?;
    equal("rows", &std::fs::read(&path).map_err(|error| error.to_string())?, &written)?;
    Ok(Answer::Taken)
}

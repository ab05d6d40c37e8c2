//! What `frit diff` must say of two traces.

use crate::rules::{Answer, Outcome, refused};
use crate::scratch::Scratch;
use frit_trace::diff::{DiffOptions, DiffReport, TableDiff, diff_files};
use std::path::Path;

/// What stands between the two traces.
const BETWEEN: &[u8] = b"\n---\n";
const PLACES: [&str; 5] =
    [" line ", " is empty: ", " is neither ", "the columns differ", "is a waveform and "];

/// What is said of two waveforms.
const OF_WAVES: [&str; 5] = [
    "no signal of ",
    " common signals is left ",
    " has no one-bit signal ",
    "the clock ",
    "no cycle is left ",
];

/// Two traces, one behind the other.
pub(super) fn tables(scratch: &Scratch, input: &[u8]) -> Outcome {
    let at = input.windows(BETWEEN.len()).position(|window| window == BETWEEN);
    let (a, b) = match at {
        Some(at) => (&input[..at + 1], &input[at + BETWEEN.len()..]),
        None => (input, input),
    };
    let (path_a, path_b) = (scratch.file("a.csv", a), scratch.file("b.csv", b));
    let Some(report) = compared(&path_a, &path_b)? else { return Ok(Answer::Refused) };
    let Some(back) = compared(&path_b, &path_a)? else { return Err("refused the other way round".into()) };
    let counts = |r: &TableDiff| [r.rows_a, r.rows_b, r.changed, r.only_in_a, r.only_in_b];
    let [rows_a, rows_b, changed, only_in_a, only_in_b] = counts(&report);
    if counts(&back) != [rows_b, rows_a, changed, only_in_b, only_in_a] {
        return Err(format!("{:?}, the other way round {:?}", counts(&report), counts(&back)));
    }
    if rows_a - only_in_a != rows_b - only_in_b || report.same() != (changed + only_in_a + only_in_b == 0) {
        return Err(format!("rows, changed, only in A, only in B: {:?}", counts(&report)));
    }
    for (path, content) in [(&path_a, a), (&path_b, b)] {
        itself(scratch, path, content)?;
    }
    Ok(Answer::Taken)
}

fn compared(a: &Path, b: &Path) -> Result<Option<TableDiff>, String> {
    match diff_files(a, b, &DiffOptions::default()) {
        Ok(DiffReport::Tables(report)) => {
            let text = report.render_text();
            match text.chars().find(|c| c.is_control() && *c != '\n') {
                Some(raw) => Err(format!("a raw {raw:?} in {text:?}")),
                None => Ok(Some(*report)),
            }
        }
        Ok(DiffReport::Waves(_)) => Ok(None),
        // Two waveforms are the business of other targets.
        Err(error) if error.to_string().contains(" is broken: ") => Ok(None),
        Err(error) if OF_WAVES.iter().any(|text| error.to_string().contains(text)) => {
            refused(&error, &[]).map(|_| None)
        }
        Err(error) => refused(&error, &PLACES).map(|_| None),
    }
}

/// A trace is the same as itself, and with other ends of lines and blank lines; with a cell more in its last row it is not.
fn itself(scratch: &Scratch, path: &Path, content: &[u8]) -> Result<(), String> {
    let Some(own) = compared(path, path)? else { return Ok(()) };
    if !own.same() || own.rows_a == 0 {
        return Err(format!("not equal to itself: {}", own.render_text()));
    }
    let text = String::from_utf8_lossy(content);
    // Quoted cells may hold ends of lines, and where rows stand is another matter then.
    if text.contains(['"', '\r']) || text.starts_with('\u{feff}') {
        return Ok(());
    }
    let other = scratch.file("other.csv", text.replace('\n', "\r\n\n").as_bytes());
    match compared(path, &other)? {
        Some(report) if report.same() && report.rows_b == own.rows_a => {}
        _ => return Err("not equal to itself with other ends of lines".into()),
    }
    let edited = scratch.file("edited.csv", format!("{}7\n", text.trim_end()).as_bytes());
    match compared(path, &edited)? {
        Some(report) if report.same() => Err("the same, though the last cell was edited".into()),
        _ => Ok(()),
    }
}

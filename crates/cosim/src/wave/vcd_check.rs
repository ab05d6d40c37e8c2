//! What `wellen` lets pass in a VCD, and what would make a comparison silently wrong.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

use super::WaveError;

/// Reads a file through and leaves it at its start; an error if it was cut off or if its time
/// goes back.
///
/// A file that was cut off still parses: the reader drops the last, unfinished line, or takes the
/// first digits of a time for the time. Every simulator ends the file with a line end. What follows a
/// time that goes back (two runs in one file) the reader leaves out, with a message.
pub(super) fn check_lines(path: &Path, file: &mut BufReader<File>) -> Result<(), WaveError> {
    let read_error = |source| WaveError::Read { path: path.to_path_buf(), source };
    let mut line = Vec::new();
    let mut now = 0;
    let mut in_header = true;
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line).map_err(read_error)? == 0 {
            return file.rewind().map_err(read_error);
        }
        if line.last() != Some(&b'\n') {
            return Err(WaveError::broken(path, "it is cut off, its last line has no line end"));
        }
        if in_header {
            in_header = !line.windows(15).any(|word| word == b"$enddefinitions");
            continue;
        }
        if let Some(time) = time_of(&line) {
            if time < now {
                return Err(WaveError::broken(path, format!("its time goes back from {now} to {time}")));
            }
            now = time;
        }
    }
}

/// The time of a line that is one, `#1250`.
fn time_of(line: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(line.strip_prefix(b"#")?).ok()?;
    digits.trim_ascii_end().parse().ok()
}

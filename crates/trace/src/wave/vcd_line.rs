//! The line of a VCD's header that its reader refuses: `wellen` 0.25 says what it does not understand, but not where.

use frit_network::Refusal;
use std::io::Cursor;
use std::path::Path;

use wellen::LoadOptions;

use super::error::{Broken, broken};
use super::guard::{body, guarded, open_file};
use super::vcd_check::{Command, commands};

const END: &[u8] = b"$enddefinitions $end\n";

/// The error with the line of the command that causes it, if there is one.
pub(super) fn located(path: &Path, options: &LoadOptions, error: Refusal) -> Refusal {
    let Some(Broken(reason)) = error.detail() else { return error };
    match refused(path, options) {
        Some(line) => broken(path, format!("line {line}: {reason}")),
        None => error,
    }
}

/// The line of the first command with which a header is refused that is not refused without it.
fn refused(path: &Path, options: &LoadOptions) -> Option<u64> {
    let (header, commands) = commands(&mut open_file(path).ok()?).ok()?;
    let read = |count: usize| {
        let end = count.checked_sub(1).map_or(0, |last| commands[last].end);
        let content = [&header[..end], b"\n", END].concat();
        let read = || body(path, wellen::viewers::read_header(Cursor::new(content), options));
        guarded(path, read).is_ok()
    };
    let counts: Vec<usize> = (0..=commands.len()).collect();
    let good = counts.partition_point(|&count| read(count));
    // What is refused without any command is refused for another reason.
    let Command { line, .. } = commands.get(good.checked_sub(1)?)?;
    Some(*line)
}

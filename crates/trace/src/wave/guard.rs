//! What stands between a broken file and the library that reads it: the file is opened, its widths are bounded, panics are errors.

use frit_network::Refusal;
use std::cell::Cell;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

use wellen::Hierarchy;
use wellen::viewers::{BodyResult, HeaderResult};

use super::error::{broken, cannot_read, empty};
use super::given::{Source, in_memory};
use super::limits::MAX_READ_BITS;

/// What follows the head of a file.
pub(super) fn body<R: BufRead + Seek + Sync + Send + 'static>(
    path: &Path,
    header: wellen::Result<HeaderResult<R>>,
) -> Result<(Hierarchy, BodyResult), Refusal> {
    let header = header.map_err(|error| broken(path, error))?;
    check_widths(path, &header.hierarchy)?;
    let body = wellen::viewers::read_body(header.body, &header.hierarchy, None)
        .map_err(|error| broken(path, error))?;
    Ok((header.hierarchy, body))
}

pub(crate) fn open_file(path: &Path) -> Result<BufReader<Source>, Refusal> {
    let read_error = |cause| cannot_read(path, cause);
    if let Some(bytes) = in_memory(path) {
        return match bytes.is_empty() {
            true => Err(empty(path)),
            false => Source::memory(bytes).map(BufReader::new).map_err(read_error),
        };
    }
    let file = File::open(path).map_err(read_error)?;
    let metadata = file.metadata().map_err(read_error)?;
    if metadata.is_dir() {
        return Err(read_error(std::io::ErrorKind::IsADirectory.into()));
    }
    if metadata.len() == 0 {
        return Err(empty(path));
    }
    Source::file(file).map(BufReader::new).map_err(read_error)
}

/// The reader makes room for every bit at once, so a damaged width must not reach it.
fn check_widths(path: &Path, hierarchy: &Hierarchy) -> Result<(), Refusal> {
    let widths = hierarchy.all_vars().filter_map(|id| hierarchy[id].length(hierarchy));
    match widths.max() {
        Some(widest) if widest > MAX_READ_BITS => {
            Err(broken(path, format!("it declares a signal of {widest} bits")))
        }
        _ => Ok(()),
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a call into the waveform reader and makes an error of a panic.
///
/// `wellen` 0.25 and `fst-reader` 0.17 unwrap and assert on broken files (an identifier that was
/// not declared, a compressed block that is not one); a broken file must be an error here. The
/// hook hides only the message of a panic caught here, on this thread.
pub(crate) fn guarded<T>(path: &Path, call: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                previous(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    // Unwind safe: whatever the call left half done is dropped with the file's other state.
    let result = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(before);
    result.unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        let text = text.trim_start_matches("called `Result::unwrap()` on an `Err` value: ");
        Err(broken(path, format!("its parts contradict each other ({text})")))
    })
}

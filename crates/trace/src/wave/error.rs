//! Refusals that several readers and writers of waveforms share.

use frit_network::{Refusal, refusal};
use std::error::Error;
use std::path::Path;

use crate::shown::{ends, printable};

/// A file is no waveform: attached to its refusal, since the file may be a trace.
pub struct UnknownFormat;

/// Why a file is broken: attached to its refusal, so that the place can be added.
pub(crate) struct Broken(pub String);

pub(crate) fn cannot_write(path: &Path, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Refusal {
    refusal!(
        "cannot write the waveform {}: check that its directory exists, can be written and has space",
        path.display()
    )
    .because(cause)
}

pub(crate) fn cannot_read(path: &Path, cause: std::io::Error) -> Refusal {
    refusal!("cannot read {}: check the name and its permissions", path.display()).because(cause)
}

pub(crate) fn unknown_format(path: &Path) -> Refusal {
    refusal!(
        "{} is neither VCD, nor FST, nor a CSV whose first column is `cycle`: give one of these",
        path.display()
    )
    .with(UnknownFormat)
}

pub(crate) fn empty(path: &Path) -> Refusal {
    refusal!("{} is empty: write it again, and check that the run that wrote it ended well", path.display())
}

pub(crate) fn broken(path: &Path, reason: impl ToString) -> Refusal {
    // The readers' messages span lines and may hold all bytes of a section; ours is one sentence, and what it quotes of a
    // file is shown as text.
    let reason = reason.to_string();
    let reason = ends(&printable(&reason.split_whitespace().collect::<Vec<_>>().join(" ")));
    refusal!(
        "{} is broken: {reason}; write it again, and check that the run that wrote it ended well",
        path.display()
    )
    .with(Broken(reason))
}

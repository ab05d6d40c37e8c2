use std::path::PathBuf;

use crate::shown::{ends, printable};

/// What can be wrong with a waveform or a trace, or with a request to write one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaveError {
    #[error("cannot tell the waveform format of {path}: the name must end in .fst or .vcd; rename it")]
    Extension { path: PathBuf },
    #[error(
        "cannot write the waveform {path}: check that its directory exists, can be written and has space"
    )]
    Write {
        path: PathBuf,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error(
        "the timescale {given:?} is not known: give 1, 10 or 100 followed by s, ms, us, ns, ps or fs, such as 1ns"
    )]
    Timescale { given: String },
    #[error("signal {signal:?} cannot be declared: {reason}")]
    Declaration { signal: String, reason: String },
    #[error(
        "the {signals} signals hold {bits} bits together, more than the {limit} that one waveform can: declare fewer"
    )]
    TooManyBits { signals: usize, bits: u64, limit: u64 },
    #[error("signal index {index} was not declared: this waveform has {count} signals, numbered from 0")]
    NoSuchSignal { index: usize, count: usize },
    #[error(
        "a value for {signal} must be {limbs} 64-bit limbs with no bit set at {width_bits} or above; {given} limbs were given"
    )]
    ValueShape { signal: String, width_bits: u32, limbs: usize, given: usize },
    #[error("waveform time went back from {now} to {given}: write changes in the order of time")]
    TimeBackwards { now: u64, given: u64 },
    #[error("cannot read {path}: check the name and its permissions")]
    Read {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{path} is empty: write it again, and check that the run that wrote it ended well")]
    Empty { path: PathBuf },
    #[error("{path} is neither VCD, nor FST, nor a CSV whose first column is `cycle`: give one of these")]
    UnknownFormat { path: PathBuf },
    #[error("{path} is broken: {reason}; write it again, and check that the run that wrote it ended well")]
    Broken { path: PathBuf, reason: String },
    #[error("{path} declares no signal: tell the simulator which scopes to dump")]
    NoSignals { path: PathBuf },
    #[error("{path} line {line}: {reason}")]
    TraceLine { path: PathBuf, line: u64, reason: String },
}

impl WaveError {
    pub(crate) fn write(
        path: &std::path::Path,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Write { path: path.to_path_buf(), source: source.into() }
    }

    pub(crate) fn broken(path: &std::path::Path, reason: impl ToString) -> Self {
        // The readers' messages span lines and may hold all bytes of a section; ours is one sentence, and what it quotes of a
        // file is shown as text.
        let reason = reason.to_string();
        let reason = ends(&printable(&reason.split_whitespace().collect::<Vec<_>>().join(" ")));
        Self::Broken { path: path.to_path_buf(), reason }
    }
}

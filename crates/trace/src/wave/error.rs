use std::path::PathBuf;

use crate::shown::{ends, printable};

/// What can be wrong with a waveform or a trace, or with a request to write one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaveError {
    /// The extension does not say which format to write.
    #[error("cannot tell the waveform format of {path}: the name must end in .fst or .vcd; rename it")]
    Extension {
        /// The path as given.
        path: PathBuf,
    },
    /// Writing failed: no such directory, no permission, no space.
    #[error(
        "cannot write the waveform {path}: check that its directory exists, can be written and has space"
    )]
    Write {
        /// The file that was to be written.
        path: PathBuf,
        /// What the system or the writer said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The time unit of a new waveform is not one that both formats know.
    #[error(
        "the timescale {given:?} is not known: give 1, 10 or 100 followed by s, ms, us, ns, ps or fs, such as 1ns"
    )]
    Timescale {
        /// The text as given.
        given: String,
    },
    /// A declaration cannot be written.
    #[error("signal {signal:?} cannot be declared: {reason}")]
    Declaration {
        /// Its hierarchical name.
        signal: String,
        /// What is wrong and what is allowed.
        reason: String,
    },
    /// The signals together are larger than the format's writer can address.
    #[error(
        "the {signals} signals hold {bits} bits together, more than the {limit} that one waveform can: declare fewer"
    )]
    TooManyBits {
        /// How many signals were declared.
        signals: usize,
        /// The sum of their widths.
        bits: u64,
        /// The largest sum allowed.
        limit: u64,
    },
    /// A change names a signal that was not declared.
    #[error("signal index {index} was not declared: this waveform has {count} signals, numbered from 0")]
    NoSuchSignal {
        /// The index as given.
        index: usize,
        /// How many signals there are.
        count: usize,
    },
    /// A value does not fit its signal.
    #[error(
        "a value for {signal} must be {limbs} 64-bit limbs with no bit set at {width_bits} or above; {given} limbs were given"
    )]
    ValueShape {
        /// Its hierarchical name.
        signal: String,
        /// Its width.
        width_bits: u32,
        /// The number of limbs that width needs.
        limbs: usize,
        /// The number of limbs given.
        given: usize,
    },
    /// Time ran backwards.
    #[error("waveform time went back from {now} to {given}: write changes in the order of time")]
    TimeBackwards {
        /// The time reached so far.
        now: u64,
        /// The time as given.
        given: u64,
    },
    /// The file cannot be opened or read.
    #[error("cannot read {path}: check the name and its permissions")]
    Read {
        /// The file as given.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file has no byte in it.
    #[error("{path} is empty: write it again, and check that the run that wrote it ended well")]
    Empty {
        /// The file as given.
        path: PathBuf,
    },
    /// The content is neither a waveform nor a trace.
    #[error("{path} is neither VCD, nor FST, nor a CSV whose first column is `cycle`: give one of these")]
    UnknownFormat {
        /// The file as given.
        path: PathBuf,
    },
    /// The file starts like a waveform but cannot be read to its end.
    #[error("{path} is broken: {reason}; write it again, and check that the run that wrote it ended well")]
    Broken {
        /// The file as given.
        path: PathBuf,
        /// What the reader found.
        reason: String,
    },
    /// A waveform that declares nothing.
    #[error("{path} declares no signal: tell the simulator which scopes to dump")]
    NoSignals {
        /// The file as given.
        path: PathBuf,
    },
    /// A line of a CSV trace is wrong.
    #[error("{path} line {line}: {reason}")]
    TraceLine {
        /// The file as given.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong and what is allowed.
        reason: String,
    },
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

use std::path::PathBuf;

use crate::wave::WaveError;

/// Why two files cannot be compared; exit code 2 of `frit diff`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffError {
    /// One of the files cannot be read.
    #[error(transparent)]
    Wave(#[from] WaveError),
    /// Something that can be read only once.
    #[error(
        "{} is not a regular file, but frit reads its input more than once; write it to a file first",
        path.display()
    )]
    NotAFile {
        /// The pipe, terminal or device.
        path: PathBuf,
    },
    /// A waveform against a trace.
    #[error("{wave} is a waveform and {trace} is a CSV trace; give two waveforms or two traces")]
    DifferentKinds {
        /// The waveform.
        wave: PathBuf,
        /// The trace.
        trace: PathBuf,
    },
    /// Traces with different columns.
    #[error("the columns differ: {a} has {header_a}, {b} has {header_b}; give two traces of the same kind")]
    Headers {
        /// The first file.
        a: PathBuf,
        /// Its columns.
        header_a: String,
        /// The second file.
        b: PathBuf,
        /// Its columns.
        header_b: String,
    },
    /// The names have nothing in common.
    #[error(
        "no signal of {a} has the name of a signal of {b}, whatever prefix is stripped; map one prefix to the other with --map FROM=TO\n  {a} has {names_a}\n  {b} has {names_b}"
    )]
    NoCommonSignals {
        /// The first file.
        a: PathBuf,
        /// Its names, shortened.
        names_a: String,
        /// The second file.
        b: PathBuf,
        /// Its names, shortened.
        names_b: String,
    },
    /// Names match, but what is left to compare is nothing.
    #[error(
        "none of the {common} common signals is left to compare ({reason}); widen --only, drop --ignore, or dump more signals"
    )]
    NothingSelected {
        /// How many names matched.
        common: usize,
        /// Why none is compared.
        reason: String,
    },
    /// A `--map` that no name starts with.
    #[error("--map {from}={to} changes no name of either file; FROM must be whole scopes, such as {example}")]
    MapUnused {
        /// The left side.
        from: String,
        /// The right side.
        to: String,
        /// A scope that a file does have.
        example: String,
    },
    /// No clock, or not the one named.
    #[error(
        "{path} has no one-bit signal named {wanted}: name its clock with --clock NAME (its one-bit signals: {have})"
    )]
    NoClock {
        /// The file.
        path: PathBuf,
        /// The names looked for.
        wanted: String,
        /// One-bit signals it has, shortened.
        have: String,
    },
    /// The clock stands still.
    #[error("the clock {clock} of {path} never rises: name another with --clock NAME, or dump a longer run")]
    ClockStandsStill {
        /// The file.
        path: PathBuf,
        /// The clock.
        clock: String,
    },
    /// No reset, or not the one named.
    #[error(
        "{path} has no one-bit signal named {wanted}: name its reset with --reset NAME, or drop --ignore-reset (its one-bit signals: {have})"
    )]
    NoReset {
        /// The file.
        path: PathBuf,
        /// The names looked for.
        wanted: String,
        /// One-bit signals it has, shortened.
        have: String,
    },
    /// The reset is never released.
    #[error(
        "the reset {reset} of {path} never falls before the last clock edge: name another with --reset NAME, or align by hand with --align"
    )]
    ResetStaysHigh {
        /// The file.
        path: PathBuf,
        /// The reset.
        reset: String,
    },
    /// The alignment points behind the end, or no cycle is left.
    #[error(
        "no cycle is left to compare: {a} has {cycles_a} and {b} has {cycles_b} from where they are aligned{hint}"
    )]
    NoCycles {
        /// The first file.
        a: PathBuf,
        /// Its cycles from the aligned one on.
        cycles_a: usize,
        /// The second file.
        b: PathBuf,
        /// Its cycles from the aligned one on.
        cycles_b: usize,
        /// What to do.
        hint: &'static str,
    },
    /// An alignment that cannot be read.
    #[error("--align {given:?} is not known: give `first`, a cycle of B for cycle 0 of A, or both as A:B")]
    Align {
        /// The text as given.
        given: String,
    },
    /// A map that cannot be read.
    #[error(
        "--map {given:?} is not known: give FROM=TO, two hierarchical prefixes such as tb.dut=TOP.tb.dut"
    )]
    Map {
        /// The text as given.
        given: String,
    },
}

use std::path::PathBuf;

use crate::wave::WaveError;

/// Why two files cannot be compared; exit code 2 of `frit diff`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffError {
    #[error(transparent)]
    Wave(#[from] WaveError),
    #[error(
        "{} is not a regular file, but frit reads its input more than once; write it to a file first",
        path.display()
    )]
    NotAFile { path: PathBuf },
    #[error("{wave} is a waveform and {trace} is a CSV trace; give two waveforms or two traces")]
    DifferentKinds { wave: PathBuf, trace: PathBuf },
    #[error("the columns differ: {a} has {header_a}, {b} has {header_b}; give two traces of the same kind")]
    Headers { a: PathBuf, header_a: String, b: PathBuf, header_b: String },
    #[error(
        "no signal of {a} has the name of a signal of {b}, whatever prefix is stripped; map one prefix to the other with --map FROM=TO\n  {a} has {names_a}\n  {b} has {names_b}"
    )]
    NoCommonSignals { a: PathBuf, names_a: String, b: PathBuf, names_b: String },
    #[error(
        "none of the {common} common signals is left to compare ({reason}); widen --only, drop --ignore, or dump more signals"
    )]
    NothingSelected { common: usize, reason: String },
    #[error("--map {from}={to} changes no name of either file; FROM must be whole scopes, such as {example}")]
    MapUnused { from: String, to: String, example: String },
    #[error(
        "{path} has no one-bit signal named {wanted}: name its clock with --clock NAME (its one-bit signals: {have})"
    )]
    NoClock { path: PathBuf, wanted: String, have: String },
    #[error("the clock {clock} of {path} never rises: name another with --clock NAME, or dump a longer run")]
    ClockStandsStill { path: PathBuf, clock: String },
    #[error(
        "{path} has no one-bit signal named {wanted}: name its reset with --reset NAME, or drop --ignore-reset (its one-bit signals: {have})"
    )]
    NoReset { path: PathBuf, wanted: String, have: String },
    #[error(
        "the reset {reset} of {path} never falls before the last clock edge: name another with --reset NAME, or align by hand with --align"
    )]
    ResetStaysHigh { path: PathBuf, reset: String },
    #[error(
        "no cycle is left to compare: {a} has {cycles_a} and {b} has {cycles_b} from where they are aligned{hint}"
    )]
    NoCycles { a: PathBuf, cycles_a: usize, b: PathBuf, cycles_b: usize, hint: &'static str },
    #[error("--align {given:?} is not known: give `first`, a cycle of B for cycle 0 of A, or both as A:B")]
    Align { given: String },
    #[error(
        "--map {given:?} is not known: give FROM=TO, two hierarchical prefixes such as tb.dut=TOP.tb.dut"
    )]
    Map { given: String },
}

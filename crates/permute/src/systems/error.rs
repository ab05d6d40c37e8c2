//! Why there is no such streamed permutation.

use super::{MAX_LANES, MAX_SIDE};
use crate::linear::TooManyOrders;
use frit_network::options::OptionError;

/// Why there is no such streamed permutation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the text of each error says what it is")]
pub enum PermuteError {
    #[error("{0:?} is not a streamed system; the streamed systems are transpose and permute")]
    UnknownSystem(String),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(
        "-n {given}: {system} moves 2 to {MAX_LANES} words a cycle; give -n in this range, for example -n 8"
    )]
    Lanes { system: &'static str, given: u64 },
    #[error("{what} has {words} words, which is no multiple of the {lanes} words of a cycle (-n); {advice}")]
    Cycles { what: String, words: u64, lanes: u64, advice: String },
    #[error("{what} has {words} words, more than the {most} that are possible; {advice}")]
    Large { what: String, words: u64, most: u64, advice: &'static str },
    #[error("{kind} of {given} words does not exist; {advice}")]
    Words { kind: String, given: u64, advice: String },
    #[error(
        "-n {lanes}: a matrix over GF(2) needs a power of two of words a cycle, at most its 2^{bits} words; the nearest is -n {nearest}"
    )]
    MatrixLanes { lanes: u64, bits: u32, nearest: u64 },
    #[error(
        "banks=2 is for orders that are linear on the bits of a word's number, and this one is not; leave banks out"
    )]
    NoTwoBanks,
    #[error(
        "pages=1 is for matrices whose sizes are powers of two, and for squares; leave pages out, or give pages=2"
    )]
    NoOnePage,
    #[error(
        "dims=runtime with {rows} x {columns} words, {lanes} a cycle: it needs a power of two of words a cycle (-n), rows and cols that are multiples of it, at most {MAX_SIDE}, and not both equal to it; give for example -n 8 --rows 64 --cols 64"
    )]
    Loaded { rows: u64, columns: u64, lanes: u64 },
    #[error("dims=runtime has one bank of memories and two pages; leave banks and pages out")]
    LoadedForm,
    #[error(transparent)]
    Orders(#[from] TooManyOrders),
    #[error("{option} {given:?} is not {what}; give for example --set {option}={example}")]
    Axes { option: &'static str, given: String, what: String, example: &'static str },
}

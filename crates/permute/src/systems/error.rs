//! Why there is no such streamed permutation.

use super::{MAX_LANES, MAX_SIDE};
use crate::linear::TooManyOrders;
use frit_network::options::OptionError;

/// Why there is no such streamed permutation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PermuteError {
    /// No such system.
    #[error("{0:?} is not a streamed system; the streamed systems are transpose and permute")]
    UnknownSystem(String),
    /// An option that the system does not take.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Too few or too many words a cycle.
    #[error(
        "-n {given}: {system} moves 2 to {MAX_LANES} words a cycle; give -n in this range, for example -n 8"
    )]
    Lanes {
        /// The system.
        system: &'static str,
        /// Words a cycle that were given.
        given: u64,
    },
    /// Words that do not fill whole cycles.
    #[error("{what} has {words} words, which is no multiple of the {lanes} words of a cycle (-n); {advice}")]
    Cycles {
        /// What has so many words.
        what: String,
        /// Its words.
        words: u64,
        /// Words of a cycle.
        lanes: u64,
        /// What to do.
        advice: String,
    },
    /// Too many words.
    #[error("{what} has {words} words, more than the {most} that are possible; {advice}")]
    Large {
        /// What has so many words.
        what: String,
        /// Its words.
        words: u64,
        /// The most that are possible.
        most: u64,
        /// What to do.
        advice: &'static str,
    },
    /// A number of words that the order does not have.
    #[error("{kind} of {given} words does not exist; {advice}")]
    Words {
        /// The kind of order.
        kind: String,
        /// Words given.
        given: u64,
        /// What to do.
        advice: String,
    },
    /// A matrix with lanes that are no power of two.
    #[error(
        "-n {lanes}: a matrix over GF(2) needs a power of two of words a cycle, at most its 2^{bits} words; the nearest is -n {nearest}"
    )]
    MatrixLanes {
        /// Words of a cycle.
        lanes: u64,
        /// Rows of the matrix.
        bits: u32,
        /// The nearest that is possible.
        nearest: u64,
    },
    /// A form that this order does not have.
    #[error(
        "banks=2 is for orders that are linear on the bits of a word's number, and this one is not; leave banks out"
    )]
    NoTwoBanks,
    /// One page where two are needed.
    #[error(
        "pages=1 is for matrices whose sizes are powers of two, and for squares; leave pages out, or give pages=2"
    )]
    NoOnePage,
    /// Sizes that cannot be loaded.
    #[error(
        "dims=runtime with {rows} x {columns} words, {lanes} a cycle: it needs a power of two of words a cycle (-n), rows and cols that are multiples of it, at most {MAX_SIDE}, and not both equal to it; give for example -n 8 --rows 64 --cols 64"
    )]
    Loaded {
        /// Rows.
        rows: u64,
        /// Columns.
        columns: u64,
        /// Words of a cycle.
        lanes: u64,
    },
    /// Forms that loaded sizes do not have.
    #[error("dims=runtime has one bank of memories and two pages; leave banks and pages out")]
    LoadedForm,
    /// One page with too many orders.
    #[error(transparent)]
    Orders(#[from] TooManyOrders),
    /// A shape or axes that cannot be read.
    #[error("{option} {given:?} is not {what}; give for example --set {option}={example}")]
    Axes {
        /// The option.
        option: &'static str,
        /// What was given.
        given: String,
        /// What it should be.
        what: String,
        /// An example.
        example: &'static str,
    },
}

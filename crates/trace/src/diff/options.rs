use frit_network::{Refusal, refusal};
use std::str::FromStr;

/// How two files are compared; [`DiffOptions::default`] is what `frit diff A B` does.
#[derive(Clone, Debug)]
pub struct DiffOptions {
    /// Prefixes of hierarchical names to rewrite, in A and B alike, before names are matched; the
    /// first that fits a name is applied to it.
    pub maps: Vec<NameMap>,
    /// Which cycles belong together.
    pub align: Align,
    /// The clock's name or the end of it; `clk_i`, `clk` or `clock` if not given.
    pub clock: Option<String>,
    /// The reset's name or the end of it; `rst_i`, `rst` or `reset` if not given.
    pub reset: Option<String>,
    /// Leave out the cycles in which the reset of A or of B is 1.
    pub ignore_reset: bool,
    /// How many cycles to show before and after the first difference.
    pub context: usize,
    /// Compare only signals that fit one of these patterns, if there are any. `*` and `?` stand
    /// for any text and any character; a pattern without them fits wherever it occurs in a name. Names
    /// count with and without the prefix that is stripped to match them.
    pub only: Vec<String>,
    /// Do not compare signals that fit one of these patterns.
    pub ignore: Vec<String>,
    /// Let a bit that is `x` or `z` in either file agree with anything.
    pub x_is_dont_care: bool,
    /// Compare what both files have: a signal that only one of them has is then no difference.
    pub common: bool,
    /// Whether a run that ends earlier than the other is a difference.
    pub same_length: bool,
    /// How many signals, or rows, that differ are reported one by one; all are counted.
    pub max_differences: usize,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self {
            maps: Vec::new(),
            align: Align::FirstActiveEdge,
            clock: None,
            reset: None,
            ignore_reset: false,
            context: 3,
            only: Vec::new(),
            ignore: Vec::new(),
            x_is_dont_care: false,
            common: false,
            same_length: false,
            max_differences: 10,
        }
    }
}

/// `FROM=TO`: names that start with the scopes FROM start with TO instead; either may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameMap {
    /// The prefix to replace.
    pub from: String,
    /// What stands there instead.
    pub to: String,
}

impl FromStr for NameMap {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.split_once('=') {
            Some((from, to)) if text.len() > 1 && !to.contains('=') => {
                Ok(Self { from: from.trim().to_string(), to: to.trim().to_string() })
            }
            _ => Err(refusal!(
                "--map {text:?} is not known: give FROM=TO, two hierarchical prefixes such as tb.dut=TOP.tb.dut"
            )),
        }
    }
}

/// Which cycle of A is compared with which cycle of B.
///
/// Without it, cycles of a file are counted from its first rising clock edge, which is cycle 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The first cycle after reset in each file; the first cycle where there is no reset.
    FirstActiveEdge,
    /// These two, counted from 0 at the first rising edge of each file, reset or not. Of traces,
    /// the numbers in the column `cycle`.
    Cycles {
        /// The cycle of A.
        a: u64,
        /// The cycle of B.
        b: u64,
    },
}

impl FromStr for Align {
    type Err = Refusal;

    /// `first`; `N`, cycle N of B against cycle 0 of A; or `M:N`, cycle M of A against N of B.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let unknown = || {
            refusal!(
                "--align {text:?} is not known: give `first`, a cycle of B for cycle 0 of A, or both as A:B"
            )
        };
        let number = |digits: &str| digits.trim().parse::<u64>().map_err(|_| unknown());
        match text.split_once(':') {
            None if text.trim() == "first" => Ok(Self::FirstActiveEdge),
            None => Ok(Self::Cycles { a: 0, b: number(text)? }),
            Some((a, b)) => Ok(Self::Cycles { a: number(a)?, b: number(b)? }),
        }
    }
}

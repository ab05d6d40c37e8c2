//! Waves that are made up, what a comparison must find between two, and the many forms in which one can be written.

mod choices;
mod expect;
mod generate;
mod render;

pub(crate) use choices::Choices;
pub(crate) use expect::{Expected, expected};
pub(crate) use generate::{edit, generate};
pub(crate) use render::{Form, vcd};

/// What the values of a signal are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits(u32),
    Real,
    Text,
}

/// A value; of bits the states `0 1 x z`, most significant first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Bits(String),
    Real(f64),
    Text(String),
}

/// A signal: the scopes around it below the top, its name and its values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signal {
    pub scope: Vec<String>,
    pub name: String,
    pub kind: Kind,
}

/// A step of time, with the changes in it, in their order: a signal may change more than once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub time: u64,
    pub changes: Vec<(usize, Value)>,
}

/// Signals 0 and 1 are the clock and the reset, if there is one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Made {
    pub signals: Vec<Signal>,
    pub has_reset: bool,
    pub steps: Vec<Step>,
}

/// The scope around everything.
pub(crate) const TOP: &str = "tb";

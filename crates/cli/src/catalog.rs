//! The table of systems as the command line shows it: the planned ones, the routed ones, the streamed ones.

use crate::stream_core::StreamCore;
use frit_demand::ideal;
use frit_design::catalog;
use frit_network::Refusal;
use frit_network::options::{Request, Row, complete};
use frit_router::{Router, routed};
use frit_schedule::{BASELINES, Plan, user};

/// What the command line hands on.
#[derive(Debug)]
pub enum Design {
    /// What happens in each cycle is known before it starts.
    Planned(Box<Plan>),
    /// It is given traffic and finds out.
    Routed(Box<dyn Router>),
    /// It has streams of its own, as those have that bring words into another order.
    Streamed(Box<dyn StreamCore>),
}

/// What the command line knows of a kind of core.
pub struct Entry {
    /// What refusals call all cores of this kind.
    pub name: &'static str,
    /// Whether an option makes it of a system. A refusal calls another core by the key of its system.
    pub by_option: bool,
    /// Why the options of other kinds mean nothing to it: `which …` or `whose …`.
    pub which: &'static str,
    /// The options that it takes and that not all kinds take, as the code names them. One that stands for something else in another
    /// command has the command in front: `view:fault`.
    pub takes: &'static str,
    /// Those that it does not take beside `--formal`.
    pub unproved: &'static str,
}

/// A system that is in no table of the libraries.
pub struct Added {
    pub row: &'static Row,
    /// `routed` or `streamed`.
    pub kind: &'static str,
    /// Which options it takes.
    pub entry: Entry,
    /// Makes the design of a completed request.
    pub build: fn(&Request) -> Result<Design, Refusal>,
}

/// In tests there are more systems: they show what a system, and a kind of core, must bring.
pub const ADDED: &[&Added] = &[
    #[cfg(test)]
    &crate::omega::SYSTEM,
    #[cfg(test)]
    &crate::gather::SYSTEM,
];

impl Added {
    pub fn design(&self, request: &Request) -> Result<Design, Refusal> {
        let options = complete(self.row.key, self.row.options, &request.options)?;
        (self.build)(&Request { options, ..request.clone() })
    }
}

/// The added system with this key.
pub fn added(key: &str) -> Option<&'static Added> {
    ADDED.iter().copied().find(|system| system.row.key == key)
}

/// The router of a request; none if its system is not routed.
pub fn router(request: &Request) -> Option<Result<Box<dyn Router>, Refusal>> {
    match added(&request.system) {
        None => routed(&request.system).map(|system| system.router(request)),
        Some(added) => match added.design(request) {
            Ok(Design::Routed(router)) => Some(Ok(router)),
            Ok(_) => None,
            Err(refusal) => Some(Err(refusal)),
        },
    }
}

/// The rows of all systems, planned ones first, in the order of their tables.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    catalog::rows().chain(ADDED.iter().map(|system| system.row))
}

/// The same, and behind them those that are no systems of the table: a user's network, which has options, the ideal crossbar, which has plans of
/// demands only, and the baselines.
pub fn all_rows() -> impl Iterator<Item = &'static Row> {
    rows().chain([&user::ROW, &ideal::ROW]).chain(BASELINES.iter().map(|system| system.row))
}

/// The row with this key, a user's network included.
pub fn row(key: &str) -> Option<&'static Row> {
    all_rows().find(|row| row.key == key)
}

/// Whether this system has rounds, is given traffic, or brings a stream into another order.
pub fn kind(row: &Row) -> &'static str {
    added(row.key).map_or_else(|| catalog::kind(row), |system| system.kind)
}

/// The error that names all systems.
pub fn unknown(given: &str) -> Refusal {
    let known: Vec<&str> = rows().map(|row| row.key).collect();
    frit_network::name::unknown(given, "a system", "the systems", &known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_names_of_options_are_unique_and_fit_for_a_command_line() {
        let mut keys: Vec<&str> = all_rows().map(|row| row.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all_rows().count());
        for row in all_rows() {
            let mut names: Vec<&str> = row.options.iter().map(|spec| spec.name).collect();
            let plain =
                |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            assert!(names.iter().all(plain), "{}", row.key);
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), row.options.len(), "{}", row.key);
        }
    }
}

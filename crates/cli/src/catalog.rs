//! The table of systems as the command line shows it: the planned ones, the routed ones, the streamed ones.

use frit_design::catalog;
use frit_network::options::{Request, Row};
use frit_network::{Refusal, refusal};
use frit_router::{ROUTED, RoutedSystem, Router};
use frit_schedule::{BASELINES, user};

/// In tests there is one more system: it shows what a system must bring.
const MORE: &[&RoutedSystem] = &[
    #[cfg(test)]
    &crate::omega::SYSTEM,
];

fn routed() -> impl Iterator<Item = &'static RoutedSystem> {
    ROUTED.iter().chain(MORE.iter().copied())
}

/// The router of a request; none if its system is planned.
pub fn router(request: &Request) -> Option<Result<Box<dyn Router>, Refusal>> {
    routed().find(|system| system.row.key == request.system).map(|system| system.router(request))
}

/// The rows of all systems, planned ones first, in the order of their tables.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    catalog::rows().chain(MORE.iter().map(|system| system.row))
}

/// The same, and behind them those that are no systems of the table: a user's network, which has options, and the baselines.
pub fn all_rows() -> impl Iterator<Item = &'static Row> {
    rows().chain([&user::ROW]).chain(BASELINES.iter().map(|system| system.row))
}

/// The row with this key, a user's network included.
pub fn row(key: &str) -> Option<&'static Row> {
    all_rows().find(|row| row.key == key)
}

/// Whether this system has rounds, is given traffic, or brings a stream into another order.
pub fn kind(row: &Row) -> &'static str {
    match MORE.iter().any(|system| system.row.key == row.key) {
        true => "routed",
        false => catalog::kind(row),
    }
}

/// The error that names all systems.
pub fn unknown(given: &str) -> Refusal {
    let known: Vec<&str> = rows().map(|row| row.key).collect();
    refusal!("{given:?} is not a system; the systems are {}", known.join(", "))
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

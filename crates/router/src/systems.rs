//! The table of routed systems. A new one is a file here, which describes it and checks its parameters, a variant of
//! [`Router`], and a row in [`ROUTED`]; its steps are a file in `frit-model` and its cells.

use crate::dilated::{Dilated, DilatedError, dilated};
use crate::multibutterfly::{Multibutterfly, MultibutterflyError, multibutterfly};
use frit_network::NetworkError;
use frit_network::options::{OptionError, Request, Row, complete};

/// A routed system with its parameters, which have been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Router {
    /// The dilated butterfly, in bit steps.
    Dilated(Dilated),
    /// The multibutterfly, in phases.
    Multibutterfly(Multibutterfly),
}

impl Router {
    /// How the system describes itself.
    pub fn row(&self) -> &'static Row {
        match self {
            Router::Dilated(_) => &crate::dilated::row::ROW,
            Router::Multibutterfly(_) => &crate::multibutterfly::row::ROW,
        }
    }
}

/// Why there is no router.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum RouterError {
    /// No such system.
    #[error("{given:?} is not a routed system; the routed systems are: {}", if known.is_empty() { "none".into() } else { known.join(", ") })]
    UnknownSystem {
        /// What was given.
        given: String,
        /// Keys of the table.
        known: Vec<&'static str>,
    },
    /// The system does not take an option that was given.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The network does not exist at this size.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// There is no such dilated butterfly.
    #[error(transparent)]
    Dilated(#[from] DilatedError),
    /// There is no such multibutterfly.
    #[error(transparent)]
    Multibutterfly(#[from] MultibutterflyError),
}

/// Builds a router from a request whose options have been completed and checked against the table.
type Builder = fn(&Request) -> Result<Router, RouterError>;

/// A routed system.
pub struct RoutedSystem {
    /// How it describes itself.
    pub row: &'static Row,
    /// Makes the router of a completed request.
    pub build: Builder,
}

/// All routed systems.
pub static ROUTED: &[RoutedSystem] = &[
    RoutedSystem { row: &crate::dilated::row::ROW, build: |request| Ok(Router::Dilated(dilated(request)?)) },
    RoutedSystem {
        row: &crate::multibutterfly::row::ROW,
        build: |request| Ok(Router::Multibutterfly(multibutterfly(request)?)),
    },
];

/// The system with this key.
pub fn routed(key: &str) -> Option<&'static RoutedSystem> {
    ROUTED.iter().find(|system| system.row.key == key)
}

/// Builds the router of a request: the one place where keys, sizes and options are checked.
pub fn router(request: &Request) -> Result<Router, RouterError> {
    let system = routed(&request.system).ok_or_else(|| RouterError::UnknownSystem {
        given: request.system.clone(),
        known: ROUTED.iter().map(|system| system.row.key).collect(),
    })?;
    let options = complete(system.row.key, system.row.options, &request.options)?;
    (system.build)(&Request { options, ..request.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planned_system_is_none_of_these() {
        let error = router(&Request::new("rls", 8)).unwrap_err().to_string();
        assert!(error.starts_with("\"rls\" is not a routed system; the routed systems are: "), "{error}");
        assert!(routed("rls").is_none());
    }
}

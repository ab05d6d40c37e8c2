//! The table of routed systems. A new one is a file here, which describes it and checks its parameters, and a row in
//! [`ROUTED`]; its steps are a file in `frit-model` and its cells.

use crate::dilated::{Dilated, dilated};
use crate::multibutterfly::{Multibutterfly, multibutterfly};
use frit_network::options::{Request, Row, complete};
use frit_network::{Refusal, refusal};
use std::any::Any;
use std::fmt::Debug;

/// A routed system with its parameters, which have been checked.
pub trait Router: Any + Debug + Send + Sync {
    /// How the system describes itself.
    fn row(&self) -> &'static Row;
}

impl dyn Router {
    /// The system itself, if it is an `S`.
    pub fn of<S: Router>(&self) -> Option<&S> {
        (self as &dyn Any).downcast_ref()
    }
}

impl Router for Dilated {
    fn row(&self) -> &'static Row {
        &crate::dilated::row::ROW
    }
}

impl Router for Multibutterfly {
    fn row(&self) -> &'static Row {
        &crate::multibutterfly::row::ROW
    }
}

/// Builds a router from a request whose options have been completed and checked against the table.
type Builder = fn(&Request) -> Result<Box<dyn Router>, Refusal>;

/// A routed system.
pub struct RoutedSystem {
    /// How it describes itself.
    pub row: &'static Row,
    /// Makes the router of a completed request.
    pub build: Builder,
}

impl RoutedSystem {
    /// Builds the router of a request: the one place where sizes and options are checked.
    ///
    /// # Errors
    /// If there is no such router.
    pub fn router(&self, request: &Request) -> Result<Box<dyn Router>, Refusal> {
        let options = complete(self.row.key, self.row.options, &request.options)?;
        (self.build)(&Request { options, ..request.clone() })
    }
}

/// All routed systems.
pub static ROUTED: &[RoutedSystem] = &[
    RoutedSystem { row: &crate::dilated::row::ROW, build: |request| Ok(Box::new(dilated(request)?)) },
    RoutedSystem {
        row: &crate::multibutterfly::row::ROW,
        build: |request| Ok(Box::new(multibutterfly(request)?)),
    },
];

/// The system with this key.
pub fn routed(key: &str) -> Option<&'static RoutedSystem> {
    ROUTED.iter().find(|system| system.row.key == key)
}

/// Builds the router of a request whose system is in the table.
///
/// # Errors
/// If there is no such system, or no such router.
pub fn router(request: &Request) -> Result<Box<dyn Router>, Refusal> {
    let system = routed(&request.system).ok_or_else(|| {
        let known: Vec<&str> = ROUTED.iter().map(|system| system.row.key).collect();
        refusal!("{:?} is not a routed system; the routed systems are: {}", request.system, known.join(", "))
    })?;
    system.router(request)
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

//! Benchmarks that need criterion. They are a crate of their own so that no test links it, and so that the tests and `frit` are
//! built with the same features of the same crates.

//! `std::time`; in a browser an [`Instant`] whose time the page's worker tells.
//!
//! The crate takes the place of `web-time` (`[patch.crates-io]` in the workspace), which the linear program and the SAT solver of
//! `frit-search` ask for the time. That crate asks the browser through bindings that a generator writes; the page has none.

#[cfg(target_arch = "wasm32")]
mod instant;

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::*;

#[cfg(target_arch = "wasm32")]
pub use instant::Instant;
#[cfg(target_arch = "wasm32")]
pub use std::time::Duration;

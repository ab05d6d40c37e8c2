//! Fritillary in a browser.
//!
//! [`call`] is all that the page knows: the name of a question and its JSON, and the JSON of an answer. The page's worker calls it in
//! WebAssembly (`abi`), tests call it natively. What is asked comes from `frit-design` and the crates below it; nothing is simulated or
//! written here.
//!
//! Modules in reading order: [`mod@asked`] (from the form to a design), [`calls`] (the questions), [`zip`] and [`base64`] (files for the
//! browser), `site` (the pages of `make site`), `abi` (the functions that WebAssembly exports).

#[cfg(target_arch = "wasm32")]
mod abi;
pub mod asked;
pub mod base64;
pub mod calls;
#[cfg(not(target_arch = "wasm32"))]
#[cfg(not(target_arch = "wasm32"))]
pub mod site;
pub mod zip;

pub use calls::call;

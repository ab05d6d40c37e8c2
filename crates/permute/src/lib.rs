//! Streamed permutations: words stream in, P a cycle, and each data set of P·S words leaves in another order, P words a cycle, for
//! ever. The corner turn, a transpose of a matrix that streams through, is one of them.
//!
//! A [`Streamed`] is a line of *parts*: switching networks, which move words between lanes, and banks of memories, which move words
//! between cycles. Each part has a rule for its switches or addresses: linear on the bits of the count of cycles, a sum over the
//! digits of a count, or a table. Model, cells and Verilog follow these rules, so a mistake here is invisible to co-simulation;
//! [`check`](mod@check) therefore runs data sets through the bare parts and compares every word with the order that was asked for.
//!
//! ```
//! use frit_network::options::Request;
//! let turn = frit_permute::streamed(&Request::new("transpose", 8).with("rows", "64"))?;
//! assert_eq!((turn.columns(), turn.switches(), turn.wait), (6, 24, 497));
//! assert_eq!(frit_permute::check(&turn), Ok(()));
//! # Ok::<(), frit_network::Refusal>(())
//! ```
//!
//! Modules in reading order: [`gf2`] (matrices), [`decompose`] (the fewest switches), [`order`] (which word goes where), [`parts`];
//! the forms [`linear`], [`skew`], and [`coloured`] with [`colour`]; [`streamed`](mod@streamed), [`check`](mod@check), the named orders, the table [`systems`], and what all engines do with the hardware, [`script`].

#![warn(missing_docs)]

pub mod check;
pub mod colour;
pub mod coloured;
pub mod decompose;
pub mod gf2;
pub mod linear;
mod named;
pub mod order;
pub mod parts;
pub mod script;
pub mod skew;
pub mod streamed;
pub mod systems;

pub use check::{Fault, check};
pub use order::Order;
pub use parts::Part;
pub use streamed::{Form, Streamed};
pub use systems::{STREAMED, streamed, streamed_row, with_matrix, with_permutation};

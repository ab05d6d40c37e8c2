//! The kinds of sweep. A new one is a file here, with its module and its place in the list.

mod demand;
mod exchange;
mod faults;
mod h_relation;
mod photonics;
mod rounds;
pub mod route;
mod stream;
mod synth;
mod verify;

use super::kind::Reader;

/// All of them, in the order in which they are named to users.
pub const KINDS: &[Reader] = &[
    h_relation::KIND,
    exchange::KIND,
    route::KIND,
    rounds::KIND,
    verify::KIND,
    synth::KIND,
    faults::KIND,
    photonics::KIND,
    stream::KIND,
    demand::KIND,
];

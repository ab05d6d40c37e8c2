//! The dilated butterfly: worms in bit steps ("Fast algorithms for bit-serial routing on a hypercube", section 2; Aiello,
//! Leighton, Maggs, Newman).
//!
//! Each packet has a header of routing bits and M payload bits. The first goes ahead; at every switch it is stripped, and
//! the switch shunts the edge on which it came to an unused edge of the bundle that it names. The bits behind follow a
//! step at a time, Q of them at most waiting at the end of an edge. A head that finds no unused edge waits.
//!
//! Modules in reading order: [`parameters`], [`packets`] (what a run is given), [`shunt`] (the event), [`arrival`] (what comes out), [`loads`] (packets per
//! bundle), [`claims`] (closed forms, the bound of loads), [`row`] (in the table of systems).

pub mod arrival;
pub mod claims;
pub mod loads;
pub mod packets;
pub mod parameters;
pub mod row;
pub mod shunt;

pub use arrival::Arrival;
pub use packets::{Packet, Packets};
pub use parameters::{Mode, Parameters, Switch};
pub use row::{Dilated, dilated};
pub use shunt::Shunt;

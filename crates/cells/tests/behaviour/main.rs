//! Each cell does what its definition says, which is written here again in plain Rust or taken from the schedules.

#[path = "../common.rs"]
mod common;
mod de_bruijn;
mod sequencers;
mod stages;
mod switches;
mod terminals;

use crate::common::sequences;
use frit_schedule::systolic::Systolic;

fn bit(word: u64, at: u32) -> u64 {
    word >> at & 1
}

/// The routings of all sequences up to an order.
fn routings(orders: std::ops::RangeInclusive<u32>) -> Vec<Systolic> {
    orders.flat_map(sequences).map(|(_, sequence)| Systolic::new(sequence)).collect()
}

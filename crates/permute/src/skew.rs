//! Transposes of any R × C, both multiples of P, by skewed storage: word (r, c) lies in memory (r xor c) mod P if P = 2^k, else in memory
//! (r + c) mod P.
//!
//! Source: K. E. Batcher, "STARAN parallel processor system hardware", AFIPS 1974, and the xor storage of the 1980s. In front of
//! the memories a word of row r moves from lane c mod P to (r xor c) mod P: k columns, column s driven by bit s of r. Behind them
//! it moves to lane r mod P: k columns, driven by the bits of c. In its memory it has the address
//! (⌊r/P⌋·C/P + ⌊c/P⌋)·P + r mod P, so only the k low bits of an address differ between lanes.
//!
//! Without a power of two the lanes rotate: in front by r mod P, behind by c mod P the other way, each through a Beneš network with P stored settings. The
//! digit r mod P has ⌈log₂ P⌉ bits of an address of its own, so that no address is a product: a page has places that nothing uses.

use crate::coloured::{inner_lanes, routing};
use crate::parts::{Address, Addresses, Affine, Count, Driver, Part, Spatial, Temporal};

/// The parts of a transpose of `rows` × `columns`, multiples of `lanes`. One page is enough for a square: the data sets
/// take two orders of addresses in turn. Other sizes have two pages.
pub fn transpose(rows: u32, columns: u32, lanes: u32, one_page: bool, wait: u32) -> Vec<Part> {
    let (tall, wide) = (rows / lanes, columns / lanes);
    // Writing: row / P, row mod P, column / P. Reading: column / P, column mod P, row / P.
    let write_count = Count { radices: vec![tall, lanes, wide] };
    let read_count = Count { radices: vec![wide, lanes, tall] };
    let modulus = (!lanes.is_power_of_two()).then_some(lanes);
    // Places for the digit of the lanes.
    let low = inner_lanes(lanes);
    let page = tall * wide * low;
    let by = |page, weights, skewed| Address::Skewed { page, weights, digit: 1, skewed, modulus };
    let by_rows = |page, skewed| by(page, vec![wide * low, 0, low], skewed);
    let by_columns = |page, skewed| by(page, vec![low, 0, wide * low], skewed);
    let (orders, depth) = match one_page && rows == columns {
        true => {
            let first = Addresses { write: by_rows(0, false), read: by_columns(0, true) };
            let second = Addresses { write: by_columns(0, true), read: by_rows(0, false) };
            (vec![first, second], page)
        }
        false => {
            let order = |page| Addresses { write: by_rows(page, false), read: by_columns(page, true) };
            (vec![order(0), order(page)], 2 * page)
        }
    };
    let (front, behind) = match modulus {
        None => (xor_columns(&write_count, lanes), xor_columns(&read_count, lanes)),
        Some(_) => (rotation(&write_count, lanes, 1), rotation(&read_count, lanes, lanes - 1)),
    };
    let memory = Temporal { write_count, read_count, depth, page, wait, orders };
    vec![Part::Spatial(front), Part::Temporal(memory), Part::Spatial(behind)]
}

/// The network that takes lane l to (l + step·d) mod P while d is the middle digit of the count; lanes that nothing uses stay.
fn rotation(count: &Count, lanes: u32, step: u32) -> Spatial {
    let to = |digit: u32, lane: u32| if lane < lanes { (lane + step * digit) % lanes } else { lane };
    let routes: Vec<Vec<u32>> =
        (0..lanes).map(|digit| (0..inner_lanes(lanes)).map(|lane| to(digit, lane)).collect()).collect();
    routing(count, &routes, |rows| Driver::Digit(1, rows))
}

/// k columns that xor the lane with the middle digit of the count.
fn xor_columns(count: &Count, lanes: u32) -> Spatial {
    let k = lanes.trailing_zeros();
    let low = count.digit_bits()[2];
    let port = |stage: u32, lane: u32| {
        let (below, above) = (lane & ((1 << stage) - 1), lane >> (stage + 1));
        (above << stage | below) << 1 | lane >> stage & 1
    };
    let mut links: Vec<Vec<u32>> = vec![(0..lanes).map(|lane| port(0, lane)).collect()];
    for stage in 1..=k {
        let mut link = vec![0; lanes as usize];
        for lane in 0..lanes {
            link[port(stage - 1, lane) as usize] = if stage == k { lane } else { port(stage, lane) };
        }
        links.push(link);
    }
    let driver = |stage: u32| Driver::Stage(Affine { mask: 1 << (low + stage), flip: false });
    Spatial { count: count.clone(), links, drivers: (0..k).map(driver).collect() }
}

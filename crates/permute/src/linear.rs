//! Orders that are linear on the bits of a word's number, with the fewest switches, as parts.

use crate::decompose::{Blocks, Storing, Switching, one_bank, two_banks};
use crate::gf2::{Matrix, Space, parity};
use crate::parts::{Address, Addresses, Affine, Count, Driver, Part, Spatial, Temporal};
use frit_network::{Refusal, refuse};

/// With one page of memory data sets take several orders of addresses in turn. This is the largest number of orders that is built; a
/// permutation that needs more has two pages.
pub const MAX_ORDERS: usize = 16;

/// How many pages a memory has: room for one data set, or for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// One, if few orders of addresses come round; else two.
    Auto,
    /// One.
    One,
    /// Two.
    Two,
}

/// The parts with one bank of memories between two networks.
///
/// # Errors
///
/// If one page is asked for that takes too many orders of addresses.
pub fn with_one_bank(blocks: &Blocks, constant: u64, pages: Pages) -> Result<Vec<Part>, Refusal> {
    let (front, bank, behind) = one_bank(blocks);
    let (cycle_constant, lane_constant) = (constant >> blocks.lane_bits, constant & lanes_of(blocks));
    let front = spatial(blocks, &front, 0, 0);
    let bank = temporal(blocks, &bank, cycle_constant, pages)?;
    let behind = spatial(blocks, &behind, cycle_constant, lane_constant);
    Ok(vec![Part::Spatial(front), Part::Temporal(bank), Part::Spatial(behind)])
}

/// The parts with one network between two banks of memories.
///
/// # Errors
///
/// If one page is asked for that takes too many orders of addresses.
pub fn with_two_banks(blocks: &Blocks, constant: u64, pages: Pages) -> Result<Vec<Part>, Refusal> {
    let (first, network, last) = two_banks(blocks);
    let (cycle_constant, lane_constant) = (constant >> blocks.lane_bits, constant & lanes_of(blocks));
    let first = temporal(blocks, &first, 0, pages)?;
    let network = spatial(blocks, &network, 0, lane_constant);
    // The lanes that the last bank sees have the constant already.
    let moved = cycle_constant ^ last.from_lane.apply(lane_constant);
    let last = temporal(blocks, &last, moved, pages)?;
    Ok(vec![Part::Temporal(first), Part::Spatial(network), Part::Temporal(last)])
}

fn lanes_of(blocks: &Blocks) -> u64 {
    (1 << blocks.lane_bits) - 1
}

/// A network as columns of switches. The lanes are numbered so that column s swaps those that differ in bit s: with L = U·V,
/// U of r independent columns that are completed to a basis Q, the lane Lτ + Mx is Q·(Q⁻¹Mx + Vτ), and bit s of Vτ drives column s.
/// `cycle_constant` is in the cycles that the network sees, but not in those of its matrix; `lane_constant` is added to its lanes.
fn spatial(blocks: &Blocks, network: &Switching, cycle_constant: u64, lane_constant: u64) -> Spatial {
    let (k, lanes) = (blocks.lane_bits, 1u64 << blocks.lane_bits);
    let mut spanned = Space::default();
    let images = network.from_cycle.images().into_iter().chain((0..k).map(|bit| 1 << bit));
    let basis: Vec<u64> = images.filter(|&image| spanned.add(image)).collect();
    let names = Matrix::of_images(&basis, k);
    let numbers = names.inverse().expect("a basis of the lanes");
    let driven = numbers.times(&network.from_cycle);
    let stages = network.columns();
    // The number of a lane with its bit s moved to the end is its port of column s.
    let port = |stage: u32, number: u64| {
        let (low, high) = (number & ((1 << stage) - 1), number >> (stage + 1));
        ((high << stage | low) << 1 | number >> stage & 1) as u32
    };
    let entry = numbers.times(&network.from_lane);
    let leave = |number: u64| (names.apply(number) ^ lane_constant) as u32;
    let mut links = Vec::new();
    if stages == 0 {
        links.push((0..lanes).map(|lane| leave(entry.apply(lane))).collect());
    } else {
        links.push((0..lanes).map(|lane| port(0, entry.apply(lane))).collect());
    }
    for stage in 1..=stages {
        let mut link = vec![0; lanes as usize];
        for number in 0..lanes {
            let to = if stage == stages { leave(number) } else { port(stage, number) };
            link[port(stage - 1, number) as usize] = to;
        }
        links.push(link);
    }
    let driver = |stage: u32| {
        let mask = driven.rows()[stage as usize];
        Driver::Stage(Affine { mask, flip: parity(mask & cycle_constant) })
    };
    let drivers = (0..stages).map(driver).collect();
    Spatial { count: Count::plain(1 << blocks.cycle_bits), links, drivers }
}

/// Addresses of one data set as a map: address = `cycle`·τ + `lane`·l + `constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Map {
    cycle: Matrix,
    lane: Matrix,
    constant: u64,
}

impl Map {
    /// The same addresses in the cycles that the words leave in: `back` gives the cycle in which a word entered.
    fn read(&self, back: &Storing, constant: u64) -> Map {
        let cycle = self.cycle.times(&back.from_cycle);
        let lane = self.lane.plus(&self.cycle.times(&back.from_lane));
        Map { constant: self.constant ^ cycle.apply(constant), cycle, lane }
    }

    fn address(&self, page: Option<bool>) -> Address {
        let row = |bit: u32| {
            let mask = self.cycle.rows()[bit as usize];
            let flip = self.constant >> bit & 1 == 1;
            (Affine { mask, flip }, self.lane.rows()[bit as usize])
        };
        let page = page.map(|page| (Affine { mask: 0, flip: page }, 0));
        Address::Linear((0..self.cycle.height()).map(row).chain(page).collect())
    }
}

/// A bank whose words leave in the cycle `bank` says, xor `constant`.
fn temporal(blocks: &Blocks, bank: &Storing, constant: u64, pages: Pages) -> Result<Temporal, Refusal> {
    let (t, back) = (blocks.cycle_bits, bank.inverse());
    let cycles = 1u32 << t;
    let identity = Map { cycle: Matrix::identity(t), lane: Matrix::zero(t, blocks.lane_bits), constant: 0 };
    // In one page each data set is written where the one before was read.
    let mut turns = vec![identity.clone()];
    let mut pages = pages;
    while pages != Pages::Two {
        let next = turns.last().map_or_else(|| identity.clone(), |map| map.read(&back, constant));
        if next == identity {
            break;
        }
        turns.push(next);
        if turns.len() > MAX_ORDERS {
            match pages {
                Pages::One => refuse!(
                    "pages=1 would take more than {MAX_ORDERS} orders of addresses in turn for this permutation; give pages=2"
                ),
                _ => pages = Pages::Two,
            }
        }
    }
    let order = |map: &Map, page| Addresses {
        write: map.address(page),
        read: map.read(&back, constant).address(page),
    };
    let (orders, depth) = match pages {
        Pages::Two => ([false, true].map(|page| order(&identity, Some(page))).to_vec(), 2 * cycles),
        _ => (turns.iter().map(|map| order(map, None)).collect(), cycles),
    };
    let count = Count::plain(cycles);
    let wait = wait(blocks, bank, constant);
    Ok(Temporal { write_count: count.clone(), read_count: count, depth, page: cycles, wait, orders })
}

/// The greatest (cycle in − cycle out).
fn wait(blocks: &Blocks, bank: &Storing, constant: u64) -> u32 {
    let shifts: Space = Space::spanned_by(&bank.from_lane.images());
    let mut offsets = vec![constant];
    for &vector in shifts.basis() {
        offsets.extend(offsets.clone().into_iter().map(|offset| offset ^ vector));
    }
    let late = |cycle: u64| {
        let leaves = bank.from_cycle.apply(cycle);
        let earliest = offsets.iter().map(|offset| leaves ^ offset).min().unwrap_or(leaves);
        cycle.saturating_sub(earliest) as u32
    };
    (0..1u64 << blocks.cycle_bits).map(late).max().unwrap_or(0)
}

//! Any order of the words of a data set: two Beneš networks around a bank of memories.
//!
//! In each cycle P words enter and P leave, one for each memory. The words are the edges of a graph between cycles in and cycles
//! out in which every node has P edges; a colouring of the edges says which memory each word takes ([`crate::colour`]). The
//! networks bring the words there and back with stored settings, by the looping algorithm. There are two pages.

use crate::colour::colour;
use crate::order::Order;
use crate::parts::{Address, Addresses, Count, Driver, Part, Spatial, Temporal};
use frit_network::{SwitchState, benes};
use frit_schedule::looping;

/// Lanes inside: those of a Beneš network, or of a single switch.
pub fn inner_lanes(lanes: u32) -> u32 {
    lanes.next_power_of_two()
}

/// The parts of an order of words, `lanes` (2 or more) a cycle.
///
/// # Panics
///
/// If the words do not fill whole cycles.
pub fn parts(order: &Order, lanes: u32, wait: u32) -> Vec<Part> {
    let words = order.words() as u32;
    assert!(lanes >= 2 && words.is_multiple_of(lanes), "whole cycles of two words or more");
    let cycles = words / lanes;
    let to: Vec<u32> = (0..words).map(|word| order.destination(word.into()) as u32).collect();
    let edges: Vec<(u32, u32)> = (0..words).map(|word| (word / lanes, to[word as usize] / lanes)).collect();
    let memory_of = colour(cycles, lanes, &edges);
    let inner = inner_lanes(lanes);
    let idle: Vec<u32> = (0..inner).collect();
    let mut front = vec![idle.clone(); cycles as usize];
    let mut behind = vec![idle; cycles as usize];
    let mut read = vec![0; (cycles * inner) as usize];
    for word in 0..words {
        let (memory, to) = (memory_of[word as usize], to[word as usize]);
        front[(word / lanes) as usize][(word % lanes) as usize] = memory;
        behind[(to / lanes) as usize][memory as usize] = to % lanes;
        read[(to / lanes * inner + memory) as usize] = word / lanes;
    }
    let count = Count::plain(cycles);
    let write: Vec<u32> = (0..cycles * inner).map(|at| at / inner).collect();
    let order = |page| Addresses {
        write: Address::Table { page, lanes: inner, table: write.clone() },
        read: Address::Table { page, lanes: inner, table: read.clone() },
    };
    let memory = Temporal {
        write_count: count.clone(),
        read_count: count.clone(),
        depth: 2 * cycles,
        page: cycles,
        wait,
        orders: vec![order(0), order(cycles)],
    };
    vec![
        Part::Spatial(network(&count, &front)),
        Part::Temporal(memory),
        Part::Spatial(network(&count, &behind)),
    ]
}

/// The network that takes lane l in cycle τ to `routes[τ][l]`.
fn network(count: &Count, routes: &[Vec<u32>]) -> Spatial {
    routing(count, routes, Driver::Table)
}

/// The Beneš network, or the switch, that takes lane l to `routes[k][l]` by row k of each stage's driver.
pub(crate) fn routing(
    count: &Count,
    routes: &[Vec<u32>],
    driver: impl Fn(Vec<Vec<SwitchState>>) -> Driver,
) -> Spatial {
    let lanes = routes[0].len();
    if lanes == 2 {
        let state = |route: &Vec<u32>| vec![SwitchState::from_bit(route[0] == 1)];
        let table = routes.iter().map(state).collect();
        let links = vec![vec![0, 1]; 2];
        return Spatial { count: count.clone(), links, drivers: vec![driver(table)] };
    }
    let network = benes(lanes as u64).expect("a power of two");
    let states: Vec<Vec<Vec<SwitchState>>> =
        routes.iter().map(|route| looping::settings(route).expect("a power of two")).collect();
    let table = |stage: usize| states.iter().map(|states| states[stage].clone()).collect();
    let drivers = (0..network.stages() as usize).map(|stage| driver(table(stage))).collect();
    Spatial { count: count.clone(), links: network.links().to_vec(), drivers }
}

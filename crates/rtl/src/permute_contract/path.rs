//! The path of each word of a data set: the beats of which it is one, the registers that it passes, the states of its switches, and
//! where it lies in the memories.

use super::address;
use frit_network::{LaneIdx, PortIdx};
use frit_permute::Streamed;
use frit_permute::parts::{Part, Spatial, Temporal};
use std::collections::HashMap;

/// Registers of words of which each word passes one, in the same cycle after it entered a chain of valid bits.
pub(super) struct Station {
    /// The chain, and the place in it.
    pub chain: u32,
    pub level: u32,
    /// The registers; none where nobody looks at a port.
    pub wires: Vec<Option<String>>,
}

pub(super) struct Column {
    pub chain: u32,
    /// Where its states come from a register, and how often this is delayed.
    pub counted: u32,
    pub delays: u32,
    /// The first delayed state is `NAME_0`.
    pub name: String,
    /// Bits of a state: one, or one for each switch.
    pub bits: u32,
}

/// The way of a word.
#[derive(Default)]
pub(super) struct Path {
    /// Its beats: of the input, and behind each bank.
    pub beats: Vec<u32>,
    /// Its register of each station.
    pub ports: Vec<u32>,
    /// Its switch of each column, and the state of it.
    pub switches: Vec<(u32, bool)>,
    /// Its memory of each bank, and its address there in data sets of each turn.
    pub banks: Vec<(u32, Vec<u32>)>,
}

/// What a network or bank is called, and the chain and level behind it.
pub(super) struct Place {
    pub tag: &'static str,
    pub chain: u32,
    pub level: u32,
}

/// The stations and columns of a plan; `tags` are the names of its parts and where words come to them.
pub(super) fn stations(plan: &Streamed, places: &[Place]) -> (Vec<Station>, Vec<Column>) {
    let lanes = plan.lanes;
    let wires = |name: &str| (0..lanes).map(|lane| Some(format!("{name}_{lane}"))).collect();
    let mut stations = vec![Station { chain: 0, level: 0, wires: wires("input") }];
    let mut columns = Vec::new();
    for (part, &Place { tag, chain, level }) in plan.parts.iter().zip(places) {
        match part {
            Part::Temporal(_) => {
                let chain = chain + 1;
                stations.push(Station { chain, level: level + 1, wires: wires(&format!("{tag}_read")) });
                stations.push(Station { chain, level: level + 2, wires: wires(&format!("{tag}_data")) });
            }
            Part::Spatial(network) => {
                let late = if chain == 0 { 0 } else { 2 };
                for column in 0..network.stages() {
                    let last = column + 1 == network.stages();
                    let seen = |&link: &u32| !last || link < lanes;
                    let wire = |(port, link)| seen(link).then(|| format!("{tag}_data_{column}_{port}"));
                    let wires = network.links[column as usize + 1].iter().enumerate().map(wire).collect();
                    stations.push(Station { chain, level: level + column + 1, wires });
                    let bits = network.drivers[column as usize].bits();
                    let name = format!("{tag}_state_{column}");
                    columns.push(Column { chain, counted: level - late, delays: column + late, name, bits });
                }
            }
        }
    }
    (stations, columns)
}

/// The way of every word.
pub(super) fn paths(plan: &Streamed) -> Vec<Path> {
    let reading: Vec<HashMap<(u32, u32), u32>> =
        plan.memories().map(|memory| readers(plan, memory)).collect();
    (0..plan.order.words()).map(|word| path(plan, &reading, word as u32)).collect()
}

/// The cycle in which each word of each memory is read, of data sets that take the first order.
fn readers(plan: &Streamed, memory: &Temporal) -> HashMap<(u32, u32), u32> {
    let read = |cycle: u32, lane: u32| memory.orders[0].read.at(&memory.read_count, cycle, LaneIdx(lane));
    let of = |cycle| (0..plan.lanes).map(move |lane| ((lane, read(cycle, lane)), cycle));
    (0..plan.cycles).flat_map(of).collect()
}

fn path(plan: &Streamed, reading: &[HashMap<(u32, u32), u32>], word: u32) -> Path {
    let (mut lane, mut cycle) = (word % plan.lanes, word / plan.lanes);
    let mut path = Path { beats: vec![cycle], ports: vec![lane], ..Path::default() };
    for part in &plan.parts {
        match part {
            Part::Spatial(network) => lane = through(network, cycle, LaneIdx(lane), &mut path).0,
            Part::Temporal(memory) => {
                let place = |turn| address(memory, turn, true, cycle, LaneIdx(lane));
                let places = (0..memory.orders.len()).map(place).collect();
                let first = memory.orders[0].write.at(&memory.write_count, cycle, LaneIdx(lane));
                // A fault may leave a word that nobody reads.
                cycle = reading[path.banks.len()].get(&(lane, first)).copied().unwrap_or(0);
                path.banks.push((lane, places));
                path.beats.push(cycle);
                path.ports.extend([lane, lane]);
            }
        }
    }
    path
}

/// The lane behind a network.
fn through(network: &Spatial, cycle: u32, lane: LaneIdx, path: &mut Path) -> LaneIdx {
    let mut port = network.links[0][lane.idx()];
    for (driver, link) in network.drivers.iter().zip(&network.links[1..]) {
        let state = driver.states(&network.count, cycle).of(port as usize / 2);
        path.switches.push((port / 2, state.bit()));
        let behind = state.output_port(PortIdx(port));
        path.ports.push(behind.0);
        port = link[behind.idx()];
    }
    LaneIdx(port)
}

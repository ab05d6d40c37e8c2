//! What the testbench runs after the packets that were given, so that it sees both ends: a run that brings every packet to its row,
//! and one in which packets are blocked for ever. Of small networks it also runs random packets, until worms have gone every way
//! through every switch: a wire that no worm uses could be broken without being noticed.

use crate::ways::choose;
use frit_model::dilated::{Trace, trace};
use frit_network::dilated::{InEdge, Node};
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Packet, Packets, Parameters, Shunt};
use frit_traffic::Messages;
use frit_traffic::random::SplitMix64;
use std::collections::BTreeSet;

/// How often packets that do not arrive are taken away until the others do.
const ATTEMPTS: u32 = 16;
/// Random traffics that are tried, and how many of them are run at most.
const CANDIDATES: u64 = 48;
const RANDOM: u32 = 10;
/// Random packets times edges of a bundle at most, all traffics taken together, so that tables stay small and a simulation takes seconds.
const MOST_WORK: u32 = 512;

pub struct Traffic {
    /// Its packets: no row starts more than with the packets that were given.
    pub packets: Packets,
    /// What the model does with them.
    pub trace: Trace,
    /// What they are, in a few words.
    pub what: String,
}

/// The traffics after packets of which the model says `given`: the one of `opposite`, then random ones. Each random traffic is the
/// candidate in which worms go most ways that they have not gone before.
pub fn traffics(packets: &Packets, given: &Trace) -> Vec<Traffic> {
    let mut chosen: Vec<Traffic> = opposite(packets, given).into_iter().collect();
    let work = packets.network().rows() * packets.per_input() * packets.parameters().bundle;
    let most = RANDOM.min(MOST_WORK / work.max(1));
    if most == 0 {
        return chosen;
    }
    let mut seen = ways(packets, given);
    seen.extend(chosen.iter().flat_map(|traffic| ways(&traffic.packets, &traffic.trace)));
    let candidates = (1..=CANDIDATES).filter_map(|seed| {
        let packets = random(packets, seed)?;
        let trace = trace(&packets);
        Some((ways(&packets, &trace), Traffic { packets, trace, what: format!("random packets {seed}") }))
    });
    chosen.extend(choose(candidates.collect(), seen, most));
    chosen
}

/// A place where something can happen: an in edge of a switch that is shunted to an out edge (level, row, y, e, x, out), a bit that
/// comes out of an edge (`u32::MAX`, row, y, e, bit, 0), or an in edge at which a worm is blocked for ever, so that its queue fills
/// (`u32::MAX - 1`, level, row, y, e, 0).
type Way = [u32; 6];

fn ways(packets: &Packets, trace: &Trace) -> BTreeSet<Way> {
    let network = packets.network();
    let shunts =
        trace.shunts.iter().map(|shunt| [shunt.level, shunt.row.0, shunt.y, shunt.e, shunt.x, shunt.out]);
    let bits = trace.arrivals.iter().map(|bit| [u32::MAX, bit.row.0, bit.y, bit.e, u32::from(bit.bit), 0]);
    // The edges to which heads came, without those from which they went on.
    let at = |shunt: &Shunt| Node { level: shunt.level, row: shunt.row };
    let left: BTreeSet<InEdge> =
        trace.shunts.iter().map(|shunt| InEdge { node: at(shunt), y: shunt.y, e: shunt.e }).collect();
    let inner = trace.shunts.iter().filter(|shunt| shunt.level + 1 < network.levels());
    let reached = inner.map(|shunt| network.end(at(shunt), shunt.x, shunt.out));
    let blocked = reached.filter(|edge| !left.contains(edge));
    let blocked = blocked.map(|edge| [u32::MAX - 1, edge.node.level, edge.node.row.0, edge.y, edge.e, 0]);
    shunts.chain(bits).chain(blocked).collect()
}

/// As many packets of the same parameters, with destinations, intermediate rows and payload drawn from a seed: permutations if the seed
/// is even, else any rows.
fn random(given: &Packets, seed: u64) -> Option<Packets> {
    let rows = given.network().rows();
    let each = given.packets().len() as u32 / rows;
    let messages = if seed.is_multiple_of(2) {
        permutations(rows, each, seed)
    } else {
        let mut draws = SplitMix64(seed);
        let mut lists = Vec::new();
        for _ in 0..rows {
            lists.push((0..each).map(|_| draws.below(rows)).collect::<Vec<u32>>());
        }
        Messages::from_lists(lists.iter().map(Vec::as_slice))
    };
    let packets = Packets::new(Parameters { seed, ..*given.parameters() }, &messages).ok()?;
    // With a barrier a row may be the intermediate row of more packets than it has inputs.
    (packets.per_input() <= given.per_input() && !packets.packets().is_empty()).then_some(packets)
}

/// The traffic after packets of which the model says `given`: those of them that all arrive, if some did not; all of them to one row, if
/// all arrived.
fn opposite(packets: &Packets, given: &Trace) -> Option<Traffic> {
    if given.left.is_empty() { crowded(packets) } else { arriving(packets, given) }
}

/// The packets that arrive, without the others. Where these go another way then, some may be left again: they are taken away, too.
fn arriving(packets: &Packets, given: &Trace) -> Option<Traffic> {
    let mut left = given.left.clone();
    let mut kept = packets.packets().to_vec();
    for _ in 0..ATTEMPTS {
        let numbered = (0..).zip(kept);
        kept = numbered
            .filter(|(number, _)| left.binary_search(number).is_err())
            .map(|(_, kept)| kept)
            .collect();
        let packets = of(packets, &kept)?;
        let trace = trace(&packets);
        if trace.left.is_empty() {
            return Some(Traffic { packets, trace, what: "the packets that arrive".into() });
        }
        left.clone_from(&trace.left);
    }
    None
}

/// All packets go where the first one goes.
fn crowded(packets: &Packets) -> Option<Traffic> {
    let destination = packets.packets().first()?.destination;
    let all: Vec<Packet> = packets.packets().iter().map(|&packet| Packet { destination, ..packet }).collect();
    let packets = of(packets, &all)?;
    let trace = trace(&packets);
    Some(Traffic { packets, trace, what: "all packets to one row".into() })
}

/// Packets of the same parameters, in the order of their sources; none if there is no packet.
fn of(given: &Packets, all: &[Packet]) -> Option<Packets> {
    if all.is_empty() {
        return None;
    }
    let lists: Vec<Vec<u32>> = (0..given.network().rows())
        .map(|row| {
            all.iter().filter(|packet| packet.source == row).map(|packet| packet.destination).collect()
        })
        .collect();
    let messages = Messages::from_lists(lists.iter().map(Vec::as_slice));
    let middles: Vec<u32> = all.iter().map(|packet| packet.middle).collect();
    Packets::new(*given.parameters(), &messages).and_then(|packets| packets.through(&middles)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_router::dilated::Parameters;
    use frit_router::dilated::packets::permutations;

    fn given(bundle: u32) -> (Packets, Trace) {
        let parameters = Parameters::new(8, bundle, 1);
        let packets = Packets::new(parameters, &permutations(8, 3, 1)).unwrap();
        let trace = trace(&packets);
        (packets, trace)
    }

    #[test]
    fn a_traffic_that_blocks_is_followed_by_one_that_arrives() {
        let (packets, trace) = given(2);
        assert!(!trace.left.is_empty());
        let traffic = opposite(&packets, &trace).expect("a further traffic");
        assert!(traffic.trace.left.is_empty() && !traffic.trace.shunts.is_empty());
        assert!(traffic.packets.packets().iter().all(|packet| packets.packets().contains(packet)));
        assert!(traffic.packets.per_input() <= packets.per_input());
    }

    #[test]
    fn random_traffics_go_ways_that_no_other_goes() {
        let (packets, trace) = given(2);
        let others = traffics(&packets, &trace);
        assert_eq!(others.len(), 1 + RANDOM as usize);
        let mut seen = ways(&packets, &trace);
        for traffic in &others {
            let count = seen.len();
            seen.extend(ways(&traffic.packets, &traffic.trace));
            assert!(traffic.what.starts_with("the packets") || seen.len() > count, "{}", traffic.what);
            assert!(traffic.packets.per_input() <= packets.per_input());
        }
        // Every edge that comes out has shown both bits: 8 rows, 2 bundles, 2 edges.
        let bits = seen.iter().filter(|way| way[0] == u32::MAX).count();
        assert_eq!(bits, 2 * 8 * 2 * 2);
        // Large networks run the opposite alone.
        let many = Packets::new(Parameters::new(128, 2, 1), &permutations(128, 7, 1)).unwrap();
        assert!(traffics(&many, &frit_model::dilated::trace(&many)).len() <= 1);
    }

    #[test]
    fn a_traffic_that_arrives_is_followed_by_one_that_blocks() {
        let (packets, trace) = given(6);
        assert!(trace.left.is_empty());
        let traffic = opposite(&packets, &trace).expect("a further traffic");
        assert!(!traffic.trace.left.is_empty());
        assert_eq!(traffic.packets.per_input(), packets.per_input());
    }
}

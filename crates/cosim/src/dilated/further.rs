//! What the testbench runs after the packets that were given, so that it sees both ends: a run that brings every packet to its row,
//! and one in which packets are blocked for ever.

use frit_model::dilated::{Trace, trace};
use frit_router::dilated::{Packet, Packets};
use frit_traffic::Messages;

/// How often packets that do not arrive are taken away until the others do.
const ATTEMPTS: u32 = 16;

/// A traffic of the testbench.
pub struct Traffic {
    /// Its packets: no row starts more than with the packets that were given.
    pub packets: Packets,
    /// What the model does with them.
    pub trace: Trace,
    /// What they are, in a few words.
    pub what: &'static str,
}

/// The traffic after packets of which the model says `given`: those of them that all arrive, if some did not; all of them to one row, if
/// all arrived.
pub fn traffic(packets: &Packets, given: &Trace) -> Option<Traffic> {
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
            return Some(Traffic { packets, trace, what: "the packets that arrive" });
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
    Some(Traffic { packets, trace, what: "all packets to one row" })
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
        let traffic = traffic(&packets, &trace).expect("a further traffic");
        assert!(traffic.trace.left.is_empty() && !traffic.trace.shunts.is_empty());
        assert!(traffic.packets.packets().iter().all(|packet| packets.packets().contains(packet)));
        assert!(traffic.packets.per_input() <= packets.per_input());
    }

    #[test]
    fn a_traffic_that_arrives_is_followed_by_one_that_blocks() {
        let (packets, trace) = given(6);
        assert!(trace.left.is_empty());
        let traffic = traffic(&packets, &trace).expect("a further traffic");
        assert!(!traffic.trace.left.is_empty());
        assert_eq!(traffic.packets.per_input(), packets.per_input());
    }
}

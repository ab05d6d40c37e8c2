//! Everything that hardware shows of a run: every shunt, every payload bit where it comes out, and the set that does not
//! arrive. With a barrier what comes out of the first pass is told as well: the second header, then the payload.

use super::outcome::waiting;
use super::state::{NOBODY, words};
use super::{Blocked, Plain};
use crate::stepper::{Progress, Stepper};
use frit_router::dilated::{Arrival, Packets, Shunt};

/// A run, bit by bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Every shunt, in its order.
    pub shunts: Vec<Shunt>,
    /// Every bit that comes out, in its order: payload, and behind the first of two passes of one network the bits for the second.
    pub arrivals: Vec<Arrival>,
    /// The first step of the second pass, if there is a barrier before it.
    pub second: Option<u32>,
    /// Steps until the last payload bit had arrived. With a barrier each pass counts its steps until its own last bit, and this is
    /// their sum.
    pub steps: u64,
    /// The packets that do not arrive, by their numbers.
    pub left: Vec<u32>,
    /// Where their heads stand.
    pub blocked: Vec<Blocked>,
}

impl Trace {
    /// Steps of the timeline until the last shunt and the last bit: `steps` and more if a head that is blocked later moves after the last
    /// bit of a pass has come out.
    pub fn last_step(&self) -> u64 {
        let events = [self.shunts.last().map(|shunt| shunt.step), self.arrivals.last().map(|bit| bit.step)];
        events.into_iter().flatten().map(|step| u64::from(step) + 1).max().unwrap_or(0)
    }
}

/// Runs packets by the plain engine until nothing moves.
pub fn trace(packets: &Packets) -> Trace {
    let (engine, network) = (Plain::new(packets), packets.network());
    let first_sink = (network.edges() - 2 * u64::from(network.bundle()) * u64::from(network.rows())) as usize;
    let (mut shunts, mut arrivals) = (Vec::new(), Vec::new());
    let mut now = engine.start();
    let mut next = now.clone();
    for step in 0.. {
        let progress = engine.step(step, &now, &mut next, &mut |shunt| shunts.push(shunt));
        // No bit comes out in the first step of a pass.
        let sinks = if next.pass == now.pass { first_sink..network.edges() as usize } else { 0..0 };
        for number in sinks {
            let packet = now.queues[packets.packets().len() + number].packet as usize;
            if packet == NOBODY as usize || next.arrived[packet].bits == now.arrived[packet].bits {
                continue;
            }
            let place = now.arrived[packet].bits;
            let word = next.received[packet * words(packets) + place as usize / 64];
            let edge = network.edge(number);
            let (row, y, e) = (edge.node.row, edge.y, edge.e);
            arrivals.push(Arrival { step: step as u32, row, y, e, bit: word >> (place % 64) & 1 == 1 });
        }
        std::mem::swap(&mut now, &mut next);
        if progress != Progress::Moves {
            break;
        }
    }
    let payload = packets.parameters().payload;
    let left = (0..).zip(&now.arrived).filter(|(_, arrived)| arrived.bits < payload);
    let left = left.map(|(packet, _)| packet).collect();
    let blocked = now.lost.iter().copied().chain(waiting(packets, &now)).collect();
    let second = (now.pass > 0).then_some(now.begun);
    Trace { shunts, arrivals, second, steps: now.steps, left, blocked }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dilated::run;
    use frit_network::RowIdx;
    use frit_router::dilated::packets::permutations;
    use frit_router::dilated::{Mode, Parameters, Switch};

    #[test]
    fn a_trace_is_the_run_bit_by_bit() {
        for (n, bundle, switch, delivered) in
            [(3, 6, Switch::Strong, 24), (4, 4, Switch::Strong, 60), (3, 2, Switch::Weak, 18)]
        {
            let parameters = Parameters { switch, payload: 9, ..Parameters::new(1 << n, bundle, 1) };
            let packets = Packets::new(parameters, &permutations(1 << n, n, 1)).unwrap();
            let (found, outcome) = (trace(&packets), run(&packets, |_| {}));
            assert_eq!(found.shunts.len() as u64, outcome.shunts);
            assert_eq!((found.steps, &found.blocked), (outcome.steps, &outcome.blocked));
            assert_eq!(found.left.len(), packets.packets().len() - outcome.delivered as usize);
            assert_eq!(found.arrivals.len(), 9 * outcome.delivered as usize);
            assert_eq!(outcome.delivered, delivered, "{parameters:?}");
            assert!(found.arrivals.is_sorted() && found.shunts.is_sorted());
            assert_eq!(u64::from(found.arrivals.last().unwrap().step) + 1, found.steps);
            for (packet, at) in found.blocked.iter().map(|blocked| (blocked.packet, blocked.at)) {
                assert!(found.left.contains(&packet), "{packet} at {at:?}");
            }
        }
    }
    /// Both passes of every packet: n + M bits come out of the first, M of the second, where and when the closed form says.
    #[test]
    fn a_barrier_stands_between_two_traces() {
        let parameters = Parameters { mode: Mode::Barrier, payload: 9, ..Parameters::new(8, 6, 1) };
        let packets = Packets::new(parameters, &permutations(8, 3, 1)).unwrap();
        let found = trace(&packets);
        // 3n + M - 1, and 2n + M - 1 more.
        assert_eq!((found.second, found.steps), (Some(17), 17 + 14));
        let first = found.arrivals.partition_point(|arrival| arrival.step < 17);
        assert_eq!((first, found.arrivals.len() - first), (24 * 12, 24 * 9));
        assert!(found.shunts.iter().all(|shunt| (shunt.level >= 3) == (shunt.step >= 17)));
        // What is blocked in front of the barrier is left.
        let packets = Packets::new(Parameters { bundle: 1, ..parameters }, &permutations(8, 3, 1)).unwrap();
        let (found, outcome) = (trace(&packets), run(&packets, |_| {}));
        assert!(found.blocked.iter().any(|head| head.at.node.level < 3));
        assert!(found.blocked.iter().any(|head| head.at.node.level >= 3));
        assert_eq!((found.blocked.len(), &found.blocked), (found.left.len(), &outcome.blocked));
    }

    /// The second pass takes a row's packets in the order of their last bits: each shunt of its first level wants the bundle that the
    /// first bit of the packet names whose last bit came out at that place. Blocked packets lie between; the steps are those of both.
    #[test]
    fn a_row_sends_again_in_the_order_in_which_packets_came_out() {
        for (bundle, switch) in
            [(6, Switch::Strong), (2, Switch::Strong), (6, Switch::Weak), (1, Switch::Weak)]
        {
            let parameters =
                Parameters { switch, mode: Mode::Barrier, payload: 9, ..Parameters::new(16, bundle, 2) };
            let packets = Packets::new(parameters, &permutations(16, 4, 2)).unwrap();
            let found = trace(&packets);
            let begun = found.second.unwrap();
            let first = found.arrivals.iter().filter(|bit| bit.step < begun);
            // A worm by its row and the edge by which it came: its first bit, and the step of its last.
            let mut worms = std::collections::BTreeMap::new();
            for bit in first {
                worms.entry((bit.row, bit.y, bit.e)).or_insert((bit.bit, 0)).1 = bit.step;
            }
            let mut places: Vec<_> =
                worms.iter().map(|(&(row, y, e), &(bit, last))| (row, last, y, e, bit)).collect();
            places.sort_unstable();
            let mut seen = 0;
            for shunt in found.shunts.iter().filter(|shunt| shunt.level == 4) {
                let mut row = places.iter().filter(|place| place.0 == shunt.row);
                assert_eq!(row.nth(shunt.e as usize).unwrap().4, shunt.x == 1, "{parameters:?}: {shunt:?}");
                seen += 1;
            }
            assert!(seen > 8, "{parameters:?}: {seen}");
            let steps = |from: u32, to: u32| {
                let last = found.arrivals.iter().rfind(|bit| (from..to).contains(&bit.step));
                last.map_or(0, |bit| u64::from(bit.step - from) + 1)
            };
            assert_eq!(found.steps, steps(0, begun) + steps(begun, u32::MAX), "{parameters:?}");
        }
    }

    /// Released edges carry one worm after another; every bit of each is told once.
    #[test]
    fn released_edges_are_told_worm_by_worm() {
        for switch in [Switch::Strong, Switch::Weak] {
            // Three packets come to each row by two edges.
            let parameters = Parameters { switch, release: true, payload: 9, ..Parameters::new(8, 1, 1) };
            let packets = Packets::new(parameters, &permutations(8, 3, 1)).unwrap();
            let (found, outcome) = (trace(&packets), run(&packets, |_| {}));
            assert_eq!(found.shunts.len() as u64, outcome.shunts);
            assert_eq!((found.steps, found.left.len()), (outcome.steps, outcome.blocked.len()));
            assert_eq!(found.arrivals.len(), 9 * outcome.delivered as usize);
            let of = |row, y| found.arrivals.iter().filter(move |a| (a.row, a.y) == (row, y)).count();
            assert!(RowIdx::all(8).all(|row| of(row, 0).max(of(row, 1)) >= 18), "two worms come by one edge");
            assert!(found.arrivals.is_sorted() && found.shunts.is_sorted());
        }
    }
}

//! The worms in the network after so many steps, for a drawing.

use super::plain::Plain;
use super::state::{NOBODY, State};
use crate::stepper::{self, Progress, Stepper};
use frit_network::dilated::drawing::Held;
use frit_router::dilated::{Mode, Packets, Shunt};

/// What there is after so many steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Steps made: fewer than asked for if nothing moved any more.
    pub steps: u64,
    /// The edges that worms hold or have used, in the order of their numbers.
    pub held: Vec<Held>,
    /// Packets whose last bit has arrived.
    pub delivered: u64,
    /// Which.
    pub arrived: Vec<u32>,
    /// Packets whose head has not left its row's start; with a barrier in this pass.
    pub waiting: u64,
}

/// Runs the plain engine for at most `steps` steps.
pub fn snapshot(packets: &Packets, steps: u64) -> Snapshot {
    let (steps, _, state) = stepper::run(&Plain::new(packets), steps, |_| ());
    taken(packets, steps, &state)
}

/// Tells what there is before each step, and what the switches do in it; last what is left when nothing moves any more, or after
/// `limit` steps.
pub fn snapshots(packets: &Packets, limit: u64, mut see: impl FnMut(Snapshot, Vec<Shunt>)) {
    let engine = Plain::new(packets);
    let mut now = engine.start();
    let mut next = now.clone();
    for step in 0..limit {
        let mut shunts = Vec::new();
        let progress = engine.step(step, &now, &mut next, &mut |shunt| shunts.push(shunt));
        see(taken(packets, step, &now), shunts);
        std::mem::swap(&mut now, &mut next);
        if progress != Progress::Moves {
            return see(taken(packets, step + 1, &now), vec![]);
        }
    }
    see(taken(packets, limit, &now), vec![]);
}

fn taken(packets: &Packets, steps: u64, state: &State) -> Snapshot {
    let starts = packets.packets().len();
    let waiting =
        state.queues[..starts].iter().filter(|queue| queue.packet != NOBODY && queue.target.is_none());
    Snapshot {
        steps,
        held: held(packets, state),
        delivered: state.delivered,
        arrived: arrived(packets, state),
        waiting: waiting.count() as u64,
    }
}

/// Packets all of whose payload has come out of the last pass.
fn arrived(packets: &Packets, state: &State) -> Vec<u32> {
    let parameters = packets.parameters();
    let last = parameters.mode != Mode::Barrier || state.pass + 1 == parameters.passes();
    let whole = |bits: u32| last && bits == parameters.payload;
    (0..).zip(&state.arrived).filter(|(_, arrived)| whole(arrived.bits)).map(|(packet, _)| packet).collect()
}

fn held(packets: &Packets, state: &State) -> Vec<Held> {
    let network = packets.network();
    let edges = &state.queues[packets.packets().len()..];
    // The edge farthest on is that of the head, if the head has not left the network.
    let mut farthest = vec![0; packets.packets().len()];
    let held: Vec<Held> = edges
        .iter()
        .enumerate()
        .filter(|(_, queue)| queue.packet != NOBODY)
        .map(|(number, queue)| {
            let edge = network.edge(number);
            let level = edge.node.level;
            let all = packets.packet_bits() - state.pass * network.dimensions() - level;
            let sink = level == network.levels();
            let passed = if sink { state.arrived[queue.packet as usize].bits } else { queue.passed };
            farthest[queue.packet as usize] = farthest[queue.packet as usize].max(level);
            Held { edge, packet: queue.packet, bits: queue.length, left: passed == all, head: false }
        })
        .collect();
    let head = |held: Held| Held {
        head: !held.left && farthest[held.packet as usize] == held.edge.node.level,
        ..held
    };
    held.into_iter().map(head).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_router::dilated::Parameters;
    use frit_router::dilated::packets::permutations;

    #[test]
    fn worms_lie_along_their_ways_and_leave_their_edges_in_order() {
        let parameters = Parameters { payload: 4, ..Parameters::new(8, 6, 1) };
        let packets = Packets::new(parameters, &permutations(8, 3, 1)).unwrap();
        let of = |steps| snapshot(&packets, steps);
        assert_eq!((of(0).held.len(), of(0).waiting), (0, 24));
        for steps in 1..=15 {
            let Snapshot { held, .. } = of(steps);
            for packet in 0..24 {
                // Strong switches and bundles large enough: a head gets on by a level every two steps.
                let edges: Vec<&Held> = held.iter().filter(|held| held.packet == packet).collect();
                let levels: Vec<u32> = edges.iter().map(|held| held.edge.node.level).collect();
                let expected: Vec<u32> = (1..=6.min((steps as u32).div_ceil(2))).collect();
                assert_eq!(levels, expected, "packet {packet}, {steps} steps");
                assert!(edges.windows(2).all(|pair| pair[0].left || !pair[1].left));
                assert!(edges.iter().filter(|held| held.head).count() <= 1);
            }
        }
        let last = of(100);
        assert_eq!((last.steps, last.delivered, last.waiting), (15, 24, 0));
        assert!(last.held.iter().all(|held| held.left && !held.head));
        let (mut seen, mut shunts) = (0, 0);
        snapshots(&packets, u64::MAX, |snapshot, now| {
            assert_eq!(snapshot, of(seen));
            assert_eq!(snapshot.arrived.len() as u64, snapshot.delivered);
            seen += 1;
            shunts += now.len();
        });
        // A shunt for each packet and level.
        assert_eq!((seen, shunts), (16, 24 * 6));
        let released =
            Packets::new(Parameters { release: true, ..parameters }, &permutations(8, 3, 1)).unwrap();
        assert_eq!(snapshot(&released, 100).held, []);
    }
}

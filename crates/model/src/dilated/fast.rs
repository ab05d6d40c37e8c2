//! The fast engine, held to the plain one by the same tests: a worm is moved as a whole (`chunk`), and only heads that have
//! just come, or could go on because of something that happened, are looked at.

mod bits;
mod chunk;
mod edges;
mod pass;

use super::blocked::Blocked;
use super::outcome::{DilatedOutcome, Tally};
use super::state::words;
use frit_network::{DilatedButterfly, RowIdx};
use frit_router::dilated::{Mode, Packets, Parameters, Shunt, loads};
use pass::{Arrived, Pass, Start};

/// Whether this engine can run the packets: queues of up to 3 bits, and at most 31 levels.
pub fn can_run(packets: &Packets) -> bool {
    takes(packets.parameters(), packets.network())
}

/// The same for any packets of a network.
pub fn takes(parameters: &Parameters, network: &DilatedButterfly) -> bool {
    parameters.queue <= 3 && network.levels() <= chunk::MAX_LEVELS
}

/// Runs packets until nothing moves, and tells `see` every shunt in its order.
///
/// # Panics
///
/// If it [cannot](can_run).
pub fn run(packets: &Packets, see: impl FnMut(&Shunt)) -> DilatedOutcome {
    run_ticking(packets, see, &mut |_| ())
}

/// The same as [`run`]; `tick` is told the number of each step before it is made.
pub fn run_ticking(packets: &Packets, see: impl FnMut(&Shunt), tick: &mut dyn FnMut(u64)) -> DilatedOutcome {
    assert!(
        can_run(packets),
        "queues of {} bits in {} levels",
        packets.parameters().queue,
        packets.network().levels()
    );
    match packets.parameters().queue {
        1 => passes::<1>(packets, see, tick),
        2 => passes::<2>(packets, see, tick),
        _ => passes::<3>(packets, see, tick),
    }
}

fn passes<const Q: usize>(
    packets: &Packets,
    mut see: impl FnMut(&Shunt),
    tick: &mut dyn FnMut(u64),
) -> DilatedOutcome {
    let parameters = packets.parameters();
    let dimensions = packets.network().dimensions();
    let stride = words(packets);
    let count = packets.packets().len();
    let loads = loads::bundle_loads(packets);
    let levels = packets.network().levels() as usize;
    let mut tally = Tally::new(packets);
    let mut take = |shunt: Shunt| {
        tally.take(&shunt);
        see(&shunt);
    };
    let mut content = vec![0; count * stride];
    for (packet, words) in content.chunks_exact_mut(stride.max(1)).enumerate() {
        whole(packets, packet, words);
    }
    let starts = (0..count).map(|packet| (RowIdx(packets.packets()[packet].source), packet as u32)).collect();
    let start = Start { starts, content, bits: packets.packet_bits(), step: 0, level: 0 };
    let mut end = Pass::<Q>::new(packets, start, &loads[..levels]).run(&mut take, tick);
    let mut blocked: Vec<Blocked> = std::mem::take(&mut end.blocked);
    let (mut waits, mut steps) = (end.waits, end.steps);
    if parameters.mode == Mode::Barrier && parameters.passes() == 2 {
        let starts = again(&end.arrived);
        let bits = packets.packet_bits() - dimensions;
        let start = Start { starts, content: end.received, bits, step: end.rest, level: dimensions };
        end = Pass::<Q>::new(packets, start, &loads[dimensions as usize..]).run(&mut take, tick);
        blocked.append(&mut end.blocked);
        waits += end.waits;
        steps += end.steps;
    }
    let (mut delivered, mut wrong) = (0, Vec::new());
    for (packet, arrived) in end.arrived.iter().enumerate() {
        let Some(Arrived { row, .. }) = *arrived else { continue };
        delivered += 1;
        let payload = packets.payload(packet);
        let received = &end.received[packet * stride..][..payload.len()];
        if row.0 != packets.packets()[packet].destination || received != payload {
            wrong.push(packet as u32);
        }
    }
    let (shunts, digest) = (tally.shunts(), tally.digest());
    DilatedOutcome { steps, delivered, wrong, blocked, shunts, digest, waits }
}

/// The packets (row, packet) that have come out of a pass, row by row, those of a row in the order in which they did.
fn again(arrived: &[Option<Arrived>]) -> Vec<(RowIdx, u32)> {
    let mut found: Vec<(Arrived, u32)> = Vec::new();
    for (packet, arrived) in (0..).zip(arrived) {
        found.extend(arrived.map(|arrived| (arrived, packet)));
    }
    found.sort_unstable();
    found.into_iter().map(|(arrived, packet)| (arrived.row, packet)).collect()
}

/// All bits of a packet, header first.
fn whole(packets: &Packets, packet: usize, words: &mut [u64]) {
    let header = packets.header_bits();
    words.fill(0);
    words[0] = packets.header(packet);
    let (first, shift) = (header as usize / 64, header % 64);
    for (at, &word) in packets.payload(packet).iter().enumerate() {
        words[first + at] |= word << shift;
        if shift > 0 && first + at + 1 < words.len() {
            words[first + at + 1] |= word >> (64 - shift);
        }
    }
}

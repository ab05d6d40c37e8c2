//! How many packets want to pass each bundle: their paths are known before they start.

use super::packets::Packets;
use frit_network::RowIdx;
use frit_network::dilated::Node;

/// Packets per bundle, both passes one behind the other whatever the mode: `loads[pass * n + level][2 * row + x]`.
pub fn bundle_loads(packets: &Packets) -> Vec<Vec<u32>> {
    let network = packets.network();
    let levels = packets.header_bits();
    let mut loads = vec![vec![0; 2 * network.rows() as usize]; levels as usize];
    for (number, packet) in packets.packets().iter().enumerate() {
        let header = packets.header(number);
        let mut row = packet.source;
        for level in 0..levels {
            let x = (header >> level & 1) as u32;
            loads[level as usize][(2 * row + x) as usize] += 1;
            row = network.end(Node { level, row: RowIdx(row) }, x, 0).node.row.0;
        }
    }
    loads
}

/// The largest load of a bundle in each pass.
pub fn largest(packets: &Packets) -> Vec<u32> {
    let dimensions = packets.network().dimensions() as usize;
    let loads = bundle_loads(packets);
    loads.chunks(dimensions).map(|pass| pass.iter().flatten().copied().max().unwrap_or(0)).collect()
}

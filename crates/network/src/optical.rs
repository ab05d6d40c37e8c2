//! The optical butterfly, OBF ("Systolic Routing in an Optical Butterfly", section 2.2).

use crate::Refusal;
use crate::butterfly::bits;
use crate::drawing::Block;
use crate::network::Network;

/// The r-dimensional optical butterfly of `terminals = 2^r` processors, 2 ≤ r ≤ 20: r - 1 stages of `terminals` routers
/// over two lanes per processor.
///
/// Level 0, which is also level r, are the processors; stage `level - 1` holds the routers of levels 1 … r - 1, switch
/// `w` that of row `w`. Lane `2w` is *up* (`out_up` of row w at the inputs, `in_up` at the outputs), lane `2w + 1` is
/// *down*. From level i to i + 1 `out_up` is the straight edge to `in_up` of the same row, `out_down` the cross edge to
/// `in_down` of the row that differs in bit `r - 1 - i`: the first edge flips the most significant bit, as in the
/// paper's example of section 3.1.
pub fn optical_butterfly(terminals: u64) -> Result<Network, Refusal> {
    let r = bits("the optical butterfly", terminals)?;
    let links = (0..r).map(|level| (0..2u32 << r).map(|port| edge(r, level, port)).collect()).collect();
    Network::new("optical-butterfly", terminals as u32, links)
}

/// Where output `port` of `level` leads.
fn edge(r: u32, level: u32, port: u32) -> u32 {
    let (row, down) = (port / 2, port % 2);
    2 * (row ^ down << (r - 1 - level)) + down
}

/// The blocks of an optical butterfly: the smaller ones of which it is built, from the level behind the first `splits` cross edges
/// on; of two of dimension r - 1 for `splits` = 1 (Figure 2), each of which is of two again, and so on.
pub fn blocks(terminals: u32, splits: u32) -> Vec<Block> {
    let r = terminals.ilog2();
    let of = |split: u32| {
        let rows = terminals >> split;
        (0..1 << split).map(move |block: u32| {
            let rows = block * rows..(block + 1) * rows;
            Block { name: format!("block of dimension {}", r - split), rows, stage: split - 1 }
        })
    };
    (1..=splits.min(r - 1)).flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::StageIdx;
    use crate::network::MAX_TERMINALS;

    #[test]
    fn three_dimensions_edge_by_edge() {
        let network = optical_butterfly(8).unwrap();
        assert_eq!((network.lanes(), network.stages(), network.switches_per_stage()), (16, 2, 8));
        // The cross edges flip bit 2, then bit 1, then bit 0; straight edges stay.
        for (column, flip) in [(0, 4), (1, 2), (2, 1)] {
            let link = network.link(StageIdx(column));
            for row in 0..8 {
                assert_eq!(link[2 * row as usize], 2 * row);
                assert_eq!(link[2 * row as usize + 1], 2 * (row ^ flip) + 1);
            }
        }
    }

    #[test]
    fn a_block_is_reached_by_the_first_edges_and_not_left_again() {
        let network = optical_butterfly(16).unwrap();
        let blocks = blocks(16, 9);
        assert_eq!(blocks.len(), 2 + 4 + 8);
        for Block { name, rows, stage } in &blocks {
            assert_eq!(name, &format!("block of dimension {}", rows.len().ilog2()));
            for column in stage + 1..network.stages() {
                let link = network.link(StageIdx(column));
                for port in 2 * rows.start..2 * rows.end {
                    assert!(rows.contains(&(link[port as usize] / 2)), "{name}, column {column}");
                }
            }
            // Into it there are cross edges from outside.
            let into = network.link(StageIdx(*stage));
            assert!(
                (0..32).any(|port| !rows.contains(&(port / 2)) && rows.contains(&(into[port as usize] / 2)))
            );
        }
    }

    #[test]
    fn shapes_are_those_of_the_paper() {
        for r in 2..=14 {
            let network = optical_butterfly(1 << r).unwrap();
            // r 2^r nodes of which 2^r are the processors, r 2^(r+1) edges.
            assert_eq!(network.switches() + (1 << r), (r as u64) << r);
            let edges: usize = network.links().iter().map(Vec::len).sum();
            assert_eq!(edges, (r as usize) << (r + 1));
        }
    }

    #[test]
    fn every_processor_reaches_every_processor_by_one_path() {
        for r in 2..=7u32 {
            let network = optical_butterfly(1 << r).unwrap();
            for source in 0..1u32 << r {
                let mut ports = vec![2 * source, 2 * source + 1];
                for level in 0..r {
                    let link = network.link(StageIdx(level));
                    let arrived = ports.iter().map(|&port| link[port as usize]);
                    ports = if level + 1 == r {
                        arrived.map(|port| port / 2).collect()
                    } else {
                        arrived.flat_map(|port| [port, port ^ 1]).collect()
                    };
                }
                ports.sort_unstable();
                assert_eq!(ports, (0..1 << r).collect::<Vec<_>>(), "from {source}");
            }
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(optical_butterfly(MAX_TERMINALS).unwrap().lanes(), 1 << 21);
        for (given, nearest) in [(2, 4), (12, 16), (1 << 21, 1 << 20)] {
            let error = optical_butterfly(given).unwrap_err();
            assert!(error.to_string().starts_with("the optical butterfly does not exist"), "{error}");
            assert!(error.to_string().ends_with(&format!("the nearest size is {nearest}")), "{error}");
        }
    }
}

//! The generalized cube network (H. J. Siegel and R. J. McMillen, The multistage cube: a versatile interconnection
//! network, 1981).

use crate::Refusal;
use crate::butterfly::bits;
use crate::network::Network;

/// The generalized cube with `terminals = 2^n` inputs, n ≥ 2: n stages on 2^n lines, whose switches join lines that differ
/// in one bit, the most significant at stage 0. Inputs and outputs are the lines.
pub fn generalized_cube(terminals: u64) -> Result<Network, Refusal> {
    let n = bits("the generalized cube", terminals)?;
    let lines = 0..1u32 << n;
    let mut links = vec![lines.clone().map(|line| port(line, n - 1)).collect::<Vec<u32>>()];
    links.extend(
        (0..n - 1).rev().map(|bit| lines.clone().map(|from| port(line(from, bit + 1), bit)).collect()),
    );
    links.push(lines.map(|from| line(from, 0)).collect());
    Network::new("generalized-cube", terminals as u32, links)
}

/// Where a line meets the stage of `bit`: the side is that bit of it, the switch its other bits.
fn port(line: u32, bit: u32) -> u32 {
    let others = line >> (bit + 1) << bit | line & ((1 << bit) - 1);
    2 * others + (line >> bit & 1)
}

/// The line of a port of that stage.
fn line(port: u32, bit: u32) -> u32 {
    let (others, side) = (port / 2, port % 2);
    others >> bit << (bit + 1) | side << bit | others & ((1 << bit) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::StageIdx;

    #[test]
    fn switches_join_lines_that_differ_in_the_bit_of_their_stage() {
        let network = generalized_cube(8).unwrap();
        assert_eq!(network.stages(), 3);
        // Lines 0 and 4 meet in the first switch of stage 0, 1 and 5 in the second; 0 and 2, 0 and 1 in those behind it.
        assert_eq!(network.link(StageIdx(0)), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(network.link(StageIdx(1)), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(network.link(StageIdx(2)), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(network.link(StageIdx(3)), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn the_bits_of_an_output_lead_there_from_every_input() {
        for n in [2u32, 4, 6] {
            let network = generalized_cube(1 << n).unwrap();
            for (input, output) in (0..1u32 << n).flat_map(|i| (0..1u32 << n).map(move |o| (i, o))) {
                let mut at = input;
                for stage in 0..n {
                    let port = network.link(StageIdx(stage))[at as usize];
                    at = port & !1 | output >> (n - 1 - stage) & 1;
                }
                assert_eq!(network.link(StageIdx(n))[at as usize], output);
            }
        }
    }
}

//! The baseline network (C.-L. Wu and T.-Y. Feng, On a class of multistage interconnection networks, 1980).

use crate::Refusal;
use crate::butterfly::bits;
use crate::network::Network;

/// The baseline network with `terminals = 2^n` inputs, n ≥ 2: n stages. Behind stage s the ports of each of its 2^s
/// blocks are unshuffled: the upper outputs of the switches go to the upper half of the block, the lower to the lower.
pub fn baseline(terminals: u64) -> Result<Network, Refusal> {
    let n = bits("the baseline network", terminals)?;
    let lanes = 1u32 << n;
    let identity: Vec<u32> = (0..lanes).collect();
    let mut links = vec![identity.clone()];
    links.extend((0..n - 1).map(|stage| {
        let block = lanes >> stage;
        let unshuffled = |port: u32| port / block * block + (port % block) / 2 + port % 2 * (block / 2);
        identity.iter().map(|&port| unshuffled(port)).collect::<Vec<u32>>()
    }));
    links.push(identity);
    Network::new("baseline", lanes, links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::StageIdx;

    #[test]
    fn upper_outputs_lead_to_the_upper_half_of_their_block() {
        let network = baseline(8).unwrap();
        assert_eq!(network.stages(), 3);
        assert_eq!(network.link(StageIdx(1)), [0, 4, 1, 5, 2, 6, 3, 7]);
        assert_eq!(network.link(StageIdx(2)), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(network.link(StageIdx(3)), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn one_path_joins_every_input_to_every_output() {
        for n in [4, 16, 64] {
            let network = baseline(n).unwrap();
            for input in 0..n as u32 {
                let mut reached = vec![input];
                for stage in 1..=network.stages() {
                    let link = network.link(StageIdx(stage));
                    reached =
                        reached.iter().flat_map(|&p| [link[p as usize], link[p as usize ^ 1]]).collect();
                }
                reached.sort_unstable();
                assert_eq!(reached, (0..n as u32).collect::<Vec<_>>(), "from {input} of {n}");
            }
        }
    }
}

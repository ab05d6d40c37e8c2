//! The certificate that stage control on a general shuffle-exchange network needs every configuration.
//!
//! Theorem 6 of the thesis proves it for N ≥ 2^n + 2^(n-1). Here it is computed for one N at a time: a configuration
//! is *needed* when it is the only one that takes some input to some output.

use crate::stage_control::{Rule, StageControl};
use frit_network::{Network, RoundIdx, StageIdx};

/// What the computation found for one network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Configurations of stage control: 2^(n+1).
    pub configurations: u32,
    /// For each configuration a pair (input, output) that no other one joins, if there is one.
    pub witness: Vec<Option<(u32, u32)>>,
}

impl Certificate {
    /// Whether no configuration can be left out.
    pub fn every_configuration_needed(&self) -> bool {
        self.witness.iter().all(Option::is_some)
    }

    /// How many have a pair of their own.
    pub fn needed(&self) -> usize {
        self.witness.iter().flatten().count()
    }
}

/// Runs every configuration from every input. Time N · 2^(n+1), memory N + 2^(n+1) words.
pub fn stage_control(network: &Network) -> Certificate {
    let stages = network.stages();
    let configurations = 1u32 << stages;
    let rule = StageControl { n: stages - 1, rule: Rule::Counter };
    let mut witness = vec![None; configurations as usize];
    // For one input: the configuration that reached each output, NONE before, MANY when several did.
    const NONE: u32 = u32::MAX;
    const MANY: u32 = u32::MAX - 1;
    let mut by = vec![NONE; network.lanes() as usize];
    for input in 0..network.lanes() {
        by.fill(NONE);
        visit(network, rule, input, |configuration, output| {
            let slot = &mut by[output as usize];
            *slot = if *slot == NONE { configuration } else { MANY };
        });
        for (output, &configuration) in by.iter().enumerate() {
            if configuration < configurations {
                witness[configuration as usize].get_or_insert((input, output as u32));
            }
        }
    }
    Certificate { configurations, witness }
}

/// Calls `found(configuration, output)` for all configurations, sharing the common beginnings of the paths.
fn visit(network: &Network, rule: StageControl, input: u32, mut found: impl FnMut(u32, u32)) {
    let mut ports = vec![input]; // the port reached by each prefix of the control word
    for stage in 0..network.stages() {
        let link = network.link(StageIdx(stage));
        ports = ports
            .iter()
            .flat_map(|&port| {
                let p = link[port as usize];
                [p, p ^ 1]
            })
            .collect();
    }
    let last = network.link(StageIdx(network.stages()));
    for (configuration, &port) in ports.iter().enumerate() {
        debug_assert_eq!(rule.word(RoundIdx(configuration as u32)), configuration as u32);
        found(configuration as u32, last[port as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_network::LaneIdx;
    use frit_network::shuffle_exchange;

    #[test]
    fn tight_for_every_even_size_from_six_to_forty_eight() {
        for terminals in (6..=48).step_by(2) {
            let certificate = stage_control(&shuffle_exchange(terminals).unwrap());
            assert!(certificate.every_configuration_needed(), "N = {terminals}");
        }
    }

    #[test]
    fn every_witness_is_reached_by_its_configuration_alone() {
        let network = shuffle_exchange(22).unwrap();
        let rule = StageControl { n: network.stages() - 1, rule: Rule::Counter };
        let certificate = stage_control(&network);
        for (configuration, pair) in certificate.witness.iter().enumerate() {
            let (input, output) = pair.unwrap();
            let by: Vec<u32> = (0..certificate.configurations)
                .filter(|&x| rule.destination(&network, RoundIdx(x), LaneIdx(input)) == LaneIdx(output))
                .collect();
            assert_eq!(by, [configuration as u32]);
        }
    }

    #[test]
    fn a_configuration_without_a_pair_of_its_own_is_seen() {
        // A third stage of plain wires behind a complete two-stage network: every output is reached twice.
        let two = shuffle_exchange(4).unwrap();
        let mut links = two.links().to_vec();
        links.insert(0, vec![0, 2, 1, 3]);
        let network = Network::new("too-many-stages", 4, links).unwrap();
        let certificate = stage_control(&network);
        assert!(!certificate.every_configuration_needed());
        assert_eq!(certificate.needed(), 0);
    }
}

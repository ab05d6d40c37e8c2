//! Groups of stages: stages without registers between them. Each group is a column of 4×4 switches.

use crate::ids::{StageIdx, SwitchIdx};
use crate::network::Network;
use crate::{Refusal, refuse};
use std::ops::Range;

/// A 4×4 switch: the 2×2 switches of a group of stages whose wires meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quad {
    /// The input ports in the first stage of the group, in increasing order.
    pub inputs: [u32; 4],
    /// The output ports in the last stage of the group, in increasing order.
    pub outputs: [u32; 4],
    /// The two 2×2 switches in each stage of the group, in increasing order.
    pub switches: Vec<[SwitchIdx; 2]>,
}

impl Network {
    /// The same network with groups of `sizes` stages, from the inputs to the outputs. Words pass a group in one step, because only the
    /// last stage of a group has registers. A group of one stage is a column of 2×2 switches; any other group is a column of 4×4 switches.
    ///
    /// # Errors
    ///
    /// If the sizes are not those of all stages, or a group of several stages does not consist of 4×4 switches.
    pub fn grouped(mut self, sizes: Vec<u32>) -> Result<Self, Refusal> {
        let (stages, sum) = (self.stages(), sizes.iter().map(|&size| u64::from(size)).sum::<u64>());
        if sum != u64::from(stages) || sizes.contains(&0) {
            refuse!(
                "the groups have {sum} stages in all, and the network has {stages}; give the number of stages of each group, 1 or more, from the inputs to the outputs"
            );
        }
        self.groups = if sizes.iter().all(|&size| size == 1) { Vec::new() } else { sizes };
        for group in (0..self.groups()).filter(|&group| self.group(group).len() > 1) {
            self.check_group(group)?;
        }
        Ok(self)
    }

    /// Whether some group has several stages.
    pub fn is_grouped(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The stages of each group; none if each stage is a group.
    pub fn group_sizes(&self) -> &[u32] {
        &self.groups
    }

    /// Number of groups: columns of registers that a word passes.
    pub fn groups(&self) -> u32 {
        if self.is_grouped() { self.groups.len() as u32 } else { self.stages() }
    }

    /// The stages of a group.
    pub fn group(&self, group: u32) -> Range<u32> {
        if !self.is_grouped() {
            return group..group + 1;
        }
        let first = self.groups[..group as usize].iter().sum();
        first..first + self.groups[group as usize]
    }

    /// The group of a stage.
    pub fn group_of(&self, stage: StageIdx) -> u32 {
        let mut end = 0;
        let ends_before = |size: &&u32| {
            end += **size;
            end <= stage.0
        };
        if self.is_grouped() { self.groups.iter().take_while(ends_before).count() as u32 } else { stage.0 }
    }

    /// Wires that lead from a register to a switch: those between two groups.
    pub fn wires_between_groups(&self) -> u64 {
        (u64::from(self.groups()) - 1) * u64::from(self.lanes())
    }

    /// The 4×4 switches of a group of several stages, in the order of their first switch.
    pub fn quads(&self, group: u32) -> Vec<Quad> {
        self.find_quads(group).expect("the groups of a network were checked")
    }

    fn check_group(&self, group: u32) -> Result<(), Refusal> {
        let Err((switch, met)) = self.find_quads(group) else { return Ok(()) };
        let stages = self.group(group);
        refuse!(
            "stages {} to {} are one group, but the lanes of switch {} of stage {} form a switch of {met} lanes there; a group of several stages consists of switches of 4 lanes: give other groups",
            stages.start,
            stages.end - 1,
            switch.0,
            stages.start
        );
    }

    /// The 4×4 switches; else the first switch whose lanes do not form one, and how many lanes they form.
    fn find_quads(&self, group: u32) -> Result<Vec<Quad>, (SwitchIdx, u32)> {
        let stages = self.group(group);
        let per_stage = self.switches_per_stage();
        let inner = stages.clone().skip(1).map(StageIdx);
        let wires: Vec<[Vec<u32>; 2]> =
            inner.map(|column| [self.link(column).to_vec(), self.sources(column)]).collect();
        let mut found = vec![false; per_stage as usize];
        let mut quads = Vec::new();
        for first in (0..per_stage).map(SwitchIdx) {
            if found[first.idx()] {
                continue;
            }
            let mut reached = vec![vec![first]];
            reached.resize(stages.len(), Vec::new());
            spread(&wires, &mut reached);
            let lanes = 2 * reached.iter().map(Vec::len).max().unwrap_or(0) as u32;
            let pairs: Option<Vec<[SwitchIdx; 2]>> =
                reached.into_iter().map(|switches| <[SwitchIdx; 2]>::try_from(switches).ok()).collect();
            let switches = pairs.ok_or((first, lanes))?;
            for switch in switches[0] {
                found[switch.idx()] = true;
            }
            let ports = |[one, other]: [SwitchIdx; 2]| {
                let ([a, b], [c, d]) = (Network::switch_ports(one), Network::switch_ports(other));
                [a, b, c, d]
            };
            let (inputs, outputs) = (ports(switches[0]), ports(switches[switches.len() - 1]));
            quads.push(Quad { inputs, outputs, switches });
        }
        Ok(quads)
    }
}

/// Adds the switches that the wires inside a group join to those of `reached`, until none is missing, or there are too many. `wires` are the
/// columns of links inside the group, forward and back.
fn spread(wires: &[[Vec<u32>; 2]], reached: &mut [Vec<SwitchIdx>]) {
    loop {
        let before: usize = reached.iter().map(Vec::len).sum();
        for (at, [forward, back]) in wires.iter().enumerate() {
            join(reached, at, at + 1, forward);
            join(reached, at + 1, at, back);
        }
        let now: usize = reached.iter().map(Vec::len).sum();
        if now == before || reached.iter().any(|switches| switches.len() > 2) {
            return;
        }
    }
}

/// Adds the switches of place `to` to which `wires` lead from those of place `from`.
fn join(reached: &mut [Vec<SwitchIdx>], from: usize, to: usize, wires: &[u32]) {
    let ports = reached[from].iter().flat_map(|&switch| Network::switch_ports(switch));
    let met: Vec<SwitchIdx> = ports.map(|port| SwitchIdx(wires[port as usize] / 2)).collect();
    for switch in met {
        if let Err(place) = reached[to].binary_search(&switch) {
            reached[to].insert(place, switch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{benes, butterfly};

    fn error(sizes: &[u32]) -> String {
        benes(16).unwrap().grouped(sizes.to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn a_group_of_a_benes_network_consists_of_4x4_switches() {
        let network = benes(16).unwrap().grouped(vec![2, 3, 2]).unwrap();
        assert_eq!((network.groups(), network.stages(), network.wires_between_groups()), (3, 7, 32));
        let groups: Vec<u32> = (0..7).map(|stage| network.group_of(StageIdx(stage))).collect();
        assert_eq!(groups, [0, 0, 1, 1, 1, 2, 2]);
        for group in 0..3 {
            let (quads, stages) = (network.quads(group), network.group(group));
            assert_eq!(quads.len(), 4);
            let mut seen = vec![[0; 8]; stages.len()];
            for quad in &quads {
                assert_eq!(quad.switches.len(), stages.len());
                assert_eq!(
                    quad.inputs.map(|port| port / 2)[..],
                    quad.switches[0].map(|s| [s.0; 2]).concat()[..]
                );
                for (seen, pair) in seen.iter_mut().zip(&quad.switches) {
                    pair.iter().for_each(|switch| seen[switch.idx()] += 1);
                }
            }
            assert!(seen.iter().flatten().all(|&times| times == 1), "{quads:?}");
        }
    }

    #[test]
    fn groups_of_one_stage_are_no_groups() {
        let network = benes(8).unwrap();
        let ones = network.clone().grouped(vec![1; 5]).unwrap();
        assert!(ones == network && !ones.is_grouped() && ones.groups() == 5 && ones.group(3) == (3..4));
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        for sizes in [&[2u32, 3][..], &[2, 3, 3], &[2, 0, 3, 2]] {
            assert!(error(sizes).starts_with("the groups have "), "{}", error(sizes));
        }
        assert!(error(&[2, 3]).contains("5 stages in all, and the network has 7"));
    }

    #[test]
    fn switches_of_more_or_fewer_than_four_lanes_are_refused() {
        assert!(error(&[3, 2, 2]).starts_with("stages 0 to 2 are one group"), "{}", error(&[3, 2, 2]));
        assert!(error(&[1, 1, 5]).contains("give other groups"));
        // Two stages that join the same lanes again.
        let wires: Vec<u32> = (0..4).collect();
        let twice = Network::new("twice", 4, vec![wires; 3]).unwrap();
        let text = twice.grouped(vec![2]).unwrap_err().to_string();
        assert!(text.contains("switch 0 of stage 0 form a switch of 2 lanes"), "{text}");
        assert!(butterfly(4).unwrap().grouped(vec![2]).is_ok());
    }
}

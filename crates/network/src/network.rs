//! The network as data: link columns between stages of 2×2 switches.

use crate::ids::{PortIdx, StageIdx, SwitchIdx};
use crate::name::Name;
use crate::{Refusal, refuse};
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// The largest number of terminals a builder takes (2^20).
pub const MAX_TERMINALS: u64 = 1 << 20;

/// The largest number of lanes a network may have: two for each terminal.
pub const MAX_LANES: u64 = 2 * MAX_TERMINALS;

/// The setting of a 2×2 switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SwitchState {
    /// i0 → o0, i1 → o1 (*push* in an optical router).
    #[default]
    Straight,
    /// i0 → o1, i1 → o0 (*invert* in an optical router).
    Cross,
}

impl SwitchState {
    /// The state whose control bit is `bit`: 0 straight, 1 cross.
    pub fn from_bit(bit: bool) -> Self {
        if bit { SwitchState::Cross } else { SwitchState::Straight }
    }

    /// The control bit: 0 straight, 1 cross.
    pub fn bit(self) -> bool {
        self == SwitchState::Cross
    }

    /// The output port (in the same stage) that input port `port` reaches.
    pub fn output_port(self, port: PortIdx) -> PortIdx {
        PortIdx(port.0 ^ self.bit() as u32)
    }
}

/// A multistage network of 2×2 switches: `stages() + 1` link columns, each a permutation of the lanes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Network {
    name: Name,
    terminals: u32,
    lanes: u32,
    links: Vec<Vec<u32>>,
    /// The stages of each group, if some group has several ([`Network::grouped`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) groups: Vec<u32>,
}

impl Network {
    /// Builds a network from its link columns and checks that every port is wired once.
    ///
    /// `links[c][q]` is the port of column `c` (stage `c`, or the output lanes for the last) at which the wire from
    /// output port `q` of stage `c - 1` (from input lane `q` for `c = 0`) ends. `terminals` is the number of
    /// terminals served; it equals the number of lanes unless a terminal owns several.
    pub fn new<N: TryInto<Name, Error: Display>>(
        name: N,
        terminals: u32,
        links: Vec<Vec<u32>>,
    ) -> Result<Self, Refusal> {
        let name = name.try_into().map_err(Refusal::new)?;
        let lanes = links.first().map_or(0, Vec::len);
        let stages = links.len().saturating_sub(1);
        if stages == 0 || lanes < 2 || !lanes.is_multiple_of(2) || lanes as u64 > MAX_LANES {
            refuse!(
                "a network needs an even number of lanes between 2 and {MAX_LANES} and at least one stage, got {lanes} lanes and {stages} stages"
            );
        }
        let network = Network { name, terminals, lanes: lanes as u32, links, groups: Vec::new() };
        network.validate()?;
        Ok(network)
    }

    fn validate(&self) -> Result<(), Refusal> {
        let lanes = self.lanes;
        for (column, wires) in self.links.iter().enumerate() {
            let column = column as u32;
            if wires.len() != lanes as usize {
                refuse!("link column {column} has {} wires, expected one per lane ({lanes})", wires.len());
            }
            let mut seen: Vec<Option<u32>> = vec![None; lanes as usize];
            for (from, &to) in wires.iter().enumerate() {
                let from = from as u32;
                let Some(slot) = seen.get_mut(to as usize) else {
                    refuse!(
                        "link column {column}: the wire from port {from} ends at port {to}, but ports are 0..{lanes}"
                    );
                };
                if let Some(first) = slot.replace(from) {
                    refuse!(
                        "link column {column}: the wires from ports {first} and {from} both end at port {to}"
                    );
                }
            }
        }
        Ok(())
    }

    /// The fabric's name, e.g. `butterfly-butterfly`.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Number of terminals.
    pub fn terminals(&self) -> u32 {
        self.terminals
    }

    /// Number of lanes: wires in each link column.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }

    /// Number of stages of switches.
    pub fn stages(&self) -> u32 {
        self.links.len() as u32 - 1
    }

    /// Switches in each stage.
    pub fn switches_per_stage(&self) -> u32 {
        self.lanes / 2
    }

    /// Switches in all.
    pub fn switches(&self) -> u64 {
        self.stages() as u64 * self.switches_per_stage() as u64
    }

    /// Wires between stages (the columns at the inputs and outputs not counted).
    pub fn wires_between_stages(&self) -> u64 {
        (self.stages() as u64 - 1) * self.lanes as u64
    }

    /// The link column in front of stage `column` (`StageIdx(stages())`: behind the last stage): entry `q` is the
    /// port where the wire from output port `q` of the stage before ends.
    pub fn link(&self, column: StageIdx) -> &[u32] {
        &self.links[column.idx()]
    }

    /// All link columns, from the inputs to the outputs.
    pub fn links(&self) -> &[Vec<u32>] {
        &self.links
    }

    /// The inverse of [`Network::link`]: entry `p` is the output port of the stage before that feeds port `p`.
    pub fn sources(&self, column: StageIdx) -> Vec<u32> {
        let wires = self.link(column);
        let mut sources = vec![0; wires.len()];
        for (from, &to) in wires.iter().enumerate() {
            sources[to as usize] = from as u32;
        }
        sources
    }

    /// The two input ports of a switch.
    pub fn switch_ports(switch: SwitchIdx) -> [u32; 2] {
        [2 * switch.0, 2 * switch.0 + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_wired_twice_is_named() {
        let error = Network::new("x", 4, vec![vec![0, 1, 2, 3], vec![0, 2, 2, 3]]).unwrap_err();
        assert_eq!(error.to_string(), "link column 1: the wires from ports 1 and 2 both end at port 2");
    }

    #[test]
    fn a_port_that_does_not_exist_is_named() {
        let error = Network::new("x", 2, vec![vec![0, 1], vec![0, 5]]).unwrap_err();
        let text = "link column 1: the wire from port 1 ends at port 5, but ports are 0..2";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn columns_of_different_length_are_refused() {
        let error = Network::new("x", 4, vec![vec![0, 1, 2, 3], vec![0, 1]]).unwrap_err();
        assert_eq!(error.to_string(), "link column 1 has 2 wires, expected one per lane (4)");
    }

    #[test]
    fn no_stage_and_odd_lanes_are_refused() {
        let text = |links| Network::new("x", 2, links).unwrap_err().to_string();
        assert!(text(vec![vec![0, 1]]).ends_with("at least one stage, got 2 lanes and 0 stages"));
        assert!(text(vec![vec![0, 1, 2]; 2]).ends_with("got 3 lanes and 1 stages"));
        assert!(text(vec![]).ends_with("got 0 lanes and 0 stages"));
    }
}

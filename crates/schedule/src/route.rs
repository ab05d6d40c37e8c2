//! Routing on the bare network, with no pipeline and no messages: the yardstick for every schedule.

use crate::admissible::Meeting;
use frit_network::{LaneIdx, Network, RoundIdx, StageIdx, SwitchIdx, SwitchState};

/// One round, routed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routed {
    /// `destinations[lane]`: the output lane that input `lane` reaches.
    pub destinations: Vec<u32>,
    /// `states[stage][switch]`; where a network is passed twice, the stages of the unrolled one.
    pub states: Vec<Vec<SwitchState>>,
}

/// Two inputs that want the same output of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The round.
    pub round: RoundIdx,
    /// The stage.
    pub stage: StageIdx,
    /// The switch.
    pub switch: SwitchIdx,
    /// The input lanes (of the network) whose messages met.
    pub inputs: [LaneIdx; 2],
    /// The side that both want: 0 or 1.
    pub wanted: u32,
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "round {}, stage {}, switch {}: inputs {} and {} both want output {}",
            self.round, self.stage.0, self.switch.0, self.inputs[0], self.inputs[1], self.wanted
        )
    }
}

/// Self-routing: `bit(lane, stage)` is the label bit that the message from input `lane` shows at `stage`.
pub fn route_labels(
    network: &Network,
    round: RoundIdx,
    bit: impl Fn(LaneIdx, StageIdx) -> bool,
) -> Result<Routed, Conflict> {
    let mut states = Vec::with_capacity(network.stages() as usize);
    let mut at: Vec<u32> = (0..network.lanes()).collect(); // at[port] = the input lane whose message is there
    for stage in (0..network.stages()).map(StageIdx) {
        at = through(network.link(stage), &at);
        let mut row = Vec::with_capacity(at.len() / 2);
        for (switch, pair) in at.chunks_exact_mut(2).enumerate() {
            let [low, high] = [pair[0], pair[1]].map(|lane| bit(LaneIdx(lane), stage));
            if low == high {
                return Err(Conflict {
                    round,
                    stage,
                    switch: SwitchIdx(switch as u32),
                    inputs: [pair[0], pair[1]].map(LaneIdx),
                    wanted: low as u32,
                });
            }
            if low {
                pair.swap(0, 1);
            }
            row.push(SwitchState::from_bit(low));
        }
        states.push(row);
    }
    Ok(Routed { destinations: destinations(network, &at), states })
}

/// Self-routing in which nothing stops: where messages meet they go on together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced {
    /// `carried[hop][port]`: the input lanes whose messages are on the wire behind output `port` of the stage before `hop` (on input
    /// lane `port` for hop 0).
    pub carried: Vec<Vec<Vec<u32>>>,
}

impl Forced {
    /// The outputs of switches that several messages take, in the order of stages, switches and outputs.
    pub fn meetings(&self) -> Vec<Meeting> {
        let stage = |(stage, ports): (u32, &Vec<Vec<u32>>)| {
            let met = (0..).zip(ports.clone()).filter(|(_, lanes)| lanes.len() > 1);
            met.map(move |(port, inputs): (u32, _)| Meeting {
                stage: StageIdx(stage),
                switch: SwitchIdx(port / 2),
                wanted: port % 2,
                inputs,
            })
            .collect::<Vec<_>>()
        };
        (0..).zip(&self.carried[1..]).flat_map(stage).collect()
    }
}

/// Self-routing of whatever labels, also of those that conflict; `bit` as of [`route_labels`].
pub fn forced(network: &Network, bit: impl Fn(LaneIdx, StageIdx) -> bool) -> Forced {
    let mut carried: Vec<Vec<Vec<u32>>> = vec![(0..network.lanes()).map(|lane| vec![lane]).collect()];
    for stage in (0..network.stages()).map(StageIdx) {
        let mut outputs = vec![vec![]; network.lanes() as usize];
        for (lanes, &input) in carried[stage.idx()].iter().zip(network.link(stage)) {
            for &lane in lanes {
                outputs[(input & !1 | u32::from(bit(LaneIdx(lane), stage))) as usize].push(lane);
            }
        }
        outputs.iter_mut().for_each(|lanes| lanes.sort_unstable());
        carried.push(outputs);
    }
    Forced { carried }
}

/// Routing with given switch states.
pub fn route_states(network: &Network, state: impl Fn(StageIdx, SwitchIdx) -> SwitchState) -> Routed {
    route_turns(network, |_| None, state)
}

/// Routing with all states given, `[stage][switch]`.
pub fn route_settings(network: &Network, settings: &[Vec<SwitchState>]) -> Routed {
    route_states(network, |stage, switch| settings[stage.idx()][switch.idx()])
}

/// The same where a stage for which `turn` gives a number turns all lanes by as many, upwards, if its switches are crossed.
pub fn route_turns(
    network: &Network,
    turn: impl Fn(StageIdx) -> Option<u32>,
    state: impl Fn(StageIdx, SwitchIdx) -> SwitchState,
) -> Routed {
    let mut states = Vec::with_capacity(network.stages() as usize);
    let mut at: Vec<u32> = (0..network.lanes()).collect();
    for stage in (0..network.stages()).map(StageIdx) {
        at = through(network.link(stage), &at);
        let mut row = Vec::with_capacity(at.len() / 2);
        let turned = turn(stage);
        match turned {
            Some(by) if state(stage, SwitchIdx(0)) == SwitchState::Cross => at.rotate_right(by as usize),
            _ => {}
        }
        for (switch, pair) in at.chunks_exact_mut(2).enumerate() {
            let set = state(stage, SwitchIdx(switch as u32));
            if set == SwitchState::Cross && turned.is_none() {
                pair.swap(0, 1);
            }
            row.push(set);
        }
        states.push(row);
    }
    Routed { destinations: destinations(network, &at), states }
}

/// What the wires of a link column bring to the ports behind it.
pub(crate) fn through(link: &[u32], at: &[u32]) -> Vec<u32> {
    let mut next = vec![0; at.len()];
    for (from, &to) in link.iter().enumerate() {
        next[to as usize] = at[from];
    }
    next
}

fn destinations(network: &Network, at: &[u32]) -> Vec<u32> {
    let at = through(network.link(StageIdx(network.stages())), at);
    let mut destinations = vec![0; at.len()];
    for (output, &lane) in at.iter().enumerate() {
        destinations[lane as usize] = output as u32;
    }
    destinations
}

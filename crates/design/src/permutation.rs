//! A permutation on one Butterfly, by conflict windows and by routing it.

use frit_network::drawing::{Act, Message, Scene, Words, layout, to_svg};
use frit_network::{LaneIdx, Network, PortIdx, Refusal, RoundIdx, StageIdx, butterfly};
use frit_schedule::admissible::{self, Meeting};
use frit_schedule::route::{forced, route_labels};
use serde_json::{Value, json};

/// More can be drawn, and not be seen.
pub const MAX_DRAWN: usize = 1024;

/// A permutation that has been routed on a Butterfly.
pub struct Checked {
    permutation: Vec<u32>,
    network: Network,
    /// Where messages meet; nowhere if the Butterfly routes it.
    pub meetings: Vec<Meeting>,
}

/// Routes a permutation, and tests it by its windows.
///
/// # Errors
/// If its number of terminals is no power of two, or is less than 4.
///
/// # Panics
/// If the two tests disagree.
pub fn check(permutation: Vec<u32>) -> Result<Checked, Refusal> {
    let meetings = admissible::windows(&permutation)?;
    let network = butterfly(permutation.len() as u64)?;
    let checked = Checked { permutation, network, meetings };
    let by_routing =
        route_labels(&checked.network, RoundIdx(0), |lane, stage| checked.bit(lane, stage)).err();
    let by_routing = by_routing.map(|conflict| (conflict.stage, conflict.switch));
    let by_windows = checked.meetings.first().map(|first| (first.stage, first.switch));
    assert_eq!(by_windows, by_routing, "conflict windows and routing must agree");
    Ok(checked)
}

impl Checked {
    pub fn terminals(&self) -> usize {
        self.permutation.len()
    }

    fn bit(&self, lane: LaneIdx, stage: StageIdx) -> bool {
        self.permutation[lane.idx()] >> (self.network.stages() - 1 - stage.0) & 1 == 1
    }

    /// The members of the report in JSON.
    pub fn json(&self) -> Value {
        let meeting = |m: &Meeting| {
            json!({
                "stage": m.stage, "switch": m.switch, "inputs": m.inputs, "wanted": m.wanted,
                "window": m.stage.0 + 1,
            })
        };
        let all: Vec<Value> = self.meetings.iter().map(meeting).collect();
        json!({
            "terminals": self.permutation.len(), "admissible": self.meetings.is_empty(),
            "first_conflict": all.first(), "conflicts": all,
        })
    }

    /// The messages on their way through the network, where they meet together and in red, as in Figure 3 of "Realizing the right Latin
    /// square on the Butterfly-Butterfly" (SVG).
    pub fn draw(&self) -> String {
        let (network, permutation) = (&self.network, &self.permutation);
        let bit = |lane, stage| self.bit(lane, stage);
        let stages = network.stages() as usize;
        let forced = forced(network, bit);
        let layout = layout(network);
        let meetings = forced.meetings();
        let title = format!(
            "a permutation of {} terminals on the Butterfly, {} conflicts",
            permutation.len(),
            meetings.len()
        );
        let mut scene = Scene::new(title, Words::ELECTRONIC, network, &layout);
        for (hop, ports) in (0..).zip(&forced.carried) {
            for (port, lanes) in (0..).zip(ports) {
                scene.messages.extend(lanes.iter().map(|&lane| {
                    let left =
                        format!("{:0stages$b}", permutation[lane as usize])[hop as usize..].to_string();
                    (Message { lane: LaneIdx(lane), hop, port: PortIdx(port), left }, false)
                }));
            }
        }
        let row = |(stage, ports): (u32, &Vec<Vec<u32>>)| {
            let mut acts = vec![[[false; 2]; 2]; network.switches_per_stage() as usize];
            for (lanes, &input) in ports.iter().zip(network.link(StageIdx(stage))) {
                for &lane in lanes {
                    acts[input as usize / 2][input as usize % 2]
                        [usize::from(bit(LaneIdx(lane), StageIdx(stage)))] = true;
                }
            }
            let met = |switch: u32| meetings.iter().any(|m| (m.stage.0, m.switch.0) == (stage, switch));
            (0..).zip(acts).map(|(switch, ways)| Act::Forced { ways, contested: met(switch) }).collect()
        };
        scene.acts = Some((0..).zip(&forced.carried[..stages]).map(row).collect());
        scene.notes.push(
            "red: a switch where several messages want the same output, and the wire behind that output"
                .into(),
        );
        to_svg(&[scene])
    }
}

pub fn in_words(meeting: &Meeting) -> String {
    let Meeting { stage, switch, wanted, inputs } = meeting;
    let inputs: Vec<String> = inputs.iter().map(u32::to_string).collect();
    let (last, others) = inputs.split_last().expect("two meet");
    let all = if others.len() == 1 { "both" } else { "all" };
    format!(
        "at stage {}, switch {}, inputs {} and {last} {all} want output {wanted} (window {})",
        stage.0,
        switch.0,
        others.join(", "),
        stage.0 + 1
    )
}

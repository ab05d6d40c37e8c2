//! The groups of stages of a network, for the lemmas of contracts.

use frit_network::{Network, StageIdx, SwitchIdx};
use serde::Serialize;
use std::fmt::Write;

/// A group of stages.
#[derive(Serialize)]
pub(crate) struct Group {
    pub number: u32,
    /// Its last stage, which has the registers.
    pub last: u32,
    /// Whether it consists of 4×4 switches.
    pub quads: bool,
}

pub(crate) fn groups(network: &Network) -> Vec<Group> {
    let of = |number| {
        let stages = network.group(number);
        Group { number, last: stages.end - 1, quads: stages.len() > 1 }
    };
    (0..network.groups()).map(of).collect()
}

/// For each group of 4×4 switches `number_S`, with its last stage S: of each port behind it the number of the input that its states select.
/// `state` is the text of the bit that sets a switch. `numbers_wrong` rises if two outputs of a 4×4 switch have stored the same number.
/// Nothing if there is no such group.
pub(crate) fn numbers(network: &Network, state: impl Fn(StageIdx, SwitchIdx) -> String) -> String {
    let (mut text, n) = (String::from("  wire numbers_wrong = 1'b0"), network.lanes());
    for group in groups(network).iter().filter(|group| group.quads) {
        for quad in network.quads(group.number) {
            let of = |port: u32| format!("select_{}[{} +: 2]", group.last, 2 * port);
            for (at, &port) in quad.outputs.iter().enumerate() {
                for &other in &quad.outputs[..at] {
                    let _ = write!(text, "\n    | ({} == {})", of(other), of(port));
                }
            }
        }
    }
    text += ";\n";
    for group in groups(network).iter().filter(|group| group.quads) {
        let mut before = vec![String::new(); n as usize];
        for quad in network.quads(group.number) {
            quad.inputs
                .iter()
                .zip(0..)
                .for_each(|(&port, number)| before[port as usize] = format!("2'd{number}"));
        }
        let stages = network.group(group.number);
        for stage in stages.clone() {
            if stage > stages.start {
                let from = |source: &u32| format!("number_{}[{} +: 2]", stage - 1, 2 * source);
                before = network.sources(StageIdx(stage)).iter().map(from).collect();
            }
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  wire [{}:0] number_{stage};", 2 * n - 1);
            for port in 0..n {
                let bit = state(StageIdx(stage), SwitchIdx(port / 2));
                let (own, other) = (&before[port as usize], &before[port as usize ^ 1]);
                let _ =
                    writeln!(text, "  assign number_{stage}[{} +: 2] = {bit} ? {other} : {own};", 2 * port);
            }
        }
    }
    if network.is_grouped() { text } else { String::new() }
}

/// The registers of what the states of a group select.
pub(crate) fn selects(network: &Network, group: &Group) -> Vec<String> {
    let path = |port| format!("u_s{}_select_{port}.control_q", group.last);
    (0..network.lanes()).map(path).collect()
}

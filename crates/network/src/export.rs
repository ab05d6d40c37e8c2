//! Networks as JSON (the format that is also read back) and as Graphviz DOT; [`crate::drawing`] draws them in SVG.

use crate::Refusal;
use crate::file::{check_format, parse};
use crate::ids::{PortIdx, StageIdx};
use crate::name::Name;
use crate::network::{Network, SwitchState};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The states of all switches in one round: `states[stage][switch]`.
pub type States = [Vec<SwitchState>];

/// The `format` member of a network file.
pub const FORMAT: &str = "fritillary-network-1";

#[derive(Serialize, Deserialize)]
struct NetworkFile {
    format: String,
    name: Name,
    terminals: u32,
    links: Vec<Vec<u32>>,
    #[serde(default)]
    groups: Option<Vec<u32>>,
}

/// The network as JSON: `{"format", "name", "terminals", "links": [[port, …], …]}`, one line per link column, and `"groups": [stages, …]`
/// before the links if some group has several stages.
pub fn to_json(network: &Network) -> String {
    let mut json = String::with_capacity(json_bytes(network) as usize);
    let name = serde_json::Value::from(network.name().as_str());
    let _ = write!(
        json,
        "{{\n  \"format\": \"{FORMAT}\",\n  \"name\": {name},\n  \"terminals\": {},\n",
        network.terminals()
    );
    if network.is_grouped() {
        let _ = writeln!(json, "  \"groups\": {:?},", network.group_sizes());
    }
    json.push_str("  \"links\": [");
    for (number, column) in network.links().iter().enumerate() {
        json.push_str(if number == 0 { "\n    [" } else { ",\n    [" });
        for (place, to) in column.iter().enumerate() {
            let _ = write!(json, "{}{to}", if place == 0 { "" } else { ", " });
        }
        json.push(']');
    }
    json.push_str("\n  ]\n}\n");
    json
}

/// The most bytes that [`to_json`] gives.
pub fn json_bytes(network: &Network) -> u64 {
    let digits = u64::from(network.lanes().ilog10()) + 1;
    let column = 8 + u64::from(network.lanes()) * (digits + 2);
    300 + 12 * network.group_sizes().len() as u64 + network.links().len() as u64 * column
}

/// Reads a network written by [`to_json`] or by hand.
pub fn from_json(text: &str) -> Result<Network, Refusal> {
    let file: NetworkFile = parse("a network file", text, "format, name, terminals and links")?;
    check_format("the network file", &file.format, FORMAT)?;
    let network = Network::new(file.name, file.terminals, file.links)?;
    match file.groups {
        Some(sizes) => network.grouped(sizes),
        None => Ok(network),
    }
}

/// The network in Graphviz DOT: a rank per stage, record nodes with their two input and output ports; with the states of a round, if
/// they are given: `=` and `x`, the latter in another colour.
pub fn to_dot(network: &Network, states: Option<&States>) -> String {
    let mut dot = String::new();
    let lanes = network.lanes();
    let stages = network.stages();
    // Writing to a String cannot fail, so the results of write! are dropped here and below.
    let _ = writeln!(dot, "digraph \"{}\" {{", network.name());
    dot.push_str(
        "  rankdir=LR; node [shape=record, fontname=\"Helvetica\", fontsize=10]; edge [arrowsize=0.5];\n",
    );
    for lane in 0..lanes {
        let _ = writeln!(dot, "  in{lane} [shape=plaintext, label=\"{lane}\"];");
        let _ = writeln!(dot, "  out{lane} [shape=plaintext, label=\"{lane}\"];");
    }
    for stage in 0..stages {
        let _ = writeln!(dot, "  subgraph stage{stage} {{ rank=same;");
        for switch in 0..network.switches_per_stage() {
            let state = states.map(|s| s[stage as usize][switch as usize]);
            let (mark, fill) = match state {
                None => ("", ""),
                Some(SwitchState::Straight) => ("=", ""),
                Some(SwitchState::Cross) => ("x", ", style=filled, fillcolor=\"#f6c9a8\""),
            };
            let _ = writeln!(
                dot,
                "    s{stage}_{switch} [label=\"{{{{<i0>|<i1>}}|{stage}.{switch} {mark}|{{<o0>|<o1>}}}}\"{fill}];"
            );
        }
        dot.push_str("  }\n");
    }
    for column in 0..=stages {
        for (from, &to) in network.link(StageIdx(column)).iter().enumerate() {
            let from = from as u32;
            let tail = if column == 0 {
                format!("in{from}")
            } else {
                dot_port(column - 1, PortIdx(from), 'o') + ":e"
            };
            let head =
                if column == stages { format!("out{to}") } else { dot_port(column, PortIdx(to), 'i') + ":w" };
            let _ = writeln!(dot, "  {tail} -> {head};");
        }
    }
    dot.push_str("}\n");
    dot
}

fn dot_port(stage: u32, port: PortIdx, side: char) -> String {
    format!("s{stage}_{}:{side}{}", port.0 / 2, port.0 % 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{benes_radix4, butterfly, butterfly_butterfly, shuffle_exchange};

    #[test]
    fn json_is_read_back() {
        for network in [
            butterfly(8).unwrap(),
            butterfly_butterfly(4).unwrap(),
            shuffle_exchange(10).unwrap(),
            benes_radix4(16).unwrap(),
        ] {
            assert_eq!(from_json(&to_json(&network)).unwrap(), network);
        }
    }

    #[test]
    fn broken_json_says_what_is_wrong() {
        let wrong = to_json(&butterfly(4).unwrap()).replace(FORMAT, "something-2");
        assert!(from_json(&wrong).unwrap_err().to_string().contains("something-2"));
        assert!(from_json("{}").unwrap_err().to_string().contains("missing field"));
        let evil = to_json(&butterfly(4).unwrap()).replace("\"butterfly\"", "\"a\\nmodule pwn;\"");
        let text = from_json(&evil).unwrap_err().to_string();
        assert!(
            text.contains("the name \"a\\nmodule pwn;\" is not allowed") && text.contains("line 3"),
            "{text}"
        );
        let twice = to_json(&butterfly(4).unwrap()).replace("0, 1, 2, 3", "0, 1, 1, 3");
        assert!(from_json(&twice).unwrap_err().to_string().contains("both end at port 1"));
    }

    #[test]
    fn the_graph_has_every_wire_and_state() {
        let mut states = vec![vec![SwitchState::Straight; 4]; 3];
        states[1][2] = SwitchState::Cross;
        let dot = to_dot(&butterfly(8).unwrap(), Some(&states));
        assert_eq!(dot.matches(" -> ").count(), 4 * 8);
        assert_eq!(dot.matches("fillcolor").count(), 1);
    }
}

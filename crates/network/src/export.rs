//! Networks as JSON (the format that is also read back), Graphviz DOT, and a drawing in SVG.
//!
//! Both drawings take the switch states of one round, if given: straight switches show two parallel wires, cross
//! switches two crossed ones in another colour.

use crate::ids::StageIdx;
use crate::name::{Name, beginning, ends};
use crate::network::{Network, NetworkError, SwitchState};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The states of all switches in one round: `states[stage][switch]`.
pub type States = [Vec<SwitchState>];

/// The `format` member of a network file.
pub const FORMAT: &str = "fritillary-network-1";

/// What can be wrong with a network file.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// Not JSON, or members are missing or of the wrong type.
    #[error("not a network file: {0}; it needs the members format, name, terminals and links")]
    Json(String),
    /// Another format.
    #[error("the network file says format {given:?}, this version reads {FORMAT:?}")]
    Format {
        /// What the file says.
        given: String,
    },
    /// The tables are not a network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl From<serde_json::Error> for ParseError {
    /// Its text may quote all of the file.
    fn from(error: serde_json::Error) -> Self {
        ParseError::Json(ends(&error.to_string()))
    }
}

#[derive(Serialize, Deserialize)]
struct NetworkFile {
    format: String,
    name: Name,
    terminals: u32,
    links: Vec<Vec<u32>>,
}

/// The network as JSON: `{"format", "name", "terminals", "links": [[port, …], …]}`, one line per link column.
pub fn to_json(network: &Network) -> String {
    let mut json = String::with_capacity(json_bytes(network) as usize);
    let name = serde_json::Value::from(network.name().as_str());
    let _ = write!(
        json,
        "{{\n  \"format\": \"{FORMAT}\",\n  \"name\": {name},\n  \"terminals\": {},\n  \"links\": [",
        network.terminals()
    );
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
    300 + network.links().len() as u64 * column
}

/// Reads a network written by [`to_json`] or by hand.
pub fn from_json(text: &str) -> Result<Network, ParseError> {
    let file: NetworkFile = serde_json::from_str(text)?;
    if file.format != FORMAT {
        return Err(ParseError::Format { given: beginning(&file.format) });
    }
    Ok(Network::new(file.name, file.terminals, file.links)?)
}

/// The network in Graphviz DOT: a rank per stage, record nodes with their two input and output ports.
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
            let tail = if column == 0 { format!("in{from}") } else { dot_port(column - 1, from, 'o') + ":e" };
            let head = if column == stages { format!("out{to}") } else { dot_port(column, to, 'i') + ":w" };
            let _ = writeln!(dot, "  {tail} -> {head};");
        }
    }
    dot.push_str("}\n");
    dot
}

fn dot_port(stage: u32, port: u32, side: char) -> String {
    format!("s{stage}_{}:{side}{}", port / 2, port % 2)
}

const STAGE_GAP: u32 = 110;
/// Room for a label on a wire.
const LABEL_GAP: u32 = 56;
const LANE_GAP: u32 = 26;
const BOX_WIDTH: u32 = 40;
const MARGIN: u32 = 48;

/// What a drawing shows beside the network.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The line above it.
    pub title: &'a str,
    /// The switch states of a round, drawn into the switches.
    pub states: Option<&'a States>,
    /// The messages of that round on their wires: for every lane a bit per stage, of which each wire shows those that are
    /// left, or nothing. Each wire has the colour and the number of the lane whose message it carries.
    pub labels: Option<&'a [String]>,
}

/// Colours that are told apart on white, also by the colour-blind.
pub const SOURCES: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#a6327a", "#8a6d00", "#3f8fc4", "#5a4fa0", "#7a3b00"];

/// The network as a self-contained SVG drawing, stages from left to right.
pub fn to_svg(network: &Network, drawing: &Drawing) -> String {
    let Drawing { title, states, labels } = *drawing;
    let (lanes, stages) = (network.lanes(), network.stages());
    let moving = states.zip(labels);
    let stage_gap = if moving.is_some() { STAGE_GAP + LABEL_GAP } else { STAGE_GAP };
    let width = 2 * MARGIN + (stages + 1) * stage_gap;
    let height = 2 * MARGIN + lanes * LANE_GAP;
    let y = |port: u32| MARGIN + 8 + port * LANE_GAP + LANE_GAP / 2;
    let left = |stage: u32| MARGIN + (stage + 1) * stage_gap - BOX_WIDTH / 2;
    // carried[port] = the lane whose message the wire from this port carries.
    let mut carried: Vec<u32> = (0..lanes).collect();
    let mut tags = String::new();
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\">"
    );
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>");
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"24\" font-size=\"15\">{}</text>", escape(title));
    svg.push_str("<g fill=\"none\" stroke=\"#8a8f98\" stroke-width=\"1.1\">\n");
    for column in 0..=stages {
        let x0 = if column == 0 { MARGIN + 18 } else { left(column - 1) + BOX_WIDTH };
        let x1 = if column == stages { width - MARGIN - 18 } else { left(column) };
        for (from, &to) in network.link(StageIdx(column)).iter().enumerate() {
            let (y0, y1) = (y(from as u32), y(to));
            let mut colour = String::new();
            if let Some((_, labels)) = moving {
                let lane = carried[from] as usize;
                let own = SOURCES[lane % SOURCES.len()];
                colour = format!(" stroke=\"{own}\" stroke-width=\"1.6\"");
                let left_over = labels[lane].get(column as usize..).unwrap_or("");
                let _ = writeln!(
                    tags,
                    "<text x=\"{}\" y=\"{}\" fill=\"{own}\"><tspan font-weight=\"bold\">{lane}</tspan> {left_over}</text>",
                    x0 + 5,
                    y0 - 3
                );
            }
            let _ = writeln!(svg, "<line x1=\"{x0}\" y1=\"{y0}\" x2=\"{x1}\" y2=\"{y1}\"{colour}/>");
        }
        if let Some(row) = states.filter(|_| column < stages).map(|states| &states[column as usize]) {
            carried = behind(network, column, row, &carried);
        }
    }
    svg.push_str("</g>\n");
    if !tags.is_empty() {
        let _ = writeln!(
            svg,
            "<g font-size=\"10\" font-family=\"Menlo, Consolas, monospace\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">\n{tags}</g>"
        );
    }
    for stage in 0..stages {
        let x = left(stage);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555b66\">stage {stage}</text>",
            x + BOX_WIDTH / 2,
            MARGIN
        );
        for switch in 0..network.switches_per_stage() {
            let state = states.map(|s| s[stage as usize][switch as usize]);
            svg_switch(&mut svg, x, y(2 * switch), state);
        }
    }
    for lane in 0..lanes {
        let ty = y(lane) + 4;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{ty}\" text-anchor=\"end\">{lane}</text>", MARGIN + 14);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{ty}\">{lane}</text>", width - MARGIN - 14);
    }
    if states.is_some() {
        let messages = if moving.is_some() {
            " &#160; on a wire: who sent the message, and what is left of its label"
        } else {
            ""
        };
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#555b66\">white: straight &#160; orange: cross{messages}</text>",
            height - 14
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// What the output ports of a stage carry if `carried` is what those of the stage before do.
fn behind(network: &Network, stage: u32, states: &[SwitchState], carried: &[u32]) -> Vec<u32> {
    let mut outputs = vec![0; carried.len()];
    for (&lane, &port) in carried.iter().zip(network.link(StageIdx(stage))) {
        outputs[states[port as usize / 2].output_port(port) as usize] = lane;
    }
    outputs
}

fn svg_switch(svg: &mut String, x: u32, y: u32, state: Option<SwitchState>) {
    let cross = state == Some(SwitchState::Cross);
    let fill = if cross { "#f6c9a8" } else { "#ffffff" };
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{}\" width=\"{BOX_WIDTH}\" height=\"{}\" rx=\"3\" fill=\"{fill}\" stroke=\"#30343b\"/>",
        y - 9,
        LANE_GAP + 18
    );
    let (Some(_), right) = (state, x + BOX_WIDTH) else { return };
    let (low, high) = (y, y + LANE_GAP);
    let (end0, end1) = if cross { (high, low) } else { (low, high) };
    for (start, end) in [(low, end0), (high, end1)] {
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{start}\" x2=\"{right}\" y2=\"{end}\" stroke=\"#b5482a\" stroke-width=\"1.6\"/>"
        );
    }
}

/// Text of an element or an attribute of XML or HTML. XML has no control characters at all, so they become what stands for an unknown one.
pub fn escape(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control(), "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{butterfly, butterfly_butterfly, shuffle_exchange};

    #[test]
    fn json_is_read_back() {
        for network in [butterfly(8).unwrap(), butterfly_butterfly(4).unwrap(), shuffle_exchange(10).unwrap()]
        {
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
    fn drawings_show_every_switch_wire_and_state() {
        let network = butterfly(8).unwrap();
        let mut states = vec![vec![SwitchState::Straight; 4]; 3];
        states[1][2] = SwitchState::Cross;
        let drawing = Drawing { title: "round <1>\u{1b}", states: Some(&states), labels: None };
        let svg = to_svg(&network, &drawing);
        assert_eq!(svg.matches("<rect ").count(), 1 + 12);
        assert_eq!(svg.matches("stroke-width=\"1.6\"").count(), 24);
        assert_eq!(svg.matches("#f6c9a8").count(), 1);
        assert!(svg.contains("round &lt;1&gt;\u{fffd}<"));
        let labels: Vec<String> = (0..8).map(|lane| format!("{lane:03b}")).collect();
        let svg = to_svg(&network, &Drawing { labels: Some(&labels), ..drawing });
        // Lane 6 meets the crossed switch: behind it, it is where lane 2 would be, with one bit left.
        assert_eq!(svg.matches(">6</tspan> 110<").count(), 1);
        assert_eq!(svg.matches(">6</tspan> 0<").count(), 1);
        assert_eq!(svg.matches("</tspan> <").count(), 8);
        let dot = to_dot(&network, Some(&states));
        assert_eq!(dot.matches(" -> ").count(), 4 * 8);
        assert_eq!(dot.matches("fillcolor").count(), 1);
    }
}

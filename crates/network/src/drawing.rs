//! Networks of planned systems as drawings in SVG that need nothing else: stages from left to right, lanes from top to bottom; with
//! the states of switches and with messages on the wires, if there are some.
//!
//! A [`Scene`] says what is seen; [`to_svg`] draws one, or several below each other.

mod layout;
mod looks;
mod parts;
mod words;

pub use layout::Layout;

pub use looks::{GROUND_DARK, Look, SOURCES, SOURCES_DARK, WRONG, WRONG_DARK, ink_on, look};
pub use parts::states;
pub use words::Words;

use crate::ids::{LaneIdx, PortIdx, StageIdx};
use crate::network::{Network, SwitchState};
use std::fmt::Write;
use std::ops::Range;

/// What a switch does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Nothing is known of it, or it does not act.
    Idle,
    /// It is set.
    Set(SwitchState),
    /// No state lets all its messages through; `ways[input][output]` says which ways they want, `contested` that several want one
    /// output.
    Forced {
        /// Which ways are wanted.
        ways: [[bool; 2]; 2],
        /// Several messages want one output.
        contested: bool,
    },
}

/// A message on the wire behind an output port of the hop before `hop` (an input lane for hop 0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The lane that it was sent from.
    pub lane: LaneIdx,
    /// The hop that the wire leads to.
    pub hop: u32,
    /// The port that the wire leaves.
    pub port: PortIdx,
    /// What is left of its label there.
    pub left: String,
}

/// How messages are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The wires that they take, coloured, with their labels.
    Ways,
    /// A disc each, on its wire.
    Discs,
}

/// Rows of switches that are a network of their own, from a stage on to the outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is called.
    pub name: String,
    /// Its rows of switches.
    pub rows: Range<u32>,
    /// Its first stage.
    pub stage: u32,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The line above it.
    pub title: String,
    /// The system's words.
    pub words: Words,
    /// Where the switches and wires are.
    pub layout: &'a Layout,
    /// Links of every hop, `columns[hop][port]`, as of [`Network::links`].
    pub columns: &'a [Vec<u32>],
    /// The stage of the layout that each hop passes.
    pub stage_of: Vec<u32>,
    /// The hop whose links lead back to the inputs, if messages pass twice.
    pub second_pass: Option<u32>,
    /// The column of the layout from which on the stages are seen once more, of a second pass that is drawn behind the first.
    pub again: Option<u32>,
    /// Lanes that each terminal owns.
    pub lanes_per_terminal: u32,
    /// `acts[stage][switch]`; without them the switches are empty boxes.
    pub acts: Option<Vec<Vec<Act>>>,
    /// Switches that are stuck, (stage, switch) of the layout.
    pub stuck: Vec<(u32, u32)>,
    /// The messages that are seen; whether each waits in a register rather than moves, of which a disc's place tells.
    pub messages: Vec<(Message, bool)>,
    /// How.
    pub shown: Shown,
    /// Networks within the network.
    pub blocks: Vec<Block>,
    /// Lines below it.
    pub notes: Vec<String>,
}

impl<'a> Scene<'a> {
    /// A network by itself, each of its stages passed once.
    pub fn new(title: String, words: Words, network: &'a Network, layout: &'a Layout) -> Self {
        Scene {
            title,
            words,
            layout,
            columns: network.links(),
            stage_of: (0..network.stages()).collect(),
            second_pass: None,
            again: None,
            // A network file may name more terminals than it has lanes.
            lanes_per_terminal: (network.lanes() / network.terminals().max(1)).max(1),
            acts: None,
            messages: vec![],
            shown: Shown::Ways,
            blocks: vec![],
            stuck: vec![],
            notes: vec![],
        }
    }

    fn hops(&self) -> u32 {
        self.stage_of.len() as u32
    }

    /// How what a lane sends looks.
    fn look(&self, lane: LaneIdx) -> Look {
        look(lane.0 / self.lanes_per_terminal)
    }
}

/// The layout of a network each of whose stages is passed once.
pub fn layout(network: &Network) -> Layout {
    Layout::new(network.lanes(), network.stages(), false)
}

/// The messages of a round on all their wires: a message per lane and link column. `label(lane)` has a character per stage.
pub fn ways(
    network: &Network,
    states: &[Vec<SwitchState>],
    label: impl Fn(LaneIdx) -> String,
) -> Vec<(Message, bool)> {
    let labels: Vec<String> = LaneIdx::all(network.lanes()).map(label).collect();
    let mut carried: Vec<LaneIdx> = LaneIdx::all(network.lanes()).collect();
    let mut messages = Vec::new();
    for hop in 0..=network.stages() {
        for (port, &lane) in (0..).map(PortIdx).zip(&carried) {
            let left = labels[lane.idx()].get(hop as usize..).unwrap_or("").to_string();
            messages.push((Message { lane, hop, port, left }, false));
        }
        if let Some(row) = states.get(hop as usize) {
            let mut outputs = carried.clone();
            for (&lane, &port) in carried.iter().zip(network.link(StageIdx(hop))) {
                outputs[row[port as usize / 2].output_port(PortIdx(port)).idx()] = lane;
            }
            carried = outputs;
        }
    }
    messages
}

/// The scenes as one drawing, below each other.
pub fn to_svg(scenes: &[Scene]) -> String {
    let wide = |size: f64| {
        scenes.iter().map(|scene| scene.layout.width.max(parts::texts_width(scene, size))).max().unwrap_or(0)
    };
    let width = wide(text_size(wide(TEXT)));
    let size = text_size(width);
    let below =
        |scene: &Scene| scene.layout.height + parts::line_height(size) * (1 + scene.notes.len() as u32);
    let height: u32 = scenes.iter().map(below).sum();
    let mut svg = sheet(width, height);
    let mut top = 0;
    for scene in scenes {
        let _ = writeln!(svg, "<g transform=\"translate(0 {top})\">");
        parts::scene(&mut svg, scene, size);
        svg.push_str("</g>\n");
        top += below(scene);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The size of text, in pixels, that is read well.
const TEXT: f64 = 11.0;
/// The width at which a drawing is shown, in pixels; a narrower one is not made larger.
const SHOWN: f64 = 1400.0;

/// The size of text in a drawing so many units wide, so that it is read well where the drawing is shown 1400 pixels wide: in units of the
/// drawing, in tenths. At most twice the usual: lanes are 24 units apart.
pub fn text_size(width: u32) -> f64 {
    let size = (TEXT * f64::from(width) / SHOWN).clamp(TEXT, 2.0 * TEXT);
    (10.0 * size).ceil() / 10.0
}

/// The beginning of a drawing: an empty white sheet, whose text has [`text_size`].
pub fn sheet(width: u32, height: u32) -> String {
    let size = text_size(width);
    // Writing to a String cannot fail, so the results of write! are dropped in all drawings.
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{size}\" role=\"img\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    )
}

/// How wide a line of text is at most, in units of the drawing, with the margin on both its sides. Fonts differ: this is for a wide one.
pub(crate) fn text_width(text: &str, size: f64) -> u32 {
    let characters = text.replace("&#160;", " ").chars().count() as f64;
    (characters * size * 0.6).ceil() as u32 + 24
}

/// Text of an element or an attribute of XML or HTML. XML has no control characters at all, so they become what stands for an unknown one.
pub fn escape(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control(), "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{butterfly, optical_butterfly};

    fn set(states: &[Vec<SwitchState>]) -> Option<Vec<Vec<Act>>> {
        Some(states.iter().map(|row| row.iter().map(|&state| Act::Set(state)).collect()).collect())
    }

    #[test]
    fn every_switch_wire_state_and_message_is_seen() {
        let network = butterfly(8).unwrap();
        let layout = layout(&network);
        let mut states = vec![vec![SwitchState::Straight; 4]; 3];
        states[1][2] = SwitchState::Cross;
        let mut scene = Scene::new("round <1>\u{1b}".into(), Words::ELECTRONIC, &network, &layout);
        scene.acts = set(&states);
        let svg = to_svg(std::slice::from_ref(&scene));
        assert_eq!(svg.matches("<rect ").count(), 1 + 12);
        assert_eq!(svg.matches("<polyline ").count(), 4 * 8);
        assert_eq!(svg.matches("#f6c9a8").count(), 1);
        assert_eq!(
            (svg.matches(": straight</title>").count(), svg.matches(": cross</title>").count()),
            (11, 1)
        );
        assert!(svg.contains("round &lt;1&gt;\u{fffd}<"));
        scene.messages = ways(&network, &states, |lane| format!("{:03b}", lane.0));
        let svg = to_svg(&[scene.clone()]);
        // Lane 6 meets the crossed switch: behind it, it is where lane 2 would be, with one bit left.
        assert_eq!(svg.matches(">6</tspan> 110<").count(), 1);
        assert_eq!(svg.matches(">6</tspan> 0<").count(), 1);
        assert_eq!(svg.matches("</tspan> <").count(), 8);
        assert_eq!(to_svg(&[scene.clone(), scene]).matches("<rect ").count(), 1 + 2 * 12);
    }

    fn attribute<'a>(line: &'a str, name: &str) -> &'a str {
        line.split_once(&format!(" {name}=\"")).unwrap().1.split_once('"').unwrap().0
    }

    /// Labels that a wire passes through, by points on its pieces; characters are 6 wide.
    fn struck(svg: &str) -> usize {
        let points = |line: &str| -> Vec<(f64, f64)> {
            let pairs = attribute(line, "points").split(' ').map(|pair| pair.split_once(',').unwrap());
            pairs.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
        };
        let between = |pair: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let mix = |a: f64, b: f64, part: i32| a + (b - a) * f64::from(part) / 200.0;
            (0..=200).map(|part| (mix(pair[0].0, pair[1].0, part), mix(pair[0].1, pair[1].1, part))).collect()
        };
        let wires = svg.lines().filter(|line| line.starts_with("<polyline"));
        let on_wires: Vec<(f64, f64)> =
            wires.flat_map(|line| points(line).windows(2).flat_map(between).collect::<Vec<_>>()).collect();
        let labels = svg.lines().filter(|line| line.contains("</tspan> "));
        let crossed = |line: &&str| {
            let [x, y] = ["x", "y"].map(|name| attribute(line, name).parse::<f64>().unwrap());
            let text: String = line.split('>').skip(1).map(|part| part.split('<').next().unwrap()).collect();
            let right = x + 6.0 * text.chars().count() as f64;
            on_wires.iter().any(|&(at_x, at_y)| (x..right).contains(&at_x) && (y - 7.0..y).contains(&at_y))
        };
        labels.filter(crossed).count()
    }

    #[test]
    fn no_wire_passes_through_a_label() {
        let network = butterfly(16).unwrap();
        let states = vec![vec![SwitchState::Cross; 8]; 4];
        let layout = layout(&network);
        let mut scene = Scene::new("x".into(), Words::ELECTRONIC, &network, &layout);
        scene.acts = set(&states);
        scene.messages = ways(&network, &states, |lane| format!("{:04b}", lane.0));
        let svg = to_svg(&[scene.clone()]);
        assert_eq!((struck(&svg), svg.matches("</tspan> ").count()), (0, 5 * 16));
        // Wires without their straight beginning pass through labels.
        let bent = Layout { lead: 0, ..layout.clone() };
        scene.layout = &bent;
        assert!(struck(&to_svg(&[scene])) > 10);
    }

    #[test]
    fn a_network_may_have_more_terminals_than_lanes() {
        for terminals in [0, 3, 9] {
            let network = Network::new("x", terminals, vec![vec![0, 1, 2, 3]; 2]).unwrap();
            let layout = layout(&network);
            let scene = Scene::new("x".into(), Words::ELECTRONIC, &network, &layout);
            assert_eq!(to_svg(&[scene]).matches("<rect ").count(), 1 + 2);
        }
    }

    #[test]
    fn text_is_read_where_a_small_drawing_is_shown_1400_pixels_wide() {
        let least = |svg: &str| {
            let width: f64 = attribute(svg, "width").parse().unwrap();
            let sizes = svg.split(" font-size=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0);
            let units = sizes.filter_map(|size| size.parse::<f64>().ok()).fold(f64::INFINITY, f64::min);
            units * 1400.0 / width.max(1400.0)
        };
        let networks = [butterfly(16), crate::butterfly_butterfly(16), optical_butterfly(16)];
        for network in networks.map(Result::unwrap) {
            let layout = layout(&network);
            let words =
                if network.lanes() > network.terminals() { Words::OPTICAL } else { Words::ELECTRONIC };
            let states =
                vec![vec![SwitchState::Cross; network.switches_per_stage() as usize]; layout.box_x.len()];
            let mut scene = Scene::new("x".into(), words, &network, &layout);
            scene.acts = set(&states);
            scene.messages = ways(&network, &states, |lane| format!("{:07b}", lane.0));
            for shown in [Shown::Ways, Shown::Discs] {
                scene.shown = shown;
                let svg = to_svg(std::slice::from_ref(&scene));
                assert!(least(&svg) >= 11.0, "{}: {}", network.name(), least(&svg));
            }
        }
        // Text of 9 units on the widest of them is too small: the check sees it.
        assert!(least(&sheet(1603, 10).replace("font-size=\"12.6\"", "font-size=\"9\"")) < 8.0);
    }

    #[test]
    fn two_messages_on_a_wire_are_red() {
        let network = butterfly(4).unwrap();
        let layout = layout(&network);
        let mut scene = Scene::new("conflict".into(), Words::ELECTRONIC, &network, &layout);
        scene.acts = Some(vec![
            vec![Act::Forced { ways: [[false, true]; 2], contested: true }, Act::Idle],
            vec![Act::Idle; 2],
        ]);
        scene.messages = [0, 1]
            .map(|lane| (Message { lane: LaneIdx(lane), hop: 1, port: PortIdx(1), left: "0".into() }, false))
            .to_vec();
        let svg = to_svg(&[scene]);
        assert!(
            svg.contains(">0</tspan> 0<")
                && svg.contains(">1</tspan> 0<")
                && svg.contains("conflict</title>"),
            "{svg}"
        );
        assert_eq!(
            svg.matches(WRONG).count(),
            1 + 2 + 1 + 2,
            "box, its two lines, the wire, its texts above and below: {svg}"
        );
    }

    #[test]
    fn the_optical_butterfly_has_its_own_words() {
        let network = optical_butterfly(8).unwrap();
        let layout = layout(&network);
        let mut scene = Scene::new("obf".into(), Words::OPTICAL, &network, &layout);
        scene.blocks = crate::optical::blocks(8, 1);
        let svg = to_svg(&[scene]);
        assert_eq!((svg.matches("<circle ").count(), svg.matches(">P011</text>").count()), (16, 2));
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
        assert!(
            svg.contains(">level 0</text>")
                && svg.contains(">level 1</text>")
                && svg.contains(">level 3</text>")
        );
        assert!(!svg.contains("switch") && !svg.contains("stage"), "{svg}");
        let svg = states(&Words::OPTICAL);
        assert!(
            ["in_up", "in_down", "out_up", "out_down", "push", "invert"]
                .iter()
                .all(|word| svg.contains(word))
        );
    }
}

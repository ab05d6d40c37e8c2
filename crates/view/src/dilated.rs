//! The film of a dilated butterfly: which edges each message (a worm) holds, where its head is, and which heads wait.

use crate::film::{Body, FORMAT, Film, Words};
use crate::routed::{Frame, Heading, Place, Routed, rows};
use frit_model::dilated::{Snapshot, snapshots};
use frit_network::RowIdx;
use frit_network::dilated::{DilatedButterfly, InEdge, Node};
use frit_router::dilated::{Packets, Shunt};
use std::collections::BTreeMap;

/// Between levels, between rows beside their bundles, and the width of a switch.
const LEVEL_GAP: f64 = 210.0;
const ROW_GAP: f64 = 22.0;
const BOX_WIDTH: f64 = 64.0;
/// Between the edges of a bundle.
const PITCH: f64 = 9.0;
const TOP: f64 = 60.0;
/// A head gets on every two steps; one that has been seen so often at the end of an edge waits.
const ON_ITS_WAY: u64 = 2;

/// What the marks mean: the kinds in [`Frame::wires`].
const MARKS: [&str; 4] = ["held by the worm", "its head", "its head, blocked", "left by its last bit"];

/// The film of a run of the plain engine; `command` makes it again.
pub fn film(packets: &Packets, command: &str, title: &str) -> Film {
    let network = packets.network();
    let places = Places::new(network);
    let mut routed = places.scene(network);
    routed.messages = packets.packets().iter().map(|packet| [packet.source, packet.destination]).collect();
    routed.marks = MARKS.to_vec();
    let mut story =
        Story { packets, seen: BTreeMap::new(), arrived: vec![], started: vec![0; network.rows() as usize] };
    let of_row = |row: u32| packets.packets().iter().filter(|packet| packet.source == row).count() as u32;
    let all: Vec<u32> = (0..network.rows()).map(of_row).collect();
    snapshots(packets, u64::MAX, |snapshot, shunts| {
        let (columns, events) = rows(&shunts);
        routed.columns = columns;
        let mut frame = story.frame(&snapshot, &shunts, &all);
        frame.events = events;
        routed.frames.push(frame);
    });
    let last = routed.frames.len() as u64 - 1;
    let arrived = routed.frames.iter().rposition(|frame| !frame.delivered.is_empty()).unwrap_or(0);
    let delivered: usize = routed.frames.iter().map(|frame| frame.delivered.len()).sum();
    Film {
        format: FORMAT,
        title: title.into(),
        about: vec![
            format!(
                "{} rows, {} levels, bundles of {} edges. {} of {} messages arrive within {arrived} bit steps.",
                network.rows(),
                network.levels(),
                network.bundle(),
                delivered,
                packets.packets().len()
            ),
            "A coloured line is an edge that a worm (a message) holds, a mark with its number is its head, with a red ring while it is blocked; a thin line was left by the worm's last bit.".into(),
        ],
        why: "Why: a head goes on when a bundle to its next row has a free edge and room; otherwise it waits, blocked, and holds the edges behind it.".into(),
        command: command.into(),
        unit: "step",
        last,
        terminals: network.rows(),
        difference: None,
        words: Words { terminal: "row", stage: "level", ..Words::ELECTRONIC },
        body: Body::Routed(routed.finish()),
    }
}

/// Where switches and edges are.
struct Places {
    bundle: u32,
    row: f64,
}

impl Places {
    fn new(network: &DilatedButterfly) -> Self {
        let bundle = network.bundle();
        Places { bundle, row: f64::from(2 * bundle) * PITCH + ROW_GAP }
    }

    fn node(&self, node: Node) -> (f64, f64) {
        (40.0 + f64::from(node.level) * LEVEL_GAP, TOP + f64::from(node.row.0) * self.row + self.row / 2.0)
    }

    /// How far an edge of an upper or lower bundle is from the middle of its switch.
    fn beside(&self, bundle: u32, edge: u32) -> f64 {
        (f64::from(bundle * self.bundle + edge) - f64::from(self.bundle) + 0.5) * PITCH
    }

    fn wire(&self, network: &DilatedButterfly, edge: InEdge) -> [f64; 4] {
        let (from, x) = network.origin(edge);
        let ((from_x, from_y), (to_x, to_y)) = (self.node(from), self.node(edge.node));
        [from_x + BOX_WIDTH, from_y + self.beside(x, edge.e), to_x, to_y + self.beside(edge.y, edge.e)]
    }

    fn scene(&self, network: &DilatedButterfly) -> Routed {
        let levels = network.levels();
        let mut routed = Routed {
            width: (80.0 + f64::from(levels) * LEVEL_GAP + BOX_WIDTH) as u32,
            height: (TOP + f64::from(network.rows()) * self.row + 30.0) as u32,
            ..Routed::default()
        };
        for level in 0..=levels {
            let text = if level == levels { "sinks".into() } else { format!("level {level}") };
            let (x, _) = self.node(Node { level, row: RowIdx(0) });
            routed.headings.push(Heading { at: [x + BOX_WIDTH / 2.0, 40.0], text });
            for row in 0..network.rows() {
                let (x, y) = self.node(Node { level, row: RowIdx(row) });
                let height = self.row - ROW_GAP + 6.0;
                routed
                    .boxes
                    .push(Place { at: [x, y - height / 2.0, BOX_WIDTH, height], text: row.to_string() });
            }
        }
        for number in 0..network.edges() as usize {
            let edge = network.edge(number);
            routed.wires.push(self.wire(network, edge));
            let Node { level, row } = edge.node;
            routed.wire_names.push(format!("level {level} row {row} bundle {} edge {}", edge.y, edge.e));
        }
        routed
    }
}

/// What is known of the steps before.
struct Story<'a> {
    packets: &'a Packets,
    /// The edge of each packet's head, and in how many frames it was there.
    seen: BTreeMap<u32, (usize, u64)>,
    arrived: Vec<u32>,
    /// Packets of each row that have set off.
    started: Vec<u32>,
}

impl Story<'_> {
    fn frame(&mut self, snapshot: &Snapshot, shunts: &[Shunt], all: &[u32]) -> Frame {
        let network = self.packets.network();
        let mut frame = Frame::default();
        for held in &snapshot.held {
            let edge = network.edge_number(held.edge);
            let kind = match (held.left, held.head) {
                (true, _) => 3,
                (_, false) => 0,
                _ => {
                    let (before, times) = self.seen.get(&held.packet).copied().unwrap_or((edge, 0));
                    let times = if before == edge { times + 1 } else { 1 };
                    self.seen.insert(held.packet, (edge, times));
                    // At a sink nothing waits: it takes a bit a step.
                    if times > ON_ITS_WAY && held.edge.node.level < network.levels() { 2 } else { 1 }
                }
            };
            frame.wires.push([edge as u32, held.packet, kind]);
        }
        for (row, (all, started)) in (0..).zip(all.iter().zip(&self.started)) {
            let waiting = all.saturating_sub(*started);
            if waiting > 0 {
                frame.says.push((row, format!("{waiting} wait")));
            }
        }
        for shunt in shunts.iter().filter(|shunt| shunt.level == 0) {
            self.started[shunt.row.idx()] += 1;
        }
        frame.delivered = snapshot
            .arrived
            .iter()
            .copied()
            .filter(|packet| self.arrived.binary_search(packet).is_err())
            .collect();
        self.arrived.clone_from(&snapshot.arrived);
        frame
    }
}

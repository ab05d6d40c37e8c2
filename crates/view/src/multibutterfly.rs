//! The film of an h-relation on the multibutterfly: messages and ghosts in the buffers of the nodes, phase by phase.

use crate::film::{Body, FORMAT, Film, Words};
use crate::routed::{Frame, Heading, Place, Routed, rows};
use frit_model::multibutterfly::Plain;
use frit_model::multibutterfly::state::{Fill, State};
use frit_model::stepper::{Progress, Stepper};
use frit_network::RowIdx;
use frit_network::multibutterfly::{MultiButterfly, Node};
use frit_router::multibutterfly::{NodeEvent, Problem};
use std::collections::BTreeMap;

const COLUMN_GAP: f64 = 300.0;
const BOX_WIDTH: f64 = 150.0;
const ROW_GAP: f64 = 46.0;
const BOX_HEIGHT: f64 = 34.0;
const TOP: f64 = 64.0;

/// What the marks mean: the kinds in [`Frame::inside`] and [`Frame::wires`].
const MARKS: [&str; 3] =
    ["a message in a buffer", "a message that moves in this phase", "a port committed in this phase"];

/// The film of a run of the plain engine; `command` makes it again.
pub fn film(problem: &Problem, command: &str, title: &str) -> Film {
    let network = problem.network();
    let wires = numbered(network);
    let mut routed = scene(network, &wires);
    routed.messages =
        problem.messages().iter().map(|message| [message.source, message.destination]).collect();
    routed.marks = MARKS.to_vec();
    let engine = Plain::new(problem);
    let mut now = engine.start();
    let mut next = now.clone();
    let mut arrived = vec![];
    let mut at_node: BTreeMap<u32, Node> = BTreeMap::new();
    let mut phase = 0;
    loop {
        let mut events = Vec::new();
        let progress = engine.step(phase, &now, &mut next, &mut |event| events.push(event));
        let (columns, lines) = rows(&events);
        routed.columns = columns;
        let mut frame = standing(problem, &now, &mut at_node);
        frame.events = lines;
        moving(&events, network, &wires, &at_node, &mut frame);
        frame.delivered = std::mem::take(&mut arrived);
        routed.frames.push(frame);
        arrived = delivered(&events);
        std::mem::swap(&mut now, &mut next);
        phase += 1;
        if progress != Progress::Moves {
            break;
        }
    }
    let mut last = standing(problem, &now, &mut at_node);
    last.delivered = arrived;
    routed.frames.push(last);
    let shape = network.shape();
    let delivered: usize = routed.frames.iter().map(|frame| frame.delivered.len()).sum();
    Film {
        format: FORMAT,
        title: title.into(),
        about: vec![
            format!(
                "{} rows, {} columns of nodes, {} splitters, {} ports on each side. {delivered} of {} messages arrive within {phase} phases.",
                shape.rows(),
                shape.dimensions() + 1,
                shape.splitters(),
                shape.degree(),
                problem.messages().len()
            ),
            "A frame is a splitter's inputs; in a node are its messages, and the number of its ghosts (g). A coloured line is a message that moves in this phase, a grey thick one a port committed in it.".into(),
        ],
        why: "Why: a message moves over a port that its node has committed to the side of its destination; otherwise it stays in its buffer.".into(),
        command: command.into(),
        unit: "phase",
        last: phase,
        terminals: shape.rows(),
        difference: None,
        words: Words { terminal: "row", switch: "node", stage: "column", ..Words::ELECTRONIC },
        body: Body::Routed(routed.finish()),
    }
}

fn corner(node: Node) -> (f64, f64) {
    (40.0 + f64::from(node.column) * COLUMN_GAP, TOP + f64::from(node.row.0) * ROW_GAP)
}

/// The number of each edge by its column, row, side and port: in their order.
type Wires = BTreeMap<(u32, RowIdx, u32, u32), u32>;

fn numbered(network: &MultiButterfly) -> Wires {
    let shape = network.shape();
    let nodes = (0..shape.dimensions())
        .flat_map(|column| RowIdx::all(shape.rows()).map(move |row| Node { column, row }));
    let edges = nodes.flat_map(|node| {
        let ports = move |side| {
            (0..network.ends(node, side).len() as u32).map(move |port| (node.column, node.row, side, port))
        };
        [0, 1].into_iter().flat_map(ports)
    });
    edges.zip(0..).collect()
}

fn scene(network: &MultiButterfly, wires: &Wires) -> Routed {
    let shape = network.shape();
    let columns = shape.dimensions();
    let mut routed = Routed {
        width: (80.0 + f64::from(columns) * COLUMN_GAP + BOX_WIDTH) as u32,
        height: (TOP + f64::from(shape.rows()) * ROW_GAP + 30.0) as u32,
        ..Routed::default()
    };
    for column in 0..=columns {
        let (x, _) = corner(Node { column, row: RowIdx(0) });
        routed.headings.push(Heading { at: [x + BOX_WIDTH / 2.0, 40.0], text: format!("column {column}") });
        for row in 0..shape.rows() {
            let (x, y) = corner(Node { column, row: RowIdx(row) });
            routed.boxes.push(Place { at: [x, y, BOX_WIDTH, BOX_HEIGHT], text: row.to_string() });
        }
        let inputs = shape.inputs(column.min(columns - 1));
        for splitter in 0..if column < columns { shape.rows() / inputs } else { 0 } {
            let (x, y) = corner(Node { column, row: RowIdx(splitter * inputs) });
            let height = f64::from(inputs - 1) * ROW_GAP + BOX_HEIGHT;
            routed
                .bands
                .push(Place { at: [x - 6.0, y - 4.0, BOX_WIDTH + 12.0, height + 8.0], text: String::new() });
        }
    }
    for (column, row, side, port) in wires.keys().copied() {
        let from = Node { column, row };
        let end = network.ends(from, side)[port as usize];
        let ((x0, y0), (x1, y1)) = (corner(from), corner(Node { column: column + 1, row: RowIdx(end) }));
        let beside = BOX_HEIGHT * if side == 0 { 0.3 } else { 0.7 };
        routed.wires.push([x0 + BOX_WIDTH, y0 + beside, x1, y1 + BOX_HEIGHT / 2.0]);
        routed.wire_names.push(format!("column {column} row {row} side {side} port {port}"));
    }
    routed
}

/// Messages and ghosts in the buffers.
fn standing(problem: &Problem, state: &State, at_node: &mut BTreeMap<u32, Node>) -> Frame {
    let shape = problem.network().shape();
    let mut frame = Frame::default();
    at_node.clear();
    for column in 0..shape.dimensions() {
        for row in 0..shape.rows() {
            let node = Node { column, row: RowIdx(row) };
            let mut ghosts = 0;
            for side in state.sides(node) {
                for buffer in &side.buffers {
                    match buffer.fill {
                        Fill::Message | Fill::Stream => {
                            frame.inside.push([column * shape.rows() + row, buffer.message, 0]);
                            at_node.insert(buffer.message, node);
                        }
                        Fill::Ghost => ghosts += 1,
                        Fill::Empty | Fill::Dead => {}
                    }
                }
            }
            if ghosts > 0 {
                frame.says.push((column * shape.rows() + row, format!("{ghosts} g")));
            }
        }
    }
    frame
}

/// What moves in a phase, and what is committed.
fn moving(
    events: &[NodeEvent],
    network: &MultiButterfly,
    wires: &Wires,
    at_node: &BTreeMap<u32, Node>,
    frame: &mut Frame,
) {
    for event in events {
        match event {
            NodeEvent::Commit { column, side, row, ports, .. } => {
                let edges = ports.iter().filter_map(|&port| wires.get(&(*column, *row, *side, port)));
                frame.wires.extend(edges.map(|&edge| [edge, u32::MAX, 2]));
            }
            NodeEvent::Place { row, message, .. } | NodeEvent::Deliver { row, message, .. } => {
                // Where it came from: any of the ports that lead here serves to draw it.
                let Some(&from) = at_node.get(message) else { continue };
                let edge = [0, 1].into_iter().find_map(|side| {
                    let port = network.ends(from, side).iter().position(|end| *end == row.0)?;
                    wires.get(&(from.column, from.row, side, port as u32))
                });
                frame.wires.extend(edge.map(|&edge| [edge, *message, 1]));
            }
        }
    }
}

fn delivered(events: &[NodeEvent]) -> Vec<u32> {
    let arrived = events.iter().filter_map(|event| match event {
        NodeEvent::Deliver { message, .. } => Some(*message),
        _ => None,
    });
    arrived.collect()
}

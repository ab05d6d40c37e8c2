//! The multibutterfly in Graphviz DOT and as a drawing in SVG: a node per column and row, a line per edge, the splitters as
//! frames, and the way of a message.

use super::{MultiButterfly, Node};
use crate::drawing::{escape, sheet, text_width};
use crate::ids::RowIdx;
use std::fmt::Write;

/// The rows that a message passes, from column 0 on, as far as it has come.
pub type Path = [u32];

/// Every edge: node, side, port, and the row where it ends.
fn edges(network: &MultiButterfly) -> impl Iterator<Item = (Node, u32, u32, u32)> {
    let shape = network.shape();
    let nodes = (0..shape.dimensions())
        .flat_map(move |column| RowIdx::all(shape.rows()).map(move |row| Node { column, row }));
    nodes.flat_map(|node| [(node, 0), (node, 1)]).flat_map(|(node, side)| {
        let ends = (0..).zip(network.ends(node, side));
        ends.map(move |(port, &end)| (node, side, port, end))
    })
}

/// Whether a message goes from a node to a row of the next column.
fn on_path(path: Option<&Path>, from: Node, to: u32) -> bool {
    let at = from.column as usize;
    path.is_some_and(|path| path.get(at) == Some(&from.row.0) && path.get(at + 1) == Some(&to))
}

/// The network in Graphviz DOT: a cluster per splitter's inputs, an edge per port; the way of a message in another colour.
pub fn to_dot(network: &MultiButterfly, name: &str, path: Option<&Path>) -> String {
    let shape = network.shape();
    let mut dot = String::new();
    // Writing to a String cannot fail, so the results of write! are dropped here and below.
    let _ = writeln!(dot, "digraph \"{name}\" {{");
    dot.push_str(
        "  rankdir=LR; node [shape=box, fontname=\"Helvetica\", fontsize=10]; edge [arrowsize=0.5, color=\"#8a8f98\"];\n",
    );
    for column in 0..=shape.dimensions() {
        for splitter in 0..1 << column {
            let _ = writeln!(dot, "  subgraph cluster{column}_{splitter} {{ color=\"#c8ccd4\";");
            let inputs = shape.inputs(column);
            for row in splitter * inputs..(splitter + 1) * inputs {
                let _ = writeln!(dot, "    n{column}_{row} [label=\"{column}.{row}\"];");
            }
            dot.push_str("  }\n");
        }
    }
    for (from, side, port, end) in edges(network) {
        let style = if on_path(path, from, end) { ", color=\"#b5482a\", penwidth=2.5" } else { "" };
        let Node { column, row } = from;
        let name = if side == 0 { "u" } else { "l" };
        let _ =
            writeln!(dot, "  n{column}_{row} -> n{}_{end} [tooltip=\"{name}{port}\"{style}];", column + 1);
    }
    dot.push_str("}\n");
    dot
}

const COLUMN_GAP: u32 = 150;
const ROW_GAP: u32 = 30;
const BOX: (u32, u32) = (30, 20);
const MARGIN: u32 = 48;

/// The left edge of a column's nodes, and the middle of a row.
fn left(column: u32) -> u32 {
    MARGIN + column * COLUMN_GAP + 20
}

fn middle(row: RowIdx) -> u32 {
    MARGIN + 34 + row.0 * ROW_GAP
}

/// The network as a self-contained SVG drawing, columns from left to right; edges to upper outputs grey, to lower ones
/// blue, the way of a message red.
pub fn to_svg(network: &MultiButterfly, title: &str, path: Option<&Path>) -> String {
    let shape = network.shape();
    let note = format!(
        "a frame: the inputs of a splitter &#160; grey: to its upper outputs &#160; blue: to its lower ones{}",
        if path.is_some() { " &#160; red: the way of the message" } else { "" }
    );
    let text = text_width(&note, 11.0).max(text_width(title, 15.0)) + MARGIN;
    let width = (left(shape.dimensions()) + BOX.0 + MARGIN).max(text);
    let height = middle(RowIdx(shape.rows() - 1)) + 72;
    let mut svg = sheet(width, height);
    let title = escape(title);
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"24\" font-size=\"1.36em\">{title}</text>");
    frames(&mut svg, network);
    lines(&mut svg, network, path);
    nodes(&mut svg, network, path);
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#555b66\">{note}</text>", height - 18);
    svg.push_str("</svg>\n");
    svg
}

fn frames(svg: &mut String, network: &MultiButterfly) {
    let shape = network.shape();
    for column in 0..=shape.dimensions() {
        let (x, centre) = (left(column), left(column) + BOX.0 / 2);
        let _ = writeln!(
            svg,
            "<text x=\"{centre}\" y=\"{MARGIN}\" text-anchor=\"middle\" fill=\"#555b66\">column {column}</text>"
        );
        for splitter in 0..if column < shape.dimensions() { 1 << column } else { 0 } {
            let inputs = shape.inputs(column);
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"#f6f7f9\" stroke=\"#c8ccd4\"/>",
                x - 5,
                middle(RowIdx(splitter * inputs)) - BOX.1 / 2 - 3,
                BOX.0 + 10,
                (inputs - 1) * ROW_GAP + BOX.1 + 6
            );
        }
    }
}

fn lines(svg: &mut String, network: &MultiButterfly, path: Option<&Path>) {
    let mut line = |from: Node, end: u32, style: &str| {
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {style}/>",
            left(from.column) + BOX.0,
            middle(from.row),
            left(from.column + 1),
            middle(RowIdx(end))
        );
    };
    for (from, side, _, end) in edges(network).filter(|&(from, _, _, end)| !on_path(path, from, end)) {
        let colour = if side == 0 { "#8a8f98" } else { "#3b78b8" };
        let opacity = if path.is_some() { 0.25 } else { 0.6 };
        line(from, end, &format!("stroke=\"{colour}\" stroke-opacity=\"{opacity}\""));
    }
    for (column, hop) in (0..).zip(path.unwrap_or(&[]).windows(2)) {
        line(Node { column, row: RowIdx(hop[0]) }, hop[1], "stroke=\"#b5482a\" stroke-width=\"2.4\"");
    }
}

fn nodes(svg: &mut String, network: &MultiButterfly, path: Option<&Path>) {
    let shape = network.shape();
    for (column, row) in
        (0..=shape.dimensions()).flat_map(|column| (0..shape.rows()).map(move |row| (column, row)))
    {
        let (x, y) = (left(column), middle(RowIdx(row)));
        let passed = path.is_some_and(|path| path.get(column as usize) == Some(&row));
        let colour = if passed { "#b5482a" } else { "#30343b" };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"#ffffff\" stroke=\"{colour}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{row}</text>",
            y - BOX.1 / 2,
            BOX.0,
            BOX.1,
            x + BOX.0 / 2,
            y + 4
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::cyclic;
    use super::*;

    #[test]
    fn every_edge_is_drawn_once_and_the_way_of_a_message_stands_out() {
        let network = cyclic(8, 2);
        let count = network.shape().edges() as usize;
        let path = [6, network.ends(Node { column: 0, row: RowIdx(6) }, 0)[1]];
        let dot = to_dot(&network, "multibutterfly", Some(&path));
        assert_eq!((dot.matches(" -> ").count(), dot.matches("penwidth").count()), (count, 1));
        for path in [None, Some(&path[..])] {
            let svg = to_svg(&network, "a < b", path);
            assert_eq!(svg.matches("<line ").count(), count);
            assert_eq!(svg.matches("stroke-width=\"2.4\"").count(), path.map_or(0, |_| 1));
            assert!(svg.contains("a &lt; b"));
        }
    }
}

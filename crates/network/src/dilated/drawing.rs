//! The dilated butterfly in Graphviz DOT and as a drawing in SVG: a switch per level and row, a line per bundle.

use super::{DilatedButterfly, Node};
use std::fmt::Write;

/// Every bundle: the switch that it leaves, its number there, and where it ends.
fn bundles(network: &DilatedButterfly) -> impl Iterator<Item = (Node, u32, Node)> {
    (0..network.switches() as u32).flat_map(move |switch| {
        let from = network.node(switch);
        [0, 1].map(|x| (from, x, network.end(from, x, 0).node))
    })
}

/// The network in Graphviz DOT: a rank per level, an edge per bundle, labelled with the number of its edges.
pub fn to_dot(network: &DilatedButterfly, name: &str) -> String {
    let mut dot = String::new();
    // Writing to a String cannot fail, so the results of write! are dropped here and below.
    let _ = writeln!(dot, "digraph \"{name}\" {{");
    dot.push_str(
        "  rankdir=LR; node [shape=box, fontname=\"Helvetica\", fontsize=10]; edge [arrowsize=0.5, fontsize=8];\n",
    );
    for level in 0..=network.levels() {
        let _ = writeln!(dot, "  subgraph level{level} {{ rank=same;");
        for row in 0..network.rows() {
            let shape = if level == network.levels() { "plaintext" } else { "box" };
            let _ = writeln!(dot, "    s{level}_{row} [label=\"{level}.{row}\", shape={shape}];");
        }
        dot.push_str("  }\n");
    }
    for (from, x, to) in bundles(network) {
        let style = if from.row == to.row { "" } else { ", color=\"#b5482a\"" };
        let _ = writeln!(
            dot,
            "  s{}_{} -> s{}_{} [label=\"{x}: {}\", penwidth={}{style}];",
            from.level,
            from.row,
            to.level,
            to.row,
            network.bundle(),
            width(network)
        );
    }
    dot.push_str("}\n");
    dot
}

const LEVEL_GAP: u32 = 130;
const ROW_GAP: u32 = 40;
const BOX: (u32, u32) = (34, 24);
const MARGIN: u32 = 48;

/// The width of a bundle's line: it grows with the edges, but a large bundle must not hide the others.
fn width(network: &DilatedButterfly) -> f64 {
    f64::from(network.bundle().min(12)) * 0.4 + 0.8
}

/// The network as a self-contained SVG drawing, levels from left to right, the sinks at the right.
pub fn to_svg(network: &DilatedButterfly, title: &str) -> String {
    let (rows, levels) = (network.rows(), network.levels());
    let (total_width, height) = (2 * MARGIN + (levels + 1) * LEVEL_GAP, 2 * MARGIN + (rows + 1) * ROW_GAP);
    let left = |level: u32| MARGIN + level * LEVEL_GAP + LEVEL_GAP / 2 - BOX.0 / 2;
    let middle = |row: u32| MARGIN + row * ROW_GAP + ROW_GAP;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total_width} {height}\" width=\"{total_width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\">"
    );
    let _ = writeln!(svg, "<rect width=\"{total_width}\" height=\"{height}\" fill=\"#ffffff\"/>");
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"24\" font-size=\"15\">{title}</text>");
    let _ = writeln!(svg, "<g fill=\"none\" stroke-width=\"{}\" stroke-opacity=\"0.6\">", width(network));
    for (from, x, to) in bundles(network) {
        let colour = if from.row == to.row { "#8a8f98" } else { "#b5482a" };
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\"/>",
            left(from.level) + BOX.0,
            middle(from.row) - 5 + 10 * x,
            left(to.level),
            middle(to.row)
        );
    }
    svg.push_str("</g>\n");
    for level in 0..=levels {
        let (x, centre) = (left(level), left(level) + BOX.0 / 2);
        let name = if level == levels { "sinks".into() } else { format!("level {level}") };
        let _ = writeln!(
            svg,
            "<text x=\"{centre}\" y=\"{MARGIN}\" text-anchor=\"middle\" fill=\"#555b66\">{name}</text>"
        );
        for row in 0..rows {
            let y = middle(row);
            if level < levels {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"#ffffff\" stroke=\"#30343b\"/>",
                    y - BOX.1 / 2,
                    BOX.0,
                    BOX.1
                );
            }
            let _ = writeln!(svg, "<text x=\"{centre}\" y=\"{}\" text-anchor=\"middle\">{row}</text>", y + 4);
        }
    }
    let edges = network.bundle();
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#555b66\">a line is a bundle of {edges} edges &#160; grey: same row &#160; red: the row with the level's bit changed &#160; out bundle 0 leaves above 1</text>",
        height - 14
    );
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_show_every_switch_and_bundle() {
        let network = DilatedButterfly::new(8, 4, 2).unwrap();
        let svg = to_svg(&network, "a <b>");
        assert_eq!(svg.matches("<rect ").count(), 1 + 6 * 8);
        assert_eq!(svg.matches("<line ").count(), 2 * 6 * 8);
        assert_eq!(svg.matches("#b5482a").count(), 6 * 8);
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("bundle of 4 edges"));
        let dot = to_dot(&network, "dilated");
        assert_eq!(dot.matches(" -> ").count(), 2 * 6 * 8);
        assert_eq!(dot.matches("rank=same").count(), 7);
    }
}

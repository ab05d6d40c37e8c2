//! The dilated butterfly in Graphviz DOT and as a drawing in SVG: a switch per level and row, a line per bundle.

use super::{DilatedButterfly, InEdge, Node};
use crate::drawing::{escape, look, sheet, text_width};
use crate::ids::RowIdx;
use std::fmt::Write;

/// An edge that a worm holds, or has used where edges are used once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The edge.
    pub edge: InEdge,
    /// The worm.
    pub packet: u32,
    /// Bits that wait at its end.
    pub bits: u32,
    /// The last bit of the worm has left it.
    pub left: bool,
    /// The head is at its end, or on the way there.
    pub head: bool,
}

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

/// The network as a self-contained SVG drawing, levels from left to right, the sinks at the right; with worms, if some are
/// given, each edge on its place in its bundle.
pub fn to_svg(network: &DilatedButterfly, title: &str, worms: Option<&[Held]>) -> String {
    let (rows, levels) = (network.rows(), network.levels());
    let layout = Layout::of(network, worms.is_some());
    let notes = notes(network.bundle(), worms.is_some());
    let text =
        notes.iter().map(|note| text_width(note, 11.0)).max().unwrap_or(0).max(text_width(title, 15.0));
    let total_width = (2 * MARGIN + (levels + 1) * LEVEL_GAP).max(text + MARGIN);
    let height = 2 * MARGIN + (rows + 1) * layout.row_gap;
    let mut svg = sheet(total_width, height);
    let title = escape(title);
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"24\" font-size=\"1.36em\">{title}</text>");
    layout.bundles(&mut svg, network, worms.is_some());
    for held in worms.into_iter().flatten() {
        layout.held(&mut svg, network, held);
    }
    for level in 0..=levels {
        layout.level(&mut svg, network, level);
    }
    for held in worms.into_iter().flatten().filter(|held| held.head) {
        layout.head(&mut svg, held);
    }
    for (place, note) in (0..).zip(notes.iter().rev()) {
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{}\" fill=\"#555b66\">{note}</text>",
            height - 14 - 16 * place
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Where things stand in a drawing.
struct Layout {
    /// Edges of a bundle.
    bundle: u32,
    /// From one edge of a bundle to the next.
    pitch: f64,
    /// Width and height of a switch. If worms are drawn, their numbers stand inside the switches.
    size: (u32, u32),
    row_gap: u32,
}

// Writing to a String cannot fail, so the results of writeln! are dropped.
impl Layout {
    fn of(network: &DilatedButterfly, worms: bool) -> Self {
        let bundle = network.bundle();
        // Worms lie side by side, those of both bundles.
        let pitch = (220.0 / f64::from(2 * bundle)).clamp(1.0, 8.0);
        let size = if worms { (2 * BOX.0, (f64::from(2 * bundle) * pitch) as u32 + 8) } else { BOX };
        Layout { bundle, pitch, size, row_gap: size.1 + ROW_GAP - BOX.1 }
    }

    fn left(&self, level: u32) -> u32 {
        MARGIN + level * LEVEL_GAP + LEVEL_GAP / 2 - self.size.0 / 2
    }

    fn middle(&self, row: RowIdx) -> u32 {
        MARGIN + row.0 * self.row_gap + self.row_gap
    }

    /// From the middle of a row to edge `e` of a bundle.
    fn place(&self, side: u32, e: f64) -> f64 {
        let bundle = f64::from(self.bundle);
        (f64::from(side) * bundle + e - bundle + 0.5) * self.pitch
    }

    fn bundles(&self, svg: &mut String, network: &DilatedButterfly, worms: bool) {
        let opacity = if worms { 0.2 } else { 0.6 };
        let _ = writeln!(
            svg,
            "<g fill=\"none\" stroke-width=\"{}\" stroke-opacity=\"{opacity}\">",
            width(network)
        );
        for (from, x, to) in bundles(network) {
            let colour = if from.row == to.row { "#8a8f98" } else { "#b5482a" };
            let (mut start, mut end) =
                (f64::from(self.middle(from.row) - 5 + 10 * x), f64::from(self.middle(to.row)));
            if worms {
                let between = f64::from(self.bundle - 1) / 2.0;
                start = f64::from(self.middle(from.row)) + self.place(x, between);
                end += self.place(network.end(from, x, 0).y, between);
            }
            let _ = writeln!(
                svg,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\"/>",
                self.left(from.level) + self.size.0,
                start,
                self.left(to.level),
                end
            );
        }
        svg.push_str("</g>\n");
    }

    /// Where the edge of a bit ends.
    fn end(&self, held: &Held) -> (f64, f64) {
        let to = held.edge.node;
        (
            f64::from(self.left(to.level)),
            f64::from(self.middle(to.row)) + self.place(held.edge.y, held.edge.e.into()),
        )
    }

    fn held(&self, svg: &mut String, network: &DilatedButterfly, held: &Held) {
        let (from, x) = network.origin(held.edge);
        let from_y = f64::from(self.middle(from.row)) + self.place(x, held.edge.e.into());
        let end = self.end(held);
        let look = look(held.packet);
        let (colour, width) = (look.colour, if held.left { 0.7 } else { 2.2 });
        let style = if held.left { " stroke-opacity=\"0.6\"".into() } else { look.dashed() };
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{from_y:.1}\" x2=\"{}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"{style}><title>packet {}, edge {}, {} bits at its end</title></line>",
            self.left(from.level) + self.size.0,
            end.0,
            end.1,
            held.packet,
            held.edge.e,
            held.bits
        );
    }

    /// The switches of a level, or the sinks, and its name.
    fn level(&self, svg: &mut String, network: &DilatedButterfly, level: u32) {
        let (x, centre) = (self.left(level), self.left(level) + self.size.0 / 2);
        let name = if level == network.levels() { "sinks".into() } else { format!("level {level}") };
        let _ = writeln!(
            svg,
            "<text x=\"{centre}\" y=\"{MARGIN}\" text-anchor=\"middle\" fill=\"#555b66\">{name}</text>"
        );
        for row in RowIdx::all(network.rows()) {
            let y = self.middle(row);
            if level < network.levels() {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"#ffffff\" stroke=\"#30343b\"/>",
                    y - self.size.1 / 2,
                    self.size.0,
                    self.size.1
                );
            }
            let _ = writeln!(svg, "<text x=\"{centre}\" y=\"{}\" text-anchor=\"middle\">{row}</text>", y + 4);
        }
    }

    /// The number of a worm at its head.
    fn head(&self, svg: &mut String, held: &Held) {
        let (x, y) = self.end(held);
        let _ = writeln!(
            svg,
            "{}<text x=\"{}\" y=\"{:.1}\">{}</text>",
            look(held.packet).mark([x, y], 3.2, ""),
            // Numbers of neighbours stand side by side.
            x + 6.0 + 18.0 * f64::from(held.edge.e % 2),
            y + 4.0,
            held.packet
        );
    }
}

/// What the lines mean, below the drawing.
fn notes(bundle: u32, worms: bool) -> Vec<String> {
    let held = "a coloured line is an edge that a worm holds; each worm has its colour, dashes and mark &#160; mark and number: its head &#160; thin: its last bit has left the edge";
    let bundles = format!(
        "a line is a bundle of {bundle} edges &#160; grey: same row &#160; red: the row with the level's bit changed &#160; out bundle 0 leaves above 1"
    );
    worms.then(|| held.to_string()).into_iter().chain([bundles]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_show_every_switch_and_bundle() {
        let network = DilatedButterfly::new(8, 4, 2).unwrap();
        let svg = to_svg(&network, "a <b>", None);
        assert_eq!(svg.matches("<rect ").count(), 1 + 6 * 8);
        assert_eq!(svg.matches("<line ").count(), 2 * 6 * 8);
        assert_eq!(svg.matches("#b5482a").count(), 6 * 8);
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("bundle of 4 edges"));
        let edge = InEdge { node: Node { level: 2, row: RowIdx(3) }, y: 1, e: 3 };
        let worm = Held { edge, packet: 17, bits: 2, left: false, head: true };
        let tail = Held { edge: InEdge { e: 0, ..edge }, left: true, head: false, ..worm };
        let drawn = to_svg(&network, "a", Some(&[worm, tail]));
        // Packet 17 has the mark and the dashes of the third eight.
        assert_eq!((drawn.matches("<line ").count(), drawn.matches("<polygon ").count()), (2 * 6 * 8 + 2, 1));
        assert_eq!(drawn.matches("stroke-dasharray=\"4 2\"").count(), 1);
        assert_eq!(
            (drawn.matches(">17</text>").count(), drawn.matches("stroke-width=\"0.7\"").count()),
            (1, 1)
        );
        let dot = to_dot(&network, "dilated");
        assert_eq!(dot.matches(" -> ").count(), 2 * 6 * 8);
        assert_eq!(dot.matches("rank=same").count(), 7);
    }
}

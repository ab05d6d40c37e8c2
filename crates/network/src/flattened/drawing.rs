//! The flattened butterfly as routers and channels, in Graphviz DOT and in SVG.

use super::{Channel, channels};
use crate::drawing::{SOURCES, escape, sheet, text_width};
use crate::name::Name;
use std::fmt::Write;

/// The channels of both ways between two routers, once: from the router with the smaller number.
fn pairs(routers: u32) -> impl Iterator<Item = Channel> {
    channels(routers).filter(|channel| channel.from < channel.to())
}

/// In Graphviz DOT: a node per router with its terminals, an edge with two heads per dimension and pair of routers.
pub fn to_dot(routers: u32, name: &Name) -> String {
    let mut dot = format!(
        "digraph \"{name}\" {{\n  layout=circo; node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10]; edge [dir=both, arrowsize=0.5, fontsize=8];\n"
    );
    for router in 0..routers {
        let _ = writeln!(
            dot,
            "  r{router} [label=\"router {router}\\nterminals {}, {}\"];",
            2 * router,
            2 * router + 1
        );
    }
    for channel in pairs(routers) {
        let (from, to, dimension) = (channel.from, channel.to(), channel.dimension);
        let colour = colour(dimension);
        let _ = writeln!(dot, "  r{from} -> r{to} [label=\"{dimension}\", color=\"{colour}\"];");
    }
    dot.push_str("}\n");
    dot
}

fn colour(dimension: u32) -> &'static str {
    SOURCES[dimension as usize % SOURCES.len()]
}

const ROW_GAP: u32 = 44;
const SWITCH: u32 = 18;
const SWITCH_GAP: u32 = 26;
const CHANNEL_GAP: u32 = 14;
const BAND_GAP: u32 = 66;
const LEFT: u32 = 76;
const TOP: u32 = 66;
const NOTE: &str =
    "a row of switches of the Butterfly is a router &#160; a line with two heads: a channel each way";

/// In SVG: a row per router with its `switches`, and to its right the channels, each dimension in a band of its own ("Realizing the
/// right Latin square on the Butterfly–Butterfly", Figure 6). A line with two heads is a channel each way.
pub fn to_svg(routers: u32, switches: u32, title: &str) -> String {
    let dimensions = routers.trailing_zeros();
    let y = |router: u32| TOP + ROW_GAP / 2 + ROW_GAP * router;
    let box_width = switches * SWITCH_GAP + 12;
    let bands = LEFT + box_width + 30;
    // Channels of a dimension that lie side by side: as many as the numbers of their routers are apart.
    let band_width = |dimension: u32| (1 << dimension) * CHANNEL_GAP + BAND_GAP;
    let band = |dimension: u32| bands + (dimension + 1..dimensions).map(band_width).sum::<u32>();
    let end = bands + (0..dimensions).map(band_width).sum::<u32>();
    let mut svg = sheet((end + 40).max(text_width(title, 15.0)).max(text_width(NOTE, 11.0)), y(routers) + 30);
    let _ = writeln!(svg, "<text x=\"12\" y=\"20\" font-size=\"1.36em\">{}</text>", escape(title));
    let heading = |svg: &mut String, x: u32, text: &str| {
        let _ =
            writeln!(svg, "<text x=\"{x}\" y=\"46\" text-anchor=\"middle\" fill=\"#555b66\">{text}</text>");
    };
    heading(&mut svg, 38, "terminals");
    heading(&mut svg, LEFT + box_width / 2, "router");
    for dimension in 0..dimensions {
        let middle = band(dimension) + (band_width(dimension) - BAND_GAP) / 2;
        heading(&mut svg, middle, &format!("dimension {dimension}"));
    }
    for router in 0..routers {
        let y = y(router);
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\" stroke=\"#a7adb8\"/>",
            LEFT + box_width
        );
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"{box_width}\" height=\"30\" rx=\"8\" fill=\"#f4f5f7\" stroke=\"#30343b\"><title>router {router}: switch {router} of every stage</title></rect>",
            y - 15
        );
        for switch in 0..switches {
            let x = LEFT + 6 + switch * SWITCH_GAP + (SWITCH_GAP - SWITCH) / 2;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{}\" width=\"{SWITCH}\" height=\"{SWITCH}\" rx=\"2\" fill=\"#ffffff\" stroke=\"#8a8f98\"><title>switch {router} of stage {switch}</title></rect>",
                y - SWITCH / 2
            );
        }
        for (terminal, y) in [(2 * router, y - 6), (2 * router + 1, y + 12)] {
            let _ =
                writeln!(svg, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{terminal}</text>", LEFT - 16);
            let _ = writeln!(
                svg,
                "<line x1=\"{}\" y1=\"{1}\" x2=\"{LEFT}\" y2=\"{1}\" stroke=\"#a7adb8\"/>",
                LEFT - 12,
                y - 3
            );
        }
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" fill=\"#555b66\">{router}</text>", end + 8, y + 4);
    }
    for channel in pairs(routers) {
        let (from, to, dimension) = (channel.from, channel.to(), channel.dimension);
        let x = band(dimension) + (from % (1 << dimension)) * CHANNEL_GAP + CHANNEL_GAP / 2;
        let (y0, y1, colour) = (y(from), y(to), colour(dimension));
        let _ = writeln!(
            svg,
            "<g stroke=\"{colour}\" fill=\"{colour}\"><title>dimension {dimension}: a channel from router {from} to router {to}, and one back</title><line x1=\"{x}\" y1=\"{y0}\" x2=\"{x}\" y2=\"{y1}\" stroke-width=\"1.8\"/><path d=\"M{x} {y0}l-4 8h8zM{x} {y1}l-4 -8h8z\" stroke=\"none\"/></g>"
        );
    }
    let _ = writeln!(svg, "<text x=\"12\" y=\"{}\" fill=\"#555b66\">{NOTE}</text>", y(routers));
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_router_switch_and_channel_is_there() {
        let svg = to_svg(8, 4, "a <b>");
        // A sheet, 8 routers, 4 switches in each; 8 routers of 3 channels, two of which are a line.
        assert_eq!(svg.matches("<rect ").count(), 1 + 8 + 32);
        assert_eq!(svg.matches("<path ").count(), 12);
        assert!(svg.contains("a &lt;b&gt;"));
        for channel in channels(8).filter(|channel| channel.from < channel.to()) {
            let said = format!(
                "dimension {}: a channel from router {} to router {}, and one back",
                channel.dimension,
                channel.from,
                channel.to()
            );
            assert_eq!(svg.matches(&said).count(), 1, "{said}");
        }
        // Lines of one dimension that overlap do not lie on each other.
        let at = |line: &str| line.split("x1=\"").nth(1)?.split('"').next()?.parse::<u32>().ok();
        let lines: Vec<u32> = svg.lines().filter(|line| line.starts_with("<g ")).filter_map(at).collect();
        let mut places = lines.clone();
        places.sort_unstable();
        places.dedup();
        assert_eq!((lines.len(), places.len()), (12, 4 + 2 + 1));
        let dot = to_dot(8, &Name::new("x").unwrap());
        assert_eq!((dot.matches(" -> ").count(), dot.matches("router ").count()), (12, 8));
    }
}

//! How messages are told apart: a colour, and beyond so many colours the shape of the mark and the dashes of the line.
//!
//! The colours are of the schemes of Okabe and Ito and of Paul Tol, as those of the plots are. Each set was found by a search for the
//! greatest smallest distance: between any two, and to the colour of what is wrong, CIEDE2000 is 11 at least, for eyes without long,
//! medium or short cones, too. The contrast to the ground is 3 at least. The tests of the plots (`plot::vision` of the command) hold
//! them to it.

/// Colours of messages on white.
pub const SOURCES: [&str; 8] =
    ["#0077bb", "#999933", "#cc79a7", "#117733", "#332288", "#882255", "#994f88", "#42150a"];
/// Colours of messages on the dark ground of a page.
pub const SOURCES_DARK: [&str; 8] =
    ["#437dbf", "#f7f056", "#ba8db4", "#44bb99", "#99ddff", "#e69f00", "#994f88", "#117733"];
/// The colour of what is wrong, on white. No message has it.
pub const WRONG: &str = "#d1001f";
/// The colour of what is wrong, on the dark ground of a page.
pub const WRONG_DARK: &str = "#ff5a6a";
/// The dark ground of a page.
pub const GROUND_DARK: &str = "#14171c";

/// Dashes of lines (`stroke-dasharray`), one for each shape of a mark.
const DASHES: [&str; 4] = ["", "10 3", "4 2", "10 3 2 3"];

/// How the message with a number looks: 32 numbers in a row differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The colour of its mark and its line, of [`SOURCES`].
    pub colour: &'static str,
    /// The shape of its mark: 0 circle, 1 square, 2 diamond, 3 hexagon.
    pub shape: u32,
    /// The `stroke-dasharray` of its line; empty: the line has no gaps.
    pub dashes: &'static str,
}

/// The look of the message or source with this number.
pub fn look(number: u32) -> Look {
    let shape = number / SOURCES.len() as u32 % DASHES.len() as u32;
    Look { colour: SOURCES[number as usize % SOURCES.len()], shape, dashes: DASHES[shape as usize] }
}

impl Look {
    /// The attribute of its dashes, with a blank before it; nothing if its line has no gaps.
    pub fn dashed(&self) -> String {
        if self.dashes.is_empty() {
            return String::new();
        }
        format!(" stroke-dasharray=\"{}\"", self.dashes)
    }

    /// Its mark as an element: `radius` is half its width, `more` has further attributes, with a blank before each.
    pub fn mark(&self, [x, y]: [f64; 2], radius: f64, more: &str) -> String {
        let fill = format!("fill=\"{}\"{more}", self.colour);
        if self.shape == 0 {
            return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {fill}/>");
        }
        let corner = |(dx, dy): &(f64, f64)| format!("{:.1},{:.1}", x + dx * radius, y + dy * radius);
        let points: Vec<String> = corners(self.shape).iter().map(corner).collect();
        format!("<polygon points=\"{}\" {fill}/>", points.join(" "))
    }
}

/// The corners of a shape of radius 1.
fn corners(shape: u32) -> &'static [(f64, f64)] {
    match shape {
        1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        _ => &[(-1.15, 0.0), (-0.6, -1.0), (0.6, -1.0), (1.15, 0.0), (0.6, 1.0), (-0.6, 1.0)],
    }
}

/// Black or white: what is read better on a colour `#rrggbb` (its relative luminance as WCAG 2 has it).
pub fn ink_on(colour: &str) -> &'static str {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0)) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    if luminance > 0.179 { "#000000" } else { "#ffffff" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_two_messages_in_a_row_differ_and_none_is_wrong() {
        let looks: Vec<Look> = (5..37).map(look).collect();
        for (at, one) in looks.iter().enumerate() {
            assert!(looks[..at].iter().all(|other| (one.colour, one.dashes) != (other.colour, other.dashes)));
            let mark = one.mark([0.0, 0.0], 8.0, "");
            assert!(looks[..at].iter().all(|other| mark != other.mark([0.0, 0.0], 8.0, "")));
            assert_ne!(one.colour, WRONG);
        }
        // With colours alone they do not: the check sees it.
        assert_eq!((look(0).colour, look(0) == look(8)), (look(8).colour, false));
        assert_eq!((ink_on("#999933"), ink_on("#332288")), ("#000000", "#ffffff"));
    }
}

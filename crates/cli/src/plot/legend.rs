//! Legends: what each line and mark means, in a corner where nothing is drawn, or above the chart if every corner is taken.

use super::figure::Corner;
use super::panel::{Drawn, Panel, diamond};
use super::style::{SAMPLE, Sample, Style};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels from the frame of a legend to what is in it, and to what is around it.
const PADDING: i32 = 10;
const MARGIN: i32 = 10;

/// What stands before a text of a legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    /// Nothing: the text belongs to the one above it.
    None,
    /// A piece of a line with a point.
    Line(Style),
    /// The line of a limit.
    Limit(RGBColor),
    /// The mark on lines.
    Diamond,
    /// A bar of the interval of a mean.
    Bar(RGBColor),
}

/// A line of a legend.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What stands before the text.
    pub sign: Sign,
    pub text: String,
}

/// A rectangle in pixels: left, top, right, bottom.
pub type Rectangle = [i32; 4];

/// The texts of a legend: font size and the height of a line in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub font: (&'static str, i32),
    pub line: i32,
}

/// The width and height of a legend with its frame.
pub fn size(entries: &[Entry], text: Text) -> (i32, i32) {
    (SAMPLE + 8 + widest(entries, text) + 2 * PADDING, text.line * entries.len() as i32 + 2 * PADDING - 4)
}

/// The width of the widest text.
fn widest(entries: &[Entry], text: Text) -> i32 {
    let width = |entry: &Entry| text.font.into_font().box_size(&entry.text).map_or(0, |size| size.0 as i32);
    entries.iter().map(width).max().unwrap_or(0)
}

/// Where in a chart a legend of this size lies on none of what is drawn: the wanted corner, or else the first other that is free.
pub fn free_corner(
    chart: Rectangle,
    (width, height): (i32, i32),
    wanted: Corner,
    drawn: &[[(i32, i32); 2]],
) -> Option<Rectangle> {
    let [left, top, right, bottom] = chart;
    let (near, far) = (left + MARGIN, right - MARGIN - width);
    let (high, low) = (top + MARGIN, bottom - MARGIN - height);
    let corners = [
        (Some(Corner::Left), near, high),
        (Some(Corner::Right), far, high),
        (Some(Corner::LowerRight), far, low),
        (None, near, low),
    ];
    let wanted_first = corners.iter().filter(|corner| corner.0 == Some(wanted));
    let places = wanted_first.chain(&corners).map(|&(_, x, y)| [x, y, x + width, y + height]);
    let inside =
        |place: &Rectangle| place[0] >= left && place[1] >= top && place[2] <= right && place[3] <= bottom;
    places.filter(inside).find(|place| !drawn.iter().any(|&line| meets(line, grown(*place, 6))))
}

fn grown([left, top, right, bottom]: Rectangle, by: i32) -> Rectangle {
    [left - by, top - by, right + by, bottom + by]
}

/// Whether a line from point to point meets a rectangle: what is left of it between each pair of sides (Liang and Barsky).
pub fn meets([from, to]: [(i32, i32); 2], [left, top, right, bottom]: Rectangle) -> bool {
    let axes = [(from.0, to.0, left, right), (from.1, to.1, top, bottom)];
    let mut part = (0.0, 1.0);
    for (from, to, low, high) in axes {
        let [from, to, low, high] = [from, to, low, high].map(f64::from);
        if from == to {
            if from < low || from > high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - from) / (to - from), (high - from) / (to - from));
        part = (f64::max(part.0, a.min(b)), f64::min(part.1, a.max(b)));
    }
    part.0 <= part.1
}

/// A legend with its frame, over the chart.
pub fn draw_framed<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    entries: &[Entry],
    [left, top, right, bottom]: Rectangle,
    text: Text,
) -> Drawn<DB>
where
    DB::ErrorType: 'static,
{
    let corners = [(left, top), (right, bottom)];
    area.draw(&plotters::element::Rectangle::new(corners, WHITE.mix(0.9).filled()))?;
    area.draw(&plotters::element::Rectangle::new(corners, RGBColor(160, 160, 160).stroke_width(1)))?;
    draw_column(area, entries, (left + PADDING, top + PADDING + text.line / 2 - 2), text)
}

/// Entries one below the other, the middle of the first at a place.
pub fn draw_column<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    entries: &[Entry],
    (x, y): (i32, i32),
    text: Text,
) -> Drawn<DB>
where
    DB::ErrorType: 'static,
{
    let style = text.font.into_font().into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    for (at, entry) in entries.iter().enumerate() {
        let y = y + text.line * at as i32;
        draw_sign(area, entry.sign, (x, y))?;
        area.draw(&plotters::element::Text::new(entry.text.as_str(), (x + SAMPLE + 8, y), style.clone()))?;
    }
    Ok(())
}

/// Entries above a chart in as many columns as fit, or how many rows that takes.
pub fn columns(entries: &[Entry], width: i32, text: Text) -> (usize, usize) {
    let each = SAMPLE + 8 + widest(entries, text) + 24;
    let columns = ((width / each.max(1)) as usize).clamp(1, entries.len().max(1));
    (columns, entries.len().div_ceil(columns))
}

fn draw_sign<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, sign: Sign, (x, y): (i32, i32)) -> Drawn<DB>
where
    DB::ErrorType: 'static,
{
    let middle = x + SAMPLE / 2;
    match sign {
        Sign::None => Ok(()),
        Sign::Line(style) => area.draw(&Sample { at: (x, y), style }),
        Sign::Limit(colour) => {
            area.draw(&PathElement::new([(x, y), (x + SAMPLE, y)], colour.stroke_width(2)))
        }
        Sign::Diamond => area.draw(&(EmptyElement::at((middle, y)) + diamond(0, 0))),
        Sign::Bar(colour) => {
            let ends = [y - 6, y + 6].map(|end| [(middle - 3, end), (middle + 3, end)]);
            [[(middle, y - 6), (middle, y + 6)], ends[0], ends[1]]
                .into_iter()
                .try_for_each(|line| area.draw(&PathElement::new(line, colour.stroke_width(1))))
        }
    }
}

/// The entries of a panel's legend, in order: the limit, the lines with their notes, the marks, the bars, what is not shown.
pub fn entries(panel: &Panel) -> Vec<Entry> {
    let limit = panel.limit().map(|(text, colour)| Entry { sign: Sign::Limit(colour), text });
    let lines = panel
        .labels()
        .into_iter()
        .map(|(text, style)| Entry { sign: style.map_or(Sign::None, Sign::Line), text });
    let mark = panel.mark_name().map(|text| Entry { sign: Sign::Diamond, text });
    let bars = panel.bars_name().map(|(text, colour)| Entry { sign: Sign::Bar(colour), text });
    let hidden = panel.hidden().map(|text| Entry { sign: Sign::None, text });
    limit.into_iter().chain(lines).chain(mark).chain(bars).chain(hidden).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_lies_on_no_line() {
        let chart = [0, 0, 400, 300];
        let place = |wanted, drawn: &[[(i32, i32); 2]]| free_corner(chart, (100, 60), wanted, drawn);
        let rising = [(0, 300), (400, 0)];
        assert_eq!(place(Corner::Left, &[rising]), Some([10, 10, 110, 70]));
        // The wanted corner is taken: the next that is free.
        assert_eq!(place(Corner::Right, &[rising]), Some([10, 10, 110, 70]));
        let falling = [(0, 0), (400, 300)];
        assert_eq!(place(Corner::Left, &[falling]), Some([290, 10, 390, 70]));
        // A line that only passes, without an end in the corner.
        assert_eq!(place(Corner::Left, &[[(60, 0), (60, 300)]]), Some([290, 10, 390, 70]));
        // No corner, or no room at all: it goes above the chart.
        assert_eq!(place(Corner::Left, &[rising, falling]), None);
        assert_eq!(free_corner(chart, (500, 60), Corner::Left, &[]), None);
        assert!(meets(falling, [190, 140, 210, 160]) && !meets(falling, [300, 10, 390, 70]));
    }
}

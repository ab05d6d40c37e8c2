//! A timing diagram as SVG.

use super::{Diagram, DiagramRow, Level};
use std::fmt::Write;

/// Widths and heights in pixels.
const NAMES: usize = 120;
const COLUMN: usize = 44;
const HEAD: usize = 48;
const ROW: usize = 32;
/// Of a wave, below the upper edge of its row.
const TOP: usize = 6;
const BOTTOM: usize = 26;
/// Half of the slope between two values.
const SLOPE: usize = 4;

// Writing to a String cannot fail, so the results of write! and writeln! are dropped in this file.

/// The picture: the cycle of every column above, a row for each signal.
pub fn render(diagram: &Diagram) -> String {
    let width = NAMES + COLUMN * diagram.columns.len() + 8;
    let height = HEAD + ROW * diagram.rows.len() + 8;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"8\" y=\"18\" font-weight=\"bold\">{title}</text>\n",
        title = diagram.title,
    );
    for (at, column) in diagram.columns.iter().enumerate() {
        let label = column.map_or("…".into(), |cycle| cycle.to_string());
        centred(&mut text, at, HEAD - 8, &label, "#666");
    }
    for (at, row) in diagram.rows.iter().enumerate() {
        let top = HEAD + ROW * at;
        let _ = writeln!(text, "<text x=\"8\" y=\"{}\">{}</text>", top + 20, row.name);
        draw(&mut text, diagram, row, top);
    }
    text.push_str("</svg>\n");
    text
}

fn centred(text: &mut String, column: usize, y: usize, what: &str, colour: &str) {
    let x = NAMES + COLUMN * column + COLUMN / 2;
    let _ =
        writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{colour}\">{what}</text>");
}

/// One signal: lines for levels, a box for every value; nothing in a gap.
fn draw(text: &mut String, diagram: &Diagram, row: &DiagramRow, top: usize) {
    let (high, low) = (top + TOP, top + BOTTOM);
    let mut levels = row.levels.iter();
    let mut line = String::new();
    let mut before: Option<usize> = None;
    for (at, column) in diagram.columns.iter().enumerate() {
        let (left, right) = (NAMES + COLUMN * at, NAMES + COLUMN * (at + 1));
        let middle = left + COLUMN / 2;
        let level = column.and_then(|_| levels.next());
        // A line goes on from where it is, or begins.
        let mut to = |y: usize| {
            let _ = match before {
                Some(other) if other == y => write!(line, " H{right}"),
                Some(_) => write!(line, " V{y} H{right}"),
                None => write!(line, " M{left} {y} H{right}"),
            };
            before = Some(y);
        };
        match level {
            Some(Level::Low) => to(low),
            Some(Level::High) => to(high),
            // The rising edge ends the period.
            Some(Level::Clock) => {
                let _ = match before {
                    Some(_) => write!(line, " H{middle} V{low} H{right} V{high}"),
                    None => write!(line, " M{left} {high} H{middle} V{low} H{right} V{high}"),
                };
                before = Some(high);
            }
            Some(Level::Value(value)) => {
                let half = (high + low) / 2;
                let (inner_left, inner_right) = (left + SLOPE, right - SLOPE);
                let _ = writeln!(
                    text,
                    "<path d=\"M{left} {half} L{inner_left} {high} H{inner_right} L{right} {half} \
                     L{inner_right} {low} H{inner_left} Z\" fill=\"#def\" stroke=\"#000\"/>"
                );
                centred(text, at, low - 6, &value.to_string(), "#000");
                before = None;
            }
            Some(Level::Unknown) => {
                let (y, height) = (high, low - high);
                let _ = writeln!(
                    text,
                    "<rect x=\"{left}\" y=\"{y}\" width=\"{COLUMN}\" height=\"{height}\" fill=\"#ddd\"/>"
                );
                before = None;
            }
            None => before = None,
        }
    }
    if !line.is_empty() {
        let _ = writeln!(text, "<path d=\"{}\" fill=\"none\" stroke=\"#000\"/>", line.trim_start());
    }
}

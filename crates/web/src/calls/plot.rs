//! A figure of the planned systems against N, as a drawing with logarithmic axes.

use super::beside::check_compared;
use anyhow::{Result, bail};
use frit_design::compare::column::columns;
use frit_design::compare::table::{rows, subjects};
use frit_network::drawing::{Look, escape, look};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What is drawn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlotRequest {
    /// The name of a column of the comparison that has numbers.
    column: String,
    /// The largest N; the others are the powers of two below it, from 4 on.
    n: u64,
}

/// Where the axes end, from the left and from the top of the sheet.
const LEFT: f64 = 80.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 400.0;
/// The sheet, with room for the legend.
const SHEET: [u32; 2] = [880, 450];
const SMALLEST: u64 = 4;
/// Between two lines of the legend.
const LINE: f64 = 20.0;

/// A system: its name, and its points (N, value). Lines that coincide look alike.
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// The drawing, and its number of points.
pub(super) fn plot(asked: &PlotRequest) -> Result<Value> {
    check_compared(asked.n)?;
    let Some(column) = columns(false).find(|column| column.numeric && column.name == asked.column) else {
        let known: Vec<&str> =
            columns(false).filter(|column| column.numeric).map(|column| column.name).collect();
        bail!("{:?} is not a column with numbers; the columns are: {}", asked.column, known.join(", "))
    };
    let powers = (0..64).map(|power| SMALLEST << power).take_while(|&n| n < asked.n);
    let sizes: Vec<u64> = powers.chain([asked.n]).collect();
    let (mut series, mut zeros): (Vec<Series>, usize) = (Vec::new(), 0);
    for row in rows(&subjects(&[])?, &sizes, |_| ()) {
        let name = row.subject.name();
        let at = series.iter().position(|series| series.name == name).unwrap_or_else(|| {
            series.push(Series { name, points: Vec::new() });
            series.len() - 1
        });
        let Some(value) = column.cell(&row).as_f64().filter(|_| row.refusal.is_none()) else {
            continue;
        };
        if value <= 0.0 {
            zeros += 1;
            continue;
        }
        series[at].points.push((row.asked as f64, value));
    }
    series.retain(|series| !series.points.is_empty());
    let points = series.iter().map(|series| series.points.len()).sum::<usize>();
    if points == 0 {
        bail!("{} is 0 for every system up to N = {}; choose another column", column.head, asked.n);
    }
    let mut note = format!(
        "N from {SMALLEST} to {}; systems that do not exist with N terminals have no point there; systems that coincide look alike",
        asked.n
    );
    if zeros > 0 {
        let _ = write!(note, "; {zeros} points at 0 are left out");
    }
    let name = format!("{}_against_n.svg", column.name);
    Ok(
        json!({ "name": name, "text": drawing(column.head, &series, &note), "points": points, "zeros": zeros }),
    )
}

/// An axis with a logarithmic scale.
struct Axis {
    values: [f64; 2],
    places: [f64; 2],
}

impl Axis {
    /// From the smallest to the largest value, or so much more that they differ.
    fn new(values: impl Iterator<Item = f64> + Clone, places: [f64; 2]) -> Axis {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(least, f64::max);
        Axis { values: [least, most.max(2.0 * least)], places }
    }

    fn place(&self, value: f64) -> f64 {
        let [[least, most], [from, to]] = [self.values, self.places];
        from + (value / least).log2() / (most / least).log2() * (to - from)
    }

    /// Powers of ten on the axis; where there are fewer than three, twice and five times as much, too.
    fn tens(&self) -> Vec<f64> {
        let within = |value: &f64| (self.values[0]..=self.values[1]).contains(value);
        let all = |steps: &[f64]| -> Vec<f64> {
            let tens = (0..20).flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
            tens.filter(within).collect()
        };
        Some(all(&[1.0])).filter(|tens| tens.len() > 2).unwrap_or_else(|| all(&[1.0, 2.0, 5.0]))
    }
}

fn drawing(title: &str, series: &[Series], note: &str) -> String {
    let all = || series.iter().flat_map(|series| &series.points);
    let x = Axis::new(all().map(|point| point.0), [LEFT, RIGHT]);
    let y = Axis::new(all().map(|point| point.1), [BOTTOM, TOP]);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{2}</text>\n",
        SHEET[0],
        SHEET[1],
        escape(title)
    );
    let mut put = |text: String| svg += &format!("{text}\n");
    let line = |[x1, y1, x2, y2]: [f64; 4]| {
        format!("<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#c3c8d0\"/>")
    };
    let sizes: BTreeSet<u64> = all().map(|point| point.0 as u64).collect();
    for n in sizes {
        let at = x.place(n as f64);
        put(line([at, TOP, at, BOTTOM]));
        put(format!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{n}</text>", BOTTOM + 18.0));
    }
    for value in y.tens() {
        let at = y.place(value);
        put(line([LEFT, at, RIGHT, at]));
        put(format!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>", LEFT - 8.0, at + 4.0));
    }
    put(format!(
        "<text x=\"{LEFT}\" y=\"{}\" font-size=\"11\" fill=\"#5a6170\">{}</text>",
        BOTTOM + 38.0,
        escape(note)
    ));
    let mut lines: Vec<&Vec<(f64, f64)>> = Vec::new();
    for (at, Series { name, points }) in series.iter().enumerate() {
        let known = lines.iter().position(|line| *line == points);
        let look = look(known.unwrap_or(lines.len()) as u32);
        if known.is_none() {
            lines.push(points);
            let places: Vec<[f64; 2]> =
                points.iter().map(|point| [x.place(point.0), y.place(point.1)]).collect();
            put(drawn(&look, &places));
        }
        let middle = TOP + LINE * at as f64;
        put(drawn(&look, &[[RIGHT + 20.0, middle], [RIGHT + 50.0, middle]]));
        put(format!("<text x=\"{}\" y=\"{:.1}\">{}</text>", RIGHT + 60.0, middle + 4.0, escape(name)));
    }
    svg + "</svg>\n"
}

/// A line through places, and a mark at each.
fn drawn(look: &Look, places: &[[f64; 2]]) -> String {
    let path: Vec<String> = places.iter().map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
    let marks: String = places.iter().map(|&place| look.mark(place, 4.0, "")).collect();
    format!(
        "<path d=\"M{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>{marks}",
        path.join("L"),
        look.colour,
        look.dashed()
    )
}

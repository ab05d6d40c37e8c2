//! Draws figures side by side, as SVG or PNG, with a font of its own: the same bytes on every machine.

use super::file::PlotFile;
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use serde::Deserialize;
use std::sync::Once;

/// A subset (ASCII and a few signs) of DejaVu Sans; its licence is beside it.
const FONT: &[u8] = include_bytes!("../../assets/plot-font.ttf");
/// Its name in an SVG, whose viewer has fonts of its own.
const FAMILY: &str = "DejaVu Sans, sans-serif";

/// How an axis is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// By factors of ten.
    #[default]
    Log,
    /// Evenly.
    Linear,
}

/// A mean over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Where.
    pub x: f64,
    /// The mean.
    pub y: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// Points that belong together.
pub struct Series {
    /// In the legend.
    pub name: String,
    /// In order of x.
    pub means: Vec<Mean>,
    /// An x that is shown with a mark on the line.
    pub mark: Option<f64>,
    /// What its points look like.
    pub marker: Marker,
}

/// What a point looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A dot.
    Dot,
    /// A ring of this radius in pixels: seen around that of another line in the same place, if that is smaller.
    Ring(i32),
}

impl Marker {
    fn circle<C>(self, centre: C, color: RGBColor) -> Circle<C, i32> {
        match self {
            Marker::Dot => Circle::new(centre, 3, color.filled()),
            Marker::Ring(radius) => Circle::new(centre, radius, color.stroke_width(2)),
        }
    }
}

impl Series {
    /// The line at `x`, between its points as the scales draw it; none outside of them.
    fn at(&self, x: f64, axes: Axes) -> Option<f64> {
        let pair = self.means.windows(2).find(|pair| (pair[0].x..=pair[1].x).contains(&x))?;
        let place = |x| axes.x.place(x);
        let part = (place(x) - place(pair[0].x)) / (place(pair[1].x) - place(pair[0].x));
        let (from, to) = (axes.y.place(pair[0].y), axes.y.place(pair[1].y));
        Some(axes.y.value(from + part * (to - from)))
    }
}

/// What is drawn.
pub struct Figure {
    /// Above it.
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x: String,
    /// The vertical axis, with its unit.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
    /// A horizontal line and what it is.
    pub limit: Option<(f64, String)>,
    /// What the marks on the lines are.
    pub mark: Option<String>,
    /// What the bars are.
    pub bars: String,
    /// Where the legend hides no line.
    pub legend: Corner,
}

/// An upper corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Where lines rise.
    Left,
    /// Where lines fall.
    Right,
}

/// The figures as SVG. Width and height are of all together.
pub fn svg(figures: &[Figure], look: &PlotFile) -> Result<String> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (look.width, look.height)).into_drawing_area();
    draw(&area, figures, look)?;
    drop(area);
    Ok(text)
}

/// The same as PNG.
pub fn png(figures: &[Figure], look: &PlotFile) -> Result<Vec<u8>> {
    // The backend writes to a path, and tells the format from its end.
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("figure.png");
    let area = BitMapBackend::new(&path, (look.width, look.height)).into_drawing_area();
    draw(&area, figures, look)?;
    drop(area);
    Ok(std::fs::read(&path)?)
}

/// A range of an axis and how it is divided. Coordinates given to plotters are places: logarithms, if the scale is.
#[derive(Clone, Copy)]
struct Axis {
    scale: Scale,
    from: f64,
    to: f64,
}

impl Axis {
    /// Around values, of which only positive ones fit on a logarithmic scale.
    fn around(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let fits = |v: &f64| v.is_finite() && (scale == Scale::Linear || *v > 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(fits) {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            (least, most) = (1.0, 10.0);
        }
        let axis = Axis { scale, from: 0.0, to: 0.0 };
        let (from, to) = match scale {
            Scale::Log => (axis.place(least), axis.place(most)),
            Scale::Linear => (least.min(0.0), most),
        };
        let room = ((to - from) * 0.03).max(1e-3);
        let below = if scale == Scale::Log { room } else { 0.0 };
        Axis { from: from - below, to: to + room, ..axis }
    }

    fn place(self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => value.log10(),
            Scale::Linear => value,
        }
    }

    fn value(self, place: f64) -> f64 {
        match self.scale {
            Scale::Log => 10f64.powf(place),
            Scale::Linear => place,
        }
    }

    /// Places with a label.
    fn labelled(self) -> Vec<f64> {
        match self.scale {
            Scale::Log => {
                let decades = self.to - self.from;
                let factors: &[f64] = if decades < 3.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                self.multiples(factors)
            }
            Scale::Linear => {
                let rough = (self.to - self.from) / 6.0;
                let power = 10f64.powf(rough.log10().floor());
                let step =
                    [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= rough).unwrap_or(10.0) * power;
                let first = (self.from / step).ceil() as i64;
                (first..).map(|k| k as f64 * step).take_while(|&place| place <= self.to).collect()
            }
        }
    }

    /// Places with a thin line.
    fn thin(self) -> Vec<f64> {
        match self.scale {
            Scale::Log => self.multiples(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
            Scale::Linear => vec![],
        }
    }

    fn multiples(self, factors: &[f64]) -> Vec<f64> {
        let decades = self.from.floor() as i32..=self.to.ceil() as i32;
        decades
            .flat_map(|decade| factors.iter().map(move |factor| factor.log10() + decade as f64))
            .filter(|place| (self.from..=self.to).contains(place))
            .collect()
    }

    /// A label: three digits in groups, as many behind the point as it needs.
    fn label(self, place: f64) -> String {
        let value = self.value(place);
        if value.abs() < 0.999 && value != 0.0 {
            let digits = (1.0 - value.abs().log10().floor()).max(0.0) as usize;
            let text = format!("{value:.digits$}");
            return text.trim_end_matches('0').into();
        }
        let whole = format!("{:.0}", value.abs());
        let groups: Vec<&str> =
            whole.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
        format!("{}{}", if value < 0.0 { "-" } else { "" }, groups.join(" "))
    }
}

#[derive(Clone, Copy)]
struct Axes {
    x: Axis,
    y: Axis,
}

/// An axis whose divisions are ours.
struct Divided(Axis);

impl Ranged for Divided {
    type FormatOption = plotters::coord::ranged1d::NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.0.from..self.0.to).map(value, limit)
    }

    fn key_points<Hint: plotters::coord::ranged1d::KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.weight() {
            plotters::coord::ranged1d::KeyPointWeight::Bold => self.0.labelled(),
            plotters::coord::ranged1d::KeyPointWeight::Any => self.0.thin(),
        }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.0.from..self.0.to
    }
}

impl ValueFormatter<f64> for Divided {
    fn format_ext(&self, place: &f64) -> String {
        self.0.label(*place)
    }
}

/// Fonts are registered for the whole program.
fn register_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for style in [FontStyle::Normal, FontStyle::Bold] {
            let registered = plotters::style::register_font(FAMILY, style, FONT);
            assert!(registered.is_ok(), "the font of the plots is one");
        }
    });
}

/// From dark blue over green to orange, in `count` steps that are told apart in grey, too.
fn colour(at: usize, count: usize) -> RGBColor {
    const STOPS: [(f64, f64, f64); 5] = [
        (68.0, 1.0, 84.0),
        (59.0, 82.0, 139.0),
        (33.0, 145.0, 140.0),
        (94.0, 190.0, 80.0),
        (235.0, 150.0, 20.0),
    ];
    let place = at as f64 / (count.max(2) - 1) as f64 * (STOPS.len() - 1) as f64;
    let from = (place as usize).min(STOPS.len() - 2);
    let part = place - from as f64;
    let (a, b) = (STOPS[from], STOPS[from + 1]);
    let mix = |a: f64, b: f64| (a + (b - a) * part).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

const GREY: RGBColor = RGBColor(90, 90, 90);
const LIMIT: RGBColor = RGBColor(200, 30, 30);

fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, figures: &[Figure], look: &PlotFile) -> Result<()>
where
    DB::ErrorType: 'static,
{
    register_font();
    let draw_all = || {
        area.fill(&WHITE)?;
        let panels = area.split_evenly((1, figures.len()));
        panels.iter().zip(figures).try_for_each(|(panel, figure)| draw_chart(panel, figure, look))?;
        area.present()
    };
    draw_all().map_err(|error| anyhow!("the plot cannot be drawn: {error}"))
}

fn draw_chart<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    figure: &Figure,
    look: &PlotFile,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>>
where
    DB::ErrorType: 'static,
{
    let limit = figure.limit.as_ref().filter(|_| look.limit);
    let means = || figure.series.iter().flat_map(|series| &series.means);
    let ends = |mean: &Mean| {
        let deviation = if look.error_bars { mean.deviation } else { 0.0 };
        [mean.y - deviation, mean.y + deviation]
    };
    let axes = Axes {
        x: Axis::around(means().map(|mean| mean.x), look.x_scale),
        y: Axis::around(means().flat_map(ends).chain(limit.map(|limit| limit.0)), look.y_scale),
    };
    let font = |size: i32| (FAMILY, size);
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .caption(&figure.title, font(20))
        .x_label_area_size(56)
        .y_label_area_size(72)
        .build_cartesian_2d(Divided(axes.x), Divided(axes.y))?;
    chart
        .configure_mesh()
        .x_desc(&figure.x)
        .y_desc(&figure.y)
        .axis_desc_style(font(16))
        .label_style(font(14))
        .bold_line_style(RGBColor(200, 200, 200))
        .light_line_style(RGBColor(235, 235, 235))
        .draw()?;

    let sample =
        |color: RGBColor| move |(x, y)| PathElement::new([(x, y), (x + 22, y)], color.stroke_width(2));
    if let Some((value, name)) = limit {
        let y = axes.y.place(*value);
        let line = LineSeries::new([(axes.x.from, y), (axes.x.to, y)], LIMIT.stroke_width(2));
        chart.draw_series(line)?.label(name).legend(sample(LIMIT));
    }
    let bars = look.error_bars && means().any(|mean| mean.deviation > 0.0);
    for (at, series) in figure.series.iter().enumerate() {
        let color = colour(at, figure.series.len());
        let point = |mean: &Mean| (axes.x.place(mean.x), axes.y.place(mean.y));
        let line = LineSeries::new(series.means.iter().map(point), color.stroke_width(2));
        let sample = sample(color);
        let label = chart.draw_series(line)?.label(&series.name);
        match series.marker {
            Marker::Dot => label.legend(sample),
            ring => {
                label.legend(move |at| EmptyElement::at(at) + sample((0, 0)) + ring.circle((11, 0), color))
            }
        };
        chart.draw_series(series.means.iter().map(|mean| series.marker.circle(point(mean), color)))?;
        if bars {
            chart.draw_series(series.means.iter().filter(|mean| mean.deviation > 0.0).map(|mean| {
                let [low, high] = ends(mean);
                let low = if low > axes.y.value(axes.y.from) { axes.y.place(low) } else { axes.y.from };
                let (x, y) = point(mean);
                ErrorBar::new_vertical(x, low, y, axes.y.place(high), color.stroke_width(1), 7)
            }))?;
        }
    }
    if let Some(name) = figure.mark.as_ref().filter(|_| look.n_log_n) {
        let marks: Vec<(f64, f64)> = figure
            .series
            .iter()
            .filter_map(|series| {
                let x = series.mark?;
                Some((axes.x.place(x), axes.y.place(series.at(x, axes)?)))
            })
            .collect();
        if !marks.is_empty() {
            chart
                .draw_series(marks.iter().map(|&at| EmptyElement::at(at) + diamond(0, 0)))?
                .label(name)
                .legend(|(x, y)| EmptyElement::at((x, y)) + diamond(11, 0));
        }
    }
    if bars && !figure.bars.is_empty() {
        let none: [Circle<(f64, f64), i32>; 0] = [];
        chart.draw_series(none)?.label(&figure.bars).legend(|(x, y)| {
            let stroke = GREY.stroke_width(1);
            EmptyElement::at((x, y))
                + PathElement::new([(11, -6), (11, 6)], stroke)
                + PathElement::new([(8, -6), (14, -6)], stroke)
                + PathElement::new([(8, 6), (14, 6)], stroke)
        });
    }
    chart
        .configure_series_labels()
        .position(match figure.legend {
            Corner::Left => SeriesLabelPosition::UpperLeft,
            Corner::Right => SeriesLabelPosition::UpperRight,
        })
        .legend_area_size(30)
        .margin(12)
        .label_font(font(14))
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(160, 160, 160))
        .draw()?;
    Ok(())
}

/// A black diamond around a place in pixels.
fn diamond(x: i32, y: i32) -> Polygon<(i32, i32)> {
    Polygon::new([(x - 6, y), (x, y - 6), (x + 6, y), (x, y + 6)], BLACK.filled())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(from: f64, to: f64) -> Axis {
        Axis::around([from, to].into_iter(), Scale::Log)
    }

    #[test]
    fn divisions_and_labels() {
        let labels =
            |axis: Axis| axis.labelled().into_iter().map(|place| axis.label(place)).collect::<Vec<_>>();
        assert_eq!(labels(log(0.5, 8.0)), ["0.5", "1", "2", "5"]);
        assert_eq!(labels(log(1.0, 1e6)), ["1", "10", "100", "1 000", "10 000", "100 000", "1 000 000"]);
        let linear = Axis::around([0.0, 45.0].into_iter(), Scale::Linear);
        assert_eq!(labels(linear), ["0", "10", "20", "30", "40"]);
        assert_eq!(labels(Axis::around(std::iter::empty(), Scale::Log)), ["1", "2", "5", "10"]);
    }

    #[test]
    fn marks_lie_on_the_line_as_it_is_drawn() {
        let mean = |x, y| Mean { x, y, deviation: 0.0 };
        let series = Series {
            name: String::new(),
            means: vec![mean(1.0, 16.0), mean(4.0, 4.0)],
            mark: None,
            marker: Marker::Dot,
        };
        let axes = Axes { x: log(1.0, 4.0), y: log(4.0, 16.0) };
        assert!((series.at(2.0, axes).unwrap() - 8.0).abs() < 1e-9);
        assert_eq!(series.at(5.0, axes), None);
    }
}

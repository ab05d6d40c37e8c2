//! Draws figures side by side, as SVG or PNG, with a font of its own: the same bytes on every machine.

use super::axis::{Axes, Axis, Divided};
use super::figure::{Corner, Figure, Marker, Mean, Series};
use super::look::PlotFile;
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::sync::Once;

/// A subset (ASCII and a few signs) of DejaVu Sans; its licence is beside it.
const FONT: &[u8] = include_bytes!("../../assets/plot-font.ttf");
/// Its name in an SVG, whose viewer has fonts of its own.
const FAMILY: &str = "DejaVu Sans, sans-serif";

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

/// What has been set up for drawing in places.
type Chart<'a, DB> = ChartContext<'a, DB, Cartesian2d<Divided, Divided>>;
type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

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
) -> Drawn<DB>
where
    DB::ErrorType: 'static,
{
    let panel = Panel::new(figure, look);
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .caption(&figure.title, font(20))
        .x_label_area_size(56)
        .y_label_area_size(72)
        .build_cartesian_2d(Divided(panel.axes.x), Divided(panel.axes.y))?;
    chart
        .configure_mesh()
        .x_desc(&figure.x)
        .y_desc(&figure.y)
        .axis_desc_style(font(16))
        .label_style(font(14))
        .bold_line_style(RGBColor(200, 200, 200))
        .light_line_style(RGBColor(235, 235, 235))
        .draw()?;
    panel.draw_limit(&mut chart)?;
    for (at, series) in figure.series.iter().enumerate() {
        panel.draw_series(&mut chart, series, colour(at, figure.series.len()))?;
    }
    panel.draw_marks(&mut chart)?;
    panel.explain_bars(&mut chart)?;
    chart
        .configure_series_labels()
        .position(match figure.legend {
            Corner::Left => SeriesLabelPosition::UpperLeft,
            Corner::Right => SeriesLabelPosition::UpperRight,
            Corner::LowerRight => SeriesLabelPosition::LowerRight,
        })
        .legend_area_size(30)
        .margin(12)
        .label_font(font(14))
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(160, 160, 160))
        .draw()
}

fn font(size: i32) -> (&'static str, i32) {
    (FAMILY, size)
}

/// A figure in the axes in which it is drawn.
struct Panel<'f> {
    figure: &'f Figure,
    look: &'f PlotFile,
    axes: Axes,
}

impl<'f> Panel<'f> {
    fn new(figure: &'f Figure, look: &'f PlotFile) -> Self {
        let means = || figure.series.iter().flat_map(|series| &series.means);
        let limit = figure.limit.iter().filter(|_| look.limit).map(|limit| limit.0);
        let axes = Axes {
            x: Axis::around(means().map(|mean| mean.x), look.x_scale),
            y: Axis::around(means().flat_map(|mean| ends(mean, look)).chain(limit), look.y_scale),
        };
        Panel { figure, look, axes }
    }

    fn point(&self, mean: &Mean) -> (f64, f64) {
        (self.axes.x.place(mean.x), self.axes.y.place(mean.y))
    }

    fn has_bars(&self) -> bool {
        let mut means = self.figure.series.iter().flat_map(|series| &series.means);
        self.look.error_bars && means.any(|mean| mean.deviation > 0.0)
    }

    fn draw_limit<'a, DB: DrawingBackend + 'a>(&self, chart: &mut Chart<'a, DB>) -> Drawn<DB> {
        let Some((value, name)) = self.figure.limit.as_ref().filter(|_| self.look.limit) else {
            return Ok(());
        };
        let (x, y) = (self.axes.x, self.axes.y.place(*value));
        let line = LineSeries::new([(x.from, y), (x.to, y)], LIMIT.stroke_width(2));
        chart.draw_series(line)?.label(name).legend(|at| sample(at, LIMIT));
        Ok(())
    }

    /// A line with its points and their bars.
    fn draw_series<'a, DB: DrawingBackend + 'a>(
        &self,
        chart: &mut Chart<'a, DB>,
        series: &Series,
        color: RGBColor,
    ) -> Drawn<DB> {
        let places = series.means.iter().map(|mean| self.point(mean));
        if series.marker == Marker::Formula {
            let line = DashedLineSeries::new(places, 7, 5, color.stroke_width(2));
            let label = chart.draw_series(line)?.label(&series.name);
            label.legend(move |(x, y)| {
                EmptyElement::at((x, y)) + sample_of((0, 0), 8, color) + sample_of((14, 0), 8, color)
            });
            return Ok(());
        }
        let line = LineSeries::new(places, color.stroke_width(2));
        let label = chart.draw_series(line)?.label(&series.name);
        match series.marker {
            Marker::Dot => label.legend(move |at| sample(at, color)),
            ring => label.legend(move |at| {
                EmptyElement::at(at) + sample((0, 0), color) + circle(ring, (11, 0), color)
            }),
        };
        chart.draw_series(series.means.iter().map(|mean| circle(series.marker, self.point(mean), color)))?;
        if self.has_bars() {
            let y = self.axes.y;
            chart.draw_series(series.means.iter().filter(|mean| mean.deviation > 0.0).map(|mean| {
                let [low, high] = ends(mean, self.look);
                let low = if low > y.value(y.from) { y.place(low) } else { y.from };
                let (at, middle) = self.point(mean);
                ErrorBar::new_vertical(at, low, middle, y.place(high), color.stroke_width(1), 7)
            }))?;
        }
        Ok(())
    }

    /// The marks on the lines.
    fn draw_marks<'a, DB: DrawingBackend + 'a>(&self, chart: &mut Chart<'a, DB>) -> Drawn<DB> {
        let Some(name) = self.figure.mark.as_ref().filter(|_| self.look.n_log_n) else { return Ok(()) };
        let mark = |series: &Series| {
            let x = series.mark?;
            Some((self.axes.x.place(x), self.axes.y.place(line_at(series, x, self.axes)?)))
        };
        let marks: Vec<(f64, f64)> = self.figure.series.iter().filter_map(mark).collect();
        if !marks.is_empty() {
            chart
                .draw_series(marks.iter().map(|&at| EmptyElement::at(at) + diamond(0, 0)))?
                .label(name)
                .legend(|at| EmptyElement::at(at) + diamond(11, 0));
        }
        Ok(())
    }

    /// What the bars are, in the legend.
    fn explain_bars<'a, DB: DrawingBackend + 'a>(&self, chart: &mut Chart<'a, DB>) -> Drawn<DB> {
        if self.has_bars() && !self.figure.bars.is_empty() {
            let none: [Circle<(f64, f64), i32>; 0] = [];
            chart.draw_series(none)?.label(&self.figure.bars).legend(|at| {
                let stroke = GREY.stroke_width(1);
                EmptyElement::at(at)
                    + PathElement::new([(11, -6), (11, 6)], stroke)
                    + PathElement::new([(8, -6), (14, -6)], stroke)
                    + PathElement::new([(8, 6), (14, 6)], stroke)
            });
        }
        Ok(())
    }
}

/// Where the bar of a mean ends.
fn ends(mean: &Mean, look: &PlotFile) -> [f64; 2] {
    let deviation = if look.error_bars { mean.deviation } else { 0.0 };
    [mean.y - deviation, mean.y + deviation]
}

/// A piece of a line, for the legend.
fn sample(at: (i32, i32), color: RGBColor) -> PathElement<(i32, i32)> {
    sample_of(at, 22, color)
}

/// So many pixels of a line.
fn sample_of((x, y): (i32, i32), length: i32, color: RGBColor) -> PathElement<(i32, i32)> {
    PathElement::new([(x, y), (x + length, y)], color.stroke_width(2))
}

/// The line of a series at `x`, between its points as the scales draw it; none outside of them.
fn line_at(series: &Series, x: f64, axes: Axes) -> Option<f64> {
    let pair = series.means.windows(2).find(|pair| (pair[0].x..=pair[1].x).contains(&x))?;
    let place = |x| axes.x.place(x);
    let part = (place(x) - place(pair[0].x)) / (place(pair[1].x) - place(pair[0].x));
    let (from, to) = (axes.y.place(pair[0].y), axes.y.place(pair[1].y));
    Some(axes.y.value(from + part * (to - from)))
}

/// A point of a line.
fn circle<C>(marker: Marker, centre: C, color: RGBColor) -> Circle<C, i32> {
    match marker {
        Marker::Dot => Circle::new(centre, 3, color.filled()),
        Marker::Ring(radius) => Circle::new(centre, radius, color.stroke_width(2)),
        Marker::Formula => Circle::new(centre, 0, color.filled()),
    }
}

/// A black diamond around a place in pixels.
fn diamond(x: i32, y: i32) -> Polygon<(i32, i32)> {
    Polygon::new([(x - 6, y), (x, y - 6), (x + 6, y), (x, y + 6)], BLACK.filled())
}

#[cfg(test)]
mod tests {
    use super::super::look::Scale;
    use super::*;

    fn log(from: f64, to: f64) -> Axis {
        Axis::around([from, to].into_iter(), Scale::Log)
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
        assert!((line_at(&series, 2.0, axes).unwrap() - 8.0).abs() < 1e-9);
        assert_eq!(line_at(&series, 5.0, axes), None);
    }
}

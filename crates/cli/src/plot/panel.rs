//! A figure in its axes: the lines and what explains them.

use super::axis::{Axes, Axis, Divided};
use super::figure::{Figure, Ink, Mean, Series};
use super::lines::{self, Place};
use super::look::PlotFile;
use super::style::{Point, Style, styles};
use plotters::prelude::*;
use std::collections::BTreeMap;

const GREY: RGBColor = RGBColor(90, 90, 90);
const LIMIT: RGBColor = RGBColor(200, 30, 30);
/// Pixels between points that stand side by side.
const BESIDE: i32 = 11;

/// What has been set up for drawing in places.
pub type Chart<'a, DB> = ChartContext<'a, DB, Cartesian2d<Divided, Divided>>;
pub type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A figure in the axes in which it is drawn.
pub struct Panel<'f> {
    pub figure: &'f Figure,
    look: &'f PlotFile,
    pub axes: Axes,
    styles: Vec<Style>,
}

impl<'f> Panel<'f> {
    pub fn new(figure: &'f Figure, look: &'f PlotFile) -> Self {
        let means = || figure.series.iter().flat_map(|series| &series.means);
        let limit = figure.limit.iter().filter(|_| look.limit).map(|limit| limit.0);
        let axes = Axes {
            x: Axis::around(means().map(|mean| mean.x), look.x_scale),
            y: Axis::around(means().flat_map(|mean| ends(mean, look)).chain(limit), look.y_scale),
        };
        Panel { figure, look, axes, styles: styles(&figure.series) }
    }

    fn point(&self, mean: &Mean) -> (f64, f64) {
        (self.axes.x.place(mean.x), self.axes.y.place(mean.y))
    }

    fn has_bars(&self) -> bool {
        let mut means = self.figure.series.iter().flat_map(|series| &series.means);
        self.look.error_bars && means.any(|mean| mean.interval > 0.0)
    }

    /// The limit, if it is shown: its name and colour.
    pub fn limit(&self) -> Option<(String, RGBColor)> {
        let limit = self.figure.limit.as_ref().filter(|_| self.look.limit);
        limit.map(|(_, name)| (name.clone(), LIMIT))
    }

    pub fn draw_limit<'a, DB: DrawingBackend + 'a>(&self, chart: &mut Chart<'a, DB>) -> Drawn<DB> {
        let Some((value, _)) = self.figure.limit.as_ref().filter(|_| self.look.limit) else {
            return Ok(());
        };
        let (x, y) = (self.axes.x, self.axes.y.place(*value));
        chart.draw_series(LineSeries::new([(x.from, y), (x.to, y)], LIMIT.stroke_width(2)))?;
        Ok(())
    }

    /// What is drawn, in pixels, for whoever looks for room: every piece of a line, and every bar.
    pub fn drawn<DB: DrawingBackend>(&self, chart: &Chart<DB>) -> Vec<[(i32, i32); 2]> {
        let area = chart.plotting_area();
        let pixel =
            |(x, y): Place| area.map_coordinate(&(x, if y.is_finite() { y } else { self.axes.y.from }));
        let mut drawn = vec![];
        for series in &self.figure.series {
            let places: Vec<(i32, i32)> = self.places(series).into_iter().map(pixel).collect();
            drawn.extend(places.iter().map(|&place| [place, place]));
            drawn.extend(places.windows(2).map(|pair| [pair[0], pair[1]]));
            let x = |mean: &Mean| self.axes.x.place(mean.x);
            let bars = series.means.iter().filter(|mean| mean.interval > 0.0 && x(mean).is_finite());
            drawn.extend(
                bars.map(|mean| ends(mean, self.look).map(|end| pixel((x(mean), self.axes.y.place(end))))),
            );
        }
        if let Some((value, _)) = self.figure.limit.as_ref().filter(|_| self.look.limit) {
            let y = self.axes.y.place(*value);
            drawn.push([pixel((self.axes.x.from, y)), pixel((self.axes.x.to, y))]);
        }
        drawn
    }

    /// What the legend says: names with how their lines look, and notes. A line that lies on another says so.
    pub fn labels(&self) -> Vec<(String, Option<Style>)> {
        let series = &self.figure.series;
        let mut labels = vec![];
        for (at, line) in series.iter().enumerate().filter(|(_, line)| line.ink != Ink::Context) {
            let under = series[..at].iter().find(|other| is_on(line, other));
            let name = under.map_or(line.name.clone(), |under| format!("{} (on {})", line.name, under.name));
            labels.push((name, Some(self.styles[at])));
            let notes = line.note.iter().flat_map(|note| note.lines());
            labels.extend(notes.map(|note| (note.to_string(), None)));
        }
        labels
    }

    /// The lines and their points. On a stretch that several share, the pieces of each take turns, and so do their points.
    pub fn draw_lines<'a, DB: DrawingBackend + 'a>(&self, chart: &Chart<'a, DB>) -> Drawn<DB> {
        let (area, series) = (chart.plotting_area(), &self.figure.series);
        let screen = area.use_screen_coord();
        let pixel = |&(x, y): &Place| {
            let y = if y.is_finite() { y } else { self.axes.y.from };
            let (x, y) = area.map_coordinate(&(x, y));
            (f64::from(x), f64::from(y))
        };
        let pieces = |places: &[Place], pattern: Option<&[f64]>, members: &[usize]| {
            let path: Vec<Place> = places.iter().map(pixel).collect();
            let length =
                path.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum();
            let found = match pattern {
                Some(dashes) => {
                    let all = lines::pieces(&path, dashes);
                    all.into_iter().filter(|(turn, _)| turn % 2 == 0).map(|(_, piece)| (0, piece)).collect()
                }
                None => lines::pieces(&path, &lines::turns(members.len(), length)),
            };
            found.into_iter().try_for_each(|(turn, piece)| {
                let Style { colour, width, .. } = self.styles[members[turn]];
                screen.draw(&PathElement::new(piece, colour.stroke_width(width)))
            })
        };
        let shared = |line: &Series| matches!(line.ink, Ink::System(_) | Ink::Step);
        let of = |ink: Ink| (0..series.len()).filter(move |&at| series[at].ink == ink);
        let whole = |at: usize| pieces(&self.places(&series[at]), Some(self.styles[at].dashes), &[at]);
        of(Ink::Context).try_for_each(whole)?;
        let none = vec![];
        let places = |line| if shared(line) { self.places(line) } else { none.clone() };
        let all: Vec<Vec<Place>> = series.iter().map(places).collect();
        for stretch in lines::stretches(&all) {
            let own = (stretch.members.len() == 1).then(|| self.styles[stretch.members[0]].dashes);
            pieces(&stretch.places, own, &stretch.members)?;
        }
        of(Ink::Formula).try_for_each(whole)?;
        for point in lines::points(&all).into_iter().filter(|point| point.place.1.is_finite()) {
            let (of, at) = (point.beside.0 as i32, point.beside.1 as i32);
            let beside = BESIDE * at - BESIDE * (of - 1) / 2;
            area.draw(&Point { at: point.place, beside, style: self.styles[point.member] })?;
        }
        Ok(())
    }

    fn places(&self, series: &Series) -> Vec<Place> {
        series.means.iter().map(|mean| self.point(mean)).filter(|place| place.0.is_finite()).collect()
    }

    pub fn draw_bars<'a, DB: DrawingBackend + 'a>(&self, chart: &mut Chart<'a, DB>) -> Drawn<DB> {
        if !self.has_bars() {
            return Ok(());
        }
        let y = self.axes.y;
        for (series, style) in self.figure.series.iter().zip(&self.styles) {
            let shown = |mean: &&Mean| mean.interval > 0.0 && self.point(mean).0.is_finite();
            chart.draw_series(series.means.iter().filter(shown).map(|mean| {
                let [low, high] = ends(mean, self.look);
                let low = if low > y.value(y.from) { y.place(low) } else { y.from };
                let (at, middle) = self.point(mean);
                ErrorBar::new_vertical(at, low, middle, y.place(high), style.colour.stroke_width(1), 7)
            }))?;
        }
        Ok(())
    }

    /// Beside points of runs some of which did not succeed, the share that did; of points in one place above each other.
    pub fn draw_shares<'a, DB: DrawingBackend + 'a>(
        &self,
        chart: &Chart<'a, DB>,
        font: (&str, i32),
    ) -> Drawn<DB> {
        let area = chart.plotting_area();
        let mut there: BTreeMap<[u64; 2], i32> = BTreeMap::new();
        for (series, style) in self.figure.series.iter().zip(&self.styles) {
            for mean in series.means.iter().filter(|mean| mean.share < 1.0) {
                let (x, y) = self.point(mean);
                if !y.is_finite() {
                    continue;
                }
                let above = there.entry([x.to_bits(), y.to_bits()]).or_default();
                let at = (7, -14 - font.1 * *above);
                *above += 1;
                let text = Text::new(percent(mean.share), at, font.into_font().color(&style.colour));
                area.draw(&(EmptyElement::at((x, y)) + text))?;
            }
        }
        Ok(())
    }

    /// What the marks on lines are, if there are some.
    pub fn mark_name(&self) -> Option<String> {
        self.figure.mark.clone().filter(|_| !self.marks().is_empty())
    }

    fn marks(&self) -> Vec<(f64, f64)> {
        let mark = |series: &Series| {
            let x = series.mark?;
            Some((self.axes.x.place(x), self.axes.y.place(line_at(series, x, self.axes)?)))
        };
        let shown = self.figure.mark.is_some() && self.look.n_log_n;
        self.figure.series.iter().filter(|_| shown).filter_map(mark).collect()
    }

    pub fn draw_marks<'a, DB: DrawingBackend + 'a>(&self, chart: &mut Chart<'a, DB>) -> Drawn<DB> {
        chart.draw_series(self.marks().into_iter().map(|at| EmptyElement::at(at) + diamond(0, 0)))?;
        Ok(())
    }

    /// How many points have no place on a logarithmic scale, for the legend.
    pub fn hidden(&self) -> Option<String> {
        let means = self.figure.series.iter().flat_map(|series| &series.means);
        let places = means.map(|mean| self.point(mean));
        match places.filter(|(x, y)| !x.is_finite() || !y.is_finite()).count() {
            0 => None,
            1 => Some("1 point has a 0 and is not shown: a scale is logarithmic".into()),
            count => Some(format!("{count} points have a 0 and are not shown: a scale is logarithmic")),
        }
    }

    /// What the bars are, for the legend, and their colour there.
    pub fn bars_name(&self) -> Option<(String, RGBColor)> {
        let said = self.has_bars() && !self.figure.bars.is_empty();
        said.then(|| (self.figure.bars.clone(), GREY))
    }
}

/// Where the bar of a mean ends.
fn ends(mean: &Mean, look: &PlotFile) -> [f64; 2] {
    let half = if look.error_bars { mean.interval } else { 0.0 };
    [mean.y - half, mean.y + half]
}

/// A share below 1 in percent; not 100 % where something is missing.
fn percent(share: f64) -> String {
    format!("{:.0} %", (100.0 * share).min(99.0))
}

/// Whether a line lies on another, which has the same points.
fn is_on(line: &Series, other: &Series) -> bool {
    let drawn = [line, other].iter().all(|line| matches!(line.ink, Ink::System(_) | Ink::Step));
    let places =
        |line: &Series| line.means.iter().map(|mean| (mean.x, mean.y, mean.interval)).collect::<Vec<_>>();
    drawn && !line.means.is_empty() && places(line) == places(other)
}

/// The line of a series at `x`, between its points as the scales draw it; none outside of them.
fn line_at(series: &Series, x: f64, axes: Axes) -> Option<f64> {
    let pair = series.means.windows(2).find(|pair| (pair[0].x..=pair[1].x).contains(&x))?;
    let place = |x| axes.x.place(x);
    let part = (place(x) - place(pair[0].x)) / (place(pair[1].x) - place(pair[0].x));
    let (from, to) = (axes.y.place(pair[0].y), axes.y.place(pair[1].y));
    Some(axes.y.value(from + part * (to - from)))
}

/// A black diamond around a place in pixels.
pub fn diamond(x: i32, y: i32) -> Polygon<(i32, i32)> {
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
        let mean = |x, y| Mean::single(x, y);
        let series = Series::new(String::new(), vec![mean(1.0, 16.0), mean(4.0, 4.0)], Ink::Step);
        let axes = Axes { x: log(1.0, 4.0), y: log(4.0, 16.0) };
        assert!((line_at(&series, 2.0, axes).unwrap() - 8.0).abs() < 1e-9);
        assert_eq!(line_at(&series, 5.0, axes), None);
    }

    #[test]
    fn what_a_logarithmic_scale_cannot_show_is_counted() {
        let mean = |x, y| Mean::single(x, y);
        let series = |means| Series::new(String::new(), means, Ink::Step);
        let lines = [[mean(0.0, 1.0), mean(1.0, 2.0)], [mean(1.0, 0.0), mean(2.0, 1.0)]];
        let series = lines.map(|means| series(means.to_vec())).into();
        let figure = Figure { series, ..Figure::new("", "", "") };
        let hidden = |x_scale, y_scale| {
            let look = PlotFile { x_scale, y_scale, ..PlotFile::default() };
            Panel::new(&figure, &look).hidden()
        };
        assert_eq!(hidden(Scale::Linear, Scale::Linear), None);
        assert!(hidden(Scale::Log, Scale::Linear).unwrap().starts_with("1 point has a 0 "));
        assert!(hidden(Scale::Log, Scale::Log).unwrap().starts_with("2 points have a 0 "));
    }
}

//! Draws rows of figures, as SVG or PNG, with a font of its own: the same bytes on every machine.

use super::axis::Divided;
use super::figure::{Corner, Figure};
use super::legend;
use super::look::PlotFile;
use super::panel::{Chart, Drawn, Panel};
use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::sync::Once;

/// The least height of a row of panels.
const ROW: u32 = 400;
/// A subset (ASCII and a few signs) of DejaVu Sans; its licence is beside it.
const FONT: &[u8] = include_bytes!("../../assets/plot-font.ttf");
/// Its name in an SVG, whose viewer has fonts of its own.
const FAMILY: &str = "DejaVu Sans, sans-serif";

/// Rows of figures as SVG. Width and height are of all together.
pub fn svg(rows: &[&[Figure]], look: &PlotFile) -> Result<String> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (look.width, height(rows, look))).into_drawing_area();
    draw(&area, rows, look)?;
    drop(area);
    Ok(text)
}

pub fn png(rows: &[&[Figure]], look: &PlotFile) -> Result<Vec<u8>> {
    let height = height(rows, look);
    let mut pixels = vec![0; look.width as usize * height as usize * 3];
    let area = BitMapBackend::with_buffer(&mut pixels, (look.width, height)).into_drawing_area();
    draw(&area, rows, look)?;
    drop(area);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, look.width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(file)
}

/// The height of all rows: several have the room that panels need.
fn height(rows: &[&[Figure]], look: &PlotFile) -> u32 {
    if rows.len() > 1 { look.height.max(ROW * rows.len() as u32) } else { look.height }
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

fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, rows: &[&[Figure]], look: &PlotFile) -> Result<()>
where
    DB::ErrorType: 'static,
{
    register_font();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(1);
    let panels: Vec<Vec<Panel>> =
        rows.iter().map(|row| row.iter().map(|figure| Panel::new(figure, look)).collect()).collect();
    let draw_all = || {
        area.fill(&WHITE)?;
        let title = look.title.as_ref().filter(|_| panels.iter().map(Vec::len).sum::<usize>() > 1);
        let (head, area) = area.split_vertically(if title.is_some() { TITLE } else { 0 });
        if let Some(title) = title {
            draw_title(&head, &title.0)?;
        }
        let places = area.split_evenly((rows.len(), columns));
        for (row, places) in panels.iter().zip(places.chunks(columns)) {
            let labels = row.iter().map(|panel| legend::entries(panel).len()).max().unwrap_or(0);
            for (panel, place) in row.iter().zip(places) {
                match panel.figure.legend {
                    Corner::Above => draw_small(place, panel, labels)?,
                    _ => draw_chart(place, panel)?,
                }
            }
        }
        area.present()
    };
    draw_all().map_err(|error| anyhow!("the plot cannot be drawn: {error}"))
}

/// Title, legend with room for so many lines, and the chart below them.
fn draw_small<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, panel: &Panel, labels: usize) -> Drawn<DB>
where
    DB::ErrorType: 'static,
{
    let text = LEGEND;
    let (head, chart) = area.split_vertically(26 + text.line * labels as i32);
    let title = font(16).into_font().into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    head.draw(&Text::new(panel.figure.title.as_str(), (14, 14), title))?;
    legend::draw_column(&head, &legend::entries(panel), (14, 34), text)?;
    let mut chart = ChartBuilder::on(&chart)
        .margin(8)
        .x_label_area_size(46)
        .y_label_area_size(62)
        .build_cartesian_2d(Divided(panel.axes.x), Divided(panel.axes.y))?;
    mesh(&mut chart, panel.figure)?;
    panel.draw_limit(&mut chart)?;
    panel.draw_lines(&chart)?;
    panel.draw_bars(&mut chart)?;
    panel.draw_shares(&chart, font(SMALLEST))
}

/// The axes of a chart, without anything in them.
fn axes<'a, DB: DrawingBackend + 'a>(
    area: &DrawingArea<DB, Shift>,
    panel: &Panel,
) -> Result<Chart<'a, DB>, DrawingAreaErrorKind<DB::ErrorType>>
where
    DB::ErrorType: 'static,
{
    ChartBuilder::on(area)
        .margin(16)
        .x_label_area_size(56)
        .y_label_area_size(72)
        .build_cartesian_2d(Divided(panel.axes.x), Divided(panel.axes.y))
}

const TITLE: i32 = 40;
/// The smallest text: an SVG has 11.3 pixels of it.
const SMALLEST: i32 = 14;
const LEGEND: legend::Text = legend::Text { font: (FAMILY, SMALLEST), line: 18 };

fn draw_title<DB: DrawingBackend>(head: &DrawingArea<DB, Shift>, title: &str) -> Drawn<DB>
where
    DB::ErrorType: 'static,
{
    let (width, _) = head.dim_in_pixel();
    let style = font(20).into_font().into_text_style(head).pos(Pos::new(HPos::Center, VPos::Center));
    head.draw(&Text::new(title, (width as i32 / 2, TITLE / 2 + 6), style))
}

fn draw_chart<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, panel: &Panel) -> Drawn<DB>
where
    DB::ErrorType: 'static,
{
    let (head, below) = area.split_vertically(TITLE);
    draw_title(&head, &panel.figure.title)?;
    let entries = legend::entries(panel);
    let chart = axes(&below, panel)?;
    let (x, y) = chart.plotting_area().get_pixel_range();
    let room = [x.start, y.start, x.end, y.end];
    let place =
        legend::free_corner(room, legend::size(&entries, LEGEND), panel.figure.legend, &panel.drawn(&chart));
    let mut chart = match place {
        Some(_) => chart,
        None => {
            let (columns, rows) = legend::columns(&entries, (x.end - x.start).max(1), LEGEND);
            let (above, below) = below.split_vertically(LEGEND.line * rows as i32);
            let each = (x.end - x.start) / columns as i32;
            for (at, column) in entries.chunks(rows.max(1)).enumerate() {
                let place = (x.start + each * at as i32, LEGEND.line / 2);
                legend::draw_column(&above, column, place, LEGEND)?;
            }
            axes(&below, panel)?
        }
    };
    mesh(&mut chart, panel.figure)?;
    panel.draw_limit(&mut chart)?;
    panel.draw_lines(&chart)?;
    panel.draw_bars(&mut chart)?;
    panel.draw_shares(&chart, font(SMALLEST))?;
    panel.draw_marks(&mut chart)?;
    if let Some(place) = place {
        let (origin_x, origin_y) = area.get_base_pixel();
        let place = [place[0] - origin_x, place[1] - origin_y, place[2] - origin_x, place[3] - origin_y];
        legend::draw_framed(area, &entries, place, LEGEND)?;
    }
    Ok(())
}

fn mesh<'a, DB: DrawingBackend + 'a>(chart: &mut Chart<'a, DB>, figure: &Figure) -> Drawn<DB> {
    // Grey lines of a small panel are not to be taken for its grid.
    let grey = |of: u8| RGBColor(of, of, of);
    let (bold, light) = match figure.legend {
        Corner::Above => (grey(228), grey(244)),
        _ => (grey(200), grey(235)),
    };
    chart
        .configure_mesh()
        .x_desc(&figure.x)
        .y_desc(&figure.y)
        .axis_desc_style(font(SMALLEST + 2 * i32::from(figure.legend != Corner::Above)))
        .label_style(font(SMALLEST))
        .bold_line_style(bold)
        .light_line_style(light)
        .draw()
}

fn font(size: i32) -> (&'static str, i32) {
    (FAMILY, size)
}

#[cfg(test)]
mod tests {
    use super::super::figure::{Ink, Mean, Series};
    use super::*;

    fn figure(lines: &[(&str, &'static str, f64)]) -> Figure {
        let series = lines.iter().map(|&(name, key, to)| {
            let means = [(4.0, 4.0), (16.0, 20.0), (64.0, to)].map(|(x, y)| Mean::single(x, y));
            Series::new(name.into(), means.to_vec(), Ink::System(key))
        });
        Figure { series: series.collect(), ..Figure::new("", "", "") }
    }

    fn drawn(lines: &[(&str, &'static str, f64)]) -> String {
        svg(&[&[figure(lines)]], &PlotFile::default()).unwrap()
    }

    /// Pixels of lines of this colour and of the width of lines.
    fn length(svg: &str, colour: &str) -> f64 {
        let lines =
            svg.lines().filter(|line| line.contains(&format!("stroke=\"{colour}\" stroke-width=\"2\"")));
        let length = |line: &str| {
            let points = line.split_once("points=\"").unwrap().1.split_once('"').unwrap().0;
            let number = |text: &str| text.parse::<f64>().unwrap();
            let points: Vec<(f64, f64)> = points
                .split_whitespace()
                .map(|p| p.split_once(',').unwrap())
                .map(|(x, y)| (number(x), number(y)))
                .collect();
            points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum::<f64>()
        };
        lines.map(length).sum()
    }

    #[test]
    fn neither_of_two_lines_in_one_place_is_hidden() {
        const RLS: &str = "#0077BB";
        const BENES: &str = "#000000";
        let whole = length(&drawn(&[("one", "rls", 70.0)]), RLS);
        assert!(whole > 900.0, "{whole}");
        let both = drawn(&[("one", "rls", 70.0), ("two", "benes", 70.0)]);
        for text in ["one", "two (on one)"] {
            assert!(both.lines().any(|line| line == text), "{text}");
        }
        // In turn, and in the legend; together once the line: what one draws the other leaves free.
        let (rls, benes) = (length(&both, RLS), length(&both, BENES));
        assert!(rls > 0.45 * whole && benes > 0.45 * whole, "{rls} and {benes} of {whole}");
        assert!(rls + benes < 1.1 * whole, "{rls} and {benes} of {whole}");
        // Where they part they are drawn whole: rls without gaps, benes with its dashes.
        let apart = drawn(&[("one", "rls", 70.0), ("two", "benes", 30.0)]);
        assert!(length(&apart, RLS) > 0.7 * whole && !apart.contains("(on one)"));
    }

    /// The height at which a text of the drawing stands.
    fn height(svg: &str, text: &str) -> i32 {
        let lines: Vec<&str> = svg.lines().collect();
        let at = lines.iter().position(|line| *line == text).unwrap();
        lines[at - 1].split_once(" y=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap()
    }

    #[test]
    fn a_legend_without_a_free_corner_stands_above_the_chart() {
        let frame = |svg: &str| svg.matches("stroke=\"#A0A0A0\"").count();
        let inside = drawn(&[("one", "rls", 70.0)]);
        assert!(frame(&inside) == 1 && height(&inside, "one") > 60, "{inside}");
        let mut crossed = figure(&[("one", "rls", 64.0), ("two", "benes", 64.0)]);
        for (series, ends) in crossed.series.iter_mut().zip([[4.0, 64.0], [64.0, 4.0]]) {
            let means =
                [(4.0, ends[0]), (64.0, ends[1])].map(|(x, y)| Mean { x, y, interval: 0.0, share: 1.0 });
            series.means = means.to_vec();
        }
        let above = svg(&[&[crossed]], &PlotFile::default()).unwrap();
        let [one, two] = ["one", "two"].map(|text| height(&above, text));
        assert!(frame(&above) == 0 && one < 60 && one == two, "{one} {two}");
    }
}

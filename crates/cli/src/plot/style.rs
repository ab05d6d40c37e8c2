//! How a line looks: its colour, the shape of its points, its dashes; and a point and a sample of it as what plotters draws.

use super::figure::{Ink, Series};
use super::palette;
use plotters::element::{Drawable, PointCollection};
use plotters::style::{Color, RGBColor, WHITE};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

/// What a point looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    outline: Outline,
    filled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outline {
    Circle,
    Square,
    Up,
    Diamond,
    Down,
}

/// Pixels from the middle of a point to its edge.
const RADIUS: i32 = 4;
/// Pixels of a line in a legend.
pub const SAMPLE: i32 = 34;

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub colour: RGBColor,
    /// None: points are not shown.
    pub shape: Option<Shape>,
    /// Pixels drawn and left out in turn; none: the line has no gaps.
    pub dashes: &'static [f64],
    pub width: u32,
}

const DASHES: [&[f64]; 4] = [&[], &[11.0, 4.0], &[3.0, 3.0], &[11.0, 3.0, 3.0, 3.0]];

/// The shape of the line number `at`: neighbours differ, and so do ten in a row.
fn shape(at: usize) -> Shape {
    const OUTLINES: [Outline; 5] =
        [Outline::Circle, Outline::Square, Outline::Up, Outline::Diamond, Outline::Down];
    Shape { outline: OUTLINES[at % 5], filled: (at / 5).is_multiple_of(2) }
}

/// The style of each line of a figure. Lines of systems that follow one another differ in shape and dashes, whatever their colours.
pub fn styles(series: &[Series]) -> Vec<Style> {
    let is_step = |series: &&Series| matches!(series.ink, Ink::Step | Ink::Formula);
    let steps = series.iter().filter(is_step).count();
    let (mut system, mut step) = (0, 0);
    let mut next = |series: &Series| {
        let (shape_of, width) = (Some(shape(system + step)), 2);
        match series.ink {
            Ink::System(key) => {
                system += 1;
                let dashes = DASHES[(system - 1) % DASHES.len()];
                Style { colour: palette::system(key), shape: shape_of, dashes, width }
            }
            Ink::Step | Ink::Formula => {
                step += 1;
                let colour = palette::ramp(step - 1, steps);
                match series.ink {
                    Ink::Formula => Style { colour, shape: None, dashes: &[7.0, 5.0], width },
                    _ => Style { colour, shape: shape_of, dashes: &[], width },
                }
            }
            Ink::Context => Style { colour: palette::CONTEXT, shape: None, dashes: &[], width: 1 },
        }
    };
    series.iter().map(&mut next).collect()
}

/// A point of a line, so many pixels beside its place.
pub struct Point<C> {
    pub at: C,
    pub beside: i32,
    pub style: Style,
}

/// A piece of a line with a point, for a legend.
pub struct Sample {
    pub at: BackendCoord,
    pub style: Style,
}

impl<'a, C: 'a> PointCollection<'a, C> for &'a Point<C> {
    type Point = &'a C;
    type IntoIter = std::iter::Once<&'a C>;
    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<'a> PointCollection<'a, BackendCoord> for &'a Sample {
    type Point = &'a BackendCoord;
    type IntoIter = std::iter::Once<&'a BackendCoord>;
    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

type Done<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

impl<C, DB: DrawingBackend> Drawable<DB> for Point<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, pos: I, backend: &mut DB, _: (u32, u32)) -> Done<DB> {
        pos.into_iter().try_for_each(|(x, y)| mark(backend, (x + self.beside, y), self.style))
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Sample {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, pos: I, backend: &mut DB, _: (u32, u32)) -> Done<DB> {
        let Style { colour, width, dashes, .. } = self.style;
        for (x, y) in pos {
            let line = [(f64::from(x), f64::from(y)), (f64::from(x + SAMPLE), f64::from(y))];
            for (_, piece) in
                super::lines::pieces(&line, dashes).into_iter().filter(|(turn, _)| turn % 2 == 0)
            {
                backend.draw_path(piece, &colour.stroke_width(width))?;
            }
            mark(backend, (x + SAMPLE / 2, y), self.style)?;
        }
        Ok(())
    }
}

fn mark<DB: DrawingBackend>(backend: &mut DB, (x, y): BackendCoord, style: Style) -> Done<DB> {
    let Some(shape) = style.shape else { return Ok(()) };
    let (r, colour) = (RADIUS, style.colour);
    let inner = if shape.filled { colour } else { WHITE };
    let corners = match shape.outline {
        Outline::Circle => {
            backend.draw_circle((x, y), r as u32, &inner.filled(), true)?;
            return backend.draw_circle((x, y), r as u32, &colour.stroke_width(1), false);
        }
        Outline::Square => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
        Outline::Up => vec![(x - r - 1, y + r), (x, y - r - 1), (x + r + 1, y + r)],
        Outline::Diamond => vec![(x - r - 1, y), (x, y - r - 1), (x + r + 1, y), (x, y + r + 1)],
        Outline::Down => vec![(x - r - 1, y - r), (x, y + r + 1), (x + r + 1, y - r)],
    };
    let around = corners.iter().chain(corners.first()).copied().collect::<Vec<_>>();
    backend.fill_polygon(corners, &inner.filled())?;
    backend.draw_path(around, &colour.stroke_width(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_one_another_differ_in_shape_and_dashes() {
        let series = |ink| Series::new(String::new(), vec![], ink);
        let keys = palette::SYSTEMS.iter().flat_map(|(key, _)| [Ink::System(key), Ink::System(key)]);
        let all = styles(&keys.map(series).collect::<Vec<_>>());
        for pair in all.windows(2) {
            assert!(pair[0].shape != pair[1].shape && pair[0].dashes != pair[1].dashes, "{pair:?}");
        }
        // Variants of a system have its colour.
        assert!(all.chunks(2).all(|pair| pair[0].colour == pair[1].colour));
        let steps = styles(&[Ink::Step, Ink::Step, Ink::Formula].map(series));
        assert!(steps[0].dashes.is_empty() && steps[0].shape != steps[1].shape);
        assert!(steps[2].shape.is_none() && !steps[2].dashes.is_empty());
    }
}

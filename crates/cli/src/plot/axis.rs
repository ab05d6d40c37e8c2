//! The axes of a plot: their ranges, divisions and labels.

use super::look::Scale;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::Ranged;

/// A range of an axis and how it is divided. Coordinates given to plotters are places: logarithms, if the scale is.
#[derive(Clone, Copy)]
pub struct Axis {
    scale: Scale,
    /// The place where it begins.
    pub from: f64,
    /// The place where it ends.
    pub to: f64,
}

impl Axis {
    /// Around values, of which only positive ones fit on a logarithmic scale.
    pub fn around(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
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

    pub fn place(self, value: f64) -> f64 {
        match self.scale {
            Scale::Log => value.log10(),
            Scale::Linear => value,
        }
    }

    pub fn value(self, place: f64) -> f64 {
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
                let labelled = self.multiples(factors);
                // A part of a decade without two of these is divided as a linear axis is.
                if labelled.len() > 1 {
                    return labelled;
                }
                let values = steps(self.value(self.from), self.value(self.to));
                values.into_iter().map(|value| self.place(value)).collect()
            }
            Scale::Linear => steps(self.from, self.to),
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
        // Places are sums and logarithms, and 1.9999999999999998 is a 2.
        let value = (self.value(place) * 1e9).round() / 1e9;
        if value.abs() < 100.0 && value.abs() >= 1.0 && value.fract() != 0.0 {
            return format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').into();
        }
        if value.abs() < 1.0 && value != 0.0 {
            let digits = (2.0 - value.abs().log10().floor()).max(0.0) as usize;
            let text = format!("{value:.digits$}");
            return text.trim_end_matches('0').trim_end_matches('.').into();
        }
        let whole = format!("{:.0}", value.abs());
        let groups: Vec<&str> =
            whole.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
        format!("{}{}", if value < 0.0 { "-" } else { "" }, groups.join(" "))
    }
}

/// Up to ten values from one to another, a step of 1, 2 or 5 apart, or of one of these by a power of ten.
fn steps(from: f64, to: f64) -> Vec<f64> {
    let rough = (to - from) / 9.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= rough).unwrap_or(10.0) * power;
    let first = (from / step).ceil() as i64;
    (first..).map(|k| k as f64 * step).take_while(|&value| value <= to).collect()
}

/// Both axes of a plot.
#[derive(Clone, Copy)]
pub struct Axes {
    pub x: Axis,
    pub y: Axis,
}

/// An axis whose divisions are ours.
pub struct Divided(pub Axis);

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
        let dimensions = Axis::around([2.0, 12.0].into_iter(), Scale::Linear);
        assert_eq!(labels(dimensions), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(labels(Axis::around(std::iter::empty(), Scale::Log)), ["1", "2", "5", "10"]);
        // Ratios: no two labels are alike, and a part of a decade has some.
        let ratios = Axis::around([1.0, 2.3].into_iter(), Scale::Linear);
        assert_eq!(labels(ratios), ["0", "0.5", "1", "1.5", "2"]);
        assert_eq!(labels(log(1.0, 1.19)), ["1", "1.05", "1.1", "1.15"]);
        assert_eq!(labels(log(0.998, 1.003)), ["0.996", "0.998", "1", "1.002", "1.004"]);
        assert_eq!(labels(log(3.1, 3.9)), ["3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9"]);
    }
}

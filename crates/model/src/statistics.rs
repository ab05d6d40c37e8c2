//! Mean and spread of a few runs.

/// Mean, standard deviation and extremes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// How many values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The standard deviation of the population they are a sample of (division by count - 1); 0 for one value.
    pub deviation: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Statistics {
    /// Those of `values`, if there is any.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Statistics {
            count,
            mean,
            deviation: (squares / (count - 1).max(1) as f64).sqrt(),
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let s = Statistics::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((s.count, s.mean, s.least, s.greatest), (8, 5.0, 2.0, 9.0));
        assert!((s.deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(Statistics::of(&[3.0]).unwrap().deviation, 0.0);
        assert_eq!(Statistics::of(&[]), None);
    }
}

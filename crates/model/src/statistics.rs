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

/// Student's t for 1, 2, … degrees of freedom: a value is between -t and t with a chance of 95 %.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The same for the normal distribution, and the coefficient of the first term by which t is above it.
const NORMAL: (f64, f64) = (1.960, 2.372);

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

    /// Half of the 95 % confidence interval of the mean by Student's distribution: the mean of the population is nearer to [`mean`] than
    /// this with a chance of 95 % if values are spread normally. 0 for one value, of which nothing is known.
    ///
    /// [`mean`]: Statistics::mean
    pub fn confidence(&self) -> f64 {
        let Some(freedom) = self.count.checked_sub(2) else { return 0.0 };
        let t = STUDENT.get(freedom).copied().unwrap_or(NORMAL.0 + NORMAL.1 / (freedom + 1) as f64);
        t * self.deviation / (self.count as f64).sqrt()
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
        // t of seven degrees of freedom; one value says nothing of the spread.
        assert!((s.confidence() - 2.365 * (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        assert_eq!(Statistics::of(&[3.0]).unwrap().confidence(), 0.0);
        // Tables have 2.021 for 40 degrees and 1.980 for 120.
        for (count, t) in [(41usize, 2.021), (121, 1.980)] {
            let values: Vec<f64> = (0..count).map(|at| at as f64).collect();
            let s = Statistics::of(&values).unwrap();
            let found = s.confidence() * (count as f64).sqrt() / s.deviation;
            assert!((found - t).abs() < 0.002, "{found} in place of {t}");
        }
    }
}

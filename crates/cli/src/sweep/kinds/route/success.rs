//! Runs that did not deliver everything: their figures are not averaged with those of runs that did, and it is said how many there are.

/// The runs of a point of a plot.
#[derive(Debug, Default)]
pub struct Runs {
    known: usize,
    counted: usize,
    /// What is drawn of each of these.
    pub numbers: Vec<f64>,
}

impl Runs {
    /// Adds a run: whether it counts, if it is known, and its figure, if it has one.
    pub fn add(&mut self, counts: Option<bool>, number: Option<f64>) {
        self.known += usize::from(counts.is_some());
        if counts == Some(true) {
            self.counted += 1;
            self.numbers.extend(number);
        }
    }

    /// The share of the known runs that count; 1 without any.
    pub fn share(&self) -> f64 {
        if self.known == 0 { 1.0 } else { self.counted as f64 / self.known as f64 }
    }
}

/// Runs and points of a line of a plot, or of a sweep.
#[derive(Debug, Default)]
pub struct Success {
    runs: usize,
    failed: usize,
    points: usize,
    empty: usize,
}

impl Success {
    pub fn add(&mut self, runs: &Runs) {
        self.runs += runs.known;
        self.failed += runs.known - runs.counted;
        self.points += usize::from(runs.known > 0);
        self.empty += usize::from(runs.known > 0 && runs.counted == 0);
    }

    /// What the legend says of a line; nothing if everything counts.
    pub fn note(&self) -> Option<String> {
        (self.failed > 0).then(|| {
            let mut text =
                format!("left out: {} of {} runs, in which not everything arrived", self.failed, self.runs);
            if self.empty > 0 {
                text += &format!(",\nand with them {} of {} points", self.empty, self.points);
            }
            text + "\n(a share beside a point: runs in which everything arrived)"
        })
    }

    /// What is said of a sweep.
    pub fn summary(&self) -> Vec<String> {
        let (runs, succeeded) = (self.runs, self.runs - self.failed);
        if self.failed == 0 {
            return vec![format!("everything arrived in all {runs} runs")];
        }
        let share = 100.0 * succeeded as f64 / runs as f64;
        let mut lines = vec![format!(
            "everything arrived in {succeeded} of {runs} runs ({share:.1} %); means of steps, storage and the like are of these runs alone"
        )];
        if self.empty > 0 {
            lines.push(format!("{} of {} points have no such run, so no mean", self.empty, self.points));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_counted_and_not_averaged() {
        let mut runs = Runs::default();
        for (counts, number) in [(Some(true), 4.0), (Some(false), 99.0), (None, 7.0), (Some(true), 6.0)] {
            runs.add(counts, Some(number));
        }
        assert_eq!(runs.numbers, [4.0, 6.0]);
        assert!((runs.share() - 2.0 / 3.0).abs() < 1e-12);
        let mut success = Success::default();
        success.add(&runs);
        let said = success.summary();
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("everything arrived in 2 of 3 runs (66.7 %)"), "{said:?}");
        let mut none = Runs::default();
        none.add(Some(false), Some(1.0));
        success.add(&none);
        assert!(success.summary()[1].starts_with("1 of 2 points have no such run"));
        assert!(success.note().unwrap().starts_with("left out: 2 of 4 runs"));
        assert!(Success::default().note().is_none());
    }
}

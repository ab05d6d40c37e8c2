//! The timeline that every engine and testbench follows, counted in clock periods.
//!
//! Period p ends with rising edge p; a value "in period p" is what a sampler sees just before that edge. The clock
//! rises at 5, 15, 25, … ns. Reset is high long enough for the fabric to fill with zeros; one idle period; `start_i`
//! is high for one period; the period after it is cycle 0 of the run; after the last cycle one idle period before the
//! next run starts, and two after the last run.

use crate::plan::{Phases, Plan};

/// Nanoseconds of a clock period.
pub const PERIOD_NS: u64 = 10;
/// When the clock first rises, in nanoseconds.
pub const FIRST_EDGE_NS: u64 = 5;

/// Which periods belong to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Periods 0 .. reset - 1 have `rst_i` high.
    pub reset: u64,
    /// Runs that carry labels before the messages (0 unless the plan has a prepare phase).
    pub prepare_runs: u32,
    /// The cycle of the last delivery of a run; it has this many cycles plus one.
    pub cycles: u64,
}

impl Timeline {
    /// The timeline of a plan with words of `width_bits` bits. Labels wider than a word take several prepare runs,
    /// the least significant bits first.
    pub fn new(plan: &Plan, width_bits: u32) -> Self {
        let prepare_runs = match plan.phases {
            Phases::One => 0,
            Phases::PrepareAndSend => plan.address_bits().div_ceil(width_bits),
        };
        Timeline { reset: plan.latency() as u64 + 2, prepare_runs, cycles: plan.cycles() }
    }

    /// Runs in all.
    pub fn runs(&self) -> u32 {
        self.prepare_runs + 1
    }

    /// The period in which `start_i` is high for a run.
    pub fn start_period(&self, run: u32) -> u64 {
        self.reset + 1 + run as u64 * (self.cycles + 3)
    }

    /// The period of a cycle of a run.
    pub fn period(&self, run: u32, cycle: u64) -> u64 {
        self.start_period(run) + 1 + cycle
    }

    /// The run and cycle of a period, if it belongs to one.
    pub fn cycle_at(&self, period: u64) -> Option<(u32, u64)> {
        let since = period.checked_sub(self.period(0, 0))?;
        let (run, cycle) = (since / (self.cycles + 3), since % (self.cycles + 3));
        (run < self.runs() as u64 && cycle <= self.cycles).then_some((run as u32, cycle))
    }

    /// Periods in all.
    pub fn periods(&self) -> u64 {
        self.period(self.runs() - 1, self.cycles) + 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;

    #[test]
    fn periods_and_cycles_are_inverse() {
        for (request, width, runs) in [
            (Request::new("rls", 8), 8, 1),
            (Request::new("gsen", 10), 8, 2),
            (Request::new("gsen", 10), 1, 5),
        ] {
            let timeline = Timeline::new(&crate::plan(&request).unwrap(), width);
            assert_eq!(timeline.runs(), runs);
            let mut seen = Vec::new();
            for period in 0..timeline.periods() {
                if let Some((run, cycle)) = timeline.cycle_at(period) {
                    assert_eq!(timeline.period(run, cycle), period);
                    seen.push((run, cycle));
                }
            }
            let all: Vec<(u32, u64)> =
                (0..runs).flat_map(|r| (0..=timeline.cycles).map(move |c| (r, c))).collect();
            assert_eq!(seen, all);
        }
    }
}

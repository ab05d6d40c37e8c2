//! The timeline that every engine and testbench follows, counted in clock periods.
//!
//! Period p ends with rising edge p; a value "in period p" is what a sampler sees just before that edge. The clock
//! rises at 5, 15, 25, … ns. Reset is high long enough for the fabric to fill with zeros; one idle period; `start_i`
//! is high for one period; the period after it is cycle 0 of the run; after the last cycle one idle period before the
//! next run starts, and two after the last run. The run that carries the messages may be several exchanges, each begun by a
//! start in the cycle in which the inputs of the one before are used for the last time.

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
    /// The cycle of the last delivery of an exchange; a prepare run has this many cycles plus one.
    pub exchange_cycles: u64,
    /// Cycles from the beginning of an exchange of the run that carries the messages to that of the next.
    pub exchange_period: u64,
    /// The cycle of the last delivery of that run; it has this many cycles plus one.
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
        Timeline {
            reset: plan.latency() as u64 + 2,
            prepare_runs,
            exchange_cycles: plan.message_cycles(1),
            exchange_period: plan.period(),
            cycles: plan.cycles(),
        }
    }

    /// Runs in all.
    pub fn runs(&self) -> u32 {
        self.prepare_runs + 1
    }

    /// The last cycle of a run.
    pub fn last_cycle(&self, run: u32) -> u64 {
        if run < self.prepare_runs { self.exchange_cycles } else { self.cycles }
    }

    /// The period in which `start_i` is high for a run.
    pub fn start_period(&self, run: u32) -> u64 {
        self.reset + 1 + run as u64 * (self.exchange_cycles + 3)
    }

    /// Whether `start_i` is high in a period.
    pub fn starts(&self, period: u64) -> bool {
        let first = self.start_period(self.prepare_runs);
        match period.checked_sub(first) {
            None => (0..self.prepare_runs).any(|run| self.start_period(run) == period),
            Some(since) => since % self.exchange_period == 0 && since + self.exchange_cycles <= self.cycles,
        }
    }

    /// Whether the last message of an exchange arrives in a cycle of a run.
    pub fn done(&self, run: u32, cycle: u64) -> bool {
        let since = cycle.checked_sub(self.exchange_cycles);
        since.is_some_and(|since| since % self.exchange_period == 0) && cycle <= self.last_cycle(run)
    }

    /// The period of a cycle of a run.
    pub fn period(&self, run: u32, cycle: u64) -> u64 {
        self.start_period(run) + 1 + cycle
    }

    /// The run and cycle of a period, if it belongs to one.
    pub fn cycle_at(&self, period: u64) -> Option<(u32, u64)> {
        let since = period.checked_sub(self.period(0, 0))?;
        let run = (since / (self.exchange_cycles + 3)).min(self.prepare_runs.into()) as u32;
        let cycle = period.checked_sub(self.period(run, 0))?;
        (cycle <= self.last_cycle(run)).then_some((run, cycle))
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
        for (request, width, runs, exchanges) in [
            (Request::new("rls", 8), 8, 1, 1),
            (Request::new("gsen", 10), 8, 2, 1),
            (Request::new("gsen", 10), 1, 5, 1),
            (Request::new("gsen", 10), 2, 3, 3),
            (Request::new("rls-folded", 8), 8, 1, 2),
        ] {
            let plan = crate::plan(&request).unwrap().repeated(exchanges);
            let timeline = Timeline::new(&plan, width);
            assert_eq!(timeline.runs(), runs);
            let mut seen = Vec::new();
            for period in 0..timeline.periods() {
                if let Some((run, cycle)) = timeline.cycle_at(period) {
                    assert_eq!(timeline.period(run, cycle), period);
                    seen.push((run, cycle));
                }
            }
            let all: Vec<(u32, u64)> =
                (0..runs).flat_map(|r| (0..=timeline.last_cycle(r)).map(move |c| (r, c))).collect();
            assert_eq!(seen, all);
            let starts: Vec<u64> = (0..timeline.periods()).filter(|&p| timeline.starts(p)).collect();
            assert_eq!(starts.len() as u32, runs - 1 + exchanges);
            let last = *starts.last().unwrap() + 1;
            assert_eq!(last, timeline.period(runs - 1, u64::from(exchanges - 1) * plan.period()));
            let done = all.iter().filter(|&&(run, cycle)| timeline.done(run, cycle)).count();
            assert_eq!(done, starts.len());
            assert!(timeline.done(runs - 1, timeline.cycles));
        }
    }
}

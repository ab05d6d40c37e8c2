//! What the paper says, in numbers: the time of a run without waiting, and how large bundles must be.

use super::packets::Packets;
use super::parameters::{Mode, Parameters, Switch};

/// Steps without any waiting, by strong switches, of queues of two bits or more: a head passes a level in two steps, its bits
/// follow. 4n + M − 1 unrolled, 5n + 2M − 2 with a barrier (the first pass carries the header of the second), 2n + M − 1
/// in one pass.
pub fn least_steps(dimensions: u32, payload: u32, mode: Mode, direct: bool) -> u64 {
    let (n, m) = (u64::from(dimensions), u64::from(payload));
    match (direct, mode) {
        (true, _) => 2 * n + m - 1,
        (false, Mode::Unrolled) => 4 * n + m - 1,
        (false, Mode::Barrier) => 5 * n + 2 * m - 2,
    }
}

/// The exact time if there is a closed form for it: strong switches, queues of two bits, and no bundle with more packets than
/// edges.
pub fn exact_steps(packets: &Packets, max_load: u32) -> Option<u64> {
    let p = packets.parameters();
    let exact =
        p.switch == Switch::Strong && p.queue >= 2 && max_load <= p.bundle && !packets.packets().is_empty();
    exact.then(|| least_steps(packets.network().dimensions(), p.payload, p.mode, p.direct))
}

/// The chance that some bundle has more than `bundle` packets to pass, summed over the bundles (so it may exceed 1), with
/// `per_input` packets from every row and to every row, through random intermediate rows.
///
/// A bundle behind level l of the first pass is that of `per_input`·2^l packets, each taking it with probability
/// 2^−(l+1). In the second pass it is the same from the end. So there are 2·2·2^n bundles of each such binomial load.
pub fn overload_bound(dimensions: u32, per_input: u32, bundle: u32) -> f64 {
    let bundles = 4.0 * 2f64.powi(dimensions as i32);
    (0..dimensions)
        .map(|level| {
            let packets = u64::from(per_input) << level;
            bundles * binomial_tail(packets, 0.5f64.powi(level as i32 + 1), u64::from(bundle) + 1)
        })
        .sum()
}

/// Edges that a bundle needs so that the chance of any overload is at most `failure`, by [`overload_bound`].
///
/// # Panics
///
/// If `failure` is not above 0: no number of edges below all packets would do.
pub fn bundle_for(dimensions: u32, per_input: u32, failure: f64) -> u32 {
    assert!(failure > 0.0, "a chance of {failure}");
    let enough = |bundle: u32| overload_bound(dimensions, per_input, bundle) <= failure;
    // The bound falls with the number of edges: between a number that is too small and one that will do.
    let (mut few, mut many) = (0, 1u32);
    while !enough(many) {
        (few, many) = (many, many.saturating_mul(2));
    }
    while many - few > 1 {
        let middle = few + (many - few) / 2;
        if enough(middle) {
            many = middle;
        } else {
            few = middle;
        }
    }
    many
}

/// The chance of `least` or more successes in `trials` with the probability `p` (below 1) each.
fn binomial_tail(trials: u64, p: f64, least: u64) -> f64 {
    if least > trials {
        return 0.0;
    }
    // ln C(trials, least) term by term; the terms behind it by their ratios.
    let first: f64 = (0..least).map(|i| ((trials - i) as f64 / (least - i) as f64 * p).ln()).sum::<f64>()
        + (trials - least) as f64 * (-p).ln_1p();
    let (mut term, mut sum) = (first.exp(), 0.0);
    for successes in least..=trials {
        sum += term;
        term *= (trials - successes) as f64 / (successes + 1) as f64 * p / (1.0 - p);
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}

impl Parameters {
    /// Steps below which no run that delivers a packet can be.
    pub fn least_steps(&self) -> u64 {
        least_steps(self.rows.ilog2(), self.payload, self.mode, self.direct)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_small_cases() {
        assert!((binomial_tail(4, 0.5, 3) - 5.0 / 16.0).abs() < 1e-15);
        assert!((binomial_tail(3, 0.25, 0) - 1.0).abs() < 1e-15);
        assert_eq!(binomial_tail(3, 0.25, 4), 0.0);
    }

    /// The figures of the references: n packets per input.
    #[test]
    fn bundles_for_a_chance_of_failure() {
        let figures = [
            (3, [5, 7, 11]),
            (4, [6, 10, 15]),
            (6, [10, 14, 21]),
            (8, [13, 17, 25]),
            (10, [16, 21, 29]),
            (12, [20, 24, 33]),
        ];
        for (n, edges) in figures {
            assert_eq!([0.5, 1e-3, 1e-9].map(|failure| bundle_for(n, n, failure)), edges, "n = {n}");
        }
    }
}

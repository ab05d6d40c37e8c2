//! How popular destinations and experts are, as whole numbers: the same on every machine.

use frit_traffic::random::SplitMix64;

/// exp(σ g_j), g_j standard normal (Box and Muller).
pub(crate) fn log_normal(count: u32, sigma: f64, random: &mut SplitMix64) -> Vec<f64> {
    let normal = |random: &mut SplitMix64| {
        // (0, 1] and [0, 1) with 53 bits.
        let [a, b] = [random.next(), random.next()].map(|bits| bits >> 11);
        let unit = (1u64 << 53) as f64;
        let (a, b) = ((a + 1) as f64 / unit, b as f64 / unit);
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    };
    (0..count).map(|_| (sigma * normal(random)).exp()).collect()
}

/// Weights as multiples of 2^−24 of the largest.
pub(crate) fn whole(weights: &[f64]) -> Vec<u64> {
    let most = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    weights.iter().map(|weight| (weight / most * f64::from(1 << 24)).round() as u64).collect()
}

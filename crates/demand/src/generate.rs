//! Seeded demands. Every source draws from a stream of its own ([`source_stream`]), so that a seed always gives the same demand.
//!
//! Weights that the formulas give as real numbers are rounded to whole multiples of 2^−24 of the largest one before anything is drawn,
//! so that the last bits of `exp` and `ln`, which differ between machines, do not matter.

use crate::demand::{Demand, check_terminals};
use crate::experts::{self, Experts};
use crate::weights::{log_normal, whole};
use frit_network::{Refusal, refusal};
use frit_traffic::random::{SplitMix64, source_stream, stream};

/// Which demand, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Each source sends `words` words, each to a terminal chosen with probability 1/N.
    Uniform { words: u32 },
    /// Each source sends `words` words, each to the terminal of rank k = 1 … N with probability k^−z / Σ k^−z; the ranks are a
    /// random permutation of the terminals, the same one for all sources.
    Zipf { words: u32, exponent: f64 },
    /// Each source sends `words` words, each to terminal j with probability exp(σ g_j) / Σ exp(σ g_j), g_j standard normal, the same
    /// for all sources.
    LogNormal { words: u32, sigma: f64 },
    /// Tokens and experts of a mixture-of-experts layer ([`Experts`]).
    Experts(Experts),
    /// The sum of `pairs` random permutations, each with a number of words drawn evenly from 1 … `words`: no row or column has more
    /// than `pairs` pairs.
    Sparse {
        pairs: u32,
        /// The most words of a permutation.
        words: u32,
    },
    /// As [`Kind::Uniform`], but each word goes to terminal `hot` with a probability of `percent` % instead.
    HotSpot { words: u32, hot: u32, percent: u32 },
    /// Blocks of `block` neighbouring terminals; each source sends `words` words, each to a terminal of its block with equal
    /// probability. The last block is smaller if `block` does not divide N.
    BlockDiagonal { words: u32, block: u32 },
}

impl Kind {
    /// All kinds by their names, with the parameters that they have when nobody says.
    pub const ALL: [(&str, Kind); 7] = [
        ("uniform", Kind::Uniform { words: 1000 }),
        ("zipf", Kind::Zipf { words: 1000, exponent: 1.0 }),
        ("log-normal", Kind::LogNormal { words: 1000, sigma: 1.0 }),
        ("hot-spot", Kind::HotSpot { words: 1000, hot: 0, percent: 20 }),
        ("block-diagonal", Kind::BlockDiagonal { words: 1000, block: 4 }),
        ("sparse", Kind::Sparse { pairs: 4, words: 1000 }),
        ("experts", Kind::Experts(Experts::USUAL)),
    ];

    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }
}

/// The most words of a source that are drawn one by one.
pub const MAX_DRAWN: u32 = 1 << 20;

/// Tags of the streams that all sources share.
const RANKS: u64 = 0x3701;
const WEIGHTS: u64 = 0x3702;
const PERMUTATIONS: u64 = 0x3703;

/// Makes a demand between `terminals` terminals.
pub fn generate(kind: &Kind, terminals: u64, seed: u64) -> Result<Demand, Refusal> {
    let n = check_terminals(terminals)?;
    let range = |name, given: f64, low: f64, high: f64| match given >= low && given <= high {
        true => Ok(()),
        false => Err(refusal!("{name} {given} is not allowed; give {low} to {high}")),
    };
    let drawn = |words: u32| range("words", words.into(), 0.0, MAX_DRAWN.into());
    let even = vec![1u64; n as usize];
    match *kind {
        Kind::Uniform { words } => {
            drawn(words)?;
            multinomial(n, words, seed, |_| &even)
        }
        Kind::Zipf { words, exponent } => {
            drawn(words)?;
            range("exponent", exponent, 0.0, 10.0)?;
            let mut weights = vec![0.0; n as usize];
            for (rank, terminal) in stream(seed, RANKS).permutation(n).into_iter().enumerate() {
                weights[terminal as usize] = ((rank + 1) as f64).powf(-exponent);
            }
            let weights = whole(&weights);
            multinomial(n, words, seed, |_| &weights)
        }
        Kind::LogNormal { words, sigma } => {
            drawn(words)?;
            range("sigma", sigma, 0.0, 10.0)?;
            let weights = whole(&log_normal(n, sigma, &mut stream(seed, WEIGHTS)));
            multinomial(n, words, seed, |_| &weights)
        }
        Kind::Experts(experts) => experts::demand(&experts, n, seed),
        Kind::Sparse { pairs, words } => {
            range("pairs", pairs.into(), 1.0, n.into())?;
            range("words", words.into(), 1.0, f64::from(u32::MAX / n))?;
            let mut random = stream(seed, PERMUTATIONS);
            let mut list = Vec::new();
            for _ in 0..pairs {
                let count = 1 + u64::from(random.below(words));
                let to = random.permutation(n);
                list.extend((0..).zip(to).map(|(source, to)| (source, u64::from(to), count)));
            }
            Demand::from_list(terminals, list)
        }
        Kind::HotSpot { words, hot, percent } => {
            drawn(words)?;
            range("percent", percent.into(), 0.0, 100.0)?;
            range("hot", hot.into(), 0.0, f64::from(n - 1))?;
            // Of 100 N parts each terminal has 100 − p, and the hot one p N more.
            let mut weights = vec![u64::from(100 - percent); n as usize];
            weights[hot as usize] += u64::from(percent) * u64::from(n);
            multinomial(n, words, seed, |_| &weights)
        }
        Kind::BlockDiagonal { words, block } => {
            drawn(words)?;
            range("block", block.into(), 1.0, n.into())?;
            let of =
                |source: u32| (0..n).map(|to| u64::from(to / block == source / block)).collect::<Vec<u64>>();
            let rows: Vec<Vec<u64>> = (0..n).map(of).collect();
            multinomial(n, words, seed, |source| &rows[source as usize])
        }
    }
}

/// `words` words of each source, each to a terminal with a probability that is proportional to its weight.
fn multinomial<'a>(
    n: u32,
    words: u32,
    seed: u64,
    weights: impl Fn(u32) -> &'a Vec<u64>,
) -> Result<Demand, Refusal> {
    let mut counts = vec![0u32; n as usize * n as usize];
    for (source, row) in (0..n).zip(counts.chunks_exact_mut(n as usize)) {
        let sums = running(weights(source));
        let mut random = source_stream(seed, source);
        for _ in 0..words {
            row[draw(&sums, &mut random)] += 1;
        }
    }
    Demand::new(n, counts)
}

/// The sums of the first 1, 2, … weights.
pub(crate) fn running(weights: &[u64]) -> Vec<u64> {
    let sum = |sum: &mut u64, weight: &u64| {
        *sum += weight;
        Some(*sum)
    };
    weights.iter().scan(0, sum).collect()
}

/// A place with a probability that is proportional to its weight.
pub(crate) fn draw(sums: &[u64], random: &mut SplitMix64) -> usize {
    let all = sums[sums.len() - 1];
    let at = ((u128::from(random.next()) * u128::from(all)) >> 64) as u64;
    sums.partition_point(|&sum| sum <= at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, n: u64) -> Demand {
        generate(&kind, n, 1).unwrap()
    }

    /// Column sums as parts of the whole, largest first.
    fn shares(demand: &Demand) -> Vec<f64> {
        let total = demand.total() as f64;
        let mut shares: Vec<f64> = demand.received().iter().map(|&words| f64::from(words) / total).collect();
        shares.sort_by(|a, b| b.total_cmp(a));
        shares
    }

    #[test]
    fn each_kind_follows_its_formula() {
        let uniform = of(Kind::Uniform { words: 6400 }, 64);
        assert!(uniform.sent().iter().all(|&words| words == 6400));
        // 409,600 draws: every column is within six standard deviations of 6400.
        assert!(uniform.received().iter().all(|&words| (5920..=6880).contains(&words)));
        let zipf = shares(&of(Kind::Zipf { words: 10_000, exponent: 1.0 }, 8));
        let sum: f64 = (1..=8).map(|k| 1.0 / f64::from(k)).sum();
        for (k, share) in (1..).zip(&zipf) {
            assert!((share - 1.0 / f64::from(k) / sum).abs() < 0.01, "{zipf:?}");
        }
        let flat = shares(&of(Kind::LogNormal { words: 10_000, sigma: 0.0 }, 8));
        assert!(flat.iter().all(|share| (share - 0.125).abs() < 0.01), "{flat:?}");
        // The logarithms of the shares have the standard deviation σ.
        let demand = of(Kind::LogNormal { words: 20_000, sigma: 0.5 }, 256);
        let logs: Vec<f64> = demand.received().iter().map(|&words| f64::from(words).ln()).collect();
        let mean = logs.iter().sum::<f64>() / 256.0;
        let deviation = (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / 256.0).sqrt();
        assert!((deviation - 0.5).abs() < 0.08, "{deviation}");
        let hot = of(Kind::HotSpot { words: 10_000, hot: 3, percent: 40 }, 8);
        assert!((f64::from(hot.received()[3]) / 80_000.0 - (0.4 + 0.6 / 8.0)).abs() < 0.01);
        let sparse = of(Kind::Sparse { pairs: 3, words: 100 }, 16);
        assert!(sparse.least_configurations() <= 3 && sparse.sent().iter().all(|&words| words == sparse.h()));
        let blocks = of(Kind::BlockDiagonal { words: 50, block: 3 }, 8);
        assert!(blocks.pairs().all(|(source, destination, _)| source / 3 == destination / 3));
        assert_eq!(blocks.total(), 400);
    }

    #[test]
    fn a_seed_gives_the_same_demand_for_ever() {
        let sum = |demand: &Demand| {
            demand.matrix().iter().fold(0u64, |sum, &words| sum * 31 % 1_000_003 + u64::from(words))
        };
        let sums = [
            Kind::Uniform { words: 100 },
            Kind::Zipf { words: 100, exponent: 1.2 },
            Kind::LogNormal { words: 100, sigma: 1.0 },
            Kind::Sparse { pairs: 2, words: 100 },
            Kind::HotSpot { words: 100, hot: 0, percent: 50 },
            Kind::BlockDiagonal { words: 100, block: 4 },
        ]
        .map(|kind| sum(&of(kind, 16)));
        assert_eq!(sums, SUMS);
        assert_ne!(
            generate(&Kind::Uniform { words: 100 }, 16, 2),
            generate(&Kind::Uniform { words: 100 }, 16, 1)
        );
    }

    const SUMS: [u64; 6] = [45990, 204076, 208979, 339907, 965121, 880092];

    #[test]
    fn what_cannot_be_is_refused() {
        let text = |kind| generate(&kind, 8, 1).unwrap_err().to_string();
        assert_eq!(text(Kind::Zipf { words: 1, exponent: -1.0 }), "exponent -1 is not allowed; give 0 to 10");
        assert!(text(Kind::LogNormal { words: 1, sigma: f64::NAN }).starts_with("sigma NaN is not allowed"));
        assert_eq!(
            text(Kind::Uniform { words: u32::MAX }),
            "words 4294967295 is not allowed; give 0 to 1048576"
        );
        assert!(
            text(Kind::HotSpot { words: 1, hot: 8, percent: 1 })
                .starts_with("hot 8 is not allowed; give 0 to 7")
        );
        assert!(text(Kind::Sparse { pairs: 0, words: 1 }).starts_with("pairs 0 is not allowed; give 1 to 8"));
        assert!(text(Kind::BlockDiagonal { words: 1, block: 9 }).starts_with("block 9 is not allowed"));
        assert!(generate(&Kind::Uniform { words: 1 }, 1 << 40, 1).is_err());
    }
}

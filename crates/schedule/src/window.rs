//! Labels of a complete exchange in N rounds on the general shuffle-exchange network, N ≡ 2 (mod 4): each terminal computes them
//! from its own number.
//!
//! Not from a paper; docs/latin.md has the proof. With m stages, 2^m ≥ N, and a = 2^(m-1) - N/2, terminal S sends in round t with
//! the label M(S, t), the one number of the *window* a … a + N - 1 that is congruent to (a - 2^m)(S - t) mod N. From round to round
//! it grows by the *step* 2^m - a mod N, folded back into the window; the destination grows by the same, mod N.

use frit_network::RoundIdx;

/// The labels for N terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowLabels {
    /// N, congruent to 2 mod 4.
    pub terminals: u32,
    /// m, the stages: a label has so many bits.
    pub stages: u32,
}

impl WindowLabels {
    fn modulus(self) -> u64 {
        self.terminals.into()
    }

    /// a, the least label. It is odd and prime to N.
    pub fn first(self) -> u32 {
        (1 << (self.stages - 1)) - self.terminals / 2
    }

    /// What a label grows by from round to round, and so does the destination, mod N.
    pub fn step(self) -> u32 {
        (((1u64 << self.stages) - u64::from(self.first())) % self.modulus()) as u32
    }

    /// What the source of what arrives grows by, mod N.
    pub fn source_step(self) -> u32 {
        self.times(self.inverse(), self.negative(self.step()))
    }

    /// Where terminal `source` sends in `round`: (a S + (2^m - a) t) mod N.
    pub fn destination(self, round: RoundIdx, source: u32) -> u32 {
        self.sum(self.times(self.first(), source), self.times(self.step(), round.0))
    }

    /// Whose message arrives at `destination` in `round`.
    pub fn source(self, round: RoundIdx, destination: u32) -> u32 {
        self.sum(self.times(self.inverse(), destination), self.times(self.source_step(), round.0))
    }

    /// How far the label is above the least one, 0 … N - 1.
    pub fn above(self, round: RoundIdx, source: u32) -> u32 {
        // (a - 2^m) S is -step S; the label is congruent to it at t = 0.
        let residue = self.times(self.negative(self.step()), source);
        let start = self.sum(residue, self.negative(self.first()));
        self.sum(start, self.times(self.step(), round.0))
    }

    /// The label of a message, a bit for each stage, the first stage's the most significant.
    pub fn label(self, round: RoundIdx, source: u32) -> u64 {
        u64::from(self.first()) + u64::from(self.above(round, source))
    }

    fn sum(self, x: u32, y: u32) -> u32 {
        ((u64::from(x) + u64::from(y)) % self.modulus()) as u32
    }

    fn times(self, x: u32, y: u32) -> u32 {
        (u64::from(x) * u64::from(y) % self.modulus()) as u32
    }

    fn negative(self, x: u32) -> u32 {
        ((self.modulus() - u64::from(x) % self.modulus()) % self.modulus()) as u32
    }

    /// The number whose product with a is 1 mod N.
    fn inverse(self) -> u32 {
        // Euclid's algorithm; every remainder is a multiple of a, up to multiples of N.
        let (modulus, first) = (i64::from(self.terminals), i64::from(self.first()));
        let (mut remainders, mut factors) = ((modulus, first % modulus), (0i64, 1i64));
        while remainders.1 > 1 {
            let quotient = remainders.0 / remainders.1;
            remainders = (remainders.1, remainders.0 - quotient * remainders.1);
            factors = (factors.1, factors.0 - quotient * factors.1);
        }
        factors.1.rem_euclid(modulus) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::route_labels;
    use frit_network::{LaneIdx, StageIdx, shuffle, shuffle_exchange};

    fn of(terminals: u32) -> WindowLabels {
        WindowLabels { terminals, stages: shuffle::stages(terminals.into()) }
    }

    #[test]
    fn the_check_values() {
        let words = |n: u32| (0..n).map(|source| of(n).label(RoundIdx(0), source)).collect::<Vec<_>>();
        assert_eq!(words(6), [6, 5, 4, 3, 2, 1]);
        assert_eq!(words(10), [10, 7, 4, 11, 8, 5, 12, 9, 6, 3]);
        assert_eq!(words(18), [18, 11, 22, 15, 8, 19, 12, 23, 16, 9, 20, 13, 24, 17, 10, 21, 14, 7]);
    }

    /// What each input reaches in each round on the bare network, which refuses two messages for one output.
    #[test]
    fn every_round_is_routed_and_serves_every_pair_once() {
        for terminals in (6..=102).step_by(4).chain([258, 302]) {
            let rule = of(terminals);
            let network = shuffle_exchange(terminals.into()).unwrap();
            let mut served = vec![false; (terminals * terminals) as usize];
            for round in RoundIdx::all(terminals) {
                let bit = |lane: LaneIdx, stage: StageIdx| {
                    rule.label(round, lane.0) >> (rule.stages - 1 - stage.0) & 1 == 1
                };
                let routed = route_labels(&network, round, bit).unwrap();
                for (source, &destination) in (0..).zip(&routed.destinations) {
                    assert_eq!(destination, rule.destination(round, source), "N = {terminals} round {round}");
                    let pair = (source * terminals + destination) as usize;
                    assert!(
                        !std::mem::replace(&mut served[pair], true),
                        "N = {terminals}: {source} to {destination}"
                    );
                }
            }
        }
        // A label that is one off meets another.
        let (rule, network) = (of(10), shuffle_exchange(10).unwrap());
        let wrong = |LaneIdx(lane): LaneIdx, StageIdx(stage): StageIdx| {
            let label = rule.label(RoundIdx(0), lane) ^ u64::from(lane == 3);
            label >> (rule.stages - 1 - stage) & 1 == 1
        };
        assert!(route_labels(&network, RoundIdx(0), wrong).is_err());
    }

    #[test]
    fn labels_are_as_they_are_defined() {
        for n in (6..=130).step_by(4) {
            let rule = of(n);
            let (modulus, first) = (i64::from(n), i64::from(rule.first()));
            let stages = 1i64 << rule.stages;
            for (round, source) in (0..n).flat_map(|t| (0..n).map(move |s| (t, s))) {
                let label = rule.label(RoundIdx(round), source) as i64;
                assert!((first..first + modulus).contains(&label) && label < stages);
                let residue = (first - stages) * (i64::from(source) - i64::from(round));
                assert_eq!((label - residue) % modulus, 0, "N = {n}");
                let destination = rule.destination(RoundIdx(round), source);
                assert_eq!((stages * i64::from(source) + label) % modulus, i64::from(destination));
                assert_eq!(rule.source(RoundIdx(round), destination), source);
                // A terminal uses what the one before it used a round ago.
                assert_eq!(
                    rule.label(RoundIdx(round), source),
                    rule.label(RoundIdx((round + 1) % n), (source + 1) % n)
                );
            }
        }
    }

    /// Behind each stage the messages of round 0 are at N different positions, for every N to 4,098 and stages to spare. By the
    /// network's symmetry no other round needs to be looked at (docs/latin.md, "One round is enough").
    #[test]
    fn positions_of_round_0_differ_for_every_size() {
        for terminals in (6..=4098u32).step_by(4) {
            let least = shuffle::stages(terminals.into());
            for stages in [least, least + 3] {
                let rule = WindowLabels { terminals, stages };
                for behind in 1..=stages {
                    let mut taken = vec![false; terminals as usize];
                    for source in 0..terminals {
                        let sum = (u64::from(source) << stages) + rule.label(RoundIdx(0), source);
                        let position = ((sum >> (stages - behind)) % u64::from(terminals)) as usize;
                        assert!(
                            !std::mem::replace(&mut taken[position], true),
                            "N = {terminals}, {stages} stages, behind {behind}: two at {position}"
                        );
                    }
                }
            }
        }
    }

    /// The steps of the proof in docs/latin.md, each by itself, with the names that it has there.
    mod steps {
        use super::*;
        use proptest::prelude::*;

        fn divisor(a: i64, b: i64) -> i64 {
            if b == 0 { a.abs() } else { divisor(b, a % b) }
        }

        /// N, m, and k of a stage.
        fn sizes() -> impl Strategy<Value = (i64, u32, u32)> {
            (1..20_000i64, 0..3u32, any::<prop::sample::Index>()).prop_map(|(k, spare, stage)| {
                let terminals = 4 * k + 2;
                let stages = shuffle::stages(terminals as u64) + spare;
                (terminals, stages, 1 + stage.index(stages as usize) as u32)
            })
        }

        proptest! {
            #[test]
            fn a_is_odd_and_both_factors_are_prime_to_n((n, m, _) in sizes()) {
                let a = (1i64 << (m - 1)) - n / 2;
                prop_assert_eq!(a & 1, 1);
                prop_assert_eq!(divisor(a, n), 1);
                prop_assert_eq!(divisor(a - (1 << m), n), 1);
            }

            #[test]
            fn two_solutions_have_both_residues((n, m, k) in sizes(), v in -100_000..100_000i64) {
                let (q, a) = (n / 2, (1i64 << (m - 1)) - n / 2);
                let (l, power) = (1i64 << (m - k), 1i64 << k);
                let solutions: Vec<i64> = (0..n).filter(|t| (power * t - 2 * v).rem_euclid(n) == 0).collect();
                prop_assert_eq!(solutions.len(), 2);
                prop_assert_eq!(solutions[1] - solutions[0], q);
                for t in &solutions {
                    prop_assert_eq!((a * t - l * v).rem_euclid(q), 0);
                }
                prop_assert_eq!((a * (solutions[1] - solutions[0])).rem_euclid(n), q);
            }

            #[test]
            fn each_v_has_two_c_and_their_positions_lie_in_the_intervals(
                (n, m, k) in sizes(), v in -100_000..100_000i64,
            ) {
                let (q, a) = (n / 2, (1i64 << (m - 1)) - n / 2);
                let (l, h) = (1i64 << (m - k), 1i64 << (k - 1));
                let e = |c: i64| (q * c).div_euclid(l);
                // From the bounds of X, one beyond on either side.
                let near = (2 * l * v + a - l * v).div_euclid(q) - 1;
                let x = |c: i64| l * v + q * c;
                let in_window = |c: &i64| (2 * l * v + a..2 * l * v + a + n).contains(&x(*c));
                let found: Vec<i64> = (near..near + 5).filter(in_window).collect();
                prop_assert_eq!(found.len(), 2);
                for c in near..near + 5 {
                    let w = v + h;
                    prop_assert_eq!(in_window(&c), e(c - 1) < w && w <= e(c + 1));
                    prop_assert_eq!(x(c).div_euclid(l), w + e(c) - h);
                }
            }

            #[test]
            fn the_intervals_tile_the_integers((n, m, k) in sizes(), from in -1_000..1_000i64) {
                let (q, l) = (n / 2, 1i64 << (m - k));
                let e = |c: i64| (q * c).div_euclid(l);
                let mut next = e(from - 1) + e(from) + 1;
                for c in from..from + 50 {
                    for w in e(c - 1) + 1..=e(c + 1) {
                        prop_assert_eq!(w + e(c), next);
                        next += 1;
                    }
                    prop_assert_eq!(next, e(c) + e(c + 1) + 1);
                }
            }
        }
    }
}

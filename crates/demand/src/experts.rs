//! Demands of a mixture-of-experts layer: tokens of each terminal go to the terminals that hold their experts.

use crate::demand::Demand;
use crate::weights::{log_normal, whole};
use frit_network::{Refusal, refusal, refuse};
use frit_traffic::npy::{Array, DROPPED};
use frit_traffic::random::{source_stream, stream};

/// Which terminal holds which expert, for N terminals with E experts each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Expert e is on terminal ⌊e / E⌋.
    #[default]
    Blocks,
    /// Expert e is on terminal e mod N.
    Cyclic,
    /// The experts, most popular first, are dealt to terminals 0 … N − 1, then N − 1 … 0, and so on.
    Balanced,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experts {
    pub tokens: u32,
    /// Experts on each terminal, E.
    pub experts: u32,
    /// Experts of a token, k, all different.
    pub top_k: u32,
    /// σ of the experts' popularity: expert e is drawn with a probability that is proportional to exp(σ g_e), g_e standard normal.
    pub sigma: f64,
    /// Each expert takes at most ⌈C · k · tokens / E⌉ tokens of all sources, in the order of tokens, then sources; those that come
    /// later are dropped. 0: no limit.
    pub capacity: f64,
    pub placement: Placement,
}

impl Experts {
    /// Four experts on each terminal, of which a token asks two; no limit.
    pub const USUAL: Experts = Experts {
        tokens: 1000,
        experts: 4,
        top_k: 2,
        sigma: 1.0,
        capacity: 0.0,
        placement: Placement::Blocks,
    };
}

/// The most draws of a demand: tokens of all sources, times the experts that each of them is drawn from.
const MAX_DRAWS: f64 = 4e9;
/// The most experts on a terminal.
const MAX_EXPERTS: u32 = 1024;
/// The tag of the stream of the experts' popularity.
const POPULARITY: u64 = 0x3704;

/// The words of a dispatch: one from a token's terminal to each terminal that holds at least one of its experts, however many it
/// holds (a token is sent once to a terminal). A token whose expert is on its own terminal counts as a word to itself.
pub fn demand(experts: &Experts, n: u32, seed: u64) -> Result<Demand, Refusal> {
    check(experts, n)?;
    let all = n * experts.experts;
    let weights = whole(&log_normal(all, experts.sigma, &mut stream(seed, POPULARITY)));
    let home = homes(experts.placement, n, experts.experts, &weights);
    let mut randoms: Vec<_> = (0..n).map(|source| source_stream(seed, source)).collect();
    let limit = match experts.capacity {
        0.0 => u64::MAX,
        factor => {
            (factor * f64::from(experts.top_k) * f64::from(experts.tokens) / f64::from(experts.experts))
                .ceil() as u64
        }
    };
    let mut taken = vec![0u64; all as usize];
    let mut words = vec![0u32; n as usize * n as usize];
    let mut chosen = Vec::new();
    let mut reached = Vec::new();
    for _ in 0..experts.tokens {
        for (source, random) in randoms.iter_mut().enumerate() {
            chosen.clear();
            reached.clear();
            let mut left: u64 = weights.iter().sum();
            for _ in 0..experts.top_k {
                // An expert that was chosen is left out of the next draw.
                let mut at = ((u128::from(random.next()) * u128::from(left)) >> 64) as u64;
                let free = |(expert, _): &(usize, &u64)| !chosen.contains(expert);
                let pick = weights.iter().enumerate().filter(free).find(|(_, weight)| {
                    let here = at < **weight;
                    at = at.saturating_sub(**weight);
                    here
                });
                let Some((expert, weight)) = pick else { break };
                left -= weight;
                chosen.push(expert);
                taken[expert] += 1;
                if taken[expert] <= limit && !reached.contains(&home[expert]) {
                    reached.push(home[expert]);
                }
            }
            reached.iter().for_each(|&to| words[source * n as usize + to as usize] += 1);
        }
    }
    Demand::new(n, words)
}

fn check(experts: &Experts, n: u32) -> Result<(), Refusal> {
    let range = |name, given: f64, low: f64, high: f64| match given >= low && given <= high {
        true => Ok(()),
        false => Err(refusal!("{name} {given} is not allowed; give {low} to {high}")),
    };
    range("experts", experts.experts.into(), 1.0, MAX_EXPERTS.into())?;
    let all = f64::from(n) * f64::from(experts.experts);
    range("top-k", experts.top_k.into(), 1.0, all.min(64.0))?;
    range("sigma", experts.sigma, 0.0, 10.0)?;
    range("capacity", experts.capacity, 0.0, 1e6)?;
    let draws = all * f64::from(n) * f64::from(experts.top_k);
    range("tokens", experts.tokens.into(), 1.0, (MAX_DRAWS / draws).floor().max(1.0))
}

fn homes(placement: Placement, n: u32, experts: u32, popularity: &[u64]) -> Vec<u32> {
    let all = n * experts;
    match placement {
        Placement::Blocks => (0..all).map(|expert| expert / experts).collect(),
        Placement::Cyclic => (0..all).map(|expert| expert % n).collect(),
        Placement::Balanced => {
            let mut order: Vec<u32> = (0..all).collect();
            order.sort_by_key(|&expert| std::cmp::Reverse(popularity[expert as usize]));
            let mut home = vec![0; all as usize];
            for (expert, place) in order.into_iter().zip(0..) {
                let (turn, at) = (place / n, place % n);
                home[expert as usize] = if turn % 2 == 0 { at } else { n - 1 - at };
            }
            home
        }
    }
}

/// The words of a dispatch that was recorded: `[tokens, layers, top-k]` numbers of experts, as inference servers return the experts
/// that were routed to, or `[tokens, top-k]`. Token t of T is on terminal ⌊t · N / T⌋. An expert that is [`DROPPED`] takes no word.
pub fn from_routes(
    array: &Array,
    layer: usize,
    n: u32,
    experts: u32,
    placement: Placement,
) -> Result<Demand, Refusal> {
    let range = |name, given: u32, high: u32| match (1..=high).contains(&given) {
        true => Ok(()),
        false => Err(refusal!("{name} {given} is not allowed; give 1 to {high}")),
    };
    crate::demand::check_terminals(n.into())?;
    range("experts", experts, MAX_EXPERTS)?;
    let (tokens, layers, top_k) = match array.shape[..] {
        [tokens, layers, top_k] => (tokens, layers, top_k),
        [tokens, top_k] => (tokens, 1, top_k),
        _ => refuse!(
            "the array has the shape {:?}; routed experts have the axes [tokens, layers, top-k] or [tokens, top-k]",
            array.shape
        ),
    };
    if layer >= layers {
        refuse!("layer {layer} is out of range; the array has layers 0..{layers}");
    }
    let row = |token: usize| &array.numbers[(token * layers + layer) * top_k..][..top_k];
    let mut popularity = vec![0u64; (n * experts) as usize];
    for token in 0..tokens {
        for &given in row(token).iter().filter(|&&given| given != DROPPED) {
            let slot = usize::try_from(given).ok().and_then(|expert| popularity.get_mut(expert));
            let Some(slot) = slot else {
                refuse!(
                    "token {token} goes to expert {given}; with {n} terminals of {experts} experts there are 0..{}",
                    n * experts
                );
            };
            *slot += 1;
        }
    }
    let home = homes(placement, n, experts, &popularity);
    let mut words = vec![0u32; n as usize * n as usize];
    for token in 0..tokens {
        let source = token * n as usize / tokens;
        let taken = row(token).iter().filter(|&&expert| expert != DROPPED);
        let mut reached: Vec<u32> = taken.map(|&expert| home[expert as usize]).collect();
        reached.sort_unstable();
        reached.dedup();
        reached.iter().for_each(|&to| words[source * n as usize + to as usize] += 1);
    }
    Demand::new(n, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Experts = Experts {
        tokens: 200,
        experts: 4,
        top_k: 2,
        sigma: 0.0,
        capacity: 0.0,
        placement: Placement::Blocks,
    };

    fn of(experts: Experts) -> Demand {
        demand(&experts, 8, 1).unwrap()
    }

    #[test]
    fn a_token_is_sent_once_to_each_terminal_of_its_experts() {
        // One expert on each terminal: k words for each token.
        let spread = of(Experts { experts: 1, ..BASE });
        assert!(spread.sent().iter().all(|&words| words == 400));
        // 32 experts, two of them: with probability 3/31 on one terminal, 1 word; else 2.
        let mean = of(BASE).total() as f64 / 1600.0;
        assert!((mean - (2.0 - 3.0 / 31.0)).abs() < 0.03, "{mean}");
        // All experts are chosen: a word to every terminal.
        let all = of(Experts { top_k: 32, ..BASE });
        assert!(all.matrix().iter().all(|&words| words == 200));
    }

    #[test]
    fn popularity_capacity_and_placement_matter() {
        let skewed = Experts { sigma: 1.5, ..BASE };
        let (blocks, balanced) = (of(skewed), of(Experts { placement: Placement::Balanced, ..skewed }));
        assert!(
            blocks.skew() > 1.3 && balanced.skew() < blocks.skew(),
            "{} {}",
            blocks.skew(),
            balanced.skew()
        );
        let capped = of(Experts { capacity: 1.0, experts: 1, ..skewed });
        // ⌈1.0 · 2 · 200 / 1⌉ tokens for the one expert of each terminal.
        assert_eq!(capped.received().iter().max(), Some(&400));
        assert!(capped.total() < of(Experts { experts: 1, ..skewed }).total());
    }

    #[test]
    fn recorded_routes_are_counted() {
        // Four tokens, two layers, top-2, on two terminals of two experts.
        let numbers = vec![0, 1, 2, 3, 0, 2, 1, 1, 3, 3, 0, 0, 2, 1, 3, 0];
        let array = Array { shape: vec![4, 2, 2], numbers };
        let of = |layer, placement| from_routes(&array, layer, 2, 2, placement);
        // Layer 0: {0, 1}, {0, 2} on terminal 0; {3, 3}, {2, 1} on terminal 1.
        assert_eq!(of(0, Placement::Blocks).unwrap().matrix(), [2, 1, 1, 2]);
        assert_eq!(of(0, Placement::Cyclic).unwrap().matrix(), [2, 1, 1, 2]);
        // Layer 1: {2, 3}, {1, 1}; {0, 0}, {3, 0}.
        assert_eq!(of(1, Placement::Blocks).unwrap().matrix(), [1, 1, 2, 1]);
        assert_eq!(of(1, Placement::Cyclic).unwrap().matrix(), [1, 2, 2, 1]);
        // A token that no expert takes is not sent.
        let dropped = Array { shape: vec![2, 2], numbers: vec![DROPPED, 2, DROPPED, DROPPED] };
        assert_eq!(from_routes(&dropped, 0, 2, 2, Placement::Blocks).unwrap().matrix(), [0, 1, 0, 0]);
        let text = |layer, n, experts| {
            from_routes(&array, layer, n, experts, Placement::Blocks).unwrap_err().to_string()
        };
        assert_eq!(text(2, 2, 2), "layer 2 is out of range; the array has layers 0..2");
        assert_eq!(text(0, 2, 1), "token 1 goes to expert 2; with 2 terminals of 1 experts there are 0..2");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let text = |experts| demand(&experts, 8, 1).unwrap_err().to_string();
        assert_eq!(text(Experts { top_k: 33, ..BASE }), "top-k 33 is not allowed; give 1 to 32");
        assert!(
            text(Experts { tokens: u32::MAX, ..BASE })
                .starts_with("tokens 4294967295 is not allowed; give 1 to ")
        );
        assert!(text(Experts { capacity: f64::INFINITY, ..BASE }).starts_with("capacity inf is not allowed"));
        assert!(text(Experts { experts: 0, ..BASE }).starts_with("experts 0 is not allowed"));
    }
}

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

/// Which experts a token may choose, all with the same probability: the workloads W0 to W7 of Megatron-LM's benchmark of token imbalance
/// (`benchmarks/moe/token_imbalance`, pull request 7488), for tokens t = 0, 1, … of a source and experts 0 … A − 1. *Hot* are the first
/// H = max(k, ⌊A / 4⌋) experts. The random numbers are not those of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// - 0: not random; token t chooses the experts from t · k on, modulo A.
    /// - 1, 2: hot experts, but every fourth token (t mod 4 = 0) any experts. The benchmark defines W1 and W2 alike.
    /// - 3: as 1, with every other expert (0, 2, …) in place of the hot ones.
    /// - 4: any experts. The benchmark's sources all have the same number of tokens here, too.
    /// - 5: the second half of the experts.
    /// - 6: as 1, with the H experts from ⌊step / 3⌋ · H on, modulo A, in place of the hot ones.
    /// - 7: any experts, but if step mod 4 = 3 every other token (t mod 2 = 0) hot ones.
    pub number: u8,
    /// The step of training, for 6 and 7.
    pub step: u32,
}

impl Workload {
    /// Whether a token may choose an expert of `all`.
    fn allows(self, token: u32, expert: u32, all: u32, top_k: u32) -> bool {
        let [token, expert, all, top_k, step] = [token, expert, all, top_k, self.step].map(u64::from);
        let width = top_k.max(all / 4);
        let within = |from: u64, width: u64| (expert + all - from % all) % all < width;
        let any = token.is_multiple_of(4);
        match self.number {
            0 => within(token * top_k, top_k),
            1 | 2 => any || within(0, width),
            3 => {
                // The experts 0, 2, 4, … modulo A: so many, or all of them where these are too few.
                let (count, odd) = (top_k.max(all / 2), !all.is_multiple_of(2));
                let place = if expert.is_multiple_of(2) { expert / 2 } else { (expert + all) / 2 };
                any || (odd || expert.is_multiple_of(2)) && place < count || !odd && count > all / 2
            }
            5 => expert >= all / 2,
            6 => any || within(step / 3 * width, width),
            7 if step % 4 == 3 => !token.is_multiple_of(2) || within(0, width),
            _ => true,
        }
    }
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
    /// Which experts a token may choose; all are equally popular then, whatever σ is.
    pub workload: Option<Workload>,
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
        workload: None,
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
    let sigma = if experts.workload.is_some() { 0.0 } else { experts.sigma };
    let weights = whole(&log_normal(all, sigma, &mut stream(seed, POPULARITY)));
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
    let mut allowed = weights.clone();
    for token in 0..experts.tokens {
        if let Some(workload) = experts.workload {
            let of = |expert| u64::from(workload.allows(token, expert, all, experts.top_k));
            allowed = (0..all).map(of).collect();
        }
        for (source, random) in randoms.iter_mut().enumerate() {
            chosen.clear();
            reached.clear();
            let mut left: u64 = allowed.iter().sum();
            for _ in 0..experts.top_k {
                // An expert that was chosen is left out of the next draw.
                let mut at = ((u128::from(random.next()) * u128::from(left)) >> 64) as u64;
                let free = |(expert, _): &(usize, &u64)| !chosen.contains(expert);
                let pick = allowed.iter().enumerate().filter(free).find(|(_, weight)| {
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
    // W5 has the second half of the experts.
    let half = experts.workload.is_some_and(|workload| workload.number == 5);
    range("top-k", experts.top_k.into(), 1.0, if half { (all / 2.0).ceil() } else { all }.min(64.0))?;
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
        refuse!("layer {layer} is out of range; the array has layers 0 to {}", layers.saturating_sub(1));
    }
    let row = |token: usize| &array.numbers[(token * layers + layer) * top_k..][..top_k];
    let mut popularity = vec![0u64; (n * experts) as usize];
    for token in 0..tokens {
        for &given in row(token).iter().filter(|&&given| given != DROPPED) {
            let slot = usize::try_from(given).ok().and_then(|expert| popularity.get_mut(expert));
            let Some(slot) = slot else {
                refuse!(
                    "token {token} goes to expert {given}; with {n} terminals of {experts} experts there are 0 to {}",
                    n * experts - 1
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
        workload: None,
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

    /// The pools of the benchmark, written down for 8 and for 5 experts and top-2, top-4.
    #[test]
    fn workloads_have_the_pools_of_the_benchmark() {
        let pool = |number, step, token, all, top_k| -> Vec<u32> {
            let workload = Workload { number, step };
            (0..all).filter(|&expert| workload.allows(token, expert, all, top_k)).collect()
        };
        let every: Vec<u32> = (0..8).collect();
        assert_eq!([0, 1, 3, 4].map(|token| pool(0, 0, token, 8, 2)), [[0, 1], [2, 3], [6, 7], [0, 1]]);
        assert_eq!(pool(0, 0, 3, 5, 2), [1, 2]);
        for number in [1, 2, 3, 6] {
            assert_eq!(pool(number, 0, 4, 8, 2), every, "W{number}");
        }
        assert_eq!([pool(1, 0, 1, 8, 2), pool(2, 0, 3, 8, 4)], [vec![0, 1], vec![0, 1, 2, 3]]);
        assert_eq!([pool(3, 0, 1, 8, 2), pool(3, 0, 1, 5, 2)], [vec![0, 2, 4, 6], vec![0, 2]]);
        assert_eq!([pool(3, 0, 1, 8, 5), pool(3, 0, 1, 5, 4)], [every.clone(), vec![0, 1, 2, 4]]);
        assert_eq!([pool(4, 0, 1, 8, 2), pool(5, 0, 1, 8, 2)], [every.clone(), vec![4, 5, 6, 7]]);
        assert_eq!([2, 3, 9, 12].map(|step| pool(6, step, 1, 8, 2)), [[0, 1], [2, 3], [6, 7], [0, 1]]);
        assert_eq!([pool(7, 2, 0, 8, 2), pool(7, 3, 1, 8, 2)], [every.clone(), every]);
        assert_eq!(pool(7, 7, 2, 8, 2), [0, 1]);
    }

    #[test]
    fn workloads_are_as_uneven_as_they_say() {
        // 8 terminals of one expert: the benchmark's figures for 8 experts and top-2, largest column / mean.
        let made =
            |number, step| of(Experts { experts: 1, workload: Some(Workload { number, step }), ..BASE });
        let heat = |demand: &Demand| {
            let received = demand.received();
            f64::from(*received.iter().max().unwrap()) * 8.0 / demand.total() as f64
        };
        assert_eq!(heat(&made(0, 0)), 1.0);
        // 3/4 of the tokens take both hot experts, 1/4 of them two of eight: 4 · 3/4 + 1/4 = 3.25.
        for (number, step, due) in
            [(1, 0, 3.25), (3, 0, 1.75), (4, 0, 1.0), (5, 0, 2.0), (6, 4, 3.25), (7, 3, 2.5), (7, 4, 1.0)]
        {
            let heat = heat(&made(number, step));
            assert!((heat - due).abs() < 0.15, "W{number}: {heat}");
        }
        let five = Experts { experts: 1, top_k: 5, workload: Some(Workload { number: 5, step: 0 }), ..BASE };
        assert_eq!(demand(&five, 8, 1).unwrap_err().to_string(), "top-k 5 is not allowed; give 1 to 4");
    }

    /// DeepEP and servers write int32 and int64 with −1 where a token has no expert.
    #[test]
    fn tokens_without_an_expert_are_not_sent_in_any_layer_and_top_k() {
        let (tokens, layers, n, each) = (12usize, 3, 2, 3u32);
        for (top_k, size) in [(1usize, 4usize), (2, 8), (4, 4), (8, 8)] {
            let expert = |at: usize| (at * 5 + at / 7) as i64 % 7 - 1;
            let count = tokens * layers * top_k;
            let data = (0..count).flat_map(|at| expert(at).to_le_bytes()[..size].to_vec());
            let header = format!(
                "{{'descr': '<i{size}', 'fortran_order': False, 'shape': ({tokens}, {layers}, {top_k}), }}"
            );
            let length = (header.len() as u16).to_le_bytes();
            let bytes: Vec<u8> = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()]
                .concat()
                .into_iter()
                .chain(data)
                .collect();
            let array = frit_traffic::npy::parse_routes(&bytes).unwrap();
            for layer in 0..layers {
                let mut due = [[false; 2]; 12];
                for (token, reached) in due.iter_mut().enumerate() {
                    for at in 0..top_k {
                        let expert = expert((token * layers + layer) * top_k + at);
                        (expert >= 0).then(|| reached[expert as usize / each as usize] = true);
                    }
                }
                let words = |from: usize, to: usize| {
                    due[from * 6..][..6].iter().filter(|reached| reached[to]).count() as u32
                };
                let made = from_routes(&array, layer, n, each, Placement::Blocks).unwrap();
                assert_eq!(
                    made.matrix(),
                    [words(0, 0), words(0, 1), words(1, 0), words(1, 1)],
                    "{top_k} {layer}"
                );
            }
        }
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
        assert_eq!(text(2, 2, 2), "layer 2 is out of range; the array has layers 0 to 1");
        assert_eq!(text(0, 2, 1), "token 1 goes to expert 2; with 2 terminals of 1 experts there are 0 to 1");
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

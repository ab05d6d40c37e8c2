//! Worms in a dilated butterfly: bits that pass an edge, a second, in the plain engine and in the fast one on one core, for
//! n packets of 32 bits from each of 2^n rows, strong and weak switches, and edges for a chance of overload of 1/1000.
//!
//!     cargo bench -p frit-model --bench dilated                n = 3 … 12
//!     cargo bench -p frit-model --bench dilated -- 12          one size
//!
//! All payload bits are compared, and the digest of all shunts is made, as `frit route dilated` does. Times are those that
//! the process spent on a core, the least of some repetitions; making the packets is not in them.

mod clock;

use clock::of_same;
use frit_model::dilated::{fast, run};
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Packets, Parameters, Switch, claims};

/// Bit-hops that a measurement has at least.
const HOPS: u64 = 30_000_000;
const REPETITIONS: usize = 5;
/// The plain engine takes minutes above.
const PLAIN: u32 = 9;

/// Bits that pass edges: a packet that arrives has lost a bit at each level.
fn hops(packets: &Packets) -> u64 {
    let (levels, bits) = (u64::from(packets.header_bits()), u64::from(packets.packet_bits()));
    packets.packets().len() as u64 * (1..=levels).map(|level| bits - level).sum::<u64>()
}

fn main() {
    let sizes: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if sizes.is_empty() { (3..=12).collect() } else { sizes };
    println!(
        "{:>3} {:>7} {:>3} {:>6} {:>10} {:>10} {:>10} {:>8} {:>12}",
        "n", "switch", "b", "steps", "bit-hops", "plain/s", "fast/s", "ratio", "ps a bit-hop"
    );
    for (n, switch) in sizes.into_iter().flat_map(|n| [(n, Switch::Strong), (n, Switch::Weak)]) {
        let bundle = claims::bundle_for(n, n, 1e-3);
        let parameters = Parameters { switch, ..Parameters::new(1 << n, bundle, 1) };
        let packets = Packets::new(parameters, &permutations(1 << n, n, 1)).expect("a size that exists");
        let hops = hops(&packets);
        let repeats = (HOPS / hops).max(1);
        let (fast, outcome) = of_same((repeats, REPETITIONS), || fast::run(&packets, |_| ()));
        assert!(outcome.blocked.is_empty() && outcome.wrong.is_empty(), "hops are counted for all packets");
        let plain = (n <= PLAIN).then(|| of_same((1, 1), || run(&packets, |_| ())).0);
        let rate = |time: f64| hops as f64 / time;
        println!(
            "{n:>3} {:>7} {bundle:>3} {:>6} {hops:>10} {:>10} {:>10.2e} {:>8} {:>12.0}",
            if switch == Switch::Strong { "strong" } else { "weak" },
            outcome.steps,
            plain.map_or("-".into(), |plain| format!("{:.2e}", rate(plain))),
            rate(fast),
            plain.map_or("-".into(), |plain| format!("{:.0}", plain / fast)),
            1e12 / rate(fast)
        );
    }
}

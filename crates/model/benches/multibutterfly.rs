//! h-relations on the multibutterfly: messages moved over an edge, a second, in the plain engine and in the fast one on one core.
//!
//!     cargo bench -p frit-model --bench multibutterfly               N = 64 … 4096
//!     cargo bench -p frit-model --bench multibutterfly -- 4096       one size
//!
//! d 8, R 4, Z 2, Y 3. *wide*: 8 messages from and to every row, other permutations, h 16, so that nobody asks. *forced*: the same
//! permutation for all, h 8, so that all sources ask and are stuck without force. *sparse*: as forced but every 8th row alone and
//! no force, so that sides ask, some are late, and the network is nearly empty. The digest of all events is made, as `frit route`
//! does. Times are those that the process spent on a core, the least of some repetitions; drawing wires and messages is not in them.

mod clock;

use clock::of_same;
use frit_model::multibutterfly::{fast, run};
use frit_router::multibutterfly::traffic::Traffic;
use frit_router::multibutterfly::{Parameters, Problem};

/// Moves that a measurement has at least.
const MOVES: u64 = 2_000_000;
const REPETITIONS: usize = 5;

fn main() {
    let sizes: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![64, 256, 1024, 4096] } else { sizes };
    println!(
        "{:>6} {:>7} {:>7} {:>9} {:>9} {:>6} {:>10} {:>10} {:>6} {:>10}",
        "N", "traffic", "phases", "moves", "requests", "late", "plain/s", "fast/s", "ratio", "ns a move"
    );
    let base = |rows| Parameters { degree: 8, committed: 4, free: 64, ..Parameters::new(rows, 1) };
    for (rows, case) in
        sizes.into_iter().flat_map(|rows| ["wide", "forced", "sparse"].map(|case| (rows, case)))
    {
        let (parameters, rule) = match case {
            "wide" => (Parameters { threshold: 16, ..base(rows) }, Traffic::Perm),
            "forced" => (Parameters { force: true, ..base(rows) }, Traffic::HCopies),
            _ => (Parameters { stride: 8, ..base(rows) }, Traffic::HCopies),
        };
        let problem = Problem::new(parameters, &rule.messages(&parameters)).expect("a size that exists");
        let once = fast::run(&problem, |_| ());
        assert!(once.ok(), "moves are counted of a run that ends well");
        let moves = once.figures.moves;
        let (fast, outcome) = of_same(((MOVES / moves).max(1), REPETITIONS), || fast::run(&problem, |_| ()));
        let (plain, expected) = of_same((1, 1), || run(&problem, |_| ()));
        assert_eq!(outcome, expected);
        println!(
            "{rows:>6} {case:>7} {:>7} {moves:>9} {:>9} {:>6} {:>10.2e} {:>10.2e} {:>6.0} {:>10.1}",
            outcome.phases,
            outcome.figures.requests,
            outcome.figures.late,
            moves as f64 / plain,
            moves as f64 / fast,
            plain / fast,
            1e9 * fast / moves as f64
        );
    }
}

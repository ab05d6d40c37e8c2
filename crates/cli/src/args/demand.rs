//! What `frit demand` takes, and how commands are given a demand.

use super::{Format, PaceArgs, PlanArgs, RacksArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What the help of `frit demand` ends with: the formulas.
pub const HELP: &str = "Examples:
  frit demand zipf -n 16 --words 1000 -o demand.csv        make one, and describe it
  frit demand experts -n 64 --tokens 512 --experts 4 --top-k 8 --sigma 1 --capacity 1.25 -o moe.npy
  frit demand experts -n 8 --experts 32 --routes routed_experts.npy --layer 5 -o layer5.csv
  frit demand counts.csv --word-bytes 14336 --link 400G --schedule plan.csv    how long it takes, and by which permutations
  frit demand demand.csv --delta 10 --planes 2 --planner few --schedule plan.csv   a plan, and when each configuration begins
  frit demand layer.csv --racks 8 --uplinks 18 --delta 100 --schedule plan.csv --circuits circuits.csv   two levels
  frit demand next.csv --delta 10 --reuse plan.csv --schedule next_plan.csv   faster: the same configurations for the next demand
  frit demand demand.csv --delta 10 --check plan.csv       whether a plan, of any planner, carries the demand
  frit demand ranks_by_experts.npy --experts-per-rank 4 -o demand.csv
  frit demand expert_distribution_rank*.csv --layer 3 --experts-per-rank 32 -o layer3.csv    a file of each rank
  frit demand trace_rank*.json --collective 4 --word-bytes 64 -o dispatch.csv
  frit demand FB2010-1Hr-150-0.txt --coflow 12 -o coflow.cm  as flows for htsim
  frit demand zipf -n 16 -o moe.et                         as Chakra traces moe.0.et to moe.15.et, for ASTRA-sim
  frit demand demand.csv --delta 10 --planes 2             describe a file
  frit demand demand.csv --entries 64 -o program.memh      the program of a loaded schedule (frit generate benes --demand)
  frit simulate benes -n 16 --demand demand.csv            run it

Kinds, for N terminals; g is standard normal, and each source draws from its own stream of the seed:
  uniform         each of the source's --words goes to a terminal with probability 1/N
  zipf            ... to the terminal of rank k = 1..N with probability k^-z / sum of k^-z (--exponent z); random ranks
  log-normal      ... to terminal j with probability exp(s g_j) / sum of exp(s g_j) (--sigma s)
  hot-spot        ... to terminal --hot with probability --percent, else as uniform
  block-diagonal  ... to a terminal of its block of --block neighbours, each with the same probability
  sparse          sum of --pairs random permutations, each with a number of words drawn evenly from 1..--words
  experts         each of --tokens tokens of a source chooses --top-k different experts, expert e with probability
                  proportional to exp(s g_e) (--sigma s); a word goes to each terminal that holds at least one of them.
                  --capacity C: an expert takes at most C k tokens / experts (rounded up) of all sources, the rest is dropped
                  --workload W: token t = 0, 1, ... of a source chooses k experts of a pool instead, each with the same
                  probability. With A experts in all, H = max(k, A/4) and the hot set 0..H: w0 experts t k to t k + k - 1
                  modulo A; w1, w2 the hot set, but all if t mod 4 = 0; w3 the same with 0, 2, 4, ...; w4 all; w5 A/2..A;
                  w6 as w1 with the H experts from floor(step/3) H on, modulo A; w7 all, but the hot set if step mod 4 = 3
                  and t is even (Megatron-LM, benchmarks/moe/token_imbalance, with other random numbers)
h is the largest row or column sum, skew is h divided by the mean row sum.
Lower bounds: h rounds, h + 2n - 2 cycles on benes (N = 2^n); with a reconfiguration time of --delta words and --planes
networks max over rows and columns of (sum + delta pairs) / planes, where pairs counts the nonzero entries.
Files: N lines of N numbers (row = source), with or without names of rows and columns; a line source,destination,words for each pair;
`rank 0: 0 5 2`, a line for each rank; JSON; .npy and .npz of whole numbers, also as 157.0; coflow traces.
Files of all ranks: counts of experts (layer_id,expert_id,count of SGLang; layer,expert of llama.cpp); JSON traces of PyTorch
(torch.profiler, ExecutionTraceObserver) with all_to_all_single and split sizes. A rank is in the trace, or in the name (rank3), or the
files are in the order of ranks.";

/// Kinds of demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DemandKind {
    /// Every destination is equally likely.
    Uniform,
    /// Destinations of Zipf's law.
    Zipf,
    /// Destinations of log-normal popularity.
    LogNormal,
    /// One destination is more likely.
    HotSpot,
    /// Blocks of neighbours.
    BlockDiagonal,
    /// Few destinations for each source.
    Sparse,
    /// Tokens to experts.
    Experts,
}

/// Where the experts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlacementArg {
    /// Neighbouring experts on one terminal.
    Blocks,
    /// Expert e on terminal e mod N.
    Cyclic,
    /// Popular experts on different terminals.
    Balanced,
}

/// Workloads of Megatron-LM's benchmark of token imbalance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WorkloadArg {
    /// Balanced: experts in turn.
    W0,
    /// A hot set of experts.
    W1,
    /// The same hot set, which one terminal may hold.
    W2,
    /// Every other expert is hot.
    W3,
    /// All experts alike.
    W4,
    /// Half of the experts are never chosen.
    W5,
    /// The hot set moves every three steps.
    W6,
    /// The hot set of W1 in every fourth step only.
    W7,
}

/// `FROM..TO`, two whole numbers.
fn window(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let range = parts.filter(|(from, to)| from < to);
    range.ok_or_else(|| {
        "give two whole numbers of milliseconds, the first one smaller, for example 0..60000".into()
    })
}

/// Forms of a file with a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DemandForm {
    /// N lines of N numbers.
    Csv,
    /// A line `source,destination,words` for each pair.
    List,
    /// An array of rows.
    Json,
    /// A NumPy array.
    Npy,
    /// A connection matrix for htsim (.cm), with the bytes of --word-bytes [default: 4].
    Htsim,
    /// Chakra execution traces, a file NAME.TERMINAL.et for each terminal (.et), with the bytes of --word-bytes [default: 4].
    Chakra,
    /// A program for benes with a loaded schedule: words of 32 bits in hexadecimal (.memh).
    Program,
}

/// `frit demand`.
#[derive(Clone, Debug, Args)]
#[command(allow_negative_numbers = true)]
pub struct DemandArgs {
    /// Kind of demand to make (below), or a file with a demand
    #[arg(value_name = "KIND|FILE")]
    pub what: String,
    /// The files of the other ranks, where each rank has a file: counts of experts, or traces of PyTorch
    #[arg(value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Number of terminals, 2 to 4096
    #[arg(short = 'n', long = "terminals", value_name = "N")]
    pub terminals: Option<u64>,
    /// Words of each source; sparse: the most words of a permutation [default: 1000]
    #[arg(long, value_name = "W")]
    pub words: Option<u32>,
    /// zipf: exponent, 0 to 10 [default: 1]
    #[arg(long, value_name = "Z")]
    pub exponent: Option<f64>,
    /// log-normal, experts: standard deviation of the logarithm, 0 to 10 [default: 1]
    #[arg(long, value_name = "S")]
    pub sigma: Option<f64>,
    /// hot-spot: number of the hot terminal [default: 0]
    #[arg(long, value_name = "T")]
    pub hot: Option<u32>,
    /// hot-spot: percent of the words that go to the hot terminal [default: 20]
    #[arg(long, value_name = "P")]
    pub percent: Option<u32>,
    /// block-diagonal: terminals of a block [default: 4]
    #[arg(long, value_name = "B")]
    pub block: Option<u32>,
    /// sparse: number of permutations [default: 4]
    #[arg(long, value_name = "K")]
    pub pairs: Option<u32>,
    /// experts: tokens of each source [default: 1000]
    #[arg(long, value_name = "T")]
    pub tokens: Option<u32>,
    /// experts: number of experts on each terminal, 1 to 1024 [default: 4]
    #[arg(long, value_name = "E")]
    pub experts: Option<u32>,
    /// experts: number of experts that each token chooses [default: 2]
    #[arg(long, value_name = "K")]
    pub top_k: Option<u32>,
    /// experts: capacity factor; 0: no limit [default: 0]
    #[arg(long, value_name = "C")]
    pub capacity: Option<f64>,
    /// experts: which terminal holds which expert [default: blocks]
    #[arg(long, value_enum, value_name = "PLACEMENT")]
    pub placement: Option<PlacementArg>,
    /// experts: count the experts in this .npy file of shape [tokens, layers, top-k] instead of drawing any
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tokens", "top_k", "capacity", "sigma", "seed"])]
    pub routes: Option<PathBuf>,
    /// experts: a workload of Megatron-LM's benchmark of token imbalance; every expert that it allows is equally likely
    #[arg(long, value_enum, value_name = "WORKLOAD", conflicts_with_all = ["sigma", "routes"])]
    pub workload: Option<WorkloadArg>,
    /// experts --workload w6 or w7: step of training [default: 0]
    #[arg(id = "workload_step", long = "step", value_name = "STEP", requires = "workload")]
    pub step: Option<u32>,
    /// Layer of the file of --routes [default: 0], of a file of shape [layers, N, N], or of counts of experts
    #[arg(long, value_name = "L")]
    pub layer: Option<usize>,
    /// File: each column, or each count, is of an expert; add the numbers of E neighbouring experts, which are on one terminal
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(1..))]
    pub experts_per_rank: Option<u32>,
    /// Seed [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Use only this coflow of a coflow trace [default: the sum of all]
    #[arg(long, value_name = "ID")]
    pub coflow: Option<u64>,
    /// Use only the coflows of a trace that arrive from FROM on and before TO, in ms
    #[arg(long, value_name = "FROM..TO", value_parser = window, conflicts_with = "coflow")]
    pub window: Option<(u64, u64)>,
    /// Coflow trace: words for each megabyte [default: 1]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..))]
    pub words_per_mb: Option<u32>,
    /// Traces of PyTorch: which collective all_to_allv of the ranks, from 0 on [default: the only one]
    #[arg(long, value_name = "K")]
    pub collective: Option<usize>,
    /// Time, in words, that a network takes to change its configuration
    #[arg(long, value_name = "WORDS", default_value_t = 0)]
    pub delta: u32,
    /// Number of networks side by side [default: 1; with --check and --reuse those of the plan]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub planes: Option<u32>,
    /// Write the demand to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Form of the file [default: json, npy, htsim, chakra or program for .json, .npy, .cm, .et and .memh, otherwise csv]
    #[arg(long, value_enum, value_name = "FORM", requires = "output")]
    pub form: Option<DemandForm>,
    /// A plan.
    #[command(flatten)]
    pub plan: PlanArgs,
    /// Racks.
    #[command(flatten)]
    pub racks: RacksArgs,
    /// Seconds and bytes.
    #[command(flatten)]
    pub pace: PaceArgs,
    /// program: the entries that the hardware has in a bank [default: the number that the plan in h rounds needs]
    #[arg(long, value_name = "K", requires = "output")]
    pub entries: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

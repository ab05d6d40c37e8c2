//! A demand as the arguments of `frit demand` ask for it.

use super::{contents, of_ranks, with_origin};
use crate::args::{DemandArgs, DemandKind, PlacementArg};
use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use frit_demand::experts::{self, Experts, Placement, Workload};
use frit_demand::read::{Origin, Reading};
use frit_demand::{Demand, Kind, generate};
use frit_traffic::npy;
use std::iter;
use std::path::{Path, PathBuf};

/// The arguments alone, for words that are not those of a command.
#[derive(Parser)]
#[command(name = "frit demand", no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    args: DemandArgs,
}

/// The arguments in a line of words, as a command has them.
///
/// # Errors
///
/// What clap says of them.
pub fn arguments(line: &str) -> Result<DemandArgs> {
    let words = Words::try_parse_from(line.split_whitespace());
    Ok(words.map_err(|error| anyhow::anyhow!("{line:?}: {}", error.to_string().trim()))?.args)
}

/// Whether they make a demand of any number of terminals, and whether they draw it from a seed.
pub fn makes(args: &DemandArgs) -> (bool, bool) {
    let makes = kind(&args.what).is_some();
    (makes, makes && args.routes.is_none())
}

/// The kind that a word names; any other word is a file.
pub fn kind(what: &str) -> Option<DemandKind> {
    DemandKind::from_str(what, false).ok()
}

/// The demand that the arguments ask for.
pub fn make(args: &DemandArgs) -> Result<Demand> {
    Ok(make_with_origin(args)?.0)
}

/// The same, and what its file says beside.
pub fn make_with_origin(args: &DemandArgs) -> Result<(Demand, Origin)> {
    match kind(&args.what).zip(Kind::named(&args.what)) {
        Some((checked, kind)) => Ok((of_kind(args, checked, kind)?, Origin::default())),
        None => from_file(args),
    }
}

fn of_kind(args: &DemandArgs, checked: DemandKind, kind: Kind) -> Result<Demand> {
    check_options(args, Some(checked))?;
    let Some(terminals) = args.terminals else {
        bail!("-n is missing; give the number of terminals, for example frit demand {} -n 16", args.what)
    };
    if let Some(path) = &args.routes {
        let n = frit_demand::demand::check_terminals(terminals)?;
        let array = npy::parse_routes(&contents(path)?).with_context(|| path.display().to_string())?;
        let (layer, each) = (args.layer.unwrap_or(0), args.experts.unwrap_or(Experts::USUAL.experts));
        return experts::from_routes(&array, layer, n, each, placement(args))
            .with_context(|| path.display().to_string());
    }
    let kind = with_options(kind, args);
    Ok(generate(&kind, terminals, args.seed.unwrap_or(1))?)
}

/// The kind with the parameters that are given.
fn with_options(mut kind: Kind, args: &DemandArgs) -> Kind {
    fn set<T>(place: &mut T, given: Option<T>) {
        if let Some(given) = given {
            *place = given;
        }
    }
    match &mut kind {
        Kind::Uniform { words } => set(words, args.words),
        Kind::Zipf { words, exponent } => {
            set(words, args.words);
            set(exponent, args.exponent);
        }
        Kind::LogNormal { words, sigma } => {
            set(words, args.words);
            set(sigma, args.sigma);
        }
        Kind::HotSpot { words, hot, percent } => {
            set(words, args.words);
            set(hot, args.hot);
            set(percent, args.percent);
        }
        Kind::BlockDiagonal { words, block } => {
            set(words, args.words);
            set(block, args.block);
        }
        Kind::Sparse { pairs, words } => {
            set(pairs, args.pairs);
            set(words, args.words);
        }
        Kind::Experts(experts) => {
            set(&mut experts.tokens, args.tokens);
            set(&mut experts.experts, args.experts);
            set(&mut experts.top_k, args.top_k);
            set(&mut experts.sigma, args.sigma);
            set(&mut experts.capacity, args.capacity);
            experts.placement = placement(args);
            let step = args.step.unwrap_or(0);
            experts.workload = args.workload.map(|workload| Workload { number: workload as u8, step });
        }
    }
    kind
}

fn placement(args: &DemandArgs) -> Placement {
    match args.placement {
        None | Some(PlacementArg::Blocks) => Placement::Blocks,
        Some(PlacementArg::Cyclic) => Placement::Cyclic,
        Some(PlacementArg::Balanced) => Placement::Balanced,
    }
}

fn from_file(args: &DemandArgs) -> Result<(Demand, Origin)> {
    let path = Path::new(&args.what);
    if !path.exists() {
        let kinds: Vec<String> = DemandKind::value_variants()
            .iter()
            .filter_map(|kind| Some(kind.to_possible_value()?.get_name().to_string()))
            .collect();
        bail!(
            "{} is not a kind of demand and not an existing file; give one of {}, or a file",
            args.what,
            kinds.join(", ")
        );
    }
    check_options(args, None)?;
    let reading = Reading {
        terminals: args.terminals,
        coflow: args.coflow,
        window: args.window,
        words_per_mb: args.words_per_mb,
        layer: args.layer,
        experts_per_rank: args.experts_per_rank,
        collective: args.collective,
        word_bytes: args.pace.word_bytes,
    };
    match args.more.is_empty() {
        true => with_origin(path, reading),
        false => of_ranks(iter::once(path).chain(args.more.iter().map(PathBuf::as_path)), reading),
    }
}

/// Refuses options of other kinds; `None` is a file.
fn check_options(args: &DemandArgs, kind: Option<DemandKind>) -> Result<()> {
    use DemandKind::*;
    let drawn = [Uniform, Zipf, LogNormal, HotSpot, BlockDiagonal, Sparse, Experts].as_slice();
    let makes = kind.is_some();
    let options: [(&str, bool, &[DemandKind]); 23] = [
        ("--words", args.words.is_some(), &[Uniform, Zipf, LogNormal, HotSpot, BlockDiagonal, Sparse]),
        ("--exponent", args.exponent.is_some(), &[Zipf]),
        ("--sigma", args.sigma.is_some(), &[LogNormal, Experts]),
        ("--hot", args.hot.is_some(), &[HotSpot]),
        ("--percent", args.percent.is_some(), &[HotSpot]),
        ("--block", args.block.is_some(), &[BlockDiagonal]),
        ("--pairs", args.pairs.is_some(), &[Sparse]),
        ("--tokens", args.tokens.is_some(), &[Experts]),
        ("--experts", args.experts.is_some(), &[Experts]),
        ("--top-k", args.top_k.is_some(), &[Experts]),
        ("--capacity", args.capacity.is_some(), &[Experts]),
        ("--placement", args.placement.is_some(), &[Experts]),
        ("--routes", args.routes.is_some(), &[Experts]),
        ("--workload", args.workload.is_some(), &[Experts]),
        ("--step", args.step.is_some(), &[Experts]),
        ("--seed", args.seed.is_some(), drawn),
        ("another FILE", !args.more.is_empty() && makes, &[]),
        ("--coflow", args.coflow.is_some() && makes, &[]),
        ("--window", args.window.is_some() && makes, &[]),
        ("--collective", args.collective.is_some() && makes, &[]),
        ("--words-per-mb", args.words_per_mb.is_some() && makes, &[]),
        ("--layer", args.layer.is_some() && makes && args.routes.is_none(), &[]),
        ("--experts-per-rank", args.experts_per_rank.is_some() && makes, &[]),
    ];
    let foreign = |(_, given, kinds): &&(&str, bool, &[DemandKind])| {
        *given && !kind.is_some_and(|kind| kinds.contains(&kind))
    };
    match options.iter().find(foreign) {
        Some((option, _, _)) => {
            bail!(
                "{option} does not apply to {}; leave it out (frit demand --help says what it is for)",
                args.what
            )
        }
        None => Ok(()),
    }
}

//! Sweeps of `frit synth`: area and clock frequency of a part of every design, on every device, with every seed of the placer.
//!
//! Module in reading order: [`cases`] (a part that is mapped once, for all its seeds).

mod cases;

use crate::args::{PartArg, TargetArg};
use crate::plot::figure::{BARS, Corner, Figure};
use crate::sweep::designs::{Subject, axis, subjects, widths};
use crate::sweep::grid::{Conclusion, Grid};
use crate::sweep::kind::sweep_file;
use crate::sweep::lists::OneOrMore;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use cases::Case;
use frit_cosim::synth::{Part, Target};
use frit_cosim::tools::{ToolPath, YOSYS};
use std::sync::Arc;

/// Parts that are one module: of planned systems; streamed ones have the last, or another core.
const PARTS: [Part; 4] = [Part::Fabric, Part::Labels, Part::Exchange, Part::Core("permute")];

/// What nextpnr takes as a seed.
const MAX_SEED: u64 = i32::MAX as u64;

sweep_file! {
    "synth": SynthFile {
        parts: Option<OneOrMore<PartArg>>,
        targets: Option<OneOrMore<TargetArg>>,
        seeds: Option<SeedsFile>,
        #[serde(default)]
        no_pnr: bool,
    }
    systems: SystemFile { widths: OneOrMore<u64>, }
    drawing: DrawingFile { y: Option<String>, }
}

const KEY: &str = "system options terminals width part target seed";
const FACTS: &str = "lut4 ff carry bram fmax_mhz fits";

fn grid(file: &SynthFile) -> Result<Grid> {
    let seeds = seeds(file)?;
    let y = drawn(&file.drawing, seeds.is_empty())?;
    let (parts, targets) = (parts(file)?, targets(file, seeds.is_empty())?);
    let mut grid = Grid::new("synth", KEY, FACTS, y, Figure::new("", "", ""));
    grid.too_many = "all combinations of the lists are run, each with every seed";
    let mut cases: Vec<Arc<Case>> = vec![];
    for SystemFile { system, terminals, options, widths: bits } in &file.systems {
        let widths = widths(bits)?;
        for group in subjects(system, terminals, options)? {
            let parts = own(parts.as_deref(), &group.plans[0])?;
            let plans: Vec<_> = group.plans.into_iter().map(Arc::new).collect();
            let lines = widths.iter().flat_map(|w| parts.iter().map(move |p| (*w, *p)));
            for ((width, part), &target) in lines.flat_map(|l| targets.iter().map(move |t| (l, t))) {
                let words = [&group.name, &format!("{width} bits"), part.name(), target.name()];
                grid.begin(words.join(", "), plans[0].ink());
                for plan in &plans {
                    let case = Case::new(plan.clone(), width, part, target, seeds.len())?;
                    cases.push(Arc::new(case));
                    add(&mut grid, &cases[cases.len() - 1], &seeds)?;
                }
            }
        }
    }
    name_lines(&mut grid);
    grid.plot = plot(y, &cases, seeds.len().max(1));
    grid.ready = Box::new(move || ready(&cases, !seeds.is_empty()));
    grid.conclude = Box::new(|grid, rows| {
        let points = grid.points();
        let large: Vec<usize> =
            (0..points.len()).filter(|&at| grid.number(rows, at, "fits") == Some(0.0)).collect();
        let first = points[*large.first()?].key.join(",");
        let line = format!("{} of {} points do not fit, the first: {first}", large.len(), points.len());
        Some(Conclusion { fine: true, lines: vec![line] })
    });
    grid.filled("no [[systems]]: each has a system, terminals, widths, and options if it should")
}

/// A point for each seed; for areas only one, with seed 0.
fn add(grid: &mut Grid, case: &Arc<Case>, seeds: &[u32]) -> Result<()> {
    grid.once(&case.key(), &case.name())?;
    let column = if seeds.is_empty() { &[0] } else { seeds };
    for seed in column {
        let key = [case.key(), vec![seed.to_string()]].concat();
        let (case, name) = (case.clone(), key.join(","));
        let seed = Some(*seed).filter(|seed| *seed > 0);
        let n = case.subject.terminals().into();
        grid.add(n, (key, case.work()), "", move |_| case.run(seed).with_context(|| name.clone()))?;
    }
    Ok(())
}

/// What all lines have needs no word.
fn name_lines(grid: &mut Grid) {
    let words = |name: &str| name.split(", ").map(String::from).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = grid.lines.iter().map(|line| words(&line.name)).collect();
    let varies = |at: usize| at == 0 || all.iter().any(|other| other[at] != all[0][at]);
    for (line, words) in grid.lines.iter_mut().zip(&all) {
        let kept: Vec<&str> =
            (0..words.len()).filter(|&at| varies(at)).map(|at| words[at].as_str()).collect();
        line.name = kept.join(", ");
    }
}

fn plot(y: &str, cases: &[Arc<Case>], seeds: usize) -> Figure {
    let named = match y {
        "fmax_mhz" => "Fmax in MHz",
        "lut4" if cases.iter().all(|case| case.target.library().lut() == "LUT4") => "LUT4",
        "lut4" => "LUTs",
        "ff" => "flip-flops",
        "carry" => "carry cells",
        _ => "block RAMs",
    };
    let timed = y == "fmax_mhz";
    let of = match seeds {
        1 if timed => " (one seed)".to_string(),
        seeds if timed => format!(" (mean of {seeds} seeds)"),
        _ => String::new(),
    };
    Figure {
        bars: BARS.into(),
        legend: if timed { Corner::Right } else { Corner::Left },
        ..Figure::new(format!("{named} on an FPGA{of}"), axis(cases.iter().map(|case| &*case.subject)), named)
    }
}

fn ready(cases: &[Arc<Case>], placed: bool) -> Result<()> {
    let tools = ToolPath::from_environment();
    tools.find(YOSYS)?;
    for device in cases.iter().filter_map(|case| case.target.device()).filter(|_| placed) {
        tools.find(device.family().nextpnr())?;
    }
    Ok(())
}

fn seeds(file: &SynthFile) -> Result<Vec<u32>> {
    if file.no_pnr {
        if file.seeds.is_some() {
            bail!("no_pnr: areas need no seeds of the placer; leave one of the two out");
        }
        return Ok(vec![]);
    }
    let seeds = file.seeds.as_ref().map_or_else(|| SeedsFile::default().seeds(), SeedsFile::seeds)?;
    let seed = |seed: u64| match seed {
        1..=MAX_SEED => Ok(seed as u32),
        _ => bail!("seeds: {seed} is not a seed of nextpnr; give 1 to {MAX_SEED}"),
    };
    seeds.iter().map(seed).collect()
}

/// The parts that a file names, if it does.
fn parts(file: &SynthFile) -> Result<Option<Vec<Part>>> {
    let Some(given) = &file.parts else { return Ok(None) };
    let mut parts: Vec<Part> = given.list().iter().map(|&part| part.into()).collect();
    if let Some(part) = parts.iter().find(|part| !PARTS.contains(part)) {
        bail!("parts: {} is not a part; give fabric, labels, exchange or permute", part.name());
    }
    parts.dedup();
    some(parts, "parts").map(Some)
}

/// Those of them that a system has, or the whole of it.
fn own(given: Option<&[Part]>, subject: &Subject) -> Result<Vec<Part>> {
    let has = match subject {
        Subject::Planned(_) => PARTS[..3].to_vec(),
        Subject::Streamed(core) => vec![Part::Core(core.core())],
    };
    let Some(given) = given else { return Ok(has[has.len() - 1..].to_vec()) };
    let parts: Vec<Part> = given.iter().filter(|part| has.contains(part)).copied().collect();
    if parts.is_empty() {
        let names: Vec<&str> = has.iter().map(|part| part.name()).collect();
        bail!(
            "parts: {}: {} has {}; add one of its parts",
            given[0].name(),
            subject.key()[0],
            names.join(", ")
        );
    }
    Ok(parts)
}

fn targets(file: &SynthFile, areas_only: bool) -> Result<Vec<Target>> {
    let given = OneOrMore::list_or(&file.targets, &[TargetArg::Ice40Hx8k]);
    let mut targets: Vec<Target> = given.iter().map(|&target| target.into()).collect();
    if let Some(target) = targets.iter().find(|target| !areas_only && target.device().is_none()) {
        bail!("targets: {:?} has areas only; add no_pnr = true, or leave it out", target.name());
    }
    targets.dedup();
    some(targets, "targets")
}

fn some<T>(values: Vec<T>, name: &str) -> Result<Vec<T>> {
    if values.is_empty() { bail!("{name} needs at least one value") } else { Ok(values) }
}

/// The column that is drawn.
fn drawn(file: &DrawingFile, areas_only: bool) -> Result<&'static str> {
    let columns: Vec<&'static str> = FACTS.split(' ').filter(|name| *name != "fits").collect();
    let asked = file.y.as_deref().unwrap_or(if areas_only { "lut4" } else { "fmax_mhz" });
    if areas_only && asked == "fmax_mhz" {
        bail!("y = \"fmax_mhz\": with no_pnr there is no Fmax; give another y");
    }
    let known = columns.iter().find(|column| **column == asked);
    known.copied().with_context(|| format!("y = {asked:?}: give one of {}", columns.join(", ")))
}

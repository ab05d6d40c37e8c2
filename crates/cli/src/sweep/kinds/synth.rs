//! Sweeps of `frit synth`: area and clock frequency of a part of every design, on every device, with every seed of the placer.
//!
//! Module in reading order: [`cases`] (a part that is mapped once, for all its seeds).

mod cases;

use crate::args::{PartArg, TargetArg};
use crate::plot::figure::{BARS, Corner, Figure, Mean, Series};
use crate::sweep::designs::{MAX_POINTS, Subject, axis, subjects, widths};
use crate::sweep::kind::{Conclusion, Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::lists::{OneOrMore, Options};
use crate::sweep::rows::Rows;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use cases::Case;
use frit_cosim::synth::{Part, Target};
use frit_cosim::tools::{ToolPath, YOSYS};
use frit_model::Statistics;
use serde::Deserialize;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "synth", read };

/// Parts that are one module: of planned systems, and of streamed ones.
const PARTS: [&[Part]; 2] = [&[Part::Fabric, Part::Labels, Part::Exchange], &[Part::Permute]];

/// What nextpnr takes as a seed.
const MAX_SEED: u64 = i32::MAX as u64;

/// The columns of the CSV file, and how many of them are the key.
const COLUMNS: [&str; 13] = [
    "system",
    "options",
    "terminals",
    "width",
    "part",
    "target",
    "seed",
    "lut4",
    "ff",
    "carry",
    "bram",
    "fmax_mhz",
    "fits",
];
const KEYS: usize = 7;

sweep_file! {
    /// The members of a file with `kind = "synth"`.
    struct SynthFile of Synth {
        systems: Vec<SystemFile>,
        parts: Option<OneOrMore<PartArg>>,
        #[serde(default = "hx8k")]
        targets: OneOrMore<TargetArg>,
        seeds: Option<SeedsFile>,
        #[serde(default)]
        no_pnr: bool,
        #[serde(default)]
        drawing: DrawingFile,
    }
}

/// A system with its sizes and widths.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemFile {
    system: String,
    terminals: OneOrMore<u64>,
    #[serde(default)]
    options: Options,
    widths: OneOrMore<u64>,
}

/// The section `[drawing]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawingFile {
    y: Option<String>,
}

fn hx8k() -> OneOrMore<TargetArg> {
    OneOrMore::One(TargetArg::Ice40Hx8k)
}

/// A checked sweep.
struct Synth {
    seeds: Vec<u32>,
    cases: Vec<Case>,
    points: Vec<Point>,
    y: &'static str,
    /// The name of a series, and the cases it has.
    series: Vec<(String, Vec<usize>)>,
}

impl Synth {
    /// Checks a file and lists its points.
    fn new(file: &SynthFile) -> Result<Self> {
        let seeds = seeds(file)?;
        let y = drawn(&file.drawing, seeds.is_empty())?;
        let (parts, targets) = (parts(file)?, targets(file, seeds.is_empty())?);
        let mut sweep = Synth { seeds, cases: vec![], points: vec![], y, series: vec![] };
        for entry in &file.systems {
            sweep.add(entry, parts.as_deref(), &targets)?;
        }
        if sweep.points.is_empty() {
            bail!("no [[systems]]: each has a system, terminals, widths, and options if it should");
        }
        // What all lines have needs no word.
        let words = sweep.series.iter().map(|(name, _)| name.split(", ").map(String::from).collect());
        let words: Vec<Vec<String>> = words.collect();
        let varies = |at: usize| at == 0 || words.iter().any(|other| other[at] != words[0][at]);
        for ((name, _), words) in sweep.series.iter_mut().zip(&words) {
            let kept: Vec<&str> =
                (0..words.len()).filter(|&at| varies(at)).map(|at| words[at].as_str()).collect();
            *name = kept.join(", ");
        }
        Ok(sweep)
    }

    /// Adds the points of an entry.
    fn add(&mut self, entry: &SystemFile, parts: Option<&[Part]>, targets: &[Target]) -> Result<()> {
        let widths = widths(&entry.widths)?;
        for group in subjects(&entry.system, &entry.terminals, &entry.options)? {
            let parts = own(parts, &group.plans[0])?;
            let plans: Vec<_> = group.plans.into_iter().map(std::sync::Arc::new).collect();
            let lines = widths.iter().flat_map(|w| parts.iter().map(move |p| (*w, *p)));
            for ((width, part), &target) in lines.flat_map(|l| targets.iter().map(move |t| (l, t))) {
                let mut members = vec![];
                for plan in &plans {
                    let case = Case::new(plan.clone(), width, part, target, !self.seeds.is_empty())?;
                    let mut key = plan.key();
                    key.extend([width.to_string(), part.name().into(), target.name().into()]);
                    if self.points.iter().any(|point| point.key[..KEYS - 1] == key) {
                        bail!("{} is listed twice", plan.design_name(width));
                    }
                    members.push(self.cases.len());
                    let work = case.work(!self.seeds.is_empty());
                    for seed in self.column() {
                        let key = [&key[..], &[seed.to_string()]].concat();
                        self.points.push(Point { key, work });
                    }
                    self.cases.push(case);
                    if self.points.len() > MAX_POINTS {
                        bail!(
                            "more than {MAX_POINTS} points: all combinations of the lists are run, each with every seed"
                        );
                    }
                }
                let words =
                    [group.name.clone(), format!("{width} bits"), part.name().into(), target.name().into()];
                self.series.push((words.join(", "), members));
            }
        }
        Ok(())
    }

    /// The cells of the column `seed`: 0 for areas only.
    fn column(&self) -> Vec<u32> {
        if self.seeds.is_empty() { vec![0] } else { self.seeds.clone() }
    }

    /// What is drawn of a case.
    fn mean(&self, case: usize, rows: &Rows) -> Option<Mean> {
        let seeds = self.column().len();
        let points = &self.points[case * seeds..(case + 1) * seeds];
        let values: Vec<f64> = points.iter().filter_map(|point| rows.number(&point.key, self.y)).collect();
        let statistics = Statistics::of(&values)?;
        let x = f64::from(self.cases[case].subject().terminals());
        Some(Mean::of(x, &statistics))
    }
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
        _ => bail!("seeds: {seed} is none of nextpnr's: they are 1 to {MAX_SEED}"),
    };
    seeds.iter().map(seed).collect()
}

/// The parts that a file names, if it does.
fn parts(file: &SynthFile) -> Result<Option<Vec<Part>>> {
    let Some(given) = &file.parts else { return Ok(None) };
    let mut parts: Vec<Part> = given.list().iter().map(|&part| part.into()).collect();
    if let Some(part) = parts.iter().find(|part| !PARTS.concat().contains(part)) {
        bail!("parts: {}: it is one of fabric, labels, exchange, permute", part.name());
    }
    parts.dedup();
    some(parts, "parts").map(Some)
}

/// Those of them that a system has, or the whole of it.
fn own(given: Option<&[Part]>, subject: &Subject) -> Result<Vec<Part>> {
    let has = match subject {
        Subject::Planned(_) => PARTS[0],
        Subject::Streamed(_) => PARTS[1],
    };
    let Some(given) = given else { return Ok(has[has.len() - 1..].to_vec()) };
    let parts: Vec<Part> = given.iter().filter(|part| has.contains(part)).copied().collect();
    if parts.is_empty() {
        let names: Vec<&str> = has.iter().map(|part| part.name()).collect();
        bail!(
            "parts: {}: {} has {}; add one of its parts",
            given[0].name(),
            subject.system(),
            names.join(", ")
        );
    }
    Ok(parts)
}

fn targets(file: &SynthFile, areas_only: bool) -> Result<Vec<Target>> {
    let mut targets: Vec<Target> = file.targets.list().iter().map(|&target| target.into()).collect();
    if let Some(target) = targets.iter().find(|target| !areas_only && target.device().is_none()) {
        bail!("targets: {:?}: there are areas only; add no_pnr = true, or take it out", target.name());
    }
    targets.dedup();
    some(targets, "targets")
}

fn some<T>(values: Vec<T>, name: &str) -> Result<Vec<T>> {
    if values.is_empty() { bail!("{name} need a value at least") } else { Ok(values) }
}

/// The column that is drawn.
fn drawn(file: &DrawingFile, areas_only: bool) -> Result<&'static str> {
    let columns = &COLUMNS[KEYS..COLUMNS.len() - 1];
    let asked = file.y.as_deref().unwrap_or(if areas_only { "lut4" } else { "fmax_mhz" });
    if areas_only && asked == "fmax_mhz" {
        bail!("y = \"fmax_mhz\": with no_pnr there is none");
    }
    let known = columns.iter().find(|column| **column == asked);
    known.copied().with_context(|| format!("y = {asked:?}: it is one of {}", columns.join(", ")))
}

impl Kind for Synth {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn configuration(&self) -> String {
        "synth".into()
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn ready(&self) -> Result<()> {
        let tools = ToolPath::from_environment();
        tools.find(YOSYS)?;
        if !self.seeds.is_empty() {
            for device in self.cases.iter().filter_map(|case| case.target().device()) {
                tools.find(device.family().nextpnr())?;
            }
        }
        Ok(())
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let seeds = self.column().len();
        let case = &self.cases[point / seeds];
        let seed = self.seeds.get(point % seeds).copied();
        case.run(seed, seeds).with_context(|| self.points[point].key.join(","))
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let series = self.series.iter().map(|(name, cases)| {
            let means = cases.iter().filter_map(|&case| self.mean(case, rows)).collect();
            Series::new(name.clone(), means, self.cases[cases[0]].subject().ink())
        });
        let y = match self.y {
            "fmax_mhz" => "Fmax in MHz",
            "lut4" if self.cases.iter().all(|case| case.target().library().lut() == "LUT4") => "LUT4",
            "lut4" => "LUTs",
            "ff" => "flip-flops",
            "carry" => "carry cells",
            _ => "block RAMs",
        };
        let of = match self.column().len() {
            1 if self.y == "fmax_mhz" => " (one seed)".to_string(),
            seeds if self.y == "fmax_mhz" => format!(" (mean of {seeds} seeds)"),
            _ => String::new(),
        };
        Figure {
            title: format!("{y} on an FPGA{of}"),
            x: axis(self.cases.iter().map(Case::subject)),
            y: y.into(),
            series: series.collect(),
            limit: None,
            mark: None,
            bars: BARS.into(),
            legend: if self.y == "fmax_mhz" { Corner::Right } else { Corner::Left },
        }
    }

    fn conclude(&self, rows: &Rows) -> Option<Conclusion> {
        let large: Vec<&Point> =
            self.points.iter().filter(|point| rows.number(&point.key, "fits") == Some(0.0)).collect();
        let first = large.first()?.key.join(",");
        let line = format!("{} of {} points do not fit, the first: {first}", large.len(), self.points.len());
        Some(Conclusion { fine: true, lines: vec![line] })
    }
}

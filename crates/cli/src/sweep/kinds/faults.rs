//! Sweeps over the faults that can be planted into exchanges and streamed permutations: each in a run of its own, which finds it or does not.
//!
//! Module in reading order: [`mod@planted`] (the faults of a design, all or a sample).

mod planted;

use crate::args::{EngineArg, FabricStyle, WaveArg};
use crate::plot::figure::{Corner, Figure, Ink, Mean, Series};
use crate::sweep::designs::{MAX_POINTS, Subject, axis, subjects, widths};
use crate::sweep::kind::{Conclusion, Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::lists::{OneOrMore, Options};
use crate::sweep::rows::Rows;
use crate::sweep::trial::{self, ENGINES, Trial};
use anyhow::{Context, Result, bail};
use frit_cosim::verify::Engine;
use planted::{forms, planted};
use serde::Deserialize;
use std::collections::BTreeMap;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "faults", read };

/// So many that were not found are named.
const NAMED: usize = 5;

sweep_file! {
    /// The members of a file with `kind = "faults"`.
    struct FaultsFile of Faults {
        systems: Vec<SystemFile>,
        faults: Option<OneOrMore<String>>,
        sample: Option<usize>,
        #[serde(default = "rust_hdl")]
        engines: Vec<EngineArg>,
        #[serde(default)]
        fabric_style: FabricStyle,
        wave: Option<WaveArg>,
        #[serde(default = "one")]
        seed: u64,
        need: Option<Need>,
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

/// Which faults have to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Need {
    All,
}

fn rust_hdl() -> Vec<EngineArg> {
    vec![EngineArg::RustHdl]
}

fn one() -> u64 {
    1
}

/// What a point is.
struct Case {
    /// Index of its plan.
    plan: usize,
    width: u32,
    fault: String,
}

/// A checked sweep.
struct Faults {
    trial: Trial,
    engines: Vec<Engine>,
    need: Option<Need>,
    plans: Vec<Subject>,
    cases: Vec<Case>,
    points: Vec<Point>,
    /// The name of a series, and the points it has.
    series: Vec<(String, Vec<usize>)>,
}

impl Faults {
    /// Checks a file and lists its points.
    fn new(file: &FaultsFile) -> Result<Self> {
        let FaultsFile { fabric_style, wave, seed, need, .. } = *file;
        let mut sweep = Faults {
            trial: Trial { fabric_style, netlist: None, wave, wave_default: WaveArg::None, seed },
            engines: trial::engines(&file.engines)?,
            need,
            plans: vec![],
            cases: vec![],
            points: vec![],
            series: vec![],
        };
        let words = forms(file.faults.as_ref().map(OneOrMore::list))?;
        if file.sample == Some(0) {
            bail!("sample = 0: at least one fault of each form is planted; leave it out for all");
        }
        for entry in &file.systems {
            sweep.add(entry, &words, file.sample)?;
        }
        if sweep.points.is_empty() {
            bail!(
                "no point: [[systems]] with system, terminals and widths, and faults for which they have a place"
            );
        }
        if sweep
            .series
            .iter()
            .all(|(name, _)| name.split(": ").next() == sweep.series[0].0.split(": ").next())
        {
            sweep
                .series
                .iter_mut()
                .for_each(|(name, _)| *name = name.split(": ").last().unwrap_or("").into());
        }
        Ok(sweep)
    }

    /// Adds the points of an entry.
    fn add(&mut self, entry: &SystemFile, words: &[&'static str], sample: Option<usize>) -> Result<()> {
        let widths = widths(&entry.widths)?;
        let engines: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
        for group in subjects(&entry.system, &entry.terminals, &entry.options)? {
            let mut lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for plan in group.plans {
                for &width in &widths {
                    self.trial.check(&plan, width, &self.engines)?;
                    let mut known = plan.key();
                    known.extend([width.to_string(), engines.join(" ")]);
                    if self.points.iter().any(|point| point.key.starts_with(&known)) {
                        bail!("{} is listed twice", plan.design_name(width));
                    }
                    let work = self.trial.work(&plan, width, &self.engines);
                    for fault in planted(&plan, width, words, sample, self.trial.seed) {
                        let word = fault.split(':').next().unwrap_or(&fault).to_string();
                        lines.entry(word).or_default().push(self.points.len());
                        let key = [&known[..], std::slice::from_ref(&fault)].concat();
                        self.points.push(Point { key, work });
                        self.cases.push(Case { plan: self.plans.len(), width, fault });
                    }
                    if self.points.len() > MAX_POINTS {
                        bail!("more than {MAX_POINTS} points: give sample = K, or fewer faults");
                    }
                }
                self.plans.push(plan);
            }
            self.series.extend(lines.into_iter().map(|(word, at)| (format!("{}: {word}", group.name), at)));
        }
        Ok(())
    }

    /// The name of a point, as `frit verify` takes it.
    fn name(&self, point: usize) -> String {
        let Case { plan, width, fault } = &self.cases[point];
        format!("{} {fault}", self.plans[*plan].design_name(*width))
    }

    fn found(&self, rows: &Rows, point: usize) -> Option<bool> {
        Some(rows.number(&self.points[point].key, "found")? == 1.0)
    }
}

impl Kind for Faults {
    fn columns(&self) -> &'static [&'static str] {
        &[
            "system",
            "options",
            "terminals",
            "width",
            "engines",
            "fault",
            "rust_hdl",
            "verilator",
            "icarus",
            "found",
            "run",
            "cycle",
            "missing",
            "misrouted",
            "duplicates",
            "conflicts",
        ]
    }

    fn configuration(&self) -> String {
        format!("faults {}", self.trial.configuration())
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn ready(&self) -> Result<()> {
        self.trial.ready(self.engines.iter().copied())
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let Case { plan, width, fault } = &self.cases[point];
        let trial = self.trial.run(&self.plans[*plan], *width, &self.engines, Some(fault));
        let outcome = trial.with_context(|| fault.clone())?;
        let found = |engine: &Engine| outcome.difference(*engine);
        let mut cells: Vec<String> = ENGINES
            .map(|engine| match self.engines.contains(&engine) {
                true => u8::from(found(&engine).is_some()).to_string(),
                false => String::new(),
            })
            .into();
        let by_all = self.engines.iter().all(|engine| found(engine).is_some());
        cells.push(u8::from(by_all).to_string());
        let first = self.engines.iter().filter_map(found).min_by_key(|found| (found.run, found.cycle));
        cells.push(first.map_or(String::new(), |first| first.run.to_string()));
        cells.push(first.map_or(String::new(), |first| first.cycle.to_string()));
        cells.extend(outcome.counts.clone());
        Ok(cells)
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let subject = |points: &[usize]| &self.plans[self.cases[points[0]].plan];
        let several = self
            .series
            .iter()
            .any(|(_, points)| subject(points).system() != subject(&self.series[0].1).system());
        let series = self.series.iter().map(|(name, points)| {
            // By size: how many are known, and how many of them were found.
            let mut sizes: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
            for &at in points {
                let n = self.plans[self.cases[at].plan].terminals();
                if let Some(found) = self.found(rows, at) {
                    let (known, of_them) = sizes.entry(n).or_default();
                    (*known, *of_them) = (*known + 1.0, *of_them + f64::from(u8::from(found)));
                }
            }
            let means = sizes
                .into_iter()
                .map(|(n, (known, found))| Mean::single(f64::from(n), 100.0 * found / known));
            // Kinds of faults of one system are steps, as are those of a parameter.
            let ink = if several { subject(points).ink() } else { Ink::Step };
            Series::new(name.clone(), means.collect(), ink)
        });
        Figure {
            title: "Planted faults that are found".into(),
            x: axis(&self.plans),
            y: "percent of the faults planted".into(),
            series: series.collect(),
            limit: None,
            mark: None,
            bars: String::new(),
            legend: Corner::LowerRight,
        }
    }

    fn conclude(&self, rows: &Rows) -> Option<Conclusion> {
        let lost: Vec<usize> =
            (0..self.points.len()).filter(|&at| self.found(rows, at) != Some(true)).collect();
        let all = self.points.len();
        let mut lines = vec![format!("{} of {all} faults found, {} not", all - lost.len(), lost.len())];
        let names: Vec<String> = lost.iter().take(NAMED).map(|&at| self.name(at)).collect();
        if !names.is_empty() {
            let more = lost.len() - names.len();
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            lines.push(format!("not found: {}{more}", names.join(", ")));
        }
        Some(Conclusion { fine: lost.is_empty() || self.need != Some(Need::All), lines })
    }
}

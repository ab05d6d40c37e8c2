//! Sweeps of `frit verify`: exchanges and streamed permutations of every size and width under the model and every engine, compared.

use crate::args::{EngineArg, FabricStyle, FamilyArg, WaveArg};
use crate::plot::figure::{Corner, Figure, Mean, Series};
use crate::sweep::designs::{MAX_POINTS, Subject, axis, subjects, widths};
use crate::sweep::kind::{Conclusion, Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::lists::{OneOrMore, Options};
use crate::sweep::rows::Rows;
use crate::sweep::trial::{self, ENGINES, Outcome, Remarks, Trial};
use anyhow::{Result, bail};
use frit_cosim::verify::Engine;
use serde::Deserialize;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "verify", read };

sweep_file! {
    /// The members of a file with `kind = "verify"`.
    struct VerifyFile of Verify {
        systems: Vec<SystemFile>,
        #[serde(default = "all")]
        engines: Vec<EngineArg>,
        #[serde(default)]
        fabric_style: FabricStyle,
        netlist: Option<FamilyArg>,
        wave: Option<WaveArg>,
        #[serde(default = "one")]
        seed: u64,
        fault: Option<String>,
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
    engines: Option<Vec<EngineArg>>,
}

fn all() -> Vec<EngineArg> {
    vec![EngineArg::RustHdl, EngineArg::Verilator, EngineArg::Icarus]
}

fn one() -> u64 {
    1
}

/// What a point is.
struct Case {
    /// Index of its plan.
    plan: usize,
    width: u32,
    engines: Vec<Engine>,
    fault: Option<String>,
}

/// A checked sweep.
struct Verify {
    trial: Trial,
    /// As the file writes it.
    fault: String,
    plans: Vec<Subject>,
    cases: Vec<Case>,
    points: Vec<Point>,
    /// The name of a series, and the points it has.
    series: Vec<(String, Vec<usize>)>,
    remarks: Remarks,
}

impl Verify {
    /// Checks a file and lists its points.
    fn new(file: &VerifyFile) -> Result<Self> {
        let VerifyFile { fabric_style, netlist, wave, seed, .. } = *file;
        let mut sweep = Verify {
            trial: Trial { fabric_style, netlist, wave, wave_default: WaveArg::Fst, seed },
            fault: file.fault.clone().unwrap_or_default(),
            plans: vec![],
            cases: vec![],
            points: vec![],
            series: vec![],
            remarks: Remarks::default(),
        };
        for entry in &file.systems {
            sweep.add(entry, file)?;
        }
        if sweep.points.is_empty() {
            bail!(
                "no [[systems]]: each has a system, terminals, widths, and options and engines if it should"
            );
        }
        Ok(sweep)
    }

    /// Adds the points of an entry.
    fn add(&mut self, entry: &SystemFile, file: &VerifyFile) -> Result<()> {
        let engines = trial::engines(entry.engines.as_deref().unwrap_or(&file.engines))?;
        let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
        let widths = widths(&entry.widths)?;
        for group in subjects(&entry.system, &entry.terminals, &entry.options)? {
            let mut members = vec![];
            for plan in group.plans {
                let fault = file.fault.as_deref().map(|text| trial::fault(text, &plan)).transpose()?;
                for &width in &widths {
                    self.trial.check(&plan, width, &engines)?;
                    let mut key = plan.key();
                    key.extend([width.to_string(), names.join(" ")]);
                    if self.points.iter().any(|point| point.key == key) {
                        bail!("{} is listed twice", plan.design_name(width));
                    }
                    members.push(self.points.len());
                    let work = self.trial.work(&plan, width, &engines);
                    self.points.push(Point { key, work });
                    let plan = self.plans.len();
                    self.cases.push(Case { plan, width, engines: engines.clone(), fault: fault.clone() });
                }
                self.plans.push(plan);
                if self.points.len() > MAX_POINTS {
                    bail!(
                        "more than {MAX_POINTS} points: every system is verified in all its sizes and widths"
                    );
                }
            }
            self.series.push((group.name, members));
        }
        Ok(())
    }

    /// What is said of a design on which engines differ.
    fn differs(&self, point: usize, outcome: &Outcome) -> String {
        let case = &self.cases[point];
        let plan = &self.plans[case.plan];
        let named = |&engine: &Engine| outcome.difference(engine).map(|found| (engine, found));
        let first = case.engines.iter().filter_map(named).min_by_key(|(_, found)| (found.run, found.cycle));
        let what = match first {
            Some((engine, found)) => format!(
                "{} differs first in cycle {}: {} is {}, in the model {}",
                engine.name(),
                found.cycle,
                found.signal,
                found.got,
                found.expected
            ),
            None => "the model does not deliver everything".into(),
        };
        let fault = case.fault.as_ref().map_or(String::new(), |fault| format!(" --fault {fault}"));
        format!(
            "{}: {what}; again: frit verify {}{fault} -o FOLDER",
            plan.design_name(case.width),
            plan.arguments(case.width)
        )
    }
}

impl Kind for Verify {
    fn columns(&self) -> &'static [&'static str] {
        &[
            "system",
            "options",
            "terminals",
            "width",
            "engines",
            "cycles",
            "cycles_total",
            "cycles_paper",
            "delivered",
            "rust_hdl",
            "verilator",
            "icarus",
            "agrees",
        ]
    }

    fn configuration(&self) -> String {
        format!("verify {} {}", self.trial.configuration(), self.fault)
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn ready(&self) -> Result<()> {
        self.trial.ready(self.cases.iter().flat_map(|case| case.engines.iter().copied()))
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let case = &self.cases[point];
        let plan = &self.plans[case.plan];
        let outcome = self.trial.run(plan, case.width, &case.engines, case.fault.as_deref())?;
        if !outcome.agrees() {
            self.remarks.say(point, self.differs(point, &outcome));
        }
        let mut cells: Vec<String> = outcome.figures.clone().into();
        cells.extend(ENGINES.map(|engine| {
            let agrees = outcome.engine(engine).and_then(|report| report.agrees());
            agrees.map_or(String::new(), |agrees| u8::from(agrees).to_string())
        }));
        cells.push(u8::from(outcome.agrees()).to_string());
        Ok(cells)
    }

    fn remark(&self, point: usize) -> Option<String> {
        self.remarks.take(point)
    }

    fn figure(&self, rows: &Rows) -> Figure {
        let mean = |&at: &usize| {
            let (case, key) = (&self.cases[at], &self.points[at].key);
            let x = f64::from(self.plans[case.plan].terminals());
            let agrees = rows.number(key, "agrees")? == 1.0;
            agrees.then_some(Mean::single(x, rows.number(key, "cycles")?))
        };
        let series = self.series.iter().map(|(name, members)| {
            let mut means: Vec<Mean> = members.iter().filter_map(mean).collect();
            // Cycles do not depend on the width.
            means.dedup();
            Series::new(name.clone(), means, self.plans[self.cases[members[0]].plan].ink())
        });
        Figure {
            title: "Cycles of designs on which all engines agree".into(),
            x: axis(&self.plans),
            y: "cycles of a phase; of a stream: latency".into(),
            series: series.collect(),
            limit: None,
            mark: None,
            bars: String::new(),
            legend: Corner::Left,
        }
    }

    fn conclude(&self, rows: &Rows) -> Option<Conclusion> {
        let differs = |&at: &usize| rows.number(&self.points[at].key, "agrees") != Some(1.0);
        let names: Vec<String> = (0..self.points.len())
            .filter(differs)
            .map(|at| self.plans[self.cases[at].plan].design_name(self.cases[at].width))
            .collect();
        let line = match names.first() {
            None => format!("{} designs, in all of which the engines agree", self.points.len()),
            Some(first) => {
                format!("{} of {} designs differ, the first: {first}", names.len(), self.points.len())
            }
        };
        Some(Conclusion { fine: names.is_empty(), lines: vec![line] })
    }
}

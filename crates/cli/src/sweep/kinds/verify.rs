//! Sweeps of `frit verify`: exchanges and streamed permutations of every size and width under the model and every engine, compared.

use crate::args::{EngineArg, FabricStyle, FamilyArg, WaveArg};
use crate::plot::figure::Figure;
use crate::sweep::designs::{axis, subjects, widths};
use crate::sweep::grid::{Conclusion, Grid};
use crate::sweep::kind::sweep_file;
use crate::sweep::lists::OneOrMore;
use crate::sweep::trial::{self, Case, Outcome, Trial};
use anyhow::Result;
use frit_network::facts::Facts;
use std::sync::Arc;

sweep_file! {
    "verify": VerifyFile {
        engines: Option<Vec<EngineArg>>,
        #[serde(default)]
        fabric_style: FabricStyle,
        netlist: Option<FamilyArg>,
        wave: Option<WaveArg>,
        seed: Option<u64>,
        fault: Option<String>,
    }
    systems: SystemFile { widths: OneOrMore<u64>, engines: Option<Vec<EngineArg>>, }
}

const FACTS: &str = "cycles cycles_total cycles_paper delivered rust_hdl verilator icarus agrees";

/// Those of a file that names none.
const ENGINES: [EngineArg; 3] = [EngineArg::RustHdl, EngineArg::Verilator, EngineArg::Icarus];

fn grid(file: &VerifyFile) -> Result<Grid> {
    let VerifyFile { fabric_style, netlist, wave, seed, .. } = *file;
    let trial = Trial { fabric_style, netlist, wave, wave_default: WaveArg::Fst, seed: seed.unwrap_or(1) };
    let fault = file.fault.as_deref();
    let configuration = format!("verify {} {}", trial.configuration(), fault.unwrap_or_default());
    let plot = Figure::new(
        "Cycles of designs on which all engines agree",
        "",
        "cycles of a phase; of a stream: latency",
    );
    let mut grid = Grid::new(configuration, trial::KEY, FACTS, "cycles", plot);
    grid.too_many = "every system is verified in all its sizes and widths";
    let (mut used, mut all) = (vec![], vec![]);
    for SystemFile { system, terminals, options, widths: bits, engines } in &file.systems {
        let engines = trial::engines(engines.as_deref().or(file.engines.as_deref()).unwrap_or(&ENGINES))?;
        used.extend(engines.iter().copied());
        let widths = widths(bits)?;
        for group in subjects(system, terminals, options)? {
            grid.begin(group.name, group.plans[0].ink());
            for subject in group.plans.into_iter().map(Arc::new) {
                let fault = fault.map(|text| subject.faults(widths[0]).written(text)).transpose()?;
                for &width in &widths {
                    let (subject, engines) = (subject.clone(), engines.clone());
                    let case = Case { trial, subject, width, engines, fault: fault.clone() };
                    case.check()?;
                    grid.once(&case.key(), &case.name())?;
                    let n = case.subject.terminals().into();
                    grid.add(n, (case.key(), case.work()), case.name(), move |say| {
                        let outcome = case.run()?;
                        if !outcome.agrees() {
                            say(&differs(&case, &outcome));
                        }
                        Ok(facts(outcome))
                    })?;
                }
                all.push(subject);
            }
        }
    }
    grid.plot.x = axis(all.iter().map(|subject| &**subject));
    grid.ready = Box::new(move || trial.ready(used.iter().copied()));
    grid.value = Box::new(|grid, rows, at| {
        let agrees = grid.number(rows, at, "agrees")? == 1.0;
        grid.number(rows, at, "cycles").filter(|_| agrees)
    });
    grid.conclude = Box::new(|grid, rows| {
        let all = grid.points().len();
        let differ: Vec<usize> =
            (0..all).filter(|&at| grid.number(rows, at, "agrees") != Some(1.0)).collect();
        let line = match differ.first() {
            None => format!("{all} designs, in all of which the engines agree"),
            Some(&first) => {
                format!("{} of {all} designs differ, the first: {}", differ.len(), grid.name(first))
            }
        };
        Some(Conclusion { fine: differ.is_empty(), lines: vec![line] })
    });
    grid.filled("no [[systems]]: each has a system, terminals, widths, and options and engines if it should")
}

fn facts(outcome: Outcome) -> Facts {
    let mut facts = outcome.facts_of_engines(|engine| outcome.engine(engine)?.agrees());
    facts.insert("agrees".into(), outcome.agrees().into());
    facts
}

/// What is said of a design on which engines differ.
fn differs(case: &Case, outcome: &Outcome) -> String {
    let what = match outcome.first_difference(&case.engines) {
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
    let again = case.subject.arguments(case.width);
    format!("{}: {what}; again: frit verify {again}{fault} -o FOLDER", case.name())
}

//! Sweeps of routed systems: a run for every combination of sizes, options, traffic and seeds, with the members of `frit route`.
//!
//! Modules in reading order: [`mod@system`] (what a system brings), [`mod@dilated`], [`multibutterfly`], [`success`] (runs that failed),
//! [`drawing`].

mod dilated;
mod drawing;
mod multibutterfly;
mod success;
pub mod system;

use crate::catalog;
use crate::plot::figure::Figure;
use crate::sweep::grid::{Conclusion, Grid};
use crate::sweep::kind::sweep_file;
use crate::sweep::lists::{OneOrMore, Options, combinations};
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use drawing::{Drawing, DrawingFile};
use frit_router::Router;
use frit_router::multibutterfly::row::WIRING;
use frit_schedule::Request;
use std::collections::BTreeMap;
use std::sync::Arc;
use success::{Runs, Success};
use system::{Case, Swept};

/// Routed systems that are swept.
static SWEPT: &[Swept] = &[
    dilated::DILATED,
    multibutterfly::MULTIBUTTERFLY,
    #[cfg(test)]
    crate::omega::SWEPT,
];

sweep_file! {
    "route": RouteFile {
        system: String,
        terminals: OneOrMore<u64>,
        #[serde(default)]
        options: Options,
        traffic: Option<OneOrMore<String>>,
        direct: Option<OneOrMore<bool>>,
        #[serde(default)]
        seeds: SeedsFile,
        #[serde(default)]
        drawing: DrawingFile,
    }
}

fn grid(file: &RouteFile) -> Result<Grid> {
    let system = system(&file.system)?;
    let traffic = match &file.traffic {
        Some(traffic) => traffic.list().iter().map(String::as_str).collect(),
        None => vec![system.traffic[0]],
    };
    for kind in &traffic {
        if !system.traffic.contains(kind) {
            bail!("traffic = {kind:?}: give one of {}", system.traffic.join(", "));
        }
    }
    if let Some(wiring) = file.options.get(WIRING.name)
        && wiring.list().iter().any(|given| given.to_string() != "random")
    {
        bail!("wiring: wires of a sweep are drawn from its seeds; frit route takes a file");
    }
    let direct = OneOrMore::list_or(&file.direct, &[false]);
    let seeds: Vec<u64> = file.seeds.seeds()?.iter().collect();
    let configuration = format!("route {}", system.name);
    let mut grid = Grid::new(configuration, system.key, system.facts, "", Figure::new("", "", ""));
    grid.too_many = "all combinations of the lists are run, each with every seed";
    let mut cases: Vec<Arc<dyn Case>> = vec![];
    let mut keys: Vec<Vec<String>> = vec![];
    for request in requests(file) {
        for (traffic, &direct) in traffic.iter().flat_map(|t| direct.iter().map(move |d| (t, d))) {
            let case = (system.case)(&*made(&request)?, traffic, direct)?;
            let key = system.cells(&*case);
            if keys.contains(&key) {
                continue; // the same by another way, as a default that is also listed
            }
            keys.push(key);
            cases.push(case);
            grid.room(cases.len() * seeds.len())?;
        }
    }
    for (case, key) in cases.iter().zip(&keys) {
        for &seed in &seeds {
            let (case, key) = (case.clone(), [&key[..], &[seed.to_string()]].concat());
            let name = key.join(",");
            grid.add(f64::NAN, (key, case.work().max(1)), "", move |_| {
                case.run(seed).with_context(|| name.clone())
            })?;
        }
    }
    let mut grid = grid
        .filled("no point: terminals, traffic, direct and every list of options need at least one value")?;
    let drawing = Drawing::new(system, &file.drawing, keys)?;
    let count = seeds.len();
    grid.draw = Some(Box::new(move |rows| drawing.figure(&cases, &seeds, rows)));
    grid.conclude = Box::new(move |grid, rows| {
        let mut success = Success::default();
        for seeds in grid.points().chunks(count) {
            let mut runs = Runs::default();
            for point in seeds {
                runs.add((system.succeeded)(&|column| rows.number(&point.key, column)), None);
            }
            success.add(&runs);
        }
        Some(Conclusion { fine: true, lines: success.summary() })
    });
    Ok(grid)
}

fn system(name: &str) -> Result<&'static Swept> {
    SWEPT.iter().find(|system| system.name == name).with_context(|| {
        let names: Vec<&str> = SWEPT.iter().map(|system| system.name).collect();
        format!(
            "system = {name:?}: kind = \"route\" sweeps routed systems: {}; exchanges of planned ones are kind = \"exchange\"",
            names.join(", ")
        )
    })
}

fn made(request: &Request) -> Result<Box<dyn Router>> {
    let router = catalog::router(request).with_context(|| format!("{} is not routed", request.system))?;
    Ok(router?)
}

/// All combinations of sizes and options, the sizes varying least.
fn requests(file: &RouteFile) -> Vec<Request> {
    let combinations = combinations(&file.options);
    let of_size = |&terminals: &u64| {
        let request = move |options: &BTreeMap<String, String>| Request {
            system: file.system.clone(),
            terminals,
            options: options.clone(),
        };
        combinations.iter().map(request).collect::<Vec<_>>()
    };
    file.terminals.list().iter().flat_map(of_size).collect()
}

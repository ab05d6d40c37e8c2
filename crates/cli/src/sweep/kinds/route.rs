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
use crate::sweep::kind::{Conclusion, Kind, Point, Reader, Sweep, sweep_file};
use crate::sweep::lists::{OneOrMore, Options, combinations};
use crate::sweep::rows::Rows;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use drawing::{Drawing, DrawingFile};
use frit_router::Router;
use frit_router::multibutterfly::row::WIRING;
use frit_schedule::Request;
use serde_json::Value;
use std::collections::BTreeMap;
use success::{Runs, Success};
use system::{Case, Swept};

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "route", read };

/// Above this a list of points is a mistake.
const MAX_POINTS: usize = 1 << 20;

/// Routed systems that are swept.
static SWEPT: &[Swept] = &[
    dilated::DILATED,
    multibutterfly::MULTIBUTTERFLY,
    #[cfg(test)]
    crate::omega::SWEPT,
];

sweep_file! {
    /// The members of a file with `kind = "route"`.
    struct RouteFile of Route {
        system: String,
        terminals: OneOrMore<u64>,
        #[serde(default)]
        options: Options,
        traffic: Option<OneOrMore<String>>,
        #[serde(default = "no")]
        direct: OneOrMore<bool>,
        #[serde(default)]
        seeds: SeedsFile,
        #[serde(default)]
        drawing: DrawingFile,
    }
}

fn no() -> OneOrMore<bool> {
    OneOrMore::One(false)
}

/// A checked sweep.
struct Route {
    system: &'static Swept,
    cases: Vec<Box<dyn Case>>,
    seeds: Vec<u64>,
    points: Vec<Point>,
    drawing: Drawing,
}

impl Route {
    /// Checks a file and lists its points.
    fn new(file: &RouteFile) -> Result<Self> {
        let system = system(&file.system)?;
        let traffic = match &file.traffic {
            Some(traffic) => traffic.list().iter().map(String::as_str).collect(),
            None => vec![system.traffic[0]],
        };
        for kind in &traffic {
            if !system.traffic.contains(kind) {
                bail!("traffic = {kind:?}: it is one of {}", system.traffic.join(", "));
            }
        }
        if let Some(wiring) = file.options.get(WIRING.name)
            && wiring.list().iter().any(|given| given.to_string() != "random")
        {
            bail!("wiring: wires of a sweep are drawn from its seeds; frit route takes a file");
        }
        let seeds: Vec<u64> = file.seeds.seeds()?.iter().collect();
        let mut cases: Vec<Box<dyn Case>> = vec![];
        let mut keys: Vec<Vec<String>> = vec![];
        for request in requests(file) {
            for (traffic, &direct) in
                traffic.iter().flat_map(|t| file.direct.list().iter().map(move |d| (t, d)))
            {
                let case = (system.case)(&*made(&request)?, traffic, direct)?;
                let key = case.key();
                if keys.contains(&key) {
                    continue; // the same by another way, as a default that is also listed
                }
                keys.push(key);
                cases.push(case);
                if cases.len() * seeds.len() > MAX_POINTS {
                    bail!(
                        "more than {MAX_POINTS} points: all combinations of the lists are run, each with every seed"
                    );
                }
            }
        }
        if cases.is_empty() {
            bail!("no point: terminals, traffic, direct and every list of options need a value at least");
        }
        let points = cases.iter().zip(&keys).flat_map(|(case, key)| {
            let work = case.work().max(1);
            seeds.iter().map(move |seed| Point { key: [key.clone(), vec![seed.to_string()]].concat(), work })
        });
        let points = points.collect();
        let drawing = Drawing::new(system, &file.drawing, keys)?;
        Ok(Route { system, cases, seeds, points, drawing })
    }
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

impl Kind for Route {
    fn columns(&self) -> &'static [&'static str] {
        self.system.columns
    }

    fn configuration(&self) -> String {
        format!("route {}", self.system.name)
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let (case, seed) = (&self.cases[point / self.seeds.len()], self.seeds[point % self.seeds.len()]);
        let members = case.run(seed).with_context(|| self.points[point].key.join(","))?;
        let cell = |name: &&str| match &members.iter().find(|member| member.0 == *name)?.1 {
            Value::Null => Some(String::new()),
            Value::String(text) => Some(text.clone()),
            Value::Bool(yes) => Some(u8::from(*yes).to_string()),
            other => Some(other.to_string()),
        };
        self.system.columns[self.system.keys..]
            .iter()
            .map(|name| cell(name).with_context(|| format!("a run has no member {name}")))
            .collect()
    }

    fn conclude(&self, rows: &Rows) -> Option<Conclusion> {
        let mut success = Success::default();
        for seeds in self.points.chunks(self.seeds.len()) {
            let mut runs = Runs::default();
            for point in seeds {
                runs.add((self.system.succeeded)(&|column| rows.number(&point.key, column)), None);
            }
            success.add(&runs);
        }
        Some(Conclusion { fine: true, lines: success.summary() })
    }

    fn figure(&self, rows: &Rows) -> Figure {
        self.drawing.figure(&self.cases, &self.seeds, rows)
    }
}

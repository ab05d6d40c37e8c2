//! Sweeps of routed systems: a run for every combination of sizes, options, traffic and seeds, with the members of `frit route`.

mod drawing;

use crate::dilated::{self, Figures, KINDS, words};
use crate::plot::figure::Figure;
use crate::plot::look::PlotFile;
use crate::sweep::kind::{Kind, Outputs, Point, Reader, Sweep};
use crate::sweep::rows::Rows;
use crate::sweep::seeds::SeedsFile;
use anyhow::{Context, Result, bail};
use drawing::{Drawing, DrawingFile};
use frit_router::dilated::packets::check;
use frit_router::dilated::{Dilated, Packets, Parameters};
use frit_router::{Router, router};
use frit_schedule::Request;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// This kind of sweep.
pub const KIND: Reader = Reader { name: "route", read };

/// Above this a list of points is a mistake.
const MAX_POINTS: usize = 1 << 20;

/// The columns that name a point.
const KEY: [&str; 11] = [
    "terminals",
    "bundle",
    "per_input",
    "payload",
    "queue",
    "switch",
    "mode",
    "release",
    "traffic",
    "direct",
    "seed",
];

/// Behind the key: members of a run.
const COLUMNS: [&str; 21] = {
    let figures = [
        "steps",
        "least_steps",
        "closed_form",
        "delivered",
        "total",
        "blocked",
        "max_load",
        "waits",
        "shunts",
        "digest",
    ];
    let mut all = [""; 21];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < KEY.len() { KEY[at] } else { figures[at - KEY.len()] };
        at += 1;
    }
    all
};

/// Routed systems that are swept.
const SWEPT: [&str; 1] = ["dilated"];

/// The members of a file with `kind = "route"`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RouteFile {
    #[serde(rename = "kind")]
    _kind: String,
    system: String,
    terminals: OneOrMore<u64>,
    #[serde(default)]
    options: BTreeMap<String, OneOrMore<OptionValue>>,
    #[serde(default = "permutation")]
    traffic: OneOrMore<String>,
    #[serde(default = "no")]
    direct: OneOrMore<bool>,
    #[serde(default)]
    seeds: SeedsFile,
    #[serde(default)]
    drawing: DrawingFile,
    files: Option<Outputs>,
    #[serde(default)]
    plot: PlotFile,
}

fn permutation() -> OneOrMore<String> {
    OneOrMore::One(KINDS[0].into())
}

fn no() -> OneOrMore<bool> {
    OneOrMore::One(false)
}

/// A value, or a list of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a value or a list of values")]
enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    fn list(&self) -> &[T] {
        match self {
            OneOrMore::One(value) => std::slice::from_ref(value),
            OneOrMore::More(values) => values,
        }
    }
}

/// The value of an option.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a number or a word")]
enum OptionValue {
    Number(u64),
    Word(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptionValue::Number(number) => write!(f, "{number}"),
            OptionValue::Word(word) => f.write_str(word),
        }
    }
}

fn read(text: &str) -> Result<Sweep> {
    let mut file: RouteFile = toml::from_str(text)?;
    let (files, plot) = (file.files.take(), file.plot.clone());
    Sweep::new(Route::new(&file)?, files, plot)
}

/// What is run once for each seed.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Without its seed.
    parameters: Parameters,
    per_input: u32,
    traffic: String,
    /// Its cells in the columns of the key but the seed.
    key: Vec<String>,
}

/// A checked sweep.
struct Route {
    cases: Vec<Case>,
    seeds: Vec<u64>,
    points: Vec<Point>,
    drawing: Drawing,
}

impl Route {
    /// Checks a file and lists its points.
    fn new(file: &RouteFile) -> Result<Self> {
        if !SWEPT.contains(&file.system.as_str()) {
            bail!(
                "system = {:?}: kind = \"route\" sweeps routed systems: {}; exchanges of planned ones are kind = \"exchange\"",
                file.system,
                SWEPT.join(", ")
            );
        }
        for kind in file.traffic.list() {
            if !KINDS.contains(&kind.as_str()) {
                bail!("traffic = {kind:?}: it is one of {}", KINDS.join(", "));
            }
        }
        let seeds: Vec<u64> = file.seeds.seeds()?.iter().collect();
        let mut cases: Vec<Case> = vec![];
        for request in requests(file) {
            let Router::Dilated(system) = router(&request)? else {
                bail!("system = {:?}: kind = \"route\" sweeps dilated", file.system);
            };
            for (traffic, &direct) in
                file.traffic.list().iter().flat_map(|t| file.direct.list().iter().map(move |d| (t, d)))
            {
                let case = case(&system, traffic, direct);
                if cases.iter().any(|known| known.key == case.key) {
                    continue; // the same by another way, as a default that is also listed
                }
                check(&case.parameters, u64::from(case.per_input) * case.parameters.rows)?;
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
        let drawing = Drawing::new(&file.drawing, &cases)?;
        let points = cases.iter().flat_map(|case| seeds.iter().map(|seed| point(case, *seed))).collect();
        Ok(Route { cases, seeds, points, drawing })
    }
}

/// All combinations of sizes and options, the sizes varying least.
fn requests(file: &RouteFile) -> Vec<Request> {
    let sizes = file.terminals.list().iter().map(|&terminals| Request::new(file.system.as_str(), terminals));
    file.options.iter().fold(sizes.collect(), |requests: Vec<Request>, (name, values)| {
        let all = requests.iter().flat_map(|request| {
            values.list().iter().map(|value| request.clone().with(name, &value.to_string()))
        });
        all.collect()
    })
}

fn case(system: &Dilated, traffic: &str, direct: bool) -> Case {
    let parameters = Parameters { direct, ..system.parameters };
    let [switch, mode] = words(&parameters);
    let key = vec![
        parameters.rows.to_string(),
        parameters.bundle.to_string(),
        system.per_input.to_string(),
        parameters.payload.to_string(),
        parameters.queue.to_string(),
        switch.into(),
        mode.into(),
        parameters.release.to_string(),
        traffic.into(),
        direct.to_string(),
    ];
    Case { parameters, per_input: system.per_input, traffic: traffic.into(), key }
}

fn point(case: &Case, seed: u64) -> Point {
    let p = &case.parameters;
    let bits = u64::from(2 * p.rows.ilog2() + p.payload);
    let work = p.rows * u64::from(case.per_input) * u64::from(p.rows.ilog2()) * bits;
    Point { key: [case.key.clone(), vec![seed.to_string()]].concat(), work: work.max(1) }
}

impl Kind for Route {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn configuration(&self) -> String {
        "route dilated".into()
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn run(&self, point: usize) -> Result<Vec<String>> {
        let (case, seed) = (&self.cases[point / self.seeds.len()], self.seeds[point % self.seeds.len()]);
        let parameters = Parameters { seed, ..case.parameters };
        let messages = dilated::messages(&case.traffic, parameters.rows as u32, case.per_input, seed);
        let packets = Packets::new(parameters, &messages)?;
        let outcome = dilated::run(&packets, false, |_| ());
        let figures = Figures::of(&packets);
        let key = || self.points[point].key.join(",");
        if let Some(packet) = outcome.wrong.first() {
            bail!("{}: packet {packet} arrived damaged or in another row", key());
        }
        if let Some(exact) = figures.exact.filter(|&exact| exact != outcome.steps) {
            bail!("{}: {} steps, but the closed form says {exact}", key(), outcome.steps);
        }
        let members = dilated::members(&packets, &outcome, &figures);
        let cell = |name: &&str| match &members.iter().find(|member| member.0 == *name)?.1 {
            Value::Null => Some(String::new()),
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        COLUMNS[KEY.len()..]
            .iter()
            .map(|name| cell(name).with_context(|| format!("a run has no member {name}")))
            .collect()
    }

    fn figure(&self, rows: &Rows) -> Figure {
        self.drawing.figure(&self.cases, &self.seeds, rows)
    }
}

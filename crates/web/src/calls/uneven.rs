//! An uneven demand, and the planners that carry it.

use crate::asked::{MAX_FILE, ROOM, need};
use crate::base64;
use anyhow::{Context, Result, bail};
use frit_demand::exchange::STORED;
use frit_demand::few::{self, Fabric, shortest};
use frit_demand::peel::permutations;
use frit_demand::plan_file::PlanFile;
use frit_demand::read::Reading;
use frit_demand::walk::TooLong;
use frit_demand::{Demand, Exchange, Kind, Machine, cyclic, generate, read};
use frit_design::compare::demand::{CYCLIC, DemandRequest as Comparison, compare, cyclic_plan};
use frit_design::film::timeline::{MAX_TERMINALS as MAX_TERMINALS_OF_A_LINE, timeline};
use frit_design::film::uneven::{MOST, bytes, of_demand};
use frit_trace::output::unmarked;
use frit_traffic::npy::unpacked;
use frit_traffic::pace::Pace;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// The most terminals: planners of more take minutes.
const MAX_TERMINALS: u64 = 512;

/// A demand, and networks that carry it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnevenRequest {
    /// A kind of demand, with the parameters that it has when nobody says.
    #[serde(default)]
    kind: Option<String>,
    /// Terminals of this kind.
    #[serde(default)]
    n: Option<u64>,
    #[serde(default)]
    seed: Option<u64>,
    /// Instead: the name of a file.
    #[serde(default)]
    name: Option<String>,
    /// Its bytes, in base 64.
    #[serde(default)]
    base64: Option<String>,
    /// Words that could be sent while a configuration changes.
    #[serde(default)]
    delta: u32,
    /// Networks side by side; none: one.
    #[serde(default)]
    planes: Option<u32>,
    /// The most configurations of the plan with few.
    #[serde(default)]
    matchings: Option<u32>,
    /// Bytes of a word, and the rate of a terminal: `400G` bits per second. With both there are microseconds.
    #[serde(default)]
    word_bytes: Option<u32>,
    #[serde(default)]
    link: Option<String>,
    /// The system whose run is shown.
    #[serde(default)]
    system: Option<String>,
}

/// The system that carries a demand in the fewest cycles.
const BENES: &str = "benes";

impl UnevenRequest {
    /// The demand, and what it is called.
    fn demand(&self) -> Result<(Demand, String)> {
        if let Some(text) = &self.base64 {
            let name = self.name.clone().unwrap_or_else(|| "the file".into());
            let bytes = base64::decode(text).with_context(|| format!("the file {name} is not in base 64"))?;
            if bytes.len() > MAX_FILE {
                bail!("{name} has {} bytes; give at most {MAX_FILE}", bytes.len());
            }
            need(&name, 12 * unpacked(&bytes))?;
            return Ok((read(&unmarked(bytes), Reading::default()).with_context(|| name.clone())?, name));
        }
        let given = self.kind.as_deref().unwrap_or_default();
        let Some(kind) = Kind::named(given) else {
            bail!("{given:?} is not a kind of demand; give one of {}", kinds().join(", "))
        };
        let Some(n) = self.n else { bail!("N is missing; give the number of terminals") };
        refuse_more(n)?;
        Ok((generate(&kind, n, self.seed.unwrap_or(1))?, given.into()))
    }

    /// The networks.
    fn fabric(&self) -> Result<Fabric> {
        let planes = self.planes.unwrap_or(1);
        if !(1..=64).contains(&planes) {
            bail!("{planes} planes are out of range; give 1 to 64");
        }
        Ok(Fabric { delta: self.delta, planes, matchings: self.matchings })
    }

    fn pace(&self) -> Result<Option<Pace>> {
        Ok(Pace::parse(self.word_bytes, self.link.as_deref().filter(|link| !link.is_empty()), None)?)
    }
}

/// The systems that carry a demand.
pub(super) fn carriers() -> Vec<&'static str> {
    STORED.into_iter().chain(CYCLIC).collect()
}

/// The page that plays a demand on a system, and the drawing of its time line if rows are not too thin.
pub(super) fn carried(asked: &UnevenRequest) -> Result<Value> {
    let (demand, name) = asked.demand()?;
    let n = demand.terminals();
    let key = asked.system.as_deref().unwrap_or(BENES);
    if !carriers().contains(&key) {
        bail!("{key:?} carries no demand here; the systems are: {}", carriers().join(", "));
    }
    // No plan has fewer rounds than h for each lane of a terminal.
    if u64::from(demand.h()) * u64::from(n) > MOST {
        return too_many(demand.h().into(), n);
    }
    let exchange = match key {
        _ if STORED.contains(&key) => Exchange::held(Machine::stored(key, n)?, permutations(&demand)),
        _ => {
            let plan = cyclic_plan(key, n)?;
            let most = MOST / u64::from(plan.network.lanes());
            match cyclic::plan_ticking(&demand, plan, most, &mut |_, _| ()) {
                Ok(planned) => planned,
                Err(error) => match error.detail() {
                    Some(&TooLong { rounds, .. }) => return too_many(rounds, n),
                    None => return Err(error.into()),
                },
            }
        }
    };
    let most = exchange.rounds() * u64::from(exchange.machine.lanes());
    if most > MOST {
        return too_many(exchange.rounds(), n);
    }
    need("the film of this demand", bytes(&exchange))?;
    let (film, arrivals) = of_demand(&demand, &exchange, &format!("{key} -n {n} --demand {name}"))?;
    let drawing = (n <= MAX_TERMINALS_OF_A_LINE).then(|| timeline(&demand, &exchange, &arrivals));
    let file = format!("{}_n{n}_demand", key.replace(' ', "_"));
    Ok(json!({ "name": file, "title": film.title, "html": frit_view::page(&film), "drawing": drawing }))
}

fn too_many(rounds: u64, terminals: u32) -> Result<Value> {
    bail!("{rounds} rounds of {terminals} terminals are too many to show; make the demand smaller")
}

pub(super) fn kinds() -> Vec<&'static str> {
    Kind::ALL.iter().map(|(name, _)| *name).collect()
}

fn refuse_more(terminals: u64) -> Result<()> {
    if terminals > MAX_TERMINALS {
        bail!(
            "{terminals} terminals are too many to plan here; give at most {MAX_TERMINALS}, or use frit compare --demand"
        );
    }
    Ok(())
}

/// The table of the planners, and the matrix of the demand if it is small.
pub(super) fn uneven(asked: &UnevenRequest) -> Result<Value> {
    let (demand, name) = asked.demand()?;
    let n = demand.terminals();
    refuse_more(n.into())?;
    need("the plans of this demand", 64 * demand.nonzeros() * u64::from(n))?;
    let fabric = asked.fabric()?;
    // A page has no clock that this module may read.
    let comparison = Comparison {
        demand: &demand,
        name: &name,
        fabric,
        pace: asked.pace()?,
        room: ROOM,
        clock: &|| Duration::ZERO,
    };
    let compared = compare(&comparison, &|| ())?;
    let mut columns = comparison.columns();
    let shown = |row: Vec<Value>| -> Value {
        columns
            .iter()
            .zip(row)
            .filter(|(column, _)| **column != "planning_ms")
            .map(|(_, cell)| cell)
            .collect()
    };
    let rows: Vec<Value> = compared.rows(&comparison).into_iter().map(shown).collect();
    columns.retain(|column| *column != "planning_ms");
    let notes: Vec<&String> = compared.notes.iter().filter(|note| !note.starts_with("planning_ms")).collect();
    Ok(json!({
        "title": compared.title, "columns": columns, "rows": rows, "notes": notes, "skew": demand.skew(), "nonzeros": demand.nonzeros(),
    }))
}

/// The shortest plan of configurations, as a file in CSV.
pub(super) fn schedule(asked: &UnevenRequest) -> Result<Value> {
    let (demand, name) = asked.demand()?;
    let n = demand.terminals();
    refuse_more(n.into())?;
    need("the plan of this demand", 64 * demand.nonzeros() * u64::from(n))?;
    let fabric = asked.fabric()?;
    let few = match fabric.matchings {
        None => shortest(&demand, fabric.delta, fabric.planes)?,
        Some(_) => few::plan(&demand, fabric)?,
    };
    let plan = PlanFile::new(n, fabric.delta, few);
    let mut csv = Vec::new();
    plan.csv(&mut csv, asked.pace()?)?;
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    Ok(json!({
        "name": format!("{stem}_schedule.csv"), "csv": String::from_utf8(csv)?,
        "configurations": plan.rows.len(), "cycles": plan.cycles(),
    }))
}

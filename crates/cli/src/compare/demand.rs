//! One demand on all that can carry it: cyclic systems with a length for each round and with two hops, and a Beneš network with a plan that
//! is exact, one with few configurations, and two that others know. Every plan sends its words through the bare network.

use super::listing::Listing;
use crate::args::CompareFormat;
use crate::plot::figure::{Corner, Figure, Ink, Mean, Series};
use anyhow::{Result, anyhow};
use frit_demand::exchange::{State, plain};
use frit_demand::few::{self, Fabric};
use frit_demand::peel::{Held, permutations};
use frit_demand::{Demand, Exchange, Machine, Report, Slot, cyclic, run, two_hop};
use frit_schedule::Plan;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// The systems whose rounds can have lengths.
const CYCLIC: [&str; 4] = ["rls", "xor", "gsen", "obf"];

/// Reconfiguration times of the plot, in words.
const DELTAS: [u32; 6] = [1, 3, 10, 30, 100, 300];

/// The columns, in CSV and JSON and for people.
const COLUMNS: [&str; 12] = [
    "planner",
    "system",
    "planes",
    "rounds",
    "configurations",
    "reconfiguring",
    "cycles",
    "cycles_lower_bound",
    "ratio",
    "settings_bits",
    "buffer_words",
    "planning_ms",
];

/// What is below the table.
const NOTES: [&str; 6] = [
    "lengths: each round of the system's own exchange lasts as long as its longest pair; two-hop: two uniform exchanges with words that wait in between",
    "exact: h rounds, by matchings among large entries first (Solstice); few: searched for few configurations; cover: as few configurations as there can be; birkhoff: any matching, as long as its smallest entry",
    "rounds: cycles in which words enter, of the plane that ends last; reconfiguring: its configurations times --delta, in cycles",
    "cycles: rounds, reconfiguring, and the way of the last word; cycles_lower_bound: the same for max over rows and columns of (sum + delta pairs) / planes",
    "settings_bits: of all planes; systems with a cyclic exchange store 32 bits for each length; buffer_words: at the fullest terminal",
    "planning_ms: time on this machine",
];

/// What is compared.
pub struct Asked<'a> {
    /// The demand.
    pub demand: &'a Demand,
    /// Where it comes from, for the title.
    pub name: &'a str,
    /// The networks of the planner with few configurations.
    pub fabric: Fabric,
}

/// A plan that carried the demand.
struct Carried {
    planner: &'static str,
    system: &'static str,
    planes: u32,
    /// Of the plane that ends last: rounds and configurations.
    last: (u64, u64),
    configurations: u64,
    latency: u32,
    lanes: u32,
    settings_bits: u64,
    buffer_words: u64,
    time: Duration,
}

impl Carried {
    fn reconfiguring(&self, delta: u32) -> u64 {
        self.last.1 * u64::from(delta)
    }

    fn cycles(&self, delta: u32) -> u64 {
        (self.last.0 + self.reconfiguring(delta))
            .checked_sub(1)
            .map_or(0, |last| last + u64::from(self.latency))
    }

    fn bound(&self, demand: &Demand, delta: u32) -> u64 {
        let (time, planes) = demand.time_bound(delta, self.planes);
        let time = time.div_ceil(u64::from(planes * self.lanes));
        time.checked_sub(1).map_or(0, |last| last + u64::from(self.latency))
    }

    /// Cycles by the bound; 1 without words.
    fn ratio(&self, demand: &Demand, delta: u32) -> f64 {
        match self.bound(demand, delta) {
            0 => 1.0,
            bound => self.cycles(delta) as f64 / bound as f64,
        }
    }

    fn cells(&self, demand: &Demand, delta: u32) -> Vec<Value> {
        let ratio = (self.ratio(demand, delta) * 1000.0).round() / 1000.0;
        let milliseconds = (self.time.as_secs_f64() * 1e4).round() / 10.0;
        vec![
            json!(self.planner),
            json!(self.system),
            json!(self.planes),
            json!(self.last.0),
            json!(self.configurations),
            json!(self.reconfiguring(delta)),
            json!(self.cycles(delta)),
            json!(self.bound(demand, delta)),
            json!(ratio),
            json!(self.settings_bits),
            json!(self.buffer_words),
            json!(milliseconds),
        ]
    }
}

/// The number of steps that [`compare`] reports.
pub const STEPS: u64 = 2 * CYCLIC.len() as u64 + 4;

/// The table in a format, and the plot if it is asked for. `step` is called for each plan.
///
/// # Errors
///
/// Too few configurations, no system of this size, and a plan that does not carry the demand.
pub fn compare(
    asked: &Asked,
    format: CompareFormat,
    plot: bool,
    step: &dyn Fn(),
) -> Result<(String, Option<Figure>)> {
    let Asked { demand, name, fabric } = *asked;
    let mut notes: Vec<String> = NOTES.map(String::from).to_vec();
    let mut all = Vec::new();
    for key in CYCLIC {
        match plain(key, demand.terminals()) {
            Ok(plan) => {
                all.push(lengths(demand, key, plan.clone())?);
                step();
                all.push(two_hops(demand, key, plan)?);
            }
            Err(error) => notes.push(format!("{key}: {error}")),
        }
        step();
    }
    match Machine::benes(demand.terminals()) {
        Ok(machine) => {
            for planner in ["exact", "few", "cover", "birkhoff"] {
                all.push(stored(demand, &machine, planner, fabric)?);
                step();
            }
        }
        Err(error) => notes.push(format!("benes: {error}")),
    }
    let delta = fabric.delta;
    let figure = plot.then(|| figure(asked, &all)).transpose()?;
    let rows = all.iter().map(|carried| carried.cells(demand, delta)).collect();
    let members = Map::from_iter([
        ("demand".into(), json!(name)),
        ("terminals".into(), json!(demand.terminals())),
        ("words".into(), json!(demand.total())),
        ("h".into(), json!(demand.h())),
        ("delta".into(), json!(delta)),
        ("planes".into(), json!(fabric.planes)),
        ("matchings".into(), json!(fabric.matchings)),
    ]);
    let title = format!("{name}: {} words, N = {}, h = {}", demand.total(), demand.terminals(), demand.h());
    Ok((Listing { title, columns: &COLUMNS, rows, notes, members }.print(format)?, figure))
}

fn lengths(demand: &Demand, system: &'static str, plan: Plan) -> Result<Carried> {
    let start = Instant::now();
    let exchange = cyclic::plan(demand, plan)?;
    let time = start.elapsed();
    let report = carried(run(demand, &exchange, &mut ()), system)?;
    Ok(Carried {
        planner: "lengths",
        configurations: exchange.slots.len() as u64,
        ..once(system, &exchange, &report, time)
    })
}

fn two_hops(demand: &Demand, system: &'static str, plan: Plan) -> Result<Carried> {
    let start = Instant::now();
    let two = two_hop::plan(demand, plan)?;
    let time = start.elapsed();
    let [first, _] = carried(two_hop::check(demand, &two), system)?;
    let slots = two.exchanges.each_ref().map(|exchange| exchange.slots.len() as u64);
    let slots: u64 = slots.iter().sum();
    let one = once(system, &two.exchanges[0], &first, time);
    Ok(Carried {
        planner: "two-hop",
        // The second exchange begins when the first has arrived: that wait counts as rounds.
        last: ((two.cycles() + 1).saturating_sub(one.latency.into()), slots),
        configurations: slots,
        settings_bits: 32,
        buffer_words: two.buffer_words.into(),
        ..one
    })
}

/// A plan in one exchange on one network.
fn once(system: &'static str, exchange: &Exchange, report: &Report, time: Duration) -> Carried {
    Carried {
        planner: "exact",
        system,
        planes: 1,
        last: (report.rounds, exchange.slots.len() as u64),
        configurations: exchange.slots.len() as u64,
        latency: exchange.machine.latency(),
        lanes: exchange.machine.lanes_per_terminal(),
        settings_bits: exchange.stored_bits(),
        buffer_words: 0,
        time,
    }
}

/// A plan of configurations for Beneš networks.
fn stored(demand: &Demand, machine: &Machine, planner: &'static str, fabric: Fabric) -> Result<Carried> {
    let start = Instant::now();
    let few = planned(demand, planner, fabric)?;
    let time = start.elapsed();
    let slot = |held: Held| Slot { hold: held.hold, state: State::Permutation(held.to) };
    let exchange = Exchange { machine: machine.clone(), slots: few.all().into_iter().map(slot).collect() };
    let report = carried(run(demand, &exchange, &mut ()), planner)?;
    let of_plane = |plane: &Vec<Held>| {
        let rounds = plane.iter().map(|held| u64::from(held.hold)).sum::<u64>();
        (rounds, plane.len() as u64)
    };
    let ends = |&(rounds, count): &(u64, u64)| rounds + count * u64::from(fabric.delta);
    Ok(Carried {
        planner,
        planes: fabric.planes,
        last: few.planes.iter().map(of_plane).max_by_key(ends).unwrap_or_default(),
        ..once("benes", &exchange, &report, time)
    })
}

fn planned(demand: &Demand, planner: &str, fabric: Fabric) -> Result<few::Few> {
    let unlimited = Fabric { matchings: None, ..fabric };
    let n = demand.terminals() as usize;
    Ok(match planner {
        "few" => few::plan(demand, fabric)?,
        "cover" => few::spread(&few::cover(n, demand.matrix().to_vec()), unlimited),
        "birkhoff" => few::spread(&few::birkhoff(demand), unlimited),
        _ => few::spread(&permutations(demand), unlimited),
    })
}

/// What ran, or which plan did not carry the demand.
fn carried<T>(ran: Result<T, frit_demand::Fault>, plan: &str) -> Result<T> {
    ran.map_err(|fault| anyhow!("{plan} does not carry the demand: {fault}; please report this"))
}

/// The ratio to the bound against δ.
fn figure(asked: &Asked, all: &[Carried]) -> Result<Figure> {
    let demand = asked.demand;
    let mut series = Vec::new();
    for carried in all {
        let mut means = Vec::new();
        for delta in DELTAS {
            let fabric = Fabric { delta, ..asked.fabric };
            // This planner's plan depends on δ, and so does the distribution to planes.
            let again = match carried.system {
                "benes" => {
                    let few = planned(demand, carried.planner, fabric)?;
                    let (bound, s) = demand.time_bound(delta, fabric.planes);
                    few.time as f64 * f64::from(s) / bound.max(1) as f64
                }
                _ => carried.ratio(demand, delta),
            };
            means.push(Mean::single(delta.into(), again));
        }
        let name = format!("{} {}", carried.system, carried.planner);
        let ink = if carried.system == "benes" { Ink::Step } else { Ink::System(carried.system) };
        series.push(Series::new(name, means, ink));
    }
    Ok(Figure {
        title: format!("{}: cycles by the lower bound, N = {}", asked.name, demand.terminals()),
        x: "time to change a configuration, in words".into(),
        y: "cycles / lower bound".into(),
        series,
        limit: None,
        mark: None,
        bars: String::new(),
        legend: Corner::Above,
    })
}

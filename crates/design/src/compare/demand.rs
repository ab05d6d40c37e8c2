//! One demand on all that can carry it: cyclic systems with a length for each round and with two hops; and an ideal crossbar and a Beneš network
//! with a plan that is exact, one with few configurations, and two that others know. Every plan sends its words through the bare network.

use crate::estimate::stored_round;
use frit_demand::cyclic::TooMany;
use frit_demand::exchange::STORED;
use frit_demand::few::{self, Fabric, Few};
use frit_demand::peel::{Held, permutations};
use frit_demand::walk::TooLong;
use frit_demand::{Demand, Exchange, Fault, Machine, Report, cyclic, run, two_hop};
use frit_network::options::Request;
use frit_network::{Refusal, refusal};
use frit_schedule::Plan;
use frit_traffic::pace::{self, Pace};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The systems whose rounds can have lengths, with the words of their options.
pub const CYCLIC: [&str; 6] = ["rls", "xor", "gsen", "gsen latin", "gsen latin pad", "obf"];

/// The planners of configurations, for [machines that store them](STORED).
pub const PLANNERS: [&str; 4] = ["exact", "few", "cover", "birkhoff"];

/// The columns without a pace, in CSV and JSON and for people.
pub const COLUMNS: [&str; 12] = [
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
const NOTES: [&str; 7] = [
    "lengths: each round of the system's own exchange lasts as long as its longest pair; two-hop: two uniform exchanges with words that wait in between",
    "ideal: a crossbar of any size, without a network inside; benes: the same plans, if this size exists",
    "exact: h rounds, by matchings among large entries first (Solstice); few: searched for few configurations; cover: as few configurations as there can be; birkhoff: any matching, as long as its smallest entry",
    "rounds: cycles in which words enter, of the plane that ends last; reconfiguring: its configurations times --delta, in cycles",
    "cycles: rounds, reconfiguring, and the way of the last word; cycles_lower_bound: the same for max over rows and columns of (sum + delta pairs) / planes",
    "settings_bits: of all planes; systems with a cyclic exchange store 32 bits for each length; buffer_words: at the fullest terminal",
    "planning_ms: time on this machine",
];

type Result<T> = std::result::Result<T, Refusal>;

/// What is compared.
pub struct DemandRequest<'a> {
    pub demand: &'a Demand,
    /// Where it comes from, for the title.
    pub name: &'a str,
    /// The networks of the planner with few configurations.
    pub fabric: Fabric,
    /// Seconds and bytes beside cycles.
    pub pace: Option<Pace>,
    /// Bytes that a plan may take that stores each of its rounds.
    pub room: u64,
    /// The time since some moment: not every machine has a clock that a program may read.
    pub clock: &'a dyn Fn() -> Duration,
}

impl DemandRequest<'_> {
    /// The columns of [`Carried::cells`].
    pub fn columns(&self) -> Vec<&'static str> {
        let paced = pace::FACTS.into_iter().filter(|_| self.pace.is_some());
        COLUMNS.into_iter().chain(paced).collect()
    }

    fn most_rounds(&self, two_hop: bool) -> u64 {
        self.room / stored_round(two_hop)
    }

    /// What was planned; a plan with more rounds than there is memory for has both figures.
    fn planned<T>(&self, planned: Result<T>, two_hop: bool) -> Result<T> {
        planned.map_err(|error| {
            let Some(TooLong { name, rounds }) = error.detail() else { return error };
            let needed = rounds.saturating_mul(stored_round(two_hop));
            refusal!(
                "the plan of {name} for this demand, {rounds} stored rounds or more, needs about {} MiB, but only {} MiB is available; give a demand of fewer words, or use another system, for example rls",
                needed >> 20,
                self.room >> 20
            )
            .with(TooMany)
        })
    }
}

/// How long a plan takes, on networks that change their configuration in some time δ.
#[derive(Clone, Copy)]
struct Length {
    /// Of the network that ends last: rounds and configurations.
    last: (u64, u64),
    planes: u32,
    latency: u32,
    lanes: u32,
}

impl Length {
    fn reconfiguring(self, delta: u32) -> u64 {
        self.last.1 * u64::from(delta)
    }

    /// The cycle of the last arrival after so many cycles in which words enter or configurations change.
    fn arrival(self, cycles: u64) -> u64 {
        cycles.checked_sub(1).map_or(0, |last| last + u64::from(self.latency))
    }

    fn cycles(self, delta: u32) -> u64 {
        self.arrival(self.last.0 + self.reconfiguring(delta))
    }

    fn bound(self, demand: &Demand, delta: u32) -> u64 {
        let (time, planes) = demand.time_bound(delta, self.planes);
        self.arrival(time.div_ceil(u64::from(planes * self.lanes)))
    }

    /// Cycles by the bound; 1 without words.
    fn ratio(self, demand: &Demand, delta: u32) -> f64 {
        match self.bound(demand, delta) {
            0 => 1.0,
            bound => self.cycles(delta) as f64 / bound as f64,
        }
    }
}

/// Where a plan of configurations comes from.
#[derive(Clone)]
enum Stored {
    /// Searched for each δ again.
    Few,
    /// These configurations, whatever δ is.
    Held(Vec<Held>),
}

impl Stored {
    fn few(&self, demand: &Demand, fabric: Fabric) -> Result<Few> {
        Ok(match self {
            Stored::Few => few::plan(demand, fabric)?,
            Stored::Held(held) => few::spread(held, Fabric { matchings: None, ..fabric }),
        })
    }
}

/// A plan that carried the demand.
pub struct Carried {
    pub planner: &'static str,
    pub system: &'static str,
    length: Length,
    /// Without one the plan does not depend on δ.
    stored: Option<Stored>,
    configurations: u64,
    settings_bits: u64,
    buffer_words: u64,
    time: Duration,
}

impl Carried {
    /// Whether it is a plan of configurations, which depends on δ.
    pub fn is_stored(&self) -> bool {
        self.stored.is_some()
    }

    /// Cycles by the lower bound where a change of configuration takes `delta` words.
    ///
    /// # Errors
    /// Too few configurations.
    pub fn ratio(&self, asked: &DemandRequest, delta: u32) -> Result<f64> {
        let length = match &self.stored {
            None => self.length,
            Some(stored) => {
                let few = stored.few(asked.demand, Fabric { delta, ..asked.fabric })?;
                Length { last: last(&few, delta), ..self.length }
            }
        };
        Ok(length.ratio(asked.demand, delta))
    }

    /// A cell for each of the [columns](DemandRequest::columns).
    pub fn cells(&self, asked: &DemandRequest) -> Vec<Value> {
        let (demand, delta) = (asked.demand, asked.fabric.delta);
        let length = self.length;
        let ratio = (length.ratio(demand, delta) * 1000.0).round() / 1000.0;
        let milliseconds = (self.time.as_secs_f64() * 1e4).round() / 10.0;
        let mut cells = vec![
            json!(self.planner),
            json!(self.system),
            json!(length.planes),
            json!(length.last.0),
            json!(self.configurations),
            json!(length.reconfiguring(delta)),
            json!(length.cycles(delta)),
            json!(length.bound(demand, delta)),
            json!(ratio),
            json!(self.settings_bits),
            json!(self.buffer_words),
            json!(milliseconds),
        ];
        if let Some(pace) = asked.pace {
            let cycles = length.cycles(delta) as f64;
            cells.extend([json!(pace.time_us(cycles)), json!(pace.gb_per_s(demand.total(), cycles))]);
        }
        cells
    }
}

/// The number of steps that [`compare`] reports.
pub const STEPS: u64 = (2 * CYCLIC.len() + PLANNERS.len()) as u64;

pub struct Compared {
    /// In words: the demand, its size and h.
    pub title: String,
    pub carried: Vec<Carried>,
    /// What a reader must know, a line each.
    pub notes: Vec<String>,
    /// The demand and the networks, for JSON.
    pub members: Map<String, Value>,
}

impl Compared {
    /// A row of the [columns](DemandRequest::columns) for each plan.
    pub fn rows(&self, asked: &DemandRequest) -> Vec<Vec<Value>> {
        self.carried.iter().map(|carried| carried.cells(asked)).collect()
    }
}

/// All plans. `step` is called for each.
///
/// # Errors
///
/// Too few configurations, no system of this size, and a plan that does not carry the demand.
pub fn compare(asked: &DemandRequest, step: &dyn Fn()) -> Result<Compared> {
    let DemandRequest { demand, name, fabric, .. } = *asked;
    let mut notes: Vec<String> = NOTES.map(String::from).to_vec();
    let mut all = Vec::new();
    for key in CYCLIC {
        match cyclic_plan(key, demand.terminals()) {
            Ok(plan) => {
                note(key, lengths(asked, key, plan.clone()), &mut all, &mut notes)?;
                step();
                note(&format!("{key}, two-hop"), two_hops(asked, key, plan), &mut all, &mut notes)?;
            }
            Err(error) => notes.push(format!("{key}: {error}")),
        }
        step();
    }
    let mut machines = Vec::new();
    for key in STORED {
        match Machine::stored(key, demand.terminals()) {
            Ok(machine) => machines.push((key, machine)),
            Err(error) => notes.push(format!("{key}: {error}")),
        }
    }
    let mut planned = Vec::new();
    for planner in PLANNERS {
        planned.push(planned_by(asked, planner)?);
        step();
    }
    for (key, machine) in &machines {
        for planned in &planned {
            all.push(stored(asked, key, machine, planned)?);
        }
    }
    let members = Map::from_iter([
        ("demand".into(), json!(name)),
        ("terminals".into(), json!(demand.terminals())),
        ("words".into(), json!(demand.total())),
        ("h".into(), json!(demand.h())),
        ("delta".into(), json!(fabric.delta)),
        ("planes".into(), json!(fabric.planes)),
        ("matchings".into(), json!(fabric.matchings)),
    ]);
    let title = format!("{name}: {} words, N = {}, h = {}", demand.total(), demand.terminals(), demand.h());
    Ok(Compared { title, carried: all, notes, members })
}

/// Keeps a plan, or why there is none for the want of memory: the other plans are worth a comparison without it.
fn note(name: &str, planned: Result<Carried>, all: &mut Vec<Carried>, notes: &mut Vec<String>) -> Result<()> {
    match planned {
        Ok(carried) => all.push(carried),
        Err(error) if error.detail::<TooMany>().is_some() => notes.push(format!("{name}: {error}")),
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The plan of a system's own exchange; the words behind its key are options of `gsen`.
///
/// # Errors
///
/// If the system does not exist with so many terminals.
pub fn cyclic_plan(system: &str, terminals: u32) -> Result<Plan> {
    let mut words = system.split(' ');
    let request = Request::new(words.next().unwrap_or_default(), terminals.into());
    let with = |request: Request, word| match word {
        "pad" => request.with("pad", "yes"),
        algorithm => request.with("algorithm", algorithm),
    };
    frit_schedule::plan(&words.fold(request, with))
}

/// One plan: `lengths` and `two-hop` on a system of [`CYCLIC`], those of [`PLANNERS`] on one of [`STORED`].
///
/// # Errors
///
/// Those of [`compare`].
///
/// # Panics
///
/// If there is no such planner.
pub fn carry(asked: &DemandRequest, planner: &'static str, system: &'static str) -> Result<Carried> {
    match planner {
        "lengths" => lengths(asked, system, cyclic_plan(system, asked.demand.terminals())?),
        "two-hop" => two_hops(asked, system, cyclic_plan(system, asked.demand.terminals())?),
        _ => {
            let machine = Machine::stored(system, asked.demand.terminals())?;
            stored(asked, system, &machine, &planned_by(asked, planner)?)
        }
    }
}

/// What a planner of [`PLANNERS`] says, for any machine of this size.
struct Configurations {
    planner: &'static str,
    stored: Stored,
    few: Few,
    time: Duration,
}

fn planned_by(asked: &DemandRequest, planner: &'static str) -> Result<Configurations> {
    let DemandRequest { demand, fabric, clock, .. } = *asked;
    let start = clock();
    let stored = match planner {
        "exact" => Stored::Held(permutations(demand)),
        "few" => Stored::Few,
        "cover" => Stored::Held(few::cover(demand.terminals() as usize, demand.matrix().to_vec())),
        "birkhoff" => Stored::Held(few::birkhoff(demand)),
        other => panic!("{other} is no planner"),
    };
    let few = stored.few(demand, fabric)?;
    Ok(Configurations { planner, stored, few, time: clock() - start })
}

fn lengths(asked: &DemandRequest, system: &'static str, plan: Plan) -> Result<Carried> {
    let start = (asked.clock)();
    let planned = cyclic::plan_ticking(asked.demand, plan, asked.most_rounds(false), &mut |_, _| ());
    let exchange = asked.planned(planned, false)?;
    let time = (asked.clock)() - start;
    let report = carried(run(asked.demand, &exchange, &mut ()), system)?;
    Ok(once(system, &exchange, &report, time))
}

fn two_hops(asked: &DemandRequest, system: &'static str, plan: Plan) -> Result<Carried> {
    let start = (asked.clock)();
    let planned = two_hop::plan_ticking(asked.demand, plan, asked.most_rounds(true), &mut |_, _| ());
    let two = asked.planned(planned, true)?;
    let time = (asked.clock)() - start;
    let [first, _] = carried(two_hop::check(asked.demand, &two), system)?;
    let configurations = two.exchanges.iter().map(|exchange| exchange.slots.len() as u64).sum();
    let one = once(system, &two.exchanges[0], &first, time);
    // The second exchange begins when the first has arrived: that wait counts as rounds.
    let rounds = (two.cycles() + 1).saturating_sub(one.length.latency.into());
    Ok(Carried {
        planner: "two-hop",
        length: Length { last: (rounds, configurations), ..one.length },
        configurations,
        settings_bits: 32,
        buffer_words: two.buffer_words.into(),
        ..one
    })
}

/// A plan in one exchange on one network.
fn once(system: &'static str, exchange: &Exchange, report: &Report, time: Duration) -> Carried {
    let configurations = exchange.slots.len() as u64;
    Carried {
        planner: "lengths",
        system,
        length: Length {
            last: (report.rounds, configurations),
            planes: 1,
            latency: exchange.machine.latency(),
            lanes: exchange.machine.lanes_per_terminal(),
        },
        stored: None,
        configurations,
        settings_bits: exchange.stored_bits(),
        buffer_words: 0,
        time,
    }
}

/// A plan of configurations on a machine that stores them.
fn stored(
    asked: &DemandRequest,
    system: &'static str,
    machine: &Machine,
    planned: &Configurations,
) -> Result<Carried> {
    let DemandRequest { demand, fabric, .. } = *asked;
    let Configurations { planner, stored, few, time } = planned;
    let exchange = Exchange::held(machine.clone(), few.all());
    let report = carried(run(demand, &exchange, &mut ()), planner)?;
    let one = once(system, &exchange, &report, *time);
    let length = Length { last: last(few, fabric.delta), planes: fabric.planes, ..one.length };
    Ok(Carried { planner, length, stored: Some(stored.clone()), ..one })
}

/// Rounds and configurations of the network that ends last.
fn last(few: &Few, delta: u32) -> (u64, u64) {
    let of_plane = |plane: &Vec<Held>| {
        let rounds = plane.iter().map(|held| u64::from(held.hold)).sum::<u64>();
        (rounds, plane.len() as u64)
    };
    let ends = |&(rounds, count): &(u64, u64)| rounds + count * u64::from(delta);
    few.planes.iter().map(of_plane).max_by_key(ends).unwrap_or_default()
}

/// What ran, or which plan did not carry the demand.
fn carried<T>(ran: std::result::Result<T, Fault>, plan: &str) -> Result<T> {
    ran.map_err(|fault| refusal!("{plan} does not carry the demand: {fault}; please report this"))
}

//! A third routed system, for tests only: what a system must bring to be routed, swept, drawn and verified by the command.
//!
//! The Omega network of N = 2^n rows has n stages of 2×2 switches with a perfect shuffle before each (Lawrie, 1975). Here it
//! has no buffers: of two messages that want one output of a switch, the switch passes the upper one and drops the other.

mod hardware;
mod tests;

use crate::args::{NetworkArgs, NetworkFormat, RouteArgs};
use crate::catalog::{Added, Entry};
use crate::commands::route::report::{self, RouteReport};
use crate::commands::router::Commands;
use crate::design::Design;
use crate::kind::{Core, Kind};
use crate::sweep::kinds::route::system::{Across, Case, Swept};
use crate::ui::Ui;
use crate::verified::report::{Verified, VerifyRequest};
use anyhow::{Context, Result, bail};
use frit_model::stepper::{self, Progress, Stepper};
use frit_network::drawing::{self, Scene};
use frit_network::facts;
use frit_network::facts::Facts;
use frit_network::options::{NumberDefault, OptionSpec, Request, Row, Values};
use frit_network::{PortIdx, RowIdx, export, refuse, shuffle_exchange};
use frit_router::Router;
use frit_traffic::Messages;
use frit_traffic::random::{source_stream, stream};
use std::sync::Arc;

/// How the system describes itself.
static ROW: Row = Row {
    key: "omega",
    title: "Omega network without buffers: what collides is dropped",
    sizes: "powers of two from 4 to 1024",
    cycles: "n + K for K messages a row",
    drivers: "the messages' destinations",
    paper: "Access and alignment of data in an array processor",
    options: &[OptionSpec {
        name: "per-input",
        values: Values::Number { min: 1, max: 64, default: NumberDefault::Fixed(4) },
        help: "messages that each row sends, K: one in a cycle",
        compared: false,
    }],
    example: 8,
};

pub static SYSTEM: Added = Added {
    row: &ROW,
    kind: "routed",
    entry: Entry {
        name: "omega",
        by_option: false,
        which: "whose messages --traffic, --seed and --set per-input=K describe",
        takes: "traffic per_source",
        unproved: "",
    },
    build: |request: &Request| {
        let rows = u32::try_from(request.terminals).unwrap_or(0);
        if !rows.is_power_of_two() || !(4..=1024).contains(&rows) {
            refuse!("Omega has {} rows here; give a power of two from 4 to 1024", request.terminals);
        }
        let count = request.options.get("per-input").and_then(|text| text.parse().ok());
        Ok(Design::Routed(Box::new(Omega { rows, count: count.expect("the table has a default") })))
    },
};

const KINDS: [&str; 2] = ["permutation", "random"];

/// An Omega network, without its traffic.
#[derive(Clone, Copy, Debug)]
pub struct Omega {
    rows: u32,
    count: u32,
}

/// A message comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    step: u32,
    row: RowIdx,
    message: u32,
}

/// A network with its messages. Message k of row r is offered in step k.
struct Traffic {
    omega: Omega,
    messages: Messages,
}

impl Router for Omega {
    fn row(&self) -> &'static Row {
        &ROW
    }
}

impl Omega {
    fn stages(self) -> u32 {
        self.rows.ilog2()
    }

    /// The wire that the shuffle before a stage leads to an input port of it.
    fn before(self, port: PortIdx) -> u32 {
        port.0 >> 1 | (port.0 & 1) << (self.stages() - 1)
    }

    fn traffic(self, kind: &str, seed: u64) -> Result<Traffic> {
        let Omega { rows, count } = self;
        let messages = match kind {
            "permutation" => Messages::permutations(rows, count, |k| stream(seed, k.into())),
            "random" => {
                let mut of_row: Vec<_> = (0..rows).map(|row| source_stream(seed, row)).collect();
                Messages::from_fn(rows, count, |row, _| of_row[row as usize].below(rows))
            }
            _ => bail!("--traffic {kind} is not known to omega; give one of {}", KINDS.join(", ")),
        };
        Ok(Traffic { omega: self, messages })
    }
}

/// The state is what stands behind each stage, by rows: a message's number and 1, or 0.
impl Stepper for Traffic {
    type State = Vec<Vec<u32>>;
    type Event = Arrival;

    fn start(&self) -> Self::State {
        vec![vec![0; self.omega.rows as usize]; self.omega.stages() as usize]
    }

    fn step(
        &self,
        step: u64,
        now: &Self::State,
        next: &mut Self::State,
        see: &mut dyn FnMut(Arrival),
    ) -> Progress {
        let Omega { rows, count } = self.omega;
        let step = step as u32;
        for (row, &message) in (0..).zip(now.last().expect("there are stages")) {
            if message > 0 {
                see(Arrival { step, row: RowIdx(row), message: message - 1 });
            }
        }
        for stage in 0..next.len() {
            next[stage].fill(0);
            for port in 0..rows {
                let wire = self.omega.before(PortIdx(port));
                let message = match stage.checked_sub(1) {
                    Some(before) => now[before][wire as usize],
                    None if step < count => self.messages.first(wire) + step + 1,
                    None => 0,
                };
                if message > 0 {
                    let to = self.messages.destinations()[message as usize - 1];
                    let bit = to >> (next.len() - 1 - stage) & 1;
                    // The upper port comes first.
                    let out = &mut next[stage][(port & !1 | bit) as usize];
                    *out = if *out == 0 { message } else { *out };
                }
            }
        }
        if next.iter().flatten().all(|&message| message == 0) { Progress::Complete } else { Progress::Moves }
    }
}

impl Traffic {
    /// What comes out, in order, and the steps until the last.
    fn run(&self) -> (Vec<Arrival>, u64) {
        let mut arrivals = Vec::new();
        let (steps, _, _) = stepper::run(self, 1 << 20, |arrival| arrivals.push(arrival));
        (arrivals, steps)
    }

    /// What a run comes to.
    fn members(&self) -> Result<Facts> {
        let (arrivals, steps) = self.run();
        let to = self.messages.destinations();
        if let Some(wrong) = arrivals.iter().find(|arrival| to[arrival.message as usize] != arrival.row.0) {
            bail!("message {} arrives in row {}", wrong.message, wrong.row);
        }
        let (total, delivered) = (to.len(), arrivals.len());
        Ok(facts! { "steps": steps, "delivered": delivered, "dropped": total - delivered, "total": total })
    }
}

impl Commands for Omega {
    fn route(&self, _: &Ui, args: &RouteArgs) -> Result<RouteReport> {
        let omega = Omega { count: args.traffic.per_source.unwrap_or(self.count), ..*self };
        let kind = args.traffic.traffic.as_deref().unwrap_or(KINDS[0]);
        let seeds: Vec<u64> = match (args.traffic.seed, args.traffic.seeds) {
            (None, Some(seeds)) => seeds.iter().collect(),
            (seed, _) => vec![seed.unwrap_or(1)],
        };
        let point = |seed: u64| -> Result<report::Point> {
            let members = omega.traffic(kind, seed)?.members()?;
            Ok(report::Point { seed: Some(seed), members, shown: vec![], faults: vec![] })
        };
        Ok(RouteReport {
            title: format!("omega {}: {} messages a row, {kind} traffic", self.rows, omega.count),
            members: facts! { "system": "omega" },
            columns: SWEPT.facts,
            csv: SWEPT.facts,
            points: seeds.into_iter().map(point).collect::<Result<_>>()?,
            notes: vec!["what collides is dropped".into()],
        })
    }

    fn network(&self, args: &NetworkArgs) -> Result<String> {
        let network = shuffle_exchange(self.rows.into())?;
        match args.format {
            NetworkFormat::Dot => Ok(export::to_dot(&network, None)),
            NetworkFormat::Svg => {
                let layout = drawing::layout(&network);
                let scene = Scene::new("omega".into(), drawing::Words::ELECTRONIC, &network, &layout);
                Ok(drawing::to_svg(&[scene]))
            }
            NetworkFormat::Json => Ok(export::to_json(&network)),
            NetworkFormat::Text => Ok(format!("omega {}: {} stages\n", self.rows, self.stages())),
        }
    }
}

impl Kind for Omega {
    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        hardware::verify(asked, core, *self)
    }
}

/// In the table of sweeps.
pub const SWEPT: Swept = Swept {
    name: "omega",
    title: "Omega",
    key: "terminals per_input traffic seed",
    facts: "steps delivered dropped total",
    traffic: &KINDS,
    succeeded: |cell| Some(cell("dropped")? == 0.0),
    of_all: &["steps", "delivered", "dropped", "total"],
    bounded: &[],
    across: &[Across { name: "n", label: "n: 2^n rows", of: &["terminals"] }],
    computed: &[],
    word: |column, value| format!("{column} {value}"),
    quantity: |_| None,
    is_formula: |_| false,
    formulas: "none",
    case: |router: &dyn Router, traffic, _| {
        let omega = *router.of::<Omega>().context("another system")?;
        Ok(Arc::new(Line { omega, traffic: traffic.into() }))
    },
};

struct Line {
    omega: Omega,
    traffic: String,
}

impl Case for Line {
    fn parameters(&self) -> Facts {
        let Omega { rows, count } = self.omega;
        facts! { "terminals": rows, "per_input": count, "traffic": self.traffic }
    }
    fn work(&self) -> u64 {
        (self.omega.rows * self.omega.count).into()
    }
    fn run(&self, seed: u64) -> Result<Facts> {
        self.omega.traffic(&self.traffic, seed)?.members()
    }
}

//! A network whose schedule is loaded, from a demand or a user's schedule (`--demand`, `--entries`), and messages of any length around it
//! (with `--axis`).

use super::{Core, Kind, Synthesis};
use crate::Verdict;
use crate::args::{CoreArgs, LoadedArgs, SynthArgs};
use crate::demand::{demand, need_plan};
use crate::design::{asked_size, asks_radix4, asks_stuck, design};
use crate::memory;
use crate::verified::proofs::{Proved, proving};
use crate::verified::report::{Verified, VerifyRequest, verify_device};
use anyhow::{Context, Result, bail};
use frit_cells::design::loaded::Hardware;
use frit_cells::design::messages::Messages;
use frit_cells::fault::{LOADED, MESSAGES};
use frit_cells::netlist::print::{Style, files};
use frit_cosim::formal::Contract;
use frit_cosim::synth::SynthDesign;
use frit_demand::exchange::Exchange;
use frit_demand::few::{self, Fabric};
use frit_demand::loadable::{Job, Loadable, states};
use frit_demand::peel::{Held, permutations};
use frit_demand::program::{MAX_ENTRIES, Program, Shape, bank, needed, needed_for};
use frit_demand::read::Reading;
use frit_demand::{Demand, around, cyclic};
use frit_device::{Recorded, loaded, messages};
use frit_model::loaded::Trial;
use frit_model::messages::{self as model, check};
use frit_network::StuckSwitches;
use frit_schedule::Plan;
use frit_schedule::plan::Variant;
use frit_schedule::user;
use serde_json::json;

pub struct LoadedCore;

impl Kind for LoadedCore {
    fn device(
        &self,
        core: &Core,
        fault: Option<&str>,
        variant: Option<Variant>,
    ) -> Result<Box<dyn Recorded>> {
        Ok(made(core, fault, variant)?.0)
    }

    /// The hardware has the stuck switches that the schedule goes round.
    fn verify(&self, asked: &VerifyRequest, core: &Core) -> Result<Verified> {
        let (mut device, stuck) = made(core, asked.args.fault.as_deref(), None)?;
        let faults = if core.args.streams.axis { &MESSAGES } else { &LOADED };
        faults.plant_stuck(device.netlist_mut(), &stuck)?;
        verify_device(asked, core.named(), &*device)
    }

    /// For all programs, in hardware of the size that is asked for: no cell computes with a word, so one bit of each is enough. A fault needs
    /// no lemmas to be found.
    fn prove(&self, asked: &VerifyRequest, core: &Core) -> Result<Proved> {
        let fault = asked.args.fault.as_deref();
        let sized = match core.args.loaded {
            LoadedArgs { demand: None, entries: Some(entries) } => hardware(core, entries)?,
            _ => Hardware::new(self::asked(core)?.on, 1),
        };
        let hardware = Hardware { width: core.width_or(1)?, ..sized };
        let files = files(&loaded::netlist(&hardware, fault)?, Style::Unrolled);
        proving(asked, core.many, hardware.design_name(), |ground| {
            Ok(vec![Contract::loaded(&hardware).prove(ground, &files, fault.is_none())?])
        })
    }

    fn synth(&self, core: &Core, args: &SynthArgs, run: &Synthesis) -> Result<Verdict> {
        let entries = args.entries.context("--entries is missing")?;
        let hardware = hardware(core, entries)?;
        let about = |name: String| {
            json!({
                "design": name, "system": core.row.key, "terminals": hardware.shape().terminals(),
                "width": hardware.width, "entries": entries, "length": args.length,
            })
        };
        if !args.axis {
            let name = hardware.design_name();
            return run(SynthDesign::whole("loaded", name.clone(), hardware.netlist()), about(name));
        }
        let length = args
            .length
            .context("--length is missing; give the words of the longest message, for example --length 16")?;
        check(hardware.shape(), length)?;
        let messages = Messages { hardware: hardware.clone(), length };
        let name = messages.design_name();
        run(SynthDesign::whole("axis", name.clone(), messages.netlist()), about(name))
    }
}

/// The core with its trial, and the stuck switches of its network.
fn made(
    core: &Core,
    fault: Option<&str>,
    variant: Option<Variant>,
) -> Result<(Box<dyn Recorded>, StuckSwitches)> {
    let streams = &core.args.streams;
    streams.need_axis()?;
    let LoadedRequest { on, width, jobs } = asked(core)?;
    let stuck = on.stuck().clone();
    if !streams.axis {
        return Ok((Box::new(loaded::Loaded::new(Trial::new(on, width, jobs)?, fault, variant)?), stuck));
    }
    let trial = model::Trial::new(on, width, jobs, streams.length)?;
    Ok((Box::new(messages::Messages::new(trial, fault, variant)?), stuck))
}

/// Bytes for each word of a trial: as an event, and as a line of a file.
const BYTES_PER_WORD: u64 = 300;

/// The words of a demand are sent about so many times.
const TIMES: u64 = 6;

/// What runs on a network with a loaded schedule.
struct LoadedRequest {
    on: Loadable,
    width: u32,
    jobs: [Job; 2],
}

fn asked(core: &Core) -> Result<LoadedRequest> {
    let args = &core.args.loaded;
    let terminals = size(core)?;
    if core.row.key == user::KEY {
        return rounds(core, args);
    }
    let Some(path) = &args.demand else {
        bail!(
            "--entries says how large the memory for a demand is; give {} --demand FILE with it",
            core.row.key
        )
    };
    let width = core.width()?;
    let demand = demand(path, Reading { terminals, ..Reading::default() })?;
    need_trial(demand.total())?;
    let (shape, held) = planned(&demand, args.entries)?;
    if let Some(stuck) = stuck(core)? {
        let exchange = around::exchange(&demand, held, &stuck)?;
        let plan = exchange.machine.plan().context("an exchange round stuck switches has rounds")?;
        return of_rounds(plan, Some(&exchange), Some(&demand), args.entries, width);
    }
    let shape = if radix4(core)? { shape.radix4() } else { shape };
    let jobs = Job::permutations(shape, &demand, &held)?;
    Ok(LoadedRequest { on: Loadable::benes(shape), width, jobs })
}

/// A user's schedule. With a demand each of its rounds lasts as long as its longest pair, and rounds without words are left out.
fn rounds(core: &Core, args: &LoadedArgs) -> Result<LoadedRequest> {
    let chosen = design(&core.args.design)?;
    let width = chosen.width(&core.args.width)?;
    let plan = chosen.into_plan()?;
    let reading = Reading { terminals: Some(plan.served().into()), ..Reading::default() };
    let demand = args.demand.as_deref().map(|path| demand(path, reading)).transpose()?;
    // The size is refused before anything is planned for it.
    Loadable::user(&plan, args.entries.unwrap_or(2))?;
    let exchange = demand.as_ref().map(|demand| {
        need_plan(demand)?;
        anyhow::Ok(cyclic::plan(demand, plan.clone())?)
    });
    of_rounds(&plan, exchange.transpose()?.as_ref(), demand.as_ref(), args.entries, width)
}

/// The rounds of a plan, each held once, or as long as an exchange that carries a demand says.
fn of_rounds(
    plan: &Plan,
    exchange: Option<&Exchange>,
    demand: Option<&Demand>,
    entries: Option<u64>,
    width: u32,
) -> Result<LoadedRequest> {
    let states = states(plan, exchange);
    let rounds: u64 = states.iter().map(|state| u64::from(state.run)).sum();
    need_trial(demand.map_or(rounds * u64::from(plan.served()), Demand::total))?;
    let needed = needed_for(states.iter().map(|state| state.run));
    let on = Loadable::user(plan, entries.unwrap_or_else(|| bank(needed).min(MAX_ENTRIES)))?;
    let jobs = Job::states(on.shape(), &states, demand)?;
    Ok(LoadedRequest { on, width, jobs })
}

/// Refuses trials for which there is no memory.
fn need_trial(words: u64) -> Result<()> {
    let what = format!("the trial of {words} words");
    memory::need(&what, TIMES * BYTES_PER_WORD * words, "give a demand of fewer words")
}

/// Hardware with banks of so many entries.
fn hardware(core: &Core, entries: u64) -> Result<Hardware> {
    let asked = size(core)?;
    if core.row.key == user::KEY {
        let chosen = design(&core.args.design)?;
        let width = chosen.width(&core.args.width)?;
        return Ok(Hardware::new(Loadable::user(chosen.plan()?, entries)?, width));
    }
    let terminals =
        asked.context("-n is missing; benes needs a power of two from 4 on, for example -n 16")?;
    let shape = Shape::new(terminals, entries)?;
    let shape = if radix4(core)? { shape.radix4() } else { shape };
    Ok(Hardware::new(Loadable::benes(shape), core.width()?))
}

/// The program of a demand for banks of so many entries.
pub fn program(demand: &Demand, entries: Option<u64>) -> Result<Program> {
    let (shape, held) = planned(demand, entries)?;
    Ok(Program::new(shape, &held)?)
}

/// The number of terminals if one is given. Refuses systems that take no schedule in memories.
fn size(core: &Core) -> Result<Option<u64>> {
    let (CoreArgs { design, loaded, .. }, key) = (core.args, core.row.key);
    let (_, asked) = asked_size(design)?;
    let option = loaded.option();
    if key == user::KEY {
        return Ok(asked);
    }
    if key != "benes" {
        bail!(
            "{option} does not apply to {key}: only benes and user take a schedule in memories; give benes or user"
        );
    }
    if stuck(core)?.is_none() {
        radix4(core)?;
    }
    Ok(asked)
}

/// The stuck switches of a Beneš network that carries a demand.
fn stuck(core: &Core) -> Result<Option<StuckSwitches>> {
    let CoreArgs { design, loaded, .. } = core.args;
    asks_stuck(design, &format!("{}, whose schedule is loaded", loaded.option()))
}

/// Whether a Beneš network has 4×4 switches.
fn radix4(core: &Core) -> Result<bool> {
    let CoreArgs { design, loaded, .. } = core.args;
    asks_radix4(design, &format!("{}, whose schedule is loaded", loaded.option()))
}

/// The plan in h rounds, or one with few configurations if there are too few entries for it; and the hardware.
fn planned(demand: &Demand, entries: Option<u64>) -> Result<(Shape, Vec<Held>)> {
    let terminals = demand.terminals().into();
    // The size is refused before anything is planned for it.
    Shape::new(terminals, entries.unwrap_or(2))?;
    need_plan(demand)?;
    let exact = permutations(demand);
    // A plan that fits no bank is made again for the largest one.
    let entries = entries.unwrap_or_else(|| bank(needed(&exact)).min(MAX_ENTRIES));
    let shape = Shape::new(terminals, entries)?;
    if needed(&exact) <= entries {
        return Ok((shape, exact));
    }
    let fabric = Fabric { delta: 0, planes: 1, matchings: Some(entries as u32) };
    let plan = few::plan(demand, fabric)?.all();
    // A configuration that is held for very long takes several entries.
    Ok((shape, if needed(&plan) <= entries { plan } else { exact }))
}

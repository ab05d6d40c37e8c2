//! The trial of a network whose schedule is loaded, from a demand or a user's schedule.

use crate::args::{DesignArgs, LoadedArgs, PortStyle, StreamArgs, WidthArgs};
use crate::demand::{demand, need_plan};
use crate::design::asked_size;
use crate::memory;
use anyhow::{Context, Result, bail};
use frit_cells::design::loaded::Hardware;
use frit_demand::few::{self, Fabric};
use frit_demand::loadable::{Job, Loadable, states};
use frit_demand::peel::{Held, permutations};
use frit_demand::program::{MAX_ENTRIES, Program, Shape, bank, needed, needed_for};
use frit_demand::read::Reading;
use frit_demand::{Demand, cyclic};
use frit_model::loaded::Trial;
use frit_model::messages;
use frit_network::options::Row;
use frit_schedule::user;

/// Bytes for each word of a trial: as an event, and as a line of a file.
const BYTES_PER_WORD: u64 = 300;

/// The words of a demand are sent about so many times.
const TIMES: u64 = 6;

/// What runs on a network with a loaded schedule.
struct Asked {
    on: Loadable,
    width: u32,
    jobs: [Job; 2],
}

/// The trial that a design asks for, and the key of its system: that of a demand, or of the rounds of a user's schedule.
pub fn trial(design: &DesignArgs, width: &WidthArgs, args: &LoadedArgs) -> Result<(Trial, &'static str)> {
    let (Asked { on, width, jobs }, system) = asked(design, width, args)?;
    Ok((Trial::new(on, width, jobs)?, system))
}

/// The same for messages of any length around it.
pub fn messages(
    design: &DesignArgs,
    width: &WidthArgs,
    args: &LoadedArgs,
    streams: &StreamArgs,
) -> Result<(messages::Trial, &'static str)> {
    let given = [
        ("--buffers", streams.buffers != 1),
        ("--port-style axis", streams.port_style != PortStyle::Packed),
        ("--tkeep", streams.tkeep),
        ("--tuser", streams.tuser > 0),
        ("--axil", streams.axil),
    ];
    refuse(args, &given)?;
    let (Asked { on, width, jobs }, system) = asked(design, width, args)?;
    Ok((messages::Trial::new(on, width, jobs, streams.length)?, system))
}

fn asked(design: &DesignArgs, width: &WidthArgs, args: &LoadedArgs) -> Result<(Asked, &'static str)> {
    let (row, asked) = size(design, args)?;
    if row.key == user::KEY {
        return Ok((rounds(design, width, args)?, row.key));
    }
    let Some(path) = &args.demand else {
        bail!("--entries says how large the memory for a demand is; give {} --demand FILE with it", row.key)
    };
    let width = crate::design::width(width.width.as_deref(), 32)?;
    let demand = demand(path, Reading { terminals: asked, ..Reading::default() })?;
    need_trial(demand.total())?;
    let (shape, held) = planned(&demand, args.entries)?;
    let jobs = Job::permutations(shape, &demand, &held)?;
    Ok((Asked { on: Loadable::benes(shape), width, jobs }, row.key))
}

/// A user's schedule. With a demand each of its rounds lasts as long as its longest pair, and rounds without words are left out.
fn rounds(design: &DesignArgs, width: &WidthArgs, args: &LoadedArgs) -> Result<Asked> {
    let chosen = crate::design::design(design)?;
    let width = chosen.width(width)?;
    let plan = chosen.into_plan()?;
    let reading = Reading { terminals: Some(plan.served().into()), ..Reading::default() };
    let demand = args.demand.as_deref().map(|path| demand(path, reading)).transpose()?;
    // The size is refused before anything is planned for it.
    Loadable::user(&plan, args.entries.unwrap_or(2))?;
    let exchange = demand.as_ref().map(|demand| {
        need_plan(demand)?;
        anyhow::Ok(cyclic::plan(demand, plan.clone())?)
    });
    let states = states(&plan, exchange.transpose()?.as_ref());
    let rounds: u64 = states.iter().map(|state| u64::from(state.run)).sum();
    need_trial(demand.as_ref().map_or(rounds * u64::from(plan.served()), Demand::total))?;
    let needed = needed_for(states.iter().map(|state| state.run));
    let on = Loadable::user(&plan, args.entries.unwrap_or_else(|| bank(needed).min(MAX_ENTRIES)))?;
    let jobs = Job::states(on.shape(), &states, demand.as_ref())?;
    Ok(Asked { on, width, jobs })
}

/// Refuses trials for which there is no memory.
fn need_trial(words: u64) -> Result<()> {
    let what = format!("the trial of {words} words");
    memory::need(&what, TIMES * BYTES_PER_WORD * words, "give a demand of fewer words")
}

/// What `frit synth --entries` synthesises, and the key of its system.
pub fn hardware(design: &DesignArgs, width: &WidthArgs, entries: u64) -> Result<(Hardware, &'static str)> {
    let (row, asked) = size(design, &LoadedArgs { demand: None, entries: Some(entries) })?;
    if row.key == user::KEY {
        let chosen = crate::design::design(design)?;
        let width = chosen.width(width)?;
        return Ok((Hardware::new(Loadable::user(chosen.plan()?, entries)?, width), row.key));
    }
    let terminals =
        asked.context("-n is missing; benes needs a power of two from 4 on, for example -n 16")?;
    let width = crate::design::width(width.width.as_deref(), 32)?;
    Ok((Hardware::new(Loadable::benes(Shape::new(terminals, entries)?), width), row.key))
}

/// What `frit verify --formal` proves: hardware of the size that a demand, a schedule or `--entries` asks for, with words of one bit.
pub fn proved(design: &DesignArgs, width: &WidthArgs, args: &LoadedArgs) -> Result<Hardware> {
    let sized = match args {
        LoadedArgs { demand: None, entries: Some(entries) } => hardware(design, width, *entries)?.0,
        _ => Hardware::new(trial(design, width, args)?.0.on, 1),
    };
    // No cell computes with a word.
    Ok(Hardware { width: crate::design::width(width.width.as_deref(), 1)?, ..sized })
}

/// The program of a demand for banks of so many entries.
pub fn program(demand: &Demand, entries: Option<u64>) -> Result<Program> {
    let (shape, held) = planned(demand, entries)?;
    Ok(Program::new(shape, &held)?)
}

/// The system that takes a schedule in memories, and the number of terminals if one is given.
fn size(design: &DesignArgs, args: &LoadedArgs) -> Result<(&'static Row, Option<u64>)> {
    let (row, asked) = asked_size(design)?;
    if row.key == user::KEY {
        return Ok((row, asked));
    }
    let option = args.option();
    if row.key != "benes" {
        bail!(
            "{option} does not apply to {}: only benes and user take a schedule in memories; give benes or user",
            row.key
        );
    }
    if !design.options.given.is_empty() {
        bail!("options of benes do not apply with {option}, whose schedule is loaded; leave them out");
    }
    Ok((row, asked))
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

/// Refuses the first of these options that is given (its name, whether it is).
pub fn refuse(args: &LoadedArgs, options: &[(&str, bool)]) -> Result<()> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} does not apply with {}; leave it out", args.option()),
        None => Ok(()),
    }
}

//! The trial of a network whose schedule is loaded, from a demand.

use crate::args::{DesignArgs, LoadedArgs, WidthArgs};
use crate::demand::{demand, need_plan};
use crate::design::asked_size;
use crate::memory;
use anyhow::{Result, bail};
use frit_demand::few::{self, Fabric};
use frit_demand::loaded::Trial;
use frit_demand::peel::{Held, permutations};
use frit_demand::program::{Shape, needed};
use frit_demand::read::Reading;
use frit_demand::{Demand, program};
use std::path::Path;

/// Bytes for each word of a trial: as an event, and as a line of a file.
const BYTES_PER_WORD: u64 = 300;

/// The words of a demand are sent about so many times.
const TIMES: u64 = 6;

/// Reads a demand, plans it, and says what is done with its hardware.
pub fn trial(design: &DesignArgs, width: &WidthArgs, args: &LoadedArgs, path: &Path) -> Result<Trial> {
    let asked = size(design, "--demand")?;
    let width = crate::design::width(width.width.as_deref(), 32)?;
    let demand = demand(path, Reading { terminals: asked, ..Reading::default() })?;
    let terminals = demand.terminals().into();
    // The size is refused before anything is planned for it.
    Shape::new(terminals, args.entries.unwrap_or(2))?;
    need_plan(&demand)?;
    let what = format!("the trial of {} words", demand.total());
    memory::need(&what, TIMES * BYTES_PER_WORD * demand.total(), "give a demand of fewer words")?;
    let held = planned(&demand, args.entries)?;
    let shape = match args.entries {
        Some(entries) => Shape::new(terminals, entries)?,
        None => Shape::holding(terminals, needed(&held))?,
    };
    Ok(Trial::new(shape, width, &demand, &held)?)
}

/// The number of terminals, if one is given, of a network that takes a schedule in memories; `option` asks for such a schedule.
pub fn size(design: &DesignArgs, option: &str) -> Result<Option<u64>> {
    let (row, asked) = asked_size(design)?;
    if row.key != "benes" {
        bail!("{option} does not apply to {}: only benes takes a schedule in memories; give benes", row.key);
    }
    if !design.options.given.is_empty() {
        bail!("options of benes do not apply with {option}, whose schedule is loaded; leave them out");
    }
    Ok(asked)
}

/// The plan in h rounds, or one with few configurations if there are too few entries for it.
fn planned(demand: &Demand, entries: Option<u64>) -> Result<Vec<Held>> {
    let exact = permutations(demand);
    let Some(entries) = entries.filter(|&entries| entries < needed(&exact)) else { return Ok(exact) };
    let fabric = Fabric { delta: 0, planes: 1, matchings: Some(entries as u32) };
    let plan = few::plan(demand, fabric)?.all();
    // A configuration that is held for very long takes several entries.
    match program::needed(&plan) <= entries {
        true => Ok(plan),
        false => Ok(exact),
    }
}

/// Refuses the first of these options that is given (its name, whether it is).
pub fn refuse(options: &[(&str, bool)]) -> Result<()> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} does not apply with --demand; leave it out"),
        None => Ok(()),
    }
}

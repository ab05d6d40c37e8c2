//! The trial of a network whose schedule is loaded, from a demand.

use crate::args::{DesignArgs, LoadedArgs, WidthArgs};
use crate::demand::{demand, need_plan};
use crate::design::asked_size;
use crate::memory;
use anyhow::{Result, bail};
use frit_demand::Demand;
use frit_demand::few::{self, Fabric};
use frit_demand::loaded::Trial;
use frit_demand::peel::{Held, permutations};
use frit_demand::program::{Program, Shape, needed};
use frit_demand::read::Reading;
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
    let what = format!("the trial of {} words", demand.total());
    memory::need(&what, TIMES * BYTES_PER_WORD * demand.total(), "give a demand of fewer words")?;
    let (shape, held) = planned(&demand, args.entries)?;
    Ok(Trial::new(shape, width, &demand, &held)?)
}

/// The program of a demand for banks of so many entries.
pub fn program(demand: &Demand, entries: Option<u64>) -> Result<Program> {
    let (shape, held) = planned(demand, entries)?;
    Ok(Program::new(shape, &held)?)
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

/// The plan in h rounds, or one with few configurations if there are too few entries for it; and the hardware.
fn planned(demand: &Demand, entries: Option<u64>) -> Result<(Shape, Vec<Held>)> {
    let terminals = demand.terminals().into();
    // The size is refused before anything is planned for it.
    let shape = Shape::new(terminals, entries.unwrap_or(2))?;
    need_plan(demand)?;
    let exact = permutations(demand);
    let Some(entries) = entries else { return Ok((Shape::holding(terminals, needed(&exact))?, exact)) };
    if needed(&exact) <= entries {
        return Ok((shape, exact));
    }
    let fabric = Fabric { delta: 0, planes: 1, matchings: Some(entries as u32) };
    let plan = few::plan(demand, fabric)?.all();
    // A configuration that is held for very long takes several entries.
    Ok((shape, if needed(&plan) <= entries { plan } else { exact }))
}

/// Refuses the first of these options that is given (its name, whether it is).
pub fn refuse(options: &[(&str, bool)]) -> Result<()> {
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} does not apply with --demand; leave it out"),
        None => Ok(()),
    }
}

//! The trial of a crossbar.

use crate::args::{CrossbarArgs, DesignArgs, LoadedArgs, WidthArgs};
use crate::design::asked_size;
use anyhow::{Context, Result, bail};
use frit_cells::design::crossbar::Hardware;
use frit_demand::crossbar::{Shape, sources};
use frit_model::crossbar::Trial;

/// The key of the system that can be a crossbar.
pub const SYSTEM: &str = "benes";

/// The crossbar that a design asks for.
pub fn hardware(design: &DesignArgs, width: &WidthArgs) -> Result<Hardware> {
    let (row, asked) = asked_size(design)?;
    if row.key != SYSTEM {
        bail!("--crossbar does not apply to {}: only {SYSTEM} can be a crossbar; give {SYSTEM}", row.key);
    }
    if !design.options.given.is_empty() {
        bail!("options of {SYSTEM} do not apply with --crossbar, whose settings are written; leave them out");
    }
    let terminals =
        asked.context("-n is missing; a crossbar needs a power of two from 4 on, for example -n 16")?;
    Ok(Hardware::new(Shape::new(terminals)?, crate::design::width(width.width.as_deref(), 32)?))
}

/// The crossbar that `frit verify --formal` proves, with words of one bit: no cell computes with a word.
pub fn proved(design: &DesignArgs, width: &WidthArgs) -> Result<Hardware> {
    Ok(Hardware { width: crate::design::width(width.width.as_deref(), 1)?, ..hardware(design, width)? })
}

/// The trial of a crossbar, with the sources that are given.
pub fn trial(design: &DesignArgs, width: &WidthArgs, args: &CrossbarArgs) -> Result<Trial> {
    let Hardware { shape, width, .. } = hardware(design, width)?;
    let sources = match &args.sources {
        Some(text) => sources(shape, text)?,
        None => (0..shape.terminals()).map(Some).collect(),
    };
    Ok(Trial::new(shape, width, sources))
}

/// Refuses the first of these options that is given (its name, whether it is), and the options of a loaded schedule.
pub fn refuse(loaded: &LoadedArgs, options: &[(&str, bool)]) -> Result<()> {
    if loaded.asked() {
        bail!("{} does not apply with --crossbar, which has no schedule; leave it out", loaded.option());
    }
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} does not apply with --crossbar; leave it out"),
        None => Ok(()),
    }
}

//! One demand on all that can carry it, as text and as a plot.

use super::listing::Listing;
use crate::args::CompareFormat;
use crate::plot::figure::{Corner, Figure, Ink, Mean, Series};
use anyhow::Result;
use frit_design::compare::column::sort_cells;
use frit_design::compare::demand::{Carried, Compared, DemandRequest, compare as compute};

/// Reconfiguration times of the plot, in words.
const DELTAS: [u32; 6] = [1, 3, 10, 30, 100, 300];

/// The table in a format, and the plot if it is asked for. `step` is called for each plan.
///
/// # Errors
///
/// Too few configurations, no system of this size, and a plan that does not carry the demand.
pub fn compare(
    asked: &DemandRequest,
    format: CompareFormat,
    plot: bool,
    sort: Option<(&str, bool)>,
    step: &dyn Fn(),
) -> Result<(String, Option<Figure>)> {
    let compared = compute(asked, step)?;
    let figure = plot.then(|| figure(asked, &compared.carried)).transpose()?;
    let (mut rows, columns) = (compared.rows(asked), asked.columns());
    if let Some((column, descending)) = sort {
        sort_cells(&mut rows, &columns, column, descending)?;
    }
    let columns = columns.into_iter().map(String::from).collect();
    let Compared { title, notes, members, .. } = compared;
    Ok((Listing { title, columns, rows, notes, members }.print(format)?, figure))
}

/// The ratio to the bound against δ.
fn figure(asked: &DemandRequest, all: &[Carried]) -> Result<Figure> {
    let mut series = Vec::new();
    // The plans of configurations of the first machine that exists: their ratios on the other one are nearly the same.
    let machine = all.iter().find(|carried| carried.is_stored()).map(|carried| carried.system);
    for carried in all.iter().filter(|carried| !carried.is_stored() || Some(carried.system) == machine) {
        let ratio = |delta: u32| Ok(Mean::single(delta.into(), carried.ratio(asked, delta)?));
        let means: Vec<Mean> = DELTAS.into_iter().map(ratio).collect::<Result<_>>()?;
        let name = format!("{} {}", carried.system, carried.planner);
        let ink = if carried.is_stored() {
            Ink::Step
        } else {
            Ink::System(carried.system.split(' ').next().unwrap_or_default())
        };
        series.push(Series::new(name, means, ink));
    }
    let title = format!("{}: cycles by the lower bound, N = {}", asked.name, asked.demand.terminals());
    let empty = Figure::new(title, "time to change a configuration, in words", "cycles / lower bound");
    Ok(Figure { series, legend: Corner::Above, ..empty })
}

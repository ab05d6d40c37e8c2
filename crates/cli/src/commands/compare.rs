//! `frit compare`.

use crate::Verdict;
use crate::args::{CompareArgs, CompareFormat};
use crate::compare::area::{Areas, Mapping};
use crate::compare::column::Order;
use crate::compare::figure::{SIZES, figures};
use crate::compare::format;
use crate::compare::synthesis::Synthesis;
use crate::compare::table::{CompareRow, Subject, bytes, design, rows, subjects};
use crate::compare::{demand, permutation, relation, stream};
use crate::demand::{demand as read_demand, need_compared};
use crate::design::from_files::stuck_named;
use crate::design::{number, width};
use crate::emitted;
use crate::limits::COMPARED_TERMINALS;
use crate::memory;
use crate::plot;
use crate::plot::figure::Figure;
use crate::plot::look::PlotFile;
use crate::progress::Share;
use crate::ui::{Ui, pretty};
use anyhow::{Result, bail};
use frit_cosim::synth::Target;
use frit_demand::few::Fabric;
use frit_demand::read::Reading;
use frit_design::compare::demand::{DemandRequest, STEPS};
use frit_schedule::baseline;
use frit_trace::output::{TemporaryFolder, write_file};
use frit_trace::shown::printable;
use frit_traffic::pace::{self, Pace};
use std::cell::Cell;
use std::path::Path;
use std::time::Instant;

/// Bits of a word that is synthesised: all designs side by side with more would take long.
const DEFAULT_WIDTH: u32 = 8;
/// Pixels of a panel of the plot.
const PANEL: (u32, u32) = (330, 340);
/// Panels in a row.
const COLUMNS: usize = 4;

pub fn run(ui: &Ui, args: &CompareArgs) -> Result<Verdict> {
    let pace = args.pace.pace()?;
    if let Some(path) = &args.demand {
        return demands(ui, args, path, pace);
    }
    if pace.is_some() && (args.permutation || args.stream.is_some() || args.relation.is_some()) {
        bail!("--link and --clock apply to a comparison of exchanges or of --demand; leave them out");
    }
    let terminals = size("-n", args.terminals.as_deref().unwrap_or_default())?;
    if args.permutation {
        return permutations(ui, args, terminals);
    }
    if let Some(stream) = &args.stream {
        return streams(ui, args, terminals, stream);
    }
    if let Some(h) = args.relation {
        return relation(ui, args, terminals, h);
    }
    let mut subjects = subjects(&args.systems)?;
    if let Some(text) = &args.stuck {
        let stuck = stuck_named(text)?;
        subjects = subjects.into_iter().filter_map(|subject| subject.around(&stuck)).collect();
        if subjects.is_empty() {
            bail!("none of the systems goes round stuck switches; leave --stuck or --systems out");
        }
    }
    let order = args
        .sort
        .as_deref()
        .map(|text| Order::parse(text, args.reverse, args.synth.is_some()))
        .transpose()?;
    let beside = subjects.iter().find(|subject| baseline(subject.system.row.key).is_some());
    if let (Some(beside), Some(_)) = (beside, &args.plot) {
        bail!(
            "--plot draws the systems of the table, and {} is not one of them; leave it out of --systems",
            beside.name()
        );
    }
    let plot = args.plot.as_deref().map(|path| Plot::new(path, &args.sizes)).transpose()?;
    let temporary = TemporaryFolder::new("frit-compare-")?;
    let synthesis = synthesis(args, temporary.path())?;
    let mut table = compute(ui, &subjects, &[terminals])?;
    if let Some(pace) = pace {
        add_pace(&mut table, pace);
    }
    if let Some(synthesis) = &synthesis
        && let Err(error) = synthesise(ui, &mut table, synthesis)
    {
        temporary.keep_if_named(&format!("{error:#}"));
        return Err(error);
    }
    if let Some(order) = order {
        order.sort(&mut table);
    }
    let mut fine = table.iter().all(|row| row.fault().is_none());
    if let Some(plot) = &plot {
        fine &= plot.write(ui, &subjects)?;
    }
    let synthesis = synthesis.as_ref();
    let text = match args.format {
        CompareFormat::Text => format::text(&table, terminals, synthesis),
        CompareFormat::Csv => format::csv(&table, synthesis),
        CompareFormat::Md => format::markdown(&table, synthesis),
        CompareFormat::Json => {
            let mut members = format::json(&table, terminals, synthesis);
            members.insert("plot".into(), args.plot.as_ref().map(|path| path.display().to_string()).into());
            pretty(&members)?
        }
    };
    ui.print(&text)?;
    if let (Some(path), CompareFormat::Text) = (&args.plot, args.format) {
        ui.say(&format!("{}\n", path.display()))?;
    }
    Ok(Verdict::of(fine))
}

/// Adds seconds and bytes to the rows whose exchange was run.
fn add_pace(table: &mut [CompareRow], pace: Pace) {
    for entry in table.iter_mut().filter_map(|row| row.entry.as_mut()) {
        match [&entry.facts["terminals"], &entry.facts["cycles_total"]].map(|fact| fact.as_u64()) {
            [Some(terminals), Some(cycles)] => {
                pace.add(&mut entry.facts, terminals * terminals, cycles as f64)
            }
            _ => entry.facts.extend(pace::FACTS.map(|fact| (fact.into(), None::<f64>.into()))),
        }
    }
}

/// A number of terminals that there are networks for.
fn size(option: &str, text: &str) -> Result<u64> {
    let terminals = number(option, text)?;
    if terminals > COMPARED_TERMINALS {
        bail!("{option} {terminals} is too large; give at most {COMPARED_TERMINALS} terminals");
    }
    Ok(terminals)
}

fn permutations(ui: &Ui, args: &CompareArgs, terminals: u64) -> Result<Verdict> {
    with_areas(ui, args, "permutations", |mapping| {
        let areas = mapping.map_or(Areas::Floor, Areas::Mapped);
        permutation::compare(terminals, args.format, &areas)
    })
}

fn relation(ui: &Ui, args: &CompareArgs, terminals: u64, h: u32) -> Result<Verdict> {
    with_areas(ui, args, "relation", |mapping| relation::compare(terminals, h, args.format, mapping.as_ref()))
}

fn streams(ui: &Ui, args: &CompareArgs, lanes: u64, stream: &[String]) -> Result<Verdict> {
    let width = width(args.width.as_deref(), DEFAULT_WIDTH)?;
    with_areas(ui, args, "forms", |mapping| {
        stream::compare(stream, lanes, args.format, mapping.as_ref().map(|mapping| (mapping, width)))
    })
}

fn demands(ui: &Ui, args: &CompareArgs, path: &Path, pace: Option<Pace>) -> Result<Verdict> {
    let terminals = args.terminals.as_deref().map(|text| size("-n", text)).transpose()?;
    let given = read_demand(path, Reading { terminals, ..Reading::default() })?;
    need_compared(&given)?;
    let plot = args.plot.as_deref().map(|path| Plot::new(path, &[])).transpose()?;
    let fabric = Fabric { delta: args.delta, planes: args.planes, matchings: args.matchings };
    let name = path.display().to_string();
    let begun = Instant::now();
    let (room, clock) = (memory::left(), || begun.elapsed());
    let asked = DemandRequest { demand: &given, name: &printable(&name), fabric, pace, room, clock: &clock };
    let (share, done) = (Share::new(ui, "planning"), Cell::new(0));
    let step = || {
        done.set(done.get() + 1);
        share.at(done.get(), STEPS);
    };
    let compared = demand::compare(
        &asked,
        args.format,
        plot.is_some(),
        args.sort.as_deref().map(|sort| (sort, args.reverse)),
        &step,
    );
    drop(share);
    let (text, figure) = compared?;
    if let (Some(plot), Some(figure)) = (&plot, figure) {
        plot.draw(&[&[figure]], &PlotFile::default())?;
    }
    ui.print(&text)?;
    Ok(Verdict::Fine)
}

/// Prints a comparison for which Yosys maps designs if that was asked for.
fn with_areas(
    ui: &Ui,
    args: &CompareArgs,
    what: &str,
    compare: impl FnOnce(Option<Mapping>) -> Result<String>,
) -> Result<Verdict> {
    let temporary = TemporaryFolder::new("frit-compare-")?;
    let bar = ui.progress(what, None);
    let text = compare(args.synth.map(|target| Mapping { target: target.into(), folder: temporary.path() }));
    bar.finish_and_clear();
    match text {
        Ok(text) => ui.print(&text)?,
        Err(error) => {
            temporary.keep_if_named(&format!("{error:#}"));
            return Err(error);
        }
    }
    Ok(Verdict::Fine)
}

fn compute(ui: &Ui, subjects: &[Subject], sizes: &[u64]) -> Result<Vec<CompareRow>> {
    let largest = sizes.iter().max().copied().unwrap_or(0);
    let what = format!("a comparison of {} systems with up to {largest} terminals", subjects.len());
    memory::need(&what, bytes(subjects, sizes), "use a smaller -n, or fewer --systems")?;
    // The model takes a time like N² log N; what is not run counts like the rest, for it must be built.
    let work = |size: u64| size.min(1 << 20).pow(2);
    let total = subjects.len() as u64 * sizes.iter().map(|&size| work(size)).sum::<u64>();
    let bar = ui.progress_share("exchanges", total);
    let rows = rows(subjects, sizes, |row| bar.inc(work(row.asked)));
    bar.finish_and_clear();
    Ok(rows)
}

fn synthesis(args: &CompareArgs, folder: &Path) -> Result<Option<Synthesis>> {
    let Some(target) = args.synth else { return Ok(None) };
    let (target, width) = (Target::from(target), width(args.width.as_deref(), DEFAULT_WIDTH)?);
    let seeds = match (target.device(), args.seeds) {
        (Some(_), seeds) => seeds.unwrap_or(1),
        (None, None | Some(0)) => 0,
        (None, Some(_)) => {
            bail!(
                "--seeds does not apply to --synth {}, for which there are areas only; leave --seeds out",
                target.name()
            )
        }
    };
    Ok(Some(Synthesis { target, width, seeds, folder: folder.into() }))
}

fn synthesise(ui: &Ui, table: &mut [CompareRow], synthesis: &Synthesis) -> Result<()> {
    for plan in table.iter().filter_map(design) {
        emitted::check_size(&plan)?;
    }
    let bar = ui.progress("synthesis", Some(table.len() as u64));
    let added = synthesis.add(table, || bar.inc(1));
    bar.finish_and_clear();
    added
}

/// A plot that was asked for.
struct Plot<'a> {
    path: &'a Path,
    sizes: Vec<u64>,
    png: bool,
}

impl<'a> Plot<'a> {
    fn new(path: &'a Path, sizes: &[String]) -> Result<Self> {
        let png = match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => false,
            Some("png") => true,
            _ => {
                bail!("--plot {} has no known format; give a name that ends in .svg or .png", path.display())
            }
        };
        let mut sizes: Vec<u64> = match sizes {
            [] => SIZES.to_vec(),
            given => given.iter().map(|given| size("--sizes", given)).collect::<Result<_>>()?,
        };
        sizes.sort_unstable();
        sizes.dedup();
        Ok(Plot { path, sizes, png })
    }

    /// Runs all sizes and draws them; false if an exchange was not complete.
    fn write(&self, ui: &Ui, subjects: &[Subject]) -> Result<bool> {
        let rows = compute(ui, subjects, &self.sizes)?;
        if rows.iter().all(|row| row.refusal.is_some()) {
            bail!(
                "nothing to plot, because none of the systems exists at any of the --sizes; give other --sizes"
            );
        }
        let figures = figures(subjects, &rows);
        let panels: Vec<&[Figure]> = figures.iter().flat_map(|figures| figures.chunks(COLUMNS)).collect();
        let columns = figures[0].len().min(COLUMNS) as u32;
        let (width, height) = (PANEL.0 * columns, PANEL.1 * panels.len() as u32);
        let look = PlotFile { width, height, ..PlotFile::default() };
        self.draw(&panels, &look)?;
        Ok(rows.iter().all(|row| row.fault().is_none()))
    }

    fn draw(&self, panels: &[&[Figure]], look: &PlotFile) -> Result<()> {
        match self.png {
            true => write_file(self.path, plot::png(panels, look)?)?,
            false => write_file(self.path, plot::svg(panels, look)?)?,
        }
        Ok(())
    }
}

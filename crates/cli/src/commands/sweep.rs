//! `frit sweep`.

use crate::Verdict;
use crate::args::{Format, SweepArgs};
use crate::distinct::distinct;
use crate::plot;
use crate::sweep::file::read;
use crate::sweep::kind::{Outputs, Sweep};
use crate::sweep::store::Store;
use crate::ui::{HEAD, Ui};
use anyhow::{Context, Result, bail};
use frit_cosim::output::{make_folder, write_file};
use rayon::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::Mutex;
use std::time::Instant;

pub fn run(ui: &Ui, args: &SweepArgs) -> Result<Verdict> {
    let sweep = read(&args.file)?;
    if args.jobs == Some(0) {
        bail!("-j 0: at least one point runs at a time");
    }
    let folder = args.output.clone().unwrap_or_default();
    let place = |name: &Path| folder.join(name);
    let Outputs { csv, svg, png } = &sweep.outputs;
    let named = [("csv", Some(csv)), ("svg", svg.as_ref()), ("png", png.as_ref())];
    let named = named.map(|(what, name)| (what, name.map(|name| place(name))));
    let files: Vec<&PathBuf> = named.iter().filter_map(|(_, file)| file.as_ref()).collect();
    for parent in files.iter().filter_map(|file| file.parent()).filter(|p| !p.as_os_str().is_empty()) {
        make_folder(parent)?;
    }
    distinct(named.iter().map(|(what, file)| (*what, file.as_deref())))?;
    let mut store = Store::open(files[0], &*sweep.kind, args.again)?;
    store.write()?; // a file that cannot be written is known before anything runs
    let begin = Instant::now();
    let (total, ran) = points(ui, args, &sweep, &mut store)?;
    let seconds = begin.elapsed().as_secs_f64();

    let mut figure = sweep.kind.figure(store.rows());
    if let Some(title) = &sweep.plot.title {
        figure.title = title.0.clone();
    }
    if let Some(svg) = &sweep.outputs.svg {
        write_file(&place(svg), plot::svg(from_ref(&figure), &sweep.plot)?)?;
    }
    if let Some(png) = &sweep.outputs.png {
        write_file(&place(png), plot::png(from_ref(&figure), &sweep.plot)?)?;
    }
    match args.format {
        Format::Json => {
            let value = json!({"points": total, "ran": ran, "known": total - ran, "files": files});
            ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
        }
        Format::Text => {
            let mut text = format!(
                "{HEAD}{}{HEAD:#}: {total} points, {ran} run in {seconds:.1} s, {} known\n",
                args.file.display(),
                total - ran
            );
            files.iter().for_each(|file| text += &format!("  {}\n", file.display()));
            ui.say(&text)?;
        }
    }
    Ok(Verdict::Fine)
}

/// Runs the points that the store does not have. Gives how many there are and how many of them ran.
fn points(ui: &Ui, args: &SweepArgs, sweep: &Sweep, store: &mut Store) -> Result<(usize, usize)> {
    let points = sweep.kind.points();
    let mut open: Vec<usize> = (0..points.len()).filter(|&at| !store.rows().has(&points[at].key)).collect();
    // The longest first, so that no core waits for the last one.
    open.sort_by_key(|&at| std::cmp::Reverse(points[at].work));
    let work = open.iter().map(|&at| points[at].work).sum();
    let bar = ui.progress_share(&format!("{} points", open.len()), work);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build();
    let store = Mutex::new(store);
    let lock = || store.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let result = pool.context("no threads")?.install(|| {
        // A queue: halves of the list would give the longest to one thread.
        open.iter().par_bridge().try_for_each(|&at| {
            let cells = sweep.kind.run(at)?;
            lock().add(&points[at], cells)?;
            bar.inc(points[at].work);
            anyhow::Ok(())
        })
    });
    bar.finish_and_clear();
    lock().write()?; // those that ran are kept, whatever has gone wrong
    result?;
    Ok((points.len(), open.len()))
}

//! `frit sweep`.
//!
//! Modules in reading order: [`mod@files`] (where they are), [`progress`] (how far it is), [`running`] (the points that are
//! open), [`mod@list`] and [`mod@merge`] (what is known of shards), [`slurm`] and [`cluster`] (shards as a job array).

mod cluster;
mod files;
mod list;
mod merge;
mod progress;
mod running;
mod slurm;

use crate::Verdict;
use crate::args::{Format, Shard, ShardArg, SweepArgs, SweepCommand, SweepEngine};
use crate::sweep::gather::gather;
use crate::sweep::grid::Conclusion;
use crate::sweep::kind::Sweep;
use crate::sweep::kinds::read;
use crate::sweep::results::Form;
use crate::sweep::shard;
use crate::sweep::store::{Before, Store};
use crate::ui::{HEAD, Ui, pretty};
use anyhow::{Context, Result, bail};
use cluster::Cluster;
use files::Files;
use frit_trace::shown;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

pub fn run(ui: &Ui, args: &SweepArgs) -> Result<Verdict> {
    if let Some(SweepCommand::Merge(merge)) = &args.other {
        return merge::merge(ui, merge);
    }
    let path = args.file.as_deref().context("the file of a sweep is missing (docs/sweep.md)")?;
    let sweep = read(path)?;
    if args.jobs == Some(0) {
        bail!("-j 0: at least one point runs at a time");
    }
    let part = match args.shard {
        None => None,
        Some(ShardArg::Part(part)) => Some(part),
        Some(ShardArg::Slurm) => Some(shard::of_slurm(|name| std::env::var(name).ok())?),
    };
    let files = Files::of(&sweep.outputs, args.output.as_deref());
    if args.list {
        list::list(ui, &sweep, &files, part, args.format)?;
        return Ok(Verdict::Fine);
    }
    let slurm = args.tasks.is_some() || args.sbatch.is_some() || args.detach || args.status || args.cancel;
    if slurm && args.engine == SweepEngine::Local {
        bail!("--tasks, --sbatch, --detach, --status and --cancel belong to --engine slurm");
    }
    files.prepare()?;
    if args.engine == SweepEngine::Slurm {
        return Cluster::new(ui, args, path, &sweep, &files).run();
    }
    let begin = Instant::now();
    let ran = match part {
        None => whole(ui, args, &sweep, &files)?,
        Some(part) => piece(ui, args, &sweep, &files, part)?,
    };
    report(ui, args, path, part, &ran, begin)?;
    Ok(verdict(ran.conclusion.as_ref()))
}

/// Of a sweep that was run to its end.
fn verdict(conclusion: Option<&Conclusion>) -> Verdict {
    Verdict::of(conclusion.is_none_or(|conclusion| conclusion.fine))
}

/// What is said of a sweep as a whole.
fn concluded(conclusion: Option<&Conclusion>) -> String {
    conclusion.map_or(String::new(), |conclusion| {
        conclusion.lines.iter().map(|line| format!("  {line}\n")).collect()
    })
}

fn concluded_json(conclusion: Option<&Conclusion>) -> Value {
    conclusion.map_or(Value::Null, |conclusion| json!({"fine": conclusion.fine, "lines": conclusion.lines}))
}

/// What was done.
struct SweepOutcome<'a> {
    points: usize,
    ran: usize,
    files: Vec<std::borrow::Cow<'a, Path>>,
    conclusion: Option<Conclusion>,
}

/// Runs the points that the CSV file does not have, and draws all.
fn whole<'a>(ui: &Ui, args: &SweepArgs, sweep: &Sweep, files: &'a Files) -> Result<SweepOutcome<'a>> {
    let all: Vec<usize> = (0..sweep.grid.points().len()).collect();
    let mut store = open(ui, args, sweep, &files.csv, &all)?;
    let missing: Vec<usize> =
        all.iter().copied().filter(|&at| !store.rows().has(&sweep.grid.points()[at].key)).collect();
    let ran = missing.len();
    running::run(ui, &name(args, None), args.jobs, sweep, missing, &mut store)?;
    files.draw(sweep, store.rows())?;
    let conclusion = (sweep.grid.conclude)(&sweep.grid, store.rows());
    Ok(SweepOutcome {
        points: all.len(),
        ran,
        files: files.all().into_iter().map(Into::into).collect(),
        conclusion,
    })
}

/// Runs the points of a shard that no file of results has.
fn piece<'a>(
    ui: &Ui,
    args: &SweepArgs,
    sweep: &Sweep,
    files: &'a Files,
    part: Shard,
) -> Result<SweepOutcome<'a>> {
    let points = sweep.grid.points();
    let shards = shard::split(points, part.count);
    let own: Vec<usize> = (0..points.len()).filter(|&at| shards[at] == part.index).collect();
    let path = shard::file(&files.csv, part);
    let mut store = open(ui, args, sweep, &path, &own)?;
    let known = if args.again { Default::default() } else { gather(&Form::of(&sweep.grid), &files.csv)? };
    let open = |&at: &usize| !known.cells.contains_key(&points[at].key);
    let missing: Vec<usize> = own.iter().copied().filter(open).collect();
    let ran = missing.len();
    running::run(ui, &name(args, Some(part)), args.jobs, sweep, missing, &mut store)?;
    Ok(SweepOutcome { points: own.len(), ran, files: vec![path.into()], conclusion: None })
}

/// What a line of progress begins with.
fn name(args: &SweepArgs, part: Option<Shard>) -> String {
    let file = shown::path(args.file.as_deref().unwrap_or(Path::new("")));
    part.map_or_else(|| file.clone(), |part| format!("{file} {part}"))
}

/// The file of results for these points, written once: one that cannot be written is known before anything runs.
fn open(ui: &Ui, args: &SweepArgs, sweep: &Sweep, path: &Path, points: &[usize]) -> Result<Store> {
    let before = Before { again: args.again, drop: args.drop };
    let mut store = Store::open(path, &sweep.grid, points, before)?;
    if store.torn() {
        ui.warn(&format!(
            "{}: the last line has no end, as of a write that was interrupted; its point is run again",
            path.display()
        ));
    }
    store.write()?;
    Ok(store)
}

fn report(
    ui: &Ui,
    args: &SweepArgs,
    path: &Path,
    part: Option<Shard>,
    ran: &SweepOutcome,
    begin: Instant,
) -> Result<()> {
    let known = ran.points - ran.ran;
    match args.format {
        Format::Json => {
            let shard = part.map(|part| part.to_string());
            let files: Vec<_> = ran.files.iter().map(|file| file.to_string_lossy()).collect();
            let value = json!({"shard": shard, "points": ran.points, "ran": ran.ran, "known": known, "files": files, "conclusion": concluded_json(ran.conclusion.as_ref())});
            ui.print(&pretty(&value)?)
        }
        Format::Text => {
            let shard = part.map_or(String::new(), |part| format!(", shard {part}"));
            let mut text = format!(
                "{HEAD}{}{HEAD:#}{shard}: {} points, {} run in {:.1} s, {known} known\n",
                shown::path(path),
                ran.points,
                ran.ran,
                begin.elapsed().as_secs_f64()
            );
            ran.files.iter().for_each(|file| text += &format!("  {}\n", shown::path(file)));
            text += &concluded(ran.conclusion.as_ref());
            ui.say(&text)
        }
    }
}

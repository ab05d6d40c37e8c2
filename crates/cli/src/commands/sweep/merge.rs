//! `frit sweep merge`: one file of results from those that there are.

use super::files::Files;
use super::{concluded, concluded_json, verdict};
use crate::Verdict;
use crate::args::{Format, MergeArgs, Shard};
use crate::sweep::gather::{Gathered, gather};
use crate::sweep::grid::Point;
use crate::sweep::kinds::read;
use crate::sweep::results::Form;
use crate::sweep::shard::split;
use crate::sweep::store::{Before, Store};
use crate::ui::{HEAD, Ui, pretty};
use anyhow::{Result, bail};
use frit_trace::shown;
use serde_json::json;

pub fn merge(ui: &Ui, args: &MergeArgs) -> Result<Verdict> {
    let sweep = read(&args.file)?;
    let files = Files::of(&sweep.outputs, args.output.as_deref());
    let points = sweep.grid.points();
    let known = gather(&Form::of(&sweep.grid), &files.csv)?;
    if known.files.is_empty() {
        bail!(
            "found neither {} nor its shard files; run `frit sweep FILE`, or `frit sweep FILE --shard I/K` for each shard, first",
            files.csv.display()
        );
    }
    known.notes.iter().for_each(|note| ui.warn(note));
    files.prepare()?;
    let all: Vec<usize> = (0..points.len()).collect();
    let mut store = Store::open(&files.csv, &sweep.grid, &all, Before { again: false, drop: args.drop })?;
    for point in points {
        if let Some((cells, _)) = known.cells.get(&point.key) {
            store.hold(point, cells.clone());
        }
    }
    store.write()?;
    let missing: Vec<usize> = all.into_iter().filter(|&at| !store.rows().has(&points[at].key)).collect();
    let mut written = vec![&*files.csv];
    let mut conclusion = None;
    if missing.is_empty() {
        files.draw(&sweep, store.rows())?;
        written = files.all();
        conclusion = (sweep.grid.conclude)(&sweep.grid, store.rows());
    }
    let parts = parts(&known, points, &missing);
    match args.format {
        Format::Json => {
            let parts: Vec<String> = parts.iter().map(|(shard, _)| shard.to_string()).collect();
            let joined: Vec<_> = known.files.iter().map(|file| file.to_string_lossy()).collect();
            let written: Vec<_> = written.iter().map(|file| file.to_string_lossy()).collect();
            let value = json!({
                "points": points.len(), "known": points.len() - missing.len(), "missing": missing.len(),
                "missing_shards": parts, "joined": joined, "files": written, "conclusion": concluded_json(conclusion.as_ref()),
            });
            ui.print(&pretty(&value)?)?;
        }
        Format::Text => {
            let mut text = format!(
                "{HEAD}{}{HEAD:#}: {} points, {} missing, of {} files\n",
                shown::path(&args.file),
                points.len(),
                missing.len(),
                known.files.len()
            );
            if let Some(&first) = missing.first() {
                text += &format!("  the first that is missing: {}\n", points[first].key.join(","));
            }
            parts
                .iter()
                .for_each(|(shard, points)| text += &format!("  --shard {shard} runs {points} of them\n"));
            written.iter().for_each(|file| text += &format!("  {}\n", shown::path(file)));
            text += &concluded(conclusion.as_ref());
            ui.say(&text)?;
        }
    }
    match missing.is_empty() {
        true => Ok(verdict(conclusion.as_ref())),
        false => Ok(Verdict::Failed),
    }
}

/// The shards whose points are missing, and how many of each: those of the count that the files have, if they have one.
fn parts(known: &Gathered, points: &[Point], missing: &[usize]) -> Vec<(Shard, usize)> {
    let Some(count) = known.shards.first().map(|shard| shard.count) else { return vec![] };
    if known.shards.iter().any(|shard| shard.count != count) {
        return vec![];
    }
    let shards = split(points, count);
    let mut open = std::collections::BTreeMap::<u32, usize>::new();
    missing.iter().for_each(|&at| *open.entry(shards[at]).or_default() += 1);
    open.into_iter().map(|(index, points)| (Shard { index, count }, points)).collect()
}

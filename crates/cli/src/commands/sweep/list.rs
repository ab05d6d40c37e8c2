//! `frit sweep FILE --list`: the points, and what is known of them.

use super::files::Files;
use crate::args::{Format, Shard};
use crate::sweep::gather::gather;
use crate::sweep::kind::Sweep;
use crate::sweep::results::Form;
use crate::sweep::shard::split;
use crate::table;
use crate::ui::{Ui, pretty};
use anyhow::Result;
use frit_trace::shown::printable;
use serde_json::{Value, json};

/// Prints the points of the sweep, or of a shard of it.
pub fn list(ui: &Ui, sweep: &Sweep, files: &Files, shard: Option<Shard>, format: Format) -> Result<()> {
    let form = Form::of(&sweep.grid);
    let known = gather(&form, &files.csv)?;
    known.notes.iter().for_each(|note| ui.warn(note));
    let points = sweep.grid.points();
    let shards = shard.map(|shard| (shard.index, split(points, shard.count)));
    let asked = |at: &usize| shards.as_ref().is_none_or(|(own, shards)| shards[*at] == *own);
    let rows: Vec<(usize, Option<String>)> = (0..points.len())
        .filter(asked)
        .map(|at| {
            let from = known.cells.get(&points[at].key).map(|(_, from)| &known.files[*from]);
            (at, from.map(|path| path.to_string_lossy().into_owned()))
        })
        .collect();
    let missing = rows.iter().filter(|(_, file)| file.is_none()).count();
    let columns = &form.columns()[..form.keys()];
    match format {
        Format::Json => {
            let point = |(at, file): &(usize, Option<String>)| {
                let key =
                    columns.iter().zip(&points[*at].key).map(|(name, cell)| (name.to_string(), json!(cell)));
                json!({
                    "key": key.collect::<serde_json::Map<String, Value>>(), "work": points[*at].work,
                    "known": file.is_some(), "file": file,
                })
            };
            let listed: Vec<Value> = rows.iter().map(point).collect();
            let value = json!({"points": rows.len(), "missing": missing, "listed": listed});
            ui.print(&pretty(&value)?)
        }
        Format::Text => {
            let header = [columns, &["work", "state"]].concat();
            let row = |(at, file): &(usize, Option<String>)| {
                let state =
                    file.as_ref().map_or("missing".into(), |file| format!("known ({})", printable(file)));
                [points[*at].key.clone(), vec![points[*at].work.to_string(), state]].concat()
            };
            let table = table::render(&header, &rows.iter().map(row).collect::<Vec<_>>());
            ui.print(&format!("{table}{} points, {missing} missing\n", rows.len()))
        }
    }
}

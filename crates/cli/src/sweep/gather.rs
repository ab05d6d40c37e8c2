//! What the CSV file of a sweep and the files of its shards know together.

use super::results::Form;
use super::shard;
use crate::args::Shard;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All that is known.
#[derive(Default)]
pub struct Gathered {
    /// By key: the cells behind it, and the file (its place in `files`) that has them; the CSV file before shards.
    pub cells: BTreeMap<Vec<String>, (Vec<String>, usize)>,
    pub files: Vec<PathBuf>,
    /// The shards among them.
    pub shards: Vec<Shard>,
    /// What was left out.
    pub notes: Vec<String>,
}

/// Reads the files that are there.
///
/// # Errors
///
/// If one was not written by a sweep of this kind, or two have different figures for one point.
pub fn gather(form: &Form, csv: &Path) -> Result<Gathered> {
    let mut all = Gathered::default();
    let shards = shard::files(csv)?;
    all.shards = shards.iter().map(|(shard, _)| *shard).collect();
    let own = csv.is_file().then(|| csv.to_path_buf());
    for path in own.into_iter().chain(shards.into_iter().map(|(_, path)| path)) {
        let held = form.read(&path)?;
        let name = path.display();
        if held.torn {
            all.notes.push(format!("{name}: the last line has no end, so its point is not known"));
        }
        let left = held.others.len() + held.older.len();
        if left > 0 {
            all.notes.push(format!(
                "{name}: {left} rows are for points that this sweep does not ask for, or of another version or configuration"
            ));
        }
        let at = all.files.len();
        for (key, cells) in held.cells {
            match all.cells.get(&key) {
                Some((other, from)) if *other != cells => bail!(
                    "{name} and {} have different figures for {}: remove the wrong file",
                    all.files[*from].display(),
                    key.join(",")
                ),
                Some(_) => {}
                None => _ = all.cells.insert(key, (cells, at)),
            }
        }
        all.files.push(path);
    }
    Ok(all)
}

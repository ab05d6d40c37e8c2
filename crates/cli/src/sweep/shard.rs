//! Parts of a sweep that run apart, each with a file of results beside the CSV file.

use super::grid::Point;
use crate::args::Shard;
use anyhow::{Context, Result, bail};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

/// The part of every point, from 1: the longest first, each to the part that has the least work so far (Graham's rule, at
/// most 4/3 of the shortest time). It depends on the points alone, not on what is known of them.
pub fn split(points: &[Point], count: u32) -> Vec<u32> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&at| Reverse(points[at].work)); // stable: equal ones in their order
    let mut loads: BinaryHeap<Reverse<(u128, u32)>> = (1..=count).map(|shard| Reverse((0, shard))).collect();
    let mut shards = vec![0; points.len()];
    for at in order {
        let Some(Reverse((load, shard))) = loads.pop() else { break };
        shards[at] = shard;
        // Even a point without work takes a while.
        loads.push(Reverse((load + u128::from(points[at].work.max(1)), shard)));
    }
    shards
}

/// The file of results of a part: `s.csv` gives `s.shard-2-of-8.csv`.
pub fn file(csv: &Path, shard: Shard) -> PathBuf {
    csv.with_file_name(format!("{}.shard-{}-of-{}.csv", stem(csv), shard.index, shard.count))
}

/// The files of parts that are there, in order.
pub fn files(csv: &Path) -> Result<Vec<(Shard, PathBuf)>> {
    let folder = csv.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = folder.read_dir() else { return Ok(vec![]) };
    let prefix = format!("{}.shard-", stem(csv));
    let mut found = vec![];
    for entry in entries {
        let name = entry.with_context(|| folder.display().to_string())?.file_name();
        let middle = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(".csv"));
        let shard = middle.and_then(|text| text.replace("-of-", "/").parse::<Shard>().ok());
        // Written as frit writes it: no 02-of-08 beside 2-of-8.
        found.extend(
            shard.map(|shard| (shard, file(csv, shard))).filter(|(_, path)| path.file_name() == Some(&*name)),
        );
    }
    found.sort_by_key(|(shard, _)| (shard.count, shard.index));
    Ok(found)
}

fn stem(csv: &Path) -> String {
    let name = csv.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".csv").unwrap_or(&name).into()
}

/// The part of a task of a job array of Slurm, whose variables are given.
pub fn of_slurm(variable: impl Fn(&str) -> Option<String>) -> Result<Shard> {
    let number = |name: &str| -> Result<Option<u32>> {
        let Some(text) = variable(name) else { return Ok(None) };
        Ok(Some(text.trim().parse().with_context(|| format!("--shard slurm: {name}={text:?} is no number"))?))
    };
    let needed = |name: &str| {
        number(name)?.with_context(|| {
            format!("--shard slurm: {name} is not set; it is in a job array (sbatch --array=1-8), elsewhere give --shard I/K")
        })
    };
    let (id, count) = (needed("SLURM_ARRAY_TASK_ID")?, needed("SLURM_ARRAY_TASK_COUNT")?);
    let (first, step) =
        (number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(1), number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1));
    let index =
        id.checked_sub(first).filter(|past| past % step.max(1) == 0).map(|past| past / step.max(1) + 1);
    match index.filter(|&index| index <= count && count <= Shard::MOST) {
        Some(index) => Ok(Shard { index, count }),
        None => bail!(
            "--shard slurm: task {id} of an array of {count} from {first}: give an array without gaps of up to {} tasks, like --array=1-{count}, or --shard I/K",
            Shard::MOST
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(work: &[u64]) -> Vec<Point> {
        let point = |(at, &work): (usize, &u64)| Point { key: vec![at.to_string()], work };
        work.iter().enumerate().map(point).collect()
    }

    #[test]
    fn parts_have_about_the_same_work() {
        assert_eq!(split(&points(&[1, 7, 2, 6, 5, 4]), 2), [2, 1, 1, 2, 2, 1]); // 13 and 12
        assert_eq!(split(&points(&[3, 3, 3]), 2), [1, 2, 1]);
        assert_eq!(split(&points(&[0, 0, 0]), 3), [1, 2, 3]);
        assert_eq!(split(&points(&[5]), 4), [1]);
        assert!(split(&[], 4).is_empty());
        let work: Vec<u64> = (0..500).map(|at| at * at % 997).collect();
        let shards = split(&points(&work), 7);
        let load = |shard| (0..500).filter(|&at| shards[at] == shard).map(|at| work[at]).sum::<u64>();
        let loads: Vec<u64> = (1..=7).map(load).collect();
        assert!(loads.iter().max().unwrap() - loads.iter().min().unwrap() < 20, "{loads:?}");
    }

    #[test]
    fn files_of_parts_are_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let csv = folder.path().join("s.csv");
        for name in [
            "s.shard-2-of-10.csv",
            "s.shard-1-of-2.csv",
            "s.shard-3-of-2.csv",
            "s.shard-02-of-2.csv",
            "t.shard-1-of-2.csv",
        ] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let found: Vec<String> = files(&csv).unwrap().iter().map(|(shard, _)| shard.to_string()).collect();
        assert_eq!(found, ["1/2", "2/10"]);
    }

    #[test]
    fn tasks_of_slurm() {
        let shard = |set: &[(&str, &str)]| {
            of_slurm(|name| {
                let name = name.strip_prefix("SLURM_ARRAY_TASK_")?;
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
            })
            .map(|shard| shard.to_string())
            .map_err(|error| error.to_string())
        };
        assert_eq!(shard(&[("ID", "3"), ("COUNT", "8"), ("MIN", "1")]).unwrap(), "3/8");
        assert_eq!(shard(&[("ID", "0"), ("COUNT", "8"), ("MIN", "0")]).unwrap(), "1/8");
        assert_eq!(shard(&[("ID", "9"), ("COUNT", "5"), ("MIN", "1"), ("STEP", "2")]).unwrap(), "5/5");
        assert_eq!(shard(&[("ID", "2"), ("COUNT", "2")]).unwrap(), "2/2");
        let wrong = |set: &[(&str, &str)], expected: &str| {
            let error = shard(set).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        wrong(&[], "SLURM_ARRAY_TASK_ID is not set; it is in a job array");
        wrong(&[("ID", "x")], "SLURM_ARRAY_TASK_ID=\"x\" is no number");
        wrong(&[("ID", "1")], "SLURM_ARRAY_TASK_COUNT is not set");
        wrong(&[("ID", "7"), ("COUNT", "3"), ("MIN", "1")], "task 7 of an array of 3 from 1");
        wrong(&[("ID", "2"), ("COUNT", "3"), ("MIN", "1"), ("STEP", "2")], "an array without gaps");
    }
}

//! `frit sweep --engine slurm`: shards as a job array, waited for and joined.

use super::files::Files;
use super::merge::merge;
use super::progress::Progress;
use super::slurm::{self, State};
use crate::Verdict;
use crate::args::{MergeArgs, SweepArgs};
use crate::sweep::batch::{Batch, array};
use crate::sweep::gather::{Gathered, gather};
use crate::sweep::kind::Sweep;
use crate::sweep::lock::Lock;
use crate::sweep::results::Form;
use crate::sweep::shard::split;
use crate::ui::Ui;
use anyhow::{Context, Result, bail};
use frit_cosim::output::{read_text, remove_files, write_file};
use frit_cosim::tools::Missing;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A sweep on a cluster.
pub struct Cluster<'a> {
    ui: &'a Ui,
    args: &'a SweepArgs,
    /// The file of the sweep.
    path: &'a Path,
    sweep: &'a Sweep,
    files: &'a Files,
}

impl<'a> Cluster<'a> {
    pub fn new(ui: &'a Ui, args: &'a SweepArgs, path: &'a Path, sweep: &'a Sweep, files: &'a Files) -> Self {
        Cluster { ui, args, path, sweep, files }
    }

    /// Does what the arguments ask for.
    pub fn run(&self) -> Result<Verdict> {
        if self.args.shard.is_some() || self.args.again || self.args.drop {
            bail!("--engine slurm submits shards of what is missing: it has no --shard, --again or --drop");
        }
        // Two calls at once would submit the same points.
        let submits = !self.args.status && !self.args.cancel;
        let lock = if submits { Lock::take(&self.beside("slurm-job"))? } else { None };
        let job = self.job()?;
        if self.args.cancel {
            let job = job.context("no job of this sweep is known: nothing to cancel")?;
            slurm::cancel(&job)?;
            self.forget()?;
            self.ui.say(&format!("job {job} is cancelled; what its tasks have written is kept\n"))?;
            return Ok(Verdict::Fine);
        }
        let state = job.as_deref().map(slurm::state).transpose()?;
        let at_work = job.filter(|_| state.as_ref().is_some_and(|state| *state != State::Gone));
        if self.args.status {
            self.status(at_work.as_deref(), state.as_ref())?;
            return Ok(Verdict::Fine);
        }
        let job = match at_work {
            Some(job) => {
                self.ui.warn(&format!("job {job} of this sweep is at work: nothing is submitted"));
                Some(job)
            }
            None => self.submit()?,
        };
        drop(lock);
        if let Some(job) = &job {
            if self.args.detach {
                return Ok(Verdict::Fine);
            }
            self.wait(job)?;
        }
        self.forget()?;
        let (file, output) = (self.path.into(), self.args.output.clone());
        merge(self.ui, &MergeArgs { file, output, drop: false, format: self.args.format })
    }

    /// A file beside the CSV file.
    fn beside(&self, ending: &str) -> PathBuf {
        self.files.csv.with_extension(ending)
    }

    /// The job that was submitted last.
    fn job(&self) -> Result<Option<String>> {
        let path = self.beside("slurm-job");
        if !path.is_file() {
            return Ok(None);
        }
        let job = read_text(&path)?.trim().to_string();
        if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
            bail!("{} does not hold the number of a job: remove it", path.display());
        }
        Ok(Some(job))
    }

    fn forget(&self) -> Result<()> {
        let path = self.beside("slurm-job");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(remove_files(path.parent().unwrap_or(Path::new("")), &[&name])?)
    }

    fn known(&self) -> Result<Gathered> {
        gather(&Form::of(&*self.sweep.kind), &self.files.csv)
    }

    fn missing(&self, known: &Gathered) -> Vec<usize> {
        let points = self.sweep.kind.points();
        (0..points.len()).filter(|&at| !known.cells.contains_key(&points[at].key)).collect()
    }

    fn status(&self, job: Option<&str>, state: Option<&State>) -> Result<()> {
        let missing = self.missing(&self.known()?).len();
        let all = self.sweep.kind.points().len();
        let job = match (job, state) {
            (Some(job), Some(State::Tasks(tasks))) => format!("job {job}: {tasks}"),
            _ => "no job is at work".into(),
        };
        self.ui.print(&format!("{all} points, {} known, {missing} missing; {job}\n", all - missing))
    }

    /// Submits what is missing, if anything is.
    fn submit(&self) -> Result<Option<String>> {
        let count = self
            .args
            .tasks
            .context("--engine slurm: give --tasks K, into how many tasks the sweep is cut")?;
        let missing = self.missing(&self.known()?);
        if missing.is_empty() {
            return Ok(None);
        }
        let shards = split(self.sweep.kind.points(), count);
        let tasks: BTreeSet<u32> = missing.iter().map(|&at| shards[at]).collect();
        let tasks: Vec<u32> = tasks.into_iter().collect();
        let frit = std::env::current_exe().context("where frit is")?;
        let script = Batch {
            name: &self.path.file_stem().unwrap_or_default().to_string_lossy(),
            frit: &frit,
            file: self.path,
            folder: self.args.output.as_deref(),
            log: &self.beside("slurm"),
            tasks: &tasks,
            count,
            jobs: self.args.jobs,
            options: self.args.sbatch.as_deref().unwrap_or_default(),
        };
        let path = self.beside("slurm.sh");
        write_file(&path, script.script()?)?;
        let job = slurm::submit(&path)?;
        write_file(&self.beside("slurm-job"), format!("{job}\n"))?;
        let (points, tasks) = (missing.len(), array(&tasks));
        self.ui
            .say(&format!("job {job}: {points} points, tasks {tasks} of {count} ({})\n", path.display()))?;
        Ok(Some(job))
    }

    /// Waits until no task is left; shows what the shards know.
    fn wait(&self, job: &str) -> Result<()> {
        let points = self.sweep.kind.points();
        let mut open = self.missing(&self.known()?);
        let work: Vec<u64> = open.iter().map(|&at| points[at].work).collect();
        let progress = Progress::new(self.ui, &format!("{} (job {job})", self.path.display()), &work);
        let mut failures = 0;
        loop {
            let state = slurm::state(job);
            let known = self.known()?;
            open.retain(|&at| {
                let is_open = !known.cells.contains_key(&points[at].key);
                if !is_open {
                    progress.point(points[at].work);
                }
                is_open
            });
            match state {
                Ok(State::Gone) => return Ok(()),
                Ok(State::Tasks(_)) => failures = 0,
                // The controller may be busy for a while.
                Err(error) if failures == 5 || error.is::<Missing>() => {
                    return Err(error.context(format!("job {job} goes on; ask again later")));
                }
                Err(_) => failures += 1,
            }
            std::thread::sleep(Duration::from_secs(self.args.poll));
        }
    }
}

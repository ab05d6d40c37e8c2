//! `frit sweep --engine slurm`: shards as a job array, waited for and joined.

use super::files::Files;
use super::merge::merge;
use super::progress::Progress;
use super::slurm::{self, State};
use crate::Verdict;
use crate::args::{MergeArgs, SweepArgs};
use crate::lock::Lock;
use crate::sweep::batch::{Batch, array};
use crate::sweep::gather::{Gathered, gather};
use crate::sweep::kind::Sweep;
use crate::sweep::results::Form;
use crate::sweep::shard::split;
use crate::ui::Ui;
use anyhow::{Context, Result, bail};
use frit_cosim::tools::Missing;
use frit_trace::output::{remove_files, write_file};
use frit_trace::shown;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A job that was cancelled has ended after so many seconds, unless its node does not answer.
const ENDING: u32 = 60;

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
            bail!(
                "--engine slurm submits the shards with missing points; leave --shard, --again and --drop out"
            );
        }
        if self.args.status || self.args.cancel {
            if self.args.status { self.status() } else { self.cancel() }?;
            return Ok(Verdict::Fine);
        }
        // Two calls at once would submit the same points.
        let lock = Lock::take(&self.beside("slurm-job"))?;
        let last = self.job()?;
        let state = last.as_deref().map(slurm::state).transpose()?;
        let at_work = last.as_deref().filter(|_| state.as_ref().is_some_and(|state| *state != State::Gone));
        let job = match at_work {
            Some(job) => {
                self.ui.warn(&format!("job {job} of this sweep is at work: nothing is submitted"));
                Some(job.to_string())
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
        if let Some(job) = job.or(last) {
            self.forget(&job)?;
        }
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
        let job = slurm::recorded(&path)?.with_context(|| {
            format!(
                "{} does not hold the number of a job: a call submits one now, or was interrupted while it did; \
                 if squeue --me shows it, put its number there, else remove that file",
                path.display()
            )
        })?;
        Ok(Some(job))
    }

    /// Forgets a job, unless another call has submitted the next one meanwhile, or is about to.
    fn forget(&self, job: &str) -> Result<()> {
        let path = self.beside("slurm-job");
        let Ok(_lock) = Lock::take(&path) else { return Ok(()) };
        if self.job()?.is_none_or(|known| known != job) {
            return Ok(());
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(remove_files(path.parent().unwrap_or(Path::new("")), &[&name])?)
    }

    /// Ends the job, and waits until its tasks have ended: they have their shards until then.
    fn cancel(&self) -> Result<()> {
        let job = &self.job()?.context("no job of this sweep is known: nothing to cancel")?;
        if slurm::state(job)? == State::Gone {
            self.forget(job)?;
            return self.ui.say(&format!("job {job} has ended already\n"));
        }
        slurm::cancel(job)?;
        let mut left = slurm::state(job)?;
        for _ in 0..ENDING {
            if left == State::Gone {
                break;
            }
            std::thread::sleep(Duration::from_secs(1));
            left = slurm::state(job)?;
        }
        self.forget(job)?;
        if let State::Tasks(tasks) = left {
            self.ui.warn(&format!("job {job}: {tasks}, though it was cancelled {ENDING} s ago"));
        }
        self.ui.say(&format!("job {job} is cancelled; the rows that its tasks have written are kept\n"))
    }

    fn known(&self) -> Result<Gathered> {
        gather(&Form::of(&self.sweep.grid), &self.files.csv)
    }

    fn missing(&self, known: &Gathered) -> Vec<usize> {
        let points = self.sweep.grid.points();
        (0..points.len()).filter(|&at| !known.cells.contains_key(&points[at].key)).collect()
    }

    fn status(&self) -> Result<()> {
        let record = self.beside("slurm-job");
        // The lock is free where a call was killed meanwhile.
        let submitting =
            record.is_file() && slurm::recorded(&record)?.is_none() && Lock::take(&record).is_err();
        let job = match if submitting { None } else { self.job()? } {
            _ if submitting => "a job is being submitted".into(),
            Some(job) => match slurm::state(&job)? {
                State::Tasks(tasks) => format!("job {job}: {tasks}"),
                State::Gone => "no job is at work".into(),
            },
            None => "no job is at work".into(),
        };
        let missing = self.missing(&self.known()?).len();
        let all = self.sweep.grid.points().len();
        self.ui.print(&format!("{all} points, {} known, {missing} missing; {job}\n", all - missing))
    }

    /// Submits what is missing, if anything is.
    fn submit(&self) -> Result<Option<String>> {
        let count =
            self.args.tasks.context("--engine slurm needs --tasks K, the number of tasks of the sweep")?;
        let missing = self.missing(&self.known()?);
        if missing.is_empty() {
            return Ok(None);
        }
        let shards = split(self.sweep.grid.points(), count);
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
        let job = slurm::submit(&path, &self.beside("slurm-job"))?;
        let (points, tasks) = (missing.len(), array(&tasks));
        self.ui.say(&format!(
            "job {job}: {points} points, tasks {tasks} of {count} ({})\n",
            shown::path(&path)
        ))?;
        Ok(Some(job))
    }

    /// Waits until no task is left, or nothing is left to do for them; shows what the shards know, and why tasks wait.
    fn wait(&self, job: &str) -> Result<()> {
        let points = self.sweep.grid.points();
        let mut open = self.missing(&self.known()?);
        let work: Vec<u64> = open.iter().map(|&at| points[at].work).collect();
        let progress = Progress::new(self.ui, &format!("{} (job {job})", shown::path(self.path)), &work);
        let (mut failures, mut told) = (0, BTreeSet::new());
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
                Ok(State::Tasks(tasks)) if open.is_empty() => {
                    if tasks.wait {
                        let text =
                            format!("job {job}: all points are known; {tasks} with nothing left to do");
                        progress.aside(|| self.ui.warn(&text));
                    }
                    return Ok(());
                }
                Ok(State::Tasks(tasks)) => {
                    failures = 0;
                    let new = tasks.obstacles.iter().any(|reason| !told.contains(reason));
                    if new {
                        progress.aside(|| self.ui.warn(&format!("job {job} goes on when it can: {tasks}")));
                        told.extend(tasks.obstacles);
                    }
                }
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

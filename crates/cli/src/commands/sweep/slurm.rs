//! Slurm's programs.

use anyhow::{Context, Result, bail};
use frit_cosim::tools::Missing;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What has become of a job.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// Tasks that wait or run: how many in which state.
    Tasks(String),
    /// None is left.
    Gone,
}

/// Submits a script; gives the number of the job.
pub fn submit(script: &Path) -> Result<String> {
    let output = run("sbatch", &["--parsable".as_ref(), script.as_os_str()])?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // `JOB`, or `JOB;CLUSTER`.
    let job = text.trim().split(';').next().unwrap_or_default();
    if !output.status.success() || job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
        bail!("sbatch has not taken {}: {}", script.display(), said(&output));
    }
    Ok(job.into())
}

/// What has become of a job.
pub fn state(job: &str) -> Result<State> {
    let output = run("squeue", &["--noheader", "--array", "--format=%T", "--jobs", job].map(AsRef::as_ref))?;
    if !output.status.success() {
        // A job that ended some minutes ago is forgotten.
        if said(&output).contains("Invalid job id") {
            return Ok(State::Gone);
        }
        bail!("squeue says nothing of job {job}: {}", said(&output));
    }
    let mut tasks = BTreeMap::<String, usize>::new();
    for line in String::from_utf8_lossy(&output.stdout).lines().map(str::trim).filter(|line| !line.is_empty())
    {
        *tasks.entry(line.to_lowercase()).or_default() += 1;
    }
    let tasks: Vec<String> = tasks.iter().map(|(state, count)| format!("{count} {state}")).collect();
    Ok(if tasks.is_empty() { State::Gone } else { State::Tasks(tasks.join(", ")) })
}

/// Ends a job.
pub fn cancel(job: &str) -> Result<()> {
    let output = run("scancel", &[job.as_ref()])?;
    if !output.status.success() {
        bail!("scancel {job}: {}", said(&output));
    }
    Ok(())
}

fn run(program: &'static str, arguments: &[&std::ffi::OsStr]) -> Result<Output> {
    match Command::new(program).args(arguments).stdin(Stdio::null()).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Missing {
            program,
            purpose: "job arrays of Slurm, for --engine slurm",
            how: "run this where the cluster's jobs are submitted, or without --engine",
        }
        .into()),
        output => output.context(program),
    }
}

/// What a program says of what went wrong.
fn said(output: &Output) -> String {
    let text = [&*output.stderr, &output.stdout].concat();
    let text = String::from_utf8_lossy(&text);
    frit_cosim::shown::ends(text.trim())
}

//! Slurm's programs.

use anyhow::{Context, Result, bail};
use frit_cosim::tools::{Missing, ToolPath};
use frit_trace::output::read_text;
use frit_trace::shown::printable;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{File, remove_file};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Settings of the environment that would change the job, or which of its tasks are shown; those of the script hold.
const SETTINGS: [&str; 8] = [
    "SBATCH_ARRAY_INX",
    "SBATCH_JOB_NAME",
    "SBATCH_OUTPUT",
    "SBATCH_OPEN_MODE",
    "SBATCH_REQUEUE",
    "SBATCH_NO_REQUEUE",
    "SBATCH_WAIT",
    "SBATCH_TEST_ONLY",
];

/// The same of squeue and scancel: all that begins so.
const FILTERS: [&str; 2] = ["SQUEUE_", "SCANCEL_"];

/// What has become of a job.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// There are tasks that wait or run.
    Tasks(Tasks),
    Gone,
}

/// Tasks of a job that are not at their end.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tasks {
    /// How many in which state, the reason behind that of those that wait.
    states: BTreeMap<String, usize>,
    /// Why tasks wait, unless it is for their turn: nodes that are down, a hold, a limit, a later time.
    pub obstacles: BTreeSet<String>,
    pub wait: bool,
}

impl Tasks {
    /// Of lines `STATE|REASON` of squeue.
    fn read(text: &str) -> Self {
        let mut tasks = Tasks::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (state, reason) = line.split_once('|').unwrap_or((line, ""));
            let mut shown = state.to_lowercase();
            if shown == "pending" {
                tasks.wait = true;
                if !matches!(reason, "" | "None" | "Resources" | "Priority") {
                    tasks.obstacles.insert(reason.into());
                    shown += &format!(" ({})", printable(reason));
                }
            }
            *tasks.states.entry(shown).or_default() += 1;
        }
        tasks
    }
}

impl std::fmt::Display for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let states: Vec<String> =
            self.states.iter().map(|(state, count)| format!("{count} {state}")).collect();
        f.write_str(&states.join(", "))
    }
}

/// Submits a script; gives the number of the job. The file `record` holds it, too: sbatch writes it there itself, so that
/// it is known even if this process is killed before sbatch has answered.
pub fn submit(script: &Path, record: &Path) -> Result<String> {
    let file = File::create(record).with_context(|| record.display().to_string())?;
    let answer = run("sbatch", &["--parsable".as_ref(), script.as_os_str()], file.into());
    let job = match &answer {
        Ok(output) if output.status.success() => recorded(record)?,
        _ => None,
    };
    if let Some(job) = job {
        return Ok(job);
    }
    let output = answer.inspect_err(|_| _ = remove_file(record))?;
    let text = format!("{} {}", said(&output), read_text(record)?.trim());
    remove_file(record).with_context(|| record.display().to_string())?;
    bail!("sbatch did not accept {}: {}", script.display(), text.trim());
}

/// The number of a job in the file that sbatch has written: `JOB`, or `JOB;CLUSTER`.
pub fn recorded(record: &Path) -> Result<Option<String>> {
    let text = read_text(record)?;
    let job = text.trim().split(';').next().unwrap_or_default();
    Ok((!job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit())).then(|| job.into()))
}

/// What has become of a job.
pub fn state(job: &str) -> Result<State> {
    let arguments = ["--noheader", "--array", "--format=%T|%r", "--jobs", job];
    let output = run("squeue", &arguments.map(AsRef::as_ref), Stdio::piped())?;
    if !output.status.success() {
        // A job that ended some minutes ago is forgotten.
        if said(&output).contains("Invalid job id") {
            return Ok(State::Gone);
        }
        bail!("squeue does not report job {job}: {}", said(&output));
    }
    let tasks = Tasks::read(&String::from_utf8_lossy(&output.stdout));
    Ok(if tasks.states.is_empty() { State::Gone } else { State::Tasks(tasks) })
}

pub fn cancel(job: &str) -> Result<()> {
    let output = run("scancel", &[job.as_ref()], Stdio::piped())?;
    if !output.status.success() {
        bail!("scancel {job}: {}", said(&output));
    }
    Ok(())
}

fn run(program: &'static str, arguments: &[&OsStr], stdout: Stdio) -> Result<Output> {
    let missing = Missing {
        program,
        purpose: "job arrays of Slurm, for --engine slurm",
        how: "run this where the cluster's jobs are submitted, or without --engine",
    };
    let path = ToolPath::from_environment().find_program(program).ok_or(missing)?;
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::null()).stdout(stdout);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if SETTINGS.contains(&&*text) || FILTERS.iter().any(|filter| text.starts_with(filter)) {
            command.env_remove(name);
        }
    }
    command.output().context(program)
}

/// What a program says of what went wrong.
fn said(output: &Output) -> String {
    let text = [&*output.stderr, &output.stdout].concat();
    let text = String::from_utf8_lossy(&text);
    frit_trace::shown::ends(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that Slurm 22.05 has printed.
    #[test]
    fn tasks_that_wait_say_why() {
        let down =
            "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";
        let tasks =
            Tasks::read(&format!("COMPLETING|None\nPENDING|{down}\nPENDING|{down}\nPENDING|Resources\n"));
        assert_eq!(tasks.to_string(), format!("1 completing, 1 pending, 2 pending ({down})"));
        assert_eq!(tasks.obstacles, BTreeSet::from([down.to_string()]));
        let tasks = Tasks::read("RUNNING|None\nSUSPENDED|None\nPENDING|Priority\nPENDING|None\n");
        assert!(tasks.obstacles.is_empty() && tasks.wait, "{tasks:?}");
        for reason in ["BeginTime", "JobHeldUser", "job requeued in held state"] {
            assert_eq!(Tasks::read(&format!("PENDING|{reason}")).obstacles.len(), 1, "{reason}");
        }
        assert!(!Tasks::read("RUNNING|None").wait);
        assert_eq!(Tasks::read("\n"), Tasks::default());
    }
}

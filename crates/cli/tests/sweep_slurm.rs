//! `frit sweep --engine slurm`, with stand-ins for sbatch, squeue and scancel: scripts that run the tasks of an array on this
//! machine. Slurm itself is not there, so what these tests say is that frit speaks to such programs as it should; `make test-cluster`
//! is the test with Slurm.
#![cfg(unix)]

use crate::common;

use common::frit;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

const SWEEP: &str = "kind = \"h-relation\"
terminals = [8, 4]
h = [1, \"2*n\"]
seeds = 2
[files]
csv = \"s.csv\"
svg = \"s.svg\"
";

/// Notes the tasks asked for, and runs them in the background, but those of the file `broken`.
const SBATCH: &str = r#"[ "$1" = --parsable ] && [ -z "$SBATCH_ARRAY_INX" ] || exit 9
[ -e "$STAND_IN/slow" ] && { : > "$STAND_IN/asked"; while [ -e "$STAND_IN/slow" ]; do sleep 0.1; done; }
[ -e "$STAND_IN/full" ] && { echo "sbatch: error: Batch job submission failed" >&2; exit 1; }
sed -n 's/^#SBATCH --array=//p' "$2" >> "$STAND_IN/arrays"
tasks=$(sed -n 's/^#SBATCH --array=//p' "$2" | tr , '\n' | while IFS=- read first last; do seq "$first" "${last:-$first}"; done)
: > "$STAND_IN/working"
(
  while [ -e "$STAND_IN/hold" ]; do sleep 0.1; done
  for task in $tasks; do
    grep -qx "$task" "$STAND_IN/broken" 2> "$STAND_IN/none" || SLURM_ARRAY_TASK_ID=$task sh "$2"
  done
  rm "$STAND_IN/working"
) > "$STAND_IN/log" 2>&1 &
echo $! > "$STAND_IN/process"
echo '4711;cluster'
"#;
/// The file `why` says why tasks wait; those of the file `ending` are asked about once more.
const SQUEUE: &str = r#"case " $* " in *" --jobs 4711 "*) ;; *) exit 9 ;; esac
[ -z "$SQUEUE_STATES" ] || exit 9
[ -e "$STAND_IN/ending" ] && { rm "$STAND_IN/ending"; echo "COMPLETING|None"; exit; }
[ -e "$STAND_IN/why" ] && { echo "PENDING|$(cat "$STAND_IN/why")"; exit; }
if [ -e "$STAND_IN/working" ]; then echo "RUNNING|None"; echo "PENDING|Resources"; echo "PENDING|Priority"; exit; fi
echo "slurm_load_jobs error: Invalid job id specified" >&2
exit 1
"#;
const SCANCEL: &str = r#"[ "$1" = 4711 ] && kill "$(cat "$STAND_IN/process")" && rm "$STAND_IN/working" && : > "$STAND_IN/ending"
"#;

/// Writes the stand-ins and the sweep.
fn prepare(folder: &Path) {
    fs::create_dir(folder.join("bin")).unwrap();
    for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)] {
        let path = folder.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    // Nothing else is on PATH: Slurm itself may be on this machine.
    for name in ["sh", "sed", "seq", "tr", "cat", "rm", "grep", "sleep"] {
        let path = std::env::var_os("PATH").unwrap();
        let place = std::env::split_paths(&path).map(|at| at.join(name)).find(|at| at.exists()).unwrap();
        std::os::unix::fs::symlink(place, folder.join("bin").join(name)).unwrap();
    }
    fs::write(folder.join("s.toml"), SWEEP).unwrap();
}

/// `frit sweep --engine slurm` where the stand-ins are, and settings that would change the job or hide its tasks.
fn slurm(folder: &Path, arguments: &str) -> Command {
    slurm_into(OsStr::new("out"), folder, arguments)
}

/// The same with another folder of results.
fn slurm_into(out: &OsStr, folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("frit"));
    command.args(["sweep", "s.toml", "-o"]).arg(out);
    command.args(format!("--engine slurm --poll 1 {arguments}").split_whitespace());
    command.current_dir(folder).env("PATH", folder.join("bin")).env("STAND_IN", folder);
    command.env("SBATCH_ARRAY_INX", "9").env("SQUEUE_STATES", "RUNNING");
    command
}

/// The same in the background.
struct Begun {
    child: Child,
    says: BufReader<ChildStderr>,
    said: String,
}

impl Begun {
    fn new(folder: &Path, arguments: &str) -> Self {
        let mut child =
            slurm(folder, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let says = BufReader::new(child.stderr.take().unwrap());
        Begun { child, says, said: String::new() }
    }

    /// Reads on until it has said this.
    fn says(&mut self, text: &str) {
        while !self.said.contains(text) {
            assert!(self.says.read_line(&mut self.said).unwrap() > 0, "{text}: {}", self.said);
        }
    }

    /// Its exit code, and all that it has said on stderr.
    fn ends(mut self) -> (Option<i32>, String) {
        self.says.read_to_string(&mut self.said).unwrap();
        (self.child.wait().unwrap().code(), self.said)
    }
}

/// Waits until a file is there.
fn appears(path: &Path) {
    let begin = Instant::now();
    while !path.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{}", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Its exit code, and all that it says.
fn said(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    told(slurm(folder, arguments).output())
}

fn told(output: std::io::Result<Output>) -> (Option<i32>, String) {
    let output = output.unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_job_array_runs_what_is_missing_and_only_that() {
    let (one, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = place.path();
    prepare(folder);
    fs::write(one.path().join("s.toml"), SWEEP).unwrap();
    assert!(frit("sweep s.toml").current_dir(one.path()).output().unwrap().status.success());

    fs::write(folder.join("broken"), "2\n").unwrap();
    let (code, text) = said(folder, "--tasks 3 --sbatch --time=10");
    assert!(code == Some(1) && text.contains("--shard 2/3 runs"), "{text}");
    let script = fs::read_to_string(folder.join("out/s.slurm.sh")).unwrap();
    assert!(
        script.contains("#SBATCH --time=10\n") && script.contains("sweep 's.toml' -o 'out' --shard"),
        "{script}"
    );
    fs::remove_file(folder.join("broken")).unwrap();
    let (code, text) = said(folder, "--tasks 3");
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(fs::read_to_string(folder.join("arrays")).unwrap(), "1-3\n2\n");
    for name in ["s.csv", "s.svg"] {
        assert!(
            fs::read(folder.join("out").join(name)).unwrap() == fs::read(one.path().join(name)).unwrap(),
            "{name}"
        );
    }
    // With nothing missing nothing is submitted.
    assert_eq!(said(folder, "--tasks 5").0, Some(0));
    assert_eq!(fs::read_to_string(folder.join("arrays")).unwrap(), "1-3\n2\n");
    assert!(!folder.join("out/s.slurm-job").exists());
}

#[test]
fn a_job_is_left_asked_about_and_cancelled() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    prepare(folder);
    fs::write(folder.join("hold"), "").unwrap();
    let (code, text) = said(folder, "--tasks 2 --detach");
    assert!(code == Some(0) && text.contains("job 4711: 8 points, tasks 1-2 of 2"), "{text}");
    let (code, text) = said(folder, "--status");
    let expected = "8 points, 0 known, 8 missing; job 4711: 2 pending, 1 running";
    assert!(code == Some(0) && text.contains(expected), "{text}");
    let (_, text) = said(folder, "--tasks 2 --detach");
    assert!(text.contains("job 4711 of this sweep is at work: nothing is submitted"), "{text}");
    let (code, text) = said(folder, "--cancel");
    assert!(code == Some(0) && text.contains("job 4711 is cancelled"), "{text}");
    let (_, text) = said(folder, "--status");
    assert!(text.contains("8 missing; no job is at work"), "{text}");
    // A second call waits for the job of the first, whoever submitted it.
    said(folder, "--tasks 2 --detach");
    fs::remove_file(folder.join("hold")).unwrap();
    let (code, text) = said(folder, "--tasks 2");
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(fs::read_to_string(folder.join("arrays")).unwrap(), "1-2\n1-2\n");
}

#[test]
fn what_cannot_be_submitted_is_said() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    prepare(folder);
    for (arguments, expected) in [
        ("", "needs --tasks K"),
        ("--tasks 0", "0 is not in 1..=65536"),
        ("--tasks 2 --shard 1/2", "leave --shard, --again and --drop out"),
        ("--tasks 2 --sbatch time=10", "give options of sbatch on one line"),
        ("--cancel", "nothing to cancel"),
        ("--tasks 2 --engine local", "cannot be used multiple times"),
    ] {
        let (code, text) = said(folder, arguments);
        assert!(code == Some(2) && text.contains(expected), "{arguments}: {text}");
    }
    let output = frit("sweep s.toml --tasks 2").current_dir(folder).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("belong to --engine slurm"));
    // Two calls at once would submit the same points.
    let lock = fs::File::create(folder.join("out/s.slurm-job.lock")).unwrap();
    lock.try_lock().unwrap();
    let (code, text) = said(folder, "--tasks 2");
    assert!(code == Some(2) && text.contains("s.slurm-job: another run is using this file"), "{text}");
    drop(lock);
    fs::write(folder.join("full"), "").unwrap();
    let (code, text) = said(folder, "--tasks 2");
    assert!(
        code == Some(2) && text.contains("sbatch did not accept") && text.contains("submission failed"),
        "{text}"
    );
    assert!(!folder.join("out/s.slurm-job").exists());
    fs::remove_file(folder.join("full")).unwrap();
    fs::remove_file(folder.join("bin/squeue")).unwrap();
    let (code, text) = said(folder, "--tasks 2");
    assert!(
        code == Some(3) && text.contains("job 4711 goes on") && text.contains("squeue was not found"),
        "{text}"
    );
    fs::remove_file(folder.join("out/s.slurm-job")).unwrap();
    fs::remove_file(folder.join("bin/sbatch")).unwrap();
    let (code, text) = said(folder, "--tasks 2");
    assert!(code == Some(3) && text.contains("sbatch was not found"), "{text}");
}

/// Nothing is started again by itself behind these: whoever waits has to know.
#[test]
fn why_tasks_wait_is_said() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    prepare(folder);
    let down = "Nodes required for job are DOWN";
    fs::write(folder.join("hold"), "").unwrap();
    fs::write(folder.join("why"), down).unwrap();
    said(folder, "--tasks 2 --detach");
    let (_, text) = said(folder, "--status");
    assert!(text.contains(&format!("job 4711: 1 pending ({down})")), "{text}");
    let mut waiting = Begun::new(folder, "--tasks 2");
    let waits = format!("job 4711 goes on when it can: 1 pending ({down})");
    waiting.says(&waits);
    std::thread::sleep(Duration::from_millis(1500)); // looked at again, said once
    fs::write(folder.join("why"), "JobHeldUser").unwrap();
    fs::remove_file(folder.join("hold")).unwrap();
    // All points become known; the task that is left has nothing to do.
    let (code, text) = waiting.ends();
    assert!(code == Some(0) && text.matches(&waits).count() == 1, "{text}");
    let held = "job 4711: all points are known; 1 pending (JobHeldUser) with nothing left to do";
    assert!(text.contains(held), "{text}");
    assert!(folder.join("out/s.svg").exists() && !folder.join("out/s.slurm-job").exists());
}

#[test]
fn a_job_is_known_though_the_call_that_submitted_it_was_killed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    prepare(folder);
    fs::write(folder.join("slow"), "").unwrap();
    let mut call = Begun::new(folder, "--tasks 2");
    appears(&folder.join("asked"));
    let (_, text) = said(folder, "--status");
    assert!(text.contains("8 points, 0 known, 8 missing; a job is being submitted"), "{text}");
    call.child.kill().unwrap();
    call.child.wait().unwrap();
    let (code, text) = said(folder, "--tasks 2");
    let expected = "s.slurm-job does not hold the number of a job: a call submits one now, or was";
    assert!(code == Some(2) && text.contains(expected), "{text}");
    let (code, text) = said(folder, "--status");
    assert!(code == Some(2) && text.contains(expected), "{text}");
    fs::write(folder.join("hold"), "").unwrap();
    fs::remove_file(folder.join("slow")).unwrap();
    appears(&folder.join("process"));
    while !fs::read_to_string(folder.join("out/s.slurm-job")).unwrap().contains("4711") {
        std::thread::sleep(Duration::from_millis(20));
    }
    let (code, text) = said(folder, "--tasks 2 --detach");
    assert!(code == Some(0) && text.contains("job 4711 of this sweep is at work"), "{text}");
    fs::remove_file(folder.join("hold")).unwrap();
    assert_eq!(said(folder, "--tasks 2").0, Some(0));
    assert_eq!(fs::read_to_string(folder.join("arrays")).unwrap(), "1-2\n");
}

#[test]
fn a_call_whose_job_was_cancelled_leaves_the_next_job_alone() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    prepare(folder);
    fs::write(folder.join("hold"), "").unwrap();
    said(folder, "--tasks 2 --detach");
    let mut waiting = Begun::new(folder, "--tasks 2");
    waiting.says("job 4711 of this sweep is at work");
    let record = folder.join("out/s.slurm-job");
    fs::write(&record, "4712\n").unwrap();
    fs::remove_file(folder.join("working")).unwrap();
    let (_, text) = waiting.ends();
    assert_eq!(fs::read_to_string(&record).unwrap(), "4712\n", "{text}");
    fs::write(&record, "4711\n").unwrap();
    let (code, text) = said(folder, "--cancel");
    assert!(code == Some(0) && text.contains("job 4711 has ended already") && !record.exists(), "{text}");
    fs::remove_file(folder.join("hold")).unwrap();
}

/// The tasks work in the same folder, whatever its name is; a terminal is not given what it would obey.
#[test]
fn a_folder_whose_name_is_no_text_is_handed_on_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    prepare(folder);
    let out = OsStr::from_bytes(b"it's \xff\x1b[2J");
    let (code, text) = told(slurm_into(out, folder, "--tasks 2").output());
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("it's \u{fffd}\\u{1b}[2J/s.csv\n") && !text.contains('\u{1b}'), "{text:?}");
    assert!(folder.join(out).join("s.svg").is_file());
    let folders = fs::read_dir(folder).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), 2, "bin, and that of the results");
    for arguments in ["--list", "--format json", "--list --format json"] {
        let mut command = frit(&format!("sweep s.toml {arguments}"));
        let (code, text) = told(command.arg("-o").arg(out).current_dir(folder).output());
        assert!(code == Some(0) && !text.contains('\u{1b}'), "{arguments}: {text:?}");
    }
    let mut merge = frit("sweep merge s.toml --format json");
    assert_eq!(told(merge.arg("-o").arg(out).current_dir(folder).output()).0, Some(0));
}

#[test]
fn slurm_is_not_looked_for_around_the_current_folder() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    prepare(folder);
    let (code, text) = told(slurm(folder, "--tasks 2").env("PATH", "bin:.:").output());
    assert!(code == Some(3) && text.contains("sbatch was not found"), "{text}");
    assert!(!folder.join("arrays").exists());
}

//! The batch script of a job array of Slurm that runs shards of a sweep.

use anyhow::{Result, bail};
use std::path::Path;

/// A task goes on where it was stopped, so one whose node fails begins again; what it had said is kept.
const AGAIN: &str = "#SBATCH --requeue --open-mode=append\n";

/// What the script is made of.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// The name of the sweep, in that of the job.
    pub name: &'a str,
    pub frit: &'a Path,
    pub file: &'a Path,
    pub folder: Option<&'a Path>,
    /// What the tasks say goes to files that begin so.
    pub log: &'a Path,
    /// The shards that run, rising, of `count`.
    pub tasks: &'a [u32],
    pub count: u32,
    /// Points at a time in a task.
    pub jobs: Option<usize>,
    /// More options of sbatch, as on its command line.
    pub options: &'a str,
}

impl Batch<'_> {
    /// The script.
    ///
    /// # Errors
    ///
    /// Options that are none, names with what a line of the script cannot hold.
    pub fn script(&self) -> Result<Vec<u8>> {
        if !self.options.is_empty() && !self.options.starts_with('-') || self.options.contains(['\n', '\r']) {
            bail!(
                "--sbatch {:?}: give options of sbatch on one line, like \"--time=1:00:00 --mem=4G\"",
                self.options
            );
        }
        let log = bytes(self.log);
        let breaks = |byte: &u8| b"\n\r\"%\\".contains(byte);
        if log.iter().any(breaks) || self.name.bytes().any(|byte| breaks(&byte)) {
            bail!(
                "{}: a batch script cannot name a folder or file with a line break, \", % or \\; give another name",
                self.log.display()
            );
        }
        let head = format!(
            "#!/bin/sh\n# Written by frit sweep --engine slurm: each task runs a shard of the sweep.\n#SBATCH --job-name=\"frit {}\"\n\
             #SBATCH --array={}\n#SBATCH --output=\"",
            self.name,
            array(self.tasks)
        );
        let mut text = [head.as_bytes(), log, b"-%A_%a.log\"\n", AGAIN.as_bytes()].concat();
        if !self.options.is_empty() {
            text.extend_from_slice(format!("#SBATCH {}\n", self.options).as_bytes());
        }
        text.extend([b"exec ", &*quoted(self.frit), b" sweep ", &quoted(self.file)].concat());
        if let Some(folder) = self.folder {
            text.extend([b" -o ", &*quoted(folder)].concat());
        }
        if let Some(jobs) = self.jobs {
            text.extend_from_slice(format!(" -j {jobs}").as_bytes());
        }
        text.extend_from_slice(format!(" --shard \"$SLURM_ARRAY_TASK_ID/{}\"\n", self.count).as_bytes());
        Ok(text)
    }
}

/// Numbers that rise, as `sbatch --array` takes them: `1-3,5`.
pub fn array(tasks: &[u32]) -> String {
    let runs = tasks.chunk_by(|a, b| a + 1 == *b);
    let run = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        other => other.iter().map(u32::to_string).collect(),
    };
    runs.map(run).collect::<Vec<_>>().join(",")
}

/// The bytes of a name, which need not be text.
fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// A word of the shell.
fn quoted(path: &Path) -> Vec<u8> {
    let parts: Vec<&[u8]> = bytes(path).split(|&byte| byte == b'\'').collect();
    [b"'", &*parts.join(&b"'\\''"[..]), b"'"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_follow_each_other_are_a_range() {
        for (tasks, expected) in [(&[1, 2, 3, 5][..], "1-3,5"), (&[7], "7"), (&[1, 3, 4], "1,3-4")] {
            assert_eq!(array(tasks), expected);
        }
    }

    #[test]
    fn the_script_can_be_read() {
        let batch = Batch {
            name: "s",
            frit: Path::new("/bin/frit"),
            file: Path::new("it's.toml"),
            folder: Some(Path::new("out")),
            log: Path::new("out/s.slurm"),
            tasks: &[2, 3],
            count: 8,
            jobs: Some(4),
            options: "--time=10 --mem=1G",
        };
        let script = String::from_utf8(batch.script().unwrap()).unwrap();
        assert_eq!(
            script,
            "#!/bin/sh\n# Written by frit sweep --engine slurm: each task runs a shard of the sweep.\n\
             #SBATCH --job-name=\"frit s\"\n#SBATCH --array=2-3\n#SBATCH --output=\"out/s.slurm-%A_%a.log\"\n\
             #SBATCH --requeue --open-mode=append\n#SBATCH --time=10 --mem=1G\nexec '/bin/frit' sweep 'it'\\''s.toml' -o 'out' -j 4 --shard \"$SLURM_ARRAY_TASK_ID/8\"\n"
        );
        for log in ["a\nb", "a\rb", "a\"b", "a%b", "a\\b"] {
            let error = Batch { log: Path::new(log), ..batch }.script().unwrap_err().to_string();
            assert!(error.contains("a batch script cannot name"), "{error}");
        }
        assert!(Batch { options: "a\nrm", ..batch }.script().is_err());
    }
}

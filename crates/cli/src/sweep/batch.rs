//! The batch script of a job array of Slurm that runs shards of a sweep.

use anyhow::{Result, bail};
use std::path::Path;

/// A task goes on where it was stopped, so one whose node fails begins again; what it had said is kept.
const AGAIN: &str = "#SBATCH --requeue --open-mode=append\n";

/// What the script is made of.
pub struct Batch<'a> {
    /// The name of the sweep, in that of the job.
    pub name: &'a str,
    /// The program.
    pub frit: &'a Path,
    /// The file of the sweep.
    pub file: &'a Path,
    /// The folder of its files.
    pub folder: Option<&'a Path>,
    /// What the tasks say goes to files that begin so.
    pub log: &'a Path,
    /// The shards that run, rising, of `count`.
    pub tasks: &'a [u32],
    /// Of how many.
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
    pub fn script(&self) -> Result<String> {
        if !self.options.is_empty() && !self.options.starts_with('-') || self.options.contains(['\n', '\r']) {
            bail!(
                "--sbatch {:?}: give options of sbatch on one line, like \"--time=1:00:00 --mem=4G\"",
                self.options
            );
        }
        let log = self.log.display().to_string();
        if log.contains(['\n', '"', '%']) || self.name.contains(['\n', '"']) {
            bail!("{log}: a batch script cannot name a folder or file with a line break, \" or %");
        }
        let mut text = format!(
            "#!/bin/sh\n# Written by frit sweep --engine slurm: each task runs a shard of the sweep.\n#SBATCH --job-name=\"frit {}\"\n\
             #SBATCH --array={}\n#SBATCH --output=\"{log}-%A_%a.log\"\n{AGAIN}",
            self.name,
            array(self.tasks)
        );
        if !self.options.is_empty() {
            text += &format!("#SBATCH {}\n", self.options);
        }
        text += &format!("exec {} sweep {}", quoted(self.frit), quoted(self.file));
        if let Some(folder) = self.folder {
            text += &format!(" -o {}", quoted(folder));
        }
        if let Some(jobs) = self.jobs {
            text += &format!(" -j {jobs}");
        }
        Ok(text + &format!(" --shard \"$SLURM_ARRAY_TASK_ID/{}\"\n", self.count))
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

/// A word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
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
        assert_eq!(
            batch.script().unwrap(),
            "#!/bin/sh\n# Written by frit sweep --engine slurm: each task runs a shard of the sweep.\n\
             #SBATCH --job-name=\"frit s\"\n#SBATCH --array=2-3\n#SBATCH --output=\"out/s.slurm-%A_%a.log\"\n\
             #SBATCH --requeue --open-mode=append\n#SBATCH --time=10 --mem=1G\nexec '/bin/frit' sweep 'it'\\''s.toml' -o 'out' -j 4 --shard \"$SLURM_ARRAY_TASK_ID/8\"\n"
        );
        assert!(Batch { options: "a\nrm", ..batch }.script().is_err());
    }
}

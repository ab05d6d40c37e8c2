//! A simulator as an engine of a campaign.

use super::{Attempt, Engine, EngineRun, Ground};
use crate::simulator::{Job, ResultLine, Simulator};
use crate::tools::Missing;
use frit_network::{Refusal, refusal};
use std::path::{Path, PathBuf};

/// A testbench, as the campaign that wrote it knows it.
pub struct Testbench<'a> {
    /// The folder with its sources and tables.
    pub sources: &'a Path,
    /// The name of the design; the top is `tb_` and this.
    pub design: &'a str,
    /// Whether the run is long: the C++ compiler then takes its time (Verilator only).
    pub long_run: bool,
    /// What it is given besides.
    pub plusargs: &'a [String],
}

/// What a testbench said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Whether it passed by its own account.
    pub passed: bool,
    pub output: String,
    pub folder: PathBuf,
}

impl Printed {
    /// What the testbench says was wrong first, behind `FAIL: `.
    pub fn complaint(&self) -> Option<&str> {
        let said = self.output.lines().find_map(|line| line.strip_prefix("FAIL: "));
        said.or((!self.passed).then_some("the testbench failed without saying why"))
    }

    /// What `read` finds in the line for programs.
    ///
    /// # Errors
    /// If there is no such line, or not all of it.
    pub fn result<T>(&self, read: impl FnOnce(ResultLine) -> Option<T>) -> Result<T, Refusal> {
        let found = ResultLine::find(&self.output).and_then(read);
        found.ok_or_else(|| {
            refusal!(
                "{}: the testbench left no readable RESULT line; its output is in run.log there",
                self.folder.display()
            )
        })
    }
}

/// Builds and runs a testbench under a simulator. A simulator that is not installed does not run: that is no error.
///
/// # Errors
/// If the simulator is there and fails.
pub fn simulate<E: Engine>(
    ground: &Ground<E>,
    engine: E,
    simulator: Simulator,
    testbench: Testbench,
) -> Result<Attempt<Printed>, Refusal> {
    let Testbench { sources, design, long_run, plusargs } = testbench;
    let folder = ground.results(engine);
    (ground.progress)(engine, "building and running");
    let job = Job { sources, folder: &folder, design, wave: ground.wave, long_run, plusargs };
    let finished = match simulator.run(ground.tools, &job) {
        Ok(finished) => finished,
        Err(error) if error.detail::<Missing>().is_some() => return Ok(Attempt::not_run(error)),
        Err(error) => return Err(error),
    };
    (ground.progress)(engine, "done");
    Ok(Attempt::Ran(EngineRun {
        got: Printed { passed: finished.passed, output: finished.output, folder },
        wave: finished.wave,
        times: finished.times,
    }))
}

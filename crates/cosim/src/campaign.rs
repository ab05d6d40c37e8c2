//! One campaign: the files of a design, a reference, engines that run the design, the first difference of each, a report.
//!
//! What kind of design it is says an implementor of [`Campaign`]: `verify` (an exchange, its netlist), the streams around it,
//! the optical butterfly as a device. [`run`] does the rest: it removes what an earlier run left, writes the files, runs the
//! engines side by side and compares what they got. An engine that cannot run is no error; the report says why it did not.
//!
//! ```
//! use frit_cosim::campaign::{Attempt, Campaign, Engine, EngineRun, Ground, run};
//! use frit_network::Refusal;
//! use frit_cosim::tools::ToolPath;
//! use std::path::Path;
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! struct Adder;
//! impl Engine for Adder {
//!     fn name(self) -> &'static str {
//!         "adder"
//!     }
//! }
//!
//! /// The sum of two numbers.
//! struct Sum(u64, u64);
//! impl Campaign for Sum {
//!     type Engine = Adder;
//!     type Reference = u64;
//!     type Got = u64;
//!     type Kept = ();
//!     type Difference = String;
//!     const ENGINES: &'static [Adder] = &[Adder];
//!     const RESULTS: &'static [&'static str] = &["sum.txt"];
//!
//!     fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
//!         Ok(Vec::new())
//!     }
//!     fn reference(&self) -> Result<u64, Refusal> {
//!         Ok(self.0 + self.1)
//!     }
//!     fn attempt(&self, _: Adder, _: &Path, _: &Ground<Adder>) -> Result<Attempt<u64>, Refusal> {
//!         Ok(Attempt::Ran(EngineRun { got: self.0 ^ self.1, wave: None, times: Vec::new() }))
//!     }
//!     fn compare(&self, sum: &u64, _: Adder, ran: &EngineRun<u64>) -> Result<((), Option<String>), Refusal> {
//!         Ok(((), (ran.got != *sum).then(|| format!("{}, not {sum}", ran.got))))
//!     }
//! }
//!
//! let folder = tempfile::tempdir()?;
//! let tools = ToolPath::from_environment();
//! let ground = Ground { folder: folder.path(), tools: &tools, wave: None, progress: &|_, _| {} };
//! assert_eq!(run(&Sum(1, 2), &ground)?.engines[0].agrees(), Some(true));
//! assert_eq!(run(&Sum(1, 3), &ground)?.engines[0].agrees(), Some(false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod events;
mod netlist;
mod report;
mod simulate;
mod waves;

pub use events::rows;
pub use netlist::{Mapping, Replaced, replace};
pub use report::{EngineReport, FirstDifference, Report, State};
pub use simulate::{Printed, Testbench, simulate};
pub use waves::{WaveDifference, known_wave_difference, wave_difference};

use crate::simulator::WaveKind;
use crate::tools::ToolPath;
use frit_cells::netlist::simulate::TooWide;
use frit_network::Refusal;
use frit_trace::output::{make_folder, remove_files, write_if_changed};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What runs a design.
pub trait Engine: Copy + Eq + Send + Sync + 'static {
    /// Its name on the command line and in reports, and the folder of its results.
    fn name(self) -> &'static str;
}

/// Where a campaign takes place, and who is told of it.
pub struct Ground<'a, E> {
    /// The folder for all files: sources in `rtl/`, results in a folder per engine.
    pub folder: &'a Path,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
    /// The format of the waveforms; none are written without one.
    pub wave: Option<WaveKind>,
    /// Told what is being done.
    pub progress: &'a (dyn Fn(E, &str) + Sync),
}

impl<E: Engine> Ground<'_, E> {
    /// The folder of an engine's results.
    pub fn results(&self, engine: E) -> PathBuf {
        self.folder.join(engine.name())
    }
}

/// What an engine that ran left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineRun<G> {
    pub got: G,
    pub wave: Option<PathBuf>,
    /// Time of each part.
    pub times: Vec<(&'static str, Duration)>,
}

/// An engine that ran, or why it did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt<G> {
    Ran(EngineRun<G>),
    /// It did not run.
    NotRun {
        why: String,
    },
}

impl<G> Attempt<G> {
    pub fn not_run(why: impl ToString) -> Self {
        Attempt::NotRun { why: why.to_string() }
    }

    /// The refusal of rust-hdl. If words are too wide for it, it is an engine that does not run.
    ///
    /// # Errors
    /// Any other refusal.
    pub fn refused(refusal: Refusal) -> Result<Self, Refusal> {
        match refusal.detail() {
            Some(TooWide) => Ok(Self::not_run(refusal)),
            None => Err(refusal),
        }
    }

    /// What can be read from what an engine that ran left.
    pub fn read<H>(self, read: impl FnOnce(G) -> Result<H, Refusal>) -> Result<Attempt<H>, Refusal> {
        match self {
            Attempt::Ran(EngineRun { got, wave, times }) => {
                Ok(Attempt::Ran(EngineRun { got: read(got)?, wave, times }))
            }
            Attempt::NotRun { why } => Ok(Attempt::NotRun { why }),
        }
    }
}

/// What is kept of an engine that ran, with its first difference from the reference; or what failed.
pub type Compared<C> = Result<(<C as Campaign>::Kept, Option<<C as Campaign>::Difference>), Refusal>;

/// What a kind of design brings to a campaign.
pub trait Campaign: Sync {
    type Engine: Engine;
    /// What the engines are compared with.
    type Reference;
    /// What an engine gets.
    type Got: Send;
    /// What the report keeps of that.
    type Kept;
    /// How an engine and the reference disagree first.
    type Difference;

    /// All engines, in the order of the report.
    const ENGINES: &'static [Self::Engine];
    /// The files that a run leaves in the folder of an engine.
    const RESULTS: &'static [&'static str];
    /// The folder in which the reference leaves such files as well, if it does.
    const REFERENCE: Option<&'static str> = None;

    /// The files of the design, names and contents.
    fn files(&self) -> Result<Vec<(String, String)>, Refusal>;

    /// The folder that simulators read in place of `rtl`, which holds the files.
    fn sources(&self, rtl: PathBuf, _files: &[(String, String)]) -> Result<PathBuf, Refusal> {
        Ok(rtl)
    }

    /// What the engines should get.
    fn reference(&self) -> Result<Self::Reference, Refusal>;

    /// The engines that were asked for.
    fn asked(&self) -> &[Self::Engine] {
        Self::ENGINES
    }

    /// Why an engine is left out, if it is: nobody has asked for it.
    fn left_out(&self, engine: Self::Engine) -> Option<String> {
        (!self.asked().contains(&engine)).then(|| "not asked for".into())
    }

    /// Runs an engine; its simulator reads `sources`.
    fn attempt(
        &self,
        engine: Self::Engine,
        sources: &Path,
        ground: &Ground<Self::Engine>,
    ) -> Result<Attempt<Self::Got>, Refusal>;

    /// What is kept of an engine that ran, and its first difference from the reference.
    fn compare(
        &self,
        reference: &Self::Reference,
        engine: Self::Engine,
        ran: &EngineRun<Self::Got>,
    ) -> Compared<Self>;
}

pub type ReportOf<C> = Report<
    <C as Campaign>::Engine,
    <C as Campaign>::Reference,
    <C as Campaign>::Kept,
    <C as Campaign>::Difference,
>;

/// Writes the files, runs the engines, compares.
///
/// # Errors
/// If the design has no files or no reference, or a tool that is there fails.
pub fn run<C: Campaign>(campaign: &C, ground: &Ground<C::Engine>) -> Result<ReportOf<C>, Refusal> {
    let start = Instant::now();
    let files = campaign.files()?;
    let rtl = ground.folder.join("rtl");
    make_folder(&rtl)?;
    remove_old_results::<C>(ground)?;
    for (name, text) in &files {
        write_if_changed(&rtl.join(name), text)?;
    }
    let sources = campaign.sources(rtl, &files)?;
    let generate = start.elapsed();
    let reference = campaign.reference()?;
    let attempts = attempt_all(campaign, &sources, ground);
    let attempts: Vec<_> = attempts.into_iter().collect::<Result<_, _>>()?;
    let mut engines = Vec::with_capacity(attempts.len());
    for (&engine, attempt) in C::ENGINES.iter().zip(attempts) {
        let state = match attempt {
            Attempt::NotRun { why } => State::NotRun { why },
            Attempt::Ran(ran) => {
                let (kept, first_difference) = campaign.compare(&reference, engine, &ran)?;
                State::Ran { kept, first_difference, wave: ran.wave, times: ran.times }
            }
        };
        engines.push(EngineReport { engine, state });
    }
    Ok(Report { reference, engines, generate, total: start.elapsed() })
}

/// An engine's attempt, or what failed in it.
type Attempted<C> = Result<Attempt<<C as Campaign>::Got>, Refusal>;

/// The engines side by side: each on a thread of its own, since a simulator's build takes long.
fn attempt_all<C: Campaign>(campaign: &C, sources: &Path, ground: &Ground<C::Engine>) -> Vec<Attempted<C>> {
    let attempt = &|engine| match campaign.left_out(engine) {
        Some(why) => Ok(Attempt::NotRun { why }),
        None => campaign.attempt(engine, sources, ground),
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = C::ENGINES.iter().map(|&engine| scope.spawn(move || attempt(engine))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Removes what an earlier run left, so that an engine that does not run this time shows no files.
fn remove_old_results<C: Campaign>(ground: &Ground<C::Engine>) -> Result<(), Refusal> {
    let folders = C::ENGINES.iter().map(|engine| engine.name()).chain(C::REFERENCE);
    folders.map(|name| ground.folder.join(name)).try_for_each(|folder| remove_files(&folder, C::RESULTS))
}

#[cfg(test)]
mod tests;

//! Proofs of a design as a whole: it and its streams keep their contracts, and the ports of a top the rules of AXI, for all words, starts and resets; its netlist and its
//! compact form are what it is.
//!
//! Yosys makes an and-inverter graph ([`aiger`]), ABC ([`abc`]) proves that no output of it ever rises, or gives the inputs with
//! which one does. What makes large designs feasible are lemmas that a symbolic simulation finds ([`lemmas`]); they are proved
//! with the rest. A counterexample is run again on the graph and written as a waveform ([`replay`]).

pub mod abc;
pub mod aiger;
mod contract;
mod equal;
mod graph;
pub mod lemmas;
pub mod replay;
mod search;
mod simulate;
pub mod symbols;

pub use contract::{Contract, Method};
pub use equal::{Against, prove_equal};

use crate::tools::ToolPath;
use frit_cells::netlist::print::SourceFile;
use frit_network::Refusal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a proof takes place.
pub struct Ground<'a> {
    /// The folder for all files: sources in `rtl/`, each proof in a folder of its own.
    pub folder: &'a Path,
    /// Where tools are looked for.
    pub tools: &'a ToolPath,
    /// How long a search may take.
    pub limit: Duration,
}

/// What a proof said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Proved {
        /// The frame in which the search found an inductive invariant.
        depth: u32,
        /// Lemmas that were proved with it.
        lemmas: usize,
    },
    /// It does not hold.
    Refuted {
        /// The cycle, from that of the first reset.
        cycle: u64,
        /// What does not hold then.
        what: Vec<&'static str>,
        /// How it comes to that.
        wave: PathBuf,
    },
    /// There was not enough time.
    Open,
}

/// A proof that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What was to be proved.
    pub property: String,
    pub engine: &'static str,
    /// What came of it.
    pub verdict: Verdict,
    /// How long it took, with Yosys.
    pub time: Duration,
}

impl Proof {
    /// Whether it is proved.
    pub fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Proved { .. })
    }
}

/// Writes the files of a design into a folder below that of the ground, and gives their names as seen from a folder beside it.
fn write_sources(ground: &Ground, folder: &str, files: &[SourceFile]) -> Result<Vec<String>, Refusal> {
    let below = ground.folder.join(folder);
    frit_trace::output::make_folder(&below)?;
    let mut names = Vec::new();
    for file in files {
        frit_trace::output::write_if_changed(&below.join(&file.name), &file.text)?;
        names.push(format!("../{folder}/{}", file.name));
    }
    Ok(names)
}

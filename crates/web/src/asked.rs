//! What the form asks for, as a design.

use anyhow::{Context, Result, bail};
use frit_design::dress::{self, Dress};
use frit_design::{catalog, estimate};
use frit_network::export::from_json;
use frit_network::multibutterfly::file as wiring_file;
use frit_network::options::{Request, Row, complete};
use frit_permute::gf2::Matrix;
use frit_permute::{Streamed, streamed, streamed_row, with_matrix, with_permutation};
use frit_router::multibutterfly::row as multibutterfly;
use frit_router::{Router, routed};
use frit_schedule::benes::plan_with_permutation_as;
use frit_schedule::de_bruijn::DeBruijn;
use frit_schedule::obf::plan_with_sequence;
use frit_schedule::{Plan, plan, user};
use frit_trace::output::unmarked_text;
use frit_traffic::payload::check_width;
use frit_traffic::permutation;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The most memory, in bytes, that an answer may take: a browser gives a page 4 GiB at most, and a phone less.
pub const ROOM: u64 = 1 << 30;
/// The most bytes of a file that is dropped on the page.
pub const MAX_FILE: usize = 64 << 20;
/// Bits of a word when nobody says.
const DEFAULT_WIDTH: u32 = 32;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The key of a system, or `user`.
    pub system: String,
    /// Terminals; a file may say it.
    #[serde(default)]
    pub n: Option<u64>,
    /// Bits of a word.
    #[serde(default)]
    pub w: Option<u32>,
    /// Options of the system that are given.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Files in place of options: by the option's name, the text.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// A fault to plant, in the words of `--fault`.
    #[serde(default)]
    pub fault: Option<String>,
    /// The rule for the traffic of a routed system; none: its default.
    #[serde(default)]
    pub traffic: Option<String>,
    /// The seed of that traffic, and of the words that a testbench sends.
    #[serde(default)]
    pub seed: Option<u64>,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // one for each question
pub enum AskedDesign {
    /// What happens in each cycle is known before it starts.
    Planned(Plan),
    /// It is given traffic and finds out.
    Routed(Box<dyn Router>),
    /// It brings the words of a stream into another order.
    Streamed(Streamed),
}

impl Asked {
    /// The row of the system.
    ///
    /// # Errors
    /// If there is no such system.
    pub fn row(&self) -> Result<&'static Row> {
        let found = catalog::rows().chain([&user::ROW]).find(|row| row.key == self.system);
        match found {
            Some(row) => Ok(row),
            None => {
                let known: Vec<&str> = catalog::rows().map(|row| row.key).collect();
                bail!("{:?} is not a system; the systems are: {}, user", self.system, known.join(", "))
            }
        }
    }

    /// Bits of a word.
    ///
    /// # Errors
    /// If there are none, or too many.
    pub fn width(&self) -> Result<u32> {
        Ok(check_width(self.w.unwrap_or(DEFAULT_WIDTH).into())?)
    }

    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn request(&self, row: &Row) -> Result<Request> {
        let Some(terminals) = self.n else {
            bail!("N is missing; {} needs {}, for example {}", row.key, row.sizes, row.example)
        };
        let bytes = estimate::plan(row.key, terminals);
        need(&format!("the plan of {} with {terminals} terminals", row.key), bytes)?;
        Ok(Request { system: row.key.into(), terminals, options: self.options.clone() })
    }

    /// The text that was given for an option.
    fn file(&self, name: &str) -> Result<Option<&str>> {
        match self.files.get(name) {
            Some(text) if text.len() > MAX_FILE => {
                bail!("the file for {name} has {} bytes; give at most {MAX_FILE}", text.len())
            }
            text => Ok(text.map(|text| unmarked_text(text))),
        }
    }

    /// Refuses an N that is not that of a file.
    fn same_terminals(&self, what: &str, terminals: u64) -> Result<()> {
        match self.n {
            Some(given) if given != terminals => {
                bail!("the {what} has {terminals} terminals, but N is {given}; make N {terminals}")
            }
            _ => Ok(()),
        }
    }

    /// The design.
    ///
    /// # Errors
    /// If there is no such system, size or option, a file is not one of its kind, or there is no room.
    pub fn design(&self) -> Result<AskedDesign> {
        let row = self.row()?;
        for name in self.files.keys() {
            let takes = |spec: &&_| -> bool {
                let spec: &frit_network::options::OptionSpec = spec;
                spec.name == name && spec.values.takes_file()
            };
            if !row.options.iter().any(|spec| takes(&spec)) {
                bail!("{} has no option {name:?} that takes a file", row.key);
            }
        }
        if row.key == user::KEY {
            let (Some(network), Some(schedule)) = (self.file("network")?, self.file("schedule")?) else {
                bail!("the system user needs two files: a network and a schedule (JSON, docs/formats.md)");
            };
            let network = from_json(network).context("the network")?;
            self.same_terminals("network", network.terminals().into())?;
            let options = complete(row.key, row.options, &self.options)?;
            let plan = user::plan(network, schedule).context("the schedule")?;
            return Ok(AskedDesign::Planned(plan.pipelined_as(&options)));
        }
        if streamed_row(row.key).is_some() {
            return self.streamed(row).map(AskedDesign::Streamed);
        }
        if let (Some(text), None) = (self.file("permutation")?, routed(row.key)) {
            let order = permutation::parse(text).context("the permutation")?;
            self.same_terminals("permutation", order.len() as u64)?;
            need("the settings for the permutation", 2 * estimate::plan("rls", order.len() as u64))?;
            let options = complete(row.key, row.options, &self.options)?;
            return Ok(AskedDesign::Planned(plan_with_permutation_as(&order, &options)?));
        }
        let request = self.request(row)?;
        if let Some(text) = self.file("sequence")? {
            let order = request.terminals.checked_ilog2().unwrap_or(0).saturating_sub(1);
            let sequence = DeBruijn::parse(text, order)
                .with_context(|| format!("the sequence (a de Bruijn sequence of order {order})"))?;
            return Ok(AskedDesign::Planned(plan_with_sequence(&request, sequence)?));
        }
        if let Some(text) = self.file("wiring")? {
            let network = wiring_file::from_json(text).context("the wiring")?;
            self.same_terminals("multibutterfly", network.shape().rows().into())?;
            let options = complete(row.key, row.options, &request.options)?;
            let system = multibutterfly::with_wiring(&Request { options, ..request }, network)?;
            return Ok(AskedDesign::Routed(Box::new(system)));
        }
        match routed(row.key) {
            Some(system) => Ok(AskedDesign::Routed(system.router(&request)?)),
            None => Ok(AskedDesign::Planned(plan(&request)?)),
        }
    }

    /// What is around a streamed permutation.
    ///
    /// # Errors
    /// If there is no such top.
    pub fn dress(&self) -> Result<Dress> {
        Ok(dress::taken(self.row()?.key, &mut self.options.clone())?)
    }

    fn streamed(&self, row: &'static Row) -> Result<Streamed> {
        let mut request = self.request(row)?;
        dress::taken(row.key, &mut request.options)?;
        Ok(match (self.file("matrix")?, self.file("permutation")?, self.file("gather")?) {
            (None, None, None) => streamed(&request)?,
            (Some(text), None, None) => {
                let (matrix, constant) = Matrix::parse(text).context("the matrix")?;
                with_matrix(&request, matrix, constant)?
            }
            (None, Some(text), None) => {
                with_permutation(&request, permutation::parse(text).context("the permutation")?)?
            }
            (None, None, Some(text)) => {
                let order = permutation::read_gather(text.as_bytes()).context("the gather list")?;
                with_permutation(&request, order)?
            }
            _ => bail!("a matrix, a permutation and a gather list are three orders; give one of them"),
        })
    }
}

/// Refuses what takes more than [`ROOM`], before it is taken.
///
/// # Errors
/// If it does.
pub fn need(what: &str, bytes: u64) -> Result<()> {
    if bytes > ROOM {
        bail!(
            "{what} needs about {:.1} GiB, and this page takes at most {} GiB; make N or W smaller, or use the command frit",
            bytes as f64 / (1u64 << 30) as f64,
            ROOM >> 30
        );
    }
    Ok(())
}

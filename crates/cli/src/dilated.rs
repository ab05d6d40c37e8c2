//! The dilated butterfly on the command line: which traffic there is, for every command that takes it, and the
//! members of a run, as `frit route` and sweeps report them.

use crate::memory::{self, estimate};
use crate::traffic::{from_file, some_lines, some_packets};
use anyhow::{Result, bail};
use frit_model::dilated::{Blocked, DilatedOutcome, WaitsFor};
use frit_router::dilated::packets::check;
use frit_router::dilated::{Dilated, Packets, Parameters};
use frit_trace::output::is_plain;
use frit_traffic::Messages;
use serde_json::{Value, json};
use std::path::Path;

pub use frit_design::packets::{KINDS, messages, words};
pub use frit_design::reports::{DilatedFigures as Figures, closed_form, dilated as members};

/// The traffic that arguments ask for: of a kind of [`KINDS`], or from a file.
pub struct Traffic {
    /// As it was given: a kind, or the name of a file.
    pub name: String,
    /// Packets of each row; none for a file, which says it itself.
    pub per_input: Option<u32>,
    parameters: Parameters,
    file: Option<Messages>,
}

impl Traffic {
    /// The traffic called `name`, the default without one, or of `text` in place of a file; `per_source` packets of each row, those of the system without a
    /// number; `direct` without intermediate rows.
    pub fn new(
        system: &Dilated,
        name: Option<&str>,
        text: Option<&str>,
        per_source: Option<u32>,
        direct: bool,
    ) -> Result<Self> {
        let parameters = Parameters { direct, ..system.parameters };
        let name = name.unwrap_or(KINDS[0]);
        let file = match KINDS.contains(&name) {
            true => None,
            false => Some(from_file(name, text, parameters.network()?.rows(), &KINDS)?),
        };
        if let Some(messages) = &file {
            some_lines(name, messages.is_empty())?;
        }
        if file.is_some() && per_source.is_some() {
            bail!(
                "--per-source applies only to random traffic; {name} already lists the packets; leave --per-source out"
            );
        }
        some_packets(per_source.unwrap_or(system.per_input))?;
        let per_input = file.is_none().then(|| per_source.unwrap_or(system.per_input));
        if let Some(per_input) = per_input {
            // Before any packet is drawn.
            check(&parameters, u64::from(per_input) * parameters.rows)?;
        }
        Ok(Traffic { name: name.into(), per_input, parameters, file })
    }

    /// Refuses runs, as many as there are seeds, for which there is no memory.
    pub fn need_memory(&self, seeds: usize, plain: bool) -> Result<()> {
        let of_file = self.file.as_ref().map_or(0, |file| file.len() as u64);
        let packets = self.per_input.map_or(of_file, |count| u64::from(count) * self.parameters.rows);
        need_memory(&self.parameters, packets, seeds, plain)
    }

    /// The packets of one seed, with the parameters of the network.
    pub fn packets(&self, seed: u64) -> Result<Packets> {
        let parameters = Parameters { seed, ..self.parameters };
        let drawn;
        let messages = match &self.file {
            Some(messages) => messages,
            None => {
                let rows = parameters.network()?.rows();
                drawn = messages(&self.name, rows, self.per_input.unwrap_or(0), seed);
                &drawn
            }
        };
        Ok(Packets::new(parameters, messages)?)
    }

    /// The parameters of the network; the seed is not that of any packets.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What it is called in files that frit writes, where no path may stand: a kind, or the last part of the name of a file; `FILE` if that has
    /// anything but plain letters.
    pub fn short_name(&self) -> String {
        let name = Path::new(&self.name).file_name().map(Path::new);
        let plain =
            name.filter(|name| is_plain(name) && !name.as_os_str().as_encoded_bytes().starts_with(b"-"));
        plain.map_or_else(|| "FILE".into(), |name| name.display().to_string())
    }
}

/// Refuses runs of so many packets, as many as there are seeds, for which there is no memory.
pub fn need_memory(parameters: &Parameters, packets: u64, seeds: usize, plain: bool) -> Result<()> {
    let (rows, bundle) = (parameters.rows, parameters.bundle);
    let what = format!("dilated -n {rows}, bundles of {bundle}, {packets} packets");
    let help = "use a smaller -n, a smaller --bundle, or fewer packets";
    memory::need_each(&what, seeds, estimate::dilated(parameters, packets, plain), help)
}

/// The heads that are blocked, as JSON has them, of one of `runs` runs.
///
/// # Errors
///
/// More of them than there is memory for.
pub fn blocked_heads(outcome: &DilatedOutcome, runs: usize) -> Result<Value> {
    let heads = outcome.blocked.len() as u64;
    let what = format!("the JSON report of {heads} blocked heads");
    memory::need_each(
        &what,
        runs,
        estimate::blocked_heads(heads),
        "give --format text or csv, or fewer packets",
    )?;
    Ok(outcome.blocked.iter().map(blocked).collect())
}

fn blocked(head: &Blocked) -> Value {
    let Blocked { packet, at, waits_for } = head;
    let (what, number) = match waits_for {
        WaitsFor::Bundle(x) => ("bundle", x),
        WaitsFor::Turn(edge) => ("turn", edge),
    };
    json!({
        "packet": packet, "level": at.node.level, "row": at.node.row, "y": at.y, "e": at.e,
        "waits_for": { what: number },
    })
}

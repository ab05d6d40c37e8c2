//! What `frit verify --formal` says.

use super::report::{VerifyRequest, or_keep};
use super::workplace;
use crate::table;
use crate::ui::{BAD, GOOD, HEAD, WARN};
use anyhow::Result;
use frit_cosim::formal::{Ground, Proof, Verdict};
use frit_cosim::verify::seconds;
use frit_network::Refusal;
use frit_network::facts;
use frit_trace::output::Workplace;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A design with its proofs.
pub struct Proved {
    design: String,
    proofs: Vec<Proof>,
    folder: Workplace,
}

impl Proved {
    fn holds(&self) -> bool {
        self.proofs.iter().all(Proof::holds)
    }

    /// Its report as text and as members of JSON, whether all holds, and where its files are.
    pub fn said(self) -> (String, Map<String, Value>, bool, Workplace) {
        (text(&self), json(&self), self.holds(), self.folder)
    }
}

/// Proves a design, in a folder of its name if there are `many`. A folder in which an error names a log is kept.
pub fn proving(
    asked: &VerifyRequest,
    many: bool,
    design: String,
    prove: impl FnOnce(&Ground) -> Result<Vec<Proof>, Refusal>,
) -> Result<Proved> {
    let VerifyRequest { ui, args, tools } = *asked;
    let folder = workplace(args, &design, many)?;
    let ground = Ground { folder: folder.path(), tools, limit: Duration::from_secs(args.proof_time) };
    let bar = ui.progress(&format!("{design}: proving"), None);
    let proofs = prove(&ground);
    bar.finish_and_clear();
    let (proofs, folder) = or_keep(proofs, folder)?;
    Ok(Proved { design, proofs, folder })
}

fn text(proved: &Proved) -> String {
    let mut text = format!("{HEAD}{}{HEAD:#}: proofs\n", proved.design);
    let mut notes = String::new();
    let mut rows = Vec::new();
    for Proof { property, engine, verdict, time } in &proved.proofs {
        let (said, how) = match verdict {
            Verdict::Proved { depth, lemmas: 0 } => {
                (format!("{GOOD}proved{GOOD:#}"), format!("{engine}, depth {depth}"))
            }
            Verdict::Proved { depth, lemmas } => {
                (format!("{GOOD}proved{GOOD:#}"), format!("{engine}, depth {depth}, {lemmas} lemmas"))
            }
            Verdict::Refuted { cycle, what, wave } => {
                notes += &format!("  {property}: {} does not hold in cycle {cycle}\n", what.join(", "));
                notes += &format!("  waveform: {}\n", wave.display());
                (format!("{BAD}refuted{BAD:#}"), format!("{engine}, depth {cycle}"))
            }
            Verdict::Open => {
                notes += &format!(
                    "  {property}: neither proved nor refuted within the time limit; pass a larger --proof-time\n"
                );
                (format!("{WARN}open{WARN:#}"), (*engine).to_string())
            }
        };
        rows.push(vec![property.clone(), said, how, seconds(*time)]);
    }
    text += &table::render(&["property", "verdict", "engine", "time"], &rows);
    text += &notes;
    if proved.folder.is_named() || !proved.holds() {
        text += &format!("  files: {}\n", proved.folder.path().display());
    }
    text
}

fn json(proved: &Proved) -> Map<String, Value> {
    let proofs: Vec<Value> = proved.proofs.iter().map(proof_json).collect();
    facts! { "design": proved.design, "proved": proved.holds(), "proofs": proofs }
}

fn proof_json(proof: &Proof) -> Value {
    let (verdict, depth, lemmas, what, wave) = match &proof.verdict {
        Verdict::Proved { depth, lemmas } => ("proved", Some(u64::from(*depth)), Some(*lemmas), None, None),
        Verdict::Refuted { cycle, what, wave } => ("refuted", Some(*cycle), None, Some(what), Some(wave)),
        Verdict::Open => ("open", None, None, None, None),
    };
    json!({
        "property": proof.property, "verdict": verdict, "engine": proof.engine, "depth": depth,
        "lemmas": lemmas, "violated": what, "wave": wave, "seconds": proof.time.as_secs_f64(),
    })
}

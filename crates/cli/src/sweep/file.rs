//! The file of a sweep.

use super::kind::{Reader, Sweep};
use super::kinds::KINDS;
use anyhow::{Context, Result, bail};
use frit_trace::output;
use serde::Deserialize;
use std::path::Path;

/// The member that decides what the others are.
#[derive(Deserialize)]
struct KindOnly {
    kind: String,
}

pub fn read(path: &Path) -> Result<Sweep> {
    let text = output::read_text(path)?;
    parse(&text, KINDS).with_context(|| format!("the sweep {} (docs/sweep.md)", path.display()))
}

fn parse(text: &str, kinds: &[Reader]) -> Result<Sweep> {
    let asked = crate::toml_text::read::<KindOnly>(text)?.kind;
    match kinds.iter().find(|kind| kind.name == asked) {
        Some(kind) => (kind.read)(text),
        None => {
            let names: Vec<String> = kinds.iter().map(|kind| format!("{:?}", kind.name)).collect();
            bail!("kind = {asked:?}: the kinds are {}", names.join(" and "))
        }
    }
}

//! The kinds of sweep. A new one is a file here, with its module and its place in the list.

mod demand;
mod exchange;
mod faults;
mod h_relation;
mod photonics;
mod rounds;
pub mod route;
mod stream;
mod stuck;
mod synth;
mod verify;

use super::kind::{Reader, Sweep};
use anyhow::{Context, Result, bail};
use frit_trace::output;
use serde::Deserialize;
use std::path::Path;

/// All of them, in the order in which they are named to users.
const KINDS: &[Reader] = &[
    h_relation::KIND,
    exchange::KIND,
    route::KIND,
    rounds::KIND,
    verify::KIND,
    synth::KIND,
    faults::KIND,
    photonics::KIND,
    stream::KIND,
    stuck::KIND,
    demand::KIND,
];

/// The member that decides what the others are.
#[derive(Deserialize)]
struct KindOnly {
    kind: String,
}

pub fn read(path: &Path) -> Result<Sweep> {
    let text = output::read_text(path)?;
    parse(&text).with_context(|| format!("the sweep {} (docs/sweep.md)", path.display()))
}

fn parse(text: &str) -> Result<Sweep> {
    let asked = crate::toml_text::read::<KindOnly>(text)?.kind;
    match KINDS.iter().find(|kind| kind.name == asked) {
        Some(kind) => (kind.read)(text),
        None => {
            let names: Vec<String> = KINDS.iter().map(|kind| format!("{:?}", kind.name)).collect();
            bail!("kind = {asked:?}: the kinds are {}", names.join(" and "))
        }
    }
}

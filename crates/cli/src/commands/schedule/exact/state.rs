//! `--state FILE`: what a search has settled, and for how many conflicts it has tried the rest, so that it goes on from there.

use crate::lock::Lock;
use crate::ui::Ui;
use anyhow::{Result, bail};
use frit_network::export::to_json;
use frit_network::name::{beginning, ends};
use frit_network::{Network, Refusal};
use frit_search::search::{self, Answer, Options, Outcome, Progress};
use frit_trace::output;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

/// The `format` member: another one whenever the questions change, for their names are believed.
const FORMAT: &str = "fritillary-search-2";

#[derive(Debug, Serialize, Deserialize)]
struct State {
    format: String,
    rounds: u32,
    network: Value,
    settled: BTreeSet<String>,
    left: BTreeMap<String, u64>,
}

/// The search that goes on where the file says that it was, and writes down there how far it comes.
pub(super) fn search(
    ui: &Ui,
    network: &Network,
    rounds: u32,
    mut options: Options,
    path: &Path,
) -> Result<Outcome> {
    let _lock = Lock::take(path)?;
    let state = read(network, rounds, path)?;
    (options.settled, options.left) = (state.settled.clone(), state.left.clone());
    // Can it be written at all? That is better known now than in an hour.
    write(path, &state)?;
    let failed: Rc<RefCell<Option<Refusal>>> = Rc::default();
    let (failure, target, before) = (failed.clone(), path.to_path_buf(), options.tell.take());
    let state = RefCell::new(state);
    options.tell = Some(Rc::new(move |progress| {
        before.iter().for_each(|tell| tell(progress));
        let mut state = state.borrow_mut();
        match progress {
            Progress::Settled(name) => {
                state.left.remove(name);
                state.settled.insert(name.clone());
            }
            Progress::Left(name, conflicts) => {
                // Cut off, it may have got less than before.
                let given = state.left.entry(name.clone()).or_default();
                *given = (*given).max(*conflicts);
            }
            Progress::Asked { .. } | Progress::Conflicts(_) => return,
        }
        // A later one that succeeds holds all of it.
        *failure.borrow_mut() = write(&target, &state).err();
    }));
    let outcome = search::exchange(network, rounds, &options)?;
    match failed.take() {
        Some(error) if outcome.answer == Answer::Open => Err(error.into()),
        Some(error) => {
            ui.warn(&format!("some settled questions could not be saved: {error}"));
            Ok(outcome)
        }
        None => Ok(outcome),
    }
}

/// What the file says, if it is there and of this search.
fn read(network: &Network, rounds: u32, path: &Path) -> Result<State> {
    let name = path.display();
    let wired: Value = serde_json::from_str(&to_json(network))?;
    if !path.exists() {
        let (settled, left) = Default::default();
        return Ok(State { format: FORMAT.into(), rounds, network: wired, settled, left });
    }
    let text = output::read_text(path)?;
    let unusable = |error: serde_json::Error| {
        // Its text may quote all of the file.
        let error = ends(&error.to_string());
        anyhow::anyhow!(
            "{name} is not a search state file (members: format, rounds, network, settled, left): {error}"
        )
    };
    let value: Value = serde_json::from_str(&text).map_err(unusable)?;
    match value["format"].as_str() {
        Some(other) if other != FORMAT && other.starts_with("fritillary-search-") => bail!(
            "{name} was written by another version of the search ({}; this version is {FORMAT}) and cannot be resumed; give another file, or remove it",
            beginning(other)
        ),
        _ => (),
    }
    let there: State = serde_json::from_value(value).map_err(unusable)?;
    if (there.format.as_str(), there.rounds, &there.network) != (FORMAT, rounds, &wired) {
        bail!(
            "{name} belongs to another search ({}, {} rounds); give another file, or remove it",
            there.network["name"].as_str().map(beginning).unwrap_or_default(),
            there.rounds
        );
    }
    Ok(there)
}

fn write(path: &Path, state: &State) -> Result<(), Refusal> {
    let text = serde_json::to_string(state).expect("a state is JSON");
    output::write_file(path, format!("{text}\n"))
}

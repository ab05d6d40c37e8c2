//! The question whether a network has an exchange of so many rounds.

use crate::asked::{Asked, AskedDesign, MAX_FILE, need};
use anyhow::{Context, Result, bail};
use frit_design::exact::{asked, plan, said, schedule};
use frit_network::Network;
use frit_network::export::{from_json, to_json};
use frit_search::search::{Answer, Options, exchange};
use frit_trace::output::unmarked_text;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use web_time::Instant;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// The network that has the file of `frit networks`, or a user's; none: that of the design.
    #[serde(default)]
    network: Option<String>,
    #[serde(default)]
    design: Option<Asked>,
    /// None: as many as there are terminals.
    #[serde(default)]
    rounds: Option<u32>,
    /// The time that the search may take.
    seconds: f64,
}

impl Search {
    fn wires(&self) -> Result<Network> {
        match (&self.network, &self.design) {
            (Some(text), _) if text.len() > MAX_FILE => {
                bail!("the network's file has {} bytes; give at most {MAX_FILE}", text.len())
            }
            (Some(text), _) => from_json(unmarked_text(text)).context("the network"),
            (None, Some(design)) => match design.design()? {
                AskedDesign::Planned(plan) => Ok(plan.network),
                AskedDesign::Routed(_) | AskedDesign::Streamed(_) => {
                    bail!(
                        "{} is not a planned system; choose one, or give the file of a network",
                        design.system
                    )
                }
            },
            (None, None) => bail!("a search needs a network: its file, or a planned system"),
        }
    }
}

/// Has the network an exchange of so many rounds?
pub(super) fn search(given: &Search) -> Result<Value> {
    let network = given.wires()?;
    let (rounds, bytes) = asked(&network, given.rounds)?;
    if given.seconds <= 0.0 {
        bail!("{} s is not a time to search; give a number greater than 0", given.seconds);
    }
    need("the largest question of the search", bytes)?;
    // A time beyond what the clock can tell is no limit.
    let time = Duration::try_from_secs_f64(given.seconds).ok();
    let until = time.and_then(|time| Instant::now().checked_add(time));
    let outcome = exchange(&network, rounds, &Options { until, ..Options::default() })?;
    let words = said(rounds, &outcome, None);
    let found = match &outcome.answer {
        Answer::Found(found) => {
            // It is routed on the bare network before anybody sees it.
            plan(&network, found, &outcome.bound);
            let files = json!({ "network": to_json(&network), "schedule": schedule(&network, found) });
            json!({ "terminals": network.terminals(), "files": files })
        }
        _ => Value::Null,
    };
    Ok(json!({
        "name": network.name().as_str(), "verdict": words.verdict.key(), "answer": words.answer, "by": words.by, "lines": words.lines,
        "conflicts": outcome.conflicts, "found": found,
    }))
}

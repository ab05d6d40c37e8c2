//! What `frit verify --axis` says of the streams.

use crate::table;
use crate::ui::{BAD, GOOD, HEAD, WARN};
use frit_cosim::verify::{StreamReport, StreamState, seconds};
use serde_json::{Map, Value, json};
use std::time::Duration;

pub fn text(report: &StreamReport) -> String {
    let (mut rows, mut notes) = (Vec::new(), String::new());
    for engine in &report.engines {
        let name = engine.engine.name().to_string();
        rows.push(match &engine.state {
            StreamState::NotRun { why } => {
                notes += &format!("  {name}: not run: {why}\n");
                vec![name, "-".into(), format!("{WARN}not run{WARN:#}"), String::new()]
            }
            StreamState::Ran { kept: words, first_difference: complaint, times, .. } => {
                let agrees = match complaint {
                    None => format!("{GOOD}yes{GOOD:#}"),
                    Some(what) => {
                        notes += &format!("  {BAD}{name}{BAD:#}: {what}\n");
                        format!("{BAD}no{BAD:#}")
                    }
                };
                let parts: Vec<String> =
                    times.iter().map(|(part, time)| format!("{part} {}", seconds(*time))).collect();
                vec![name, words.to_string(), agrees, parts.join(", ")]
            }
        });
    }
    let streams = report.streams;
    let mut text = format!(
        "\n{HEAD}{}{HEAD:#}: messages of {}, memories for {}, {} exchanges of {} cycles\n",
        report.module,
        counted(streams.words, "word"),
        counted(streams.sets, "set"),
        report.exchanges,
        report.cycles,
    );
    text += &table::render(&["engine", "words", "agrees", "time"], &rows);
    text + &notes
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub fn json(report: &StreamReport) -> Value {
    let mut members = Map::new();
    members.insert("module".into(), report.module.clone().into());
    members.insert("words".into(), report.streams.words.into());
    members.insert("sets".into(), report.streams.sets.into());
    members.insert("exchanges".into(), report.exchanges.into());
    members.insert("cycles".into(), report.cycles.into());
    members.insert("agrees".into(), report.agrees().into());
    for engine in &report.engines {
        let value = match &engine.state {
            StreamState::NotRun { why } => json!({"ran": false, "agrees": null, "reason": why}),
            StreamState::Ran { kept: words, first_difference: complaint, times, .. } => {
                let second = |(part, time): &(&str, Duration)| (part.to_string(), time.as_secs_f64().into());
                let seconds: Map<String, Value> = times.iter().map(second).collect();
                json!({
                    "ran": true, "words": words, "agrees": complaint.is_none(), "complaint": complaint,
                    "seconds": seconds,
                })
            }
        };
        members.insert(engine.engine.key().into(), value);
    }
    Value::Object(members)
}

//! A comparison as text, CSV, JSON or Markdown.

use super::column::{Column, NOT_RUN, columns, columns_of};
use super::synthesis::Synthesis;
use super::table::{CompareRow, MEASURED_UP_TO};
use crate::table::render;
use crate::ui::HEAD;
use frit_network::facts::shown;
use serde_json::{Map, Value, json};

/// For people: the table, then what its columns mean and why the bounds hold.
pub fn text(rows: &[CompareRow], asked: u64, synthesis: Option<&Synthesis>) -> String {
    let (head, cells) = cells(rows, synthesis);
    let mut text = format!("{HEAD}Complete exchanges, N = {asked}{HEAD:#}\n{}\n", render(&head, &cells));
    text += "The columns paper, cycles (measured by the model) and bound are for one phase; total is for all phases.\n";
    for (reason, bound, names) in bounds(rows) {
        text += &format!("bound {bound}: {reason} ({})\n", names.join(", "));
    }
    for line in notes(rows, synthesis) {
        text += &format!("{line}\n");
    }
    text
}

/// A Markdown table, with the same notes as a list below it.
pub fn markdown(rows: &[CompareRow], synthesis: Option<&Synthesis>) -> String {
    let (head, cells) = cells(rows, synthesis);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rule =
        columns_of(rows, synthesis.is_some()).map(|column| if column.numeric { "---:" } else { "---" });
    let rule = rule.chain(std::iter::repeat("---")).take(head.len());
    let mut text = line(head.iter().map(|head| head.to_string()).collect());
    text += &line(rule.map(String::from).collect());
    for row in cells {
        text += &line(row.iter().map(|cell| cell.replace('|', "\\|")).collect());
    }
    text += "\n";
    for (reason, bound, names) in bounds(rows) {
        text += &format!("- bound {bound}: {reason} ({})\n", names.join(", "));
    }
    for line in notes(rows, synthesis) {
        text += &format!("- {line}\n");
    }
    text
}

/// A line per row, numbers as they are, nothing where there is no figure.
pub fn csv(rows: &[CompareRow], synthesis: Option<&Synthesis>) -> String {
    let columns = columns_of(rows, synthesis.is_some());
    let quoted = |cell: String| {
        if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    };
    let names = columns.clone().map(|column| column.name).chain(["note"]);
    let mut text = names.collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        let cells = columns.clone().map(|column| column.text(row, ""));
        let cells = cells.chain([row.note().unwrap_or_default()]).map(quoted);
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// The members are documented in docs/formats.md.
pub fn json(rows: &[CompareRow], asked: u64, synthesis: Option<&Synthesis>) -> Map<String, Value> {
    let columns = columns_of(rows, synthesis.is_some());
    let rows: Vec<Value> =
        rows.iter().map(|row| json_row(row, columns.clone(), synthesis.is_some())).collect();
    let synthesis = synthesis.map(
        |synthesis| json!({"target": synthesis.target.name(), "width": synthesis.width, "seeds": synthesis.seeds}),
    );
    Map::from_iter([
        ("terminals".into(), asked.into()),
        ("synthesis".into(), json!(synthesis)),
        ("rows".into(), rows.into()),
    ])
}

fn json_row(row: &CompareRow, columns: impl Iterator<Item = &'static Column>, synthesis: bool) -> Value {
    let mut members: Map<String, Value> =
        columns.map(|column| (column.name.into(), column.cell(row))).collect();
    members.insert("options".into(), row.subject.given().collect::<Value>());
    let entry = row.entry.as_ref();
    for fact in ["bound_reason", "source"] {
        members.insert(fact.into(), json!(entry.map(|entry| &entry.facts[fact])));
    }
    members.insert("arguments".into(), json!(entry.map(|entry| &entry.arguments)));
    members.insert("fault".into(), json!(row.fault()));
    members.insert("refusal".into(), json!(row.refusal));
    let too_large = row.hardware.as_ref().and_then(|hardware| hardware.too_large.as_ref());
    if synthesis {
        members.insert("too_large".into(), json!(too_large));
    }
    members.into()
}

/// Heads and cells for people: with the notes, if there are any.
fn cells(rows: &[CompareRow], synthesis: Option<&Synthesis>) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let columns = columns_of(rows, synthesis.is_some());
    let notes = rows.iter().any(|row| row.note().is_some());
    let head = columns.clone().map(|column| column.head).chain(notes.then_some("note"));
    let cells = |row: &CompareRow| {
        let note = notes.then(|| row.note().unwrap_or_default());
        columns.clone().map(|column| column.text(row, "-")).chain(note).collect()
    };
    (head.collect(), rows.iter().map(cells).collect())
}

/// Every reason for a bound, with the bound and the rows that have it.
fn bounds(rows: &[CompareRow]) -> Vec<(String, &Value, Vec<String>)> {
    let mut bounds: Vec<(String, &Value, Vec<String>)> = vec![];
    for row in rows {
        let Some(entry) = &row.entry else { continue };
        let (reason, bound) =
            (shown(&entry.facts["bound_reason"]).unwrap_or_default(), &entry.facts["cycles_lower_bound"]);
        match bounds.iter_mut().find(|known| (&known.0, known.1) == (&reason, bound)) {
            Some((_, _, names)) => names.push(row.subject.name()),
            None => bounds.push((reason, bound, vec![row.subject.name()])),
        }
    }
    bounds
}

fn notes(rows: &[CompareRow], synthesis: Option<&Synthesis>) -> Vec<String> {
    let any = rows.iter().any(|row| columns(false).any(|column| column.text(row, "") == NOT_RUN));
    let not_run = any.then(|| {
        format!("not run: the model runs exchanges of up to {MEASURED_UP_TO} terminals for this table")
    });
    let synthesis = synthesis.map(|synthesis| {
        let seeds = match synthesis.seeds {
            0 if synthesis.target.device().is_none() => "areas only; MHz is not measured".to_string(),
            0 => "areas only".into(),
            1 => "Fmax of seed 1".into(),
            seeds => format!("Fmax: median of seeds 1 to {seeds}"),
        };
        let (device, width) = (synthesis.target.title(), synthesis.width);
        let inputs = if synthesis.target.library().lut_inputs() == 4 { "four" } else { "up to six" };
        format!(
            "LUT (of {inputs} inputs), FF, BRAM, MHz: D_exchange, words of {width} bits, on {device}; {seeds}"
        )
    });
    not_run.into_iter().chain(synthesis).collect()
}

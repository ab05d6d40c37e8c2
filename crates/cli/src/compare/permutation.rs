//! What knowing the schedule buys: permutations of messages, bit after bit, on the Beneš network, whose settings are computed
//! before anything moves, and on the dilated butterfly, whose switches find out as the bits come.

use super::table::MEASURED_UP_TO;
use crate::args::CompareFormat;
use crate::dilated;
use crate::table::render;
use crate::ui::HEAD;
use anyhow::{Context, Result, bail};
use frit_router::dilated::{Mode, Packets, Parameters, Switch, claims, packets::permutations};
use frit_schedule::benes::plan_with_permutation;
use serde_json::{Value, json};

/// Bits of a message, without a header.
const PAYLOAD: u32 = 32;
/// The seed of permutations and intermediate rows.
const SEED: u64 = 1;
/// A chance that some bundle is too small, for its default size.
const CHANCE: f64 = 1e-3;

/// The columns, in CSV and JSON and for people.
const COLUMNS: [&str; 11] = [
    "system",
    "options",
    "terminals",
    "messages",
    "steps",
    "delivered",
    "stages",
    "switches",
    "wires",
    "queue_bits",
    "stored_bits",
];

/// What is below the table.
const NOTES: [&str; 3] = [
    "messages: 32-bit messages of each terminal, one permutation for each; steps: bit times from the first bit to the last delivered, one bit a wire and time",
    "benes: settings computed beforehand and stored, a bit of register behind each of a stage's outputs; the bits of all messages follow each other without a gap",
    "dilated: headers of 2n bits that the switches read, through random intermediate rows, edges for a chance of overload of 1/1000; its wires are all its edges, those to the sinks too",
];

/// The cells of a row, one for each of the columns.
type Row = [Value; 11];

/// The comparison in a format.
///
/// # Errors
///
/// A size that does not exist, and one beyond memory.
pub fn compare(terminals: u64, format: CompareFormat) -> Result<String> {
    if terminals > u64::from(MEASURED_UP_TO) {
        bail!("{terminals} terminals: permutations are compared for up to {MEASURED_UP_TO}");
    }
    let n = Parameters::new(terminals, 1, SEED).network()?.dimensions();
    let mut counts = vec![1, n];
    counts.dedup();
    let mut rows = vec![];
    for count in counts {
        if terminals > 2 {
            rows.push(benes(terminals as u32, count)?); // the smallest has four
        }
        for (switch, mode) in [
            (Switch::Strong, Mode::Unrolled),
            (Switch::Weak, Mode::Unrolled),
            (Switch::Strong, Mode::Barrier),
        ] {
            let bundle = claims::bundle_for(n, count, CHANCE);
            let parameters = Parameters { switch, mode, ..Parameters::new(terminals, bundle, SEED) };
            rows.push(dilated_row(parameters, count)?);
        }
    }
    Ok(match format {
        CompareFormat::Text => text(terminals, &rows),
        CompareFormat::Csv => lines(&rows, |cells| cells.join(",")),
        CompareFormat::Md => {
            let rule = format!("|{}\n", " --- |".repeat(COLUMNS.len()));
            let table = lines(&rows, |cells| format!("| {} |", cells.join(" | ")));
            let (head, body) = table.split_once('\n').unwrap_or((&table, ""));
            let notes: String = NOTES.iter().map(|note| format!("- {note}\n")).collect();
            format!("{head}\n{rule}{body}\n{notes}")
        }
        CompareFormat::Json => {
            let object = |row: &Row| -> Value {
                COLUMNS.iter().map(|name| name.to_string()).zip(row.iter().cloned()).collect()
            };
            let rows: Vec<Value> = rows.iter().map(object).collect();
            format!("{}\n", serde_json::to_string_pretty(&json!({ "terminals": terminals, "rows": rows }))?)
        }
    })
}

fn benes(terminals: u32, count: u32) -> Result<Row> {
    let drawn = permutations(terminals, count, SEED);
    let mut plans = (0..count).map(|k| {
        let permutation: Vec<u32> = (0..terminals).map(|s| drawn.of(s)[k as usize]).collect();
        plan_with_permutation(&permutation).context("the Benes network")
    });
    let plan = plans.next().context("no permutation")??;
    let mut delivered = frit_model::fast::exchange(&plan, None, &mut ()).run.delivered;
    for plan in plans {
        delivered += frit_model::fast::exchange(&plan?, None, &mut ()).run.delivered;
    }
    // The first bit takes as many steps as there are stages; the others follow, a bit a step.
    let steps = plan.cycles() + u64::from(count) * u64::from(PAYLOAD) - 1;
    let network = &plan.network;
    Ok([
        json!("benes"),
        json!(""),
        json!(terminals),
        json!(count),
        json!(steps),
        json!(delivered),
        json!(network.stages()),
        json!(network.switches()),
        json!(plan.wires()),
        json!(u64::from(network.stages()) * u64::from(terminals)),
        json!(network.switches() * u64::from(count)),
    ])
}

fn dilated_row(parameters: Parameters, count: u32) -> Result<Row> {
    let packets = Packets::new(parameters, &permutations(parameters.rows as u32, count, SEED))?;
    let outcome = dilated::run(&packets, false, |_| ());
    let network = packets.network();
    let [switch, mode] = dilated::words(&parameters);
    Ok([
        json!("dilated"),
        json!(format!("bundle={} switch={switch} mode={mode}", parameters.bundle)),
        json!(parameters.rows),
        json!(count),
        json!(outcome.steps),
        json!(outcome.delivered),
        json!(network.levels()),
        json!(network.switches()),
        json!(network.edges()),
        json!(network.edges() * u64::from(parameters.queue)),
        json!(0),
    ])
}

fn cells(row: &Row) -> Vec<String> {
    row.iter().map(|cell| cell.as_str().map_or(cell.to_string(), String::from)).collect()
}

/// The names of the columns, then the rows, a line each.
fn lines(rows: &[Row], line: impl Fn(Vec<String>) -> String) -> String {
    let head = line(COLUMNS.iter().map(|name| name.to_string()).collect());
    std::iter::once(head).chain(rows.iter().map(|row| line(cells(row)))).map(|line| line + "\n").collect()
}

fn text(terminals: u64, rows: &[Row]) -> String {
    let heads: Vec<String> = COLUMNS.iter().map(|name| name.replace('_', " ")).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let notes: String = NOTES.iter().map(|note| format!("{note}\n")).collect();
    format!("{HEAD}Permutations, N = {terminals}{HEAD:#}\n{}\n{notes}", render(&heads, &rows))
}

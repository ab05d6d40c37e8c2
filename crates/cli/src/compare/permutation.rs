//! What knowing the schedule buys: permutations of messages, bit after bit, on the Beneš network, whose settings are computed
//! before anything moves, on systems with a schedule for all pairs, and on the dilated butterfly, whose switches find out as
//! the bits come.

use super::area::Areas;
use super::table::MEASURED_UP_TO;
use crate::args::CompareFormat;
use crate::dilated;
use crate::table::render;
use crate::ui::HEAD;
use anyhow::{Context, Result, bail};
use frit_cells::design::dilated::Hardware;
use frit_model::h_relation::{closed_form, simulate};
use frit_router::dilated::{Mode, Packets, Parameters, Switch, claims, packets::permutations};
use frit_schedule::benes::plan_with_permutation;
use frit_schedule::{Plan, Request, plan};
use frit_traffic::Messages;
use frit_traffic::relation::Relation;
use serde_json::{Value, json};

/// Bits of a message, without a header.
const PAYLOAD: u32 = 32;
/// The seed of permutations and intermediate rows.
const SEED: u64 = 1;
/// A chance that some bundle is too small, for its default size.
const CHANCE: f64 = 1e-3;

/// Systems whose schedule, for all pairs, does not depend on the permutation.
const PLANNED: [&str; 3] = ["rls", "xor", "obf"];
/// Bits of a word there: a message bit by bit, an exchange for each, or all at once.
const WORDS: [u32; 2] = [1, PAYLOAD];

/// The columns, in CSV and JSON and for people.
const COLUMNS: [&str; 13] = [
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
    "luts",
    "ffs",
    "stored_bits",
];

/// What is below the table, before what is said of areas.
const NOTES: [&str; 4] = [
    "messages: 32-bit messages of each terminal, one permutation for each; steps: bit times from the first bit to the last delivered, one bit a wire and time",
    "benes: settings computed beforehand and stored, a bit of register behind each of a stage's outputs; the bits of all messages follow each other without a gap",
    "rls, xor, obf: their schedule for all pairs, whatever the permutation: a message goes when its pair's turn comes; word=1: bit by bit, each when the turn comes again",
    "dilated: headers of 2n bits that the switches read, through random intermediate rows, edges for a chance of overload of 1/1000; its wires are all its edges, those to the sinks too",
];

impl Areas<'_> {
    /// What is said of them below the table.
    fn note(&self) -> String {
        match self {
            Areas::Floor => "luts, ffs: the floor of the fabric's switches (docs/synth.md, docs/routers.md), without controllers and stored settings".into(),
            Areas::Mapped(target, _) => format!("luts, ffs: the fabric mapped by Yosys for {}, of dilated each kind of switch alone, times their number; without controllers and stored settings", target.device()),
        }
    }
}

/// The cells of a row, one for each of the columns.
type Row = [Value; 13];

/// The comparison in a format.
///
/// # Errors
///
/// A size that does not exist, and one beyond memory; Yosys, if it maps the fabrics, missing or failing.
pub fn compare(terminals: u64, format: CompareFormat, areas: &Areas) -> Result<String> {
    if terminals > u64::from(MEASURED_UP_TO) {
        bail!("{terminals} terminals: permutations are compared for up to {MEASURED_UP_TO}");
    }
    let n = Parameters::new(terminals, 1, SEED).network()?.dimensions();
    let mut counts = vec![1, n];
    counts.dedup();
    let mut rows = vec![];
    for count in counts {
        if terminals > 2 {
            // The smallest has four.
            rows.push(benes(terminals as u32, count, areas)?);
            for (system, word) in PLANNED.into_iter().flat_map(|key| WORDS.map(|word| (key, word))) {
                rows.push(planned(&plan(&Request::new(system, terminals))?, count, word, areas)?);
            }
        }
        for (switch, mode) in [
            (Switch::Strong, Mode::Unrolled),
            (Switch::Weak, Mode::Unrolled),
            (Switch::Strong, Mode::Barrier),
        ] {
            let bundle = claims::bundle_for(n, count, CHANCE);
            let parameters = Parameters { switch, mode, ..Parameters::new(terminals, bundle, SEED) };
            rows.push(dilated_row(parameters, count, areas)?);
        }
    }
    Ok(match format {
        CompareFormat::Text => text(terminals, &rows, areas),
        CompareFormat::Csv => lines(&rows, "", |cells| cells.join(",")),
        CompareFormat::Md => {
            let rule = format!("|{}\n", " --- |".repeat(COLUMNS.len()));
            let table = lines(&rows, "-", |cells| format!("| {} |", cells.join(" | ")));
            let (head, body) = table.split_once('\n').unwrap_or((&table, ""));
            format!("{head}\n{rule}{body}\n{}", notes(areas, "- "))
        }
        CompareFormat::Json => {
            let object = |row: &Row| -> Value {
                COLUMNS.iter().map(|name| name.to_string()).zip(row.iter().cloned()).collect()
            };
            let rows: Vec<Value> = rows.iter().map(object).collect();
            let report = json!({ "terminals": terminals, "area": areas.name(), "rows": rows });
            format!("{}\n", serde_json::to_string_pretty(&report)?)
        }
    })
}

fn benes(terminals: u32, count: u32, areas: &Areas) -> Result<Row> {
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
    let (luts, ffs) = areas.planned(&plan, 1)?;
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
        json!(luts),
        json!(ffs),
        json!(network.switches() * u64::from(count)),
    ])
}

/// The pairs of the permutations, each `times` times.
fn relation(terminals: u32, messages: &Messages, times: u32) -> Result<Relation> {
    let of = |source| messages.of(source).iter().map(move |&to| (source, to));
    let pairs = (0..terminals).flat_map(of).flat_map(|pair| std::iter::repeat_n(pair, times as usize));
    Ok(Relation::from_pairs(terminals, &pairs.collect::<Vec<_>>())?)
}

fn planned(plan: &Plan, count: u32, word: u32, areas: &Areas) -> Result<Row> {
    let network = &plan.network;
    let terminals = network.terminals();
    let drawn = permutations(terminals, count, SEED);
    let delivered = simulate(plan, &relation(terminals, &drawn, 1)?).delivered;
    let cost = closed_form(plan, &relation(terminals, &drawn, PAYLOAD / word)?);
    let steps = cost.with_context(|| format!("{}: a pair has no turn", plan.name()))?.steps;
    let registers = u64::from(network.lanes()) * u64::from(plan.entry_delay + network.stages());
    let (luts, ffs) = areas.planned(plan, word)?;
    Ok([
        json!(plan.system),
        json!(format!("word={word}")),
        json!(terminals),
        json!(count),
        json!(steps),
        json!(delivered),
        json!(network.stages()),
        json!(network.switches()),
        json!(plan.wires() * u64::from(word)),
        json!(registers * u64::from(word)),
        json!(luts),
        json!(ffs),
        json!(plan.figures.stored_bits),
    ])
}

fn dilated_row(parameters: Parameters, count: u32, areas: &Areas) -> Result<Row> {
    let packets = Packets::new(parameters, &permutations(parameters.rows as u32, count, SEED))?;
    let outcome = dilated::run(&packets, false, |_| ());
    let network = packets.network();
    let [switch, mode] = dilated::words(&parameters);
    // Too large a network has none either.
    let area = Hardware::new(&packets).ok().map(|hardware| areas.routed(&hardware)).transpose()?;
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
        json!(area.map(|(luts, _)| luts)),
        json!(area.map(|(_, ffs)| ffs)),
        json!(0),
    ])
}

/// The cells as text, `none` where there is no figure.
fn cells(row: &Row, none: &str) -> Vec<String> {
    let cell = |cell: &Value| match cell {
        Value::Null => none.to_string(),
        Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    row.iter().map(cell).collect()
}

/// The names of the columns, then the rows, a line each.
fn lines(rows: &[Row], none: &str, line: impl Fn(Vec<String>) -> String) -> String {
    let head = line(COLUMNS.iter().map(|name| name.to_string()).collect());
    std::iter::once(head)
        .chain(rows.iter().map(|row| line(cells(row, none))))
        .map(|line| line + "\n")
        .collect()
}

/// What is below the table, a line each.
fn notes(areas: &Areas, bullet: &str) -> String {
    let all = NOTES.iter().map(|note| note.to_string()).chain([areas.note()]);
    all.map(|note| format!("{bullet}{note}\n")).collect()
}

fn text(terminals: u64, rows: &[Row], areas: &Areas) -> String {
    let heads: Vec<String> = COLUMNS.iter().map(|name| name.replace('_', " ")).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row, "-")).collect();
    let table = render(&heads, &rows);
    format!("{HEAD}Permutations, N = {terminals}{HEAD:#}\n{table}\n{}", notes(areas, ""))
}

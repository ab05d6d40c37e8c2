//! Where the area of modules goes, printed.

use crate::table;
use crate::ui::HEAD;
use frit_cosim::synth::{Area, Share, SynthReport, SynthRow};
use serde_json::{Value, json};

/// What stands for logic that no cell has.
const BETWEEN: &str = "(between cells)";

/// A table for each module that was mapped so.
pub fn text(report: &SynthReport) -> String {
    report.rows.iter().filter(|row| !row.shares.is_empty()).map(table).collect()
}

fn table(row: &SynthRow) -> String {
    let all = sum(&row.shares);
    let part = |of: u64, all: u64| {
        if all == 0 { "-".into() } else { format!("{:.1}", 100.0 * of as f64 / all as f64) }
    };
    let line = |name: &str, count: String, area: &Area| -> Vec<String> {
        let numbers = [area.luts, area.ffs, area.carries, area.brams].map(|number| number.to_string());
        let [luts, ffs, carries, brams] = numbers;
        let luts_part = part(area.luts, all.luts);
        vec![name.into(), count, luts, luts_part, ffs, part(area.ffs, all.ffs), carries, brams, other(area)]
    };
    let name = |share: &Share| if share.kind.is_empty() { BETWEEN.to_string() } else { share.kind.clone() };
    let mut lines: Vec<Vec<String>> = Vec::new();
    for share in &row.shares {
        let count = if share.kind.is_empty() { String::new() } else { share.count.to_string() };
        lines.push(line(&name(share), count, &share.area));
    }
    lines.push(line("sum of the kinds", String::new(), &all));
    lines.push(line("mapped whole", String::new(), &row.area));
    let header = ["kind", "count", "LUT4", "%", "FF", "%", "carry", "BRAM", "besides"];
    format!("\n{HEAD}area of {} by kind of cell{HEAD:#}\n{}", row.name, table::render(&header, &lines))
}

/// Cells of other types.
fn other(area: &Area) -> String {
    let cells: Vec<String> = area.other.iter().map(|(cell, count)| format!("{count} {cell}")).collect();
    cells.join(" ")
}

pub fn sum(shares: &[Share]) -> Area {
    let mut all = Area::default();
    for Share { area, .. } in shares {
        all.luts += area.luts;
        all.ffs += area.ffs;
        all.carries += area.carries;
        all.brams += area.brams;
        for (cell, count) in &area.other {
            *all.other.entry(cell.clone()).or_default() += count;
        }
    }
    all
}

/// The member of JSON: null if it was not asked for.
pub fn json(row: &SynthRow) -> Value {
    let share = |Share { kind, count, area }: &Share| {
        json!({
            "kind": if kind.is_empty() { Value::Null } else { kind.clone().into() }, "count": count,
            "luts": area.luts, "ffs": area.ffs, "carries": area.carries, "brams": area.brams, "other": area.other,
        })
    };
    match row.shares.as_slice() {
        [] => Value::Null,
        shares => shares.iter().map(share).collect(),
    }
}

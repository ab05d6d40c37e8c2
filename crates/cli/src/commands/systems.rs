//! `frit systems`.

use crate::args::{Format, SystemsArgs};
use crate::table::pairs;
use crate::ui::{HEAD, Ui, pretty};
use crate::{Verdict, catalog};
use anyhow::Result;
use frit_design::catalog::about;
use frit_network::options::{Row, Values};
use serde_json::Value;

pub fn run(ui: &Ui, args: &SystemsArgs) -> Result<Verdict> {
    let text = match args.format {
        Format::Json => {
            let systems: Vec<Value> = catalog::rows().map(member).collect();
            pretty(&systems)?
        }
        Format::Text => {
            let brief = |row: &Row| format!("{HEAD}{}{HEAD:#}: {}\n", row.key, row.title);
            let others = [&frit_schedule::user::ROW, &frit_demand::ideal::ROW].map(brief);
            catalog::rows().map(text).chain(others).collect::<Vec<_>>().join("\n")
        }
    };
    ui.print(&text)?;
    Ok(Verdict::Fine)
}

fn member(row: &Row) -> Value {
    about(row, catalog::kind(row))
}

fn text(row: &Row) -> String {
    let (cycles, try_it) = match catalog::kind(row) {
        "routed" => ("steps", "route"),
        _ => ("cycles", "simulate"),
    };
    let mut rows = vec![
        ("sizes", row.sizes.to_string()),
        (cycles, row.cycles.to_string()),
        ("drivers", row.drivers.to_string()),
        ("source", row.paper.to_string()),
    ];
    for spec in row.options {
        let default = match spec.values {
            Values::Number { default, .. } => format!(", default {default}"),
            _ => String::new(),
        };
        rows.push(("option", format!("{spec} ({}{default})", spec.help)));
    }
    rows.push(("try", format!("frit {try_it} {} -n {}", row.key, row.example)));
    format!("{HEAD}{}{HEAD:#}: {}\n{}", row.key, row.title, pairs(&rows))
}

//! All systems in one list: the planned ones, the routed ones, the streamed ones; and a row as JSON.

use frit_network::options::{NumberDefault, OptionSpec, Row, Values};
use frit_permute::{STREAMED, streamed_row};
use frit_router::{ROUTED, routed};
use frit_schedule::SYSTEMS;
use serde_json::{Value, json};

/// The rows of all systems, planned ones first, in the order of their tables.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    let planned = SYSTEMS.iter().map(|system| system.row);
    planned.chain(ROUTED.iter().map(|system| system.row)).chain(STREAMED.iter().copied())
}

/// Whether this system has rounds (`planned`), is given traffic (`routed`), or brings a stream into another order (`streamed`).
pub fn kind(row: &Row) -> &'static str {
    match routed(row.key) {
        Some(_) => "routed",
        None if streamed_row(row.key).is_some() => "streamed",
        None => "planned",
    }
}

/// A row of the table as `frit systems --format json` has it; `kind` is what [`kind`] says.
pub fn about(row: &Row, kind: &str) -> Value {
    json!({
        "system": row.key, "kind": kind, "title": row.title, "sizes": row.sizes, "cycles": row.cycles,
        "drivers": row.drivers, "source": row.paper, "options": row.options.iter().map(option).collect::<Vec<_>>(),
    })
}

/// An option of a system or of a command. A number has a range in place of words; a default that is computed is a formula.
pub fn option(spec: &OptionSpec) -> Value {
    let mut member = json!({
        "name": spec.name, "values": spec.values.words(), "default": spec.values.default(), "help": spec.help,
        "compared": spec.compared,
    });
    if let Values::Number { min, max, default } = spec.values {
        member["range"] = json!([min, max]);
        member["default"] = match default {
            NumberDefault::Fixed(number) => number.into(),
            NumberDefault::Computed(formula) => formula.into(),
        };
    }
    member
}

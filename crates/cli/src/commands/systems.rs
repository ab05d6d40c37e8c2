//! `frit systems`.

use crate::Verdict;
use crate::args::{Format, SystemsArgs};
use crate::table::pairs;
use crate::ui::{HEAD, Ui};
use anyhow::Result;
use frit_schedule::SYSTEMS;
use serde_json::json;

pub fn run(ui: &Ui, args: &SystemsArgs) -> Result<Verdict> {
    let text = match args.format {
        Format::Json => {
            let systems: Vec<_> = SYSTEMS
                .iter()
                .map(|s| {
                    let options: Vec<_> = s
                        .options
                        .iter()
                        .map(|o| json!({"name": o.name, "values": o.values, "default": o.default(), "help": o.help, "compared": o.compared}))
                        .collect();
                    json!({
                        "system": s.key, "title": s.title, "sizes": s.sizes, "cycles": s.cycles,
                        "drivers": s.drivers, "source": s.paper, "options": options,
                    })
                })
                .collect();
            format!("{}\n", serde_json::to_string_pretty(&systems)?)
        }
        Format::Text => SYSTEMS
            .iter()
            .map(|s| {
                let mut rows = vec![
                    ("sizes", s.sizes.to_string()),
                    ("cycles", s.cycles.to_string()),
                    ("drivers", s.drivers.to_string()),
                    ("source", s.paper.to_string()),
                ];
                for o in s.options {
                    rows.push(("option", format!("{}={} ({})", o.name, o.values.join("|"), o.help)));
                }
                rows.push(("try", format!("frit simulate {} -n {}", s.key, s.example)));
                format!("{HEAD}{}{HEAD:#}: {}\n{}", s.key, s.title, pairs(&rows))
            })
            .collect::<Vec<_>>()
            .join("\n"),
    };
    ui.print(&text)?;
    Ok(Verdict::Fine)
}

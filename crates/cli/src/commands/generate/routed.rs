//! What `frit generate` does with the files of a routed system.

use crate::Verdict;
use crate::args::{Format, GenerateArgs};
use crate::ui::{HEAD, Ui};
use anyhow::Result;
use frit_cosim::output::OutputFolder;
use serde_json::{Value, json};

/// Writes the files of a design and says so; `figures` are members of the JSON.
pub fn write(
    ui: &Ui,
    args: &GenerateArgs,
    name: &str,
    files: &[(String, String)],
    figures: Value,
) -> Result<Verdict> {
    OutputFolder::open(&args.output)?.write(files, args.force)?;
    match args.format {
        Format::Json => {
            let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
            let mut value = json!({
                "design": name, "folder": args.output, "files": names, "seed": args.payload.seed,
                "fault": args.fault,
            });
            if let (Some(value), Value::Object(figures)) = (value.as_object_mut(), figures) {
                value.extend(figures);
            }
            ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
        }
        Format::Text => {
            let mut text = format!("{HEAD}{name}{HEAD:#} in {}\n", args.output.display());
            for (name, contents) in files {
                text += &format!("  {name:40} {:>8} bytes\n", contents.len());
            }
            text += &format!("Next: make -C {} sim\n", args.output.display());
            ui.say(&text)?;
        }
    }
    Ok(Verdict::Fine)
}

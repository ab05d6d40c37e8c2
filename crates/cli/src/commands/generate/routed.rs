//! What `frit generate` does with the files of a routed system.

use super::{about_cells, listed, write_files};
use crate::Verdict;
use crate::args::{Format, GenerateArgs};
use crate::ui::{HEAD, Ui};
use anyhow::Result;
use frit_design::generate::Written;
use serde_json::{Value, json};

/// Writes the files of a design and says so.
pub fn write(ui: &Ui, args: &GenerateArgs, written: Written) -> Result<Verdict> {
    let Written { name, files, about } = written;
    write_files(args, &files)?;
    match args.format {
        Format::Json => {
            let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
            let mut value = json!({
                "design": name, "folder": args.output, "files": names, "seed": args.payload.seed,
                "fault": args.fault, "cells": about_cells(args),
            });
            if let (Some(value), Value::Object(about)) = (value.as_object_mut(), about) {
                value.extend(about);
            }
            ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
        }
        Format::Text => {
            let mut text = format!("{HEAD}{name}{HEAD:#} in {}\n", args.output.display());
            text += &listed(args, &files);
            text += &format!("Next: make -C {} sim\n", args.output.display());
            ui.say(&text)?;
        }
    }
    Ok(Verdict::Fine)
}

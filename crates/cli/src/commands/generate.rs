//! `frit generate`.

use crate::Verdict;
use crate::args::{Format, GenerateArgs};
use crate::emitted::named;
use crate::kind::{Core, Cores};
use crate::ui::{HEAD, Ui, pretty};
use anyhow::Result;
use frit_design::generate::{Cells, Form, Written};
use frit_rtl::datasheet::ports;
use frit_rtl::library::NAME;
use frit_trace::output::{OutputFolder, refuse_links};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

mod interface;
mod library;

pub fn run(ui: &Ui, args: &GenerateArgs) -> Result<Verdict> {
    let cores = Cores::asked("generate", &args.core)?;
    let core = cores.one()?;
    let place = args.place_of_cells()?;
    let cells = place.folder();
    let Written { name, files, top, targets, about } = core.kind.generate(&core, args, &form(args, place))?;
    let before = write_files(args, &files, cells)?;
    warn_of_other_layouts(ui, &core, args, &name, before)?;
    let make = format!("make -C {} {}", args.output.display(), targets.join(" "));
    match args.format {
        Format::Json => {
            let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
            let mut value = json!({
                "design": name, "folder": args.output, "files": names, "seed": args.core.payload.seed,
                "fault": args.fault, "cells": about_cells(cells), "top": top.name, "ports": ports(&top), "make": make,
            });
            if let (Some(value), Value::Object(about)) = (value.as_object_mut(), about) {
                value.extend(about);
            }
            ui.print(&pretty(&value)?)?;
        }
        Format::Text => {
            let more = if ui.verbose() { "" } else { " (-v lists them)" };
            let beside = cells.map(|folder| format!(", cells in {folder}/")).unwrap_or_default();
            let (folder, count) = (args.output.display(), files.len());
            let mut text = format!("{HEAD}{name}{HEAD:#} in {folder}: {count} files{beside}{more}\n");
            if ui.verbose() {
                text += &listed(cells, &files);
            }
            if let Some(origin) = about["payload"].as_str() {
                text += &format!("Payload of the testbench: {origin}\n");
            }
            if let Some(streams) = about["streams"].as_object() {
                let advice = match streams["sets"].as_u64() {
                    Some(1) => format!("; with --buffers 2 every {}", streams["period_of_two_sets"]),
                    _ => String::new(),
                };
                text +=
                    &format!("Rate: an exchange begins every {} cycles at best{advice}\n", streams["period"]);
            }
            text += &format!("Top: {HEAD}{}{HEAD:#}\n{}Next: {make}\n", top.name, interface::lines(&top));
            ui.say(&text)?;
        }
    }
    Ok(Verdict::Fine)
}

/// How the text of a design is written.
fn form<'a>(args: &'a GenerateArgs, cells: Cells<'a>) -> Form<'a> {
    Form {
        style: named(args.fabric_style),
        cells,
        fault: args.fault.as_deref(),
        name: args.name.as_deref(),
        units: args.units,
    }
}

/// Writes the files of a design, and the cells that designs share into their folder; what else frit has written there before.
fn write_files(args: &GenerateArgs, files: &[(String, String)], cells: Option<&str>) -> Result<Vec<String>> {
    let folder = OutputFolder::open(&args.output)?;
    folder.refuse(files, args.force)?;
    if let Some(cells) = cells {
        refuse_links(&args.output, Path::new(cells))?;
        library::write(&args.output.join(cells), args.force)?;
    }
    folder.write(files, args.force)?;
    Ok(folder.others(files))
}

/// Warns of Verilog files of this design that an earlier run has written into the folder in another layout.
fn warn_of_other_layouts(
    ui: &Ui,
    core: &Core,
    args: &GenerateArgs,
    design: &str,
    before: Vec<String>,
) -> Result<()> {
    let mut old: Vec<String> =
        before.into_iter().filter(|name| name.starts_with(design) && name.ends_with(".v")).collect();
    if old.is_empty() {
        return Ok(());
    }
    let mut names = BTreeSet::new();
    let present = args.place_of_cells()?;
    let layouts = [Cells::OneFile, Cells::Prefix, Cells::Folder(NAME)];
    for cells in layouts.into_iter().filter(|cells| *cells != present) {
        let written = core.kind.generate(core, args, &form(args, cells))?;
        names.extend(written.files.into_iter().map(|(name, _)| name));
    }
    old.retain(|name| names.contains(name));
    if !old.is_empty() {
        ui.warn(&format!(
            "{}: {} of another --layout; a tool that reads all files here finds modules twice, so remove {}",
            args.output.display(),
            if old.len() == 1 { "a file is".into() } else { format!("{} files are", old.len()) },
            old.join(" ")
        ));
    }
    Ok(())
}

/// What the JSON says of the cells that designs share.
fn about_cells(folder: Option<&str>) -> Value {
    folder.map_or(Value::Null, |folder| json!({ "folder": folder, "core": library::vlnv() }))
}

/// The lines that name the files of a design.
fn listed(cells: Option<&str>, files: &[(String, String)]) -> String {
    let line = |(name, contents): &(String, String)| format!("  {name:40} {:>8} bytes\n", contents.len());
    let cells = cells.map(|folder| {
        let used = used_cells(folder, files);
        let all = library::cells();
        format!(
            "  {folder}/ with {}: the library of {all} cells, of which this design uses {used}\n",
            library::vlnv()
        )
    });
    files.iter().map(line).chain(cells).collect()
}

/// How many cells of the shared folder the file lists name.
fn used_cells(folder: &str, files: &[(String, String)]) -> usize {
    let lists = files.iter().filter(|(name, _)| name.ends_with(".f"));
    let named =
        lists.flat_map(|(_, text)| text.lines()).filter(|line| line.starts_with(&format!("{folder}/")));
    named.collect::<BTreeSet<_>>().len()
}

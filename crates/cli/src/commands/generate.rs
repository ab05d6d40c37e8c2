//! `frit generate`.

use super::dilated::refuse_packets;
use crate::Verdict;
use crate::args::{Format, GenerateArgs};
use crate::design::design;
use crate::emitted::{check_size, named, need_memory};
use crate::payload::{check_payload_size, messages, random};
use crate::ui::{HEAD, Ui};
use anyhow::{Result, ensure};
use frit_cosim::prototype;
use frit_design::generate::{Cells, Form, Tops, Written, exchange};
use frit_design::package::about_streams;
use frit_router::Router;
use frit_trace::output::{OutputFolder, refuse_links};
use serde_json::{Value, json};
use std::path::Path;

mod crossbar;
pub(super) mod dilated;
mod library;
mod loaded;
pub(super) mod multibutterfly;
mod routed;
mod streamed;

pub fn run(ui: &Ui, args: &GenerateArgs, routed: impl Fn(&dyn Router) -> Result<Verdict>) -> Result<Verdict> {
    if args.crossbar.crossbar {
        return crossbar::run(ui, args);
    }
    if args.loaded.asked() {
        return loaded::run(ui, args);
    }
    let design = design(&args.design)?;
    if let Some(router) = design.routed() {
        return routed(router);
    }
    if let Some(plan) = design.streamed() {
        return streamed::run(ui, args, &design, plan);
    }
    refuse_packets(&args.design.system, &args.packets)?;
    let system = &args.design.system;
    ensure!(
        !args.units,
        "--units does not apply to {system}: only routed systems have a testbench of their modules one by one"
    );
    let form = form(args);
    let plan = &form.named(design.plan()?);
    check_size(plan)?;
    let data_bits = design.width(&args.width)?;
    let streams = args.streams.streams(data_bits)?;
    let width = args.streams.word_bits(data_bits)?;
    let terminals = plan.network.terminals();
    check_payload_size(terminals, width)?;
    need_memory(plan, width)?;
    let messages = match messages(&args.payload, plan, width)? {
        Some(messages) => messages,
        None => random(&args.payload, plan, width)?,
    };
    let divider = || prototype::divider(args.selftest.clock, args.selftest.baud);
    let selftest = args.selftest.selftest.then(divider).transpose()?;
    let tops = Tops { streams, reset: args.streams.exchange_reset(), selftest };
    let Written { name, files, .. } = exchange(plan, width, &messages.payload, &form, &tops)?;
    write_files(args, &files)?;
    match args.format {
        Format::Json => {
            let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
            let streams = streams.map(|streams| about_streams(plan, width, streams, &files));
            let value = json!({
                "design": name, "folder": args.output, "files": names,
                "seed": args.payload.seed, "payload": messages.origin, "fault": args.fault,
                "streams": streams, "cells": about_cells(args),
            });
            ui.print(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
        }
        Format::Text => {
            let mut text = format!("{HEAD}{name}{HEAD:#} in {}\n", args.output.display());
            text += &listed(args, &files);
            text += &format!("  payload of the testbench: {}\n", messages.origin);
            text += &format!("Next: make -C {} sim\n", args.output.display());
            ui.say(&text)?;
        }
    }
    Ok(Verdict::Fine)
}

/// How the text of a design is written.
fn form(args: &GenerateArgs) -> Form<'_> {
    Form {
        style: named(args.fabric_style),
        cells: args.cells.folder().map_or(Cells::Prefix, Cells::Folder),
        fault: args.fault.as_deref(),
        name: args.name.as_deref(),
        units: args.units,
    }
}

/// Writes the files of a design, and the cells that designs share into their folder.
fn write_files(args: &GenerateArgs, files: &[(String, String)]) -> Result<()> {
    let folder = OutputFolder::open(&args.output)?;
    folder.refuse(files, args.force)?;
    if let Some(cells) = args.cells.folder() {
        refuse_links(&args.output, Path::new(cells))?;
        library::write(&args.output.join(cells), args.force)?;
    }
    Ok(folder.write(files, args.force)?)
}

/// What the JSON says of the cells that designs share.
fn about_cells(args: &GenerateArgs) -> Value {
    args.cells.folder().map_or(Value::Null, |folder| json!({ "folder": folder, "core": library::vlnv() }))
}

/// The lines that name the files of a design.
fn listed(args: &GenerateArgs, files: &[(String, String)]) -> String {
    let line = |(name, contents): &(String, String)| format!("  {name:40} {:>8} bytes\n", contents.len());
    let cells = args.cells.folder().map(|folder| {
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
    named.collect::<std::collections::BTreeSet<_>>().len()
}

//! `frit generate`.

use super::dilated::refuse_packets;
use crate::Verdict;
use crate::args::{CellsArg, Format, GenerateArgs};
use crate::design::design;
use crate::emitted::{check_size, need_memory, style};
use crate::package::{about_streams, package};
use crate::payload::{check_payload_size, messages, random};
use crate::ui::{HEAD, Ui};
use anyhow::Result;
use frit_cells::design::axis::{self, Face, Streams};
use frit_cells::design::reset;
use frit_cells::fault::{PlantedFault, inject};
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::Style;
use frit_cosim::prototype;
use frit_cosim::verify::{design_files, reset_files, stream_files};
use frit_router::Router;
use frit_rtl::Files;
use frit_schedule::Plan;
use frit_schedule::plan::Variant;
use frit_trace::output::OutputFolder;
use serde_json::{Value, json};

pub(super) mod dilated;
mod library;
pub(super) mod multibutterfly;
mod routed;
mod streamed;

pub fn run(ui: &Ui, args: &GenerateArgs, routed: impl Fn(&dyn Router) -> Result<Verdict>) -> Result<Verdict> {
    let design = design(&args.design)?;
    if let Some(router) = design.routed() {
        return routed(router);
    }
    if let Some(plan) = design.streamed() {
        return streamed::run(ui, args, &design, plan);
    }
    refuse_packets(&args.design.system, &args.packets)?;
    let style = style(args.fabric_style, design.plan()?);
    let plan = &Plan { variant: variant(style, args), ..design.plan()?.clone() };
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
    let mut netlist = frit_cells::design::build(plan, width);
    if style == Style::Unrolled {
        netlist.make_width_a_parameter(width, &frit_cells::design::build(plan, width + 1));
    }
    let library = place_cells(&mut netlist, &args.cells);
    if let Some(fault) = &args.fault {
        inject(&mut netlist, fault.parse::<PlantedFault>()?)?;
    }
    let mut files = design_files(plan, &messages.payload, &netlist, style, library)?;
    let mut tops = Vec::new();
    let reset = args.streams.exchange_reset();
    if let Some(reset) = reset {
        let mut netlist = reset::build(plan, width, reset);
        if style == Style::Unrolled {
            netlist.make_width_a_parameter(width, &reset::build(plan, width + 1, reset));
        }
        place_cells(&mut netlist, &args.cells);
        add(&mut files, reset_files(plan, width, reset, &netlist, style, library));
        tops.push(netlist);
    }
    for streams in faces(streams) {
        let mut netlist = axis::build(plan, width, streams)?;
        place_cells(&mut netlist, &args.cells);
        // Bundles have the bytes of one width.
        if style == Style::Unrolled && matches!(streams.face, Face::Packed(_)) {
            netlist.make_width_a_parameter(width, &axis::build(plan, width + 1, streams)?);
        }
        add(&mut files, stream_files(plan, width, streams, &netlist, style, library));
        tops.push(netlist);
    }
    let selftest = args.selftest.selftest.then(|| selftest(args, plan, width)).transpose()?;
    let (selftest, more) = selftest.unzip();
    add(&mut files, more.unwrap_or_default());
    let modules: Vec<_> = [&netlist].into_iter().chain(&tops).chain(&selftest).map(Netlist::top).collect();
    let command = match reset {
        Some(reset) => frit_rtl::reset::generator(plan, width, reset),
        None => frit_rtl::streams::generator(plan, width, streams),
    };
    let command = command + if selftest.is_some() { " --selftest" } else { "" };
    files.extend(package(plan, &modules, width, command, library, &files));
    write_files(args, &files)?;
    let name = plan.design_name(width);
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

/// The tops with streams: the one asked for, before it that with packed ports, whose core has what they share.
fn faces(asked: Option<Streams>) -> impl Iterator<Item = Streams> {
    asked.into_iter().flat_map(|streams| {
        let packed = Streams::packed(streams.words, streams.sets);
        Some(packed).filter(|packed| *packed != streams).into_iter().chain([streams])
    })
}

/// In what else the text of a design differs from that of others with the same options: part of its name.
fn variant(style: Style, args: &GenerateArgs) -> Option<Variant> {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let compact = (style == Style::Compact).then(|| ("compact".into(), " --fabric-style compact".into()));
    let own = (args.cells == CellsArg::Prefix).then(|| ("own".into(), " --cells prefix".into()));
    let fault = args.fault.as_ref().map(|fault| {
        let letters: String = fault.chars().map(letter).collect();
        (format!("fault_{letters}"), format!(" --fault {fault}"))
    });
    let (names, arguments): (Vec<String>, Vec<String>) = [compact, own, fault].into_iter().flatten().unzip();
    (!names.is_empty()).then(|| Variant { name: names.join("_"), arguments: arguments.concat() })
}

/// Names the cells of a netlist as they are to be placed; the folder of those that designs share.
fn place_cells<'a>(netlist: &mut Netlist, cells: &'a CellsArg) -> Option<&'a str> {
    if *cells == CellsArg::Prefix {
        netlist.names.prefix = Some(netlist.names.design.clone());
    }
    cells.folder()
}

/// Writes the files of a design, and the cells that designs share into their folder.
fn write_files(args: &GenerateArgs, files: &[(String, String)]) -> Result<()> {
    let folder = OutputFolder::open(&args.output)?;
    folder.refuse(files, args.force)?;
    if let Some(cells) = args.cells.folder() {
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

/// Adds the files of another top; cells and modules that both tops use are the same.
fn add(files: &mut Files, more: Files) {
    for (name, text) in more {
        if !files.iter().any(|(other, _)| *other == name) {
            files.push((name, text));
        }
    }
}

/// The self-test and its files.
fn selftest(args: &GenerateArgs, plan: &Plan, width: u32) -> Result<(Netlist, Files)> {
    let divider = prototype::divider(args.selftest.clock, args.selftest.baud)?;
    let mut netlist = frit_cells::design::selftest::build(plan, width, divider);
    let library = place_cells(&mut netlist, &args.cells);
    if let Some(fault) = &args.fault {
        inject(&mut netlist, fault.parse::<PlantedFault>()?)?;
    }
    let files = prototype::selftest_files(plan, width, divider, &netlist, library);
    Ok((netlist, files))
}

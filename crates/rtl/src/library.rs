//! The cells that designs share, a core of its own, and where a design finds them.
//!
//! The text of these cells is the same in every design, so a project with several designs has them once: in FuseSoC and Bender each
//! design depends on this core. Its version is a digest of its content: one version, one text.

use crate::Files;
use crate::template::{context, fill};
use frit_cells::cells::CellSpec;
use frit_cells::netlist::Netlist;
use frit_cells::netlist::print::{self, Style, cell_file};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The name of the core, and of its folder.
pub const NAME: &str = "frit_cells";

/// The shared cells as files, in the order of their names.
fn cell_files() -> Files {
    let shared = CellSpec::all().into_iter().filter(CellSpec::is_shared);
    let mut files: Files = shared.map(|spec| cell_file(&spec)).map(|file| (file.name, file.text)).collect();
    files.sort();
    files
}

/// How many cells designs share.
pub fn cells() -> usize {
    CellSpec::all().iter().filter(|spec| spec.is_shared()).count()
}

/// The version of the core: `0.` and 48 bits of the SHA-256 of names and texts, as a decimal number (tools that compare versions
/// read numbers).
pub fn version() -> String {
    let mut sum = Sha256::new();
    for (name, text) in cell_files() {
        sum.update(format!("{name} {}\n{text}", text.len()));
    }
    let number = sum.finalize().iter().take(6).fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    format!("0.{number}")
}

/// The name by which FuseSoC knows the core.
pub fn vlnv() -> String {
    format!("fritillary:cells:{NAME}:{}", version())
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Library {
    name: &'static str,
    vlnv: String,
    rtl: Vec<String>,
}

/// The folder of the cells: their files, a file list, a FuseSoC core, a Bender package, and why it is whole.
pub fn files() -> Files {
    let mut files = cell_files();
    let rtl: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    let values = context(&Library { name: NAME, vlnv: vlnv(), rtl });
    let mut add = |name: String, template| files.push((name, fill(template, &values)));
    add(format!("{NAME}.f"), include_str!("../testbench/cells/files.f.tera"));
    add(format!("{NAME}.core"), include_str!("../testbench/cells/core.tera"));
    add("Bender.yml".into(), include_str!("../testbench/cells/Bender.yml.tera"));
    add("README.md".into(), include_str!("../testbench/cells/README.md.tera"));
    files
}

/// The Verilog of a netlist, as the folder of a design has it.
pub struct Sources {
    /// The files that belong into the folder.
    pub files: Files,
    /// Every file that is needed, in the order in which tools should read them, relative to the folder.
    pub list: Vec<String>,
}

impl Sources {
    /// The files of `netlist`; the shared cells are in the folder `library` (relative, with `/` between its parts), or among the
    /// files. If one file has all modules, the list names that one; [`in_one_file`] makes it.
    pub fn new(netlist: &Netlist, style: Style, library: Option<&str>) -> Self {
        let mut sources = Sources { files: Vec::new(), list: Vec::new() };
        for file in print::files(netlist, style) {
            match library.filter(|_| file.shared) {
                Some(folder) => sources.list.push(format!("{folder}/{}", file.name)),
                None => {
                    sources.list.push(file.name.clone());
                    sources.files.push((file.name, file.text));
                }
            }
        }
        if netlist.names.one_file {
            sources.list = vec![format!("{}.v", netlist.names.design)];
        }
        sources
    }
}

/// The modules of a design in one file `name`, the last one first: a reader sees the top, then what it consists of.
pub fn in_one_file(files: Files, name: &str) -> Files {
    let (modules, mut files): (Files, Files) = files.into_iter().partition(|(name, _)| name.ends_with(".v"));
    files.insert(0, (name.into(), print::joined(modules.iter().rev().map(|(_, text)| text.as_str()))));
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    #[test]
    fn the_version_follows_the_content_and_every_file_is_named() {
        let files = files();
        let core = &files.iter().find(|(name, _)| name == "frit_cells.core").unwrap().1;
        assert!(core.contains(&format!("name: fritillary:cells:frit_cells:{}\n", version())), "{core}");
        assert!(version()[2..].bytes().all(|byte| byte.is_ascii_digit()), "{}", version());
        let verilog = files.iter().filter(|(name, _)| name.ends_with(".v"));
        assert!(verilog.clone().count() > 60);
        for (name, text) in verilog {
            assert!(core.contains(&format!("      - {name}\n")), "{name}");
            assert!(text.contains(&format!("module {} ", name.trim_end_matches(".v"))), "{name}");
        }
        let list = &files.iter().find(|(name, _)| name == "frit_cells.f").unwrap().1;
        assert!(list.contains("\nfrit_switch.v\n"), "{list}");
    }

    #[test]
    fn what_a_design_does_not_share_has_its_name() {
        let files = |request: &Request, prefix: Option<&str>, library: Option<&str>| {
            let mut netlist = frit_cells::design::build(&plan(request).unwrap(), 4);
            netlist.names.prefix = prefix.map(String::from);
            Sources::new(&netlist, Style::Unrolled, library)
        };
        let shared = files(&Request::new("benes", 4), None, Some("../cells"));
        assert!(shared.list.contains(&"../cells/frit_switch.v".to_string()), "{:?}", shared.list);
        assert!(shared.list.contains(&"benes_n4_w4_rom_dest_0.v".to_string()), "{:?}", shared.list);
        assert!(shared.files.iter().all(|(name, _)| name.starts_with("benes_n4_w4_")));
        let own = files(&Request::new("gsen", 6), Some("mine"), None);
        assert!(own.list.iter().all(|name| name.starts_with("mine_") || name.starts_with("gsen_n6_w4_")));
        assert!(
            own.files
                .iter()
                .all(|(_, text)| !text.contains("frit_switch") && !text.contains("frit_sequencer")),
            "cells under their own names"
        );
        let here = files(&Request::new("gsen", 6), None, None);
        assert!(here.list.contains(&"gsen_n6_w4_shuffle_terminal_3.v".to_string()), "{:?}", here.list);
        assert!(here.list.contains(&"frit_switch.v".to_string()), "{:?}", here.list);
    }
}

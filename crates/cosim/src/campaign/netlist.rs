//! The netlist of a design in place of its Verilog, with the same testbench and tables.

use crate::synth::Family;
use crate::synth::netlist::{self, Kept};
use crate::tools::ToolPath;
use frit_network::Refusal;
use frit_trace::output::{make_folder, write_file};
use std::path::{Path, PathBuf};

/// How the Verilog becomes a netlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub family: Family,
    /// A deliberate fault: the contents of this LUT are inverted.
    pub inverted_lut: Option<usize>,
}

/// A design whose Verilog is replaced.
#[derive(Clone, Debug)]
pub struct Replaced<'a> {
    /// Its name; the testbench is `tb_` and this, its list of files this and `_tb.f`.
    pub design: &'a str,
    /// The module that becomes a netlist.
    pub top: String,
    /// What the testbench reads in it.
    pub kept: Vec<Kept<'a>>,
}

/// Writes the folder `netlist/` beside `rtl/`, which holds `files`, and returns it.
///
/// # Errors
/// If Yosys or its models of cells are missing, if it fails, or if there is no such LUT.
pub fn replace(
    tools: &ToolPath,
    mapping: Mapping,
    replaced: &Replaced,
    files: &[(String, String)],
    rtl: &Path,
) -> Result<PathBuf, Refusal> {
    let Replaced { design, top, kept } = replaced;
    let folder = rtl.with_file_name("netlist");
    make_folder(&folder)?;
    let verilog = files.iter().filter(|(file, _)| file.ends_with(".v"));
    let sources: Vec<String> = verilog.map(|(file, _)| format!("../rtl/{file}")).collect();
    let mut text = netlist::map(tools, mapping.family, &folder, &sources, top, kept)?;
    if let Some(lut) = mapping.inverted_lut {
        text = netlist::invert_lut(mapping.family, &text, lut)?;
        write_file(&folder.join(netlist::FILE), &text)?;
    }
    write_file(&folder.join("cells.v"), netlist::models(tools, mapping.family, &text)?)?;
    let testbench = format!("tb_{design}.sv");
    for (file, text) in files {
        if *file == testbench || file.ends_with(".memh") {
            write_file(&folder.join(file), text)?;
        }
    }
    let list = format!("+define+FRIT_NETLIST\ncells.v\n{}\n{testbench}\n", netlist::FILE);
    write_file(&folder.join(format!("{design}_tb.f")), list)?;
    Ok(folder)
}

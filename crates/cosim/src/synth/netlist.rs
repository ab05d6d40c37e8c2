//! A design as a netlist of the vendor's cells, to be simulated: Yosys maps it, and brings models of the cells.

use super::{Family, block_ram, left_by, output_registers, unreadable};
use crate::tools::{ToolPath, YOSYS};
use crate::yosys::yosys;
use frit_network::{Refusal, refusal, refuse};
use frit_trace::output::{read, write_file};
use std::collections::BTreeSet;
use std::path::Path;

pub const FILE: &str = "netlist.v";
/// The netlist as JSON, where block RAMs have a register that Yosys does not use.
pub(super) const JSON: &str = "netlist.json";

impl Family {
    /// Its folder in Yosys's share.
    fn folder(self) -> &'static str {
        match self {
            Family::Ice40 => "ice40",
            Family::Ecp5 => "ecp5",
        }
    }

    fn model_files(self) -> &'static [&'static str] {
        match self {
            Family::Ice40 => &["cells_sim.v"],
            Family::Ecp5 => &["common_sim.vh", "ccu2c_sim.vh", "cells_sim.v"],
        }
    }

    /// The command of Yosys that writes the netlist as [`JSON`], where that is needed.
    pub(super) fn as_json(self) -> &'static str {
        match self {
            Family::Ice40 => "",
            Family::Ecp5 => "write_json netlist.json\n",
        }
    }

    /// What stands before the contents of a LUT in a netlist.
    fn lut(self) -> &'static str {
        match self {
            Family::Ice40 => ".LUT_INIT(16'h",
            Family::Ecp5 => ".INIT(16'h",
        }
    }
}

/// What of a design its netlist still has by name: a module, with its ports and some of its signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept<'a> {
    pub module: String,
    pub signals: Vec<&'a str>,
}

/// Maps `top`, whose files are in `folder`, to [`FILE`] there. The modules `keep` stay modules, all others are flattened.
pub fn map(
    tools: &ToolPath,
    family: Family,
    folder: &Path,
    sources: &[String],
    top: &str,
    keep: &[Kept],
) -> Result<String, Refusal> {
    let kept: String = keep.iter().map(Kept::script).collect();
    let script = format!(
        "read_verilog {}\nhierarchy -check -top {top}\n{kept}{} -top {top}\ncheck -assert\nwrite_verilog -noattr {FILE}\n",
        sources.join(" "),
        family.synthesis(),
    );
    let script = script + family.as_json();
    let products = [FILE, JSON];
    yosys(
        tools,
        folder,
        "netlist",
        &script,
        "yosys.log",
        &products[..1 + usize::from(family == Family::Ecp5)],
    )?;
    use_output_registers(tools, family, folder)?;
    left_by("yosys", folder, FILE).map(|(_, text)| text)
}

/// Has block RAMs use the registers behind their outputs ([`output_registers`]) in the netlist that a script with [`Family::as_json`]
/// left in a folder. Writes [`FILE`] and `stat.json` again if there are such registers.
pub(super) fn use_output_registers(tools: &ToolPath, family: Family, folder: &Path) -> Result<(), Refusal> {
    if family != Family::Ecp5 {
        return Ok(());
    }
    if registered(folder, JSON)? > 0 {
        let script =
            format!("read_json {JSON}\ntee -q -o stat.json stat -json\nwrite_verilog -noattr {FILE}\n");
        yosys(tools, folder, "registers", &script, "registers.log", &[FILE, "stat.json"])?;
    }
    Ok(())
}

/// Uses these registers in a file of JSON: how many flip-flops have gone.
pub(super) fn registered(folder: &Path, file: &str) -> Result<u64, Refusal> {
    let (path, text) = left_by("yosys", folder, file)?;
    let (text, gone) = output_registers::merge(&text).map_err(|source| unreadable("yosys", &path, source))?;
    if gone > 0 {
        write_file(&path, text)?;
    }
    Ok(gone)
}

impl Kept<'_> {
    /// The commands of Yosys that keep it.
    fn script(&self) -> String {
        let Kept { module, signals } = self;
        let signals = signals.iter().map(|signal| format!("setattr -set keep 1 {module}/w:{signal}\n"));
        let module = format!("setattr -mod -set keep_hierarchy 1 {module}\n");
        std::iter::once(module).chain(signals).collect()
    }
}

/// A block RAM of ECP5 without a model.
const WIDE_RAM: &str = "PDPW16KD";

/// The models of the cells that a netlist has, as Verilog. They belong to Yosys and are in `share/yosys` beside the folder of
/// its program.
pub fn models(tools: &ToolPath, family: Family, netlist: &str) -> Result<String, Refusal> {
    let program = tools.find(YOSYS)?;
    let near = |program: &Path| Some(program.parent()?.parent()?.join("share/yosys").join(family.folder()));
    let real = program.canonicalize().ok();
    let candidates: Vec<_> = [near(&program), real.as_deref().and_then(near)].into_iter().flatten().collect();
    let Some(folder) = candidates.iter().find(|folder| folder.join("cells_sim.v").is_file()) else {
        refuse!(
            "Yosys's models of cells were not found in {}; run scripts/setup, or put a link share/yosys beside the folder of yosys",
            candidates.into_iter().next().unwrap_or_default().display()
        );
    };
    let mut library = String::new();
    for name in family.model_files() {
        library += &String::from_utf8_lossy(&read(&folder.join(name))?);
    }
    if family == Family::Ecp5 && netlist.contains(WIDE_RAM) {
        refuse!(
            "the netlist has {WIDE_RAM}, a cell without a model; use --netlist ice40, or words of 18 bits or fewer"
        );
    }
    let ram = if netlist.contains(block_ram::NAME) { block_ram::model() } else { String::new() };
    Ok(select(&library, netlist) + &ram)
}

/// The modules of a library that a netlist has, and those that they have in turn, with the library's directives. Icarus 11
/// refuses some of the others.
fn select(library: &str, netlist: &str) -> String {
    let pieces = pieces(library);
    let words = |text: &str| -> BTreeSet<String> {
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\\');
        text.split(|c| !part(c)).map(String::from).collect()
    };
    let mut wanted = words(netlist);
    loop {
        let before = wanted.len();
        for (name, text) in &pieces {
            if name.is_some_and(|name| wanted.contains(name)) {
                wanted.extend(words(text));
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    let head =
        "// Models of Yosys for the cells that the netlist has.\n`define NO_ICE40_DEFAULT_ASSIGNMENTS\n";
    let kept = pieces
        .iter()
        .filter(|(name, _)| name.is_none_or(|name| wanted.contains(name) && name != block_ram::NAME));
    head.to_string() + &kept.map(|(_, text)| text.as_str()).collect::<String>()
}

/// The modules of a library, with their names, and the directives between them.
fn pieces(library: &str) -> Vec<(Option<&str>, String)> {
    let mut pieces = Vec::new();
    let mut module: Option<(&str, String)> = None;
    for line in library.lines() {
        if module.is_none()
            && let Some(rest) = line.strip_prefix("module ")
        {
            let name = rest.split(|c: char| c.is_whitespace() || matches!(c, '(' | ';' | '#')).next();
            module = Some((name.unwrap_or_default(), String::new()));
        }
        match &mut module {
            Some((_, text)) => *text += &format!("{line}\n"),
            None if line.starts_with('`') && !line.starts_with("`include") => {
                pieces.push((None, format!("{line}\n")));
            }
            None => {}
        }
        if line.contains("endmodule")
            && let Some((name, text)) = module.take()
        {
            pieces.push((Some(name), text));
        }
    }
    pieces
}

/// The netlist with the contents of one of its LUTs inverted, the first being number 0: a deliberate fault.
pub fn invert_lut(family: Family, netlist: &str, number: usize) -> Result<String, Refusal> {
    let found = netlist.match_indices(family.lut()).map(|(at, mark)| at + mark.len());
    let luts: Vec<usize> = found.collect();
    let none =
        |luts| refusal!("LUT {number} does not exist in the netlist, which has {luts} LUTs, numbered from 0");
    let at = *luts.get(number).ok_or_else(|| none(luts.len()))?;
    let digits = &netlist[at..at + 4];
    let contents = u16::from_str_radix(digits, 16).map_err(|_| none(0))?;
    Ok(format!("{}{:04x}{}", &netlist[..at], !contents, &netlist[at + 4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_those_that_are_used() {
        let library = "`define X 1\n`include \"no.vh\"\n(* lut *)\nmodule A(input a);\n  B b(a);\nendmodule\n\
                       module B (input a);\n`ifdef Y\n`endif\nendmodule\nmodule C; A a(); endmodule\n";
        let selected = select(library, "module top; A \\u.x (.a(1'b0)); endmodule");
        let expected = "`define X 1\nmodule A(input a);\n  B b(a);\nendmodule\nmodule B (input a);\n`ifdef Y\n`endif\nendmodule\n";
        assert!(selected.ends_with(&format!("ASSIGNMENTS\n{expected}")), "{selected}");
    }

    #[test]
    fn one_lut_is_inverted() {
        let netlist = "SB_LUT4 #(\n    .LUT_INIT(16'hca00)\n  ) a (\n SB_LUT4 #(.LUT_INIT(16'h0001)) b";
        let broken = invert_lut(Family::Ice40, netlist, 1).unwrap();
        assert_eq!(broken, netlist.replace("0001", "fffe"));
        let error = invert_lut(Family::Ice40, netlist, 2).unwrap_err().to_string();
        assert_eq!(error, "LUT 2 does not exist in the netlist, which has 2 LUTs, numbered from 0");
        let ecp5 = "CCU2C #(.INIT0(16'h96aa)) c\nLUT4 #(.INIT(16'h8000)) d";
        assert_eq!(invert_lut(Family::Ecp5, ecp5, 0).unwrap(), ecp5.replace("8000", "7fff"));
    }
}

//! The netlist of a design in place of its Verilog, with the same testbench and tables.

use super::{Config, Engine, Mapping, VerifyError};
use crate::output::{make_folder, write_file};
use crate::synth::netlist;
use std::path::{Path, PathBuf};

/// Writes the folder `netlist/` beside `rtl/`, which holds `files`, and returns it. `D_fabric` stays a module: its control inputs are the switch
/// settings that the testbench reads.
pub(super) fn write(
    config: &Config,
    mapping: Mapping,
    files: &[(String, String)],
    rtl: &Path,
) -> Result<PathBuf, VerifyError> {
    (config.progress)(Engine::Model, "waits for Yosys");
    let folder = rtl.with_file_name("netlist");
    make_folder(&folder)?;
    let name = config.plan.design_name(config.payload.width_bits());
    let verilog = files.iter().filter(|(file, _)| file.ends_with(".v"));
    let sources: Vec<String> = verilog.map(|(file, _)| format!("../rtl/{file}")).collect();
    let (top, fabric) = (format!("{name}_exchange"), format!("{name}_fabric"));
    let mut text = netlist::map(config.tools, mapping.family, &folder, &sources, &top, &[&fabric])?;
    if let Some(lut) = mapping.inverted_lut {
        text = netlist::invert_lut(mapping.family, &text, lut)?;
        write_file(&folder.join(netlist::FILE), &text)?;
    }
    write_file(&folder.join("cells.v"), netlist::models(config.tools, mapping.family, &text)?)?;
    let testbench = format!("tb_{name}.sv");
    for (file, text) in files {
        if *file == testbench || file.ends_with(".memh") {
            write_file(&folder.join(file), text)?;
        }
    }
    let list = format!("cells.v\n{}\n{testbench}\n", netlist::FILE);
    write_file(&folder.join(format!("{name}_tb.f")), list)?;
    Ok(folder)
}

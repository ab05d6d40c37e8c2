//! Verilog as an and-inverter graph: Yosys makes it.

use super::aiger::Aig;
use super::symbols::Symbols;
use crate::tools::ToolPath;
use crate::yosys::yosys;
use frit_network::{Refusal, refusal};
use frit_trace::output::{read, read_text};
use std::path::Path;

/// What registers without an initial value start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Any value: an input of its own for each, in the first cycle.
    Any,
    Zero,
}

/// Writes `NAME.aig` and `NAME.map` of the module `top`, whose files are `sources` as seen from `folder`. A bit that the
/// Verilog leaves open is an input of its own ([`Start::Any`]) or 0.
pub fn graph(
    tools: &ToolPath,
    folder: &Path,
    name: &str,
    sources: &[String],
    top: &str,
    start: Start,
) -> Result<(Aig, Symbols), Refusal> {
    let (undefined, registers, initial) = match start {
        Start::Any => ("setundef -anyseq", "formalff -clk2ff -ff2anyinit", " -zinit"),
        Start::Zero => ("setundef -zero", "zinit -all\nformalff -clk2ff", ""),
    };
    let script = format!(
        "read_verilog -sv {}\nhierarchy -check -top {top}\nproc\nmemory -nomap\nmemory_map -formal\nflatten\n\
         {undefined}\nopt -full\ncheck -assert\nselect -assert-none t:$dlatch\ntechmap\ndffunmap\n{undefined}\n{registers}\n\
         opt_clean\nsimplemap\ndffunmap\naigmap\nopt_clean\nwrite_aiger{initial} -vmap {name}.map {name}.aig\n",
        sources.join(" ")
    );
    let (graph, map) = (format!("{name}.aig"), format!("{name}.map"));
    yosys(tools, folder, name, &script, &format!("{name}.log"), &[&graph, &map])?;
    let refused = |what: Refusal| refusal!("{}: {what}", folder.join(&graph).display());
    let aig = Aig::read(&read(&folder.join(&graph))?).map_err(refused)?;
    let symbols = Symbols::read(&read_text(&folder.join(&map))?, &aig);
    Ok((aig, symbols.map_err(refused)?))
}

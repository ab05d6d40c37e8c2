//! Exchanges that are emitted as Verilog: which are refused, how they are written, which engines run them and what those need.
//! For the commands and the sweeps that do so.

use crate::args::{EngineArg, FabricStyle, FamilyArg};
use crate::memory::{self, estimate};
use crate::payload::check_payload_size;
use anyhow::{Result, bail};
use frit_cells::netlist::print::Style;
use frit_cosim::simulator::Simulator;
use frit_cosim::synth::Family;
use frit_cosim::tools::{Missing, ToolPath};
use frit_cosim::verify::Engine;
use frit_design::generate::{Form, MAX_TERMINALS};
use frit_schedule::Plan;

/// Refuses designs whose files would not be usable.
pub fn check_size(plan: &Plan) -> Result<()> {
    let terminals = plan.network.terminals();
    if terminals > MAX_TERMINALS {
        bail!("{terminals} terminals are too many to emit Verilog; use -n up to {MAX_TERMINALS}");
    }
    Ok(())
}

/// Refuses files for which there is no memory.
pub fn need_memory(plan: &Plan, width: u32) -> Result<()> {
    let what = format!("{}: its netlist, tables and testbench", plan.design_name(width));
    memory::need(&what, estimate::files(plan, width), "use a smaller -n or -w")
}

/// Refuses a design that cannot be compared under so many engines beside the model: its size, its words, its files, and the
/// settings and deliveries of all.
pub fn check(plan: &Plan, width: u32, engines: usize) -> Result<()> {
    check_size(plan)?;
    check_payload_size(plan.network.terminals(), width)?;
    need_memory(plan, width)?;
    let runs = 1 + engines as u64;
    let what = format!("the traces of {runs} engines on {}", plan.name());
    memory::need(&what, runs * estimate::trace(plan), "use a smaller -n, or fewer --engines")
}

/// The style that was asked for, or the one that suits the size.
pub fn style(asked: FabricStyle, plan: &Plan) -> Style {
    form(asked).style_of(plan)
}

/// The style that was asked for, or the one that suits a design that is `large` or not.
pub fn chosen(asked: FabricStyle, large: bool) -> Style {
    form(asked).style(large)
}

fn form(asked: FabricStyle) -> Form<'static> {
    Form { style: named(asked), ..Form::default() }
}

/// The style that was named, if one was.
pub fn named(asked: FabricStyle) -> Option<Style> {
    match asked {
        FabricStyle::Unrolled => Some(Style::Unrolled),
        FabricStyle::Compact => Some(Style::Compact),
        FabricStyle::Auto => None,
    }
}

/// The same of a design that is compared, maybe as a netlist: Yosys is given what it would be given for a board.
pub fn style_compared(asked: FabricStyle, plan: &Plan, netlist: bool) -> Style {
    match netlist && asked == FabricStyle::Auto {
        true => Style::Unrolled,
        false => style(asked, plan),
    }
}

pub fn engine(arg: EngineArg) -> Engine {
    match arg {
        EngineArg::RustHdl => Engine::RustHdl,
        EngineArg::Verilator => Engine::Verilator,
        EngineArg::Icarus => Engine::Icarus,
    }
}

pub fn family(arg: FamilyArg) -> Family {
    match arg {
        FamilyArg::Ice40 => Family::Ice40,
        FamilyArg::Ecp5 => Family::Ecp5,
    }
}

/// An engine that must run without its tools is an error before anything runs.
pub fn need_tools(engines: impl IntoIterator<Item = Engine>, tools: &ToolPath) -> Result<(), Missing> {
    for engine in engines {
        let needs = match engine {
            Engine::Model | Engine::RustHdl => &[],
            Engine::Verilator => Simulator::Verilator.needs(),
            Engine::Icarus => Simulator::Icarus.needs(),
        };
        needs.iter().try_for_each(|tool| tools.find(*tool).map(|_| ()))?;
    }
    Ok(())
}

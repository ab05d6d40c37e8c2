//! What other build tools read: a FuseSoC core (CAPI2), a Bender package and a datasheet with its timing diagram.
//!
//! The files that they name are those of the file lists: `D.f` and `D_tb.f` for `D_exchange`, and `D_axis.f` and
//! `D_axis_tb.f` where there is `D_axis`, and so on.

use crate::datasheet::{self, Facts};
use crate::template::{context, fill};
use crate::timing_diagram::Diagram;
use crate::top::{Top, unique};
use crate::{Files, testbench};
use frit_cells::netlist::Module;
use frit_schedule::Plan;
use serde::Serialize;

/// What the templates of the packages are filled with.
#[derive(Serialize)]
struct Package<'a> {
    design: &'a str,
    command: &'a str,
    vlnv: String,
    description: String,
    tops: &'a [Top],
    /// The files of all tops, each once.
    rtl: Vec<String>,
}

/// `D.core`, `Bender.yml`, `D_datasheet.md`, `D_timing.json` and `D_timing.svg` of the design that `files` are of.
/// `modules` are what a user instantiates, `D_exchange` first; `facts` are what neither plan nor netlist knows.
pub fn render(plan: &Plan, modules: &[&Module], width_bits: u32, files: &Files, facts: &Facts) -> Files {
    let name = plan.design_name(width_bits);
    let tops: Vec<Top> = modules.iter().map(|module| Top::of(&name, &module.name, files)).collect();
    let package = context(&Package {
        design: &name,
        command: &facts.command,
        // The version is that of the generator.
        vlnv: format!("fritillary:exchange:{name}:{}", env!("CARGO_PKG_VERSION")),
        description: format!(
            "{}: {} terminals, {width_bits} bits",
            testbench::title(plan),
            plan.network.terminals()
        ),
        tops: &tops,
        rtl: unique(tops.iter().flat_map(|top| &top.rtl).cloned()),
    });
    let diagram = Diagram::of_run(plan, &name);
    vec![
        (format!("{name}.core"), fill(include_str!("../testbench/core.tera"), &package)),
        ("Bender.yml".into(), fill(include_str!("../testbench/Bender.yml.tera"), &package)),
        (format!("{name}_datasheet.md"), datasheet::render(plan, modules, width_bits, &tops, facts)),
        (format!("{name}_timing.json"), diagram.wave_json()),
        (format!("{name}_timing.svg"), diagram.svg()),
    ]
}

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

/// A design as the build tools are told of it.
#[derive(Clone, Debug)]
pub struct Manifest<'a> {
    /// Its name.
    pub design: &'a str,
    /// What kind of design it is: the library of its core.
    pub library: &'static str,
    /// What it is, in a line.
    pub description: &'a str,
    /// The command that gives the same files again.
    pub command: &'a str,
    /// What a user instantiates, the most important first.
    pub tops: &'a [Top],
    /// The files that the testbench of the first top writes if it is asked to: plusarg, contents.
    pub plusargs: &'a [(&'static str, &'static str)],
}

/// What the templates of the packages are filled with.
#[derive(Serialize)]
struct Package<'a> {
    design: &'a str,
    command: &'a str,
    vlnv: String,
    description: &'a str,
    tops: &'a [Top],
    plusargs: &'a [(&'static str, &'static str)],
    /// The files of all tops, each once.
    rtl: Vec<String>,
}

/// What the testbench of an exchange writes.
const PLUSARGS: [(&str, &str); 3] = [
    ("settings", "the switch settings of the message run"),
    ("deliveries", "the deliveries of the message run"),
    ("received", "the received matrix"),
];

/// `D.core` and `Bender.yml`.
pub fn manifests(manifest: &Manifest) -> Files {
    let Manifest { design, library, description, command, tops, plusargs } = *manifest;
    let package = context(&Package {
        design,
        command,
        // The version is that of the generator.
        vlnv: format!("fritillary:{library}:{design}:{}", env!("CARGO_PKG_VERSION")),
        description,
        tops,
        plusargs,
        rtl: unique(tops.iter().flat_map(|top| &top.rtl).cloned()),
    });
    vec![
        (format!("{design}.core"), fill(include_str!("../testbench/core.tera"), &package)),
        ("Bender.yml".into(), fill(include_str!("../testbench/Bender.yml.tera"), &package)),
    ]
}

/// `D.core`, `Bender.yml`, `D_datasheet.md`, `D_timing.json` and `D_timing.svg` of the design that `files` are of.
/// `modules` are what a user instantiates, `D_exchange` first; `facts` are what neither plan nor netlist knows.
pub fn render(plan: &Plan, modules: &[&Module], width_bits: u32, files: &Files, facts: &Facts) -> Files {
    let name = plan.design_name(width_bits);
    let tops: Vec<Top> = modules.iter().map(|module| Top::of(&name, &module.name, files)).collect();
    let terminals = plan.network.terminals();
    let mut made = manifests(&Manifest {
        design: &name,
        library: "exchange",
        description: &format!("{}: {terminals} terminals, {width_bits} bits", testbench::title(plan)),
        command: &facts.command,
        tops: &tops,
        plusargs: &PLUSARGS,
    });
    let diagram = Diagram::of_run(plan, &name);
    made.extend([
        (format!("{name}_datasheet.md"), datasheet::render(plan, modules, width_bits, &tops, facts)),
        (format!("{name}_timing.json"), diagram.wave_json()),
        (format!("{name}_timing.svg"), diagram.svg()),
    ]);
    made
}

//! What other build tools read: a FuseSoC core (CAPI2), a Bender package, a module of LiteX, a script for Vivado, a package for VHDL and a
//! datasheet with its timing diagram.
//!
//! The files that they name are those of the file lists: `D.f` and `D_tb.f` for `D_exchange`, `D_axis_l1_b1.f` and
//! `D_axis_l1_b1_tb.f` for that top, and so on. Each top has a core, which depends on that of the cells that designs share.

use crate::datasheet::{self, Facts};
use crate::template::{context, fill};
use crate::timing_diagram::Diagram;
use crate::top::{Top, unique};
use crate::{Files, integrate, library, testbench, vhdl};
use frit_cells::netlist::Module;
use frit_schedule::Plan;
use serde::Serialize;

/// A design as the build tools are told of it.
#[derive(Clone, Debug)]
pub struct Manifest<'a> {
    pub design: &'a str,
    /// What kind of design it is: the library of its core.
    pub library: &'static str,
    /// What it is, in a line.
    pub description: &'a str,
    /// The command that gives the same files again.
    pub command: &'a str,
    /// What a user instantiates, the most important first.
    pub tops: &'a [Top],
    pub modules: &'a [&'a Module],
    /// The files that the testbench of the first top writes if it is asked to: plusarg, contents.
    pub plusargs: &'a [(&'static str, &'static str)],
    /// The folder of the cells that designs share, relative to that of the design; none: it has all its cells itself.
    pub cells: Option<&'a str>,
}

/// What the template of a core is filled with.
#[derive(Serialize)]
struct Core<'a> {
    command: &'a str,
    vlnv: String,
    description: &'a str,
    top: &'a Top,
    plusargs: &'a [(&'static str, &'static str)],
    /// The files of the top that no core has on which it depends.
    files: Vec<&'a String>,
    depend: Vec<String>,
    /// Whether designs share cells.
    shares: bool,
    /// Where FuseSoC looks for cores.
    root: String,
}

/// What the template of a Bender package is filled with.
#[derive(Serialize)]
struct Package<'a> {
    name: String,
    design: &'a str,
    command: &'a str,
    description: &'a str,
    tops: &'a [Top],
    library: Option<&'a str>,
    /// The files of all tops, each once.
    rtl: Vec<String>,
}

/// What the testbench of an exchange writes.
const PLUSARGS: [(&str, &str); 3] = [
    ("settings", "the switch settings of the message run"),
    ("deliveries", "the deliveries of the message run"),
    ("received", "the received matrix"),
];

/// A core for FuseSoC and a module of LiteX for each top; for all `Bender.yml`, the script for Vivado and the package for VHDL.
pub fn manifests(manifest: &Manifest) -> Files {
    let Manifest { design, library, description, command, tops, modules, plusargs, cells } = *manifest;
    // The version is that of the generator.
    let vlnv = |top: &Top| format!("fritillary:{library}:{}:{}", top.list, env!("CARGO_PKG_VERSION"));
    let first = &tops[0];
    let core = |(at, top): (usize, &Top)| {
        let is_first = top.list == first.list;
        // A top that has modules of one before it inside depends on its core.
        let before = &tops[..at];
        let inherited = |file: &String| before.iter().any(|other| other.own.contains(file));
        let has_of = |other: usize| top.own.iter().any(|file| owner(tops, file) == Some(other));
        let inside =
            before.iter().enumerate().filter(|(other, _)| has_of(*other)).map(|(_, other)| vlnv(other));
        let depend = cells.map(|_| library::vlnv()).into_iter();
        let core = Core {
            command,
            vlnv: vlnv(top),
            description,
            top,
            plusargs: if is_first { plusargs } else { &[] },
            files: top.own.iter().filter(|file| !inherited(file)).collect(),
            depend: depend.chain(inside).collect(),
            shares: cells.is_some(),
            root: root(cells),
        };
        (format!("{}.core", top.list), fill(include_str!("../testbench/core.tera"), &context(&core)))
    };
    let mut files: Files = tops.iter().enumerate().map(core).collect();
    let others: String = tops[1..].iter().map(|top| top.suffix.as_str()).collect();
    let package = Package {
        name: format!("{design}{others}"),
        design,
        command,
        description,
        tops,
        library: cells,
        rtl: unique(tops.iter().flat_map(|top| &top.own).cloned()),
    };
    files.push(("Bender.yml".into(), fill(include_str!("../testbench/Bender.yml.tera"), &context(&package))));
    files.extend(integrate::render(tops, modules, (library, description), command));
    files.push(vhdl::render(design, command, modules));
    files
}

/// The first top that has the file: the one whose core names it.
fn owner(tops: &[Top], file: &String) -> Option<usize> {
    tops.iter().position(|top| top.own.contains(file))
}

/// The folder above those of a design and its cells, seen from the design.
fn root(cells: Option<&str>) -> String {
    let up = cells.map_or(0, |cells| cells.split('/').filter(|part| *part == "..").count());
    match up {
        0 => ".".into(),
        up => vec![".."; up].join("/"),
    }
}

/// What [`manifests`] makes, `D_datasheet.md`, `D_timing.json` and `D_timing.svg` of the design that `files` are of.
/// `modules` are what a user instantiates, `D_exchange` first; `facts` are what neither plan nor netlist knows.
pub fn render(plan: &Plan, modules: &[&Module], width_bits: u32, files: &Files, facts: &Facts) -> Files {
    let name = plan.design_name(width_bits);
    let tops: Vec<Top> = modules.iter().map(|module| Top::of(&name, &module.name, files)).collect();
    let terminals = plan.network.terminals();
    let mut made = manifests(&Manifest {
        design: &name,
        library: "exchange",
        cells: facts.cells.as_deref(),
        description: &format!("{}: {terminals} terminals, {width_bits} bits", testbench::title(plan)),
        command: &facts.command,
        tops: &tops,
        modules,
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

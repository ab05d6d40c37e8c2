//! What other build tools read of a routed or streamed system, and its datasheet.

use crate::Files;
use crate::datasheet::Sheet;
use crate::package::{Manifest, manifests};
use crate::template::{context, fill};
use crate::top::Top;
use frit_cells::netlist::{ModuleId, Netlist, Of};
use serde::Serialize;
use std::collections::BTreeMap;

/// A routed or streamed system with what its page tells of it.
pub(crate) struct Package<'a> {
    pub design: &'a str,
    /// What kind of design it is: the library of its core.
    pub library: &'static str,
    /// What it is, in a line.
    pub description: &'a str,
    pub netlist: &'a Netlist,
    /// The command that makes the files.
    pub command: &'a str,
    /// What the testbench writes: plusarg, contents.
    pub plusargs: &'a [(&'static str, &'static str)],
    /// The folder of the cells that designs share, if it shares some.
    pub cells: Option<&'a str>,
    pub figures: Vec<(&'static str, String)>,
    /// Those of the run of the testbench.
    pub run: Vec<(&'static str, String)>,
    /// What they count, and of which messages they are.
    pub note: &'static str,
}

/// What the sections of the page are filled with.
#[derive(Serialize)]
struct Sections {
    run: Vec<(&'static str, String)>,
    note: &'static str,
    cells: Vec<(String, u64)>,
}

impl Package<'_> {
    /// What [`manifests`] makes and `D_datasheet.md` of the design that `files` are of.
    pub fn render(self, files: &Files) -> Files {
        let Package { design, library, description, netlist, command, plusargs, cells, figures, run, note } =
            self;
        let tops = [Top::listed(design, &netlist.top().name, design, files)];
        let modules = [netlist.top()];
        let mut made = manifests(&Manifest {
            design,
            library,
            description,
            command,
            tops: &tops,
            modules: &modules,
            plusargs,
            cells,
        });
        let sections = Sections { run, note, cells: self::cells(netlist) };
        let sheet = Sheet {
            design,
            what: description,
            command,
            modules: &modules,
            figures,
            about: &fill(include_str!("../testbench/datasheet_routed.md.tera"), &context(&sections)),
            tops: &tops,
        };
        made.push((format!("{design}_datasheet.md"), sheet.render()));
        made
    }
}

/// How often each cell stands in the design, by its name.
pub(crate) fn cells(netlist: &Netlist) -> Vec<(String, u64)> {
    // A module comes after those that it uses.
    let mut of: BTreeMap<usize, BTreeMap<String, u64>> = BTreeMap::new();
    let add = |counts: &mut BTreeMap<String, u64>, name: &str, count: u64| {
        *counts.entry(name.to_string()).or_default() += count;
    };
    for (id, module) in netlist.with_ids() {
        let mut counts = BTreeMap::new();
        for instance in &module.instances {
            match &instance.of {
                Of::Cell(spec) => add(&mut counts, &netlist.names.of(spec), 1),
                Of::Module(inner) => of[&ModuleId::index(*inner)]
                    .iter()
                    .for_each(|(name, count)| add(&mut counts, name, *count)),
            }
        }
        of.insert(id.index(), counts);
    }
    of.remove(&netlist.top_id().index()).unwrap_or_default().into_iter().collect()
}

/// The end of the names of the tables of a run: nothing, `_1`, and so on.
pub(crate) fn end(number: u32) -> String {
    if number == 0 { String::new() } else { format!("_{number}") }
}

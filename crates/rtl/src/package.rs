//! What other build tools read: a FuseSoC core (CAPI2), a Bender package and a datasheet with its timing diagram.
//!
//! The files that they name are those of the file lists `D.f` and `D_tb.f`.

use crate::datasheet::{self, Facts};
use crate::template::{context, fill};
use crate::timing_diagram::Diagram;
use crate::{Files, testbench};
use frit_cells::netlist::Netlist;
use frit_schedule::Plan;
use serde::Serialize;

/// The files of a design by what they are for, in the order in which tools read them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sources {
    /// The design: what `D.f` lists.
    pub rtl: Vec<String>,
    /// The testbench: what `D_tb.f` lists besides.
    pub tb: Vec<String>,
    /// The tables that the testbench reads.
    pub tables: Vec<String>,
}

impl Sources {
    /// Of the files of the design `name`, which are those of [`testbench::render`] and whatever else there is.
    pub fn of(name: &str, files: &Files) -> Self {
        let rtl = listed(files, &format!("{name}.f"));
        let tb =
            listed(files, &format!("{name}_tb.f")).into_iter().filter(|file| !rtl.contains(file)).collect();
        let names = files.iter().map(|(name, _)| name);
        let tables = names.filter(|file| file.ends_with(".memh")).cloned().collect();
        Sources { rtl, tb, tables }
    }
}

/// The files that a file list names; none if there is no such list.
fn listed(files: &Files, list: &str) -> Vec<String> {
    let text = files.iter().find(|(name, _)| name == list).map_or("", |(_, text)| text);
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).map(String::from).collect()
}

/// What the templates of the packages are filled with.
#[derive(Serialize)]
struct Package<'a> {
    design: &'a str,
    command: String,
    vlnv: String,
    description: String,
    top: &'a str,
    tb_top: String,
    #[serde(flatten)]
    sources: &'a Sources,
}

/// `D.core`, `Bender.yml`, `D_datasheet.md`, `D_timing.json` and `D_timing.svg` of the design that `files` are of;
/// `facts` are what neither plan nor netlist knows.
pub fn render(plan: &Plan, netlist: &Netlist, width_bits: u32, files: &Files, facts: &Facts) -> Files {
    let name = plan.design_name(width_bits);
    let sources = Sources::of(&name, files);
    let title = testbench::title(plan);
    let package = context(&Package {
        design: &name,
        command: testbench::command(plan, width_bits),
        // The version is that of the generator.
        vlnv: format!("fritillary:exchange:{name}:{}", env!("CARGO_PKG_VERSION")),
        description: format!("{title}: {} terminals, {width_bits} bits", plan.network.terminals()),
        top: &netlist.top().name,
        tb_top: format!("tb_{name}"),
        sources: &sources,
    });
    let diagram = Diagram::of_run(plan, &name);
    vec![
        (format!("{name}.core"), fill(include_str!("../../../testbench/core.tera"), &package)),
        ("Bender.yml".into(), fill(include_str!("../../../testbench/Bender.yml.tera"), &package)),
        (format!("{name}_datasheet.md"), datasheet::render(plan, netlist, width_bits, &sources, facts)),
        (format!("{name}_timing.json"), diagram.wave_json()),
        (format!("{name}_timing.svg"), diagram.svg()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_by_what_they_are_for() {
        let file = |name: &str, text: &str| (name.to_string(), text.to_string());
        let files = vec![
            file("a.v", ""),
            file("d.v", ""),
            file("tb_d.sv", ""),
            file("d_x.memh", ""),
            file("d.f", "// a comment\na.v\nd.v\n"),
            file("d_tb.f", "// a comment\na.v\nd.v\ntb_d.sv\n"),
            file("Makefile", ""),
        ];
        let expected = Sources {
            rtl: vec!["a.v".into(), "d.v".into()],
            tb: vec!["tb_d.sv".into()],
            tables: vec!["d_x.memh".into()],
        };
        assert_eq!(Sources::of("d", &files), expected);
    }
}

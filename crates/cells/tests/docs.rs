//! What the cells say about themselves: the handbook's page of them has each cell, and they say it of everything.

use frit_cells::cells::CellSpec;
use frit_cells::handbook;
use frit_cells::netlist::print::cell_file;
use std::collections::BTreeSet;

#[test]
fn the_page_of_the_cells_has_each_with_its_ports() {
    let page = handbook::page();
    let sections: Vec<&str> = page.split("\n### ").skip(1).collect();
    let cells: Vec<CellSpec> = CellSpec::groups().into_iter().flat_map(|(_, cells)| cells).collect();
    assert_eq!(sections.len(), cells.len());
    for (section, spec) in sections.iter().zip(&cells) {
        assert!(section.starts_with(&format!("{}\n\n", spec.title())), "{section}");
        let rows: Vec<&str> =
            section.lines().filter(|line| line.contains(" | in | ") || line.contains(" | out | ")).collect();
        let ports = spec.ports();
        assert_eq!(rows.len(), ports.len(), "{section}");
        for (row, port) in rows.iter().zip(&ports) {
            assert!(row.starts_with(&format!("| `{}` |", port.name)), "{row}");
        }
    }
}

/// The names of the parameters that a module is printed with, in their order.
fn printed_parameters(verilog: &str) -> Vec<&str> {
    let lines = verilog.lines().map(str::trim).filter_map(|line| line.strip_prefix("parameter "));
    lines.map(|line| line.split(" = ").next().unwrap().rsplit(' ').next().unwrap()).collect()
}

#[test]
fn parameters_are_those_that_are_printed() {
    assert_eq!(printed_parameters("  parameter W = 8,\n  parameter [K-1:0] Last = 4'd9\n"), ["W", "Last"]);
    for spec in CellSpec::all() {
        let text = cell_file(&spec).text;
        let names: Vec<&str> = spec.parameters().iter().map(|parameter| parameter.name).collect();
        assert_eq!(printed_parameters(&text), names, "{}", spec.module());
    }
}

/// Whether a phrase stands well behind a name in a table or beside a port.
fn is_phrase(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.ends_with('.') && !text.contains(['`', '|', '\n'])
}

#[test]
fn everything_has_a_meaning() {
    assert!(
        is_phrase("clock, rising edge") && !is_phrase("") && !is_phrase("A clock.") && !is_phrase("a | b")
    );
    for spec in CellSpec::all() {
        let module = spec.module();
        for port in spec.ports() {
            assert!(is_phrase(port.meaning), "{module}: {}: {:?}", port.name, port.meaning);
        }
        for parameter in spec.parameters().into_iter().chain(spec.fixed()) {
            assert!(is_phrase(parameter.meaning), "{module}: {}: {:?}", parameter.name, parameter.meaning);
        }
        assert!(spec.summary().ends_with('.') && spec.details().ends_with('.'), "{module}");
    }
}

#[test]
fn no_two_cells_share_a_name() {
    let cells = CellSpec::all();
    let modules: BTreeSet<String> = cells.iter().map(CellSpec::module).collect();
    assert_eq!(modules.len(), cells.len());
    for spec in cells {
        // A name has a letter in place of each value, or none.
        let stem = spec.title().split(|c: char| c.is_ascii_uppercase()).next().unwrap().trim_end_matches('_');
        assert!(spec.module().starts_with(stem), "{} {}", spec.module(), spec.title());
    }
}

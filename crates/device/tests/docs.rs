//! The page of the faults has a row for each, with its effect: `UPDATE_EXPECT=1` writes it.

use expect_test::expect_file;
use frit_cells::dilated::fault::DILATED;
use frit_cells::fault::{CROSSBAR, EXCHANGE, FaultTable, LOADED, MESSAGES};
use frit_cells::multibutterfly::fault::MULTIBUTTERFLY;
use frit_device::permute::STREAMED;

const INTRODUCTION: &str = "\
# Faults

`--fault` plants a deliberate fault in a design, in the rust-hdl network and in the Verilog alike: `frit verify` must then report where the fault
shows, and exit with code 1. `frit generate --fault` writes the design with its fault, `frit view --fault` shows it, and `frit sweep` plants
[many](sweep.md). Numbers are counted from 0. `--fault help` prints the faults of a design's kind.
";

fn section<S>(table: &FaultTable<S>) -> String {
    let row = |form: &str, effect: &str| format!("| `{}` | {effect} |\n", form.replace('|', "\\|"));
    let rows: String = table.rows.iter().map(|of| row(of.form, of.effect)).collect();
    let mut core = table.core.to_string();
    core.get_mut(..1).expect("a name").make_ascii_uppercase();
    format!("\n## {core}\n\n| `--fault` | effect |\n|---|---|\n{rows}")
}

#[test]
fn the_page_has_all_faults() {
    let netlists = [EXCHANGE, CROSSBAR, LOADED, MESSAGES, DILATED, MULTIBUTTERFLY];
    let sections: String = netlists.iter().map(section).collect();
    let page = format!("{INTRODUCTION}{sections}{}", section(&STREAMED));
    expect_file!["../../../docs/faults.md"].assert_eq(&page);
}

//! The Verilog of every cell, as it ships: `UPDATE_EXPECT=1 cargo test` writes it afresh. `simulators` lints it.
//! Cells that are the same in every design are compared with `rtl/frit_cells`, the others with `golden`.

use expect_test::expect_file;
use frit_cells::cells::{
    AxilPortSpec, CellSpec, DeBruijnSpec, LabelGenSpec, LinkSpec, NextBitTableSpec, OpticalTerminalSpec,
    RoutingWordSpec, SequencerSpec, ShuffleTerminalSpec, SourceWordSpec, SwitchSpec,
};
use frit_cells::netlist::print::cell_file;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_verilog_of_the_cells() {
    for spec in CellSpec::all() {
        let file = cell_file(&spec);
        let folder = if spec.is_shared() { "../../../rtl/frit_cells" } else { "golden" };
        expect_file![format!("{folder}/{}", file.name)].assert_eq(&file.text);
    }
}

#[test]
fn a_changed_table_is_printed_as_it_is() {
    let same = CellSpec::all().into_iter().find(|cell| matches!(cell, CellSpec::NextBitTable(_))).unwrap();
    let mut other = same.clone();
    let CellSpec::NextBitTable(NextBitTableSpec { table, .. }) = &mut other else { panic!("a table") };
    table[0] = !table[0];
    assert_ne!(cell_file(&other), cell_file(&same));
}

#[test]
fn no_other_file_is_golden() {
    for (folder, shared) in [("tests/golden", false), ("../../rtl/frit_cells", true)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let names =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let stored: BTreeSet<String> = names.filter(|name| name.ends_with(".v")).collect();
        let cells = CellSpec::all().into_iter().filter(|spec| spec.is_shared() == shared);
        assert_eq!(stored, cells.map(|spec| cell_file(&spec).name).collect());
    }
}

#[test]
fn a_file_is_the_same_in_every_design() {
    let other = [
        CellSpec::from(SwitchSpec { width: 33 }),
        CellSpec::from(LabelGenSpec { bits: 5, terminal: 19, step: 1 }),
        CellSpec::from(ShuffleTerminalSpec { stages: 4, terminal: 9, half: 7 }),
        CellSpec::from(SequencerSpec { bits: 7, last: 99 }),
        CellSpec::from(LinkSpec { width: 33 }),
        CellSpec::from(DeBruijnSpec { order: 4, start: 9 }),
        CellSpec::from(DeBruijnSpec { order: 9, start: 0 }),
        CellSpec::from(RoutingWordSpec { order: 9, idle: 7 }),
        CellSpec::from(SourceWordSpec { order: 9, idle: 7 }),
        CellSpec::from(OpticalTerminalSpec { bits: 6, terminal: 21 }),
    ];
    for spec in other {
        let canonical = CellSpec::all().into_iter().find(|cell| cell.module() == spec.module()).unwrap();
        assert_eq!(cell_file(&spec), cell_file(&canonical));
    }
}

#[test]
fn a_fifth_of_the_lines_of_cells_are_comments_of_their_own() {
    let (mut lines, mut comments) = (0, 0);
    for spec in CellSpec::all() {
        let text = cell_file(&spec).text;
        lines += text.lines().filter(|line| !line.trim().is_empty()).count();
        comments += text.lines().filter(|line| line.trim_start().starts_with("//")).count();
    }
    assert!(comments * 5 >= lines, "{comments} of {lines} lines");
}

#[test]
fn a_comment_of_a_kernel_stands_above_what_it_is_about() {
    let text = cell_file(&AxilPortSpec { bits: 6 }.into()).text;
    for (comment, statement) in [
        ("  // A read.\n", "  assign arready_o = ~shown_q;\n"),
        ("      // A read.\n", "      shown_q <= reading | (shown_q & ~rready_i);\n"),
    ] {
        assert_eq!(text.matches(&format!("{comment}{statement}")).count(), 1, "{text}");
    }
}

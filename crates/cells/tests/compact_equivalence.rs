//! The compact form of a design is the unrolled one: Yosys proves it for every kind of control, and notices one wrong
//! entry of one table.

mod common;

use common::{run, tool, tools_found};
use frit_cells::design;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cells::netlist::{Kind, Netlist, Of};
use frit_schedule::{Request, plan};
use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: u32 = 2;

/// Labels, drivers, alternating drivers, one line for all switches, stored settings, stored labels, and networks that
/// are passed twice without and with a FIFO.
fn designs() -> Vec<(&'static str, Request)> {
    vec![
        ("labels", Request::new("rls", 8)),
        ("stages", Request::new("gsen", 8)),
        ("alternating stages", Request::new("gsen", 6).with("algorithm", "ata2")),
        ("XOR", Request::new("xor", 8)),
        ("systolic", Request::new("obf", 8)),
        ("systolic, a register per level", Request::new("obf", 8).with("fanout", "per-level")),
        ("stored settings", Request::new("benes", 8)),
        ("stored schedule", Request::new("atape", 8)),
        ("twice, windowed", Request::new("rls-folded", 8).with("plan", "windowed")),
        ("twice, buffered", Request::new("rls-folded", 8).with("plan", "buffered")),
    ]
}

/// The words of a text, each handed to `map`.
fn map_words(text: &str, map: impl Fn(&str) -> Option<String>) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if is_word(c) {
            word.push(c);
        } else {
            out += &map(&word).unwrap_or_else(|| word.clone());
            word.clear();
            out.push(c);
        }
    }
    out
}

/// The unrolled text with wires named as the words of arrays are in Yosys: `s0_valid_3` is `s0_valid[3]`.
fn unrolled(netlist: &Netlist) -> String {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for signal in netlist.modules.iter().flat_map(|module| &module.signals) {
        if signal.kind == Kind::Wires && signal.lanes > 1 {
            for lane in 0..signal.lanes {
                names.insert(format!("{}_{lane}", signal.name), format!("\\{}[{lane}] ", signal.name));
            }
        }
    }
    let text = |file: SourceFile| map_words(&file.text, |word| names.get(word).cloned());
    files(netlist, Style::Unrolled).into_iter().map(text).collect()
}

fn compact(netlist: &Netlist) -> String {
    files(netlist, Style::Compact).into_iter().map(|file| file.text).collect()
}

/// Registers that no output shows have a name of their own in each form.
fn renames(netlist: &Netlist) -> String {
    let mut script = String::new();
    for instance in &netlist.top().instances {
        if let (Of::Cell(_), Some(lane)) = (&instance.of, instance.name.strip_prefix("u_label_gen_")) {
            writeln!(script, "rename {}.odd_q label_gen_odd_q[{lane}]", instance.name).unwrap();
        }
    }
    script
}

/// Whether Yosys proves a pair of texts equivalent, and what it says.
fn prove(netlist: &Netlist, unrolled: &str, compact: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unrolled.v"), unrolled).unwrap();
    std::fs::write(folder.path().join("compact.v"), compact).unwrap();
    let top = &netlist.top().name;
    let mut script = String::new();
    for (side, option, renames) in
        [("unrolled", "", renames(netlist)), ("compact", "-mem2reg ", String::new())]
    {
        writeln!(
            script,
            "read_verilog {option}{side}.v
             hierarchy -check -top {top}
             proc
             flatten
             memory
             memory_map
             select -assert-none t:$dlatch
             check -assert
             rename -top {side}
             cd {side}
             {renames}
             cd
             opt_clean
             design -stash {side}"
        )
        .unwrap();
    }
    script += "design -copy-from unrolled unrolled
        design -copy-from compact compact
        equiv_make unrolled compact equiv
        cd equiv
        opt_clean
        equiv_simple -undef
        equiv_induct -undef
        equiv_status";
    std::fs::write(folder.path().join("prove.ys"), script).unwrap();
    let log = run(tool("yosys", folder.path()).args(["-s", "prove.ys"]));
    (log.contains("Equivalence successfully proven!"), log)
}

/// Verilator's lint of every design in compact form.
#[test]
fn compact_text_passes_lint() {
    if !tools_found(&["verilator"]) {
        return;
    }
    for (what, request) in designs() {
        let netlist = netlist(&request);
        let folder = tempfile::tempdir().unwrap();
        let sources = files(&netlist, Style::Compact);
        sources.iter().for_each(|file| std::fs::write(folder.path().join(&file.name), &file.text).unwrap());
        let mut lint = tool("verilator", folder.path());
        lint.args(["--lint-only", "-Wall", "--quiet", "--top-module", &netlist.top().name]);
        let log = run(lint.args(sources.iter().map(|file| &file.name)));
        assert!(!log.contains("%Warning"), "{what}:\n{log}");
    }
}

/// Only the tables grow with the number of terminals: the statements of a stage are as many for 64 as for 8.
#[test]
fn the_text_of_a_stage_does_not_grow() {
    let lines = |terminals: u64| -> Vec<usize> {
        let netlist = netlist(&Request::new("rls", terminals));
        let files = files(&netlist, Style::Compact);
        let fabric = files.iter().find(|file| file.name.ends_with("_fabric.v")).unwrap();
        let stage = |stage: u32| {
            let from = fabric.text.find(&format!("begin : s{stage}_registers")).unwrap();
            fabric.text[from..].lines().take_while(|line| *line != "  end").count()
        };
        (1..4).map(stage).collect()
    };
    assert_eq!(lines(8), lines(64));
}

fn netlist(request: &Request) -> Netlist {
    design::build(&plan(request).unwrap(), WIDTH)
}

#[test]
fn compact_is_equivalent_to_unrolled() {
    if !tools_found(&["yosys"]) {
        return;
    }
    for (what, request) in designs() {
        let netlist = netlist(&request);
        let (proved, log) = prove(&netlist, &unrolled(&netlist), &compact(&netlist));
        let tail: Vec<&str> = log.lines().rev().take(60).collect();
        assert!(proved, "{what}:\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
}

/// The text with the first two entries of a table exchanged.
fn exchanged(text: &str, table: &str) -> String {
    let head = format!("{table} = {{");
    let start = text.find(&head).unwrap_or_else(|| panic!("no table {table}:\n{text}")) + head.len();
    let end = start + text[start..].find('}').unwrap();
    let mut entries: Vec<&str> = text[start..end].split(',').map(str::trim).collect();
    assert_ne!(entries[0], entries[1]);
    entries.swap(0, 1);
    format!("{}{}{}", &text[..start], entries.join(", "), &text[end..])
}

#[test]
fn one_wrong_entry_of_a_table_is_noticed() {
    if !tools_found(&["yosys"]) {
        return;
    }
    let netlist = netlist(&Request::new("rls", 8));
    let sources = files(&netlist, Style::Compact);
    for (module, table) in [
        ("rls_n8_w2_fabric", "S1_VALID0_I"),
        ("rls_n8_w2_labels", "S2_VALID1_I"),
        ("rls_n8_w2_exchange", "LABEL_GEN_TERMINAL"),
    ] {
        let text = |file: &SourceFile| match file.name == format!("{module}.v") {
            true => exchanged(&file.text, table),
            false => file.text.clone(),
        };
        let broken: String = sources.iter().map(text).collect();
        let (proved, log) = prove(&netlist, &unrolled(&netlist), &broken);
        assert!(!proved, "{table} of {module} is wrong and passed");
        assert!(log.contains("unproven"), "no verdict:\n{log}");
    }
}

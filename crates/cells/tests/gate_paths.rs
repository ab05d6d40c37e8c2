//! No output of the streams follows an input in the same cycle: Yosys takes the emitted modules apart into gates and registers, and no
//! way of gates alone leads from an input to an output.

use crate::common;

use common::{run, tool, tools_found};
use frit_cells::design::axis::{Bundles, Face, Streams, build};
use frit_cells::design::reset::Reset;
use frit_cells::netlist::print::{Style, files};
use frit_schedule::{Request, plan};

/// The inputs from which gates lead to an output, with `change` made in the file that is named: what is replaced, and by what.
fn inputs_seen(request: &Request, streams: Streams, change: Option<(&str, &str, &str)>) -> Vec<String> {
    let netlist = build(&plan(request).unwrap(), 2, streams).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for mut file in files(&netlist, Style::Unrolled) {
        if let Some((_, from, to)) = change.filter(|(name, ..)| *name == file.name) {
            assert!(file.text.contains(from), "{} has no `{from}`", file.name);
            file.text = file.text.replacen(from, to, 1);
        }
        std::fs::write(folder.path().join(&file.name), file.text).unwrap();
        names.push(file.name);
    }
    let script = format!(
        "read_verilog {}
         hierarchy -check -top {}
         proc
         memory
         flatten
         opt -full
         simplemap
         techmap
         splitnets -ports
         opt_clean
         delete t:*DFF*
         tee -q -o paths.txt select -list o:* %ci* i:* %i",
        names.join(" "),
        netlist.top().name
    );
    std::fs::write(folder.path().join("paths.ys"), script).unwrap();
    run(tool("yosys", folder.path()).args(["-q", "-s", "paths.ys"]));
    let paths = std::fs::read_to_string(folder.path().join("paths.txt")).unwrap();
    paths.lines().filter_map(|line| Some(line.split_once('/')?.1.to_string())).collect()
}

#[test]
fn no_output_of_the_streams_follows_an_input_in_the_same_cycle() {
    if !tools_found(&["yosys"]) {
        return;
    }
    let none: [String; 0] = [];
    let (rls, plain) = (Request::new("rls", 4), Streams::packed(1, 1));
    assert_eq!(inputs_seen(&rls, plain, None), none);
    let start = ("frit_axis_control.v", "ready_o = can_start", "ready_o = can_start | start_i");
    assert_eq!(inputs_seen(&rls, plain, Some(start)), ["start_i"]);
}

#[test]
#[ignore = "long: make test-all"]
fn no_form_of_the_streams_has_a_way_of_gates() {
    if !tools_found(&["yosys"]) {
        return;
    }
    let reset = Reset::AXI;
    let face = Face::Bundles(Bundles { data_bits: 2, keep: false, user_bits: 0, registers: true, reset });
    let registers = Streams { words: 1, sets: 2, face };
    let none: [String; 0] = [];
    for (request, streams) in [
        (Request::new("rls", 4), Streams::packed(2, 2)),
        (Request::new("obf", 4), Streams::packed(1, 1)),
        (Request::new("gsen", 6), Streams::packed(3, 2)),
        (Request::new("rls", 4), registers),
    ] {
        assert_eq!(inputs_seen(&request, streams, None), none, "{request:?} {streams:?}");
    }
    for (name, from, to, input) in [
        ("frit_axis_load.v", "tready_o = ready", "tready_o = ready & tvalid_i", "s_axis_tvalid_i"),
        ("frit_axis_drain.v", "tvalid_o = valid_q", "tvalid_o = valid_q & tready_i", "m_axis_tready_i"),
        ("frit_axis_control.v", "ready_o = can_start", "ready_o = can_start & ~rst_i", "rst_i"),
    ] {
        let seen = inputs_seen(&Request::new("obf", 4), Streams::packed(1, 1), Some((name, from, to)));
        assert!(!seen.is_empty() && seen.iter().all(|port| port.starts_with(input)), "{to}: {seen:?}");
    }
}

//! The compact form of a design is the unrolled one: Yosys proves it for every kind of control, and notices one wrong
//! entry of one table and one wrong place in a memory.

use crate::common;
use frit_network::{LaneIdx, RoundIdx};

use common::{every, run, tool, tools_found};
use frit_cells::cells::{CellSpec, FifoSpec, RomSpec};
use frit_cells::design;
use frit_cells::design::dilated::Hardware;
use frit_cells::netlist::print::{SourceFile, Style, files};
use frit_cells::netlist::{Instance, Kind, Module, Netlist, Of};
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Packets, Parameters, Switch};
use frit_schedule::{Plan, Request, plan, user};
use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: u32 = 2;

/// Labels, drivers, alternating drivers, one line for all switches, stored settings, stored destinations, stored labels,
/// and networks that are passed twice without and with FIFOs. The FIFOs are those of four terminals: Yosys takes a minute
/// and more for the 64 words of eight.
fn designs() -> Vec<(&'static str, Plan)> {
    let of = |request: Request| plan(&request).unwrap();
    vec![
        ("labels", of(Request::new("rls", 8))),
        ("stages", of(Request::new("gsen", 8))),
        ("alternating stages", of(Request::new("gsen", 6).with("algorithm", "ata2"))),
        (
            "labels of a window",
            of(Request::new("gsen", 6).with("algorithm", "latin").with("labels", "adder")),
        ),
        ("labels in a ring", of(Request::new("gsen", 6).with("algorithm", "latin"))),
        ("spare terminals", of(Request::new("gsen", 4).with("algorithm", "latin").with("pad", "yes"))),
        ("XOR", of(Request::new("xor", 8))),
        ("stages that turn", of(Request::new("rotator", 8))),
        ("systolic", of(Request::new("obf", 8))),
        ("systolic, a register per level", of(Request::new("obf", 8).with("fanout", "per-level"))),
        ("stored settings", of(Request::new("benes", 8))),
        ("stored destinations", of(Request::new("atape", 8))),
        ("stored labels", stored_labels()),
        ("twice, windowed", of(Request::new("rls-folded", 8).with("plan", "windowed"))),
        ("twice, buffered", of(Request::new("rls-folded", 4).with("plan", "buffered"))),
    ]
}

/// The labels of `rls` with eight terminals as a user's schedule, which is stored.
fn stored_labels() -> Plan {
    let rls = plan(&Request::new("rls", 8)).unwrap();
    let stages = rls.network.stages();
    let digits = |label: u64| -> String {
        (0..stages).rev().map(|at| if label >> at & 1 == 1 { '1' } else { '0' }).collect()
    };
    let label = |round, lane| format!("\"{}\"", digits(rls.label(round, lane).unwrap()));
    let round = |round| {
        let labels: Vec<String> = LaneIdx::all(rls.network.lanes()).map(|lane| label(round, lane)).collect();
        format!("{{\"labels\": [{}]}}", labels.join(", "))
    };
    let rounds: Vec<String> = RoundIdx::all(rls.rounds).map(round).collect();
    let file = format!("{{\"format\": \"fritillary-schedule-1\", \"rounds\": [{}]}}", rounds.join(", "));
    user::plan(rls.network.clone(), &file).unwrap()
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

/// Registers that no output shows, and the words of memories, have a name of their own in each form.
fn renames(netlist: &Netlist) -> String {
    let mut script = String::new();
    let mut rename = |from: String, to: String| writeln!(script, "rename {from} {to}").unwrap();
    for (id, module) in netlist.with_ids() {
        let instance_of = |instance: &&Instance| instance.of == Of::Module(id);
        let path = match netlist.top().instances.iter().find(instance_of) {
            Some(instance) => format!("{}.", instance.name),
            None => String::new(),
        };
        let of_queue = |instance: &&Instance| matches!(instance.of, Of::Cell(CellSpec::BitQueue(_)));
        let bundle = module.instances.iter().filter(of_queue).count() as u32 / 2;
        for instance in &module.instances {
            let Of::Cell(spec) = &instance.of else { continue };
            let Some((family, lane)) = instance.name.trim_start_matches("u_").rsplit_once('_') else {
                continue;
            };
            let from = format!("{path}{}", instance.name);
            let to = format!("{path}{family}");
            match spec {
                // Behind the last stage nothing reads them.
                CellSpec::LabelSwitch(_)
                    if instance
                        .outputs
                        .iter()
                        .any(|(port, nets)| port == "valid0_o" && nets[0].is_some()) =>
                {
                    for register in ["valid0", "valid1", "rest0", "rest1"] {
                        rename(format!("{from}.{register}_q"), format!("{to}_{register}_q[{lane}]"));
                    }
                }
                CellSpec::Shunt(_) => {
                    for register in ["target", "bundle"] {
                        rename(format!("{from}.{register}_q"), format!("{to}_{register}_q[{lane}]"));
                    }
                }
                // A loop has the queues of the same edge of both in bundles.
                CellSpec::BitQueue(_) => {
                    let input: u32 = lane.parse().unwrap();
                    let (bundle, edge) = (input / bundle, input % bundle);
                    let again = if edge == 0 { String::new() } else { format!("_again{}", edge + 1) };
                    for register in ["two", "second"] {
                        rename(format!("{from}.{register}_q"), format!("{to}{again}_{register}_q[{bundle}]"));
                    }
                }
                CellSpec::Fifo(FifoSpec { address_bits, .. }) => {
                    for register in ["filled", "head", "tail"] {
                        rename(format!("{from}.{register}_q"), format!("{to}_{register}_q[{lane}]"));
                    }
                    let first = lane.parse::<u32>().unwrap() << address_bits;
                    for word in 0..1 << address_bits {
                        rename(format!("{from}.memory[{word}]"), format!("{to}_memory[{}]", first + word));
                    }
                }
                _ => {}
            }
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
    for (what, plan) in designs() {
        let netlist = design::build(&plan, WIDTH);
        let folder = tempfile::tempdir().unwrap();
        let sources = files(&netlist, Style::Compact);
        sources.iter().for_each(|file| std::fs::write(folder.path().join(&file.name), &file.text).unwrap());
        let mut lint = tool("verilator", folder.path());
        lint.args(["--lint-only", "-Wall", "--quiet", "--top-module", &netlist.top().name]);
        let log = run(lint.args(sources.iter().map(|file| &file.name)));
        assert!(!log.contains("%Warning"), "{what}:\n{log}");
    }
}

/// The lines of a process.
fn lines_of(files: &[SourceFile], module: &str, process: &str) -> usize {
    let file = files.iter().find(|file| file.name.ends_with(&format!("_{module}.v"))).unwrap();
    let head = format!("begin : {process}\n");
    let from = file.text.find(&head).unwrap_or_else(|| panic!("no {process} in {}", file.name));
    file.text[from..].lines().take_while(|line| *line != "  end").count()
}

/// Only the tables grow with the number of terminals: the statements of a stage are as many for 64 as for 8 or 16, and no
/// terminal has a FIFO or a ROM of its own.
#[test]
fn the_text_of_a_stage_does_not_grow() {
    let buffered = |terminals| Request::new("rls-folded", terminals).with("plan", "buffered");
    let stages = [("fabric", "s1_registers"), ("fabric", "s2_registers"), ("fabric", "s3_registers")];
    let fifos = [("fabric", "fifo_registers"), ("labels", "fifo_registers")];
    let roms = [("exchange", "dest_rom_outputs"), ("exchange", "source_rom_outputs")];
    for (requests, processes) in [
        ([16, 64].map(|terminals| Request::new("rls", terminals)), &stages[..]),
        ([8, 64].map(buffered), &fifos),
        ([16, 64].map(|terminals| Request::new("atape", terminals)), &roms),
    ] {
        let [small, large] = requests.map(|request| {
            let netlist = netlist(&request);
            let files = files(&netlist, Style::Compact);
            let lines = |(module, process): &(&str, &str)| lines_of(&files, module, process);
            (files.len(), processes.iter().map(lines).collect::<Vec<usize>>())
        });
        assert_eq!(small, large, "{processes:?}");
    }
}

/// Three ROMs that drive a signal each, as those of a stage of more than 64 switches do.
fn roms_of_a_stage() -> Netlist {
    let mut module = Module::new("roms", vec![]);
    let round = module.net(Kind::Input, "round_i", 2);
    for (at, words) in [vec![5, 2, 7, 1], vec![3, 6, 4], vec![0, 1, 2, 3]].into_iter().enumerate() {
        let state = module.net(Kind::Output, format!("state_0_{at}_o"), 3);
        let spec = CellSpec::from(RomSpec { name: format!("test_{at}"), bits: 2, width: 3, words });
        let rom = Instance::new(format!("u_state_0_{at}_rom"), Of::Cell(spec));
        module.instances.push(rom.input("round_i", round).output("word_o", state));
    }
    Netlist { modules: vec![module], ..Netlist::default() }
}

#[test]
fn roms_that_drive_a_signal_each_are_one_table() {
    if !tools_found(&["yosys"]) {
        return;
    }
    let netlist = roms_of_a_stage();
    let sources = files(&netlist, Style::Compact);
    assert_eq!(sources.len(), 1, "no ROM is a module");
    let (proved, log) = prove(&netlist, &unrolled(&netlist), &sources[0].text);
    assert!(proved, "{log}");
    let targets = |order: [u32; 3]| {
        let names = order.map(|at| format!("state_0_{at}_o"));
        format!("{{{}}} = ", names.join(", "))
    };
    let broken = sources[0].text.replace(&targets([2, 1, 0]), &targets([2, 0, 1]));
    assert_ne!(broken, sources[0].text);
    let (proved, log) = prove(&netlist, &unrolled(&netlist), &broken);
    assert!(!proved && log.contains("unproven"), "{log}");
}

fn netlist(request: &Request) -> Netlist {
    design::build(&plan(request).unwrap(), WIDTH)
}

#[test]
fn compact_is_equivalent_to_unrolled() {
    if !tools_found(&["yosys"]) {
        return;
    }
    for (what, plan) in every(&designs(), 3) {
        let netlist = design::build(&plan, WIDTH);
        let (proved, log) = prove(&netlist, &unrolled(&netlist), &compact(&netlist));
        let tail: Vec<&str> = log.lines().rev().take(60).collect();
        assert!(proved, "{what}:\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
}

/// A switch of a dilated butterfly behind the first level.
fn dilated_switch(bundle: u32, switch: Switch) -> Netlist {
    let parameters = Parameters { switch, ..Parameters::new(4, bundle, 1) };
    let packets = Packets::new(parameters, &permutations(4, 2, 1)).unwrap();
    Hardware::new(&packets).unwrap().switch_netlist()
}

/// With four edges in a bundle and more an OR has so many bits that it is a loop, one for each out edge.
#[test]
#[ignore = "long: make test-all"]
fn switches_of_dilated_butterflies_are_equivalent() {
    if !tools_found(&["yosys"]) {
        return;
    }
    for (bundle, switch) in [(2, Switch::Strong), (4, Switch::Strong), (2, Switch::Weak), (4, Switch::Weak)] {
        let netlist = dilated_switch(bundle, switch);
        let (proved, log) = prove(&netlist, &unrolled(&netlist), &compact(&netlist));
        let tail: Vec<&str> = log.lines().rev().take(60).collect();
        assert!(proved, "{bundle} {switch:?}:\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
    let netlist = dilated_switch(4, Switch::Weak);
    let broken = compact(&netlist).replacen("found = 1'b0;", "found = 1'b1;", 1);
    let (proved, log) = prove(&netlist, &unrolled(&netlist), &broken);
    assert!(!proved && log.contains("unproven"), "{log}");
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

/// The text with the words of the first two rounds of many ROMs exchanged.
fn rounds_exchanged(text: &str, words: &str) -> String {
    let row = format!(": {words} = ");
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let rows: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].contains(&row)).take(2).collect();
    let split =
        |at: usize| lines[at].split_once(&row).map(|(round, words)| (round.to_string(), words.to_string()));
    let (first, second) = (split(rows[0]).unwrap(), split(rows[1]).unwrap());
    assert_ne!(first.1, second.1);
    lines[rows[0]] = format!("{}{row}{}", first.0, second.1);
    lines[rows[1]] = format!("{}{row}{}", second.0, first.1);
    lines.join("\n") + "\n"
}

/// The text with one of the places where cells have their words in a memory exchanged in pairs: `before` is what stands
/// before the array.
fn places_exchanged(text: &str, before: &str, memory: &str) -> String {
    let place = format!("{before}{memory}[i * ");
    assert_eq!(text.matches(&place).count(), 1, "{place}:\n{text}");
    text.replace(&place, &format!("{before}{memory}[(i ^ 1) * "))
}

/// A change of a module of the compact form that is wrong.
type Change<'a> = (&'a str, &'a dyn Fn(&str) -> String);

/// Each change of one module is found.
fn assert_noticed(plan: &Plan, changes: &[Change]) {
    let netlist = design::build(plan, WIDTH);
    let sources = files(&netlist, Style::Compact);
    for (at, (module, change)) in changes.iter().enumerate() {
        let name = format!("{}_{module}.v", plan.design_name(WIDTH));
        let text = |file: &SourceFile| match file.name == name {
            true => change(&file.text),
            false => file.text.clone(),
        };
        let broken: String = sources.iter().map(text).collect();
        assert_ne!(broken, compact(&netlist), "change {at} of {name} changes nothing");
        let (proved, log) = prove(&netlist, &unrolled(&netlist), &broken);
        assert!(!proved, "change {at} of {name} passed");
        assert!(log.contains("unproven"), "no verdict:\n{log}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn one_wrong_entry_of_a_table_is_noticed() {
    if !tools_found(&["yosys"]) {
        return;
    }
    assert_noticed(
        &plan(&Request::new("rls", 8)).unwrap(),
        &[
            ("fabric", &|text| exchanged(text, "S1_VALID0_I")),
            ("labels", &|text| exchanged(text, "S2_VALID1_I")),
            ("exchange", &|text| exchanged(text, "LABEL_GEN_TERMINAL")),
        ],
    );
}

#[test]
#[ignore = "long: make test-all"]
fn one_wrong_row_of_stored_words_is_noticed() {
    if !tools_found(&["yosys"]) {
        return;
    }
    assert_noticed(
        &stored_labels(),
        &[
            ("exchange", &|text| rounds_exchanged(text, "label_rom_words")),
            ("exchange", &|text| rounds_exchanged(text, "source_rom_words")),
        ],
    );
}

#[test]
#[ignore = "long: make test-all"]
fn one_wrong_place_in_a_memory_is_noticed() {
    if !tools_found(&["yosys"]) {
        return;
    }
    assert_noticed(
        &plan(&Request::new("rls-folded", 4).with("plan", "buffered")).unwrap(),
        &[
            ("fabric", &|text| places_exchanged(text, "if (at_memory_write) ", "fifo_memory")),
            ("labels", &|text| places_exchanged(text, "<= ", "fifo_memory")),
        ],
    );
}

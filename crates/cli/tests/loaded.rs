//! `--demand` of `frit generate`, `verify` and `synth`: a schedule that is loaded, under every engine; what is refused; the emitted testbench.

use crate::common;

use common::{compiled, have, json, run};
use frit_cells::design::loaded::Hardware;
use frit_demand::loadable::Loadable;
use frit_demand::peel::Held;
use frit_demand::program::{Program, Shape};
use frit_network::Network;
use frit_rtl::loaded::header;
use frit_schedule::user;
use frit_traffic::random::SplitMix64;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A demand in a file of its folder.
fn demand(folder: &Path, kind: &str, terminals: u32) -> String {
    let path =
        folder.join(format!("{}_{terminals}.csv", kind.split(' ').next().unwrap())).display().to_string();
    run(&format!("demand {kind} -n {terminals} -o {path}"), 0);
    path
}

#[test]
fn every_engine_agrees_and_a_fault_is_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "zipf --words 20", 4);
    let found = json(&format!("verify benes -n 4 -w 9 --demand {path} --engines rust-hdl,icarus"), 0);
    assert_eq!(found["rounds"], json(&format!("demand {path}"), 0)["h"]);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(found[engine]["agrees"], true, "{engine}");
        assert_eq!(found[engine]["words"], found["model"]["words"], "{engine}");
    }
    let wrong = format!("verify benes -n 4 -w 9 --demand {path} --fault setting:1 --engines rust-hdl,icarus");
    let wrong = json(&wrong, 1);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(wrong[engine]["agrees"], false, "{engine}");
        assert!(wrong[engine]["first_difference"]["what"].as_str().unwrap().starts_with("event "), "{wrong}");
    }
}

/// Loaded schedules, and messages around them, with columns of 4×4 switches.
#[test]
fn networks_of_4x4_switches_agree_and_faults_are_found() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (terminals, engines) in [(4, "rust-hdl,icarus"), (8, "rust-hdl,icarus"), (16, "rust-hdl")] {
        let path = demand(folder.path(), "zipf --words 5", terminals);
        let verify = format!("verify benes --set radix=4 -w 9 --demand {path} --engines {engines}");
        assert_eq!(json(&verify, 0)["agrees"], true, "{terminals}");
        assert_eq!(json(&format!("{verify} --axis"), 0)["agrees"], true, "{terminals}");
        let wrong = json(&format!("{verify} --fault setting:2"), 1);
        assert_eq!(wrong["rust_hdl"]["agrees"], false, "{wrong}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn the_simulators_agree_for_every_kind_of_demand() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for terminals in [4, 8, 16] {
        for kind in ["uniform", "zipf", "log-normal", "hot-spot", "block-diagonal", "sparse"] {
            let path = demand(folder.path(), &format!("{kind} --words 15"), terminals);
            let found =
                json(&format!("verify benes --demand {path} -w 40 --require icarus --engines rust-hdl"), 0);
            assert_eq!(found["agrees"], true, "{kind} {terminals}");
        }
        let path = demand(folder.path(), "experts --tokens 20", terminals);
        let found = json(&format!("verify benes --demand {path} -w 100 --require verilator,icarus"), 0);
        assert_eq!(
            (&found["agrees"], &found["rust_hdl"]["ran"]),
            (&true.into(), &false.into()),
            "{terminals}"
        );
    }
}

/// A network of the user's, and its schedule.
const OMEGA: &str =
    "user --network examples/omega8/network.json --schedule examples/omega8/schedule.json -w 5";

#[test]
fn a_users_schedule_is_loaded() {
    if !have(&["iverilog", "vvp"]) {
        return;
    }
    let found = json(&format!("verify {OMEGA} --entries 8 --engines rust-hdl,icarus"), 0);
    assert_eq!(found["system"], "user");
    assert_eq!(["entries", "program_entries", "rounds"].map(|member| found[member].as_u64()), [Some(8); 3]);
    for engine in ["rust_hdl", "icarus"] {
        assert_eq!(found[engine]["agrees"], true, "{engine}");
        assert_eq!(found[engine]["words"], found["model"]["words"], "{engine}");
    }
    let wrong = json(&format!("verify {OMEGA} --entries 8 --engines icarus --fault setting:2"), 1);
    assert_eq!(wrong["icarus"]["agrees"], false);
}

#[test]
fn a_users_schedule_is_as_long_as_its_demand() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.csv").display().to_string();
    // Terminals 0 and 1 meet in round 1, 0 and 4 in round 4: two rounds of eight.
    fs::write(&list, "source,destination,words\n0,1,9\n1,0,4\n0,4,2\n").unwrap();
    let made = |more: &str| {
        let out = folder.path().join(format!("out{more}").replace([' ', '/'], "_"));
        let made = json(&format!("generate {OMEGA} {more} -o {}", out.display()), 0);
        let program = format!("{}_loaded_program.memh", made["design"].as_str().unwrap());
        let program = fs::read_to_string(out.join(program)).unwrap();
        (
            made["entries"].as_u64(),
            made["program_entries"].as_u64(),
            made["rounds"].as_u64(),
            program.lines().count(),
        )
    };
    // A line of the header, the number of entries, and two words for each.
    assert_eq!(made("--entries 16"), (Some(16), Some(8), Some(8), 2 + 8 * 2));
    assert_eq!(made(&format!("--demand {list}")), (Some(2), Some(2), Some(11), 2 + 2 * 2));
    let simulated = json(&format!("simulate {} --demand {list}", OMEGA.trim_end_matches(" -w 5")), 0);
    assert_eq!((simulated["rounds"].as_u64(), simulated["delivered"].as_u64()), (Some(11), Some(15)));
    let error = |arguments: &str| run(arguments, 2).1;
    let said = error(&format!("generate {OMEGA} --entries 4 -o {}", folder.path().join("four").display()));
    assert!(said.contains("the plan has 8 entries, but a bank has 4; give --entries 8"), "{said}");
    let said = error("verify benes -n 4 --entries 4");
    assert!(said.contains("give benes --demand FILE with it"), "{said}");
    let said = error(&format!("verify {OMEGA} --entries 8 --formal --netlist ice40"));
    assert!(
        said.contains("--netlist does not apply to a loaded schedule (--demand, --entries) with --formal"),
        "{said}"
    );
    let said = error("generate rls -n 8 --entries 4 -o nowhere");
    assert!(said.contains("--entries does not apply to rls: only benes and user take"), "{said}");
    let four = demand(folder.path(), "uniform --words 4", 4);
    let said = error(&format!("verify {OMEGA} --demand {four}"));
    assert!(said.contains("8 terminals"), "{said}");
}

#[test]
#[ignore = "long: make test-all"]
fn the_simulators_agree_for_networks_of_users() {
    if !have(&["verilator", "iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "zipf --words 12", 8);
    let labels = OMEGA.replace("schedule.json", "labels.json");
    for arguments in [
        format!("{OMEGA} --entries 16"),
        format!("{labels} --entries 8"),
        format!("{OMEGA} --demand {path}"),
        format!("{OMEGA} --demand {path} --entries 32"),
    ] {
        let found = json(&format!("verify {arguments} --require verilator,icarus"), 0);
        assert_eq!(found["agrees"], true, "{arguments}");
    }
    for (n, system) in [(6, "gsen -n 6 --algorithm latin"), (16, "rls -n 16")] {
        let [network, schedule] = ["network", "schedule"].map(|what| {
            let text = run(&format!("{what} {system} --format json"), 0).0;
            let file = folder.path().join(format!("{what}{n}.json"));
            fs::write(&file, text).unwrap();
            file.display().to_string()
        });
        let user = format!("user --network {network} --schedule {schedule} -w 3");
        let found =
            json(&format!("verify {user} --entries 32 --require verilator,icarus --engines rust-hdl"), 0);
        assert_eq!(found["agrees"], true, "{system}");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn a_netlist_does_what_the_model_says() {
    if !have(&["iverilog", "vvp", "yosys"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "zipf --words 9", 4);
    for (mapping, more, status) in
        [("ice40", "", 0), ("ecp5", "--entries 64", 0), ("ice40", "--fault entry", 1)]
    {
        let verify = format!("verify benes -w 8 --demand {path} --engines icarus --netlist {mapping} {more}");
        let found = json(&verify, status);
        assert_eq!((&found["netlist"], &found["agrees"]), (&mapping.into(), &(status == 0).into()));
    }
}

#[test]
fn the_emitted_testbench_passes_and_finds_a_changed_program() {
    if !have(&["verilator", "iverilog", "vvp", "make"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "uniform --words 6", 4);
    let design = folder.path().join("design");
    let made = format!("generate benes --demand {path} --entries 64 -w 8 -o {}", design.display());
    assert_eq!(json(&made, 0)["design"], "benes_n4_w8_e64");
    let make = |targets: &[&str]| common::make(&design, targets);
    let (passed, log) = make(&["lint", "icarus"]);
    assert!(passed && log.contains("PASS benes_n4_w8_e64_loaded: "), "{log}");
    // The first entry's run length is one round more.
    let table = design.join("benes_n4_w8_e64_loaded_beats.memh");
    let text = fs::read_to_string(&table).unwrap();
    let entry = text.lines().nth(2).unwrap();
    let longer = format!("{:09x}", u64::from_str_radix(entry, 16).unwrap() + 1);
    fs::write(&table, text.replace(entry, &longer)).unwrap();
    let (passed, log) = make(&["icarus"]);
    assert!(!passed && log.contains("FAIL: phase 1"), "{log}");
}

#[test]
fn fewer_entries_take_another_plan_and_too_few_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = demand(folder.path(), "uniform --words 40", 8);
    let entries = |option: &str| {
        let out = folder.path().join(format!("out{option}"));
        let made = json(&format!("generate benes --demand {path} {option} -o {}", out.display()), 0);
        (made["entries"].as_u64().unwrap(), made["program_entries"].as_u64().unwrap())
    };
    let (room, exact) = entries("");
    assert!(room == exact.next_power_of_two() && exact > 16, "{room} {exact}");
    let (room, few) = entries("--entries=16");
    assert!(room == 16 && few <= 16, "{room} {few}");
    let error = |arguments: &str| run(arguments, 2).1;
    let said = error(&format!("verify benes --demand {path} --entries 4"));
    assert!(said.contains("4 configurations are too few"), "{said}");
    let said = error(&format!("verify benes --demand {path} --entries 24"));
    assert!(said.contains("24 entries are not possible; give a power of two from 2 to 4096"), "{said}");
    let said = error(&format!("verify rls --demand {path}"));
    assert!(
        said.contains("--demand does not apply to rls: only benes and user take a schedule in memories"),
        "{said}"
    );
    let said = error(&format!("verify benes --demand {path} --fault page"));
    assert!(
        said.contains("\n  entry                          the numbers of entries are inverted when"),
        "{said}"
    );
    let six = demand(folder.path(), "uniform --words 4", 6);
    let said = error(&format!("generate benes --demand {six} -o {}", folder.path().join("six").display()));
    assert!(said.contains("6 terminals are not possible with a loaded schedule"), "{said}");
    let none = folder.path().join("none.csv").display().to_string();
    fs::write(&none, "0,0,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n").unwrap();
    let said = error(&format!("verify benes --demand {none}"));
    assert!(said.contains("the demand has no words"), "{said}");
    let said = error("synth rls -n 8 --entries 16");
    assert!(said.contains("--entries does not apply to rls"), "{said}");
}

/// Reads permutations from its arguments, prints the words of their entries, and says what it refuses.
const MAIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include "TOP.h"
int main(int count, char **text)
{
    uint32_t words[MACROS_ENTRY_WORDS];
    uint8_t to[MACROS_TERMINALS];
    for (int at = 1; at + (int)MACROS_TERMINALS < count; at += (int)MACROS_TERMINALS + 1) {
        for (unsigned i = 0; i < MACROS_TERMINALS; i++) to[i] = (uint8_t)atoi(text[at + 1 + (int)i]);
        if (TOP_entry(words, to, (uint32_t)atol(text[at]))) {
            puts("refused");
            continue;
        }
        for (unsigned i = 0; i < MACROS_ENTRY_WORDS; i++) printf("%08lx ", (unsigned long)words[i]);
        puts("");
    }
    return 0;
}
"#;

#[test]
fn the_header_for_c_makes_the_same_entries() {
    let mut random = SplitMix64(9);
    for terminals in [4u32, 8, 32, 128] {
        let shape = Shape::new(terminals.into(), 64).unwrap();
        let (mut arguments, mut due) = (Vec::new(), String::new());
        for hold in [1, 7, 65_535, 65_536, 0] {
            let to: Vec<u16> = random.permutation(terminals).into_iter().map(|to| to as u16).collect();
            arguments.push(hold.to_string());
            arguments.extend(to.iter().map(u16::to_string));
            match hold {
                1..=65_535 => {
                    let program = Program::new(shape, &[Held { to, hold }]).unwrap();
                    program.words()[1..].iter().for_each(|word| write!(due, "{word:08x} ").unwrap());
                    due.push('\n');
                }
                _ => due += "refused\n",
            }
        }
        // Two sources for one terminal, and a terminal that does not exist.
        for wrong in [0, terminals] {
            let mut to: Vec<u32> = (0..terminals).collect();
            to[1] = wrong;
            arguments.push("1".into());
            arguments.extend(to.iter().map(u32::to_string));
            due += "refused\n";
        }
        assert_eq!(
            compiled(MAIN, &header(&Hardware::new(Loadable::benes(shape), 32)), &arguments),
            due,
            "{terminals}"
        );
    }
}

/// Reads run lengths and states from its arguments, prints the words of the entries, and says what it refuses.
const OF_STATES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include "TOP.h"
int main(int count, char **text)
{
    uint32_t words[MACROS_ENTRY_WORDS];
    uint8_t states[MACROS_STAGES][MACROS_TERMINALS / 2];
    for (int at = 1; at + 1 < count; at += 2) {
        const char *state = text[at + 1];
        for (unsigned s = 0; s < MACROS_STAGES; s++)
            for (unsigned k = 0; k < MACROS_TERMINALS / 2; k++) states[s][k] = (uint8_t)(*state++ - '0');
        if (TOP_entry(words, (const uint8_t (*)[MACROS_TERMINALS / 2])states, (uint32_t)atol(text[at]))) {
            puts("refused");
            continue;
        }
        for (unsigned i = 0; i < MACROS_ENTRY_WORDS; i++) printf("%08lx ", (unsigned long)words[i]);
        puts("");
    }
    return 0;
}
"#;

#[test]
fn the_header_for_c_makes_entries_of_a_users_states() {
    let mut random = SplitMix64(4);
    for (terminals, stages) in [(4, 1), (10, 3), (128, 13)] {
        let links = (0..=stages).map(|_| random.permutation(terminals)).collect();
        let network = Network::new("drawn", terminals, links).unwrap();
        let zeros = vec![format!("\"{}\"", "0".repeat(terminals as usize / 2)); stages];
        let round = format!("{{\"states\": [{}]}}", zeros.join(","));
        let schedule = format!("{{\"format\": \"{}\", \"rounds\": [{round}]}}", user::FORMAT);
        let on = Loadable::user(&user::plan(network, &schedule).unwrap(), 16).unwrap();
        let (mut arguments, mut due) = (Vec::new(), String::new());
        for run in [1, 300, 65_535] {
            let entry = on.drawn(&mut random, run);
            let states: String =
                entry.states.iter().flatten().map(|state| char::from(b'0' + u8::from(state.bit()))).collect();
            arguments.extend([run.to_string(), states]);
            let program = Program::of_states(on.shape(), [entry].into_iter()).unwrap();
            program.words()[1..].iter().for_each(|word| write!(due, "{word:08x} ").unwrap());
            due.push('\n');
        }
        // A state that is none, and runs that are too short and too long.
        let [good, wrong] = ["1", "2"].map(|last| format!("{}{last}", &arguments[1][1..]));
        for (run, states) in [("1", &wrong), ("0", &good), ("65536", &good)] {
            arguments.extend([run.to_string(), states.clone()]);
            due += "refused\n";
        }
        assert_eq!(
            compiled(OF_STATES, &header(&Hardware::new(on, 8)), &arguments),
            due,
            "{terminals} {stages}"
        );
    }
}

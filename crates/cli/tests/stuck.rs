//! Switches that are stuck, on the binary: what a fault does (`--fault`, `--expected`), which fault it is (`frit diagnose`), and the
//! exchange that goes round it (`--stuck`).

use crate::common;

use common::rows::rows;
use common::sweeps::sweep;
use common::{documented, frit, have, json, refused, root, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn an_exchange_goes_round_in_as_many_rounds_and_every_engine_agrees() {
    for (design, cycles) in [
        ("rls -n 8 --stuck 2:1:1", 12),
        ("benes -n 8 --stuck 2:1:1,0:3:0", 12),
        ("rls -n 4 --stuck 1:0:1", 6),
    ] {
        let report = json(&format!("simulate {design}"), 0);
        assert_eq!((&report["cycles"], &report["misrouted"]), (&json!(cycles), &json!(0)), "{report}");
        assert_eq!(json(&format!("verify {design} -w 8 --engines rust-hdl"), 0)["agrees"], true);
    }
    if have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        let engines = "--engines rust-hdl,verilator,icarus";
        assert_eq!(json(&format!("verify benes -n 8 -w 16 --stuck 2:1:1 {engines}"), 0)["agrees"], true);
    }
    // The name says so, and what is generated says how it is made again.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let made = json(&format!("generate rls -n 8 -w 8 --stuck 4:0:1,2:1:1 -o {}", out.display()), 0);
    assert_eq!(made["design"], "rls_stuck_2_1_1_4_0_1_n8_w8");
    let text = fs::read_to_string(out.join("rls_stuck_2_1_1_4_0_1_n8_w8.v")).unwrap();
    assert!(text.contains("frit generate rls -n 8 --set stuck=2-1-1_4-0-1 -w 8"), "{}", &text[..400]);
}

#[test]
#[ignore = "long: make test-all"]
fn an_exchange_round_a_middle_switch_agrees_as_a_netlist_too() {
    if have(&["yosys", "verilator", "iverilog", "vvp", "make", "g++"]) {
        for design in ["benes -n 4 --stuck 1:0:1", "rls -n 4 --stuck 1:1:0"] {
            assert_eq!(json(&format!("verify {design} -w 2 --netlist ice40"), 0)["agrees"], true);
        }
    }
}

#[test]
fn a_schedule_without_the_stuck_switch_is_found_and_so_is_a_wrong_one() {
    // The fault of the schedule that goes round another switch shows.
    let report = json("verify rls -n 8 -w 8 --stuck 2:1:1 --fault stuck-switch:2:2:1 --engines rust-hdl", 1);
    assert_eq!(report["agrees"], false);
    let (text, _) = run("schedule benes -n 8 --stuck 2:1:1", 0);
    assert!(text.starts_with("benes_stuck_2_1_1_n8: 8 rounds"), "{text}");
}

#[test]
fn what_cannot_be_gone_round_is_refused_with_its_reason() {
    let says = |arguments: &str, text: &str| {
        let error = refused(arguments);
        assert!(error.contains(text), "{arguments}: {error}");
    };
    says(
        "simulate xor -n 8 --stuck 1:1:1",
        "error: not possible on butterfly: every path from terminal 2 to terminal 0 needs the other state of a switch that is stuck (switch 1 of stage 1)",
    );
    says(
        "simulate gsen -n 9 --algorithm latin --pad yes --stuck 1:1:1",
        "padded exchanges do not go round stuck switches",
    );
    says(
        "schedule user --network examples/omega8/network.json --stuck 1:1:1 --algorithm exact",
        "--stuck cannot be used with algorithm=exact",
    );
    let report = json("simulate gsen -n 6 --stuck 1:1:0", 0);
    assert_eq!((&report["rounds"], &report["missing"]), (&json!(8), &json!(0)), "{report}");
    says(
        "simulate gsen -n 10 --stuck 1:1:1",
        "not possible on general-shuffle-exchange: every path from terminal 0 to terminal 8",
    );
    says("simulate obf -n 8 --stuck 1:1:1", "not possible on optical-butterfly");
    says(
        "simulate rls -n 8 --stuck 5:0:1",
        "there is no switch 0 in stage 5: the network butterfly-butterfly has stages 0 to 4 with switches 0 to 3",
    );
    says(
        "simulate rls -n 8 --stuck 1:1:1,1:1:0",
        "switch 1 of stage 1 is stuck twice, straight and crossed; give it one state",
    );
    says(
        "simulate rls -n 8 --stuck 1:1:2",
        "\"1:1:2\" is not a switch and its state; give STAGE:SWITCH:STATE",
    );
    says("simulate rls -n 8 --stuck nothing", "--stuck nothing is neither STAGE:SWITCH:STATE[,...]");
    says("simulate rls-folded -n 8 --stuck 1:1:1", "rls-folded has no option \"stuck\"");
    // One permutation has its own round.
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let identity = file("p.txt", "0 1 2 3 4 5 6 7");
    says(
        &format!("simulate benes --permutation {identity} --stuck 2:1:1"),
        "serve round 0 (its permutation needs exactly 0 crossed switches in the middle stage, and 1 are stuck so)",
    );
    let other = file("q.txt", "2 1 0 3 4 5 6 7");
    run(&format!("simulate benes --permutation {other} --stuck 2:1:1"), 0);
    // A file may have more than a name can say.
    let many: Vec<String> = (0..32).map(|switch| format!("0:{switch}:0")).collect();
    let many = file("many.txt", &many.join("\n"));
    let report = json(&format!("simulate rls -n 64 --stuck {many}"), 0);
    assert_eq!((&report["missing"], &report["cycles"]), (&json!(0), &json!(74)), "{report}");
    says(&format!("simulate rls -n 8 --stuck {many}"), "there is no switch 4 in stage 0");
    let few = file("few.txt", "2:1:1\n");
    assert_eq!(
        run(&format!("schedule rls -n 8 --stuck {few}"), 0),
        run("schedule rls -n 8 --stuck 2:1:1", 0)
    );
}

#[test]
fn the_model_follows_faults_and_the_hardware_does_the_same() {
    let fault = "--fault stuck-switch:2:1:1";
    let report = json(&format!("simulate rls -n 8 {fault}"), 1);
    assert_eq!((&report["delivered"], &report["misrouted"]), (&json!(56), &json!(8)));
    assert_eq!(json(&format!("verify rls -n 8 -w 8 {fault} --engines rust-hdl"), 1)["agrees"], false);
    for design in [
        "rls -n 8 --fault stuck-switch:2:1:1",
        "xor -n 8 --fault stuck-driver:1:1",
        "gsen -n 6 --fault broken-link:1:3",
    ] {
        assert_eq!(
            json(&format!("verify {design} -w 8 --expected --engines rust-hdl"), 0)["agrees"],
            true,
            "{design}"
        );
    }
    if have(&["verilator", "iverilog", "vvp", "make", "g++"]) {
        for design in ["rls -n 8 --fault stuck-label:3:1:1", "xor -n 8 --fault stuck-driver:1:1"] {
            assert_eq!(json(&format!("verify {design} -w 8 --expected"), 0)["agrees"], true, "{design}");
        }
    }
    let says = |arguments: &str, text: &str| {
        let error = refused(arguments);
        assert!(error.contains(text), "{arguments}: {error}");
    };
    says(
        "simulate rls -n 8 --fault help",
        "is not a fault that the model follows; give one of stuck-switch:STAGE:SWITCH:0|1",
    );
    says("simulate rls -n 8 --fault stuck-switch:9:0:1", "they are stuck-switch:0:0:0 to stuck-switch:4:3:1");
    says("verify rls -n 8 --fault late-driver:1 --expected", "is not a fault that the model follows");
    says("verify rls -n 8 --expected", "--fault");
    says("simulate transpose -n 4 --fault write", "the model follows faults of an exchange only");
    says("simulate rls -n 8192 --fault stuck-switch:0:0:1", "up to 4096 terminals");
    says(
        "simulate rls-folded -n 8 --fault stuck-switch:0:0:1",
        "the model does not follow faults of rls-folded",
    );
}

#[test]
fn a_fault_is_found_from_what_arrived() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let ran = |design: &str, faults: &str, code: i32, path: &Path| {
        run(
            &format!("simulate {design} -w 16 --payload random {faults} --deliveries {}", path.display()),
            code,
        );
    };
    let diagnosed = |design: &str, path: &Path, code: i32| {
        let report = json(&format!("diagnose {design} -w 16 --deliveries {}", path.display()), code);
        documented(&report);
        (report["verdict"].as_str().unwrap().to_string(), report["faults"].clone())
    };
    let (one, two, none) = (path("one.csv"), path("two.csv"), path("none.csv"));
    ran("rls -n 8", "--fault stuck-switch:2:1:1", 1, &one);
    assert_eq!(diagnosed("rls -n 8", &one, 1), ("single".into(), json!([["stuck-switch:2:1:1"]])));
    ran("xor -n 4", "--fault stuck-switch:0:1:1 --fault broken-link:1:0", 1, &two);
    let (verdict, pairs) = diagnosed("xor -n 4", &two, 1);
    assert!(
        verdict == "pair"
            && pairs.as_array().unwrap().contains(&json!(["stuck-switch:0:1:1", "broken-link:1:0"])),
        "{pairs}"
    );
    ran("xor -n 8", "", 0, &none);
    assert_eq!(diagnosed("xor -n 8", &none, 0), ("healthy".into(), json!([])));
    // What hardware says, as its testbench writes it.
    let out = path("out");
    run(&format!("verify rls -n 8 -w 16 --fault broken-link:3:2 --engines rust-hdl -o {}", out.display()), 1);
    let heard = out.join("rust-hdl/deliveries.csv");
    assert_eq!(diagnosed("rls -n 8", &heard, 1), ("single".into(), json!([["broken-link:3:2"]])));
    let says = |arguments: String, text: &str| {
        let error = refused(&arguments);
        assert!(error.contains(text), "{arguments}: {error}");
    };
    says(
        format!("diagnose xor -n 8 -w 16 --deliveries {}", one.display()),
        "these are deliveries of another design",
    );
    says(
        format!("diagnose rls -n 8 --deliveries {}", one.display()),
        "64 of 64 words are none that was sent, words of 32 bits",
    );
    says("diagnose rls -n 8 --payload random".into(), "needs --deliveries FILE");
    let report = |line: &str, code: i32| {
        let output = frit("diagnose benes -n 4 -w 8 --format json --report").arg(line).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if code < 2 {
            documented(&report);
        }
        (report, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (passed, _) = report(" frit benes_n4_w8 PASS cycles=00000006 errors=00000000\r\n", 0);
    assert_eq!(
        (&passed["verdict"], &passed["faults"]),
        (&json!("healthy"), &json!([["stuck-switch:0:0:0"], ["stuck-switch:0:1:0"]]))
    );
    let failed =
        |name: &str, sum: &str| format!("frit {name} FAIL cycles=00000006 errors=00000001 signature={sum}");
    assert_eq!(report(&failed("benes_n4_w8", "00000000"), 1).0["verdict"], "none");
    for (line, text) in [
        (failed("benes_n4_w8", "80000000"), "is no report of a self-test"),
        (failed("benes_n4_w8", "+0000000"), "is no report of a self-test"),
        (failed("benes_n4_w9", "00000000"), "this is a report of benes_n4_w9, not of benes_n4_w8"),
        ("frit benes_n4_w8 FAIL cycles=00000006 errors=00000001".into(), "is no report of a self-test"),
    ] {
        assert!(report(&line, 2).1.contains(text), "{line}");
    }
    let log = path("board.log");
    let line = "frit benes_n4_w8 PASS cycles=00000006 errors=00000000";
    fs::write(&log, format!("boot\r\nfrit benes_n4_w8 FA\r\n{line}\r\n")).unwrap();
    assert_eq!(report(log.to_str().unwrap(), 0).0["verdict"], "healthy");
    fs::write(&log, "boot\n").unwrap();
    assert!(report(log.to_str().unwrap(), 2).1.contains("board.log: no line is a report of a self-test"));
    says("diagnose rls-folded -n 8".into(), "are not followed by the model");
    says("diagnose rls -n 512".into(), "too many to try every fault");
    let report = json("diagnose benes -n 8 --list", 0);
    documented(&report);
    assert_eq!((&report["faults"], &report["unseen_with_another"]), (&json!(80), &json!(0)));
}

#[test]
fn a_demand_is_carried_round_stuck_switches() {
    let report = json("simulate benes -n 4 --demand examples/demand4.csv --stuck 1:0:1", 0);
    documented(&report);
    assert_eq!(
        (&report["planner"], &report["missing"], &report["options"]),
        (&json!("around"), &json!(0), &json!({"stuck": "1-0-1"}))
    );
    let exact = json("simulate benes -n 4 --demand examples/demand4.csv", 0);
    let rounds = |report: &Value| report["rounds"].as_u64().unwrap();
    assert!((rounds(&exact)..=rounds(&exact) * 3 / 2).contains(&rounds(&report)), "{report}");
    let engines = if have(&["iverilog", "vvp"]) { "rust-hdl,icarus" } else { "rust-hdl" };
    let (n, s) = (root().join("examples/demand4.csv"), "--stuck 1:0:1");
    for streams in ["", "--axis --length 64"] {
        run(&format!("verify benes -n 4 -w 8 --demand {} {s} {streams} --engines {engines}", n.display()), 0);
    }
    // A program that does not know of the switch does not pass.
    run(
        &format!(
            "verify benes -n 4 -w 8 --demand {} --fault stuck-switch:1:0:1 --engines rust-hdl",
            n.display()
        ),
        1,
    );
    let folder = tempfile::tempdir().unwrap();
    let [network, schedule] = ["network", "schedule"].map(|name| {
        let path = folder.path().join(format!("{name}.json"));
        let stuck = if name == "network" { "" } else { s };
        let (text, _) = run(&format!("{name} benes -n 4 {stuck} --format json"), 0);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    });
    let user =
        format!("verify user --network {network} --schedule {schedule} -w 8 --entries 8 --engines rust-hdl");
    run(&format!("{user} {s}"), 0);
    run(&format!("{user} --fault stuck-switch:1:0:1"), 1);
    for (arguments, text) in [
        (
            "simulate benes -n 4 --demand examples/demand4.csv --stuck 3:0:1",
            "there is no switch 0 in stage 3",
        ),
        ("simulate benes -n 4 --demand examples/demand4.csv --stuck 1:0:0,1:1:0", "every path from terminal"),
        (
            "simulate benes -n 4 --demand examples/demand4.csv --stuck 1:0:0 --pipeline 2",
            "other than stuck do not apply",
        ),
        ("simulate ideal -n 4 --demand examples/demand4.csv --stuck 1:0:0", "ideal has no option"),
        ("verify benes -n 4 --demand examples/demand4.csv --fault stuck-switch:1:2:0", "no such switch"),
        ("generate benes -n 4 --crossbar --stuck 1:0:0 -o x", "other than radix do not apply"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(text), "{arguments}: {error}");
    }
}

#[test]
fn systems_are_compared_round_stuck_switches() {
    let rows = json("compare -n 8 --stuck 2:1:1", 0);
    let rows = rows.as_array().unwrap_or_else(|| rows["rows"].as_array().unwrap());
    let row = |key: &str| rows.iter().find(|row| row["system"] == key);
    let rounds = |key: &str| row(key).unwrap()["rounds"].as_u64();
    assert_eq!([rounds("rls"), rounds("benes")], [Some(8), Some(8)]);
    // One path for each pair: there is no exchange.
    let xor = row("xor").unwrap();
    assert!(xor["refusal"].as_str().unwrap().contains("every path from terminal"), "{xor}");
    assert!(row("rls-folded").is_none(), "it does not go round stuck switches");
    for (arguments, text) in [
        ("compare -n 8 --stuck 2:1", "is not a switch and its state"),
        ("compare -n 8 --systems rls-folded --stuck 2:1:1", "none of the systems goes round"),
        ("compare -n 8 --stuck 2:1:1 --permutation", "cannot be used with"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(text), "{arguments}: {error}");
    }
}

#[test]
fn a_drawing_and_a_film_mark_what_is_stuck() {
    let folder = tempfile::tempdir().unwrap();
    let of = |options: &str, name: &str| {
        let path = folder.path().join(name);
        run(&format!("view rls -n 8 {options} -o {}", path.display()), 0);
        fs::read_to_string(path).unwrap()
    };
    let round = of("--stuck 2:1:1,0:3:0 --round 3", "round.svg");
    assert_eq!(
        (round.matches("stroke-dasharray=\"4 2.5\"").count(), round.matches(", stuck</title>").count()),
        (2, 2)
    );
    assert!(round.contains("<title>switch 1 of stage 2: cross, stuck</title>"), "{round}");
    let still = of("--stuck 2:1:1 --still 5", "still.svg");
    assert_eq!(still.matches(", stuck</title>").count(), 1);
    let page = of("--stuck 2:1:1", "page.html");
    assert!(
        page.contains("\"stuck\":[[2,1]]")
            && page.contains("Stuck, with a dashed frame: switch 1 of stage 2 cross.")
    );
    assert!(!of("--round 3", "healthy.svg").contains("stuck"));
}

#[test]
fn rounds_are_swept_against_stuck_switches() {
    let folder = tempfile::tempdir().unwrap();
    let text = "kind = \"stuck\"\nstuck = [1, 3]\nseeds = 4\n[[systems]]\nsystem = \"benes\"\nterminals = 4\n[files]\ncsv = \"s.csv\"\nsvg = \"s.svg\"\n";
    sweep(folder.path(), text, "");
    let csv = fs::read_to_string(folder.path().join("s.csv")).unwrap();
    let rows = rows(&csv);
    assert_eq!(rows.len(), 12 + 4);
    assert!(rows[..12].iter().all(|row| row["rounds"] == "4" && row["bound"] == "4"), "{csv}");
    assert!(rows.iter().all(|row| (row["possible"] == "1") != row["rounds"].is_empty()), "{csv}");
    // A system that does not go round is no system with cut pairs.
    let file = folder.path().join("other.toml");
    for (from, to, says) in [
        ("benes", "rls-folded", "rls-folded does not go round stuck switches"),
        ("terminals = 4", "terminals = 4\noptions = { stuck = \"1:0:1\" }", "leave the option out"),
    ] {
        fs::write(&file, text.replace(from, to)).unwrap();
        let error = refused(&format!("sweep {} -o {}", file.display(), folder.path().display()));
        assert!(error.contains(says), "{error}");
    }
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(formats.contains(common::sweeps::joined(&csv).lines().next().unwrap()), "{csv}");
}

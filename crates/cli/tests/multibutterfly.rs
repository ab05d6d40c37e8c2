//! `frit route multibutterfly` and `frit network multibutterfly` on the binary.

use crate::common;

use common::{json, root, run};
use frit_traffic::fnv::Fnv64;
use std::fs;

/// The smallest network that is stuck: 8 rows, two ports, one of them committed.
const STUCK: &str = "multibutterfly -n 8 --d 2 --r 1 --h 2 --free 2 --z 1 --seed 3";

/// A line of the references: they agree on every member.
#[test]
fn the_members_of_a_run() {
    let what = "route multibutterfly -n 16 --d 2 --r 1 --h 2 --l 1 --z 1 --strict yes --traffic perm --free 4 --seed 18";
    for engine in ["", " --steps"] {
        let report = json(&format!("{what}{engine}"), 0);
        let names = [
            "stages",
            "delivered",
            "total",
            "max_raw",
            "max_fill",
            "max_w",
            "max_through",
            "max_link",
            "late",
            "requests",
            "ghosts_deleted",
            "word_steps",
        ];
        let got: Vec<u64> = names.iter().map(|name| report[name].as_u64().unwrap()).collect();
        assert_eq!(got, [4, 32, 32, 20, 10, 16, 4, 3, 5, 62, 368, 40]);
        assert_eq!((&report["ok"], &report["digest"]), (&true.into(), &"0x5538cecec034440e".into()));
    }
    let (text, _) = run(what, 0);
    assert!(text.contains("lower bound: 4 phases"), "{text}");
}

/// Permanent failure is a result: exit code 1, who asks, and the rerun that helps.
#[test]
fn a_stuck_run_names_the_sides_and_a_rerun_helps() {
    let report = json(&format!("route {STUCK}"), 1);
    assert_eq!(
        (&report["ok"], &report["delivered"], &report["stages"]),
        (&false.into(), &6.into(), &6.into())
    );
    assert_eq!(report["undelivered"].as_array().unwrap().len(), 10);
    let first = &report["stuck"][0];
    assert_eq!((&first["column"], &first["side"], &first["since"]), (&0.into(), &"upper".into(), &1.into()));
    let rows: Vec<_> = first["requests"].as_array().unwrap().iter().map(|request| &request["row"]).collect();
    assert_eq!(rows, [4, 7]);
    let (text, _) = run(&format!("route {STUCK}"), 1);
    assert!(
        text.contains(
            "column 0, splitter 0, upper side has been stuck since phase 1: row 4 (W 4), row 7 (W 4)"
        )
    );
    let again = json(&format!("route {STUCK} --rerun yes"), 0);
    assert_eq!((&again["h"], &again["earlier"][0]["h"], &again["ok"]), (&4.into(), &2.into(), &true.into()));
    assert_eq!(json(&format!("route {STUCK} --force yes"), 0)["delivered"], 16);
}

/// The digest is that of the file.
#[test]
fn every_event_is_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("events.csv");
    for engine in ["", " --steps"] {
        let report = json(&format!("route multibutterfly -n 16 --events {}{engine}", file.display()), 0);
        let text = fs::read_to_string(&file).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("event,stage,column,side,row,ports,buffer,message"));
        let mut digest = 0u64;
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            let order: &[usize] = match cells[0] {
                "commit" => &[1, 2, 3, 4, 5],
                "place" => &[1, 2, 4, 3, 6, 7],
                _ => &[1, 2, 4, 7],
            };
            let mut own = Fnv64::default();
            own.word(
                ["commit", "place", "deliver"].iter().position(|kind| *kind == cells[0]).unwrap() as u32 + 1,
            );
            let words = order.iter().flat_map(|&at| cells[at].split(' '));
            words.for_each(|word| own.word(word.parse().unwrap()));
            digest = digest.wrapping_add(own.digest());
        }
        assert_eq!(report["digest"], format!("{digest:#018x}"));
    }
}

#[test]
fn wires_and_messages_from_files() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (wires, _) = run("network multibutterfly -n 16 --seed 5 --format json", 0);
    let wiring = file("wires.json", &wires);
    let drawn = json("route multibutterfly -n 16 --seed 5", 0);
    let read = json(&format!("route multibutterfly --wiring {wiring} --seed 5"), 0);
    assert_eq!((&drawn["digest"], &read["wiring"]), (&read["digest"], &"file".into()));
    let again = run(&format!("network multibutterfly --wiring {wiring} --format json"), 0).0;
    assert_eq!(again, wires);
    let messages = file("messages.txt", "0 4\n0 8\n4 4 2\n12 0\n");
    let report = json(&format!("route multibutterfly -n 16 --l 4 --traffic {messages}"), 0);
    assert_eq!((&report["total"], &report["ha"]), (&5.into(), &serde_json::Value::Null));
    for (arguments, expected) in [
        (
            format!("route multibutterfly -n 8 --wiring {wiring}"),
            "is a multibutterfly of 16 terminals, but -n 8 was given",
        ),
        (
            format!("route multibutterfly --d 8 --wiring {wiring}"),
            "the wiring has 16 rows and d = 4, not 16 rows",
        ),
        (format!("route multibutterfly --wiring {messages}"), "not a multibutterfly: "),
        (
            format!(
                "route multibutterfly --wiring {}",
                file("twice.json", &wires.replacen("[0, 1], ", "[0, 0], ", 1))
            ),
            "ports 0 and 1 both lead to row 0",
        ),
        (
            format!(
                "route multibutterfly --wiring {}",
                file("out.json", &wires.replacen("[0, 1], ", "[0, 9], ", 1))
            ),
            "port 1 leads to row 9; the upper outputs of its splitter are rows 0 to 1",
        ),
        (
            format!(
                "route multibutterfly --wiring {}",
                file("few.json", &wires.replacen("[0, 1], ", "[0], ", 1))
            ),
            "column 2, row 0, upper: 1 ports, expected 2",
        ),
        (
            format!("route multibutterfly -n 16 --l 8 --traffic {messages}"),
            "active rows are the multiples of l = 8",
        ),
        (
            format!("route multibutterfly -n 16 --h 2 --traffic {messages}"),
            "3 messages for row 4, but h = 2 is declared",
        ),
        (
            format!("route multibutterfly -n 16 --per-source 3 --traffic {messages}"),
            "already lists the messages",
        ),
    ] {
        let (stdout, stderr) = run(&arguments, 2);
        assert!(stdout.is_empty() && stderr.contains(expected), "frit {arguments}: {stderr}");
    }
}

#[test]
fn the_network_is_drawn_and_measured() {
    let (text, _) = run("network multibutterfly -n 16 --message 3", 0);
    assert!(text.contains("message 3 through rows 0, ") && text.contains("edges"), "{text}");
    let (svg, _) = run("network multibutterfly -n 16 --message 3 --format svg", 0);
    assert_eq!((svg.matches("<line ").count(), svg.matches("stroke-width=\"2.4\"").count()), (352, 4));
    assert!(run("network multibutterfly -n 16 --format dot", 0).0.contains("cluster3_7"));
    let report = json("network multibutterfly -n 16 --message 3 --expansion", 0);
    let path = report["path"].as_array().unwrap();
    assert_eq!((path.len(), &path[0]), (5, &0.into()));
    // Small splitters are complete: two inputs reach all outputs.
    let column = &report["expansion"]["columns"][2];
    assert_eq!(column["reaches"][1], serde_json::json!({ "inputs": 2, "outputs": 2, "exact": true }));
    let (text, _) = run("network multibutterfly -n 64 --d 8 --r 4 --expansion", 0);
    assert!(text.contains("needed: more than (d + R - 1) / 2 = 5.5 outputs an input"), "{text}");
}

#[test]
fn what_makes_no_sense() {
    for (arguments, expected) in [
        ("route multibutterfly -n 12", "does not exist with 12 terminals"),
        ("route multibutterfly -n 16 --d 9", "the largest splitter has n / 2 = 8; d must be from 1 to 8"),
        ("route multibutterfly -n 16 --r 3", "it must be a power of two, for example 4"),
        ("route multibutterfly -n 16 --r 8", "r must not be greater than d"),
        ("route multibutterfly -n 16 --r 4 --h 2", "h must be r or more"),
        ("route multibutterfly -n 16 --h 4 --ha 5", "ha = 5: messages of a row"),
        ("route multibutterfly -n 16 --l 3", "it must be a power of two, for example 4"),
        ("route multibutterfly -n 16 --l 32", "it must be from 1 to 16"),
        ("route multibutterfly -n 16 --z 0", "z=0 is out of range"),
        ("route multibutterfly -n 1048576 --d 1000", "at most 16384 MiB are allowed"),
        ("route multibutterfly -n 1048576 --h 1000", "messages in all"),
        ("route multibutterfly -n 16 --direct", "have no intermediate rows"),
        ("route multibutterfly -n 16 --hot 3", "--hot and --percent do not apply to multibutterfly"),
        ("route multibutterfly -n 16 --traffic nowhere", "give one of perm, hcopies, bitrev"),
        ("route multibutterfly -n 16 --seeds 2 --events x.csv", "records one run only"),
        ("route multibutterfly -n 16 --wiring nowhere.json", "--wiring nowhere.json is not an existing file"),
        ("view multibutterfly -n 16 --x 1000000 -o x.html", "x=1000000: this run has 166667 phases at least"),
        (
            "view dilated -n 8 --set payload=100000 -o x.html",
            "payload=100000: this run has 100011 steps at least",
        ),
        ("network multibutterfly -n 16 --step 3", "--step does not apply to multibutterfly"),
        ("network multibutterfly -n 16 --traffic perm", "--traffic needs --message"),
        ("network multibutterfly -n 16 --message 128", "messages are 0..128"),
        ("network multibutterfly -n 65536 --format svg", "too many to draw (at most 65536)"),
        (
            "network rls -n 8 --expansion",
            "--expansion does not apply to rls, which sends a word from every terminal to every terminal: it is for multibutterfly; leave it out",
        ),
        ("schedule multibutterfly -n 8", "is a routed system and has no rounds"),
    ] {
        let (stdout, stderr) = run(arguments, 2);
        assert!(stdout.is_empty() && stderr.contains(expected), "frit {arguments}: {stderr}");
    }
}

#[test]
fn members_and_columns_are_documented() {
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let report = json(&format!("route {STUCK}"), 1);
    let network = json("network multibutterfly -n 16 --message 3 --expansion", 0);
    let column = &network["expansion"]["columns"][0];
    let objects = [
        &report,
        &report["stuck"][0],
        &report["stuck"][0]["requests"][0],
        &network,
        &network["expansion"],
        column,
        &column["reaches"][0],
    ];
    for member in objects.iter().flat_map(|object| object.as_object().unwrap().keys()) {
        assert!(formats.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
    let (csv, _) = run(&format!("route {STUCK} --format csv"), 1);
    assert!(formats.contains(csv.lines().next().unwrap()));
}

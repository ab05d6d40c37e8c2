//! `frit route` on the binary.

use crate::common;

use common::{json, root, run};
use serde_json::Value;
use std::fs;

/// The options that make other fabrics or schedules of a system, and sizes that exist.
const VARIANTS: [(&str, &[&str], &[u32]); 8] = [
    ("rls", &[""], &[4, 8, 16, 32]),
    ("rls-folded", &["plan=windowed", "plan=buffered", "plan=two-plane"], &[4, 8, 16, 32]),
    ("rls-flattened", &["capacity=1", "capacity=2"], &[4, 8, 16, 32]),
    ("gsen", &[""], &[4, 10, 22, 32]),
    ("gsen", &["algorithm=ata2"], &[6, 10, 18]),
    ("obf", &[""], &[4, 8, 16, 32]),
    ("xor", &[""], &[4, 8, 32]),
    ("atape", &[""], &[4, 8, 32]),
];

fn arguments(system: &str, option: &str, n: u32) -> String {
    let set = if option.is_empty() { String::new() } else { format!(" --set {option}") };
    format!("route {system} -n {n}{set}")
}

#[test]
fn second_passes_and_windows_are_kept() {
    for (what, packets) in [
        ("rls-folded -n 8 --set plan=buffered --per-source 64", 512),
        ("rls-folded -n 16 --set plan=windowed --per-source 64", 1024),
        ("rls-flattened -n 16 --set capacity=1 --per-source 64", 1024),
    ] {
        let report = json(&format!("relation {what} --seeds 2"), 0);
        for point in report["points"].as_array().unwrap() {
            assert_eq!((&point["delivered"], &point["undelivered"]), (&packets.into(), &0.into()), "{what}");
            assert_eq!(point["closed_form_agrees"], true, "{what}");
        }
    }
}

#[test]
fn every_planned_system_delivers_all_kinds_of_traffic() {
    for (system, options, sizes) in VARIANTS {
        for (option, &n) in options.iter().flat_map(|option| sizes.iter().map(move |n| (option, n))) {
            for traffic in ["random", "permutation", "hot-spot"] {
                let what = format!("{} --traffic {traffic} --seed 1", arguments(system, option, n));
                let report = json(&what, 0);
                assert_eq!(report["delivered"], report["packets"], "{what}");
                assert_eq!(report["packets"], n * n, "{what}");
            }
        }
    }
}

#[test]
fn the_same_packets_cost_the_same_wherever_they_come_from() {
    // All of 16 sources send 20 packets to terminal 3: by rule, from a file, and from a file packet by packet.
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: String| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let counted = file("counted", (0..16).map(|source| format!("{source},3,20\n")).collect());
    let single = file("single", (0..320).map(|k| format!("{} 3\n", k % 16)).collect());
    for system in ["obf", "rls", "rls-folded"] {
        let cost = |traffic: &str| {
            let point =
                json(&format!("route {system} -n 16 --traffic {traffic} --steps"), 0)["points"][0].clone();
            assert_eq!((&point["h"], &point["most_sent"]), (&320.into(), &20.into()), "{traffic}");
            [point["cost"].clone(), point["steps"].clone(), point["mean_wait"].clone()]
        };
        let rule = cost("hot-spot --hot 3 --percent 100 --per-source 20 --seed 1");
        assert_eq!(cost(&counted), rule);
        assert_eq!(cost(&single), rule);
        assert_eq!(rule[0].as_f64().unwrap(), rule[1].as_f64().unwrap() / 320.0);
    }
}

#[test]
fn gsen_counts_its_prepare_phase_apart() {
    let report = json("route gsen -n 10 --traffic permutation --per-source 1 --seed 1", 0);
    assert_eq!((&report["prepare_steps"], &report["delivered"]), (&19.into(), &10.into()));
    assert!(run("route gsen -n 10", 0).0.contains("plus 19 steps, once, for the prepare phase"));
    assert_eq!(json("route rls -n 8 --seed 1", 0)["prepare_steps"], 0);
}

#[test]
fn what_no_round_serves_is_left_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (permutation, packets) = (path("p", "1 0 3 2"), path("t", "0 1 3\n2 0 2\n3 1\n"));
    let what = format!("route benes --permutation {permutation} --traffic {packets}");
    let report = json(&what, 1);
    assert_eq!(
        (&report["delivered"], &report["undelivered"], &report["lost"]),
        (&3.into(), &3.into(), &3.into())
    );
    assert_eq!(report["first_undelivered"], serde_json::json!({"source": 2, "destination": 0}));
    assert_eq!(report["closed_form_agrees"], Value::Null);
    let (text, _) = run(&what, 1);
    assert!(text.contains("3 packets are left over, the first from 2 to 0"), "{text}");
}

#[test]
fn one_seed_stands_in_the_object_itself_and_every_member_is_documented() {
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for what in ["route obf -n 8 --seed 3", "route rls -n 8 --seed 3", "route gsen -n 6 --seeds 2"] {
        let report = json(what, 0);
        let members =
            report.as_object().unwrap().keys().chain(report["points"][0].as_object().unwrap().keys());
        for member in members {
            assert!(formats.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
        }
        let first = &report["points"][0];
        if what.ends_with("--seed 3") {
            assert_eq!(
                (&report["seed"], &report["steps"], &report["h"]),
                (&3.into(), &first["steps"], &first["h"])
            );
        } else {
            assert_eq!(report["steps"], Value::Null);
            assert_eq!(first["seed"], 1);
        }
    }
    // The old name is the same command.
    assert_eq!(
        run("relation obf -n 8 --relation permutation --load 3", 0),
        run("route obf -n 8 --traffic permutation --per-source 3", 0)
    );
}

#[test]
fn traffic_that_makes_no_sense() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().join("empty");
    fs::write(&empty, "# nothing\n0 1 0\n").unwrap();
    for (arguments, expected) in [
        ("--per-source 0", "--per-source 0 gives no packet to route; give 1 or more".to_string()),
        ("--traffic permutation --per-source 0", "gives no packet to route".into()),
        (&format!("--traffic {}", empty.display()), "empty has no packet to route; give at least one line".into()),
        (
            "--traffic cold-spot",
            "--traffic cold-spot is not a kind of traffic and not an existing file; give random, permutation, hot-spot, or a file".into(),
        ),
        ("--percent 5", "do not apply to --traffic random".into()),
        ("--seed 1 --seeds 2", "cannot be used with".into()),
        ("--traffic README.md", "is not `source, destination`".into()),
        ("--per-source 4294967295", "--per-source 4294967295: 8 terminals would send more than".into()),
    ] {
        for system in ["obf", "rls"] {
            let (stdout, stderr) = run(&format!("route {system} -n 8 {arguments}"), 2);
            assert!(stdout.is_empty() && stderr.contains(&expected), "{arguments}: {stderr}");
        }
    }
}

/// Where stderr is a terminal a bar says how far a run is.
#[test]
#[cfg(target_os = "linux")]
fn a_long_run_shows_how_far_it_is() {
    let binary = assert_cmd::cargo::cargo_bin("frit");
    for arguments in [
        "route multibutterfly -n 16 --x 20000",
        "route rls -n 8 --per-source 3000000 --seed 1",
        "route obf -n 8 --per-source 60000000 --seed 1",
        "route dilated -n 4 --queue 4 --payload 60000",
    ] {
        let command = format!("{} {arguments}", binary.display());
        // util-linux gives the command a terminal.
        let output =
            std::process::Command::new("script").args(["-qec", &command, "/dev/null"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let shares = text.split(" % ").filter_map(|part| part.rsplit(' ').next()?.parse::<u32>().ok());
        let between = shares.filter(|share| (1..100).contains(share)).count();
        assert!(output.status.success() && between > 0, "{arguments}: {text:?}");
    }
}

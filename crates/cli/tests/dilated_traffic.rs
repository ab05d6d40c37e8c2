//! `frit verify dilated` and `frit generate dilated` take the traffic that `frit route dilated` takes, and refuse what it refuses.

use crate::common;

use common::{json, run};
use std::fs;

/// A file with a row that sends nothing and rows that send different numbers of packets.
const PACKETS: &str = "0,3,2\n1,3\n1,0\n3,1\n";

#[test]
fn routed_and_built_alike() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("packets.csv");
    fs::write(&file, PACKETS).unwrap();
    for (traffic, total) in [
        ("--traffic bit-reversal".to_string(), 16),
        ("--traffic transpose --direct".to_string(), 16),
        ("--traffic transpose --per-source 3 --seed 5".to_string(), 12),
        ("--direct".to_string(), 16),
        (format!("--traffic {}", file.display()), 5),
        (format!("--relation {} --direct --seed 2", file.display()), 5),
    ] {
        let arguments = format!("dilated -n 4 --set bundle=2 --per-input 4 --set payload=5 {traffic}");
        let run = &json_of_route(&arguments);
        assert_eq!(run["total"], total, "{arguments}");
        let built = json(&format!("verify {arguments} --engines rust-hdl --wave none"), 0);
        assert_eq!((&built["steps"], &built["shunts"]), (&run["steps"], &run["shunts"]), "{arguments}");
        assert_eq!((&built["delivered"], &built["packets"]), (&run["delivered"], &run["total"]));
        assert_eq!(built["rust_hdl"]["agrees"], true, "{built}");
        let folder = dir.path().join("design");
        let written = json(&format!("generate {arguments} -o {}", folder.display()), 0);
        assert_eq!((&written["steps"], &written["blocked"]), (&run["steps"], &run["blocked"]));
        assert_eq!(written["design"], built["design"]);
        // The command above each file gives the same files again; no path stands in it.
        let command = built["command"].as_str().unwrap();
        assert!(!command.contains(dir.path().to_str().unwrap()), "{command}");
        assert_eq!(command.contains("--direct"), arguments.contains("--direct"), "{command}");
        assert_eq!(command.contains("packets.csv"), arguments.contains("packets.csv"), "{command}");
    }
}

/// The report of a run of which packets may be blocked: then the exit code is 1.
fn json_of_route(arguments: &str) -> serde_json::Value {
    let output = common::frit(&format!("route {arguments} --format json")).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_same_is_refused_in_the_same_words() {
    let dir = tempfile::tempdir().unwrap();
    let (file, folder) = (dir.path().join("packets.csv"), dir.path().join("design"));
    let empty = dir.path().join("empty.csv");
    fs::write(&file, "0,9\n").unwrap();
    fs::write(&empty, "# nobody\n0,1,0\n").unwrap();
    for (traffic, why) in [
        (
            "--traffic nowhere.csv".to_string(),
            "is not a kind of traffic and not an existing file; give one of permutation, bit-reversal, transpose, or a file",
        ),
        (format!("--traffic {}", file.display()), "9"),
        (format!("--traffic {} --per-source 2", file.display()), "9"),
        ("--per-source x".into(), "invalid value 'x'"),
        ("--per-source 0".into(), "--per-source 0 gives no packet to route; give 1 or more"),
        (
            format!("--traffic {}", empty.display()),
            "empty.csv has no packet to route; give at least one line",
        ),
    ] {
        let messages = ["route", "verify", "generate -o DIR"].map(|command| {
            let command = command.replace("DIR", &folder.display().to_string());
            let (_, error) = run(&format!("{command} dilated -n 4 --set bundle=2 {traffic}"), 2);
            assert!(error.contains(why), "{command} {traffic}: {error}");
            error.lines().next().unwrap_or_default().to_string()
        });
        assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
        assert!(!folder.exists());
    }
}

#[test]
fn planned_systems_take_no_packets() {
    for option in ["--traffic transpose", "--per-source 2", "--direct"] {
        let (_, error) = run(&format!("verify rls -n 4 {option}"), 2);
        assert!(error.contains("does not apply to"), "{option}: {error}");
        let (_, error) = run(&format!("generate rls -n 4 {option} -o /nonexistent/folder"), 2);
        assert!(error.contains("does not apply to"), "{option}: {error}");
    }
}

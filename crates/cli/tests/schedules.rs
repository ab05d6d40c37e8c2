//! `frit schedule`, and the drawings of `frit network`: rounds, permutations and the way of a message, as text and as SVG.

use crate::common;

use common::{json, root, run};
use std::fs;

#[test]
fn schedules_are_shown_and_checked() {
    let (text, _) = run("schedule gsen -n 10 --round 10", 0);
    assert!(text.contains("1 4 6 0 7 2 9 3 5 8") && text.contains("1010"), "{text}");
    let (text, _) = run("schedule rls -n 4 --format csv", 0);
    assert!(text.starts_with("round,source,destination,control,alternates\n0,0,0,000,0\n"), "{text}");
    // The inner stages of the last two rounds of ATA-2 alternate.
    let (text, _) = run("schedule gsen --algorithm ata2 -n 10 --format csv", 0);
    assert!(text.contains("\n4,0,4,0100,0\n") && text.contains("\n8,0,8,1100,1\n"), "{text}");
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    assert!(
        formats.contains(&format!("`{}`", text.lines().next().unwrap())),
        "the columns are not in docs/formats.md"
    );
    let (text, _) = run("schedule gsen --algorithm ata2 -n 6 --format memh", 0);
    assert_eq!(text.lines().count(), 7, "{text}");
    let check = json("schedule gsen -n 22 --check", 0);
    assert_eq!((&check["complete"], &check["configurations_needed"]), (&true.into(), &32.into()));
    let check = json("schedule rls -n 32 --check", 0);
    assert_eq!((&check["latin_square"], &check["conflicts"]), (&true.into(), &0.into()));
    let round = json("schedule rls -n 16 --round 1", 0);
    assert_eq!(round["rounds"][0]["labels"][0].as_str().unwrap().len(), 7);
}

#[test]
fn permutations_are_checked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("p.txt");
    fs::write(&path, "0 1 2 3 4 5 6 7").unwrap();
    let arguments = format!("schedule check --network butterfly --permutation {}", path.display());
    let (text, _) = run(&arguments, 1);
    assert!(
        text.starts_with("not admissible: at stage 0, switch 0, inputs 0 and 1 both want output 0"),
        "{text}"
    );
    fs::write(&path, "0,7,2,5,3,4,1,6").unwrap();
    let value = json(&arguments, if run_code(&arguments) == 0 { 0 } else { 1 });
    assert!(value["admissible"].is_boolean());
}

#[test]
fn all_conflicts_of_a_permutation_are_told_and_drawn() {
    let dir = tempfile::tempdir().unwrap();
    let drawing = dir.path().join("conflicts.svg");
    let file = root().join("examples/rls_figure3.txt");
    let check = format!("schedule check --network butterfly --permutation {}", file.display());
    let (text, _) = run(&format!("{check} --drawing {}", drawing.display()), 1);
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.contains("at stage 1, switch 6, inputs 5 and 12 both want output 0 (window 2)"), "{text}");
    let svg = fs::read_to_string(&drawing).unwrap();
    assert_eq!(svg.matches("a conflict</title>").count(), 4);
    let value = json(&check, 1);
    assert_eq!(value["conflicts"].as_array().unwrap().len(), 4);
    assert_eq!(value["first_conflict"]["inputs"], serde_json::json!([8, 9]));
    // One that the network admits has no red in it; many conflicts are counted.
    let path = dir.path().join("p.txt");
    let list = |destination: fn(u32) -> u32, of: u32| {
        (0..of).map(|i| destination(i).to_string()).collect::<Vec<_>>().join(" ")
    };
    let check = format!("schedule check --network butterfly --permutation {}", path.display());
    fs::write(&path, list(|i| [0, 2, 4, 6, 1, 3, 5, 7][i as usize], 8)).unwrap();
    run(&format!("{check} --drawing {}", drawing.display()), run_code(&check));
    let svg = fs::read_to_string(&drawing).unwrap();
    assert_eq!(svg.contains("a conflict</title>"), run_code(&check) == 1);
    fs::write(&path, list(|i| i, 64)).unwrap();
    let (text, _) = run(&check, 1);
    assert!(text.lines().count() == 17 && text.ends_with("(--format json lists all)\n"), "{text}");
    fs::write(&path, list(|i| i, 2048)).unwrap();
    let (_, error) = run(&format!("{check} --drawing {}", drawing.display()), 2);
    assert!(
        error.contains("--drawing cannot show 2048 terminals; use a permutation of at most 1024"),
        "{error}"
    );
}

#[test]
fn the_way_of_one_message() {
    let (text, _) = run("network obf -n 8 --path 3:7", 0);
    assert!(text.contains("round 2, level.router 1.7 invert, 2.7 push"), "{text}");
    // Every pair of every kind of system has a way, and it ends at its destination.
    for design in [
        "rls -n 8",
        "gsen -n 6",
        "gsen -n 6 --algorithm ata2",
        "rls-folded -n 8",
        "rls-flattened -n 4",
        "benes -n 4",
        "obf -n 8",
    ] {
        let terminals = design.split(' ').nth(2).unwrap().parse::<u32>().unwrap();
        for (source, destination) in (0..terminals).flat_map(|s| (0..terminals).map(move |d| (s, d))) {
            let (svg, _) = run(&format!("network {design} --path {source}:{destination} --format svg"), 0);
            let coloured =
                |line: &&str| line.starts_with("<polyline") && line.contains("stroke-width=\"1.8\"");
            let last = svg.lines().rfind(coloured).unwrap();
            let end = last.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
            let (x, y) = end.rsplit(' ').next().unwrap().split_once(',').unwrap();
            // The terminal's name stands behind the end of its wire; a processor is a line further on.
            let y: u32 = y.parse().unwrap();
            let there = if design.starts_with("obf") {
                let middle = if y % 58 == 18 { y + 12 } else { y - 12 };
                svg.contains(&format!("y=\"{}\" text-anchor=\"middle\">P{destination:03b}<", middle + 4))
            } else {
                let x: u32 = x.parse().unwrap();
                svg.contains(&format!(
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"start\">{destination}<",
                    x + 10,
                    y + 4
                ))
            };
            assert!(there, "{design}, {source} to {destination}: ends at {end}");
        }
    }
    let refused = |arguments: &str| run(arguments, 2).1;
    assert!(refused("network rls -n 8 --path 3:8").contains("terminals 0..8"));
    assert!(refused("network rls -n 8 --path 3").contains("give SOURCE:DESTINATION"));
    assert!(refused("network rls -n 8 --path 3:1 --format json").contains("--format text or svg"));
    assert!(refused("network rls -n 8 --states").contains("pass --format svg"));
    assert!(refused("network dilated -n 8 --path 3:1 --format svg").contains("--path"));
    assert!(refused("network multibutterfly -n 8 --states --format svg").contains("--states"));
}

#[test]
fn routers_and_channels_are_drawn() {
    let (svg, _) = run("network rls-flattened -n 16 --format svg", 0);
    assert_eq!(svg.matches("a channel from router").count(), 12);
    let (dot, _) = run("network rls-flattened -n 16 --format dot", 0);
    assert_eq!(dot.matches(" -> ").count(), 12);
    // A round has switches.
    let (svg, _) = run("network rls-flattened -n 16 --format svg --round 3", 0);
    assert!(svg.contains("<title>switch 0 of stage 0: ") && svg.contains(">stage 0, second pass</text>"));
    let (svg, _) = run("network rls-folded -n 8 --format svg", 0);
    assert_eq!(svg.matches("<polyline ").count(), 8 * (4 + 1), "the wires, and those that lead back");
}

fn run_code(arguments: &str) -> i32 {
    common::frit(arguments).output().unwrap().status.code().unwrap()
}

#[test]
fn networks_are_drawn() {
    let (svg, _) = run("network rls -n 8 --format svg --round 1", 0);
    assert!(svg.starts_with("<svg ") && svg.contains("round 1"));
    let (dot, _) = run("network gsen -n 6 --format dot", 0);
    assert!(dot.starts_with("digraph "));
    let (tables, _) = run("network gsen -n 6 --format json", 0);
    assert!(frit_network::export::from_json(&tables).is_ok());
}

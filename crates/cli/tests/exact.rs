//! `frit schedule user --network FILE --algorithm exact`: what it finds is an exchange, what it says is impossible is, what it could
//! not settle it calls open.

use crate::common;

use common::{frit, root, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A built-in network in a file.
fn network(folder: &Path, system: &str) -> String {
    let path = folder.join(format!("{}.json", system.replace(' ', "")));
    fs::write(&path, run(&format!("network {system} --format json"), 0).0).unwrap();
    path.display().to_string()
}

/// The search on a network, its answer in JSON.
fn exact(network: &str, more: &str, code: i32) -> Value {
    common::json(&format!("schedule user --network {network} --algorithm exact {more}"), code)
}

#[test]
fn the_fewest_rounds_of_the_sizes_without_labels_are_known() {
    let dir = tempfile::tempdir().unwrap();
    // N, the fewest rounds, the cycles of that exchange.
    for (terminals, rounds, cycles) in
        [(12, 16, 19), (20, 24, 28), (24, 32, 36), (28, 32, 36), (36, 36, 41), (40, 64, 69), (44, 48, 53)]
    {
        let wires = network(dir.path(), &format!("gsen -n {terminals}"));
        let found = exact(&wires, &format!("--rounds {rounds}"), 0);
        assert_eq!(found["rounds"].as_array().unwrap().len(), rounds, "N = {terminals}");
        let schedule = dir.path().join("schedule.json");
        fs::write(&schedule, found.to_string()).unwrap();
        let design = format!("user --network {wires} --schedule {}", schedule.display());
        let report = common::json(&format!("simulate {design}"), 0);
        let figures = ["cycles", "delivered", "missing", "conflicts"].map(|member| report[member].as_u64());
        assert_eq!(figures, [cycles, terminals * terminals, 0, 0].map(Some), "N = {terminals}");
        let checked = common::json(&format!("schedule {design} --check"), 0);
        assert_eq!(
            checked["latin_square"],
            if rounds as u64 == terminals { true.into() } else { Value::Null }
        );
        // One round less is forbidden by counting, and the certificate says where.
        let none = exact(&wires, &format!("--rounds {}", rounds - 1), 1);
        assert_eq!(
            (&none["answer"], &none["by"]),
            (&"impossible".into(), &"counting".into()),
            "N = {terminals}"
        );
        let bound = &none["at_least"];
        assert_eq!(bound["rounds"], rounds);
        if rounds as u64 > terminals {
            let weighed = bound["weights"].as_array().unwrap().iter();
            let carried = weighed
                .map(|w| w["weight"].as_u64().unwrap() * w["places"].as_array().unwrap().len() as u64)
                .sum::<u64>();
            assert_eq!(bound["carried"], carried, "N = {terminals}");
            assert_eq!(bound["needed"].as_u64().unwrap().div_ceil(carried), rounds as u64, "N = {terminals}");
        }
    }
}

#[test]
fn the_report_says_how_and_why() {
    let dir = tempfile::tempdir().unwrap();
    let twelve = network(dir.path(), "gsen -n 12");
    let (text, _) = run(&format!("schedule user --network {twelve} --algorithm exact"), 1);
    assert_eq!(
        text,
        "general-shuffle-exchange: no exchange of 12 rounds, by counting
  at least 16 rounds: 48 passes of output ports 1, 5, 9 after stage 1 are needed, and a round has room for 3
"
    );
    let (text, _) =
        run(&format!("schedule user --network {twelve} --algorithm exact --rounds 16 --check"), 0);
    assert!(
        text.starts_with("general-shuffle-exchange: an exchange of 16 rounds (shift 1: 12 + 4)\n"),
        "{text}"
    );
    assert!(text.contains("user_general_shuffle_exchange_n12: complete\n"), "{text}");
    // Both bounds are the best known: 16 rounds, the last through 4 stages.
    assert!(text.contains("lower bound   19: no exchange has fewer than 16 rounds, by counting"), "{text}");
    // As any schedule: one round, in any format.
    let (csv, _) = run(
        &format!("schedule user --network {twelve} --algorithm exact --rounds 16 --round 3 --format csv"),
        0,
    );
    assert_eq!(csv.lines().count(), 13, "{csv}");
}

#[test]
fn a_search_without_time_is_open_and_goes_on_from_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let eight = network(dir.path(), "rls-folded -n 8");
    let state = dir.path().join("state.json");
    let with_state = format!("--state {}", state.display());
    let open = exact(&eight, &format!("{with_state} --seconds 1e-9"), 1);
    assert_eq!((&open["answer"], &open["by"]), (&"open".into(), &Value::Null));
    let questions = open["open"].as_array().unwrap().len() as u64;
    assert!(questions > 8 && open["questions"] == questions, "{open}");
    let (text, _) = run(&format!("schedule user --network {eight} --algorithm exact --seconds 1e-9"), 1);
    assert!(
        text.contains("open whether there is an exchange of 8 rounds: the time limit ran out (--seconds)"),
        "{text}"
    );
    let there = |path: &Path| -> Value { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    assert_eq!(there(&state)["settled"], Value::Array(vec![]));
    // What the file says is settled is believed, and the report says so.
    let mut believed = there(&state);
    believed["settled"] = open["open"].clone();
    fs::write(&state, believed.to_string()).unwrap();
    let none = exact(&eight, &with_state, 1);
    assert_eq!((&none["answer"], &none["by"]), (&"impossible".into(), &"state".into()));
    assert_eq!(none["rests_on"], state.display().to_string());
    assert!(none.get("rounds").is_none() && none["rounds_asked"] == 8, "{none}");
    assert_eq!((&none["settled_before"], none["questions"].as_u64()), (&none["questions"], Some(questions)));
    let (text, _) = run(&format!("schedule user --network {eight} --algorithm exact {with_state}"), 1);
    assert!(
        text.contains(&format!("no exchange of 8 rounds if {} is right\n", state.display()))
            && text.contains(&format!(
                "{questions} of {questions} questions are not asked: {}",
                state.display()
            ))
            && !text.contains("the search has seen all"),
        "{text}"
    );
    // The next run of a question that was left open gives it more: without that it is asked as before.
    believed["settled"] = Value::Array(vec![]);
    believed["left"] = json!({open["open"][0].as_str().unwrap(): 20_000});
    fs::write(&state, believed.to_string()).unwrap();
    assert_eq!(exact(&eight, &with_state, 0)["rounds"].as_array().unwrap().len(), 8);
    assert_eq!(there(&state)["left"], believed["left"]);
    // A file of another search is not taken for this one's, and is left as it is.
    let (ten, before) = (network(dir.path(), "gsen -n 10"), fs::read(&state).unwrap());
    let older = dir.path().join("older.json");
    fs::write(&older, "{\"format\": \"fritillary-search-1\", \"rounds\": 8, \"settled\": []}").unwrap();
    for (arguments, said) in [
        (format!("{ten} --algorithm exact {with_state}"), "belongs to another search (butterfly, 8 rounds)"),
        (
            format!("{eight} --algorithm exact --rounds 9 {with_state}"),
            "belongs to another search (butterfly, 8",
        ),
        (format!("{eight} --algorithm exact --state {eight}"), "is not a search state file"),
        (
            format!("{eight} --algorithm exact --state {}", older.display()),
            "was written by another version of the search (fritillary-search-1; this version is fritillary-search-2)",
        ),
    ] {
        let (_, error) = run(&format!("schedule user --network {arguments}"), 2);
        assert!(error.contains(said), "{error}");
    }
    assert_eq!(fs::read(&state).unwrap(), before);
    // Nor does a second run work on a file that one has.
    let lock = fs::File::create(dir.path().join("state.json.lock")).unwrap();
    lock.try_lock().unwrap();
    let (_, error) = run(&format!("schedule user --network {eight} --algorithm exact {with_state}"), 2);
    assert!(error.contains("another run"), "{error}");
    assert_eq!(fs::read(&state).unwrap(), before);
}

#[test]
fn a_file_of_a_search_that_cannot_be_written_any_more_is_said() {
    let dir = tempfile::tempdir().unwrap();
    // Longer than a test may take.
    let wires = network(dir.path(), "gsen -n 76");
    let folder = dir.path().join("gone");
    fs::create_dir(&folder).unwrap();
    let state = folder.join("state.json");
    let arguments = format!(
        "schedule user --network {wires} --algorithm exact --rounds 80 --seconds 3 --state {}",
        state.display()
    );
    let running = Command::new(assert_cmd::cargo::cargo_bin("frit"))
        .args(arguments.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !state.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::rename(&folder, dir.path().join("elsewhere")).unwrap();
    let ended = running.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{said}");
    assert!(said.contains("state.json"), "{said}");
}

#[test]
fn pairs_that_no_path_joins_are_named() {
    let dir = tempfile::tempdir().unwrap();
    // Two stages that never leave the pairs.
    let apart = dir.path().join("apart.json");
    let links = "[[0,1,2,3],[0,1,2,3],[0,1,2,3]]";
    let text = format!(
        "{{\"format\": \"fritillary-network-1\", \"name\": \"apart\", \"terminals\": 4, \"links\": {links}}}"
    );
    fs::write(&apart, text).unwrap();
    let apart = apart.display().to_string();
    let none = exact(&apart, "--rounds 16", 1);
    assert_eq!((&none["answer"], &none["by"]), (&"impossible".into(), &"reach".into()));
    assert_eq!(none["apart"], json!([0, 2]));
    let (text, _) = run(&format!("schedule user --network {apart} --algorithm exact"), 1);
    assert_eq!(
        text,
        "apart: no exchange of 4 rounds, and none of any other number\n  no path from input 0 to output 2\n"
    );
}

#[test]
fn too_large_a_question_is_not_asked() {
    let dir = tempfile::tempdir().unwrap();
    let large = network(dir.path(), "rls -n 256");
    let proof = dir.path().join("p.drat");
    let open = exact(&large, &format!("--seconds 1 --proof {}", proof.display()), 1);
    assert_eq!((&open["answer"], &open["by"]), (&"open".into(), &Value::Null));
    assert_eq!((&open["open"], &open["too_large"]), (&json!([]), &json!(["any 256 rounds"])));
    let (text, error) = run(
        &format!("schedule user --network {large} --algorithm exact --seconds 1 --proof {}", proof.display()),
        1,
    );
    let said = "a question has more than 2000000 variables for places and was skipped";
    assert!(text.contains(said) && text.contains("skipped: any 256 rounds"), "{text}");
    assert!(error.contains("p.drat was not written"), "{error}");
    assert!(!proof.exists() && !dir.path().join("p.cnf").exists());
    // Counting says no where no proof can be had.
    let hundred = network(dir.path(), "gsen -n 100");
    let none = exact(&hundred, &format!("--proof {}", proof.display()), 1);
    assert_eq!((&none["by"], &none["at_least"]["rounds"]), (&"counting".into(), &128.into()));
}

#[test]
fn a_proof_is_written_only_if_there_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let names = || {
        let mut names: Vec<String> = fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let twelve = network(dir.path(), "gsen -n 12");
    let ten = network(dir.path(), "gsen -n 10");
    let proof = dir.path().join("p.drat");
    let with_proof = format!("--proof {}", proof.display());
    // 10 rounds are enough for 10 terminals; a solver finds them without help from any symmetry, or has no time.
    frit(&format!("schedule user --network {ten} --algorithm exact --seconds 1e-9 {with_proof}"))
        .assert()
        .code(1);
    assert_eq!(names(), ["gsen-n10.json", "gsen-n12.json"]);
    let none = exact(&twelve, &with_proof, 1);
    assert_eq!((&none["answer"], &none["by"]), (&"impossible".into(), &"search".into()));
    assert_eq!(names(), ["gsen-n10.json", "gsen-n12.json", "p.cnf", "p.drat"]);
    let clauses = fs::read_to_string(dir.path().join("p.cnf")).unwrap();
    assert!(clauses.lines().any(|line| line.starts_with("p cnf ")));
    assert!(fs::read_to_string(&proof).unwrap().ends_with("\n0\n"));
    // Both may be written again, but nothing else is replaced.
    exact(&twelve, &with_proof, 1);
    let notes = dir.path().join("notes.cnf");
    fs::write(&notes, "mine").unwrap();
    for (other, said) in [("notes.drat", "is not a file of clauses"), ("gsen-n12.json", "name the same file")]
    {
        let other = dir.path().join(other);
        let (_, error) = run(
            &format!("schedule user --network {twelve} --algorithm exact --proof {}", other.display()),
            2,
        );
        assert!(error.contains(said), "{error}");
    }
    assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
}

#[test]
fn what_the_search_does_not_take_is_said() {
    let omega = root().join("examples/omega8");
    let (wires, rounds) = (omega.join("network.json"), omega.join("schedule.json"));
    let (wires, rounds) = (wires.display(), rounds.display());
    let dir = tempfile::tempdir().unwrap();
    let large = network(dir.path(), "rls -n 512");
    let obf = network(dir.path(), "obf -n 8");
    for (arguments, said) in [
        ("user --algorithm exact".to_string(), "algorithm=exact needs a network; give --network FILE.json"),
        (
            format!("user --network {wires} --schedule {rounds} --algorithm exact"),
            "--schedule cannot be used with algorithm=exact, which searches for a schedule; leave --schedule out",
        ),
        (
            format!("user --network {wires} --schedule {rounds} --algorithm ata2"),
            "the system user has two options, pipeline and stuck; its two files describe everything else (frit schedule user --algorithm exact searches for a schedule)",
        ),
        (
            format!("user --network {wires} --algorithm exact --rounds 0"),
            "--rounds 0 is out of range; give 1 to 32",
        ),
        (
            format!("user --network {wires} --algorithm exact --seconds 0"),
            "--seconds 0 is not a time; give a number greater than 0",
        ),
        (format!("user --network {wires} --algorithm exact --seconds nan"), "--seconds NaN"),
        (
            format!("user --network {wires} --algorithm exact -n 9"),
            "is a network of 8 terminals, but -n 9 was given",
        ),
        (format!("user --network {large} --algorithm exact"), "takes networks of up to 256"),
        (format!("user --network {obf} --algorithm exact"), "8 terminals and 16 lanes"),
        (
            "rls -n 8 --seconds 5".to_string(),
            "use them with frit schedule user --network FILE --algorithm exact",
        ),
        ("gsen -n 8 --algorithm exact".to_string(), "exact"),
        (format!("user --network {wires} --algorithm exact --proof /nowhere/p.drat"), "/nowhere/p"),
        (
            format!("user --network {wires} --algorithm exact --proof {}/p.cnf", dir.path().display()),
            "give a name that ends in .drat",
        ),
        (format!("user --network {wires} --algorithm exact --state /nowhere/s"), "/nowhere/s"),
    ] {
        let (_, error) = run(&format!("schedule {arguments}"), 2);
        assert!(error.contains(said) && error.lines().count() <= 3, "{arguments}: {error}");
    }
}

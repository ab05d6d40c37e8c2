//! The page in a browser: its answers are those of the command.

use crate::common;

use common::{frit, json, root, run};
use frit_web::base64;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Bits of a word in these tests.
pub const WIDTH: u32 = 4;

/// What the page is told.
pub fn ask(call: &str, input: &Value) -> Result<Value, String> {
    let said = frit_web::call(&json!({ "call": call, "input": input }).to_string());
    let said: Value = serde_json::from_str(&said).unwrap();
    match said.get("error") {
        Some(error) => Err(error.as_str().unwrap().into()),
        None => Ok(said["answer"].clone()),
    }
}

pub fn asked(system: &str, n: u64) -> Value {
    json!({ "system": system, "n": n, "w": WIDTH })
}

/// Every system of the table with two of its sizes, and its kind.
pub fn cases() -> Vec<(String, u64, String)> {
    let systems = ask("systems", &json!({})).unwrap();
    let mut cases = Vec::new();
    for row in systems["systems"].as_array().unwrap().iter().filter(|row| row["system"] != "user") {
        let (system, kind) = (row["system"].as_str().unwrap(), row["kind"].as_str().unwrap());
        let exists = |n: &u64| ask("figures", &asked(system, *n)).is_ok();
        let sizes: Vec<u64> = [4, 6, 8, 10, 16].into_iter().filter(exists).take(2).collect();
        assert_eq!(sizes.len(), 2, "{system}: two sizes");
        cases.extend(sizes.into_iter().map(|n| (system.to_string(), n, kind.to_string())));
    }
    cases
}

/// The files of a folder and below it whose names are wanted.
pub fn folder(path: &Path, wanted: fn(&str) -> bool) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            files.extend(
                folder(&entry.path(), wanted)
                    .into_iter()
                    .map(|(file, text)| (format!("{name}/{file}"), text)),
            );
        } else if wanted(&name) {
            files.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    files
}

/// What the page offers as files that differs from a folder: names.
pub fn different(answer: &Value, path: &Path) -> Vec<String> {
    let mut there = folder(path, |_| true);
    let mut names = Vec::new();
    for file in answer["files"].as_array().unwrap() {
        let name = file["name"].as_str().unwrap().to_string();
        if there.remove(&name).as_deref() != file["text"].as_str() {
            names.push(name);
        }
    }
    names.extend(there.into_keys());
    names
}

/// What the command says of a design, by the names of the figures. Where messages are left its exit code is 1.
fn of_command(system: &str, n: u64, kind: &str) -> Value {
    let arguments = match kind {
        "routed" => format!("route {system} -n {n} --seed 1 --format json"),
        "planned" => format!("simulate {system} -n {n} -w {WIDTH} --format json"),
        _ => format!("simulate {system} -n {n} --format json"),
    };
    let said: Value = serde_json::from_slice(&frit(&arguments).output().unwrap().stdout).unwrap();
    if kind == "routed" { said["points"][0].clone() } else { said }
}

#[test]
fn figures_and_deliveries_of_every_system_are_those_of_the_command() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (mut compared, mut rows) = (0, 0);
    for (system, n, kind) in cases() {
        let found = ask("figures", &asked(&system, n)).unwrap();
        let expected = of_command(&system, n, &kind);
        let figures = found["figures"].as_object().unwrap();
        let both: Vec<_> = figures.iter().filter(|(name, _)| expected.get(name.as_str()).is_some()).collect();
        // The page shows all facts of a planned or streamed system, and two figures of the floor as well.
        let own = figures.len() - both.len();
        assert!(own <= 2 || kind == "routed", "{system} -n {n}: {figures:?} beside {expected}");
        assert!(both.len() >= 8, "{system} -n {n}: {figures:?} beside {expected}");
        // Words of a stream have no bits in `frit simulate`.
        let of_words = |name: &str| kind == "streamed" && ["width", "side_bits"].contains(&name);
        for (name, value) in both.iter().filter(|(name, _)| !of_words(name)) {
            assert_eq!(value, &&expected[name.as_str()], "{system} -n {n}: {name}");
        }
        compared += both.len();
        let first = found["first"].as_str().unwrap();
        assert!(!figures[first].is_null(), "{system} -n {n}: {first}");
        if kind == "streamed" {
            // The formula beside the latency is that of the latency; the rate has a figure of its own.
            let [waits, registers, cycles] = ["waits", "registers", "cycles"].map(|name| &figures[name]);
            let formula = format!(
                "{waits} in memories + {registers} registers; a data set begins every {cycles} cycles"
            );
            assert_eq!((first, found["formula"].as_str().unwrap()), ("latency", formula.as_str()));
            continue;
        }
        let file = temporary.path().join("written.csv");
        let option = if kind == "routed" { "route" } else { "simulate" };
        let written = if kind == "routed" { "--seed 1 --events" } else { "--deliveries" };
        frit(&format!("{option} {system} -n {n} {written} {}", file.display())).output().unwrap();
        let text = ask("deliveries", &asked(&system, n)).unwrap();
        assert_eq!(text["text"].as_str().unwrap(), fs::read_to_string(&file).unwrap(), "{system} -n {n}");
        rows += text["text"].as_str().unwrap().lines().count();
    }
    assert!(compared > 100 && rows > 500, "{compared} figures, {rows} rows");
}

#[test]
fn files_of_every_system_are_those_that_the_command_writes() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let cases = cases();
    let mut compared = 0;
    for (system, n, _) in &cases {
        let path = temporary.path().join(format!("{system}{n}"));
        // The command that the page names beside the zip.
        let figures = ask("figures", &asked(system, *n)).unwrap();
        let command = figures["command"].as_str().unwrap().strip_prefix("frit generate").unwrap();
        run(&format!("generate {command} -o {}", path.display()), 0);
        let found = ask("files", &asked(system, *n)).unwrap();
        assert_eq!(different(&found, &path), Vec::<String>::new(), "{system} -n {n}");
        assert!(!found["zip"].as_str().unwrap().is_empty());
        compared += found["files"].as_array().unwrap().len();
    }
    assert!(compared > 150, "{compared} files");
}

#[test]
fn a_changed_byte_of_a_file_is_seen() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    run(&format!("generate rls -n 4 -w {WIDTH} -o {}", temporary.path().display()), 0);
    let found = ask("files", &asked("rls", 4)).unwrap();
    assert_eq!(different(&found, temporary.path()), Vec::<String>::new());
    let name = format!("rls_n4_w{WIDTH}.v");
    let file = temporary.path().join(&name);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen(';', ",", 1)).unwrap();
    assert_eq!(different(&found, temporary.path()), [name.as_str()]);
    fs::remove_file(&file).unwrap();
    fs::write(temporary.path().join("more.v"), "").unwrap();
    assert_eq!(different(&found, temporary.path()), [name.as_str(), "more.v"]);
}

#[test]
fn films_drawings_comparisons_and_checks_are_those_of_the_command() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = temporary.path().join("film.html");
    let film = |arguments: &str| {
        run(&format!("view {arguments} -o {}", file.display()), 0);
        fs::read_to_string(&file).unwrap()
    };
    let page = |input: Value| ask("page", &input).unwrap()["html"].as_str().unwrap().to_string();
    assert!(
        page(json!({ "system": "gsen", "n": 6, "options": { "algorithm": "ata2" } }))
            == film("gsen -n 6 --algorithm ata2")
    );
    assert!(
        page(json!({ "system": "rls", "n": 4, "w": 8, "fault": "stuck-switch:1:0:1" }))
            == film("rls -n 4 -w 8 --fault stuck-switch:1:0:1")
    );
    assert!(page(json!({ "system": "dilated", "n": 4 })) == film("dilated -n 4"));
    assert!(
        page(json!({ "system": "multibutterfly", "n": 8, "traffic": "bitrev" }))
            == film("multibutterfly -n 8 --traffic bitrev")
    );
    assert!(
        page(json!({ "system": "transpose", "n": 4, "w": 8, "options": { "rows": "8" } }))
            == film("transpose -n 4 -w 8 --rows 8")
    );
    let drawing = temporary.path().join("round.svg");
    run(&format!("view rls -n 8 --round 1 -o {}", drawing.display()), 0);
    let found = ask("drawing", &json!({ "system": "rls", "n": 8, "round": 1 })).unwrap();
    assert!(found["text"] == fs::read_to_string(&drawing).unwrap());
    let expected = json("compare -n 10", 0);
    let found = ask("compare", &json!({ "n": 10 })).unwrap();
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), expected["rows"].as_array().unwrap().len());
    for (row, expected) in rows.iter().zip(expected["rows"].as_array().unwrap()) {
        for (column, cell) in
            found["columns"].as_array().unwrap().iter().zip(row["cells"].as_array().unwrap())
        {
            let name = column["name"].as_str().unwrap();
            // In JSON the command has options as an object.
            assert!(name == "options" || *cell == expected[name], "{name}: {row} {expected}");
        }
    }
    let expected = json("compare -n 16", 0);
    let found = ask("plot", &json!({ "column": "switches", "n": 16 })).unwrap();
    let drawing = found["text"].as_str().unwrap();
    // Two marks in a line of the legend, which names every system but two, of which there are none at N = 4, 8 and 16.
    let marks = drawing.matches("<circle").count() + drawing.matches("<polygon").count();
    let rows = expected["rows"].as_array().unwrap().len() as u64;
    let points = found["points"].as_u64().unwrap();
    assert!(
        points > 2 * rows && marks as u64 > 2 * (rows - 2),
        "{points} points of {rows} systems, {marks} marks"
    );
    assert!(
        drawing.contains(">rls-folded plan=windowed</text>") && drawing.contains(">16</text>"),
        "{drawing}"
    );
    let order = temporary.path().join("order.txt");
    fs::write(&order, "0 1 2 3 4 5 6 7").unwrap();
    let found = ask("check", &json!({ "permutation": "0 1 2 3 4 5 6 7" })).unwrap();
    let arguments = format!("schedule check --network butterfly --permutation {}", order.display());
    let code = i32::from(found["admissible"] == false);
    assert_eq!(json(&arguments, code)["conflicts"], found["conflicts"]);
}

#[test]
fn planners_of_a_demand_say_what_those_of_the_command_say() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = temporary.path().join("demand.csv");
    let systems = ask("systems", &json!({})).unwrap();
    for kind in systems["demands"].as_array().unwrap() {
        let kind = kind.as_str().unwrap();
        run(&format!("demand {kind} -n 8 --seed 3 -o {}", file.display()), 0);
        let expected = json(&format!("compare --demand {} --delta 5", file.display()), 0);
        let bytes = base64::encode(&fs::read(&file).unwrap());
        for asked in [
            json!({ "kind": kind, "n": 8, "seed": 3, "delta": 5 }),
            json!({ "name": "demand.csv", "base64": bytes, "delta": 5 }),
        ] {
            let found = ask("demand", &asked).unwrap();
            let rows = found["rows"].as_array().unwrap();
            assert_eq!(rows.len(), expected["rows"].as_array().unwrap().len(), "{kind}");
            for (row, expected) in rows.iter().zip(expected["rows"].as_array().unwrap()) {
                let columns = found["columns"].as_array().unwrap().iter().zip(row.as_array().unwrap());
                for (column, cell) in columns {
                    assert_eq!(*cell, expected[column.as_str().unwrap()], "{kind}: {column}");
                }
            }
        }
    }
}

/// Four lines: 0,4294967295,0,0 / 2147483648,0,0,0 / 0,0,1,4294967294 / 0,0,0,0.
const SUMS_NEAR_THE_LIMIT: &str =
    "MCw0Mjk0OTY3Mjk1LDAsMAoyMTQ3NDgzNjQ4LDAsMCwwCjAsMCwxLDQyOTQ5NjcyOTQKMCwwLDAsMAo=";

#[test]
fn plans_for_which_a_page_has_no_memory_are_left_out() {
    let found = ask("demand", &json!({ "name": "u.csv", "base64": SUMS_NEAR_THE_LIMIT })).unwrap();
    let systems: Vec<&Value> = found["rows"].as_array().unwrap().iter().map(|row| &row[1]).collect();
    assert_eq!(systems.len(), 16);
    assert!(!systems.contains(&&json!("obf")), "{systems:?}");
    let notes = found["notes"].to_string();
    assert!(notes.contains("needs about 180224 MiB, but only 1024 MiB is available"), "{notes}");
}

#[test]
fn a_demand_is_played_as_the_command_plays_it() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = |name: &str| temporary.path().join(name).display().to_string();
    run(&format!("demand zipf -n 8 --seed 3 -o {}", path("zipf")), 0);
    let bytes = base64::encode(&fs::read(path("zipf")).unwrap());
    for system in ["benes", "ideal", "rls", "obf"] {
        let command = format!("view {system} -n 8 --demand {}", path("zipf"));
        run(&format!("{command} -o {}", path("film.html")), 0);
        run(&format!("{command} --timeline -o {}", path("line.svg")), 0);
        for asked in [
            json!({ "kind": "zipf", "n": 8, "seed": 3, "system": system }),
            json!({ "name": "zipf", "base64": bytes, "system": system }),
        ] {
            let found = ask("carried", &asked).unwrap();
            for (member, file) in [("html", "film.html"), ("drawing", "line.svg")] {
                let expected = fs::read_to_string(path(file)).unwrap();
                assert!(found[member] == expected, "{system}: {member}");
            }
        }
    }
}

#[test]
fn a_page_gives_microseconds_and_the_schedule_of_any_size() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = |name: &str| temporary.path().join(name).display().to_string();
    run(&format!("demand zipf -n 22 --seed 3 -o {}", path("d.csv")), 0);
    let bytes = base64::encode(&fs::read(path("d.csv")).unwrap());
    let asked = json!({ "name": "d.csv", "base64": bytes, "delta": 5, "word_bytes": 4096, "link": "400G" });
    let table = ask("demand", &asked).unwrap();
    let columns = table["columns"].as_array().unwrap();
    assert!(columns.contains(&json!("time_us")), "{columns:?}");
    let found = ask("demand_schedule", &asked).unwrap();
    let options = "--delta 5 --word-bytes 4096 --link 400G";
    run(&format!("demand {} {options} --schedule {}", path("d.csv"), path("plan.csv")), 0);
    assert_eq!(found["csv"].as_str().unwrap(), fs::read_to_string(path("plan.csv")).unwrap());
    assert_eq!(found["name"], "d_schedule.csv");
    // An ideal crossbar has a film and a time line of any size.
    let played = ask("carried", &json!({ "name": "d.csv", "base64": bytes, "system": "ideal" })).unwrap();
    assert!(
        played["html"].as_str().unwrap().contains("\"kind\":\"crossbar\"")
            && played["drawing"].as_str().unwrap().contains("ideal_n22")
    );
    let error =
        ask("demand", &json!({ "kind": "zipf", "n": 8, "word_bytes": 4, "link": "fast" })).unwrap_err();
    assert!(error.contains("fast"), "{error}");
}

#[test]
fn a_search_says_what_that_of_the_command_says() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    // Found; none, by counting and by the search; no path.
    for (n, rounds) in [(10, None), (12, None), (12, Some(16)), (8, Some(8))] {
        let wires = temporary.path().join(format!("{n}.json"));
        run(&format!("network gsen -n {n} --format json -o {}", wires.display()), 0);
        let network = fs::read_to_string(&wires).unwrap();
        let found = ask("search", &json!({ "network": network, "rounds": rounds, "seconds": 60 })).unwrap();
        let asked = rounds.map_or(String::new(), |rounds: u32| format!(" --rounds {rounds}"));
        let code = i32::from(found["found"].is_null());
        let command = format!("schedule user --network {} --algorithm exact{asked}", wires.display());
        let (text, _) = run(&format!("{command} --check"), code);
        let lines: Vec<&str> =
            found["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        let word = |name: &str| found[name].as_str().unwrap();
        let said = format!("{}: {}{}\n  {}\n", word("name"), word("answer"), word("by"), lines.join("\n  "));
        assert!(text.starts_with(&said), "{text}\n{said}");
        if code == 0 {
            // What is found is a design, and the one that the command finds.
            let user = json!({ "system": "user", "files": found["found"]["files"] });
            let schedule: Value =
                serde_json::from_str(found["found"]["files"]["schedule"].as_str().unwrap()).unwrap();
            let states = |value: &Value| -> Vec<Value> {
                value["rounds"].as_array().unwrap().iter().map(|round| round["states"].clone()).collect()
            };
            assert_eq!(states(&schedule), states(&json(&command, 0)));
            assert_eq!(ask("figures", &user).unwrap()["figures"]["terminals"], n);
        }
    }
    // The network of a design; no time.
    let of_design = json!({ "design": { "system": "gsen", "n": 10 }, "seconds": 60 });
    assert_eq!(ask("search", &of_design).unwrap()["verdict"], "found");
    let open = json!({ "design": { "system": "rls", "n": 16 }, "rounds": 15, "seconds": 1e-9 });
    let open = ask("search", &open).unwrap();
    assert!(open["verdict"] == "open" || open["verdict"] == "impossible", "{open}");
}

#[test]
fn two_files_differ_as_the_command_says() {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = |name: &str| temporary.path().join(name);
    run(
        &format!(
            "simulate rls -n 4 -w 8 --payload random --wave {0}/a.vcd --deliveries {0}/a.csv",
            temporary.path().display()
        ),
        0,
    );
    run(
        &format!(
            "simulate rls -n 4 -w 8 --payload random --seed 2 --wave {0}/b.fst --deliveries {0}/b.csv",
            temporary.path().display()
        ),
        0,
    );
    fs::write(path("a_again.csv"), fs::read(path("a.csv")).unwrap()).unwrap();
    let named =
        |name: &str| json!({ "name": name, "base64": base64::encode(&fs::read(path(name)).unwrap()) });
    for (a, b, code) in [("a.vcd", "b.fst", 1), ("a.csv", "b.csv", 1), ("a.csv", "a_again.csv", 0)] {
        let output = frit(&format!("diff {a} {b}")).current_dir(temporary.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{a} {b}");
        let found = ask("diff", &json!({ "a": named(a), "b": named(b) })).unwrap();
        assert_eq!(found["same"], code == 0, "{a} {b}");
        assert_eq!(found["text"].as_str().unwrap(), String::from_utf8_lossy(&output.stdout), "{a} {b}");
    }
    let broken = json!({ "name": "a.vcd", "base64": "JGZvbw==" });
    assert!(ask("diff", &json!({ "a": named("a.vcd"), "b": broken })).unwrap_err().contains("a.vcd (2)"));
    assert!(ask("diff", &json!({ "a": named("a.vcd"), "b": { "name": "b", "base64": "?" } })).is_err());
}

#[test]
fn what_cannot_be_is_an_error_in_words() {
    for (call, input, words) in [
        (
            "figures",
            json!({ "system": "nothing", "n": 8 }),
            "\"nothing\" is not a system; the systems are: rls, ",
        ),
        ("figures", json!({ "system": "rls" }), "N is missing; rls needs "),
        ("figures", json!({ "system": "rls", "n": 8, "w": 0 }), "width"),
        (
            "figures",
            json!({ "system": "rls", "n": 8, "options": { "colour": "red" } }),
            "rls has no option \"colour\"",
        ),
        (
            "figures",
            json!({ "system": "rls", "n": 8, "files": { "x": "" } }),
            "rls has no option \"x\" that takes a file",
        ),
        ("figures", json!({ "system": "user", "n": 8 }), "needs two files"),
        ("figures", json!({ "system": "rls", "n": 8, "more": 1 }), "unknown field `more`"),
        ("figures", json!({ "system": "obf", "n": 1u64 << 40 }), ""),
        ("figures", json!({ "system": "gsen", "n": 3 }), ""),
        (
            "figures",
            json!({ "system": "dilated", "n": 8, "traffic": "all" }),
            "\"all\" is not a traffic of dilated; give one of permutation",
        ),
        ("figures", json!({ "system": "multibutterfly", "n": 8, "traffic": "all" }), "give one of perm"),
        ("page", json!({ "system": "rls", "n": 4096 }), "too many to play; make N at most 2048"),
        ("page", json!({ "system": "rls", "n": 8, "fault": "stuck-switch:99:0:1" }), "99"),
        ("page", json!({ "system": "transpose", "n": 8, "fault": "x" }), "a fault is not shown on transpose"),
        ("files", json!({ "system": "rls", "n": 8192 }), "too many to emit Verilog; make N at most 4096"),
        ("files", json!({ "system": "rls", "n": 4096, "w": 1024 }), "this page takes at most 1 GiB"),
        ("drawing", json!({ "system": "rls", "n": 8, "round": 8 }), "rls_n8 has rounds 0 to 7"),
        ("compare", json!({ "n": 2048 }), "make N at most 1024"),
        (
            "plot",
            json!({ "column": "paper", "n": 8 }),
            "\"paper\" is not a column with numbers; the columns are: ",
        ),
        ("plot", json!({ "column": "cycles", "n": 2048 }), "make N at most 1024"),
        (
            "demand",
            json!({ "kind": "much", "n": 8 }),
            "\"much\" is not a kind of demand; give one of uniform, zipf",
        ),
        ("demand", json!({ "kind": "zipf", "n": 1000 }), "give at most 512"),
        ("demand", json!({ "name": "d.csv", "base64": "MSwyCg==" }), "d.csv: "),
        ("demand", json!({ "kind": "zipf", "n": 8, "planes": 0 }), "give 1 to 64"),
        (
            "carried",
            json!({ "kind": "zipf", "n": 8, "system": "latin" }),
            "\"latin\" carries no demand here; the systems are: benes, ideal, rls",
        ),
        ("carried", json!({ "kind": "zipf", "n": 6 }), "6"),
        ("carried", json!({ "kind": "zipf", "n": 512 }), "are too many to show; make the demand smaller"),
        (
            "carried",
            json!({ "name": "u.csv", "base64": SUMS_NEAR_THE_LIMIT, "system": "obf" }),
            "4294967295 rounds of 4 terminals are too many to show; make the demand smaller",
        ),
        (
            "carried", // 0,262144,0,0 and three lines of 0,0,0,0
            json!({ "name": "o.csv", "base64": "MCwyNjIxNDQsMCwwCjAsMCwwLDAKMCwwLDAsMAowLDAsMCwwCg==", "system": "obf" }),
            "262144 rounds of 4 terminals are too many to show; make the demand smaller",
        ),
        ("check", json!({ "permutation": "0 0" }), "the permutation"),
        ("search", json!({ "seconds": 1 }), "a search needs a network: its file, or a planned system"),
        ("search", json!({ "network": "{", "seconds": 1 }), "the network"),
        (
            "search",
            json!({ "design": { "system": "dilated", "n": 8 }, "seconds": 1 }),
            "dilated is not a planned system; choose one, or give the file of a network",
        ),
        ("search", json!({ "design": asked("rls", 8), "seconds": 0 }), "0 s is not a time to search"),
        ("search", json!({ "design": asked("rls", 8), "rounds": 33, "seconds": 1 }), "give 1 to 32"),
        ("search", json!({ "design": asked("rls", 512), "seconds": 1 }), "512 terminals are too many"),
        ("nothing", json!({}), "\"nothing\" is not a question"),
    ] {
        let error = ask(call, &input).unwrap_err();
        assert!(error.contains(words), "{call} {input}: {error}");
    }
    assert!(frit_web::call("{").starts_with("{\"error\":\"the question is not"));
    // The command says the same where it is the same.
    let (_, stderr) = run("simulate rls -n 10", 2);
    let error = ask("figures", &asked("rls", 10)).unwrap_err();
    assert!(stderr.contains(&error), "{stderr}: {error}");
}

#[test]
fn a_users_network_is_taken_from_texts() {
    let text = |name: &str| fs::read_to_string(root().join("examples/omega8").join(name)).unwrap();
    let (network, schedule) = (text("network.json"), text("schedule.json"));
    let given = json!({ "system": "user", "files": { "network": network, "schedule": schedule } });
    let expected = json(
        "simulate user --network examples/omega8/network.json --schedule examples/omega8/schedule.json",
        0,
    );
    let found = ask("figures", &given).unwrap();
    assert_eq!(found["figures"]["cycles"], expected["cycles"]);
    for (name, text) in
        [("network", "{}".to_string()), ("schedule", "{}".into()), ("schedule", schedule.replace('1', "0"))]
    {
        let mut wrong = given.clone();
        wrong["files"][name] = text.into();
        let error = ask("figures", &wrong).unwrap_err();
        assert!(error.starts_with(&format!("the {name}: ")), "{error}");
    }
}

//! The page in headless Chromium: it shows what the command says, and asks for nothing.

use crate::common;
use crate::web::{WIDTH, ask, asked, cases};

use common::browser::{browser, have_browser, kept};
use common::root;
use frit_web::base64;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The site, built; nothing where Rust has not the target.
fn site(test: &str) -> Option<std::path::PathBuf> {
    let script = root().join("scripts/site");
    let here = Command::new(&script).arg("--check").output().unwrap();
    if !here.status.success() {
        let _ = writeln!(
            std::io::stderr(),
            "NOT RUN: the page in a browser: {}",
            String::from_utf8_lossy(&here.stderr).trim()
        );
        return None;
    }
    let folder = kept(test).join("site");
    let built = Command::new(&script).arg("--output").arg(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&built.stdout).into_owned() + &String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "scripts/site: {said}");
    Some(folder)
}

/// What the driver of the page reports.
fn watch(page: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(root().join(".tools/venv/bin/python"))
        .arg(root().join("scripts/browser/site.py"))
        .arg(page)
        .args(["--browser", &browser()])
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows that nobody wants: errors of the console, requests, a page that does not follow.
fn complaints(rows: &[Value]) -> Vec<&Value> {
    let bad = |row: &&Value| matches!(row["row"].as_str(), Some("message" | "request" | "stuck"));
    rows.iter().filter(bad).collect()
}

#[test]
#[ignore = "long: make test-all"]
fn the_page_in_one_file_shows_every_system_as_the_command_does() {
    let Some(site) = site("site").filter(|_| have_browser()) else { return };
    let out = kept("site").join("saved");
    let cases = cases();
    let hashes: Vec<String> =
        cases.iter().map(|(system, n, _)| format!("system={system}&n={n}&w={WIDTH}")).collect();
    let mut arguments =
        vec!["--out", out.to_str().unwrap(), "--read", "cycles,problem", "--save", "get-zip", "--case"];
    arguments.push("system=rls&n=8&w=8");
    arguments.extend(hashes.iter().map(String::as_str));
    let rows = watch(&site.join("fritillary.html"), &arguments);
    assert_eq!(complaints(&rows), Vec::<&Value>::new());
    let shown: Vec<&Value> = rows.iter().filter(|row| row["row"] == "case").collect();
    assert_eq!(shown[0]["texts"]["cycles"], "12");
    assert_eq!(shown[0]["film"][1], 12);
    assert_eq!(shown.len(), 1 + cases.len());
    let saved: Vec<&Value> = rows.iter().filter(|row| row["row"] == "saved").collect();
    assert_eq!(saved.len(), 1 + cases.len());
    for ((system, n, _), (row, file)) in cases.iter().zip(shown[1..].iter().zip(&saved[1..])) {
        let found = ask("figures", &asked(system, *n)).unwrap();
        assert_eq!(
            row["texts"]["cycles"].as_str().unwrap(),
            found["figures"][found["first"].as_str().unwrap()].to_string(),
            "{system} -n {n}"
        );
        assert!(!row["film"].is_null(), "{system} -n {n}");
        // Which files, and which bytes, another test compares with what the command writes.
        let zip = ask("files", &asked(system, *n)).unwrap()["zip"].as_str().unwrap().to_string();
        let bytes = fs::read(file["file"].as_str().unwrap()).unwrap();
        assert!(base64::encode(&bytes) == zip, "{system} -n {n}: the zip differs");
    }
}

#[test]
#[ignore = "long: make test-all"]
fn an_exchange_that_the_page_finds_is_played_and_a_demand_that_is_dropped_is_planned() {
    let Some(site) = site("search").filter(|_| have_browser()) else { return };
    let demand = root().join("examples/demand4.csv");
    let read = ["--read", "cycles,problem,found,found-by,demand-title", "--press", "look", "play-found"];
    let mut arguments = read.to_vec();
    arguments.extend(["--drop", "demand", demand.to_str().unwrap(), "--case"]);
    arguments.push("system=gsen&n=10&w=8&show=search");
    let rows = watch(&site.join("fritillary.html"), &arguments);
    assert_eq!(complaints(&rows), Vec::<&Value>::new());
    let pressed: Vec<&Value> = rows.iter().filter(|row| row["row"] == "pressed").collect();
    let [found, played] = pressed[..] else { panic!("{rows:?}") };
    assert_eq!(found["texts"]["found"], "general-shuffle-exchange: an exchange of 10 rounds", "{found}");
    // Ten rounds, one behind the other, in four stages.
    assert_eq!(played["texts"]["cycles"], "13", "{played}");
    assert_eq!(played["film"][1], 13, "{played}");
    let dropped = rows.iter().find(|row| row["row"] == "dropped").unwrap();
    let bytes = base64::encode(&fs::read(&demand).unwrap());
    let found = ask("demand", &json!({ "name": "demand4.csv", "base64": bytes })).unwrap();
    assert_eq!(dropped["texts"]["demand-title"], found["title"], "{dropped}");
}

#[test]
#[ignore = "long: make test-all"]
fn the_page_of_a_file_server_asks_for_nothing_after_it_was_loaded() {
    let Some(site) = site("served").filter(|_| have_browser()) else { return };
    let out = kept("served").join("saved");
    let arguments = [
        "--out",
        out.to_str().unwrap(),
        "--screenshots",
        "--save",
        "get-picture",
        "--case",
        "system=gsen&n=10&w=8&algorithm=ata2",
    ];
    let rows = watch(&site, &arguments);
    assert_eq!(complaints(&rows), Vec::<&Value>::new());
    let saved = rows.iter().find(|row| row["row"] == "saved").unwrap();
    assert!(fs::read(saved["file"].as_str().unwrap()).unwrap().starts_with(b"\x89PNG"), "{saved}");
    let pictures: Vec<&Value> = rows.iter().filter(|row| row["row"] == "picture").collect();
    assert_eq!(pictures.len(), 8);
    assert!(pictures.iter().all(|picture| picture["wider"] == 0), "{pictures:?}");
    // A script that asks for something, or that is another than the one of the site, is seen.
    let index = fs::read_to_string(site.join("index.html")).unwrap();
    fs::write(
        site.join("app.js"),
        fs::read_to_string(site.join("app.js")).unwrap()
            + "\nsetInterval(() => fetch('more').catch(() => 0), 300);\n",
    )
    .unwrap();
    fs::write(
        site.join("index.html"),
        index.replace("</main>", "</main><script>document.title = 'other'</script>"),
    )
    .unwrap();
    let rows = watch(
        &site,
        &[
            "--case",
            "system=rls&n=128&w=8",
            "system=rls&n=4&w=8",
            "system=gsen&n=30&w=8",
            "system=obf&n=32&w=8",
        ],
    );
    let seen = |word: &str| complaints(&rows).iter().any(|row| row.to_string().contains(word));
    assert!(seen("/more") && seen("Content Security Policy"), "{rows:?}");
    // A module of which one byte is another is not taken.
    let module = site.join("fritillary.wasm.lz");
    let mut bytes = fs::read(&module).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&module, bytes).unwrap();
    let rows = watch(&site, &["--patience", "10", "--case", "system=rls&n=8&w=8"]);
    assert!(rows.iter().any(|row| row["row"] == "stuck"), "{rows:?}");
}

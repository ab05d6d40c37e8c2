//! Pages in a headless browser (scripts/browser/drive.py).

use super::{have, have_python, json, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const BROWSER: &str = "chromium-headless-shell";

/// Whether there are a browser and its driver.
pub fn have_browser() -> bool {
    have(&[BROWSER]) && have_python("playwright")
}

/// The path of the browser, which is there.
pub fn browser() -> String {
    let tools = json("doctor", 0);
    let browser = tools.as_array().unwrap().iter().find(|tool| tool["program"] == BROWSER).unwrap();
    browser["path"].as_str().unwrap().into()
}

/// Where the pages and their screenshots are kept: a folder of every test.
pub fn kept(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages").join(test);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a page shows at one moment.
#[derive(Clone, Debug)]
pub struct Shown {
    texts: BTreeMap<String, Option<String>>,
    visible: Vec<String>,
    /// What a screen reader calls what has the focus.
    pub focus: String,
}

impl Shown {
    fn of(row: &Value) -> Shown {
        let member = |name: &str| row[name].clone();
        Shown {
            texts: serde_json::from_value(member("texts")).unwrap(),
            visible: serde_json::from_value(member("visible")).unwrap(),
            focus: serde_json::from_value(member("focus")).unwrap(),
        }
    }

    /// The lines of an element's text; none where there is no such element.
    pub fn lines(&self, id: &str) -> Vec<&str> {
        self.text(id).lines().collect()
    }

    /// The same as one text.
    pub fn text(&self, id: &str) -> &str {
        self.texts[id].as_deref().unwrap_or_default().trim_end()
    }

    /// Whether an element is seen and says something.
    pub fn visible(&self, id: &str) -> bool {
        self.visible.iter().any(|visible| visible == id)
    }
}

/// What was seen of a page.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// When it was loaded.
    pub start: Option<Shown>,
    /// In each cycle, from the first to the last.
    pub cycles: Vec<Shown>,
    /// After each key.
    pub keys: Vec<(String, Shown)>,
    /// After each click.
    pub clicks: Vec<Shown>,
    /// Whether it plays by itself, and stops; and plays when it is opened, unless it should not.
    pub plays: Option<bool>,
    /// The least height of text that was drawn, in pixels, the most lines of the sentence, and the texts.
    pub drawn: Option<(f64, u64, Vec<String>)>,
    /// The address at the end, and the cycle to which `#cycle=1` led.
    pub address: Option<(String, u64)>,
    /// Files that were saved.
    pub saved: Vec<PathBuf>,
    /// Screenshots.
    pub pictures: Vec<PathBuf>,
    /// Errors and warnings of the console, and what it asked the network for.
    pub complaints: Vec<String>,
    /// Why the driver gave the page up, if it did.
    pub stuck: Option<String>,
}

/// Opens pages and does with each what the arguments of the driver say.
pub fn drive(pages: &[PathBuf], read: &[&str], arguments: &str) -> Vec<Watched> {
    let output = Command::new(root().join(".tools/venv/bin/python"))
        .arg(root().join("scripts/browser/drive.py"))
        .args(pages)
        .args(["--browser", &browser(), "--read", &read.join(",")])
        .args(arguments.split_whitespace())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{pages:?}: {}", String::from_utf8_lossy(&output.stderr));
    let mut watched: Vec<Watched> = Vec::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        match watched.last_mut() {
            _ if row["row"] == "page" => watched.push(Watched::default()),
            page => page.expect("the first row is of a page").add(&row),
        }
    }
    assert_eq!(watched.len(), pages.len());
    watched
}

impl Watched {
    fn add(&mut self, row: &Value) {
        let text = |name: &str| row[name].as_str().unwrap().to_string();
        match row["row"].as_str().unwrap() {
            "start" => self.start = Some(Shown::of(row)),
            "cycle" => self.cycles.push(Shown::of(row)),
            "key" => self.keys.push((text("key"), Shown::of(row))),
            "click" => self.clicks.push(Shown::of(row)),
            "play" => {
                let all = ["advanced", "stopped", "opened", "held"];
                self.plays = Some(all.iter().all(|what| row[what] == true));
            }
            "drawn" => {
                let texts = serde_json::from_value(row["texts"].clone()).unwrap();
                self.drawn = Some((row["least"].as_f64().unwrap(), row["lines"].as_u64().unwrap(), texts));
            }
            "address" => self.address = Some((text("hash"), row["led"].as_u64().unwrap())),
            "saved" => self.saved.push(text("file").into()),
            "picture" => {
                if row["wider"] != 0 {
                    self.complaints.push(format!("{}: {} pixels too wide", text("file"), row["wider"]));
                }
                self.pictures.push(text("file").into());
            }
            "message" => self.complaints.push(format!("{}: {}", text("level"), text("text"))),
            "request" => self.complaints.push(format!("request: {}", text("url"))),
            "stuck" => self.stuck = Some(text("reason")),
            other => panic!("a row {other:?} of the driver"),
        }
    }
}

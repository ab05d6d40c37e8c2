//! Every output says the same of a plan, and says all of it: JSON, text, datasheet, comparison, sweep and the page in a browser beside the
//! facts of the plan. What Python's attributes say, python/tests/test_facts.py compares.

use crate::common;
use crate::web::{WIDTH, ask, asked};

use common::rows::rows;
use common::sweeps::sweep;
use common::{json, run};
use frit_network::facts::shown;
use frit_schedule::{Request, plan};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A fact, and what stands before it: in the text of `frit simulate`, in the datasheet; whether it is a column of `frit compare` and of a sweep.
type Place = (&'static str, &'static str, &'static str, bool, bool);

const PLACES: [Place; 22] = [
    ("terminals", "", "terminals (N)", true, true),
    ("lanes_per_terminal", "", "lanes of a terminal", false, false),
    ("width", "", "bits of a word (W)", false, false),
    ("address_bits", "", "bits of a destination or source (TerminalBits)", false, false),
    ("network", "network", "", false, false),
    ("stages", "network", "stages", true, false),
    ("stage", "network", "stages", false, false),
    ("switches", "network", "", true, true),
    ("wires", "", "", true, false),
    ("drivers", "drivers", "", true, true),
    ("stored_bits", "stored", "", true, false),
    ("label_bits", "", "", true, false),
    ("buffer_words", "buffers", "", true, false),
    ("latency", "", "latency, send to receive", false, false),
    ("rounds", "rounds", "rounds of a run", true, false),
    ("rhythm", "rounds", "rounds begin", false, false),
    ("exchange_cycles", "no gap", "cycles of a run", false, false),
    ("period", "no gap", "from one exchange to the next without a gap", false, false),
    ("cycles", "cycles", "", true, true),
    ("cycles_paper", "cycles", "", true, true),
    ("cycles_lower_bound", "cycles", "", true, true),
    ("source", "", "source", false, false),
];

/// What the outputs say of a design.
#[derive(Clone)]
struct Outputs {
    json: Value,
    page: Value,
    text: String,
    datasheet: String,
    compared: Value,
    swept: BTreeMap<String, String>,
}

impl Outputs {
    fn of(system: &str, n: u64) -> Self {
        let dir = tempfile::tempdir().unwrap();
        run(&format!("generate {system} -n {n} -w {WIDTH} -o {}", dir.path().display()), 0);
        let sheet = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
        let sheet = sheet.into_iter().find(|path| path.to_string_lossy().ends_with("_datasheet.md")).unwrap();
        let swept = tempfile::tempdir().unwrap();
        let systems = format!("kind = 'exchange'\n[[systems]]\nsystem = '{system}'\nterminals = {n}\n");
        sweep(swept.path(), &format!("{systems}[files]\ncsv = 's.csv'\nsvg = 's.svg'\n"), "");
        let compared = json(&format!("compare -n {n} --systems {system}"), 0);
        Outputs {
            json: json(&format!("simulate {system} -n {n} -w {WIDTH}"), 0),
            page: ask("figures", &asked(system, n)).unwrap()["figures"].clone(),
            text: run(&format!("simulate {system} -n {n}"), 0).0,
            datasheet: fs::read_to_string(sheet).unwrap(),
            compared: compared["rows"][0].clone(),
            swept: rows(&fs::read_to_string(swept.path().join("s.csv")).unwrap()).remove(0),
        }
    }

    /// The outputs that say something else than the plan, or nothing.
    fn wrong(&self, system: &str, n: u64) -> Vec<String> {
        let facts = plan(&Request::new(system, n)).unwrap().facts(Some(WIDTH));
        let mut wrong = Vec::new();
        for (name, value) in &facts {
            for (output, said) in [("JSON", &self.json[name]), ("page", &self.page[name])] {
                if said != value {
                    wrong.push(format!("{output}: {name}"));
                }
            }
        }
        for (name, head, row, column, swept) in PLACES {
            let fact = shown(&facts[name]).unwrap();
            let line = self.text.lines().find_map(|line| line.trim_start().strip_prefix(&format!("{head} ")));
            let cell = self.datasheet.lines().find_map(|line| line.strip_prefix(&format!("| {row} | ")));
            let said = [
                ("text", head.is_empty() || line.is_some_and(|line| says(line, &fact))),
                ("datasheet", row.is_empty() || cell.is_some_and(|cell| says(cell, &fact))),
                ("comparison", !column || self.compared[name] == facts[name]),
                ("sweep", !swept || self.swept.get(name) == Some(&fact)),
            ];
            wrong
                .extend(said.iter().filter(|(_, fine)| !fine).map(|(output, _)| format!("{output}: {name}")));
        }
        wrong
    }
}

/// Whether a fact is in a line, and not as a part of a longer number or word.
fn says(line: &str, fact: &str) -> bool {
    let goes_on = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    line.match_indices(fact).any(|(at, _)| {
        !goes_on(line[..at].chars().next_back()) && !goes_on(line[at + fact.len()..].chars().next())
    })
}

#[test]
fn every_output_says_the_facts_of_the_plan() {
    for (system, n) in [("rls", 8), ("gsen", 6), ("rls-folded", 8), ("atape", 8)] {
        assert_eq!(Outputs::of(system, n).wrong(system, n), Vec::<String>::new(), "{system} -n {n}");
    }
}

#[test]
fn another_value_in_any_output_is_seen() {
    let right = Outputs::of("gsen", 6);
    for (name, head, row, column, swept) in PLACES {
        let fact = shown(&right.json[name]).unwrap();
        let mut other = right.clone();
        other.json[name] = Value::Null;
        other.page[name] = "other".into();
        other.text = right.text.replace(&fact, "other");
        other.datasheet = right.datasheet.replace(&fact, "other");
        other.compared[name] = Value::Null;
        other.swept.insert(name.into(), "other".into());
        let wrong = other.wrong("gsen", 6);
        let shown = [
            ("JSON", true),
            ("page", true),
            ("text", !head.is_empty()),
            ("datasheet", !row.is_empty()),
            ("comparison", column),
            ("sweep", swept),
        ];
        for (output, _) in shown.iter().filter(|(_, shown)| *shown) {
            assert!(wrong.contains(&format!("{output}: {name}")), "{output}: {name} is not in {wrong:?}");
        }
    }
}

//! One word, one meaning: a stage is a column of switches. What happens in time is a cycle, a round, a step or a phase
//! (docs/glossary.md). Looked at are the pages, the comments and texts of the sources, the templates and the emitted cells.

use crate::common;

use common::book::Page;
use common::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Phrases in which a stage is a time. A word that ends in `*` stands for any word that begins so; `_` stands for any word.
const OF_TIME: [&str; 26] = [
    "a late stage",
    "stage* late",
    "stage* later",
    "stage* earlier",
    "stage* long",
    "stage* in a row",
    "a stage for each column",
    "a stage move*",
    "a stage wait*",
    "a stage end*",
    "a stage begin*",
    "each in its stage",
    "goes through a stage",
    "during stage*",
    "during the stage*",
    "during a stage",
    "for _ stages until",
    "in stage i",
    "later stage than",
    "log n stages",
    "stage* of a run",
    "stage* of the run",
    "stages and no cycles",
    "stages that the run",
    "wait* a stage",
    "wait* _ stages",
];

/// The system whose paper calls a phase a stage. In its sources `stage` is only a member or a column of files, which other
/// programs read, and the name of a formula of sweeps.
const IN_PHASES: &str = "multibutterfly";
const MEMBERS: [&str; 6] =
    ["\"stages\"", "stages delivered", "\"stage\"", "kind,stage,", "event,stage,", "least-stages"];

/// Stands between two sentences, so that no phrase goes from one into the next.
const END: &str = "\u{1}";

fn fits(pattern: &str, word: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(begin) => word.starts_with(begin),
        None => pattern == word || pattern == "_" && word != END,
    }
}

/// The phrases of [`OF_TIME`] in a text.
fn of_time(text: &str) -> Vec<&'static str> {
    let lower = text.to_lowercase().replace(['.', ';'], &format!(" {END} "));
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && !"_\u{1}".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let found = |phrase: &&str| {
        let parts: Vec<&str> = phrase.split(' ').collect();
        words.windows(parts.len()).any(|at| parts.iter().zip(at).all(|(part, word)| fits(part, word)))
    };
    OF_TIME.into_iter().filter(found).collect()
}

/// What a source says to people: its comments and its texts, line by line, each comment as one text.
fn said(source: &str) -> String {
    let mut text = String::new();
    for line in source.lines().map(str::trim) {
        match line.find("//") {
            Some(at) => {
                text += line[at..].trim_start_matches(['/', '!']);
                text += " ";
            }
            // A text between quotes ends what was said before it.
            None => {
                text += " . ";
                text += &line.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" . ");
            }
        }
    }
    text
}

/// What is wrong with a file of this path.
fn second_meanings(path: &Path, text: &str) -> Vec<String> {
    let name = path.display();
    let is_page = path.extension().is_some_and(|end| end == "md");
    let prose = if is_page { Page { path: path.into(), text: text.into() }.prose() } else { said(text) };
    let mut wrong: Vec<String> = of_time(&prose)
        .into_iter()
        .map(|phrase| format!("{name}: \"{phrase}\": a stage is no time"))
        .collect();
    if !is_page && path.to_string_lossy().contains(IN_PHASES) {
        for (at, line) in text.lines().enumerate() {
            let bare = MEMBERS.iter().fold(line.to_lowercase(), |line, member| line.replace(member, ""));
            // The film and the drawings call a column of nodes a stage in the names of their members.
            let bare = bare.replace("stage: \"column\"", "");
            if bare.contains("stage") {
                wrong.push(format!("{name}:{}: a phase is called a stage", at + 1));
            }
        }
    }
    wrong
}

/// The files below a folder with one of these endings, without those of the tests.
fn below(folder: &Path, ends: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap) {
        let path = folder.join(entry.file_name());
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            if !["target", "tests", "corpus", "node_modules"].contains(&name.as_str()) {
                found.extend(below(&path, ends));
            }
        } else if ends.iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_stage_is_a_column_of_switches() {
    let ends = [".md", ".rs", ".tera", ".v", ".py", ".js"];
    let folders = ["crates", "docs", "examples", "python", "rtl", "testbench"];
    let top = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"].map(PathBuf::from);
    let files: Vec<PathBuf> =
        folders.iter().flat_map(|folder| below(Path::new(folder), &ends)).chain(top).collect();
    let count = |end: &str| files.iter().filter(|path| path.to_string_lossy().ends_with(end)).count();
    assert!(
        count(".md") > 40 && count(".rs") > 400 && count(".tera") > 20 && count(".v") > 80,
        "are all seen?"
    );
    let read = |path: &PathBuf| fs::read_to_string(root().join(path)).unwrap();
    let wrong: Vec<String> = files.iter().flat_map(|path| second_meanings(path, &read(path))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_planted_second_meaning_is_found() {
    let found = |path: &str, text: &str| second_meanings(Path::new(path), text);
    let fine = "/// A stage of switches; a message passes one stage in a cycle, and stage 2 is later on its way.\n\
                let stage = waits;\n";
    assert_eq!(found("crates/model/src/some.rs", fine), [""; 0]);
    // In a page, in a doc comment over two lines, in a text of the program, and in an emitted comment.
    let planted = [
        ("docs/some.md", "# Some\n\nIt commits a\nstage late.\n", "stage* late"),
        (
            "crates/model/src/some.rs",
            "/// Nobody moves for three stages\n/// in a row.\nfn f() {}\n",
            "stage* in a row",
        ),
        ("crates/cli/src/some.rs", "bail!(\"{n} stages of the run are left\");\n", "stage* of the run"),
        ("rtl/frit_cells/frit_some.v", "assign a = b;  // b waits two stages\n", "wait* _ stages"),
    ];
    for (path, text, phrase) in planted {
        assert_eq!(found(path, text), [format!("{path}: \"{phrase}\": a stage is no time")]);
    }
    let path = "crates/model/src/multibutterfly/some.rs";
    let text = "let stages = 3;\n(\"stages\", json!(outcome.phases));\nfn a_stage() {}\n";
    let expected = [1, 3].map(|line| format!("{path}:{line}: a phase is called a stage"));
    assert_eq!(found(path, text), expected);
}

//! The commands in the handbook's blocks of code are run, in a folder of their page, with the exit code that the page says; in
//! blocks of `console` what they print is what the page shows (`UPDATE_EXPECT=1` writes it there). Those that need a tool,
//! minutes or files of other runs are parsed only, by a test in `src/examples.rs`; which, and why, is said here.

use crate::common;

use common::book::{Command, Page, pages, words};
use common::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process;
use std::sync::Mutex;

/// What is not run: how the line begins, a word in it, why not.
const PARSED: [(&str, &str, &str); 8] = [
    ("frit verify", "", "verify: simulators, and seconds to minutes"),
    ("frit synth", "", "synth: Yosys and nextpnr, minutes"),
    ("frit prototype", "", "prototype: Yosys, nextpnr and the writers of bitstreams"),
    ("frit compare", "--synth", "compare --synth: Yosys and nextpnr"),
    ("frit diff", "", "diff: waveforms of other runs"),
    ("frit sweep", "merge", "sweep merge: results of shards"),
    ("frit sweep", "slurm", "sweep: a cluster"),
    ("scripts/", "", "scripts: they install, or run for minutes; the script and its options are there"),
];

/// How a command of a page is tried.
#[derive(Debug, PartialEq, Eq)]
enum Trial {
    /// This line, in the page's folder.
    Run(String),
    /// Nothing is run, for this reason.
    Parsed(&'static str),
}

fn trial(command: &Command) -> Trial {
    let line = &command.line;
    let found = PARSED.iter().find(|(begin, word, _)| line.starts_with(begin) && line.contains(word));
    if let Some((_, _, reason)) = found {
        return Trial::Parsed(reason);
    }
    let line = line.split(" | ").next().unwrap();
    if let Some(rest) = line.strip_prefix("make ") {
        let folder = if rest.contains("-C ") { String::new() } else { format!("-C '{}' ", root().display()) };
        return Trial::Run(format!("make --dry-run {folder}{rest}"));
    }
    // A sweep names its points, and leaves them.
    let list = if line.starts_with("frit sweep") && !line.contains("--list") { " --list" } else { "" };
    Trial::Run(format!("{}{list}", line.replace(" FILE.toml", " examples/cycles.toml")))
}

/// A folder in which the paths of the documents lead somewhere.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for name in ["crates", "designs", "docs", "examples", "rtl", "scripts"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// What a line prints, and its exit code.
fn run(line: &str, folder: &Path) -> (i32, String, String) {
    let frit = assert_cmd::cargo::cargo_bin("frit");
    let path = format!("{}:{}", frit.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = process::Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path).env_remove("MAKEFLAGS");
    let output = shell.env("TMPDIR", env!("CARGO_TARGET_TMPDIR")).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// What is wrong with a script's line: the files that it names, and the options of the script.
fn wrong_script(line: &str) -> Option<String> {
    let words = words(line);
    let paths = words.iter().filter(|word| word.starts_with("scripts/") || word.starts_with("examples/"));
    let missing = paths.into_iter().find(|path| !root().join(path.as_str()).exists());
    if let Some(path) = missing {
        return Some(format!("no {path}"));
    }
    let script = fs::read_to_string(root().join(&words[0])).unwrap();
    let own = words[1..].iter().take_while(|word| word.starts_with('-'));
    own.into_iter()
        .find(|word| !script.contains(word.as_str()))
        .map(|word| format!("{} has no {word}", words[0]))
}

/// What running a page has shown.
#[derive(Debug, Default)]
struct Found {
    /// What is wrong, each with its place.
    wrong: Vec<String>,
    /// The page with the outputs that it should have.
    text: String,
    /// Commands that were run, those of them whose output is compared, and those that were not run, by reason.
    run: usize,
    compared: usize,
    parsed: BTreeMap<&'static str, usize>,
}

fn try_page(page: &Page) -> Found {
    let folder = folder();
    let mut found = Found::default();
    let mut lines: Vec<String> = page.text.lines().map(String::from).collect();
    let commands = page.commands();
    let mut outputs = Vec::new();
    for command in &commands {
        let line = match trial(command) {
            Trial::Run(line) => line,
            Trial::Parsed(reason) => {
                *found.parsed.entry(reason).or_default() += 1;
                let script =
                    command.line.starts_with("scripts/").then(|| wrong_script(&command.line)).flatten();
                found.wrong.extend(script.map(|wrong| format!("{}: {wrong}", page.place(command))));
                continue;
            }
        };
        found.run += 1;
        let (code, stdout, stderr) = run(&line, folder.path());
        let expected = i32::from(command.comment.contains("exit code 1"));
        if code != expected {
            found.wrong.push(format!("{}: exit code {code}, not {expected}\n{stderr}", page.place(command)));
        }
        if let Some(output) = command.output.clone() {
            found.compared += 1;
            let printed: Vec<String> = stdout.lines().map(String::from).collect();
            if lines[output.clone()] != printed[..] {
                found.wrong.push(format!("{}: prints\n{stdout}", page.place(command)));
            }
            outputs.push((output, printed));
        }
    }
    for (place, printed) in outputs.into_iter().rev() {
        lines.splice(place, printed);
    }
    found.text = lines.join("\n") + "\n";
    found
}

#[test]
fn commands_do_what_the_pages_say() {
    let pages = pages();
    let (next, all) = (Mutex::new(pages.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(page) = next.lock().unwrap().next() else { break };
                    let found = try_page(page);
                    all.lock().unwrap().push((page, found));
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        for (page, found) in all.iter().filter(|(page, found)| page.text != found.text) {
            fs::write(root().join(&page.path), &found.text).unwrap();
        }
    }
    let wrong: Vec<String> = all.iter().flat_map(|(_, found)| found.wrong.clone()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let sum = |of: &dyn Fn(&Found) -> usize| all.iter().map(|(_, found)| of(found)).sum::<usize>();
    let (run, compared) = (sum(&|found| found.run), sum(&|found| found.compared));
    let parsed = sum(&|found| found.parsed.values().sum());
    println!("{run} commands run, the output of {compared} compared; {parsed} parsed only:");
    for (_, _, reason) in PARSED {
        let count = sum(&|found| found.parsed.get(reason).copied().unwrap_or(0));
        println!("  {count:3} {reason}");
        assert!(count > 0, "no page has a command of this kind any more: {reason}");
    }
    assert!(run > 60 && compared > 20, "{run} run, {compared} compared: are they all seen?");
}

/// The drawings in docs/images, and the commands that draw them, without the file: `make figures` writes them afresh.
const DRAWN: [(&str, &str); 13] = [
    ("rls8_round1", "network rls -n 8 --round 1 --messages --format svg -o"),
    ("xor8_round3", "network xor -n 8 --round 3 --format svg -o"),
    ("gsen10_round10", "network gsen -n 10 --round 10 --format svg -o"),
    ("obf8_round1", "network obf -n 8 --round 1 --format svg -o"),
    ("rls_figure3", "schedule check --network butterfly --permutation examples/rls_figure3.txt --drawing"),
    ("rls_figure4", "view rls -n 8 --round 1 -o"),
    ("rls_figure5", "view rls -n 16 --round 0 -o"),
    ("rls_figure6", "network rls-flattened -n 16 --format svg -o"),
    ("gsen_figure5", "view gsen -n 10 --algorithm ata2 --round 0..4 -o"),
    ("gsen_figure6", "view gsen -n 10 --algorithm ata2 --round 5..9 -o"),
    ("obf_figure1", "network obf -n 8 --states --format svg -o"),
    ("obf_figure2", "network obf -n 8 --format svg -o"),
    ("obf_figure3", "network obf -n 8 --path 3:7 --format svg -o"),
];

/// What a command draws. Only the permutation of Figure 3 is refused.
fn drawn(command: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("drawing.svg");
    let code = i32::from(command.starts_with("schedule check"));
    let command = command.replace("examples/", &format!("{}/examples/", root().display()));
    common::run(&format!("{command} {}", file.display()), code);
    std::fs::read_to_string(file).unwrap()
}

/// The drawings of a folder that are not what frit draws.
fn stale(dir: &Path) -> Vec<&'static str> {
    let read = |name: &str| std::fs::read_to_string(dir.join(format!("{name}.svg"))).unwrap_or_default();
    DRAWN.into_iter().filter(|(name, command)| drawn(command) != read(name)).map(|(name, _)| name).collect()
}

#[test]
fn drawings_are_what_frit_draws() {
    let images = root().join("docs/images");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        for (name, command) in DRAWN {
            std::fs::write(images.join(format!("{name}.svg")), drawn(command)).unwrap();
        }
    }
    assert_eq!(stale(&images), [""; 0], "make figures draws them again");
    // One that was edited, and one that is another, are seen.
    let copies = tempfile::tempdir().unwrap();
    for (name, _) in DRAWN {
        let file = format!("{name}.svg");
        std::fs::copy(images.join(&file), copies.path().join(&file)).unwrap();
    }
    let [edited, swapped] = ["rls_figure6.svg", "obf_figure2.svg"].map(|name| copies.path().join(name));
    let text = std::fs::read_to_string(&edited).unwrap();
    std::fs::write(&edited, text.replacen("#cc79a7", "#cc79a8", 1)).unwrap();
    std::fs::copy(copies.path().join("obf_figure3.svg"), swapped).unwrap();
    assert_eq!(stale(copies.path()), ["rls_figure6", "obf_figure2"]);
}

#[test]
fn a_page_that_is_wrong_is_found() {
    let text = "```console\n$ frit sequence 3\n00011101\n```\n\n    frit sequence 3 --kind grandmother\n\n    frit simulate rls -n 4   # exit code 1\n\n\
        ```console\n$ frit sequence 2\n0110\n```\n\n    make -n no-such-target\n    scripts/book --no-such\n    scripts/no-such\n    make book\n";
    let page = Page { path: "docs/some.md".into(), text: text.into() };
    let found = try_page(&page);
    let places: Vec<&str> = found.wrong.iter().map(|wrong| wrong.lines().next().unwrap()).collect();
    let expected = [
        "docs/some.md:6: frit sequence 3 --kind grandmother: exit code 2, not 0",
        "docs/some.md:8: frit simulate rls -n 4: exit code 0, not 1",
        "docs/some.md:11: frit sequence 2: prints",
        "docs/some.md:15: make -n no-such-target: exit code 2, not 0",
        "docs/some.md:16: scripts/book --no-such: scripts/book has no --no-such",
        "docs/some.md:17: scripts/no-such: no scripts/no-such",
    ];
    assert_eq!(places, expected);
    assert_eq!((found.run, found.compared), (6, 2));
    assert_eq!(found.text, text.replace("0110", "0011"));
}

//! Random combinations of the options of `frit generate`: every top that is emitted lints, and its testbench passes.
//!
//! The systems and their options come from `frit systems`, the other options and their words from `frit generate --help`. An
//! option that the help has and this file does not know fails the test. `FRIT_RANDOM_SEED` draws other combinations.

use crate::common;

use common::{frit, have, json, root, run};
use frit_traffic::random::SplitMix64;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// The seed when `FRIT_RANDOM_SEED` does not say another.
const SEED: u64 = 33;

/// One in so many designs is checked thoroughly.
const THOROUGH: usize = 12;

/// Options that change nothing in the files, that need files, or that ask for a wrong design.
const NOT_DRAWN: [&str; 14] = [
    "terminals",
    "set",
    "output",
    "force",
    "notation",
    "fault",
    "format",
    "quiet",
    "verbose",
    "color",
    "memory",
    "help",
    "demand",
    "entries",
];

/// Options without words in the help: the values they are drawn from.
const VALUES: [(&str, &[&str]); 13] = [
    ("sources", &["1,0,3,2", "3,off,0,1"]),
    ("name", &["corner", "turn_7"]),
    ("payload", &["random"]),
    ("seed", &["1", "2", "77"]),
    ("traffic", &["permutation", "bit-reversal", "transpose"]),
    ("per-source", &["1", "2", "3"]),
    ("cells", &["prefix", "frit_cells", "deeper/cells"]),
    ("length", &["1", "2", "3", "5"]),
    ("buffers", &["1", "2"]),
    ("tuser", &["0", "1", "2", "3", "7", "8", "9"]),
    ("baud", &["115200", "1000000"]),
    ("clock", &["12000000", "25000000"]),
    // Drawn in every design, from 1 to 40.
    ("width", &[]),
];

/// Options of routed systems only, of streams only, of ports in bundles only, of the self-test only. One is drawn without what
/// it needs in one of 16 designs, and frit then refuses it.
const ROUTED: [&str; 3] = ["traffic", "per-source", "direct"];
const STREAMS: [&str; 3] = ["length", "buffers", "port-style"];
const BUNDLES: [&str; 3] = ["tkeep", "tuser", "axil"];
const SELF_TEST: [&str; 2] = ["baud", "clock"];

/// Numbers from a seed.
struct Random(SplitMix64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u32) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }
}

/// What a command line is drawn from.
struct Space {
    systems: Vec<Value>,
    /// For each option of `frit generate` its words; none if it is a switch.
    options: BTreeMap<String, Vec<String>>,
}

impl Space {
    fn read() -> Space {
        let all = json("systems", 0);
        // A network of the user's needs files. Streamed systems have none of these options, and tests of their own
        // (`cosim::permute`, `permute`).
        let own = |system: &&Value| system["system"] != "user" && system["kind"] != "streamed";
        let systems = all.as_array().unwrap().iter().filter(own).cloned().collect();
        let mut options: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let (mut name, mut takes_value) = (String::new(), BTreeSet::new());
        for line in run("generate --help", 0).0.lines() {
            let line = line.trim();
            if let Some((_, rest)) =
                line.split_once("--").filter(|(short, _)| short.is_empty() || short.len() == 4)
            {
                name = rest.split(' ').next().unwrap().into();
                options.insert(name.clone(), Vec::new());
                if rest.contains('<') {
                    takes_value.insert(name.clone());
                }
            } else if let Some((word, _)) = line.strip_prefix("- ").and_then(|rest| rest.split_once(':')) {
                options.get_mut(&name).unwrap().push(word.into());
            }
        }
        options.retain(|name, _| !NOT_DRAWN.contains(&name.as_str()) && name != "version");
        for (name, values) in VALUES {
            let words = options.get_mut(name).unwrap_or_else(|| panic!("frit generate has no --{name}"));
            words.extend(values.iter().map(|value| value.to_string()));
        }
        for (name, words) in &options {
            let known = !words.is_empty() || !takes_value.contains(name) || name == "width";
            assert!(known, "--{name} is new: say in VALUES what it is drawn from, or name it in NOT_DRAWN");
        }
        Space { systems, options }
    }

    /// A command line without `-o`; many are refused. Small designs have four terminals, with `gsen` also six.
    fn draw(&self, random: &mut Random, small: bool) -> String {
        let system = random.of(&self.systems);
        let routed = system["kind"] == "routed";
        let key = system["system"].as_str().unwrap();
        let sizes: &[&str] = match (key, small) {
            ("gsen", true) => &["4", "6"],
            ("gsen", false) => &["4", "6", "8", "9", "10"],
            (_, true) => &["4"],
            (_, false) => &["4", "8", "8", "6"],
        };
        let mut line = format!("{key} -n {}", random.of(sizes));
        if !routed || random.one_in(16) {
            line += &format!(" -w {}", 1 + random.below(40));
        }
        for option in system["options"].as_array().unwrap() {
            let often = if key == "gsen" { 2 } else { 3 };
            if random.one_in(often) {
                line += &format!(" --set {}={}", option["name"].as_str().unwrap(), value(option, random));
            }
        }
        let drawn = |random: &mut Random, needed: bool| {
            if needed { random.one_in(2) } else { random.one_in(16 * 12) }
        };
        let axis = drawn(random, !routed);
        let bundles = axis && random.one_in(2);
        let self_test = random.one_in(if routed { 200 } else { 6 });
        for (name, words) in &self.options {
            let name = name.as_str();
            let chosen = match name {
                "width" => false,
                "axis" => axis,
                "selftest" => self_test,
                "port-style" if bundles => {
                    line += " --port-style axis";
                    false
                }
                "port-style" => false,
                _ if STREAMS.contains(&name) => drawn(random, axis),
                _ if BUNDLES.contains(&name) => drawn(random, bundles),
                _ if ROUTED.contains(&name) => drawn(random, routed),
                // With slow bits Icarus needs eight seconds for a report.
                _ if SELF_TEST.contains(&name) && small => false,
                _ if SELF_TEST.contains(&name) => drawn(random, self_test),
                "reset" | "reset-level" => random.one_in(if routed { 200 } else { 4 }),
                _ => random.one_in(3),
            };
            if !chosen {
                continue;
            }
            if name == "selftest" && small {
                line += " --baud 1000000 --clock 12000000";
            }
            line += &format!(" --{name}");
            if !words.is_empty() {
                line += &format!(" {}", random.of(words));
            }
        }
        line
    }
}

/// A value of an option of a system.
fn value(option: &Value, random: &mut Random) -> String {
    let words: Vec<&str> =
        option["values"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    if !words.is_empty() {
        return random.of(&words).to_string();
    }
    if option["name"] == "choose" {
        return random.of(&["loss", "spread:ring", "crosstalk:1.5,-30,0.5,-25,0.1"]).to_string();
    }
    if option["name"] == "stuck" {
        return format!("{}:{}:{}", random.below(3), random.below(2), random.below(2));
    }
    // Small numbers: designs grow with most of them.
    let least = option["range"][0].as_u64().expect("an option without words is a number");
    let number = *random.of(&[1, 1, 2, 2, 3, 4, 5, 8]);
    number.max(least).to_string()
}

/// A design that frit wrote.
struct Design {
    line: String,
    folder: TempDir,
}

/// What a make target printed, if it failed.
fn make(folder: &Path, target: &str) -> Result<(), String> {
    let (passed, text) = common::make(folder, &["-s", target]);
    if passed { Ok(()) } else { Err(format!("make {target}:\n{text}")) }
}

/// The targets that run a testbench under Icarus: one for each top, and one more for each top with ports that can be tied.
fn testbenches(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_make = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "mk")
            || path.file_name().is_some_and(|name| name == "Makefile")
    };
    let text: String = files.filter(is_make).map(|path| fs::read_to_string(path).unwrap()).collect();
    let phony = text.lines().filter_map(|line| line.strip_prefix(".PHONY:"));
    let words = phony.flat_map(str::split_whitespace);
    words.filter(|word| *word == "icarus" || word.contains("-icarus")).map(String::from).collect()
}

/// What is wrong with the design in a folder; if it is to be thorough, also with Verilator and with the long trials.
fn check(folder: &Path, thorough: bool) -> Result<(), String> {
    make(folder, "lint")?;
    let all = testbenches(folder);
    assert!(all.contains("icarus"), "{all:?}");
    // With the ports tied there are no long trials of mistakes, which take Icarus half a minute.
    let shorter = |target: &String| !thorough && all.contains(&format!("{target}-tied"));
    let testbenches: Vec<&String> = all.iter().filter(|target| !shorter(target)).collect();
    testbenches.iter().try_for_each(|target| make(folder, target))?;
    if thorough { make(folder, "verilator") } else { Ok(()) }
}

/// Not eprintln!, which the test harness hides until the test ends.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Draws until frit has accepted `count` combinations, and checks those.
fn random_designs(count: usize, seed: u64, small: bool) {
    if !have(&["verilator", "make", "g++", "iverilog", "vvp"]) {
        return;
    }
    let seed = std::env::var("FRIT_RANDOM_SEED")
        .map_or(seed, |text| text.parse().expect("FRIT_RANDOM_SEED is a number"));
    say(&format!("seed {seed}"));
    let (space, mut random) = (Space::read(), Random(SplitMix64(seed)));
    let scratch = root().join("target/tmp");
    let mut failures: Vec<String> = Vec::new();
    let (mut designs, mut refused) = (Vec::new(), 0);
    while designs.len() < count {
        assert!(
            refused < 20 * count.max(10),
            "seed {seed}: frit refused {refused} combinations and accepted {}",
            designs.len()
        );
        let line = space.draw(&mut random, small);
        let folder = tempfile::tempdir_in(&scratch).unwrap();
        let place = folder.path().join("design");
        let output = frit(&format!("generate {line} -o")).arg(&place).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => designs.push(Design { line, folder }),
            Some(2) if !text.is_empty() && !text.contains("panicked") => refused += 1,
            code => {
                failures.push(format!("frit generate {line}\nexit code {code:?}\n{text}"));
                assert!(failures.len() < 20, "seed {seed}\n{}", failures.join("\n"));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some((at, design)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, designs.get(at)?)))
        {
            if let Err(text) = check(&design.folder.path().join("design"), at % THOROUGH == 0) {
                let text = format!("seed {seed}, design {at}: frit generate {} -o DIR\n{text}", design.line);
                say(&text);
                found.push(text);
            }
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        failures.extend(workers.into_iter().flat_map(|worker| worker.join().unwrap()));
    });
    say(&format!(
        "seed {seed}: {count} designs checked, {refused} combinations refused, {} failures",
        failures.len()
    ));
    assert!(failures.is_empty(), "seed {seed}: {} failures\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn twelve_random_designs_lint_and_pass() {
    random_designs(12, SEED, true);
}

#[test]
#[ignore = "a quarter of an hour"]
fn one_hundred_and_fifty_random_designs_lint_and_pass() {
    random_designs(150, SEED + 1, false);
}

/// Words of a width that fills no byte, with what is carried beside them: once `tuser` was not driven.
#[test]
fn what_is_beside_padded_words_is_driven() {
    if !have(&["verilator", "make", "iverilog", "vvp"]) {
        return;
    }
    let designs = [
        "rls -n 4 -w 7 --axis --port-style axis --tuser 1",
        "gsen -n 4 -w 33 --axis --port-style axis --tuser 7",
        "rls -n 4 -w 7 --axis --port-style axis --tkeep",
    ];
    for line in common::some(&designs, 2) {
        let folder = tempfile::tempdir_in(root().join("target/tmp")).unwrap();
        run(&format!("generate {line} -o {}", folder.path().display()), 0);
        check(folder.path(), false).unwrap_or_else(|text| panic!("frit generate {line}\n{text}"));
    }
}

/// Where one loop for all outputs of a cell would follow itself the compact form has several.
#[test]
fn compact_switches_are_not_circular() {
    if !have(&["verilator", "make", "iverilog", "vvp"]) {
        return;
    }
    let options = ["", " --set release=yes", " --set switch=weak", " --set switch=weak --set release=yes"];
    for options in common::every(&options, 3) {
        let line = format!("dilated -n 4 --set bundle=4 --set per-input=2 --fabric-style compact{options}");
        let folder = tempfile::tempdir_in(root().join("target/tmp")).unwrap();
        run(&format!("generate {line} -o {}", folder.path().display()), 0);
        check(folder.path(), false).unwrap_or_else(|text| panic!("frit generate {line}\n{text}"));
    }
}

#[test]
fn the_check_sees_a_file_that_was_broken() {
    if !have(&["verilator", "make", "iverilog", "vvp"]) {
        return;
    }
    let folder = tempfile::tempdir_in(root().join("target/tmp")).unwrap();
    let line = "rls -n 4 -w 7 --axis --port-style axis --tuser 1";
    run(&format!("generate {line} -o {}", folder.path().display()), 0);
    let file = folder.path().join("rls_n4_w8.v");
    let whole = fs::read_to_string(&file).unwrap();
    let without = |word: &str| {
        let lines: Vec<&str> = whole.lines().filter(|line| !line.contains(word)).collect();
        assert_eq!(lines.len() + 1, whole.lines().count(), "{whole}");
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        check(folder.path(), false).expect_err("a line is missing")
    };
    // A port without a driver.
    let text = without("assign m00_axis_tuser");
    assert!(text.contains("UNDRIVEN") && text.contains("m00_axis_tuser"), "{text}");
    // What no linter sees: the data of two ports exchanged.
    let swapped = whole
        .replace("assign m00_axis_tuser", "assign m99")
        .replace("assign m01_axis_tuser", "assign m00_axis_tuser");
    fs::write(&file, swapped.replace("assign m99", "assign m01_axis_tuser")).unwrap();
    let text = check(folder.path(), false).expect_err("tuser comes out of the wrong port");
    assert!(text.contains("-icarus") && text.contains("FAIL"), "{text}");
    fs::write(&file, whole).unwrap();
    check(folder.path(), false).unwrap();
}

/// Words of more than 8,192 bits: Verilator once refused the testbench.
#[test]
#[ignore = "long: make test-all"]
fn a_large_compact_design_lints() {
    if !have(&["verilator", "make", "iverilog"]) {
        return;
    }
    for line in ["rls -n 512 -w 8", "obf -n 1024 -w 32", "gsen -n 1024 -w 8"] {
        let folder = tempfile::tempdir_in(root().join("target/tmp")).unwrap();
        run(&format!("generate {line} --fabric-style compact -o {}", folder.path().display()), 0);
        make(folder.path(), "lint").unwrap_or_else(|text| panic!("frit generate {line}\n{text}"));
    }
}

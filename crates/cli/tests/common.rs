//! Helpers of the tests on the binary.
#![allow(dead_code)] // each test file uses some of them

#[path = "../src/examples/book.rs"]
pub mod book;
pub mod browser;
pub mod film;
pub mod modules;
pub mod rows;
pub mod sweeps;

use assert_cmd::Command;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// `frit`, run in the repository.
pub fn frit(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("frit").unwrap();
    command.current_dir(root()).args(arguments.split_whitespace());
    // A run that disagrees keeps its files: not where everybody's are.
    command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// PATH with the tools of `scripts/setup` first.
pub fn tools_first() -> String {
    format!("{}:{}", root().join(".tools/bin").display(), std::env::var("PATH").unwrap())
}

/// Whether this is `make test-all`.
pub fn all() -> bool {
    std::env::var_os("FRIT_ALL_TESTS").is_some()
}

/// The first `few` of these in `make test`, all of them in `make test-all`.
pub fn some<T>(list: &[T], few: usize) -> &[T] {
    if all() { list } else { &list[..few] }
}

/// Every `step`th of these in `make test`, all of them in `make test-all`.
pub fn every<T>(list: &[T], step: usize) -> impl Iterator<Item = &T> {
    list.iter().step_by(if all() { 1 } else { step })
}

/// What `frit` prints, its exit code being `code`.
pub fn run(arguments: &str, code: i32) -> (String, String) {
    let output = frit(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "frit {arguments}\n{stdout}{stderr}");
    (stdout, stderr)
}

/// The same as JSON.
pub fn json(arguments: &str, code: i32) -> serde_json::Value {
    serde_json::from_str(&run(&format!("{arguments} --format json"), code).0).unwrap()
}

/// The error of a command that is refused: exit code 2, nothing on stdout, no panic.
pub fn refused(arguments: &str) -> String {
    let (stdout, stderr) = run(arguments, 2);
    assert!(stdout.is_empty() && !stderr.contains("panicked"), "frit {arguments}: {stdout}{stderr}");
    stderr
}

/// Every member of a report is in docs/formats.md.
pub fn documented(value: &serde_json::Value) {
    let text = std::fs::read_to_string(root().join("docs/formats.md")).unwrap();
    for member in value.as_object().unwrap().keys() {
        assert!(text.contains(&format!("`{member}`")), "{member} is not in docs/formats.md");
    }
}

/// The text of a module of a design in one file.
pub fn module(folder: &Path, design: &str, name: &str) -> String {
    let text = std::fs::read_to_string(folder.join(format!("{design}.v"))).unwrap();
    let start = text.find(&format!("\nmodule {name} ")).unwrap_or_else(|| panic!("no module {name}"));
    text[start..].split_inclusive("endmodule\n").next().unwrap().into()
}

/// `make` in a folder, with the tools of `scripts/setup` first: whether it succeeded, and what it said.
pub fn make(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut make = std::process::Command::new("make");
    let output = make.args(arguments).current_dir(folder).env("PATH", tools_first()).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// Whether the tools are there. Without them a test says that it did not run; where everything was installed (the
/// environment says so) that is a failure.
pub fn have(programs: &[&str]) -> bool {
    let tools = json("doctor", 0);
    let found = |program: &&&str| {
        tools.as_array().unwrap().iter().any(|t| t["program"] == **program && t["found"] == true)
    };
    let missing: Vec<_> = programs.iter().filter(|p| !found(p)).map(|program| program.to_string()).collect();
    none_missing(&missing)
}

/// Whether Bender is there, which only `scripts/setup --bender` installs: FRIT_REQUIRE_BENDER requires it, FRIT_REQUIRE_TOOLS does not.
pub fn have_bender() -> bool {
    let tools = json("doctor", 0);
    let found =
        tools.as_array().unwrap().iter().any(|tool| tool["program"] == "bender" && tool["found"] == true);
    assert!(
        found || std::env::var_os("FRIT_REQUIRE_BENDER").is_none(),
        "missing: bender (scripts/setup --bender)"
    );
    if !found {
        let _ =
            writeln!(std::io::stderr(), "NOT RUN: bender is missing (scripts/setup --bender installs it)");
    }
    found
}

/// Whether GHDL and the schema of IP-XACT are there, which only `scripts/setup --ip` installs: FRIT_REQUIRE_IP requires them.
pub fn have_ip() -> bool {
    let found = root().join(".tools/ip/.installed").is_file();
    assert!(found || std::env::var_os("FRIT_REQUIRE_IP").is_none(), "missing: GHDL (scripts/setup --ip)");
    if !found {
        let _ = writeln!(std::io::stderr(), "NOT RUN: GHDL is missing (scripts/setup --ip installs it)");
    }
    found
}

/// Whether LiteX is there, which only `scripts/setup --litex` installs: FRIT_REQUIRE_LITEX requires it.
pub fn have_litex() -> bool {
    let found = root().join(".tools/litex/.installed").is_file();
    assert!(
        found || std::env::var_os("FRIT_REQUIRE_LITEX").is_none(),
        "missing: LiteX (scripts/setup --litex)"
    );
    if !found {
        let _ = writeln!(std::io::stderr(), "NOT RUN: LiteX is missing (scripts/setup --litex installs it)");
    }
    found
}

/// Whether a package of the Python in .tools is there, as [`have`] says it of programs.
pub fn have_python(package: &str) -> bool {
    let mut python = std::process::Command::new(root().join(".tools/venv/bin/python"));
    let import = python.args(["-c", &format!("import {package}")]).output();
    let found = import.is_ok_and(|output| output.status.success());
    none_missing(&if found { vec![] } else { vec![format!("the Python package {package}")] })
}

fn none_missing(missing: &[String]) -> bool {
    if missing.is_empty() {
        return true;
    }
    assert!(std::env::var_os("FRIT_REQUIRE_TOOLS").is_none(), "missing: {missing:?} (scripts/setup)");
    // Not eprintln!, which the test harness hides when the test passes.
    let _ = writeln!(std::io::stderr(), "NOT RUN: {missing:?} missing (scripts/setup installs them)");
    false
}

/// What a program in C prints that uses a header, a file with its name; it names the top TOP, and MACROS.
pub fn compiled(main: &str, (name, text): &(String, String), arguments: &[String]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let top = name.trim_end_matches(".h");
    let main = main.replace("TOP", top).replace("MACROS", &top.to_uppercase());
    std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::write(folder.path().join("main.c"), main).unwrap();
    let run = |program: &str, arguments: &[String]| {
        let out =
            std::process::Command::new(program).args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    let options = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-o", "main", "main.c"];
    run("cc", &options.map(String::from));
    run("./main", arguments)
}

//! What the tests of emitted testbenches share.

use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Whether every tool is there; says so when not.
pub fn tools() -> bool {
    let found = |tool: &str| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(tool).is_file()))
    };
    let missing: Vec<&str> =
        ["verilator", "iverilog", "vvp", "make"].into_iter().filter(|tool| !found(tool)).collect();
    if missing.is_empty() {
        return true;
    }
    let required = std::env::var_os("FRIT_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(!required, "FRIT_REQUIRE_TOOLS=1, but missing: {}", missing.join(", "));
    // Not eprintln!, which the test harness hides when the test passes.
    let _ = writeln!(std::io::stderr(), "NOT RUN: {} missing", missing.join(", "));
    false
}

/// The first few of what is to be tested; all of it where FRIT_ALL_TESTS is set (`make test-all`).
#[allow(dead_code)] // one of the two test files has all its designs in make test
pub fn some<T>(all: &[T], few: usize) -> &[T] {
    if std::env::var_os("FRIT_ALL_TESTS").is_some() { all } else { &all[..few] }
}

/// Runs `make` in a folder: whether it ended with status 0, and what it printed.
pub fn make(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new("make").current_dir(folder).args(arguments).output().unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text)
}

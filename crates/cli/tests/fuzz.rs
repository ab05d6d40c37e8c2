//! The files that only the command reads, changed at random: it ends with 0 or 2 and says why (crates/fuzz has the others).

use frit_fuzz::{COMMANDS, Scratch, short};

const SEED: u64 = 1;
/// Changed inputs of each target; each is a run of the command, or two.
const CHANGES: u32 = 60;

#[test]
fn design_files_and_sweeps_are_taken_or_refused() {
    let scratch = || Scratch::new().with_command(env!("CARGO_BIN_EXE_frit"));
    let run = |target| short::run(target, &scratch(), SEED, CHANGES, &std::env::temp_dir());
    let faults: Vec<String> = COMMANDS.iter().flat_map(run).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

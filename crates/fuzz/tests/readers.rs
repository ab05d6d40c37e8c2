//! Every reader on what the corpus holds, and on changes of it: the short run of what `make fuzz` does for hours.

use frit_fuzz::{COMMANDS, Scratch, TARGETS, corpus, short};
use std::collections::BTreeSet;

const SEED: u64 = 1;
/// Changed inputs of each target.
const CHANGES: u32 = 300;

/// One test, since the memory that is counted is that of the process.
#[test]
fn every_reader_takes_or_refuses_what_it_is_given() {
    let run = |target| short::run(target, &Scratch::new(), SEED, CHANGES, &std::env::temp_dir());
    let faults: Vec<String> = TARGETS.iter().flat_map(run).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_target_has_its_folder_and_every_folder_its_target() {
    let folders = std::fs::read_dir(corpus::folder()).unwrap().map(Result::unwrap);
    let folders = folders.filter(|entry| entry.file_type().unwrap().is_dir());
    let folders: BTreeSet<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    let names = TARGETS.iter().chain(COMMANDS).map(|target| target.name.to_string());
    assert_eq!(folders, names.collect());
}

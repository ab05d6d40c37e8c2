//! The inputs that are kept in the repository: examples to start from, and findings that must not come back.

use crate::Target;
use std::path::{Path, PathBuf};

/// The folder with a folder for each target.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The inputs of a target, by name.
///
/// # Panics
///
/// If its folder cannot be read.
pub fn inputs(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = folder().join(target.name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.expect("an entry of the corpus"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .map(|(name, path)| (name, std::fs::read(path).expect("a file of the corpus")))
        .collect();
    inputs.sort();
    inputs
}

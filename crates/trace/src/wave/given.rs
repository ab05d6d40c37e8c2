//! Where the bytes of a file are: in a file of the system, or in memory, where a program without files has them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

thread_local! {
    /// The files in memory, by their names, while [`with_files`] runs on this thread.
    static GIVEN: RefCell<BTreeMap<PathBuf, Arc<[u8]>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Runs `call`, for which a file with one of these names is what stands beside the name, whatever the system has.
pub fn with_files<T>(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>, call: impl FnOnce() -> T) -> T {
    let files = files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
    let before = GIVEN.replace(files);
    let result = call();
    GIVEN.replace(before);
    result
}

/// The bytes of a file that is in memory.
pub(super) fn in_memory(path: &Path) -> Option<Arc<[u8]>> {
    GIVEN.with_borrow(|given| given.get(path).cloned())
}

/// A file that is read.
pub enum Source {
    /// Of the system.
    File(File),
    /// In memory.
    Memory(Cursor<Arc<[u8]>>),
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Source::File(file) => file.read(into),
            Source::Memory(bytes) => bytes.read(into),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        match self {
            Source::File(file) => file.seek(to),
            Source::Memory(bytes) => bytes.seek(to),
        }
    }
}

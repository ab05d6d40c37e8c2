//! Where the bytes of a file are: in a file of the system, or in memory, where a program without files has them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::output::MARK;

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

/// A file that is read, from behind its byte order mark if it has one.
pub struct Source {
    bytes: Bytes,
    start: u64,
}

enum Bytes {
    File(File),
    Memory(Cursor<Arc<[u8]>>),
}

impl Source {
    pub(super) fn file(file: File) -> std::io::Result<Self> {
        Self::new(Bytes::File(file))
    }

    pub(super) fn memory(bytes: Arc<[u8]>) -> std::io::Result<Self> {
        Self::new(Bytes::Memory(Cursor::new(bytes)))
    }

    fn new(bytes: Bytes) -> std::io::Result<Self> {
        let mut source = Source { bytes, start: 0 };
        let mut first = Vec::new();
        source.by_ref().take(MARK.len() as u64).read_to_end(&mut first)?;
        source.start = if first == MARK { first.len() as u64 } else { 0 };
        source.rewind()?;
        Ok(source)
    }

    /// Whether it has a byte order mark.
    pub(super) fn is_marked(&self) -> bool {
        self.start > 0
    }
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match &mut self.bytes {
            Bytes::File(file) => file.read(into),
            Bytes::Memory(bytes) => bytes.read(into),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let to = match to {
            SeekFrom::Start(place) => SeekFrom::Start(place.saturating_add(self.start)),
            relative => relative,
        };
        let place = match &mut self.bytes {
            Bytes::File(file) => file.seek(to),
            Bytes::Memory(bytes) => bytes.seek(to),
        };
        place?.checked_sub(self.start).ok_or_else(|| std::io::ErrorKind::InvalidInput.into())
    }
}

//! The folder in which inputs lie that are read as files.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary folder, and the command `frit` for those targets that run it.
pub struct Scratch {
    folder: TempDir,
    command: Option<PathBuf>,
}

impl Scratch {
    /// An empty one.
    ///
    /// # Panics
    ///
    /// If none can be made.
    pub fn new() -> Self {
        Scratch { folder: tempfile::tempdir().expect("a temporary folder"), command: None }
    }

    pub fn with_command(self, command: impl Into<PathBuf>) -> Self {
        Scratch { command: Some(command.into()), ..self }
    }

    pub(crate) fn command(&self) -> Option<&Path> {
        self.command.as_deref()
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).expect("a file in the temporary folder");
        path
    }

    /// A file that does not exist.
    pub(crate) fn nothing(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        let _ = std::fs::remove_file(&path);
        path
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch::new()
    }
}

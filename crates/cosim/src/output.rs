//! Files are written beside their target and renamed, so that a target is either whole or untouched.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a file or folder could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Writing failed.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The target.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Reading failed.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder could not be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// A file that appears under its name only when it is finished.
pub struct OutputFile {
    path: PathBuf,
    writer: BufWriter<NamedTempFile>,
}

impl OutputFile {
    /// Starts a file; its folder must exist.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let error = |source| FileError::Write { path: path.into(), source };
        let mut builder = tempfile::Builder::new();
        // Readable by everyone the umask allows, like a file made without a detour.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.prefix(".frit-").tempfile_in(folder).map_err(error)?;
        Ok(OutputFile { path: path.into(), writer: BufWriter::new(file) })
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), FileError> {
        let OutputFile { path, writer } = self;
        let error = |source| FileError::Write { path: path.clone(), source };
        let file = writer.into_inner().map_err(|e| error(e.into_error()))?;
        file.persist(&path).map_err(|e| error(e.error))?;
        Ok(())
    }

    /// The error of a failed write to this file.
    pub fn error(path: &Path, source: std::io::Error) -> FileError {
        FileError::Write { path: path.into(), source }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.writer.write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

/// Writes a whole file.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), FileError> {
    let mut file = OutputFile::create(path)?;
    file.write_all(contents.as_ref()).map_err(|source| OutputFile::error(path, source))?;
    file.finish()
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    std::fs::create_dir_all(path).map_err(|source| FileError::Folder { path: path.into(), source })
}

/// Opens a file for reading.
pub fn open(path: &Path) -> Result<File, FileError> {
    File::open(path).map_err(|source| FileError::Read { path: path.into(), source })
}

/// Reads a whole file.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    std::fs::read(path).map_err(|source| FileError::Read { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_the_target_untouched() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.csv");
        write_file(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_target() {
        let error = write_file(Path::new("/nonexistent/x.csv"), "").unwrap_err().to_string();
        assert!(error.starts_with("cannot write /nonexistent/x.csv: "), "{error}");
        let error = read(Path::new("/nonexistent/x.csv")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read /nonexistent/x.csv: "), "{error}");
    }
}

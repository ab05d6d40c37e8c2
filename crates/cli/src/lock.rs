//! One run at a time works on a file that is rewritten as it goes on.

use anyhow::{Result, bail};
use frit_trace::output::{OutputFile, read_text};
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that no other run writes until this is dropped. The lock is on a file beside it, since the file
/// itself is replaced by a rename; a run that is killed leaves that file behind, without a lock on it.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks the file, which need not be there yet. None for what is no file, as `/dev/null`.
    ///
    /// # Errors
    ///
    /// If another run has it, or nothing can be written in its folder.
    pub fn take(results: &Path) -> Result<Option<Self>> {
        let target = results.canonicalize().unwrap_or_else(|_| results.into());
        if target.metadata().is_ok_and(|found| !found.is_file()) {
            return Ok(None);
        }
        let mut name = target.clone().into_os_string();
        name.push(".lock");
        let path = PathBuf::from(name);
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(|cause| OutputFile::error(results, cause))?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                bail!(
                    "{}: another run{} is using this file; wait until that run ends, or name another file",
                    results.display(),
                    owner(&path)
                );
            }
            // Elsewhere, as on a file system without locks, there is none.
            if is_at(&file, &path) {
                let _ = file.set_len(0).and_then(|()| writeln!(&file, "{}", std::process::id()));
                return Ok(Some(Lock { path, _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before the lock is gone: the next run would lose its own.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Whose lock it is, as far as it says so.
fn owner(path: &Path) -> String {
    let text = read_text(path).unwrap_or_default();
    text.trim().parse::<u32>().map_or(String::new(), |process| format!(" (process {process})"))
}

/// Whether the open file still has its name: the run that had the lock has removed it at its end.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let there = path.metadata().and_then(|there| Ok((there, file.metadata()?)));
    there.is_ok_and(|(there, own)| (there.dev(), there.ino()) == (own.dev(), own.ino()))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.csv");
        let first = Lock::take(&path).unwrap();
        let error = Lock::take(&path).unwrap_err().to_string();
        let own = format!("s.csv: another run (process {}) is using this file", std::process::id());
        assert!(error.contains(&own), "{error}");
        assert!(Lock::take(&folder.path().join("t.csv")).is_ok());
        drop(first);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a lock leaves nothing behind");
        // What a run that was killed leaves is in nobody's way.
        std::fs::write(folder.path().join("s.csv.lock"), "1\n").unwrap();
        assert!(Lock::take(&path).unwrap().is_some());
        assert!(Lock::take(Path::new("/dev/null")).unwrap().is_none());
    }

    /// A lock on a file that has lost its name keeps nobody out.
    #[cfg(unix)]
    #[test]
    fn a_removed_file_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.csv.lock");
        let file = File::create(&path).unwrap();
        assert!(is_at(&file, &path));
        std::fs::remove_file(&path).unwrap();
        assert!(!is_at(&file, &path));
        File::create(&path).unwrap();
        assert!(!is_at(&file, &path));
    }
}

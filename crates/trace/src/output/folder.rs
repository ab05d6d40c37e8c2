//! Folders of results: one run at a time writes into one, and none replaces what others have written there.

use super::links::{Guarded, refuse_below_open, refuse_links};
use super::{Locked, cannot, foreign_files, write_file};
use crate::interrupt::{Unfinished, while_making};
use frit_network::{Refusal, refusal};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// What frit has written into a folder, as `sha256sum -c` reads it: a line for each file, its digest in hexadecimal, two
/// spaces, its name.
pub const SUMS_FILE: &str = "SHA256SUMS";

/// A folder that nobody else writes into until this is dropped; below it nothing is written through a symbolic link.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    /// The folder itself is locked, so no file of a lock stays behind. None where the system has no such locks.
    _lock: Option<File>,
    _guarded: Guarded,
}

impl OutputFolder {
    /// Makes the folder and those above it, and locks it.
    ///
    /// # Errors
    /// If it cannot be made, or another run has it.
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        refuse_below_open(path)?;
        std::fs::create_dir_all(path).map_err(|cause| cannot("make the folder", path, cause))?;
        let lock = File::open(path).ok();
        match lock.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => Err(refusal!(
                "{}: another frit is writing into this folder; wait until it ends, or give another folder",
                path.display()
            )
            .with(Locked)),
            _ => Ok(OutputFolder { path: path.into(), _lock: lock, _guarded: Guarded::new(path) }),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes files, and their digests into [`SUMS_FILE`]. Unless by `force`, no file is replaced that frit has not written
    /// or that was changed since, and then none is written.
    ///
    /// # Errors
    /// If a link or a file of others is in the way, or the system refuses one.
    pub fn write(&self, files: &[(String, String)], force: bool) -> Result<(), Refusal> {
        self.refuse(files, force)?;
        let mut sums = self.sums();
        for (name, text) in files {
            write_file(&self.path.join(name), text)?;
            sums.insert(name.clone(), digest(text.as_bytes()));
        }
        write_file(&self.path.join(SUMS_FILE), lines(&sums))
    }

    /// The files that frit has written here before, but these.
    pub fn others(&self, files: &[(String, String)]) -> Vec<String> {
        let mut sums = self.sums();
        files.iter().for_each(|(name, _)| drop(sums.remove(name)));
        sums.into_keys().collect()
    }

    /// Refuses what [`OutputFolder::write`] would refuse, and writes nothing.
    ///
    /// # Errors
    /// If a link or a file of others is in the way.
    pub fn refuse(&self, files: &[(String, String)], force: bool) -> Result<(), Refusal> {
        let names = files.iter().map(|(name, _)| name.as_str()).chain([SUMS_FILE]);
        names.map(Path::new).try_for_each(|name| refuse_links(&self.path, name))?;
        let sums = self.sums();
        let foreign = |(name, text): &&(String, String)| match std::fs::read(self.path.join(name)) {
            Ok(there) => there != text.as_bytes() && sums.get(name) != Some(&digest(&there)),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        };
        let names: Vec<String> = files.iter().filter(foreign).map(|(name, _)| name.clone()).collect();
        match force || names.is_empty() {
            true => Ok(()),
            false => Err(foreign_files(&self.path, &names)),
        }
    }

    /// What an earlier run has written and is still there. A line that is none of ours says nothing.
    fn sums(&self) -> BTreeMap<String, String> {
        let text = std::fs::read_to_string(self.path.join(SUMS_FILE)).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once("  "));
        let ours = lines.filter(|(digest, name)| {
            digest.len() == 64
                && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
                && Path::new(name).file_name().is_some_and(|last| last == *name)
                && self.path.join(name).is_file()
        });
        ours.map(|(digest, name)| (name.into(), digest.into())).collect()
    }
}

/// The text of [`SUMS_FILE`] in a folder that holds these files, given as names and texts, and no others.
pub fn sums<'a>(files: impl IntoIterator<Item = &'a (String, String)>) -> String {
    lines(&files.into_iter().map(|(name, text)| (name.clone(), digest(text.as_bytes()))).collect())
}

fn lines(sums: &BTreeMap<String, String>) -> String {
    sums.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect()
}

/// SHA-256, in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A folder that is removed with all that is in it when this is dropped, and by a signal that ends the program.
#[derive(Debug)]
pub struct TemporaryFolder {
    // Fields are dropped in order: the folder goes before it is forgotten.
    folder: tempfile::TempDir,
    _unfinished: Unfinished,
}

impl TemporaryFolder {
    /// Makes a folder with a name that begins so, where the system keeps what is temporary.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(prefix: &str) -> Result<Self, Refusal> {
        Self::inside(&std::env::temp_dir(), prefix)
    }

    /// Makes one with a name in which neither a shell nor make finds anything to interpret, as [`is_plain`] says: where the system
    /// keeps what is temporary, or in `/tmp`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn plain(prefix: &str) -> Result<Self, Refusal> {
        match std::env::temp_dir() {
            parent if is_plain(&parent) => Self::inside(&parent, prefix),
            _ => Self::inside(Path::new("/tmp"), prefix),
        }
    }

    /// Makes one in another folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn inside(parent: &Path, prefix: &str) -> Result<Self, Refusal> {
        let make = || tempfile::Builder::new().prefix(prefix).tempdir_in(parent);
        let made = while_making(make, |folder| folder.path().into());
        made.map(|(folder, _unfinished)| TemporaryFolder { folder, _unfinished })
            .map_err(|cause| cannot("make the folder", parent, cause))
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Lets it stay.
    pub fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    /// Lets it stay if an error names it or a file in it.
    pub fn keep_if_named(self, error: &str) {
        if error.contains(&*self.path().to_string_lossy()) {
            let _ = self.keep();
        }
    }
}

/// Whether neither a shell nor make finds anything in a name to interpret.
pub fn is_plain(path: &Path) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+,".contains(byte);
    path.as_os_str().as_encoded_bytes().iter().all(plain)
}

/// Where a run works.
#[derive(Debug)]
pub enum Workplace {
    /// In the folder that was named; what it writes stays.
    Named(OutputFolder),
    /// In one that goes with this.
    Temporary(TemporaryFolder),
}

impl Workplace {
    /// The folder that was named, or a temporary one with a name that begins with `prefix`.
    ///
    /// # Errors
    /// If it cannot be made, or another run has it.
    pub fn new(named: Option<&Path>, prefix: &str) -> Result<Self, Refusal> {
        match named {
            Some(path) => OutputFolder::open(path).map(Workplace::Named),
            None => TemporaryFolder::new(prefix).map(Workplace::Temporary),
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Workplace::Named(folder) => folder.path(),
            Workplace::Temporary(folder) => folder.path(),
        }
    }

    /// Whether its files stay anyway.
    pub fn is_named(&self) -> bool {
        matches!(self, Workplace::Named(_))
    }

    /// Lets its files stay if an error names one of them.
    pub fn keep_if_named(self, error: &str) {
        if let Workplace::Temporary(folder) = self {
            folder.keep_if_named(error);
        }
    }

    /// Lets its files stay, as where a report names them.
    pub fn keep(self) {
        if let Workplace::Temporary(folder) = self {
            let _ = folder.keep();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(text: &str) -> Vec<(String, String)> {
        vec![("a.v".into(), text.into()), ("b.v".into(), "b".into())]
    }

    #[test]
    fn a_temporary_folder_stays_only_where_an_error_names_it() {
        let place = tempfile::tempdir().unwrap();
        for named in [true, false] {
            let folder = TemporaryFolder::inside(place.path(), "x-").unwrap();
            let path = folder.path().to_path_buf();
            let error = match named {
                true => format!("its output is in {}", path.join("run.log").display()),
                false => "-n 4096 is too large".into(),
            };
            folder.keep_if_named(&error);
            assert_eq!(path.is_dir(), named);
        }
    }

    #[test]
    fn one_run_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("deep/core");
        let first = OutputFolder::open(&path).unwrap();
        let second = OutputFolder::open(&path).unwrap_err().to_string();
        assert!(second.contains("another frit is writing into this folder"), "{second}");
        drop(first);
        OutputFolder::open(&path).unwrap();
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0, "a lock leaves nothing behind");
    }

    #[test]
    fn what_others_wrote_or_changed_is_not_replaced() {
        let place = tempfile::tempdir().unwrap();
        let folder = OutputFolder::open(place.path()).unwrap();
        let read = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
        folder.write(&files("one"), false).unwrap();
        folder.write(&files("two"), false).unwrap();
        std::fs::write(place.path().join("a.v"), "edited").unwrap();
        let refused = folder.write(&files("three"), false).unwrap_err().to_string();
        assert!(refused.contains(": a.v; --force replaces them"), "{refused}");
        assert_eq!((read("a.v"), read("b.v")), ("edited".into(), "b".into()));
        // The same text is no change, whoever wrote it.
        folder.write(&files("edited"), false).unwrap();
        folder.write(&files("three"), false).unwrap();
        std::fs::write(place.path().join("a.v"), "edited").unwrap();
        folder.write(&files("four"), true).unwrap();
        assert_eq!(read("a.v"), "four");
    }

    #[test]
    fn the_sums_are_those_of_sha256sum_and_keep_other_files_of_ours() {
        let place = tempfile::tempdir().unwrap();
        let folder = OutputFolder::open(place.path()).unwrap();
        folder.write(&[("empty.v".into(), String::new())], false).unwrap();
        let line = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty.v\n";
        let sums = || std::fs::read_to_string(place.path().join(SUMS_FILE)).unwrap();
        assert_eq!(sums(), line);
        folder.write(&[("x.v".into(), "x".into())], false).unwrap();
        assert!(sums().starts_with(line) && sums().ends_with("  x.v\n"), "{}", sums());
        // A name that leads elsewhere is not taken over.
        std::fs::write(place.path().join(SUMS_FILE), line.replace("empty.v", "../empty.v")).unwrap();
        folder.write(&[("x.v".into(), "x".into())], false).unwrap();
        assert!(!sums().contains(".."), "{}", sums());
    }

    #[cfg(unix)]
    #[test]
    fn nothing_below_an_open_folder_is_written_through_a_link() {
        use crate::output::{OutputFile, make_folder, remove_file};
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        std::fs::create_dir(at("elsewhere")).unwrap();
        std::fs::write(at("precious"), "precious").unwrap();
        std::fs::create_dir(at("real")).unwrap();
        // The folder itself may be a link.
        symlink(at("real"), at("out")).unwrap();
        let out = at("out");
        let folder = OutputFolder::open(&out).unwrap();
        symlink(at("precious"), out.join("a.v")).unwrap();
        symlink(at("elsewhere"), out.join("sub")).unwrap();
        let says = |link: &str| {
            format!(
                "{} is a symbolic link; frit writes through no link below {}, the folder it was given: remove the link, or give another folder",
                out.join(link).display(),
                out.display()
            )
        };
        let files = [("b.v".to_string(), "b".to_string()), ("a.v".to_string(), "a".to_string())];
        for force in [false, true] {
            assert_eq!(folder.write(&files, force).unwrap_err().to_string(), says("a.v"));
            assert_eq!(folder.refuse(&files, force).unwrap_err().to_string(), says("a.v"));
        }
        assert!(!out.join("b.v").exists());
        assert_eq!(write_file(&out.join("a.v"), "a").unwrap_err().to_string(), says("a.v"));
        assert_eq!(OutputFile::create(&out.join("sub/x")).err().unwrap().to_string(), says("sub"));
        assert_eq!(remove_file(&out.join("sub/x")).unwrap_err().to_string(), says("sub"));
        assert_eq!(make_folder(&out.join("sub/deep")).unwrap_err().to_string(), says("sub"));
        assert_eq!(OutputFolder::open(&out.join("sub")).unwrap_err().to_string(), says("sub"));
        // Tools write into folders that are made for them.
        std::fs::create_dir(out.join("engine")).unwrap();
        symlink(at("precious"), out.join("engine/settings.csv")).unwrap();
        assert_eq!(make_folder(&out.join("engine")).unwrap_err().to_string(), says("engine/settings.csv"));
        // What the user leads out of the folder is not below it.
        OutputFolder::open(&out.join("../out/../elsewhere")).unwrap();
        assert_eq!(std::fs::read_to_string(at("precious")).unwrap(), "precious");
        assert_eq!(std::fs::read_dir(at("elsewhere")).unwrap().count(), 0);
        std::fs::remove_file(out.join("a.v")).unwrap();
        symlink(at("precious"), out.join(SUMS_FILE)).unwrap();
        assert_eq!(folder.write(&files, true).unwrap_err().to_string(), says(SUMS_FILE));
        drop(folder);
        // A file that the user names may be a link.
        write_file(&out.join("sub/x"), "x").unwrap();
        assert!(Path::new(&at("elsewhere")).join("x").is_file());
    }
}

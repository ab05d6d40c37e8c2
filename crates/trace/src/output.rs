//! Files are written beside their target and renamed, so that a target is either whole or untouched. What is no regular
//! file (`/dev/null`, a named pipe) is written directly: a rename would put a file in its place.

mod folder;
mod links;

pub use folder::is_plain;
pub use folder::{OutputFolder, SUMS_FILE, TemporaryFolder, Workplace, sums};
pub use links::{Guarded, refuse_links};

use crate::interrupt::{Unfinished, while_making};
use frit_network::{Refusal, refusal, refuse};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tempfile::TempPath;

/// Another frit is writing into the folder: attached to the refusal.
pub struct Locked;

pub(crate) fn cannot(act: &str, path: &Path, cause: std::io::Error) -> Refusal {
    refusal!("cannot {act} {}: {cause}", path.display()).because(cause)
}

fn foreign_files(folder: &Path, names: &[String]) -> Refusal {
    const SHOWN: usize = 4;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    refusal!(
        "{} holds files that frit has not written, or that were changed since: {shown}{more}; --force replaces them, or give another folder",
        folder.display()
    )
}

/// What was stdout when the program began, if it has another place for what libraries print there.
static STANDARD_OUTPUT: OnceLock<File> = OnceLock::new();

/// Whether it has been opened as a file.
static IS_A_FILE: AtomicBool = AtomicBool::new(false);

/// Whether standard output was given as the name of a file: then what else is printed would be among its contents.
pub fn standard_output_is_a_file() -> bool {
    IS_A_FILE.load(Relaxed)
}

/// Names this file as that to which `/dev/stdout` leads. The first call counts.
pub fn name_standard_output(file: File) {
    let _ = STANDARD_OUTPUT.set(file);
}

/// Standard output, if a path leads there (`-`, `/dev/stdout`, or the name behind `>`).
#[cfg(unix)]
fn standard_output(path: &Path, target: &Path) -> Option<File> {
    use std::os::unix::fs::MetadataExt;
    let own = STANDARD_OUTPUT.get()?;
    let named =
        || ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name));
    let same = || {
        let [there, own] = [target.metadata().ok()?, own.metadata().ok()?];
        Some((there.dev(), there.ino()) == (own.dev(), own.ino()))
    };
    let file = if named() || same() == Some(true) { own.try_clone().ok()? } else { return None };
    IS_A_FILE.store(true, Relaxed);
    Some(file)
}

/// The name that a file under construction gets when it is finished.
pub(crate) struct PendingName {
    /// Where the links of the given path end.
    target: PathBuf,
    /// None if the target itself is being written.
    temporary: Option<(TempPath, Unfinished)>,
}

impl PendingName {
    /// Opens a file to be written for `path`, whose folder must exist.
    pub(crate) fn open(path: &Path) -> std::io::Result<(File, Self)> {
        links::refuse_below_open(path).map_err(std::io::Error::other)?;
        let target = path.canonicalize().unwrap_or_else(|_| path.into());
        #[cfg(unix)]
        if let Some(file) = standard_output(path, &target) {
            return Ok((file, PendingName { target, temporary: None }));
        }
        if target.metadata().is_ok_and(|found| !found.is_file()) {
            // A folder gives the system's error here.
            let file = std::fs::OpenOptions::new().write(true).open(&target)?;
            return Ok((file, PendingName { target, temporary: None }));
        }
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        // Readable by everyone the umask allows, like a file made without a detour.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let make = || builder.prefix(".frit-").suffix(".part").tempfile_in(folder);
        let (made, unfinished) = while_making(make, |made| made.path().into())?;
        let (file, temporary) = made.into_parts();
        Ok((file, PendingName { target, temporary: Some((temporary, unfinished)) }))
    }

    /// Gives the file its name.
    pub(crate) fn give(self) -> std::io::Result<()> {
        self.temporary.map_or(Ok(()), |(temporary, _)| temporary.persist(&self.target).map_err(|e| e.error))
    }
}

/// A file that appears under its name only when it is finished.
pub struct OutputFile {
    path: PathBuf,
    // Closed before the temporary file is removed: fields are dropped in order.
    writer: BufWriter<File>,
    name: PendingName,
}

impl OutputFile {
    /// Starts a file; its folder must exist.
    pub fn create(path: &Path) -> Result<Self, Refusal> {
        links::refuse_below_open(path)?;
        let (file, name) = PendingName::open(path).map_err(|cause| cannot("write", path, cause))?;
        Ok(OutputFile { path: path.into(), writer: BufWriter::new(file), name })
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Refusal> {
        let OutputFile { path, mut writer, name } = self;
        let named = writer.flush().and_then(|()| name.give());
        named.map_err(|cause| cannot("write", &path, cause))
    }

    /// The error of a failed write to this file.
    pub fn error(path: &Path, source: std::io::Error) -> Refusal {
        cannot("write", path, source)
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
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Refusal> {
    let mut file = OutputFile::create(path)?;
    file.write_all(contents.as_ref()).map_err(|source| OutputFile::error(path, source))?;
    file.finish()
}

/// Writes several whole files, which appear under their names only when all of them are finished: an error leaves none.
pub fn write_files(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Result<(), Refusal> {
    let mut names = Vec::new();
    for (path, contents) in files {
        let mut file = OutputFile::create(&path)?;
        let written = file.write_all(&contents).and_then(|()| file.flush());
        written.map_err(|source| OutputFile::error(&path, source))?;
        // The file itself is closed: there may be more files than can be open.
        let OutputFile { name, .. } = file;
        names.push((path, name));
    }
    names.into_iter().try_for_each(|(path, name)| name.give().map_err(|cause| cannot("write", &path, cause)))
}

/// Writes a whole file unless it holds just this: then it keeps its time, and what was built from it need not be built again.
pub fn write_if_changed(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Refusal> {
    match std::fs::read(path) {
        Ok(there) if there == contents.as_ref() => Ok(()),
        _ => write_file(path, contents),
    }
}

/// Makes a folder and those above it. Below a folder of results neither it nor anything in it may be a link.
pub fn make_folder(path: &Path) -> Result<(), Refusal> {
    links::refuse_within_open(path)?;
    std::fs::create_dir_all(path).map_err(|cause| cannot("make the folder", path, cause))
}

/// Removes these files of a folder where they are there: results of an earlier run.
pub fn remove_files(folder: &Path, names: &[&str]) -> Result<(), Refusal> {
    names.iter().try_for_each(|name| remove_file(&folder.join(name)))
}

pub fn remove_file(path: &Path) -> Result<(), Refusal> {
    links::refuse_below_open(path)?;
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(cannot("write", path, source)),
        _ => Ok(()),
    }
}

pub fn open(path: &Path) -> Result<File, Refusal> {
    File::open(path).map_err(|cause| cannot("read", path, cause))
}

/// Bytes of a text that is read as a whole: a demand for 16384 terminals with a digit for each pair has as many.
pub const MAX_TEXT: u64 = 512 << 20;

/// Reads a whole file that a tool wrote.
pub fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    std::fs::read(path).map_err(|cause| cannot("read", path, cause))
}

/// Reads a whole file of others, of `limit` bytes at most: what it says it has is not believed, and it may never end.
pub fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|cause| cannot("read", path, cause))?;
    if bytes.len() as u64 > limit {
        refuse!("{} has more than {limit} bytes; give a shorter file", path.display());
    }
    Ok(bytes)
}

/// The byte order mark, with which spreadsheets and some editors begin a text.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text without its byte order mark, if it has one. Every text of others that is read goes through here, or through a
/// [`wave`](crate::wave), which leaves the mark out too.
pub fn unmarked(mut text: Vec<u8>) -> Vec<u8> {
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    text
}

/// The same of a text that is given as one.
pub fn unmarked_text(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads a text of others, of [`MAX_TEXT`] bytes at most, without its byte order mark. What is no UTF-8 is replaced: it has no meaning in any
/// of our files.
pub fn read_text(path: &Path) -> Result<String, Refusal> {
    let bytes = unmarked(read_up_to(path, MAX_TEXT)?);
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
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

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_pipe_a_pipe() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (file, link, pipe) = (dir.path().join("f"), dir.path().join("l"), dir.path().join("p"));
        write_file(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        write_file(&link, "new").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");

        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        write_file(&pipe, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_file_without_end_is_refused() {
        let error = read_up_to(Path::new("/dev/zero"), 1000).unwrap_err().to_string();
        assert_eq!(error, "/dev/zero has more than 1000 bytes; give a shorter file");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_file(&path, b"caf\xe9").unwrap();
        assert_eq!(read_up_to(&path, 4).unwrap().len(), 4);
        assert_eq!(read_text(&path).unwrap(), "caf\u{fffd}");
        write_file(&path, "\u{feff}a\u{feff}").unwrap();
        assert_eq!(read_text(&path).unwrap(), "a\u{feff}");
    }

    #[test]
    fn of_several_files_none_is_left_if_one_fails() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        write_file(&at("a"), "old").unwrap();
        let files = |last: &str| ["a", "b", last].map(|name| (at(name), name.as_bytes().to_vec()));
        let error = write_files(files("none/c")).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", at("none/c").display())), "{error}");
        assert_eq!(std::fs::read_to_string(at("a")).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        write_files(files("c")).unwrap();
        assert_eq!(["a", "b", "c"].map(|name| std::fs::read_to_string(at(name)).unwrap()), ["a", "b", "c"]);
    }

    #[test]
    fn a_folder_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let error = write_file(dir.path(), "").unwrap_err().to_string();
        assert!(error.contains("directory"), "{error}");
    }

    #[test]
    fn errors_name_the_target() {
        let error = write_file(Path::new("/nonexistent/x.csv"), "").unwrap_err().to_string();
        assert!(error.starts_with("cannot write /nonexistent/x.csv: "), "{error}");
        let error = read(Path::new("/nonexistent/x.csv")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read /nonexistent/x.csv: "), "{error}");
    }

    #[test]
    fn a_file_that_holds_just_this_keeps_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_file(&path, "one").unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
        let time = || std::fs::metadata(&path).unwrap().modified().unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        write_if_changed(&path, "one").unwrap();
        assert_eq!(time(), long_ago);
        write_if_changed(&path, "two").unwrap();
        assert_ne!(time(), long_ago);
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
    }
}

//! No file is written through a symbolic link below a folder of results: it would be written somewhere else. The folder itself may be
//! reached through links, since its user named it.

use frit_network::{Refusal, refusal};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folders of results that are open, as seen from the root and as they were given. One may be open more than once, by several names.
static OPEN: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

fn open() -> MutexGuard<'static, Vec<(PathBuf, PathBuf)>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder below which nothing is written through a link until this is dropped.
#[derive(Debug)]
pub struct Guarded(PathBuf);

impl Guarded {
    /// Begins to guard a folder, which need not be there yet.
    pub fn new(folder: &Path) -> Self {
        open().push((absolute(folder), folder.into()));
        Guarded(folder.into())
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let mut open = open();
        if let Some(at) = open.iter().position(|(_, given)| *given == self.0) {
            open.swap_remove(at);
        }
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.into())
}

/// Refuses `name` below `folder` if it is a symbolic link or is reached through one. A name that leads out of the folder by `..` is its
/// user's: what is there is not looked at.
///
/// # Errors
/// If there is a link.
pub fn refuse_links(folder: &Path, name: &Path) -> Result<(), Refusal> {
    let mut below: Vec<&std::ffi::OsStr> = Vec::new();
    for part in name.components() {
        match part {
            Component::Normal(part) => {
                below.push(part);
                let path = below.iter().fold(folder.to_path_buf(), |path, part| path.join(part));
                refuse(folder, &path)?;
            }
            Component::CurDir => {}
            _ if below.pop().is_none() => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}

fn refuse(folder: &Path, path: &Path) -> Result<(), Refusal> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => Err(refusal!(
            "{} is a symbolic link; frit writes through no link below {}, the folder it was given: remove the link, or give another folder",
            path.display(),
            folder.display()
        )),
        _ => Ok(()),
    }
}

/// Refuses a path that is reached through a link below one of the folders that are open.
pub(super) fn refuse_below_open(path: &Path) -> Result<(), Refusal> {
    below_open(path).iter().try_for_each(|(folder, name)| refuse_links(folder, name))
}

/// The same of a folder that tools write into: there must be no link in it, either.
pub(super) fn refuse_within_open(path: &Path) -> Result<(), Refusal> {
    for (folder, name) in below_open(path) {
        refuse_links(&folder, &name)?;
        let mut folders = if name.as_os_str().is_empty() { vec![] } else { vec![folder.join(&name)] };
        while let Some(within) = folders.pop() {
            for entry in std::fs::read_dir(within).into_iter().flatten().flatten() {
                refuse(&folder, &entry.path())?;
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(entry.path());
                }
            }
        }
    }
    Ok(())
}

/// The open folders that a path is below, as they were given, with the rest of the path.
fn below_open(path: &Path) -> Vec<(PathBuf, PathBuf)> {
    let path = absolute(path);
    let below = |(root, given): &(PathBuf, PathBuf)| {
        Some((given.clone(), path.strip_prefix(root).ok()?.to_path_buf()))
    };
    open().iter().filter_map(below).collect()
}

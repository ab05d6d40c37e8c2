//! Files to be written must be different ones: the second would replace the first.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Refuses two of these (what asks for it, its path) that are one file. What is there and no regular file, as `/dev/null`,
/// may be asked for twice.
pub fn distinct<'a>(files: impl IntoIterator<Item = (&'a str, Option<&'a Path>)>) -> Result<()> {
    let mut seen: Vec<(&str, PathBuf)> = Vec::new();
    for (what, path) in files.into_iter().filter_map(|(what, path)| Some((what, path?))) {
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            continue;
        }
        let place = place(path);
        if let Some((other, _)) = seen.iter().find(|(_, other)| *other == place) {
            bail!("{other} and {what} name the same file, {}; give each its own file", path.display());
        }
        seen.push((what, place));
    }
    Ok(())
}

/// The file's one name: the folder as the system knows it, or, while that is not there, as it is written.
fn place(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    match (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.components().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(a: &Path, b: &Path) -> bool {
        distinct([("--a", Some(a)), ("--none", None), ("--b", Some(b))]).is_err()
    }

    #[test]
    fn one_file_by_two_names_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(refused(&at("x"), &at("x")));
        assert!(refused(&at("x"), &at("./x")));
        assert!(!refused(&at("x"), &at("y")));
        std::fs::write(at("x"), "").unwrap();
        std::os::unix::fs::symlink(at("x"), at("link")).unwrap();
        assert!(refused(&at("x"), &at("link")));
        std::os::unix::fs::symlink(folder.path(), at("folder")).unwrap();
        assert!(refused(&at("new"), &at("folder/new")));
        let null = Path::new("/dev/null");
        assert!(!refused(null, null));
    }
}

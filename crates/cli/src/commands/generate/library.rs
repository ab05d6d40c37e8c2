//! The folder of the cells that designs share.

use anyhow::{Result, bail};
use frit_rtl::library::{NAME, files};
pub use frit_rtl::library::{cells, vlnv};
use frit_trace::output::{Locked, OutputFolder};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a run waits for others that write the same cells.
const PATIENCE: Duration = Duration::from_secs(20);

/// Writes the cells into `folder`, unless they are there. Cells of another version are replaced by `force` only: other designs
/// may have been written for them.
pub fn write(folder: &Path, force: bool) -> Result<()> {
    let (files, start) = (files(), Instant::now());
    let is_there = |(name, text): &(String, String)| {
        std::fs::read(folder.join(name)).is_ok_and(|there| there == text.as_bytes())
    };
    loop {
        if files.iter().all(is_there) {
            return Ok(());
        }
        match OutputFolder::open(folder) {
            Err(error) if error.detail::<Locked>().is_some() && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) => return Err(error.into()),
            Ok(opened) => {
                let other = version_there(folder).filter(|there| *there != vlnv());
                if let Some(there) = other.filter(|_| !force) {
                    bail!(
                        "{} holds the cells {there} of other designs, not {}: generate those designs again with \
                         --force, or give another folder with --cells",
                        folder.display(),
                        vlnv()
                    );
                }
                return Ok(opened.write(&files, force)?);
            }
        }
    }
}

/// The name of the core that stands in the folder.
fn version_there(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(format!("{NAME}.core"))).ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("name: "))?;
    Some(name.chars().take(80).filter(|letter| !letter.is_control()).collect())
}
